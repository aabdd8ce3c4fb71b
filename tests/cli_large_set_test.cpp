// Sets of many runs, and what other programs and people do to them meanwhile.
#include <fmt/format.h>

#include "core/base/sanitizer.hpp"
#include "tests/cli_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

// {"<from>", "<from + 1>", ...}, `count` numbers behind a common prefix.
std::string numbers(const std::string& prefix, int from, int count) {
  std::string list;
  for (int i = 0; i < count; ++i) list += fmt::format("{}\"{}{}\"", i ? "," : "", prefix, from + i);
  return "[" + list + "]";
}

std::string grid(const std::string& name, const std::string& steps, const std::string& more = "") {
  return R"({"name": ")" + name + R"(", "experiment": "drift", "runs": {"problem": "pendulum", "t_end": "1/5",
    "formulation": "index-3", "method": "generalized-alpha", )" +
         more + R"("h": )" + steps + "}}";
}

class CliLargeSet : public Cli {};

// Each of these runs has a problem of its own, so that reading them takes five seconds or more.
TEST_F(CliLargeSet, CtrlCEndsReadingAConfigAtOnce) {
  write(folder / "grid.json",
        R"({"name": "grid", "experiment": "drift", "runs": {"method": "generalized-alpha", "formulation": "index-3",
            "h": "0.1", "problem": {"name": "pendulum", "gravity": )" +
            numbers("9.", 1000, 300) + R"(, "mass": )" + numbers("1.", 1000, 300) + "}}}");
  for (const char* verb : {"check", "run"}) {
    Child child({verb, "grid.json"}, folder);
    std::this_thread::sleep_for(std::chrono::seconds(1));
    const auto begin = std::chrono::steady_clock::now();
    child.interrupt();
    const Outcome outcome = child.wait();
    EXPECT_EQ(outcome.code, 130) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("interrupted"));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
    EXPECT_FALSE(fs::exists(folder / "out/grid/runs.jsonl"));
  }
}

TEST_F(CliLargeSet, RunsThatAreDeletedMeanwhileAreNotLost) {
  write(folder / "grid.json", grid("grid", numbers("0.0000", 1000, 40)));
  const fs::path runs = folder / "out/grid/runs.jsonl";
  Child child({"run", "grid.json", "--jobs", "1"}, folder);
  for (int i = 0; i < 4000 && (!fs::exists(runs) || fs::file_size(runs) == 0); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  fs::remove(runs);
  const Outcome outcome = child.wait();
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("was deleted by another program"));
  EXPECT_EQ(lines(runs), 40);
  EXPECT_THAT(daelab_ok({"run", "grid.json"}).err, HasSubstr("0 runs computed, 40 reused"));
}

// What one thread does one after another never shows in the numbers: other orders, other neighbours, other threads.
TEST_F(CliLargeSet, NumbersDoNotDependOnWhatRanBefore) {
  const std::string more = R"("multiplier_solver": ["sr1", "schur-cholesky"], "samples": ["1/10"], "trajectory": 2, )";
  write(folder / "up.json", grid("set", numbers("0.00", 50, 30), more));
  std::string turned;
  for (int i = 79; i >= 50; --i) turned += fmt::format("{}\"0.00{}\"", i < 79 ? "," : "", i);
  write(folder / "down.json", grid("set", "[" + turned + "]", more));
  daelab_ok({"run", "up.json", "--out", "up", "--jobs", "1"});
  for (const char* jobs : {"1", "2", "8"}) {
    daelab_ok({"run", "down.json", "--out", std::string("down-") + jobs, "--jobs", jobs});
    EXPECT_EQ(daelab_ok({"compare", "up/set", std::string("down-") + jobs + "/set", "--rtol", "0"}).out,
              "0 differences\n");
  }
  // One after another in programs of their own.
  for (int i = 50; i < 80; i += 7) {
    const std::string alone = fmt::format("alone-{}", i);
    write(folder / "one.json", grid("set", fmt::format("\"0.00{}\"", i), more));
    daelab_ok({"run", "one.json", "--out", alone});
    for (const auto& file : fs::directory_iterator(folder / alone / "set/trajectories"))
      EXPECT_EQ(read(file.path()), read(folder / "up/set/trajectories" / file.path().filename()));
  }
}

// Evaluated again by run, named by report.
TEST_F(CliLargeSet, AChangedEvaluationIsNamedAndMadeAnew) {
  write(folder / "grid.json", grid("grid", numbers("0.0", 10, 3)));
  daelab_ok({"run", "grid.json"});
  const fs::path result = folder / "out/grid/result.json";
  const std::string whole = read(result);
  std::string changed = whole;
  changed[whole.find("0.0")] = '1';
  write(result, changed);
  const Outcome report = daelab({"report", "out/grid"});
  EXPECT_EQ(report.code, 2);
  EXPECT_THAT(report.err, HasSubstr("result.json is not as it was written"));
  daelab_ok({"run", "grid.json"});
  EXPECT_EQ(read(result), whole);
}

TEST_F(CliLargeSet, LimitsAreOptions) {
  write(folder / "grid.json", grid("grid", numbers("0.0", 1000, 20)));
  expect_refused({"check", "grid.json", "--limit", "runs=19"}, {"/runs/h", "20 runs", "--limit runs=N"});
  expect_refused({"check", "grid.json", "--limit", "rums=19"}, {"no limit 'rums'", "did you mean 'runs'?"});
  expect_refused({"check", "grid.json", "--limit", "runs=many"}, {"'many' is not allowed", "a whole number"});
  daelab_ok({"check", "grid.json", "--limit", "runs=20"});
}

// Wherever memory ends, in the middle of copies too, the program says so.
TEST_F(CliLargeSet, TheEndOfMemoryIsSaid) {
#ifdef DAELAB_ADDRESS_SANITIZER
  GTEST_SKIP() << "the sanitizer needs address space of its own";
#endif
  write(folder / "grid.json", grid("grid", numbers("0.", 100000, 60000)));
  int ended = 0;
  for (int megabytes = 150; megabytes < 240; megabytes += 15) {
    const Outcome outcome = daelab({"check", "grid.json", "--limit", fmt::format("memory-megabytes={}", megabytes)});
    if (outcome.code == 0) continue;
    ++ended;
    EXPECT_EQ(outcome.code, 1) << megabytes << ": " << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("there is not enough memory; --limit memory-megabytes=N")) << megabytes;
  }
  EXPECT_GT(ended, 0);
}

}  // namespace TEST_FILE
}  // namespace daelab
