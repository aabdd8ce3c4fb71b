// Error control down to the round-off of double: corrections of Newton's method that constraints keep from shrinking
// are no failure, and a run that round-off stops says so. Where more steps are taken than by other methods, theory says
// how many.
#include <gmock/gmock.h>

#include <cmath>

#include "lab/runs/run.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AnyOf;
using testing::ElementsAre;
using testing::HasSubstr;

Json run_of(const std::string& problem, const std::string& formulation, const std::string& method,
            const std::string& rtol) {
  const Json spec = {{"problem", problem}, {"formulation", formulation}, {"method", method}, {"rtol", rtol}};
  return Run::bind(spec, "")->execute().record;
}
double error_of(const Json& record) { return record["error"]["q"].get<double>(); }
double steps_of(const Json& record) { return record["stats"]["steps"].get<double>(); }

struct TightCase {
  const char *formulation, *method, *rtol;
  double error;
  friend void PrintTo(const TightCase& c, std::ostream* out) {
    *out << c.formulation << ", " << c.method << ", " << c.rtol;
  }
};
class TightTolerance : public testing::TestWithParam<TightCase> {};

// Velocities of the seven-body mechanism reach 1400 rad/s in some coordinates and stay near 1 in others, which the
// constraints give the round-off of the large ones. Each of these ended with step-too-small. Bounds: about ten
// times the error measured (1e-13 to 8e-9), which follows rounding; angles are up to 16.
TEST_P(TightTolerance, IsReached) {
  const TightCase& c = GetParam();
  const Json record = run_of("seven-body", c.formulation, c.method, c.rtol);
  ASSERT_EQ(record["status"], "ok") << record["cause"];
  EXPECT_EQ(record["stats"]["failed"], 0) << "no iteration fails";
  EXPECT_LT(error_of(record), c.error);
}
INSTANTIATE_TEST_SUITE_P(StabilisedIndexTwo, TightTolerance,
                         testing::Values(TightCase{"ggl", "radau-iia:s=3", "1e-11", 1e-10},
                                         TightCase{"ggl", "radau-iia:s=5", "1e-12", 1e-12},
                                         TightCase{"ggl", "radau-iia:s=7", "1e-13", 1e-12},
                                         TightCase{"ggl", "pade-block:r=5", "1e-12", 8e-12},
                                         TightCase{"ggl", "lobatto-iiic:s=5", "1e-12", 8e-12},
                                         TightCase{"ggl", "bdf", "1e-12", 4e-9},
                                         TightCase{"ggl", "kvaerno-4", "1e-12", 2e-10},
                                         TightCase{"index-2", "radau-iia:s=5", "1e-13", 1e-12},
                                         TightCase{"index-2", "pade-block:r=6", "1e-13", 1e-12}));
INSTANTIATE_TEST_SUITE_P(IndexThree, TightTolerance,
                         testing::Values(TightCase{"index-3", "radau-iia:s=5", "1e-12", 2e-11},
                                         TightCase{"index-3", "radau-iia:s=6", "1e-10", 2e-11},
                                         TightCase{"index-3", "radau-iia:s=7", "1e-6", 1e-7},
                                         TightCase{"index-3", "radau-iia:s=7", "1e-10", 1e-11},
                                         TightCase{"index-3", "pade-block:r=5", "1e-10", 5e-8},
                                         TightCase{"index-3", "pade-block:r=6", "1e-9", 2e-8}));

// From 1e-10 to 1e-12 the estimate, of order h^6, asks for 100^(1/6) times as many steps, and for no more.
TEST(TightTolerance, TakesTheStepsOfItsOrder) {
  const Json coarse = run_of("seven-body", "ggl", "radau-iia:s=5", "1e-10"),
             fine = run_of("seven-body", "ggl", "radau-iia:s=5", "1e-12");
  // Measured 0.165.
  EXPECT_NEAR(std::log10(steps_of(fine) / steps_of(coarse)) / 2, 1.0 / 6, 0.02);
}

// Seven stages were left out from 4e-12 on, five from 1.2e-12: 7600 steps of three.
TEST(TightTolerance, IsNoReasonForFewStages) {
  const Json record = run_of("seven-body", "ggl", "radau-iia:s=auto", "1e-12");
  EXPECT_EQ(record["status"], "ok");
  EXPECT_LT(steps_of(record), 400);    // seven stages take 178, measured 176
  EXPECT_LT(error_of(record), 1e-12);  // measured 5.4e-14
}

// Errors of some tolerances that no step size makes smaller: the run says how much larger a tolerance it takes.
TEST(AccuracyFloorStatus, IsThatOfRunsWhichRoundOffStops) {
  for (const auto& [formulation, method, rtol] : {std::tuple("ggl", "radau-iia:s=5", "1e-14"),
                                                  {"index-3", "radau-iia:s=7", "1e-13"},
                                                  {"index-3", "pade-block:r=6", "1e-13"},
                                                  {"ggl", "radau-iia:s=auto", "1e-14"},
                                                  {"index-2", "bdf", "1e-13"}}) {
    SCOPED_TRACE(testing::Message() << formulation << " " << method);
    const Json record = run_of("seven-body", formulation, method, rtol);
    EXPECT_EQ(record["status"], "accuracy-floor");
    EXPECT_THAT(record["cause"].get<std::string>(), HasSubstr("round-off alone makes errors of"));
  }
}

// Discontinuities and singular positions stop runs, too, and are none.
TEST(AccuracyFloorStatus, IsNotThatOfSingularPositions) {
  const Json record = run_of("n-four-bar", "index-3", "radau-iia", "1e-8");
  EXPECT_THAT(record["status"].get<std::string>(), AnyOf("step-too-small", "newton-diverged", "singular"));
}

// The slope of the start beside others at s times makes an estimate of order h^(s + 1). Lobatto IIIC has them at s - 1
// times, since its first stage is the start, too: s = 3 takes steps as r^(1/3), Radau IIA as r^(1/4), and s = 4 takes
// those of Radau IIA.
TEST(LobattoSteps, AreThoseOfRadauWithOneStageLess) {
  const auto steps = [](const char* method, const char* rtol) {
    return steps_of(run_of("seven-body", "index-1", method, rtol));
  };
  const double lobatto = steps("lobatto-iiic:s=3", "1e-7"), radau = steps("radau-iia:s=3", "1e-7");
  // Measured 0.337 and 0.242.
  EXPECT_NEAR(std::log10(lobatto / steps("lobatto-iiic:s=3", "1e-4")) / 3, 1.0 / 3, 0.02);
  EXPECT_NEAR(std::log10(radau / steps("radau-iia:s=3", "1e-4")) / 3, 1.0 / 4, 0.02);
  EXPECT_NEAR(steps("lobatto-iiic:s=4", "1e-7") / radau, 1, 0.1);  // measured 1.053
}

// On ggl h |z| is tested, of order 2, and on index 3 h^2 |x|, of order 3: r^(-1/2) and r^(-1/3) steps for errors like r
// and r^(2/3). With as many steps ggl is no worse. [Ren20, (34), and after (39)]
TEST(GeneralizedAlphaSteps, AreMoreOnGglForSmallerErrors) {
  const Json ggl = run_of("seven-body", "ggl", "generalized-alpha", "1e-4"),
             index_3 = run_of("seven-body", "index-3", "generalized-alpha", "1e-7");
  EXPECT_LT(steps_of(ggl), steps_of(index_3));  // measured 1226, 1793
  EXPECT_LT(error_of(ggl), error_of(index_3));  // measured 2.2e-4, 3.2e-4
}

// What looks like digits that stand still is order 2 from r^(-1/3) steps, and errors that cancel at 1e-4.
TEST(GeneralizedAlphaSteps, HaveTheErrorsOfOrderTwo) {
  for (const char* rtol : {"1e-6", "1e-7", "1e-8"}) {
    const Json record = run_of("seven-body", "index-3", "generalized-alpha", rtol);
    // 800 to 12800 equal steps leave 780 over the square of their number; measured 1530, 1030, 970.
    EXPECT_NEAR(error_of(record) * std::pow(steps_of(record), 2), 1200, 600) << rtol;
  }
}

}  // namespace TEST_FILE
}  // namespace daelab
