// Linearly implicit equations M(t, y) y' = f(t, y): regular M by an elimination by hand, singular M by the closed form
// and by a circuit whose derivatives were eliminated by hand.
#include "core/equations/linearly_implicit_system.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/norm.hpp"
#include "core/mechanism/problem.hpp"
#include "core/start/hidden_constraints.hpp"
#include "experiments/measures/observed_orders.hpp"
#include "lab/runs/run.hpp"
#include "results/reference.hpp"
#include "tests/build_paths.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string amplifier = "@" + source_path("/tests/problems/amplifier_voltages.json");

std::shared_ptr<Problem> problem_of(const Json& spec) { return Registry<Problem>::instance().make(spec, "/problem"); }

RunRecord record_of(const Json& spec) { return Run::bind(spec, "")->execute().record; }

// x' = x - x y, y' = x y - y + sin(t), as it is or multiplied by M = [2 + sin t, x; y, 3], which is regular there.
Json predators(bool implicit) {
  Json problem = {{"name", implicit ? "implicit" : "explicit"},
                  {"definitions", {{"p", "x - x*y"}, {"r", "x*y - y + sin(t)"}}},
                  {"states", {{"x", "p"}, {"y", "r"}}},
                  {"start", {{"x", "2"}, {"y", "1/2"}}},
                  {"end_time", "2"}};
  if (!implicit) return problem;
  problem["states"] = {{"x", "(2 + sin(t))*p + x*r"}, {"y", "y*p + 3*r"}};
  problem["rates_mass"] = Json::parse(R"json([["2 + sin(t)", "x"], ["y", 3]])json");
  return problem;
}

// y1' + y2' = f, and the same again: 0 = y1 - y2^3 - (sin t - e^(-3t)). The solution is y1 = sin t, y2 = e^(-t).
Json singular_pair() {
  return Json::parse(R"json({"name": "pair",
    "definitions": {"f": "cos(t) - exp(-t) + y2 - exp(-t)", "g": "y1 - y2^3 - sin(t) + exp(-3*t)"},
    "states": {"y1": "f", "y2": "f + g"}, "rates_mass": [[1, 1], [1, 1]],
    "start": {"y1": "0", "y2": "1"}, "end_time": "1"})json");
}

TEST(LinearlyImplicit, IsTheSameAsItsEliminationByHand) {
  for (const Json& spec : {Json{{"method", "runge-kutta"}, {"h", "1/50"}},
                           Json{{"method", "radau-iia:s=3"}, {"newton", "full"}, {"h", "1/50"}},
                           Json{{"method", "kvaerno-4"}, {"newton", "full"}, {"h", "1/50"}},
                           Json{{"method", "bdf:k=4"}, {"newton", "full"}, {"h", "1/50"}}}) {
    Json implicit = spec, by_hand = spec;
    implicit["problem"] = predators(true), by_hand["problem"] = predators(false);
    const RunRecord a = record_of(implicit), b = record_of(by_hand);
    ASSERT_EQ(a.status, StatusCode::ok) << spec["method"] << ": " << a.cause;
    // Equations of a step times a regular matrix have the same solution, to round-off and what Newton's method leaves.
    EXPECT_LT((a.state.y - b.state.y).cwiseAbs().maxCoeff(), 1e-11) << spec["method"];
  }
}

// Solutions with a sparse mass by machine code, which is there after some hundred of them: slopes stay where they are.
TEST(LinearlyImplicit, SlopesStayInPlaceWhereFactorsAreGenerated) {
  Json diagonal = predators(false), by_hand = diagonal;
  diagonal["states"] = {{"x", "(2 + sin(t))*p"}, {"y", "3*r"}};
  diagonal["rates_mass"] = Json::parse(R"json([["2 + sin(t)", 0], [0, 3]])json");
  const auto end = [](const Json& problem) {
    const RunRecord record = record_of({{"problem", problem}, {"method", "runge-kutta"}, {"h", "1/400"}});
    EXPECT_EQ(record.status, StatusCode::ok) << record.cause;
    return record.state.y;
  };
  const Vector<Real50> y = end(by_hand);
  for (int time = 0; time < 3; ++time) EXPECT_LT((end(diagonal) - y).cwiseAbs().maxCoeff(), 1e-12) << time;
}

TEST(LinearlyImplicit, ErrorControlHoldsItsTolerance) {
  Json exact = {{"problem", predators(false)}, {"method", "gauss:s=5"}, {"h", "1/200"}};
  const Vector<Real50> y = record_of(exact).state.y;
  for (const char* method : {"runge-kutta:tableau=dormand-prince", "radau-iia:s=3", "kvaerno-3", "bdf", "rkc"}) {
    const RunRecord record = record_of({{"problem", predators(true)}, {"method", method}, {"rtol", "1e-6"}});
    ASSERT_EQ(record.status, StatusCode::ok) << method << ": " << record.cause;
    EXPECT_LT((record.state.y - y).cwiseAbs().maxCoeff(), 1e-4) << method;  // 100 tolerances: they add up
  }
}

// Rows 2, 5 and 8 repeat the rows before with the other sign: sums of two right sides vanish.
TEST(LinearlyImplicit, EquationsWithoutDerivativesOfAConstantMatrixAreFound) {
  const auto model = problem_of(amplifier)->ordinary_model(As<double>{});
  EXPECT_THAT(model->constraint_rows(), ElementsAre(1, 4, 7));
  EXPECT_EQ(model->index(), 1);
  EXPECT_EQ(model->algebraic_equations(), "U2, U5, U8");
  EXPECT_LT(hidden_residuals(*model, model->initial_y()).norm(), 1e-15);  // round-off
  EXPECT_EQ(problem_of(predators(true))->ordinary_model(As<double>{})->index(), 0);
}

// y' = -y, 0 = z - y^2, from values off the second equation, and the same with the sum of both states in M.
Json off_its_equation(bool mixed) {
  Json problem = Json::parse(R"json({"name": "off", "states": {"y": "-y", "z": "z - y^2"},
    "rates_mass": [["1", "0"], ["0", "0"]], "start": {"y": "1", "z": "5"}, "end_time": "2"})json");
  if (mixed) problem["rates_mass"] = Json::parse(R"json([["1", "1"], ["0", "0"]])json");
  return problem;
}
Vector<double> projected(const Json& problem, const Vector<double>& weights = {}) {
  const auto model = problem_of(problem)->ordinary_model(As<double>{});
  Vector<double> y = model->initial_y();
  EXPECT_TRUE(project_onto_hidden_constraints(*model, y, weights).ok());
  EXPECT_LT(max_norm(hidden_residuals(*model, y)), 1e-14);  // round-off of numbers up to 5
  return y;
}

TEST(LinearlyImplicit, ProjectionMovesAlgebraicPartsAlone) {
  const Vector<double> apart = projected(off_its_equation(false)), mixed = projected(off_its_equation(true));
  EXPECT_EQ(apart[0], 1);
  EXPECT_NEAR(apart[1], 1, 1e-15);
  EXPECT_NEAR(mixed[0] + mixed[1], 6, 1e-14) << "y + z has the derivative";
  EXPECT_NEAR(mixed[0], 2, 1e-14);  // y + y^2 = 6
  const RunRecord record = record_of(
      {{"problem", off_its_equation(false)}, {"method", "radau-iia:s=3"}, {"rtol", "1e-8"}, {"start", "project"}});
  EXPECT_NEAR(static_cast<double>(record.state.y[0]), std::exp(-2), 1e-7);
  EXPECT_NEAR(static_cast<double>(record.state.y[1]), std::exp(-4), 1e-7);
}

// Of weighted values all move, those less that are trusted more.
TEST(LinearlyImplicit, ProjectionTrustsStatesAsItIsTold) {
  const Vector<double> alike = projected(off_its_equation(false), Vector<double>{{1, 1}}),
                       trusted = projected(off_its_equation(false), Vector<double>{{1, 1e6}});
  EXPECT_GT(alike[0], 1.5);
  EXPECT_NEAR(trusted[1], 5, 1e-4);
  EXPECT_NEAR(trusted[0], std::sqrt(5), 1e-4);
  const auto start_of = [](const Json& start) {
    return Run::bind({{"problem", off_its_equation(false)}, {"method", "bdf"}, {"h", "1/10"}, {"start", start}}, "");
  };
  EXPECT_NEAR(static_cast<double>(start_of({{"fix", "z"}})->integrate().record.state.y[0]), std::sqrt(5) * std::exp(-2),
              0.05);
  EXPECT_NO_THROW(start_of({{"weights_y", {{"y1", 4}}}}));
  EXPECT_THAT(
      [&] {
        start_of({{"fix", "y,z"}});
      },
      testing::ThrowsMessage<InputError>(HasSubstr("/start/fix: the fixed values leave the start over-determined")));
}

// The amplifier in voltages of capacitors, semi-explicit, with its stored solution: U1 - U2, U3, U4 - U5, U6, U7 -
// U8, U2, U5, U8.
TEST(LinearlyImplicit, AmplifierEndsAtTheSolutionOfItsSemiExplicitForm) {
  const Json reference = problem_of("transistor-amplifier")->spec();
  const Vector<Real50> exact = find_reference(reference, Exact("0.2"))->y;
  for (const char* method : {"radau-iia:s=3", "lobatto-iiic:s=4", "kvaerno-4", "bdf"}) {
    const RunRecord record = record_of({{"problem", amplifier}, {"method", method}, {"rtol", "1e-7"}});
    ASSERT_EQ(record.status, StatusCode::ok) << method << ": " << record.cause;
    const Vector<Real50>& U = record.state.y;
    const Vector<Real50> found{{U[0] - U[1], U[2], U[3] - U[4], U[5], U[6] - U[7], U[1], U[4], U[7]}};
    // Slopes of exponentials reach 1/UF = 38, by which errors grow on the way: 1000 tolerances.
    EXPECT_LT((found - exact).cwiseAbs().maxCoeff(), 1e-4) << method;
  }
}

TEST(LinearlyImplicit, SingularMatricesKeepTheOrdersOfStiffAccuracy) {
  struct Case {
    const char* method;
    int order;
  };
  for (const auto& [method, order] : {Case{"radau-iia:s=2", 3}, Case{"radau-iia:s=3", 5}, Case{"lobatto-iiic:s=3", 4},
                                      Case{"kvaerno-4", 4}, Case{"alexander:s=3", 3}, Case{"bdf:k=3", 3}}) {
    Json spec = {{"problem", singular_pair()}, {"method", method}, {"newton", "full"}, {"h", "1/16"}};
    EXPECT_EQ(expected_orders(*Run::bind(spec, "")).of.at("y"), order) << method;
    std::vector<double> errors;
    for (const char* h : {"1/16", "1/32"}) {
      spec["h"] = h;
      const RunRecord record = record_of(spec);
      ASSERT_EQ(record.status, StatusCode::ok) << method << ": " << record.cause;
      errors.push_back(std::hypot(static_cast<double>(Real50(record.state.y[0] - sin(Real50(1)))),
                                  static_cast<double>(Real50(record.state.y[1] - exp(Real50(-1))))));
    }
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), order, 0.4) << method;  // h is not yet small
  }
}

TEST(LinearlyImplicit, ExplicitMethodsNeedARegularMatrix) {
  const RunRecord record = record_of({{"problem", amplifier}, {"method", "runge-kutta"}, {"h", "1e-4"}});
  EXPECT_EQ(record.status, StatusCode::not_applicable);
  EXPECT_THAT(record.cause, HasSubstr("the equations of U2, U5, U8 have no derivatives"));
}

// F_y and F_y' against central differences with the step 1e-5: 1e-10 of the third derivatives and of round-off.
// Bounds are ten times that: measured 2.5e-11.
TEST(LinearlyImplicit, JacobiansAreDerivativesOfTheResidual) {
  const auto model = problem_of(predators(true))->ordinary_model(As<double>{});
  LinearlyImplicitSystem<double> system(*model);
  const Vector<double> y{{1.5, 0.7}}, ydot{{-0.4, 0.9}};
  const double t = 0.3, step = 1e-5;
  const auto linearization = system.linearization();
  linearization->evaluate(t, y, ydot);
  Matrix<double> F_y(2, 2), F_ydot(2, 2), by_y(2, 2), by_ydot(2, 2);
  linearization->dense(F_y, F_ydot);
  Vector<double> up(2), down(2);
  for (Index j = 0; j < 2; ++j) {
    const Vector<double> d = step * Vector<double>::Unit(2, j);
    system.residual(t, y + d, ydot, up), system.residual(t, y - d, ydot, down);
    by_y.col(j) = (up - down) / (2 * step);
    system.residual(t, y, ydot + d, up), system.residual(t, y, ydot - d, down);
    by_ydot.col(j) = (up - down) / (2 * step);
  }
  EXPECT_LT((F_y - by_y).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT((F_ydot - by_ydot).cwiseAbs().maxCoeff(), 1e-9);
  const double kappa = 0.1;
  const auto matrix = linearization->real_matrix();
  ASSERT_TRUE(matrix->factorize(kappa).ok());
  const Vector<double> right{{1, 2}};
  Vector<double> x = right;
  matrix->solve(x);
  EXPECT_LT(((F_ydot + kappa * F_y) * x - right).norm(), 1e-14);  // round-off
}

TEST(LinearlyImplicit, RatesOfSingularMatricesAreThoseOfTheSolution) {
  const auto model = problem_of(singular_pair())->ordinary_model(As<double>{});
  Vector<double> ydot(2);
  ASSERT_TRUE(ImplicitRates<double>(*model).solve(0, model->initial_y(), ydot).ok());
  EXPECT_LT((ydot - Vector<double>{{1, -1}}).norm(), 1e-15);  // cos 0, -e^0
}

TEST(LinearlyImplicit, StartsOffTheEquationsWithoutDerivativesAreRefusedOrMoved) {
  Json problem = singular_pair();
  problem["start"]["y2"] = "1.1";
  Json spec = {{"problem", problem}, {"method", "radau-iia"}, {"h", "1/10"}};
  try {
    Run::bind(spec, "");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("the equation of y2 by 3.31e-01"));
  }
  spec["start"] = "project";
  EXPECT_EQ(record_of(spec).status, StatusCode::ok);
}

// A pendulum: no derivative of 0 = x^2 + y^2 - 1 tells what its force is before the second.
TEST(LinearlyImplicit, AHigherIndexIsNamed) {
  const Json problem = Json::parse(R"json({"name": "swing",
    "states": {"x": "u", "y": "v", "u": "-2*x*l", "v": "-1 - 2*y*l", "l": "x^2 + y^2 - 1"},
    "rates_mass": [1, 1, 1, 1, 0], "start": {"x": "1"}, "end_time": "1"})json");
  const RunRecord record = record_of({{"problem", problem}, {"method", "radau-iia"}, {"h", "1/10"}});
  EXPECT_EQ(record.status, StatusCode::singular);
  EXPECT_THAT(record.cause, HasSubstr("of l, do not make up for it: the index is above 1"));
}

TEST(LinearlyImplicit, AMatrixThatIsSingularByItsValuesIsNamed) {
  const Json problem = Json::parse(R"json({"name": "twins", "states": {"x": "x", "y": "y"},
    "rates_mass": [["x", "x"], ["y", "y"]], "start": {"x": "1", "y": "2"}, "end_time": "1"})json");
  const RunRecord record = record_of({{"problem", problem}, {"method", "radau-iia"}, {"h", "1/10"}});
  EXPECT_EQ(record.status, StatusCode::singular);
  EXPECT_THAT(record.cause, HasSubstr("with rows of zeros"));
}

// Linear finite elements of u_t = u_xx on N - 1 inner nodes: M and K are tridiagonal, and sin(pi x_i) is an eigenvector
// of both, with eigenvalues h (2 + cos(pi h))/3 and 2 (1 - cos(pi h))/h.
TEST(LinearlyImplicit, RowsMayBeGivenByNameAndInLoops) {
  const Json problem = Json::parse(R"json({"name": "rod", "parameters": {"N": "10"}, "vectors": {"u": "N-1"},
    "definitions": {"h": "1/N"},
    "states": {"u[1]": "(u[2] - 2*u[1])/h", "u[i] for i in 2..N-2": "(u[i-1] - 2*u[i] + u[i+1])/h",
               "u[N-1]": "(u[N-2] - 2*u[N-1])/h"},
    "rates_mass": {"u[1]": {"u[1]": "2*h/3", "u[2]": "h/6"},
                   "u[i] for i in 2..N-2": {"u[i-1]": "h/6", "u[i]": "2*h/3", "u[i+1]": "h/6"},
                   "u[N-1]": {"u[N-2]": "h/6", "u[N-1]": "2*h/3"}},
    "start": {"u[i] for i in 1..N-1": "sin(pi*i/N)"}, "end_time": "1/10"})json");
  const RunRecord record = record_of({{"problem", problem}, {"method", "radau-iia:s=3"}, {"h", "1/100"}});
  ASSERT_EQ(record.status, StatusCode::ok) << record.cause;
  const double h = 0.1, decay = 6 * (1 - std::cos(M_PI * h)) / (h * h * (2 + std::cos(M_PI * h)));
  // A step of order 5 errs by (decay/100)^6/7200 = 1.4e-10 of u; ten of them, with room.
  for (int i = 1; i < 10; ++i)
    EXPECT_NEAR(static_cast<double>(record.state.y[i - 1]), std::sin(M_PI * i * h) * std::exp(-decay / 10), 1e-8) << i;
}

TEST(LinearlyImplicit, MatricesThatDoNotFitAreRefused) {
  const auto refusal = [](const char* key, const Json& value) -> std::string {
    Json problem = predators(true);
    problem[key] = value;
    try {
      problem_of(problem);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(refusal("rates_mass", {1}), HasSubstr("1 row given, 2 needed, one for each state (x, y)"));
  EXPECT_THAT(refusal("rates_mass", {{"x", {{"z", "1"}}}}), HasSubstr("/rates_mass/x/z: unknown state 'z'"));
  EXPECT_THAT(refusal("rates_mass", {{"z", {{"x", "1"}}}}), HasSubstr("/rates_mass/z: unknown state 'z'"));
  EXPECT_THAT(refusal("rates_mass", {0, 0}), HasSubstr("the matrix of the rates is zero"));
  EXPECT_THAT(refusal("algebraic", {{"z", "z - x"}}), HasSubstr("give algebraic equations as states whose rows"));
}

}  // namespace TEST_FILE
}  // namespace daelab
