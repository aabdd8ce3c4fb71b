// Singular positions on the way: seen with ordinary steps, named, and a run ends before them when asked to.
#include <gmock/gmock.h>

#include "core/integration/singularity_watch.hpp"
#include "lab/runs/run.hpp"
#include "tests/numeric_support.hpp"
#include "tests/run_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* dormand_prince = "runge-kutta:tableau=dormand-prince";
constexpr const char* rk4 = "runge-kutta:tableau=rk4-classical";

Json four_bar(const Json& more) {
  Json spec = {{"problem", "n-four-bar"}, {"formulation", "index-1"}, {"t_end", 10}};
  spec.update(more);
  return Run::bind(spec, "")->execute().record;
}

std::string text_of(const Json& record, const std::string& kind) {
  for (const Json& warning : record["warnings"])
    if (warning["kind"] == kind) return warning["text"];
  return "";
}

// All links horizontal for the first time at t = 0.714356: K(k)/w of the closed form.
TEST(NearSingular, IsAWarningOfARunThatPassesIt) {
  for (const char* method : {"bdf", "generalized-alpha", dormand_prince}) {
    SCOPED_TRACE(method);
    const Json record = four_bar({{"method", method}, {"rtol", "1e-8"}, {"t_end", 1}});
    EXPECT_EQ(record["status"], "ok");
    ASSERT_THAT(kinds_of_warnings(record), testing::Contains("near-singular"));
    const std::string text = text_of(record, "near-singular");
    EXPECT_THAT(text, HasSubstr("near t = 0.7143"));
    EXPECT_THAT(text, HasSubstr("rows 1, 3, ")) << "the x equations of the pins";
  }
}

// Steps of a quarter of a radian: none ends near the position.
TEST(NearSingular, IsSeenBetweenTheEndsOfLongSteps) {
  for (const Json h : {"1/20", "1/30", "1/37"}) {
    const Json record = four_bar({{"formulation", "projected"}, {"method", rk4}, {"h", h}});
    SCOPED_TRACE(h);
    EXPECT_EQ(record["status"], "ok");
    ASSERT_THAT(kinds_of_warnings(record), ElementsAre("near-singular"));
    EXPECT_THAT(record["warnings"][0]["text"].get<std::string>(), HasSubstr("the first of 10 such positions"));
  }
}

TEST(NearSingular, EndsTheRunBeforeItWhenAskedTo) {
  for (const Json& steps : {Json{{"rtol", "1e-8"}}, Json{{"h", "1/100"}}}) {
    Json spec = {{"method", dormand_prince}, {"singular", "stop"}};
    spec.update(steps);
    const Json record = four_bar(spec);
    EXPECT_EQ(record["status"], "near-singular");
    EXPECT_THAT(record["cause"].get<std::string>(), HasSubstr("near t = 0.71435"));
    // Some steps before the place, 0.71435...: measured 0.706 and 0.71.
    EXPECT_LT(record["t"].get<double>(), 0.714356);
    EXPECT_GT(record["t"].get<double>(), 0.68);
    EXPECT_THAT(kinds_of_warnings(record), IsEmpty());
  }
}

TEST(NearSingular, IsNotLookedForWhenIgnored) {
  const Json record = four_bar({{"method", dormand_prince}, {"rtol", "1e-8"}, {"t_end", 1}, {"singular", "ignore"}});
  EXPECT_THAT(kinds_of_warnings(record), IsEmpty());
}

// Steps of Radau IIA fall to nothing before the first position; beyond all ten the error stays below 1E-3 (measured
// 6E-5 m) of motions of 2 m.
TEST(NearSingular, IsPassedByARestartBeyondIt) {
  const Json run = {{"formulation", "ggl"}, {"method", "radau-iia"}, {"rtol", "1e-8"}};
  EXPECT_EQ(four_bar(run)["status"], "step-too-small");
  Json restarted = run;
  restarted["singular"] = "restart";
  const Json record = four_bar(restarted);
  ASSERT_EQ(record["status"], "ok") << record["cause"];
  EXPECT_LT(record["error"]["q"].get<double>(), 1e-3);
  ASSERT_THAT(kinds_of_warnings(record), testing::Contains("singular-restart"));
  EXPECT_THAT(text_of(record, "singular-restart"), HasSubstr("the first time from t = 0.71"));
}

// A parallelogram of three rods, one of them given twice: rank 3 of 4 constraints.
TEST(NearSingular, IsPassedByARestartWithRedundantConstraintsToo) {
  const Json problem = {
      {"name", "parallelogram"},
      {"summary", "Two masses on three rods."},
      {"coordinates", {"x1", "y1", "x2", "y2"}},
      {"kinetic_energy", "(x1'^2 + y1'^2 + x2'^2 + y2'^2)/2"},
      {"potential_energy", "9.81*(y1 + y2)"},
      {"constraints",
       {"x1^2 + y1^2 = 1", "(x2 - 1)^2 + y2^2 = 1", "(x2 - x1)^2 + (y2 - y1)^2 = 1", "2*x1^2 + 2*y1^2 = 2"}},
      {"start", {{"y1", 1}, {"x2", 1}, {"y2", 1}, {"x1'", 1}, {"x2'", 1}}},
      {"end_time", "5"}};
  const auto end = [&](const char* method, const char* formulation, const char* singular) {
    return Run::bind({{"problem", problem},
                      {"formulation", formulation},
                      {"method", method},
                      {"multiplier_solver", "complete-orthogonal"},
                      {"rtol", "1e-9"},
                      {"singular", singular}},
                     "")
        ->execute()
        .record;
  };
  EXPECT_EQ(end("radau-iia", "ggl", "warn")["status"], "step-too-small");
  const Json restarted = end("radau-iia", "ggl", "restart"), through = end("radau-iia", "projected", "warn");
  ASSERT_EQ(restarted["status"], "ok") << restarted["cause"];
  ASSERT_EQ(through["status"], "ok") << through["cause"];
  for (std::size_t i = 0; i < 4; ++i)  // measured 2E-6
    EXPECT_NEAR(restarted["q"][i].get<double>(), through["q"][i].get<double>(), 1e-4);
}

// Its tolerance lets not one step pass, so that there is nothing to go on from: it once sought for ever.
TEST(NearSingular, IsNotLeaptOverWithoutAStep) {
  Json run = {{"formulation", "index-3"}, {"method", "radau-iia:s=7"}, {"rtol", "3e-15"}, {"atol", "1e-22"}};
  const Json ended = four_bar(run);
  run["singular"] = "restart";
  const Json restarted = four_bar(run);
  EXPECT_NE(ended["status"], "ok");
  EXPECT_EQ(restarted["t"], 0.0);
  EXPECT_EQ(restarted["status"], ended["status"]);
  EXPECT_EQ(restarted["cause"], ended["cause"]);
}

TEST(NearSingular, IsRefusedARestartWithFixedSteps) {
  const Json record = four_bar({{"method", "radau-iia"}, {"h", "1/100"}, {"singular", "restart"}});
  EXPECT_EQ(record["status"], "not-applicable");
  EXPECT_THAT(record["cause"].get<std::string>(), HasSubstr("set rtol or atol"));
}

// Redundant constraints (bricard: rank 15 of 16, rowing-boat), C_q that changes its size and turns, a closed chain.
TEST(NearSingular, IsNotSaidOfOthers) {
  for (const char* problem : {"bricard", "rowing-boat", "pendulum", "slider-crank", "seven-body",
                              "two-link-manipulator", "heavy-top", "rolling-disc", "car-axis"}) {
    SCOPED_TRACE(problem);
    const Json record =
        Run::bind({{"problem", problem}, {"formulation", "ggl"}, {"method", "bdf"}, {"rtol", "1e-5"}}, "")
            ->execute()
            .record;
    EXPECT_THAT(kinds_of_warnings(record), testing::Not(testing::Contains("near-singular")));
    EXPECT_GT(record["stats"]["steps"].get<long>(), 10);  // these are runs: 250 steps and more
  }
}

// z^2 = x, x' = -2 z with x(0) = 1: z = 1 - t passes zero, or turns back there, at t = 1. g_z = 2 z.
Json square_root(const Json& more) {
  Json spec = {{"problem",
                {{"name", "square-root"},
                 {"states", {{"x", "-2*z"}}},
                 {"algebraic", {{"z", "z^2 = x"}}},
                 {"start", {{"x", 1}, {"z", 1}}},
                 {"end_time", "3/2"}}}};
  spec.update(more);
  return Run::bind(spec, "")->execute().record;
}

TEST(NearSingular, IsSaidOfAlgebraicStatesThatAreNotDetermined) {
  for (const Json& steps : {Json{{"method", "radau-iia"}, {"h", "2/13"}}, Json{{"method", "bdf"}, {"rtol", "1e-5"}},
                            Json{{"method", dormand_prince}, {"rtol", "1e-6"}}}) {
    SCOPED_TRACE(steps.dump());
    const Json record = square_root(steps);
    ASSERT_EQ(record["status"], "ok") << record["cause"];
    EXPECT_THAT(kinds_of_warnings(record), testing::Contains("near-singular"));
    EXPECT_THAT(text_of(record, "near-singular"),
                testing::AnyOf(HasSubstr("do not determine the algebraic states near t = 1"),
                               HasSubstr("do not determine the algebraic states near t = 0.9999")));
  }
  Json stopped = {{"method", "radau-iia"}, {"h", "2/13"}, {"singular", "stop"}};
  EXPECT_EQ(square_root(stopped)["status"], "near-singular");
}

// z = |1 - t|: both ends of the step over t = 1 are on the same branch, where g_z is large.
TEST(NearSingular, IsSeenWhereTheSolutionTurnsBack) {
  const Json record = square_root({{"problem",
                                    {{"name", "turning-back"},
                                     {"states", {{"x", "z"}}},
                                     {"algebraic", {{"z", "z^2 = (1 - t)^2"}}},
                                     {"start", {{"z", 1}}},
                                     {"end_time", 2}}},
                                   {"method", "runge-kutta"},
                                   {"h", "2/13"}});
  ASSERT_EQ(record["status"], "ok") << record["cause"];
  EXPECT_THAT(text_of(record, "near-singular"), HasSubstr("near t = 1"));
}

// x' = -1: no z solves z^2 = x beyond t = 1. Under error control the iteration did not look at z and went on to
// z = -1.7 and z = 25 000, ok, where x = -1.
TEST(NearSingular, IsNoPlaceToPassWhereTheSolutionEnds) {
  for (const char* method : {"bdf", "radau-iia", dormand_prince}) {
    const Json record = square_root({{"problem",
                                      {{"name", "sink"},
                                       {"states", {{"x", "-1"}}},
                                       {"algebraic", {{"z", "z^2 = x"}}},
                                       {"start", {{"x", 1}, {"z", 1}}},
                                       {"end_time", 2}}},
                                     {"method", method},
                                     {"rtol", "1e-5"}});
    EXPECT_NE(record["status"], "ok") << method;
    EXPECT_NEAR(record["t"].get<double>(), 1, 1e-9) << method;  // the least step
  }
}

// x = e^-t = e^-z falls to 1E-4: the derivative by z becomes small, and z = t stays what it is.
TEST(NearSingular, IsNotSaidOfDerivativesThatFade) {
  const Json record = square_root({{"problem",
                                    {{"name", "fading"},
                                     {"states", {{"x", "-x"}}},
                                     {"algebraic", {{"z", "exp(-z) = x"}}},
                                     {"start", {{"x", 1}}},
                                     {"end_time", 9}}},
                                   {"method", "radau-iia"},
                                   {"rtol", "1e-6"}});
  ASSERT_EQ(record["status"], "ok") << record["cause"];
  EXPECT_THAT(kinds_of_warnings(record), testing::Not(testing::Contains("near-singular")));
  const double x = record["y"][0], z = record["y"][1];
  // The tolerance.
  EXPECT_NEAR(z, -std::log(x), 1e-6) << "z was 0.018 off its equation";
}

// q = t - 1 on q^2 = (t - 1)^2: the only row, 2 q, is dependent on no other, but passes zero at t = 1.
void record_vanishing_row(Recording& r) {
  r.coordinates({"q"});
  r.start_q = {-1}, r.start_v = {1};
  r.mass(0, 0) = 1;
  r.constraints = {square(r.q[0]) - square(r.t - 1)};
}

TEST(SingularityWatch, SeesARowVanish) {
  const auto model = recorded_model<double>(record_vanishing_row);
  SingularityWatch<double> watch(*model, false);
  const auto at = [](double t) {
    State<double> state;
    state.t = t;
    state.y = Vector<double>{{t - 1, 1, 0}};
    return state;
  };
  watch.start(at(0));
  for (int k = 0; k < 15; ++k) ASSERT_TRUE(watch.check(at(0.15 * k), at(0.15 * (k + 1))).ok());
  EXPECT_EQ(watch.passed(), 1);
  ASSERT_TRUE(watch.warning().has_value());
  EXPECT_THAT(watch.warning()->text, HasSubstr("rows 1 become dependent near t = 1:"));
}

// The row is 2 q, at rest at q = -1, and an impact makes v = 20: q = 0 comes five steps later, wherever the impact is
// among the steps that are passed over.
TEST(SingularityWatch, SeesARowVanishAfterAnImpact) {
  const auto model = recorded_model<double>(record_vanishing_row);
  constexpr double h = 0.01;
  for (int impact = 20; impact < 30; ++impact) {
    SingularityWatch<double> watch(*model, false);
    const auto at = [&](int k, double v) {
      State<double> state;
      state.t = h * k;
      state.y = Vector<double>{{-1 + 20 * h * std::max(0, k - impact), v, 0}};
      return state;
    };
    const auto velocity = [&](int k) { return k < impact ? 0.0 : 20.0; };
    watch.start(at(0, 0));
    for (int k = 0; k < impact + 10; ++k)
      ASSERT_TRUE(watch.check(at(k, velocity(k)), at(k + 1, k + 1 == impact ? 0 : velocity(k + 1))).ok());
    EXPECT_EQ(watch.passed(), 1) << impact;
  }
}

// Of every eight short steps one is looked at where the distance hardly changes.
TEST(SingularityWatch, PassesOverStepsFarFromSingularPositions) {
  const auto model = recorded_model<double>(record_vanishing_row);
  SingularityWatch<double> watch(*model, false);
  const auto at = [](int k) {
    State<double> state;
    state.t = 1e-4 * k;
    state.y = Vector<double>{{state.t - 1, 1, 0}};
    return state;
  };
  watch.start(at(0));
  for (int k = 0; k < 9000; ++k) ASSERT_TRUE(watch.check(at(k), at(k + 1)).ok());
  EXPECT_LT(watch.looks(), 9000 / 8 + 100);
  for (int k = 9000; k < 11000; ++k) ASSERT_TRUE(watch.check(at(k), at(k + 1)).ok());
  EXPECT_EQ(watch.passed(), 1);
  EXPECT_THAT(watch.warning()->text, HasSubstr("near t = 0.9991:")) << "the first step below the threshold";
}

// IFToMM A02: t = 10 is behind ten singular positions. Explicit steps, projected, and implicit ones with velocity
// constraints.
TEST(NearSingular, IsPassedOnTheRightBranch) {
  struct Way {
    const char *formulation, *method, *rtol;
    double error;
  };
  for (const Way& way : {Way{"projected", dormand_prince, "1e-8", 1e-6}, Way{"index-2", "bdf", "1e-8", 1e-5},
                         Way{"ggl", "bdf", "1e-6", 1e-3}}) {
    SCOPED_TRACE(way.formulation);
    const Json record = four_bar({{"formulation", way.formulation}, {"method", way.method}, {"rtol", way.rtol}});
    EXPECT_EQ(record["status"], "ok");
    EXPECT_LT(record["error"]["q"].get<double>(), way.error);
  }
}

}  // namespace TEST_FILE
}  // namespace daelab
