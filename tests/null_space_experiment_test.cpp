// The experiment null-space: the projected equations of the pendulum, where everything is known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/solvers/null_space.hpp"
#include "tests/experiment_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

Json spec(const std::string& problem) {
  return {{"problem", problem}, {"method", "local-trapezoidal"}, {"h", "1/100"}, {"t_end", "1"}, {"sample_every", "1"}};
}

Json sample(double x, double y) {
  return {{"t", 0}, {"q", {x, y}}, {"v", {-y, x}}, {"a", Json::array()}, {"lambda", Json::array()}};
}

Evaluation evaluate(const Json& record) {
  HandMadeRuns runs;
  runs.add("", "run", record);
  return runs.evaluate("null-space");
}

// M = E and C_q = (x, y) of length 1. V = (-y, x) of QR makes [V^T; C_q] orthogonal; V of elimination at (3/5, -4/5) is
// (1, 3/4), of length 5/4. The eigenvalues of [E C_q^T; C_q 0] are 1 and (1 +- sqrt 5)/2.
// Bounds are round-off of values near one.
TEST(NullSpaceExperiment, KnowsThePendulum) {
  const Evaluation evaluation = evaluate({{"spec", spec("pendulum")}, {"samples", {sample(0, -1), sample(0.6, -0.8)}}});
  const Json& series = evaluation.analysis["series"][0];
  EXPECT_EQ(series["samples"], 2);
  EXPECT_NEAR(series["saddle_condition"], (3 + std::sqrt(5.0)) / 2, 1e-14);
  EXPECT_NEAR(series["bases"]["qr"]["condition"], 1, 1e-14);
  EXPECT_NEAR(series["bases"]["gauss"]["condition"], 1.25, 1e-14);
  // M = E: [V^T; C_q] is the same matrix.
  EXPECT_NEAR(series["bases"]["qr"]["without_mass"], 1, 1e-14);
  EXPECT_NEAR(series["bases"]["gauss"]["without_mass"], 1.25, 1e-14);
  // (1, 0) at the bottom, (1, 3/4) beside it.
  EXPECT_EQ(series["bases"]["gauss"]["nonzero_share"], 0.75);
  for (const char* basis : {"qr", "gauss"})
    for (const char* defect : {"outside", "orthogonality", "accelerations"})
      EXPECT_LT(series["bases"][basis][defect], 1e-15) << basis << " " << defect;
  EXPECT_EQ(evaluation.artifacts.tables[0].rows.size(), 2u);
}

// The number a user reads off: 2 m^2 (n - m/3) + 2 m (n - m) (2n - m) = 448/3 + 128 and m n (2m - 1).
TEST(NullSpaceExperiment, CountsTheOperationsOfBothBases) {
  EXPECT_NEAR(null_space_flops(NullSpaceBasis::orthogonal, 4, 6), 448.0 / 3 + 128, 1e-12);
  EXPECT_EQ(null_space_flops(NullSpaceBasis::elimination, 4, 6), 168);
}

TEST(NullSpaceExperiment, RefusesMoreConstraintsThanCoordinates) {
  HandMadeRuns runs;
  Json boat = spec("rowing-boat");
  boat["method"] = "runge-kutta";
  runs.add("", "boat", {{"spec", boat}});
  EXPECT_THAT(input_error_of([&] { runs.evaluate("null-space"); }),
              HasSubstr("boat: 6 constraints leave 5 coordinates no null space"));
}

TEST(NullSpaceExperiment, NeedsSamples) {
  Json without = spec("pendulum");
  without.erase("sample_every");
  HandMadeRuns runs;
  runs.add("", "run", {{"spec", without}});
  EXPECT_THAT(input_error_of([&] { runs.evaluate("null-space"); }), HasSubstr("stores no samples"));
}

}  // namespace TEST_FILE
}  // namespace daelab
