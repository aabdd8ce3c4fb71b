// Explicit methods under error control say when stability limits their steps, and only then.
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer.
#include <gmock/gmock.h>

#include "core/integration/integrate.hpp"
#include "core/integration/method.hpp"
#include "core/integration/stiffness_watch.hpp"
#include "lab/runs/run.hpp"
#include "tests/numeric_support.hpp"
#include "tests/ode_system.hpp"
#include "tests/run_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

double limit_of(const Tableau& t) {
  return real_stability_limit(t.A.template cast<double>(), t.b.template cast<double>());
}

// The limit is found in steps of 0.01, and known to three decimals.
TEST(RealStabilityLimit, IsThatOfKnownMethods) {
  EXPECT_NEAR(limit_of(tableau_by_name("explicit-euler", "")), 2, 0.011);
  EXPECT_NEAR(limit_of(tableau_by_name("rk4-classical", "")), 2.785, 0.011);
  EXPECT_NEAR(limit_of(tableau_by_name("dormand-prince", "")), 3.307, 0.011);  // [HW96, Sec. IV.2]
}

// For the project's files; `extrapolation` is a method of its own.
std::string pair(const std::string& name) { return name == "extrapolation" ? name : "runge-kutta:tableau=" + name; }

class ExplicitPairs : public testing::TestWithParam<const char*> {};

// The transient of Prothero and Robinson's problem is over at once; its solution would bear steps of any size.
TEST_P(ExplicitPairs, SayThatAProblemIsStiff) {
  const Json record = record_of_run(
      {{"problem", "prothero-robinson:rate=-10000"}, {"method", pair(GetParam())}, {"rtol", "1e-6"}, {"t_end", 1}});
  EXPECT_EQ(record["status"], "ok");
  ASSERT_THAT(kinds_of_warnings(record), Contains("stiff"));
  EXPECT_THAT(record["warnings"].back()["text"].get<std::string>(), HasSubstr("stability limits the steps"));
}

// Steps enough to be looked at several times.
TEST_P(ExplicitPairs, AreSilentWhereAccuracyLimitsTheSteps) {
  const Json record = record_of_run({{"problem", "pendulum"},
                                     {"formulation", "index-1"},
                                     {"method", pair(GetParam())},
                                     {"rtol", "1e-9"},
                                     {"t_end", 100}});
  EXPECT_EQ(record["status"], "ok");
  EXPECT_GT(record["stats"]["steps"].get<long>(), 1000);
  EXPECT_THAT(kinds_of_warnings(record), Not(Contains("stiff")));
}

INSTANTIATE_TEST_SUITE_P(Catalogue, ExplicitPairs,
                         testing::Values("bogacki-shampine", "fehlberg-45", "cash-karp", "dormand-prince", "dverk",
                                         "fehlberg-78", "verner-87", "extrapolation"),
                         [](const auto& info) { return test_name_of(info.param); });

// Fast dampers of a mechanism; on index 2 the watch works on accelerations of index 1.
TEST(StiffnessWatch, SpeaksForHalfExplicitMethodsToo) {
  const Json record = record_of_run({{"problem", "flyball-governor"},
                                     {"formulation", "index-2"},
                                     {"method", "half-explicit:order=5"},
                                     {"rtol", "1e-4"},
                                     {"t_end", 1}});
  EXPECT_EQ(record["status"], "ok");
  EXPECT_THAT(kinds_of_warnings(record), Contains("stiff"));
}

TEST(StiffnessWatch, NamesTheStepThatStabilityAllows) {
  const Json record = record_of_run({{"problem", "prothero-robinson:rate=-1000"},
                                     {"method", pair("dormand-prince")},
                                     {"rtol", "1e-4"},
                                     {"t_end", 5}});
  const std::string text = record["warnings"][0]["text"];
  EXPECT_THAT(text, HasSubstr("is 3.3 over 1.20e+03"));  // the radius is an upper bound: 1.2 times 1000
}

// More than 1E14 steps of 1.5E-3 to t = 1E11: known after 100 000.
TEST(StiffnessWatch, EndsARunThatCannotArrive) {
  const Json record = record_of_run({{"problem", "robertson"}, {"method", pair("dormand-prince")}, {"rtol", "1e-6"}});
  EXPECT_EQ(record["status"], "step-limit");
  EXPECT_THAT(record["cause"].get<std::string>(), HasSubstr("stability limits them"));
  EXPECT_THAT(kinds_of_warnings(record), ElementsAre("stiff"));
  EXPECT_LE(record["stats"]["steps"].get<long>(), 100'000);
}

// Two evaluations of the power iteration a step at least, at every 500th step: of a linear oscillator it settles at
// once.
TEST(StiffnessWatch, CostsLessThanAHundredthOfTheEvaluations) {
  OdeSystem<double> ode = forced_oscillator<double>();
  const auto stepper = Registry<Method>::instance().make(pair("dormand-prince"), "")->stepper(ode, {});
  stepper->control({1e-12, 1e-12, 1e-12});
  State<double> state = start_state<double>(ode, Vector<double>::Unit(2, 0));
  ASSERT_TRUE(integrate_adaptive<double>(*stepper, state, 50, 0, {}).ok());
  const Statistics& s = stepper->statistics();
  ASSERT_GT(s.steps, 1000);  // two estimates and more
  EXPECT_GT(s.residuals, 6 * (s.steps + s.rejected));
  EXPECT_LT(s.residuals, 6.06 * (s.steps + s.rejected));  // a hundredth more
  EXPECT_THAT(stepper->warnings(), IsEmpty());
}

}  // namespace TEST_FILE
}  // namespace daelab
