// The verb start, and kinematic analysis from the command line.
// Bounds of 1e-12 and less are round-off.
#include "tests/cli_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

TEST_F(Cli, StartReportsRedundantConstraints) {
  const Json boat = json_of({"start", "--problem", "rowing-boat", "--json"});
  EXPECT_EQ(boat["status"], "ok");
  EXPECT_EQ(boat["constraints"], 6);
  EXPECT_EQ(boat["rank"], 4);
  EXPECT_EQ(boat["rank_tolerance"], 1e-9);
  EXPECT_EQ(boat["independent_rows"].size(), 4u);
  EXPECT_EQ(boat["redundant_rows"].size(), 2u);
  EXPECT_EQ(boat["degrees_of_freedom"], 1);
  EXPECT_EQ(boat["singular"]["is_singular"], false);
  EXPECT_EQ(boat["singular"]["nearby_rank"], 4);
  EXPECT_EQ(boat["reaction"].size(), 5u);
  EXPECT_THAT(boat["notes"].dump(), HasSubstr("lambda is not unique"));
}

TEST_F(Cli, StartTrustsWhatItIsToldTo) {
  const Arguments start{"start", "--problem", "pendulum", "--q", "0.675,1.2", "--json"};
  const Json weighted = json_of(with(start, {"--weights-q", "4,1"}));
  EXPECT_NEAR(weighted["q"][0].get<double>(), 0.6, 1e-14);
  EXPECT_NEAR(weighted["q"][1].get<double>(), 0.8, 1e-14);
  EXPECT_NEAR(weighted["correction"].get<double>(), 0.4, 1e-14);
  EXPECT_EQ(weighted["weights"], Json::parse(R"({"q": [4.0, 1.0], "v": [1.0, 1.0]})"));
  const Json fixed = json_of(with(start, {"--fix", "q1,v2"}));
  EXPECT_NEAR(fixed["q"][0].get<double>() / 0.675, 1, 1e-6);  // moves by 1e-6 of the rest
  EXPECT_EQ(fixed["weights"], Json::parse(R"({"q": [1e6, 1.0], "v": [1.0, 1e6]})"));
}

// G = x' sin(theta) - y' cos(theta) with theta = 0.
TEST_F(Cli, StartNamesTheRowsViolatedAndProjects) {
  const Json skate = json_of({"start", "--problem", "knife-edge", "--v", "3,1/2,2", "--json"});
  EXPECT_EQ(skate["violations"], Json::parse(R"([{"row": 1, "level": "velocity", "residual": 0.5}])"));
  EXPECT_EQ(skate["projected"], true);
  EXPECT_EQ(skate["v"], Json::parse("[3.0, 0.0, 2.0]"));
  const Json pendulum = json_of({"start", "--problem", "pendulum", "--q", "3,4", "--json"});
  EXPECT_EQ(pendulum["violations"][0]["level"], "position");
  EXPECT_EQ(json_of({"start", "--problem", "rolling-disc", "--json"})["violations"].size(), 0u);
}

TEST_F(Cli, StartPrintsStatesAndTheirIndex) {
  const std::string text = daelab_ok({"start", "--problem", "jay", "--y", "y1=1.1"}).out;
  EXPECT_THAT(text, testing::HasSubstr("its start, projected"));
  EXPECT_THAT(text, testing::ContainsRegex("index +3"));
  EXPECT_THAT(text, testing::ContainsRegex("0.22 of the first derivative of the equation of u"));
  EXPECT_THAT(text, testing::HasSubstr("largest correction"));
}

// Jay's problem at y1 = 1.1 and ones: y1 y2^2 - 1 = 0.1, and its derivative 2 y1 z1 z2 - 2 y1^2 z2^2 = -0.22.
TEST_F(Cli, StartMovesStatesOntoHiddenConstraints) {
  const Json moved = json_of({"start", "--problem", "jay", "--y", "y1=1.1", "--json"});
  EXPECT_EQ(moved["index"], 3);
  EXPECT_EQ(moved["hidden_constraints"][1]["constraint"], "the first derivative of the equation of u");
  EXPECT_NEAR(moved["hidden_constraints"][0]["residual"].get<double>(), 0.1, 1e-15);
  EXPECT_NEAR(moved["hidden_constraints"][1]["residual"].get<double>(), 0.22, 1e-15);
  EXPECT_EQ(moved["projected"], true);
  const auto y = [&](std::size_t i) { return moved["y"][i].get<double>(); };
  EXPECT_NEAR(y(0) * y(1) * y(1), 1, 1e-14);
  const Json own = json_of({"start", "--problem", "jay", "--json"});
  EXPECT_EQ(own["projected"], false);
  EXPECT_EQ(own["ydot"], Json::parse("[2.0, -1.0, 2.0, -1.0, 0.0]"));
}

TEST_F(Cli, StartFailsWithItsCause) {
  const Json centre = json_of({"start", "--problem", "pendulum", "--q", "0,0", "--json"}, 1);
  EXPECT_EQ(centre["status"], "singular");
  EXPECT_THAT(centre["cause"].get<std::string>(), HasSubstr("no direction"));
  EXPECT_EQ(centre["projected"], false);
  EXPECT_EQ(centre["a"], Json());
  const Outcome text = daelab({"start", "--problem", "pendulum", "--q", "0,0"});
  EXPECT_EQ(text.code, 1);
  EXPECT_THAT(text.out, HasSubstr("no direction"));
}

TEST_F(Cli, StartRefusesBadValues) {
  const auto refused = [&](const Arguments& more, const std::vector<std::string>& parts) {
    expect_refused(with({"start", "--problem", "pendulum"}, more), parts);
  };
  refused({"--q", "1,2,3"}, {"--q: 3 values given, 2 needed"});
  refused({"--q", "1e400,0"}, {"--q: 1e400 is beyond the range of double"});
  refused({"--v", "1"}, {"--v: 1 values given, 2 needed"});
  refused({"--weights-q", "1"}, {"--weights-q: 1 values given, 2 needed"});
  refused({"--weights-q", "1,x"}, {"--weights-q: cannot read \"x\""});
  refused({"--weights-v", "1,-2"}, {"--weights-v: -2 is not allowed; allowed: above 0"});
  refused({"--fix", "q3"}, {"--fix: no 'q3'; did you mean 'q1'? (known: q1 to q2 (also x, y), v1 to v2 (also x', y')"});
  refused({"--fix", "z"}, {"--fix: no 'z'"});
  refused({"--q", "0.6,0.9", "--fix", "x,y"}, {"--fix: the fixed values leave the start over-determined"});
  refused({"--rank-tolerance", "0.1"}, {"--rank-tolerance: 0.1 is not allowed; allowed: above 0, at most 1e-6"});
}

// solve and start read the same values; solve takes an inconsistent start for a mistake.
TEST_F(Cli, SolveStartsFromValuesByName) {
  const Arguments solve{"solve", "--problem", "pendulum", "--method", "bdf",
                        "--h",   "0.01",      "--t-end",  "0.01",     "--json"};
  const Arguments values{"--q", "x=0.675,y=1.2", "--weights-q", "x=4"};  // as above: (0.6, 0.8)
  const Json run = json_of(with(with(solve, values), {"--samples", "0"}));
  EXPECT_NEAR(run["samples"][0]["q"][0].get<double>(), 0.6, 1e-14);
  EXPECT_NEAR(run["start"]["position_residual"].get<double>(), (0.675 * 0.675 + 1.44 - 1) / 2, 1e-14);
  expect_refused(with(solve, {"--q", "x=0.675"}), {"--start: the initial values violate the constraints: |C| = "});
  expect_refused(with(solve, {"--v", "z=1"}), {"--v: no 'z' (known: v1 to v2"});
  expect_refused(with(solve, {"--weights-v", "v1=0"}), {"--weights-v: 0 is not allowed"});
}

TEST_F(Cli, AtolTakesComponents) {
  const Arguments solve{"solve",   "--problem", "pendulum", "--method", "bdf",
                        "--t-end", "0.1",       "--rtol",   "1e-3",     "--json"};
  const auto steps = [&](const std::string& atol) {
    return json_of(with(solve, {"--atol", atol}))["stats"]["steps"].get<int>();
  };
  EXPECT_LT(steps("1e-3"), steps("1e-3,y=1e-9"));
  EXPECT_EQ(steps("y=1e-9,1e-3"), steps("1e-3,y=1e-9"));
  expect_refused(with(solve, {"--atol", "1e-3,z=1e-9"}), {"--atol: no 'z' (known: q1 to q2"});
  expect_refused(with(solve, {"--atol", "1e-3,1e-9"}), {"--atol: '1e-9' is a second tolerance for all components"});
  expect_refused(with(solve, {"--atol", "1e-3,q1=-1"}), {"--atol, entry q1: -1 is out of range"});
}

TEST_F(Cli, KinematicAnalysisOfADeterminedMotion) {
  const Json start = json_of({"start", "--problem", "driven-crank", "--json"});
  EXPECT_EQ(start["degrees_of_freedom"], 0);
  EXPECT_THAT(start["notes"].dump(), HasSubstr("determined by the constraints"));
  EXPECT_THAT(daelab_ok({"start", "--problem", "driven-crank"}).out, HasSubstr("note: the motion is determined"));

  const Json run = json_of({"solve", "--problem", "driven-crank", "--method", "kinematic", "--h", "0.05", "--t-end",
                            "1", "--json", "--trajectory", "crank.csv"});
  EXPECT_EQ(run["status"], "ok");
  // The motion is determined: no error but round-off, of derivatives of growing size.
  EXPECT_LT(run["error"]["q"].get<double>(), 1e-14);
  EXPECT_LT(run["error"]["v"].get<double>(), 1e-13);
  EXPECT_LT(run["error"]["a"].get<double>(), 1e-12);
  EXPECT_LT(run["error"]["lambda"].get<double>(), 1e-13);
  EXPECT_EQ(lines(folder / "crank.csv"), 22);
}

TEST_F(Cli, KinematicAnalysisOfAFreeMotionIsNotApplicable) {
  const Json run = json_of(with(two_link, {"--method", "kinematic", "--h", "0.05"}), 1);
  EXPECT_EQ(run["status"], "not-applicable");
  EXPECT_THAT(run["cause"].get<std::string>(), HasSubstr("as many independent constraints as coordinates"));
}

}  // namespace TEST_FILE
}  // namespace daelab
