// Ordinary differential equations from the command line: solve, start, and experiments on them.
#include "tests/cli_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

const Arguments stiff{"solve", "--problem", "prothero-robinson", "--method", "radau-iia", "--h", "0.1"};

TEST_F(Cli, OdeRecordsHaveYInPlaceOfTheMotion) {
  const Json run = json_of(with(stiff, {"--json"}));
  EXPECT_EQ(run["formulation"], "ode");
  EXPECT_EQ(run["status"], "ok");
  ASSERT_EQ(run["y"].size(), 1u);
  EXPECT_NEAR(run["y"][0].get<double>(), std::sin(10.0), 1e-10);  // measured 6e-12
  for (const char* key : {"q", "v", "a", "lambda"}) EXPECT_FALSE(run.contains(key)) << key;
  for (const auto& [key, value] : run["max"].items()) EXPECT_TRUE(value.is_null()) << key;
  EXPECT_LT(run["error"]["y"].get<double>(), 1e-10);  // the same
  EXPECT_GE(run["error"]["digits_trusted"], 25);      // measured 27
  EXPECT_THAT(run["error"]["reference"].get<std::string>(), HasSubstr("closed form"));
  EXPECT_GT(run["stats"]["jacobians"], 0);
  EXPECT_EQ(run["multipliers"]["solves"], 0);
}

// The text says what the JSON says, and nothing of constraints and multipliers.
TEST_F(Cli, OdeSummaryPrintsY) {
  const std::string text = daelab_ok(stiff).out;
  EXPECT_THAT(text, HasSubstr("status ok\nt = 10\ny1 = -0.544021110"));
  EXPECT_THAT(text, testing::Not(HasSubstr("position_constraint")));
  EXPECT_THAT(text, testing::Not(HasSubstr("multipliers")));
}

#ifndef DAELAB_DOUBLE_ONLY
// No parameters but those of the end time: errors from the closed form, without a file.
TEST_F(Cli, OdeClosedFormsNeedNoStoredReference) {
  const Json run = json_of({"solve", "--problem", "prothero-robinson:rate=-7,phi=exp", "--method", "gauss:s=5", "--h",
                            "1/100", "--t-end", "1/3", "--scalar", "real50", "--json"});
  EXPECT_LT(run["error"]["y"].get<double>(), 1e-24);  // order 10 of h = 1/100 is 1e-20 times its constant
  EXPECT_EQ(run["y"][0].get<std::string>().substr(0, 22), "0.71653131057378925042");  // exp(-1/3)
}
#endif

TEST_F(Cli, OdeExplicitMethodsFactoriseNothing) {
  const Json run = json_of({"solve", "--problem", "van-der-pol:mu=1", "--method", "runge-kutta:tableau=dormand-prince",
                            "--rtol", "1e-8", "--t-end", "10", "--json"});
  EXPECT_GT(run["stats"]["residuals"], 100);  // measured 1200
  EXPECT_EQ(run["stats"]["factorizations"], 0);
  EXPECT_EQ(run["stats"]["back_solves"], 0);
}

// For the scaled form it is in units of mu.
TEST_F(Cli, OdeEndTimeFollowsTheForm) {
  for (const auto& [form, end] : {std::pair{"oscillator", 2000.0}, std::pair{"scaled", 2.0}}) {
    const Json run = json_of({"solve", "--problem", std::string("van-der-pol:form=") + form, "--method", "radau-iia",
                              "--rtol", "1e-7", "--json"});
    EXPECT_EQ(run["t"], end);
    EXPECT_LT(run["error"]["y"].get<double>(), 1e-7) << form;  // the tolerance: measured 3e-9
  }
}

// What is in the states is not what circuits are read by.
TEST_F(Cli, OdeTrajectoriesHaveObservables) {
  daelab_ok({"solve", "--problem", "transistor-amplifier", "--method", "radau-iia", "--rtol", "1e-6", "--t-end", "1e-3",
             "--trajectory", "path.csv"});
  EXPECT_THAT(read(folder / "path.csv"),
              testing::StartsWith(
                  "t,U12,y2,U45,y4,U78,y6,y7,y8,U1,U2,U3,U4,U5,U6,U7,U8\n0,-3,3,3,3,6,3,3,0,0,3,3,6,3,3,6,0\n"));
}

TEST_F(Cli, OdeTrajectoriesAndSamples) {
  daelab_ok(with({"solve", "--problem", "van-der-pol:mu=1", "--method", "radau-iia", "--h", "0.1", "--t-end", "1"},
                 {"--trajectory", "path.csv"}));
  const std::string text = read(folder / "path.csv");
  EXPECT_THAT(text, testing::StartsWith("t,y1,y2\n0,2,0\n"));
  EXPECT_EQ(lines(folder / "path.csv"), 1 + 11);
}

TEST_F(Cli, OdeRefusesWhatBelongsToMechanisms) {
  expect_refused(
      with(stiff, {"--formulation", "index-1"}),
      {"--formulation: index-1 is a formulation of mechanical systems", "ordinary differential equation: choose ode"});
  expect_refused(with(pendulum, {"--formulation", "ode"}),
                 {"--formulation: ode is the form of ordinary differential equations", "index-1, index-2, index-3"});
  expect_refused(with(stiff, {"--start", "zero-acceleration"}), {"--start: zero-acceleration applies to mechanisms"});
  expect_refused({"start", "--problem", "van-der-pol"},
                 {"--problem: van-der-pol is an ordinary differential equation"});
  const Json run =
      json_of({"solve", "--problem", "van-der-pol:mu=1", "--method", "generalized-alpha", "--h", "0.1", "--json"}, 1);
  EXPECT_EQ(run["status"], "not-applicable");
  EXPECT_THAT(run["cause"].get<std::string>(), HasSubstr("second-order"));
}

// ---------------------------------------------------------------- experiments

TEST_F(Cli, OdeConvergenceHasOrdersOfY) {
  write(folder / "config.json", R"({"name": "t", "experiment": "convergence", "runs": {"problem": "linear-test",
    "method": ["radau-iia:s=2", "runge-kutta"], "h": ["1/10", "1/20", "1/40", "1/80"], "t_end": "1"}})");
  daelab_ok({"run", "config.json"});
  const Json result = Json::parse(read(folder / "out/t/result.json"));
  const std::string text = result.dump();
  EXPECT_THAT(text, HasSubstr("\"y\""));
  EXPECT_THAT(text, testing::Not(HasSubstr("\"lambda\"")));
}

TEST_F(Cli, OdeWorkPrecisionCountsDigitsOfY) {
  write(folder / "config.json", R"({"name": "t", "experiment": "work-precision", "runs": {"problem": "linear-test",
    "method": ["radau-iia", "bdf"], "rtol": [1e-4, 1e-6], "t_end": "1"}})");
  daelab_ok({"run", "config.json"});
  EXPECT_THAT(read(folder / "out/t/report/t/t-runs.md"),
              HasSubstr("scd: significant correct digits of y; mescd: those of the mixed errors of y"));
}

TEST_F(Cli, OdeTrajectoriesDrawComponents) {
  const auto config = [](const char* component) {
    return std::string(R"({"name": "t", "experiment": "trajectories", "runs": {"problem": "van-der-pol:mu=1", "method":
      "radau-iia", "h": "1/10", "t_end": "1", "sample_every": "1/4"}, "figures": [{"id": "f", "panels": [{"components":
      [")") +
           component + R"("], "y_label": "y"}]}]})";
  };
  write(folder / "config.json", config("y2"));
  daelab_ok({"run", "config.json", "--out", "good"});
  expect_config_refused(config("y3"), {"/figures/0/panels/0/components: there is no y3: y has 2 components"});
  expect_config_refused(config("q1"), {"there is no q1: the state of an ordinary differential equation is y"});
}

TEST_F(Cli, OdeExperimentsRefuseWhatIsNotMeaningful) {
  expect_config_refused(
      R"({"name": "t", "experiment": "drift", "runs": {"problem": "van-der-pol", "method": "radau-iia",
    "h": 1}})",
      {"/runs: run", "is an ordinary differential equation", "neither constraints nor an energy"});
  expect_config_refused(
      R"({"name": "t", "experiment": "work-precision", "runs": {"problem": ["pendulum", "linear-test"],
    "method": "radau-iia", "rtol": 1e-4, "t_end": "1"}})",
      {"/runs", "put them in two configs"});
}

}  // namespace TEST_FILE
}  // namespace daelab
