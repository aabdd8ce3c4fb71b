// Algebraic states beside coordinates, and forces that depend on multipliers: problem files, their runs under error
// control and what is refused.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "analysis/order_estimate.hpp"
#include "core/integration/integrate.hpp"
#include "core/integration/method.hpp"
#include "lab/runs/component.hpp"
#include "lab/runs/run.hpp"
#include "tests/experiment_support.hpp"
#include "tests/linear_algebra_support.hpp"
#include "tests/nonlinear_balance_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;
using testing::StartsWith;

Json bead_document() {
  return Json::parse(R"json({
    "name": "bead", "parameters": {"omega": "2", "mu": "1/2"},
    "definitions": {"c": "cos(omega*t)", "s": "sin(omega*t)", "friction": "-mu*sign(x'*c + y'*s)*N"},
    "coordinates": ["x", "y"], "mass": ["1", "1"], "constraints": ["y*c = x*s"],
    "algebraic": {"N": "N = abs(lambda1)"}, "forces": {"x": "friction*c", "y": "friction*s"},
    "start": {"x": "1", "x'": "1", "y'": "omega", "N": "4"}, "end_time": "1"})json");
}

RunOutcome run(Json problem, const Json& more) {
  Json spec = {{"problem", std::move(problem)}};
  spec.update(more);
  return Run::bind(spec, "")->execute();
}

TEST(NonlinearBalanceDocument, RunsAndIsRecorded) {
  const Vector<Real50> exact = exact_bead(1);
  for (const Json& more :
       {Json{{"method", "radau-iia:s=3"}, {"formulation", "ggl"}, {"rtol", "1e-9"}, {"trajectory", 1}},
        Json{{"method", "runge-kutta:tableau=dormand-prince"},
             {"formulation", "projected"},
             {"rtol", "1e-9"},
             {"trajectory", 1}}}) {
    const RunOutcome outcome = run(bead_document(), more);
    ASSERT_EQ(outcome.record["status"], "ok") << outcome.record["cause"];
    EXPECT_THAT(outcome.record["multipliers"]["note"].get<std::string>(), Not(HasSubstr("redundant")));
    const auto entry = [&](const char* kind, std::size_t i) { return outcome.record[kind][i].get<double>(); };
    EXPECT_NEAR(entry("q", 0), static_cast<double>(exact[0]), 1e-6);  // a thousand tolerances: errors add up
    EXPECT_NEAR(entry("lambda", 0), static_cast<double>(exact[4]), 1e-5);
    EXPECT_NEAR(entry("lambda", 1), -entry("lambda", 0), 1e-9);  // N
    EXPECT_THAT(outcome.trajectory, StartsWith("t,q1,q2,v1,v2,a1,a2,lambda1,lambda2,kinetic_energy"));
  }
}

// Columns of a trajectory by their names, the last row.
std::map<std::string, double> last_row(const RunOutcome& outcome) {
  std::istringstream rows(outcome.trajectory);
  std::string names, line, last;
  std::getline(rows, names);
  while (std::getline(rows, line)) last = line;
  std::istringstream heads(names), values(last);
  std::map<std::string, double> row;
  for (std::string name, value; std::getline(heads, name, ',') && std::getline(values, value, ',');)
    row[name] = std::stod(value);
  return row;
}

// Forces depend on these or, in the pendulum, do not; lambda and z are as the trajectory has them.
TEST(NonlinearBalanceDocument, ObservablesHoldMultipliersAndAlgebraicStates) {
  Json bead = bead_document();
  bead["observables"] = {{"press", "2*N + x"}, {"push", "lambda1"}, {"radius", "sqrt(x^2 + y^2)"}};
  const Json pendulum = Json::parse(R"json({
    "name": "hanging", "coordinates": ["x", "y"], "mass": ["1", "1"], "forces": {"y": "-10"},
    "constraints": ["(x^2 + y^2 - 1)/2"], "observables": {"press": "x - lambda1", "push": "lambda1"},
    "start": {"x": "1"}, "end_time": "1"})json");
  for (const char* form : {"index-1", "index-3", "ggl", "null-space"})
    for (const Json& problem : {bead, pendulum}) {
      const bool has_state = problem == bead;
      if (has_state && std::string(form) == "null-space") continue;  // which cannot
      const RunOutcome outcome =
          run(problem, {{"method", "radau-iia:s=3"}, {"formulation", form}, {"h", "1/50"}, {"trajectory", 1}});
      ASSERT_EQ(outcome.record["status"], "ok") << form << ": " << outcome.record["cause"];
      const auto row = last_row(outcome);
      const double push = row.at("lambda1"), x = row.at("q1");
      EXPECT_NE(push, 0);
      EXPECT_EQ(row.at("push"), push) << form;
      EXPECT_EQ(row.at("press"), has_state ? 2 * row.at("lambda2") + x : x - push) << form;
    }
}

// ---------------------------------------------------------------- error control

// A pendulum beside an algebraic state that acts on nothing: only the test that stops the iteration looks at it. Its
// equation, p + p^3/8 = f, has a slope of 1 at least, so that p is off by no more than its residual.
struct OffItsEquation {
  double largest, steps;
};
OffItsEquation off_its_equation(const std::string& f, const std::string& form, const std::string& method, double rtol) {
  const Json document = {{"name", "watched"},
                         {"coordinates", {"x", "y"}},
                         {"mass", {"1", "1"}},
                         {"forces", {{"y", "-10"}}},
                         {"constraints", {"(x^2 + y^2 - 1)/2"}},
                         {"algebraic", {{"p", "p + p^3/8 = " + f}}},
                         {"observables", {{"off", "p + p^3/8 - (" + f + ")"}}},
                         {"start", {{"x", "1"}}},
                         {"end_time", "1"}};
  const RunOutcome outcome = run(
      document, {{"method", method}, {"formulation", form}, {"rtol", fmt::format("{:.0e}", rtol)}, {"trajectory", 1}});
  EXPECT_EQ(outcome.record["status"], "ok") << outcome.record["cause"];
  std::istringstream rows(outcome.trajectory);
  std::string line;
  std::getline(rows, line);
  std::vector<std::string> names;
  std::istringstream heads(line);
  for (std::string name; std::getline(heads, name, ',');) names.push_back(name);
  const auto place = std::ranges::find(names, "off") - names.begin();
  double largest = 0;
  while (std::getline(rows, line)) {
    std::istringstream values(line);
    std::string value;
    for (std::ptrdiff_t i = 0; i <= place; ++i) std::getline(values, value, ',');
    largest = std::max(largest, std::abs(std::stod(value)));
  }
  return {largest, outcome.record["stats"]["steps"].get<double>()};
}

const std::vector<std::pair<const char*, const char*>>& forms_and_methods() {
  static const std::vector<std::pair<const char*, const char*>> list{{"index-3", "radau-iia:s=3"},
                                                                     {"index-2", "radau-iia:s=3"},
                                                                     {"ggl", "radau-iia:s=3"},
                                                                     {"index-3", "bdf"},
                                                                     {"ggl", "bdf"},
                                                                     {"stabilized-index-1", "bdf"},
                                                                     {"index-3", "kvaerno-3"},
                                                                     {"ggl", "kvaerno-3"},
                                                                     {"index-2", "kvaerno-3"},
                                                                     {"index-3", "hht"},
                                                                     {"ggl", "generalized-alpha:rho=4/5"}};
  return list;
}

// The iteration ends at a thousandth of the tolerance r (1 + |p|), which is 3 r here at most; what one Jacobian over
// many steps leaves is estimated by its rate. BDF left 0.7 r when nobody looked at p.
TEST(NonlinearBalanceControl, AlgebraicStatesAreOnTheirEquations) {
  for (const auto& [form, method] : forms_and_methods())
    for (const double rtol : {1e-4, 1e-6, 1e-8}) {
      const auto of_positions = off_its_equation("3*x*y", form, method, rtol),
                 of_velocities = off_its_equation("x*y'", form, method, rtol);
      EXPECT_LT(of_positions.largest, 4 * rtol / 10) << form << ", " << method << ", " << rtol;
      // On index 3 h times the size counts; the shortest steps are a third of the mean.
      const double size = std::string(form) == "index-3" ? 3 * of_velocities.steps : 0;
      EXPECT_LT(of_velocities.largest, (1 + size) * rtol / 5) << form << ", " << method << ", " << rtol;
    }
}

TEST(NonlinearBalanceDocument, ComponentsCountAlgebraicStatesAsMultipliers) {
  const auto bound = Run::bind({{"problem", bead_document()}, {"method", "radau-iia"}, {"h", "1/10"}}, "");
  EXPECT_NO_THROW(check_components({"lambda2"}, *bound, ""));
  EXPECT_EQ(input_error_of([&] { check_components({"lambda3"}, *bound, "/components"); }),
            "/components: there is no lambda3: lambda has 2 components");
}

// A block on an incline of 45 degrees: it slides with g (1 - mu)/sqrt(2). Kinetic and potential energy are those of the
// equations, and friction takes its part: 1 m down, mu g/sqrt(2).
TEST(NonlinearBalanceDocument, FrictionTakesEnergy) {
  const Json document = Json::parse(R"json({
    "name": "block", "coordinates": ["x", "y"], "kinetic_energy": "(x'^2 + y'^2)/2", "potential_energy": "10*y",
    "constraints": ["(x + y)/sqrt(2) = 0"],
    "forces": {"x": "-abs(lambda1)/4*sign(x' - y')/sqrt(2)", "y": "abs(lambda1)/4*sign(x' - y')/sqrt(2)"},
    "start": {"x'": "1", "y'": "-1"}, "end_time": "1"})json");
  const auto problem = Registry<Problem>::instance().make(document, "/problem");
  EXPECT_FALSE(problem->conserves_energy());
  const RunOutcome outcome = run(document, {{"method", "radau-iia:s=2"}, {"h", "1/10"}});
  ASSERT_EQ(outcome.record["status"], "ok") << outcome.record["cause"];
  // s = sqrt(2) t + a t^2/2 and x = s/sqrt(2), a = 7.5/sqrt(2); quadratic in time, which the method gives exactly.
  EXPECT_NEAR(outcome.record["q"][0].get<double>(), 1 + 7.5 / 4, 1e-12);
  const double normal = 10 / std::sqrt(2), way = std::sqrt(2) * (1 + 7.5 / 4);
  const double speed = std::hypot(outcome.record["v"][0].get<double>(), outcome.record["v"][1].get<double>());
  const double energy = speed * speed / 2 + 10 * outcome.record["q"][1].get<double>();
  EXPECT_NEAR(1 - energy, normal / 4 * way, 1e-11);
  EXPECT_TRUE(outcome.record["max"]["energy_error"].is_null()) << "what friction takes is no error";
}

// A spring whose force is an algebraic state: the energies beside a mass matrix belong to the equations.
TEST(NonlinearBalanceDocument, EnergiesAreTriedWithAlgebraicStates) {
  Json document = Json::parse(R"json({
    "name": "spring", "coordinates": ["x"], "mass": ["2"], "kinetic_energy": "x'^2", "potential_energy": "4*x^2",
    "algebraic": {"F": "F + F^3 = 8*x + (8*x)^3"}, "forces": {"x": "-F"}, "start": {"x": "1"}, "end_time": "1"})json");
  EXPECT_TRUE(Registry<Problem>::instance().make(document, "/problem")->conserves_energy());
  const RunOutcome outcome = run(document, {{"method", "gauss:s=3"}, {"h", "1/50"}});
  ASSERT_EQ(outcome.record["status"], "ok") << outcome.record["cause"];
  EXPECT_NEAR(outcome.record["q"][0].get<double>(), std::cos(2.0), 1e-9);
  document["potential_energy"] = "5*x^2";
  EXPECT_THAT(input_error_of([&] { Registry<Problem>::instance().make(document, "/problem"); }),
              HasSubstr("the energies contradict the equations of motion"));
}

std::string refusal(const Json& document) {
  return input_error_of([&] { Registry<Problem>::instance().make(document, "/problem"); });
}

TEST(NonlinearBalanceDocument, WhatCannotBeIsRefusedWithItsPlace) {
  const auto with = [](const char* key, const Json& value) {
    Json document = bead_document();
    document[key] = value;
    return refusal(document);
  };
  EXPECT_EQ(refusal(bead_document()), "no InputError");
  EXPECT_THAT(with("algebraic", {{"N", "x + y"}}),
              StartsWith("/problem/algebraic/N: the equation of N holds no algebraic state and no multiplier"));
  EXPECT_THAT(with("algebraic", {{"N", ""}}), StartsWith("/problem/algebraic/N: "));
  EXPECT_THAT(with("algebraic", {{"N", "N = lambda2"}}), HasSubstr("lambda2"));
  EXPECT_THAT(with("algebraic", {{"x", "x = lambda1"}}), HasSubstr("the name 'x' is used twice"));
  EXPECT_THAT(with("constraints", Json::array({"y*c = x*s + N"})),
              HasSubstr("a constraint must depend on neither multipliers nor"));
  EXPECT_THAT(with("kinetic_energy", "(x'^2 + y'^2)/2 + lambda1"), HasSubstr("must depend on neither"));
  EXPECT_EQ(with("events", {{"lifts", {{"function", "lambda1"}}}}), "no InputError");
  EXPECT_THAT(with("events", {{"jump", {{"function", "x - 2"}, {"then", {{"N", "1"}}}}}}), HasSubstr("'N'"));
}

// A name of the document's own means that.
TEST(NonlinearBalanceDocument, OwnNamesComeBeforeMultipliers) {
  Json document = bead_document();
  document["parameters"]["lambda1"] = "0";
  document["algebraic"]["N"] = "N = abs(lambda1)";
  const RunOutcome outcome = run(document, {{"method", "radau-iia:s=2"}, {"h", "1/10"}});
  ASSERT_EQ(outcome.record["status"], "ok") << outcome.record["cause"];
  EXPECT_NEAR(outcome.record["lambda"][1].get<double>(), 0, 1e-15);
}

TEST(NonlinearBalance, FormsAndMethodsThatCannotSayWhy) {
  EXPECT_EQ(
      input_error_of([] {
        Run::bind({{"problem", bead_document()}, {"method", "rkc"}, {"formulation", "penalty"}, {"h", "1/100"}}, "");
      }),
      "/formulation: penalty needs forces that depend on no multipliers, and no algebraic states: choose one of "
      "baumgarte, ggl, index-1, index-2, index-3, projected, stabilized-index-1");
  for (const char* method : {"half-explicit", "local-trapezoidal"}) {
    const RunOutcome outcome = run(bead_document(), {{"method", method}, {"formulation", "index-2"}, {"h", "1/100"}});
    EXPECT_EQ(outcome.record["status"], "not-applicable") << method;
    EXPECT_THAT(outcome.record["cause"].get<std::string>(), HasSubstr("choose a Runge-Kutta method, bdf or"));
  }
  EXPECT_THAT(input_error_of([] {
                Run::bind({{"problem", bead_document()},
                           {"method", "radau-iia"},
                           {"multiplier_solver", "complete-orthogonal"},
                           {"h", "1/100"}},
                          "");
              }),
              StartsWith("/multiplier_solver: forces depend on multipliers, or there are algebraic states"));
}

// g_z = 0 at the start, and friction at Painleve's limit: the normal force leaves the balance.
TEST(NonlinearBalance, SingularOnesFailWithTheCause) {
  Json flat = bead_document();
  flat["algebraic"]["N"] = "(N - 4)^2 = (x - 1)^2";
  Json locked = bead_document();  // the rod's own normal force, weighted so that it cancels the reaction
  locked["algebraic"]["N"] = "N = lambda1";
  locked["forces"] = {{"x", "-s*N"}, {"y", "c*N"}};
  for (const Json& problem : {flat, locked}) {
    const RunOutcome outcome = run(problem, {{"method", "radau-iia"}, {"h", "1/100"}});
    EXPECT_EQ(outcome.record["status"], "singular") << outcome.record["cause"];
    EXPECT_THAT(outcome.record["cause"].get<std::string>(),
                HasSubstr("do not determine accelerations and multipliers"));
  }
}

}  // namespace TEST_FILE
}  // namespace daelab
