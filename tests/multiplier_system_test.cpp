// The experiment multiplier-system: A = C_q M^-1 C_q^T along samples whose A is known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/experiment_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

Evaluation evaluate(const std::vector<Json>& records, const Json& options = Json::object()) {
  HandMadeRuns runs;
  for (const Json& record : records) runs.add("", fmt::format("run {}", runs.list.size() + 1), record);
  return runs.evaluate("multiplier-system", options);
}

Json boat_spec(const std::string& solver, const std::string& t_end) {
  return {{"problem", "rowing-boat"},
          {"method", "runge-kutta"},
          {"h", "1e-3"},
          {"t_end", t_end},
          {"formulation", "baumgarte:velocity_gain=10,position_gain=10000"},
          {"multiplier_solver", solver},
          {"sample_every", "1/100"}};
}

// The boat with r0 = 1/2, r_h = 1: D = sqrt(3)/2.
const double D = std::sqrt(3.0) / 2;

// Coordinates on the constraints: sin(alpha) = r0/r_h cos(beta), tan(gamma2) = r0/D sin(beta). [Iv23, sec. 4]
Json boat_q(double beta) {
  const double alpha = std::asin(std::cos(beta) / 2), gamma = std::atan(std::sin(beta) / (2 * D));
  return {beta, gamma, alpha, -gamma, alpha};
}

// The null vectors of A turn with the crank: w2 = (r0 sin(beta), -D, -r0 cos(beta), 0, 0, 0)/r_h and its mirror image.
Vector<double> null_vector(double beta) {
  return Vector<double>{{std::sin(beta) / 2, -D, -std::cos(beta) / 2, 0, 0, 0}};
}

// A turn of the crank at constant rate 1, with multipliers given by `lambda`.
template <class F>
Json turning_boat(F lambda) {
  Json samples = Json::array();
  for (int i = 0; i <= 100; ++i) {
    const double beta = 2 * std::numbers::pi * i / 100;
    const Vector<double> x = lambda(beta);
    samples.push_back({{"t", beta},
                       {"q", boat_q(beta)},
                       {"v", Json::array()},
                       {"a", Json::array()},
                       {"lambda", std::vector<double>(x.begin(), x.end())}});
  }
  return {{"spec", boat_spec("complete-orthogonal", "1")}, {"status", "ok"}, {"cause", ""}, {"samples", samples}};
}

// Eigenvalues of order one, to round-off.
TEST(MultiplierSystem, BoatIsIsospectral) {
  const Json series = evaluate({turning_boat(null_vector)}).analysis["series"][0];
  EXPECT_EQ(series["rank"], 4);
  const double expected[] = {15.0 / 26, 1.0 / 13, 1.0 / 13, 1.0 / 13, 0, 0};
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(series["spectrum"]["start"][i], expected[i], 1e-14);
  EXPECT_LT(series["spectrum"]["largest_deviation"], 1e-14);
}

// Round-off of cosines and angles: measured 4e-16.
// cos = (D^2 + r0^2 cos(beta))/r_h^2, least at beta = pi: 1/2.
TEST(MultiplierSystem, BoatRangeTurnsBySixtyDegrees) {
  const Json series = evaluate({turning_boat(null_vector)}).analysis["series"][0];
  EXPECT_NEAR(series["smallest_cosine"], 0.5, 1e-13);
  EXPECT_NEAR(series["turned"]["at_q"][0], std::numbers::pi, 1e-12);
}

// With unit vectors a = -(cos(beta), 0, sin(beta)), a' and w = w2 per oar, J A = 1 - w w^T + 13/2 a a^T on mirror
// symmetric vectors and 1 - w w^T on the others. As w' = -r0 a and a' w = r0, the derivative of J A has the eigenvalues
// +-|13/2 a' + r0 w| = +-sqrt(45.75) and +-r0. A chord is shorter than its arc by less than (2 pi/100)^2 / 6.
TEST(MultiplierSystem, BoatChangesAreTracelessAndIndefinite) {
  const Json difference = evaluate({turning_boat(null_vector)}).analysis["series"][0]["difference"];
  EXPECT_NEAR(difference["norm_per_h"].get<double>() / std::sqrt(45.75), 1, 7e-4);
  EXPECT_LT(difference["trace"], 1e-12);  // round-off: measured 6e-15
  for (const char* sign : {"positive", "negative"}) {
    EXPECT_EQ(difference[sign]["least"], 2) << sign;
    EXPECT_EQ(difference[sign]["most"], 2) << sign;
  }
}

// Bounds are round-off: samples lie where the lengths are exact.
// A part in the range of A of length 1 and one along a null vector of length up to 3/4: 3, 4, 5.
TEST(MultiplierSystem, LengthIsComparedWithThePartInTheRange) {
  const auto lambda = [](double beta) -> Vector<double> {
    const Vector<double> inside{{std::cos(beta), 0, std::sin(beta), 0, 0, 0}};
    return inside + 0.75 * std::abs(std::sin(beta)) * null_vector(beta);
  };
  const Evaluation evaluation = evaluate({turning_boat(lambda)}, {{"coordinate", "q1"}});
  const Json& series = evaluation.analysis["series"][0];
  EXPECT_NEAR(series["gap"]["max"], 0.75, 1e-12);
  EXPECT_NEAR(series["ratio"]["max"], 1.25, 1e-12);
  EXPECT_NEAR(std::abs(std::sin(series["ratio"]["at_t"].get<double>())), 1, 1e-12);
  const Panel& panel = evaluation.artifacts.figures[1].panels[0];
  EXPECT_EQ(panel.series[0].x.size(), 101u);
  EXPECT_NEAR(panel.series[0].x.back(), 2 * std::numbers::pi, 1e-12);
}

// The oblique solutions of the literal iteration: twice as long as necessary, sqrt(3) away, where the crank points
// down; a solver that factorises does not do that. [Iv23, (11)]
// The most is taken of samples 1/100 s apart, and the iteration stops at 1e-4; bounds of 1e-13 are round-off.
TEST(MultiplierSystem, PaperIterationDoublesTheLengthOfTheBoatsMultipliers) {
  std::vector<Json> records;
  for (const char* solver : {"sr1-paper:eps_abs=1e-4", "complete-orthogonal"})
    records.push_back(Run::bind(boat_spec(solver, "3"), "")->execute().record);
  const Evaluation evaluation = evaluate(records);
  const Json& series = evaluation.analysis["series"];
  ASSERT_EQ(series[0]["status"], "ok");
  EXPECT_NEAR(series[0]["ratio"]["max"], 2, 1e-3);
  EXPECT_NEAR(series[0]["ratio"]["at_q"][0], std::numbers::pi, 0.05);
  EXPECT_NEAR(series[0]["gap"]["max"], std::sqrt(3.0), 1e-3);
  EXPECT_NEAR(series[1]["ratio"]["max"], 1, 1e-13);
  EXPECT_LT(series[1]["gap"]["max"], 1e-13);
  for (const Json& run : series) EXPECT_LT(run["spectrum"]["largest_deviation"], 1e-13);
  const std::vector<Figure>& figures = evaluation.artifacts.figures;
  EXPECT_EQ(figures[0].panels.size(), 1u);            // one motion
  EXPECT_EQ(figures[1].panels[0].series.size(), 2u);  // two solvers
  EXPECT_EQ(figures[2].panels[0].series.size(), 1u);
}

// Bounds are round-off: measured 1e-15.
// Independent constraints: the range is the whole space and lambda unique.
TEST(MultiplierSystem, IndependentConstraintsHaveNothingToTurn) {
  const auto run = Run::bind({{"problem", "two-link-manipulator"},
                              {"method", "runge-kutta"},
                              {"h", "1/128"},
                              {"t_end", "1/8"},
                              {"sample_every", "1/64"}},
                             "");
  const Evaluation evaluation = evaluate({run->execute().record});
  const Json& series = evaluation.analysis["series"][0];
  EXPECT_EQ(series["rank"], 4);
  EXPECT_EQ(series["samples"], 9);
  EXPECT_NEAR(series["smallest_cosine"], 1, 1e-13);
  EXPECT_NEAR(series["ratio"]["max"], 1, 1e-13);
  EXPECT_LT(series["gap"]["max"], 1e-13);
  EXPECT_EQ(evaluation.artifacts.tables[0].rows.size(), 4u);
  EXPECT_EQ(evaluation.artifacts.figures.size(), 3u);
}

// Bounds are round-off: measured 1.1e-16.
// A = G_v M^-1 G_v^T = (sin^2 + cos^2)/m on the knife edge, whichever way it points.
TEST(MultiplierSystem, NonholonomicConstraintsAreRowsOfIt) {
  const auto run = Run::bind({{"problem", "knife-edge:mass=2"},
                              {"method", "runge-kutta"},
                              {"h", "1/64"},
                              {"t_end", "1"},
                              {"sample_every", "1/4"}},
                             "");
  const Json series = evaluate({run->execute().record}).analysis["series"][0];
  EXPECT_EQ(series["rank"], 1);
  EXPECT_NEAR(series["spectrum"]["start"][0], 0.5, 1e-15);
  EXPECT_LT(series["spectrum"]["largest_deviation"], 1e-15);
  EXPECT_LT(series["gap"]["max"], 1e-13);
}

TEST(MultiplierSystem, RunWithoutSamplesStaysWithItsStatus) {
  Json failed = turning_boat(null_vector);
  failed["status"] = "singular", failed["cause"] = "no start", failed["samples"] = Json::array();
  const Evaluation evaluation = evaluate({failed});
  const Table& table = evaluation.artifacts.tables[1];
  EXPECT_EQ(table.rows[0].size(), table.columns.size());
  EXPECT_EQ(table.rows[0].back(), "singular");
  EXPECT_EQ(evaluation.analysis["series"][0]["status"], "singular");
  EXPECT_TRUE(evaluation.artifacts.figures.empty());
}

TEST(MultiplierSystem, RefusesWhatItCannotHave) {
  Json record = turning_boat(null_vector);
  const auto message = [&](const Json& options) { return input_error_of([&] { evaluate({record}, options); }); };
  EXPECT_THAT(message({{"coordinate", "beta"}}), HasSubstr("must be t, or a coordinate such as q1"));
  EXPECT_THAT(message({{"coordinate", "q0"}}), HasSubstr("must be t"));
  EXPECT_THAT(message({{"coordinate", "q6"}}), HasSubstr("has 5 coordinates"));
  record["spec"]["sample_every"] = nullptr;
  EXPECT_THAT(message(Json::object()), HasSubstr("stores no samples"));
}

}  // namespace TEST_FILE
}  // namespace daelab
