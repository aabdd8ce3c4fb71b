// The experiment spectral-radius: records that claims point into, figures over h/T, refusals.
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "lab/runs/oscillator_run.hpp"
#include "tests/experiment_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

Json family() {
  return {{"experiment", "spectral-radius"},
          {"runs",
           {{{"method", {{"name", "generalized-alpha"}, {"rho", {"0", "1/2", "1"}}}}, {"points", 80}},
            {{"method", "newmark:beta=1/6"}, {"points", 80}},
            {{"method", "kinematic"}, {"points", 80}}}}};
}

std::vector<std::string> labels(const Json& panel) {
  std::vector<std::string> result;
  for (const Json& series : panel["series"]) result.push_back(series["label"]);
  return result;
}

TEST(SpectralRadiusExperiment, RecordsHoldWhatClaimsPointInto) {
  const SmallConfig config(family());
  const std::vector<Json> runs = config.runs();
  ASSERT_EQ(runs.size(), 5u);
  for (const Json& run : runs) {
    if (run["spec"]["method"]["name"] != "generalized-alpha") continue;
    const double rho = Exact(run["spec"]["method"]["rho"].get<std::string>()).as<double>();
    EXPECT_NEAR(run["rho_infinity"].get<double>(), rho, 1e-14);  // round-off
    EXPECT_TRUE(run["unconditionally_stable"]["holds"]);
    EXPECT_EQ(run["stability_limit"], "infinite");
    EXPECT_EQ(run["overshoot"]["velocity_power"], rho == 1 ? 0 : 1);
    EXPECT_EQ(run["curves"]["Omega"].size(), 80u);
    EXPECT_EQ(run["curves"]["Omega"][0], 0.01);
    EXPECT_TRUE(run["curves"]["period-error"][79].is_null());
  }
}

TEST(OscillatorRun, IsReadAsItWasWritten) {
  for (const char* method : {"generalized-alpha", "newmark:beta=1/6", "kinematic"}) {
    Json stored = OscillatorRun::bind({{"method", method}, {"points", 30}}, "")->execute().record;
    const auto record = stored.get<OscillatorRecord>();
    EXPECT_EQ(record.ok(), record.measures.has_value()) << method;
    stored.erase("spec");
    EXPECT_EQ(Json(record).dump(1), stored.dump(1));
  }
}

TEST(OscillatorRun, CountsItsPointsAsItsCost) {
  EXPECT_EQ(OscillatorRun::bind({{"method", "newmark"}, {"points", 30}}, "")->expected_cost(), 30);
}

TEST(SpectralRadiusExperiment, MethodsWithoutCoefficientsAreRecordedAndTheRestGoesOn) {
  const SmallConfig config(family());
  const Json series = config.analysis()["series"], rows = config.result()["tables"][0]["rows"];
  EXPECT_EQ(series[4]["status"], "not-applicable");
  EXPECT_THAT(series[4]["cause"].get<std::string>(), HasSubstr("integrates nothing"));
  EXPECT_EQ(rows[4][2], "not applicable");
  EXPECT_EQ(rows[1][2], "yes (exact)");
  EXPECT_EQ(rows[3][2], "no (exact)");
  EXPECT_NEAR(rows[3][3].get<double>(), 2 * std::sqrt(3.0), 1e-13);  // round-off: measured 9e-16
  EXPECT_EQ(rows[3][6], nullptr);                                    // it grows without bound
  EXPECT_EQ(series[3]["unconditionally_stable"]["holds"], false);
  EXPECT_TRUE(series[3]["curves"].contains("spectral-radius"));
  EXPECT_FALSE(series[4].contains("curves"));
}

TEST(SpectralRadiusExperiment, FiguresRunOverStepsPerPeriod) {
  const Json figures = SmallConfig(family()).result()["figures"];
  ASSERT_EQ(figures.size(), 3u);
  EXPECT_EQ(figures[0]["id"], "small-spectral-radius");
  EXPECT_THAT(labels(figures[0]["panels"][0]), testing::SizeIs(4));
  const Json radius = figures[0]["panels"][0]["series"][0], period = figures[1]["panels"][0]["series"][0];
  EXPECT_EQ(figures[0]["panels"][0]["y_range"], (Json{0.0, 1.5}));  // linear acceleration grows far above
  EXPECT_NEAR(radius["x"][0].get<double>(), 0.01 / (2 * std::numbers::pi), 1e-15);
  EXPECT_NEAR(radius["x"].back().get<double>(), 1e4 / (2 * std::numbers::pi), 1e-9);
  EXPECT_LE(period["x"].back().get<double>(), 0.4);  // measured 0.36: beyond, entries are null
}

TEST(SpectralRadiusExperiment, DrawsTheQuantitiesAskedForAndOrdersAsSlopes) {
  Json config = family();
  config["quantities"] = {"damping-ratio"};
  config["log"] = true;
  const Json figures = SmallConfig(config).result()["figures"];
  ASSERT_EQ(figures.size(), 1u);
  EXPECT_EQ(figures[0]["id"], "small-damping-ratio");
  EXPECT_EQ(figures[0]["panels"][0]["log_y"], true);
  EXPECT_THAT(labels(figures[0]["panels"][0]), testing::SizeIs(2));  // rho = 1 and the linear acceleration do not damp
}

std::string refusal(const char* pointer, const Json& value) {
  Json config = family();
  config[Json::json_pointer(pointer)] = value;
  return input_error_of([&] { SmallConfig{config}; });
}

TEST(SpectralRadiusExperiment, RefusesWhatItCannotDraw) {
  EXPECT_THAT(refusal("/quantities", {"periodic-error"}), HasSubstr("did you mean 'period-error'?"));
  EXPECT_THAT(refusal("/up_to", "3/4"), HasSubstr("/up_to"));
  EXPECT_THAT(refusal("/runs/1/to", "1/1000"), HasSubstr("/runs/1/to: 1/1000 does not lie above \"from\", 1/100"));
  EXPECT_THAT(refusal("/runs/1/method", "newmrk"), HasSubstr("did you mean 'newmark'?"));
  EXPECT_THAT(refusal("/runs/1/zeta", -1), HasSubstr("/runs/1/zeta"));
}

}  // namespace TEST_FILE
}  // namespace daelab
