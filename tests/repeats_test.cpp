#include "lab/runs/repeats.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/write_file.hpp"
#include "experiments/measures/run_times.hpp"
#include "lab/runs/run.hpp"
#include "results/compare.hpp"
#include "results/run_record.hpp"
#include "tests/test_folder.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::Each;
using testing::HasSubstr;

// A run that says how long it took, one time after the other: no clock is asked.
class Timed final : public SpecifiedRun {
 public:
  explicit Timed(std::vector<double> seconds) : SpecifiedRun({{"h", "0.1"}}), seconds_(std::move(seconds)) {}
  RunOutcome execute() const override {
    const double s = seconds_[made++];
    return {{{"stats", RunTime{.cpu_seconds = s / 2, .wall_seconds = s}}}};
  }
  mutable std::size_t made = 0;

 private:
  std::vector<double> seconds_;
};

TEST(Repeats, GiveTheLeastTimesAndTheirSpread) {
  const Timed run({3, 2, 5, 1});
  const std::optional<RunTime> time = time_of_repeats(run, 3);
  ASSERT_TRUE(time);
  EXPECT_EQ(run.made, 3u);
  EXPECT_EQ(time->wall_seconds, 2);
  EXPECT_EQ(time->cpu_seconds, 1);
  EXPECT_EQ(time->repeats, 3);
  EXPECT_EQ(time->spread, 2.5);
  EXPECT_EQ(time->seconds(), 2);
}

TEST(Repeats, AreKeptInTheRecord) {
  const RunTime repeated{.cpu_seconds = 1, .wall_seconds = 2, .repeats = 3, .spread = 2.5};
  EXPECT_EQ(Json(Json(repeated).get<RunTime>()), Json(repeated));
  const Json once = RunTime{.cpu_seconds = 1, .wall_seconds = 2};
  EXPECT_FALSE(once.contains("repeats"));  // records of before say the same
  EXPECT_EQ(once.get<RunTime>().repeats, 0);
  EXPECT_EQ(once.get<RunTime>().seconds(), 1);
}

TEST(Repeats, ShowInHeadsAndCaptions) {
  RunTimes times;
  times.add({.cpu_seconds = 1, .wall_seconds = 4});
  EXPECT_EQ(times.words(), "CPU time, measured once");
  EXPECT_EQ(times.axis_label(), "CPU time [s]");
  times.add({.cpu_seconds = 1, .wall_seconds = 2, .repeats = 3, .spread = 1.25});
  EXPECT_THAT(times.words(), HasSubstr("CPU time, measured once, of runs without repeats"));
  Table table;
  times.add_columns(table);
  ASSERT_EQ(table.columns.size(), 2u);
  EXPECT_EQ(table.columns[0].label, "Time [s]");
  TableRow once, repeated;
  times.add_cells(once, {.cpu_seconds = 1, .wall_seconds = 4});
  times.add_cells(repeated, {.cpu_seconds = 1, .wall_seconds = 2, .repeats = 3, .spread = 1.25});
  EXPECT_EQ(once, (TableRow{1.0, nullptr}));
  EXPECT_EQ(repeated, (TableRow{2.0, 1.25}));

  RunTimes all;
  for (const int repeats : {3, 5}) all.add({.wall_seconds = 2, .repeats = repeats, .spread = 1 + 0.1 * repeats});
  EXPECT_EQ(all.words(),
            "wall time, the least of 3 to 5 repeats alone on a core, of which the longest took up to 1.50 times as "
            "long");
  EXPECT_EQ(all.axis_label(), "wall time [s]");
}

// Two runs and a reference, which is for no table of times.
class RepeatedRuns : public testing::Test {
 protected:
  Config config(const std::string& more) const {
    const std::string path = folder_.path() + "/config.json";
    write_file(path, R"({"name": "set", "experiment": "work-precision", )" + more + R"(
      "common": {"problem": "pendulum", "formulation": "index-1", "t_end": "0.2"},
      "reference": {"method": "gauss", "h": "0.05", "scalar": "double"},
      "runs": {"method": "newmark", "h": ["0.1", "0.05"]}})");
    return read_config(path);
  }
  ScheduleSummary run(const std::string& out, std::optional<int> repeat, const std::string& more = "") const {
    return run_configs({config(more)},
                       {.out_dir = folder_.path() + "/" + out, .jobs = 1, .quiet = true, .repeat = repeat});
  }
  std::vector<Json> records(const std::string& out) const {
    return read_runs(folder_.path() + "/" + out + "/set", true);
  }
  std::vector<int> repeats(const std::string& out) const {
    std::vector<int> list;
    for (const Json& record : records(out)) list.push_back(time_of(record).value().repeats);
    std::ranges::sort(list);
    return list;
  }
  TemporaryFolder folder_;
};

TEST_F(RepeatedRuns, KeepTheirKeysAndNumbers) {
  run("once", {});
  EXPECT_THAT(repeats("once"), Each(0));
  EXPECT_EQ(run("often", 2).repeated, 2);
  EXPECT_EQ(repeats("often"), (std::vector<int>{0, 2, 2}));
  EXPECT_TRUE(compare(folder_.path() + "/once/set", folder_.path() + "/often/set", 0).empty());
  const std::vector<Json> once = records("once"), often = records("often");
  for (std::size_t i = 0; i < once.size(); ++i) EXPECT_EQ(once[i]["key"], often[i]["key"]);
}

// What was measured once stays, fewer repeats replace nothing, more replace it.
TEST_F(RepeatedRuns, SurviveALaterCall) {
  run("out", 2);
  EXPECT_EQ(run("out", {}).repeated, 0);
  EXPECT_EQ(run("out", 1).repeated, 0);
  EXPECT_EQ(repeats("out"), (std::vector<int>{0, 2, 2}));
  const ScheduleSummary more = run("out", 3);
  EXPECT_EQ(more.repeated, 2);
  EXPECT_EQ(more.computed, 0);
  EXPECT_EQ(repeats("out"), (std::vector<int>{0, 3, 3}));
}

TEST_F(RepeatedRuns, AreAskedForByConfigsUnlessTheCallSaysOtherwise) {
  EXPECT_EQ(run("out", 0, R"("repeat": 2,)").repeated, 0);
  EXPECT_EQ(run("out", {}, R"("repeat": 2,)").repeated, 2);
  for (const char* bad : {"-1", "1001", "1.5", "\"2\""}) try {
      config(std::string("\"repeat\": ") + bad + ",");
      ADD_FAILURE() << bad;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("/repeat: must be a whole number from 0 to 1000"));
    }
}

}  // namespace TEST_FILE
}  // namespace daelab
