// Warnings of runs where users read: printed by solve, in notes of reports.
#include "core/base/json_file.hpp"
#include "tests/cli_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

// Coordinates by their names and to digits that can be read; a run that never began has no results to show.
TEST_F(Cli, SolveSaysWhatWasRunAndChosen) {
  const std::string text = daelab_ok({"solve", "--problem", "pendulum", "--method", "bdf", "--rtol", "1e-6"}).out;
  EXPECT_THAT(
      text, testing::ContainsRegex(
                "^pendulum on index-[0-9] \\(default\\) by bdf, rtol = 1e-6, atol = .* \\(default\\), to t[ \n]+= 10 s "
                "\\(default\\),[ \n]+double\nstatus ok\nt = 10\n  x        -?0\\.[0-9]+ +x'       "));
  EXPECT_THAT(text, Not(HasSubstr("multipliers")));
  const Outcome refused = daelab(
      {"solve", "--problem", "pendulum", "--method", "rk4-classical", "--formulation", "index-2", "--h", "1/100"});
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.out, AllOf(HasSubstr("status not-applicable"), Not(HasSubstr("stats"))));
}

TEST_F(Cli, SolvePrintsWarningsAfterTheResults) {
  const Arguments chain{"solve",         "--problem", "n-four-bar", "--formulation", "projected", "--method",
                        "rk4-classical", "--h",       "1/50",       "--t-end",       "1"};
  EXPECT_THAT(daelab_ok(chain).out, HasSubstr("\nwarning near-singular: the constraint rows 1, 3, "));
  const Outcome stopped = daelab(with(chain, {"--singular", "stop"}));
  EXPECT_THAT(stopped.out, testing::ContainsRegex(
                               "^n-four-bar on projected.* by rk4-classical, h = 1/50 s, to t = 1 s,\n  double\n"));
  EXPECT_EQ(stopped.code, 1);
  EXPECT_THAT(stopped.out, HasSubstr("status near-singular:\n  the constraint rows 1, 3, "));
  expect_refused(with(chain, {"--singular", "halt"}), {"--singular", "halt", "warn, stop, restart, ignore"});
}

TEST_F(Cli, ReportsNoteWarningsOfEveryExperiment) {
  write(folder / "config.json", R"({"name": "warned", "experiment": "drift", "common": {"problem": "n-four-bar",
    "formulation": "projected", "method": "rk4-classical", "t_end": "1"}, "runs": {"h": ["1/50", "1/40"]}})");
  daelab_ok({"run", "config.json"});
  const Json result = read_json_file(folder / "out/warned/result.json");
  EXPECT_THAT(result["notes"].get<std::vector<std::string>>(),
              Contains(AllOf(HasSubstr("Warning near-singular in 2 of 2 runs ("),
                             HasSubstr("become dependent near t = 0.714"))));
}

}  // namespace TEST_FILE
}  // namespace daelab
