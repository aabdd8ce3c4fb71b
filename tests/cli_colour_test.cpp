// What a real terminal gets: colours, errors in lines that fit, progress.
#include "tests/cli_support.hpp"
#include "tests/terminal_child.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* green = "\033[32m";
constexpr const char* red = "\033[31m";
constexpr const char* bold = "\033[1m";

class Colour : public Cli {
 protected:
  std::string shown(const Arguments& arguments, bool no_color = false) const {
    return on_terminal(arguments, folder, 80, no_color);
  }
};

TEST_F(Colour, StatusesAndHeadingsOfSolve) {
  const Arguments solve{"solve", "pendulum", "-m", "gauss", "--h", "0.1", "-t", "1"};
  EXPECT_THAT(shown(solve),
              AllOf(HasSubstr(std::string("status ") + green + "ok"), HasSubstr(std::string(bold) + "work")));
  EXPECT_THAT(shown(solve, true), AllOf(HasSubstr("status ok"), Not(HasSubstr("\033[3"))));
  EXPECT_THAT(shown({"solve", "pendulum", "-m", "rk4-classical", "-f", "index-3", "--h", "0.1"}),
              HasSubstr(std::string(red) + "not-applicable"));
}

TEST_F(Colour, StatusesOfCheckAndCompare) {
  write(folder / "run.json", R"({"name": "r", "experiment": "drift", "runs":
                                 {"problem": "pendulum", "method": "gauss", "h": "1/10", "t_end": 1}})");
  EXPECT_THAT(shown({"check", "run.json"}), HasSubstr(std::string(green) + "ok"));
  shown({"run", "run.json"});
  EXPECT_THAT(shown({"compare", "out/r", "out/r"}), HasSubstr(std::string(green) + "0 differences"));
}

#ifndef DAELAB_DOUBLE_ONLY
TEST_F(Colour, ProgressIsTrue) {
  write(folder / "slow.json", R"({"name": "s", "experiment": "drift", "runs":
      {"problem": "two-link-manipulator", "formulation": "index-1", "method": "rk4-classical", "t_end": 1, "scalar": "real50",
       "h": ["1/12001", "1/12002", "1/12003", "1/12004", "1/12005", "1/12006", "1/12007", "1/12008"]}})");
  const std::string text = shown({"run", "slow.json", "--jobs", "1"});
  EXPECT_THAT(text, HasSubstr("% of the work, about "));
  for (const char* untrue : {"100 %", " 0 s left", "\033[K0 of"}) EXPECT_THAT(text, Not(HasSubstr(untrue)));
  std::istringstream rewritten(text);
  for (std::string line; std::getline(rewritten, line, 'K');)
    if (line.find(" …") != std::string::npos) {
      EXPECT_THAT(line, testing::Not(testing::ContainsRegex("two-link-[a-z]{0,10} …|two …|index …")));
    }
}
#endif

TEST_F(Colour, ErrorsAreWrappedOnATerminalOnly) {
  const Arguments wrong{"solve", "pendulm", "--h", "0.1"};
  std::istringstream lines(on_terminal(wrong, folder, 60));
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) EXPECT_LE(line.size(), 60u) << line;
  EXPECT_GT(count, 5);
  EXPECT_THAT(shown(wrong), StartsWith("daelab: --problem: no problem 'pendulm'; did you mean"));
  const std::string piped = daelab(wrong).err;
  EXPECT_EQ(std::count(piped.begin(), piped.end(), '\n'), 1);
}

}  // namespace TEST_FILE
}  // namespace daelab
