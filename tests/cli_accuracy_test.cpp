// solve --check-accuracy, what solve says while it is on its way, and the experiment trust as its user meets it.
#include <stdlib.h>

#include "tests/cli_support.hpp"
#include "tests/run_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;
using testing::IsEmpty;

Arguments checked(const char* problem, const char* method, const char* rtol, const Arguments& more = {}) {
  return with({"solve", "--problem", problem, "--method", method, "--rtol", rtol, "--check-accuracy", "--json"}, more);
}

// An orbit of few tolerances' error: the estimate is of the size of the true error, and no warning is due.
TEST_F(Cli, AnAccuracyThatWasReachedIsReportedWithoutAWarning) {
  const Json record =
      json_of(checked("pendulum", "dormand-prince", "1e-8", {"--t-end", "1", "--formulation", "penalty"}));
  EXPECT_THAT(kinds_of_warnings(record), IsEmpty());
  const double estimate = record["accuracy"]["estimated_error"]["q"], error = record["error"]["q"];
  EXPECT_GT(estimate, error / 10);  // measured 1.07 of it
  EXPECT_LT(estimate, error * 10);
  EXPECT_GT(record["accuracy"]["tolerances"].get<double>(), 0);
  EXPECT_LT(record["accuracy"]["tolerances"].get<double>(), 100);  // measured 0.5
  EXPECT_EQ(record["accuracy"]["status"], "ok");
}

// With atol = rtol a concentration of Robertson's runs away: status ok, error 4E7.
TEST_F(Cli, AnAccuracyThatWasNotReachedIsAWarning) {
  const Json record = json_of(checked("robertson", "bdf:k=5", "1e-6", {"--atol", "1e-6"}));
  EXPECT_THAT(kinds_of_warnings(record), testing::Contains("accuracy"));
  EXPECT_GT(record["accuracy"]["tolerances"].get<double>(), 1e5);  // measured 1.9e6
  const Outcome text = daelab_ok({"solve", "--problem", "robertson", "--method", "bdf:k=5", "--rtol", "1e-6", "--atol",
                                  "1e-6", "--check-accuracy"});
  EXPECT_THAT(text.out, HasSubstr("warning accuracy: the error at the end time is estimated as"));
}

// Errors of hht at many steps: the true one and the estimate agree to a factor.
TEST_F(Cli, TheEstimateIsOfTheSizeOfTheError) {
  const Json record = json_of(checked("pendulum", "hht", "1e-8", {"--t-end", "1", "--formulation", "index-1"}));
  const double estimate = record["accuracy"]["estimated_error"]["q"], error = record["error"]["q"];
  EXPECT_GT(estimate, error / 4);  // measured 0.7 of it
  EXPECT_LT(estimate, error * 4);
  EXPECT_THAT(kinds_of_warnings(record), testing::Contains("accuracy"));
}

// Of fixed steps nothing is asked: an error in the size of the solution is worth a warning, a small one is not.
TEST_F(Cli, FixedStepsAreCheckedWithHalfTheStep) {
  const auto run = [&](const char* method) {
    return json_of({"solve", "--problem", "pendulum", "--method", method, "--h", "0.01", "--check-accuracy", "--json"});
  };
  const Json good = run("rk4-classical"), bad = run("explicit-euler");
  EXPECT_THAT(kinds_of_warnings(good), IsEmpty());
  EXPECT_TRUE(good["accuracy"]["tolerances"].is_null());
  // Measured 1.9 times the error.
  EXPECT_GT(good["accuracy"]["estimated_error"]["q"].get<double>(), good["error"]["q"].get<double>() / 4);
  EXPECT_THAT(kinds_of_warnings(bad), testing::Contains("accuracy"));
}

TEST_F(Cli, ASecondRunThatFailsLeavesTheAccuracyUnknown) {
  const Outcome whole = daelab_ok(
      {"solve", "--problem", "pendulum", "--method", "bogacki-shampine", "--rtol", "1e-6", "--t-end", "1", "--json"});
  const Json first = Json::parse(whole.out);
  EXPECT_FALSE(first.contains("accuracy"));  // not asked for
  expect_refused({"solve", "--problem", "pendulum", "--method", "bdf", "--rtol", "3e-15", "--check-accuracy"},
                 {"--rtol: (3e-15)/2 is below round-off"});
}

// Standard error is a file here.
TEST_F(Cli, StiffnessIsSaidAtOnce) {
  const Outcome outcome = daelab(
      {"solve", "--problem", "van-der-pol", "--method", "dormand-prince", "--rtol", "1e-6", "--max-steps", "100000"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, testing::StartsWith("warning stiff: stability limits the steps"));
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1);
  EXPECT_THAT(outcome.out, HasSubstr("status step-limit:\n  more than 100000 steps are needed: stability limits them"));
  EXPECT_THAT(daelab_ok({"solve", "--problem", "hires", "--method", "radau-iia", "--rtol", "1e-6"}).err, IsEmpty());
}

// What a program writes to a terminal, its standard error; it is interrupted when that has `enough` in it. None where
// the machine has no pseudo terminals.
std::optional<std::string> on_a_terminal(const Arguments& arguments, const fs::path& folder,
                                         const std::string& enough) {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0 || ::grantpt(terminal) != 0 || ::unlockpt(terminal) != 0) return {};
  const std::string name = ::ptsname(terminal);
  Arguments all{built_program()};
  all.insert(all.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& argument : all) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  const fs::path out = folder / ".stdout";
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::dup2(::open(name.c_str(), O_RDWR | O_NOCTTY), STDERR_FILENO);
    ::dup2(::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644), STDOUT_FILENO);
    ::execv(all.front().c_str(), pointers.data());
    ::_exit(127);
  }
  std::string text;
  char buffer[4096];
  int status = 0;
  ::fcntl(terminal, F_SETFL, O_NONBLOCK);
  for (bool running = true; running;) {
    running = ::waitpid(pid, &status, WNOHANG) == 0;
    for (ssize_t count; (count = ::read(terminal, buffer, sizeof buffer)) > 0;)
      text.append(buffer, static_cast<std::size_t>(count));
    if (running && text.find(enough) != std::string::npos) ::kill(pid, SIGINT);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  ::close(terminal);
  return text;
}

// The run would take a minute; the first line comes after two seconds, and the last thing is that it is taken away.
TEST_F(Cli, ATerminalShowsHowFarALongRunIs) {
  const Arguments long_run = {"solve", "--problem", "pendulum", "--method", "rk4-classical", "--h", "1e-7"};
  const std::optional<std::string> text = on_a_terminal(long_run, folder, "left at this pace");
  if (!text) GTEST_SKIP() << "no pseudo terminals: /dev/pts is not mounted";
  EXPECT_THAT(*text, HasSubstr(" of 10 ("));
  EXPECT_THAT(*text, testing::EndsWith("\r\033[K"));
  EXPECT_EQ(on_a_terminal(pendulum, folder, "left at this pace"), "");
}

// Some seconds over pendulum, arm and three stiff problems; the claim holds.
TEST_F(Cli, TheSmallTrustExperimentHasNoUnexplainedRow) {
  const Outcome outcome = daelab_ok({"run", source_path("/experiments/trust/trust-smoke.json")});
  EXPECT_THAT(outcome.out, HasSubstr("1 finding: 1 holds"));
  const Json analysis = Json::parse(read(folder / "out/trust-smoke/analysis.json"));
  EXPECT_EQ(analysis["unexplained"], 0);
  EXPECT_EQ(analysis["idle_explanations"], 0);
  EXPECT_GT(analysis["runs"].get<int>(), 50);  // measured 87
  EXPECT_GT(analysis["beyond"].get<int>(), 0);
}

// A row that nothing explains refutes the claim: exit code 1.
TEST_F(Cli, AnUnexplainedRowEndsInExitCodeOne) {
  Json config = Json::parse(read(source_path("/experiments/trust/trust-smoke.json")));
  config["limit"] = "1e-12", config.erase("explained");
  write(folder / "config.json", config.dump());
  const Outcome outcome = daelab({"run", "config.json"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("does not hold"));
}

}  // namespace TEST_FILE
}  // namespace daelab
