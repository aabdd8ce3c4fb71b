// choose: the cheapest method and formulation of a problem; solve without a method; files without "@".
#include "core/base/json_file.hpp"
#include "tests/cli_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

class CliChoose : public Cli {};
class CliSolveDefaults : public Cli {};

TEST_F(CliChoose, FindsRunsThatReachTheDigits) {
  const Json choice = Json::parse(daelab_ok({"choose", "pendulum", "--digits", "6", "--json"}).out);
  ASSERT_GE(choice["reached"].size(), 3u);
  double before = 0;
  for (const Json& candidate : choice["reached"]) {
    EXPECT_GE(candidate["digits"].get<double>(), 6) << candidate.dump();
    EXPECT_GE(candidate["seconds"].get<double>(), before);
    before = candidate["seconds"].get<double>();
  }
}

// What it prints can be taken over as it is.
TEST_F(CliChoose, PrintsACommandThatReachesTheDigits) {
  const Json choice = Json::parse(daelab_ok({"choose", "pendulum", "--digits", "5", "--json"}).out);
  const std::string command = choice["reached"][0]["command"];
  ASSERT_THAT(command, testing::StartsWith("./daelab solve "));
  EXPECT_THAT(command, HasSubstr("--rtol"));
  EXPECT_THAT(daelab_ok({"choose", "pendulum", "--digits", "5"}).out,
              HasSubstr("./daelab solve pendulum --formulation"));
}

TEST_F(CliChoose, TakesOrdinaryEquationsAndOwnFiles) {
  const Json ode = Json::parse(daelab_ok({"choose", "van-der-pol", "--digits", "4", "--json"}).out);
  EXPECT_FALSE(ode["reached"].empty());
  const Json own =
      Json::parse(daelab_ok({"choose", source_path("/docs/examples/my_problem.json"), "--digits", "5", "--json"}).out);
  EXPECT_FALSE(own["reached"].empty());
  EXPECT_THAT(own["reference"].get<std::string>(), HasSubstr("radau-iia:s=5"));
}

TEST_F(CliChoose, QuotesWhatAShellWouldReadOtherwise) {
  write(folder / "my problem.json", read_json_file(source_path("/docs/examples/my_problem.json")).dump());
  EXPECT_THAT(daelab_ok({"choose", "my problem.json", "--digits", "4", "--t-end", "1/2"}).out,
              HasSubstr("./daelab solve 'my problem.json' --formulation"));
}

TEST_F(CliChoose, RefusesWhatCannotBeKnown) {
  expect_refused({"choose", "pendulm"}, {"no problem 'pendulm'", "did you mean 'pendulum'?"});
  expect_refused({"choose", "pendulum", "--digits", "14"}, {"--digits", "13"});
  expect_refused({"choose"}, {"PROBLEM is missing"});
}

TEST_F(CliSolveDefaults, TakesAProblemAlone) {
  const auto result = daelab_ok({"solve", "pendulum"});
  EXPECT_THAT(result.out, HasSubstr("radau-iia:s=3 (default)"));
  EXPECT_THAT(result.out, HasSubstr("rtol = 1e-6"));
}

TEST_F(CliSolveDefaults, SaysThatAMethodWithoutAnEstimateNeedsAStep) {
  expect_refused({"solve", "pendulum", "--method", "runge-kutta"}, {"--h is missing", "error estimate"});
  expect_refused({"solve"}, {"--problem is missing"});
}

TEST_F(CliSolveDefaults, TakesFilesWithoutASign) {
  const std::string file = source_path("/docs/examples/my_problem.json");
  EXPECT_EQ(Json::parse(daelab_ok({"solve", file, "--json"}).out)["state"],
            Json::parse(daelab_ok({"solve", "--problem", "@" + file, "--json"}).out)["state"]);
}

}  // namespace TEST_FILE
}  // namespace daelab
