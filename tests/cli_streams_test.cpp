// Standard streams that are closed or full, descriptors that run out, and what does not end by itself.
#include "core/base/sanitizer.hpp"
#include "tests/cli_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Streams : public Cli {
 protected:
  Streams() {
    write(folder / "c.json", R"({"name": "set", "experiment": "drift", "common": {"problem": "pendulum", "t_end": 1,
      "trajectory": 1}, "runs": {"method": ["bdf:k=2", "radau-iia"], "h": "1/20"},
      "figures": [{"id": "path", "caption": "path", "panels": [{"x": "t", "y": ["q1"]}]}]})");
  }
  // By the shell, with these redirections; 128 and more: it was killed.
  int exit_code(const std::string& arguments, const std::string& redirections) const {
    const int status =
        std::system(fmt("cd '%' && exec '%' % %", {folder.string(), built_program(), arguments, redirections}).c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  static std::string fmt(std::string text, const std::vector<std::string>& parts) {
    for (const std::string& part : parts) text.replace(text.find('%'), 1, part);
    return text;
  }
};

// Whatever is closed: the run is carried out, and nothing that is printed gets into its files.
TEST_F(Streams, MayBeClosed) {
  for (const char* closed : {"1>&-", "2>&-", "0<&- 1>&-", "1>&- 2>&-", "0<&- 1>&- 2>&-"}) {
    EXPECT_EQ(exit_code("run c.json --no-report", closed), 0) << closed;
    const std::string runs = read(folder / "out/set/runs.jsonl");
    EXPECT_EQ(std::count(runs.begin(), runs.end(), '\n'), 2) << closed << runs;
    EXPECT_THAT(runs, StartsWith("{\"problem\""));
    fs::remove_all(folder / "out");
  }
}

TEST_F(Streams, ThatAreFullOrClosedKeepTheExitCode) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  const std::string wrong = "solve --problem nothing --method heun --h 1";
  for (const char* errors : {"2>/dev/full", "2>&-"}) EXPECT_EQ(exit_code(wrong, errors), 2) << errors;
  EXPECT_EQ(exit_code("list", ">/dev/full 2>/dev/full"), 1);
  EXPECT_EQ(exit_code("run c.json", "2>/dev/full"), 1);
}

TEST_F(Streams, TooFewDescriptorsAreSaid) {
#ifdef DAELAB_ADDRESS_SANITIZER
  GTEST_SKIP() << "the sanitizers need descriptors of their own";
#endif
  for (int i = 0; i < 9; ++i)
    write(folder / ("c" + std::to_string(i) + ".json"),
          R"({"name": "set)" + std::to_string(i) + R"(", "experiment": "drift", "common": {"problem": "pendulum"},
              "runs": {"method": "heun", "h": "1/20", "t_end": 1}})");
  // The shell needs descriptors of its own to redirect: that comes before the limit.
  const std::string limited = "(ulimit -n 8 && exec '" + built_program() + "' run c?.json)";
  const int status = std::system(("cd '" + folder.string() + "' && " + limited + " >out.txt 2>err.txt").c_str());
  EXPECT_EQ(WEXITSTATUS(status), 2);
  EXPECT_THAT(read(folder / "err.txt"), AllOf(HasSubstr("oo many open files"), Not(HasSubstr("another run"))));
}

// Refused before anything is made of them.
TEST_F(Streams, WhatWouldNotEndIsRefused) {
  expect_refused(with(pendulum, {"--sample-every", "1e-12"}),
                 {"--sample-every", "are more than 1e+06 in the interval 1"});
  expect_refused({"solve", "--problem", "friction-oscillator:stiffness=1e14", "--method", "heun", "--h", "1"},
                 {"more than 10000 phases before t = 10"});
}

// Ctrl-C reaches gnuplot, too, which then fails: that is no fault of the figure.
TEST_F(Streams, AnInterruptedFigureIsAnInterruption) {
  daelab_ok({"run", "c.json"});
  fs::create_directories(folder / "bin");
  write(folder / "bin/gnuplot", "#!/bin/sh\nkill -INT $PPID\nexit 1\n");
  fs::permissions(folder / "bin/gnuplot", fs::perms::owner_all);
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", ((folder / "bin").string() + ":" + path).c_str(), 1);
  const Outcome outcome = daelab({"report", "out/set", "--to", "page"});
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_EQ(outcome.err, "daelab: interrupted\n");
}

TEST_F(Streams, ADamagedLineIsNamedWhenItIsComputedAgain) {
  daelab_ok({"run", "c.json"});
  std::string runs = read(folder / "out/set/runs.jsonl");
  runs[runs.find("\"status\":\"ok\"") + 11] = 'x';
  write(folder / "out/set/runs.jsonl", runs);
  EXPECT_THAT(daelab_ok({"run", "c.json"}).err,
              AllOf(HasSubstr("out/set/runs.jsonl:1: the line is not as it was written"),
                    HasSubstr("1 runs computed, 1 reused")));
  runs = read(folder / "out/set/runs.jsonl");
  runs[0] = 'x';
  write(folder / "out/set/runs.jsonl", runs);
  EXPECT_THAT(daelab_ok({"run", "c.json"}).err, HasSubstr("out/set/runs.jsonl:1: the line is not as it was written"));
}

}  // namespace TEST_FILE
}  // namespace daelab
