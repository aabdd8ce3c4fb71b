#include "lab/runs/cells.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "core/base/write_file.hpp"
#include "lab/runs/run.hpp"
#include "lab/runs/run_kind.hpp"
#include "lab/runs/run_sources.hpp"
#include "results/compare.hpp"
#include "tests/file_support.hpp"
#include "tests/test_folder.hpp"

namespace daelab {
namespace TEST_FILE {

// 12 runs over two configs, 4 of them the same, with a reference.
class Cells : public testing::Test {
 protected:
  Cells() {
    configs_.push_back(config("first", R"(["0.1", "0.05", "0.025", "0.0125"])", ""));
    configs_.push_back(config("second", R"(["0.1", "0.05"])", R"("trajectory": 1, )"));
  }
  Config config(const std::string& name, const std::string& steps, const std::string& more) const {
    const std::string path = folder_.path() + "/" + name + ".json";
    write_file(path, R"({"name": ")" + name + R"(", "experiment": "drift", "runs": {)" + more +
                         R"("problem": "pendulum", "method": ["newmark", "bdf:k=2"], "formulation": "index-1",
                             "t_end": "0.2", "h": )" +
                         steps + "}}");
    return read_config(path);
  }
  ScheduleOptions options(const std::string& out, Shard shard = {}) const {
    ScheduleOptions options;
    options.out_dir = folder_.path() + "/" + out, options.jobs = 1, options.shard = shard;
    return options;
  }
  TemporaryFolder folder_;
  std::vector<Config> configs_;
};

TEST_F(Cells, AreAskedForOnceInTheOrderOfTheirKeys) {
  const std::vector<Cell> cells = asked_cells({configs_[0], configs_[0], configs_[1]});
  ASSERT_EQ(cells.size(), 12u);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    EXPECT_EQ(cells[i].place, i);
    EXPECT_TRUE(i == 0 || cells[i - 1].key < cells[i].key);
    EXPECT_EQ(cells[i].tasks,
              cells[i].run->makes_trajectory() ? std::vector<std::size_t>{2} : (std::vector<std::size_t>{0, 1}));
  }
}

// Places do not move when some are stored, so shards never overlap and miss nothing.
TEST_F(Cells, BelongToOneShardWhateverIsStored) {
  std::vector<Task> tasks = open_tasks(configs_, options("out"));
  std::vector<std::set<std::string>> before(3);
  for (int i = 0; i < 3; ++i)
    for (const Cell& cell : missing_cells(tasks, options("out", {i + 1, 3})).cells) before[i].insert(cell.key);
  EXPECT_EQ(before[0].size() + before[1].size() + before[2].size(), 12u);
  const Cell first = missing_cells(tasks, options("out", {2, 3})).cells.front();
  store_cell(carry_out(first), first, tasks);
  before[1].erase(first.key);
  for (int i = 0; i < 3; ++i) {
    const MissingCells after = missing_cells(tasks, options("out", {i + 1, 3}));
    EXPECT_EQ(after.reused, 1);
    std::set<std::string> keys;
    for (const Cell& cell : after.cells) keys.insert(cell.key);
    EXPECT_EQ(keys, before[i]);
  }
}

// A cell that was carried out anywhere and came as text leaves the same result set as a local run.
TEST_F(Cells, CarriedOutElsewhereLeaveTheSameNumbers) {
  run_configs(configs_, options("local"));
  std::vector<Task> tasks = open_tasks(configs_, options("elsewhere"));
  for (const Cell& cell : missing_cells(tasks, options("elsewhere")).cells) store_cell(carry_out(cell), cell, tasks);
  EXPECT_TRUE(missing_cells(tasks, options("elsewhere")).cells.empty());
  for (Task& task : tasks) EXPECT_EQ(evaluate_task(task, ""), 0);
  for (const char* name : {"/first", "/second"})
    EXPECT_TRUE(compare(folder_.path() + "/local" + name, folder_.path() + "/elsewhere" + name, 0).empty());
}

// A record among several hundred that was changed since the set was opened is found before anything is evaluated.
TEST_F(Cells, ARunThatWasChangedIsMissingWhenItIsEvaluated) {
  std::string steps;
  for (int i = 0; i < 100; ++i) steps += fmt::format("{}\"0.1{}\"", i == 0 ? "" : ", ", 100 + i);
  const std::vector<Config> configs = {config("many", "[" + steps + "]", "")};
  run_configs(configs, options("out"));
  std::vector<Task> tasks = open_tasks(configs, options("out"));
  EXPECT_EQ(evaluate_task(tasks[0], ""), 0);
  const std::string path = folder_.path() + "/out/many/runs.jsonl", text = read_text(path);
  const std::size_t place = text.find("\"steps\":", text.size() * 2 / 3) + 8;
  change_byte(path, place, text[place] == '1' ? '2' : '1');
  EXPECT_EQ(evaluate_task(tasks[0], ""), std::nullopt);
  EXPECT_EQ(missing_cells(tasks, options("out")).cells.size(), 1u);
}

TEST_F(Cells, AShardIsComputedAndNothingEvaluated) {
  const ScheduleSummary first = run_configs(configs_, options("out", {1, 2}));
  EXPECT_EQ(first.computed, 6);
  EXPECT_TRUE(read_analysis(folder_.path() + "/out/first").is_null());
  const ScheduleSummary rest = run_configs(configs_, options("out"));
  EXPECT_EQ(rest.computed, 6);
  EXPECT_EQ(rest.reused, 6);
  EXPECT_FALSE(read_analysis(folder_.path() + "/out/first").is_null());
}

// Runs that share components with the one before are what they are alone, in any order; so are refusals.
TEST(RunBinder, BindsEachRunAsAlone) {
  const std::vector<Json> given = {
      Json::parse(R"({"problem": "pendulum", "method": "newmark", "h": "0.1"})"),
      Json::parse(R"({"problem": "pendulum", "method": "newmark", "h": "1/20", "t_end": 2})"),
      Json::parse(R"({"h": 0.1, "problem": "pendulum", "method": "newmark"})"),
      Json::parse(R"({"problem": "pendulum", "method": "newmark", "h": "0.1", "samples": ["1"], "t_end": "1"})"),
      Json::parse(R"({"problem": "pendulum", "method": "newmark", "h": "0.1", "samples": ["1"], "t_end": "0.5"})"),
      Json::parse(R"({"problem": "pendulum", "method": "newmark", "h": "0.1", "samples": ["1"]})"),
      Json::parse(R"({"problem": "pendulum", "method": "bdf", "formulation": "ggl", "rtol": "1e-4"})"),
      Json::parse(R"({"problem": "pendulum", "method": "bdf", "formulation": "ggl", "atol": "1e-5"})"),
      Json::parse(R"({"problem": "pendulum", "method": "bdf", "formulation": "ggl", "rtol": "1e-99"})"),
      Json::parse(R"({"problem": "pendulum", "method": "bdf", "formulation": "ggl"})"),
      Json::parse(R"({"problem": "pendulum", "method": "newmark", "h": "-1"})"),
      Json::parse(R"({"problem": "pendulum", "method": "newmark", "h": "11"})"),
      Json::parse(R"({"problem": "pendulum", "method": "newmark", "h": null})"),
      Json::parse(R"({"problem": "no-such", "method": "newmark", "h": "0.1"})")};
  const auto outcome = [](const auto& bind) {
    try {
      return bind()->specification()->dump();
    } catch (const InputError& error) {
      return std::string("refused: ") + error.what();
    }
  };
  std::mt19937 random(3);
  const RunKind& kind = Integrations::kind();
  const auto binder = kind.binder();
  int refused = 0;
  for (int i = 0; i < 200; ++i) {
    const Json& run = given[random() % given.size()];
    const std::string alone = outcome([&] { return kind.bind(run, "/runs/0"); });
    EXPECT_EQ(outcome([&] { return binder->bind(run, "/runs/0"); }), alone);
    refused += alone.starts_with("refused");
  }
  EXPECT_GT(refused, 20);  // of 200: nearly half of those given are refused
  EXPECT_LT(refused, 180);
}

// Large grids are bound and named on all cores: in their order, each as alone, and refused as one by one.
TEST_F(Cells, OfLargeGridsAreThoseOfEachRunAlone) {
  const auto steps = [](int bad) {
    std::string list;
    for (int i = 0; i < 5000; ++i)
      list += fmt::format("{}\"{}0.0{}\"", i == 0 ? "" : ", ", i < bad ? "" : "-", 1000 + i);
    return "[" + list + "]";
  };
  const Config large = config("large", steps(5000), "");
  ASSERT_EQ(large.runs.size(), 10000u);
  const AskedRuns asked = asked_for(large);
  for (std::size_t i = 0; i < large.runs.size(); i += 311) {
    const auto alone = Run::bind(*large.runs[i]->specification(), "");
    EXPECT_EQ(alone->json(), *large.runs[i]->specification());
    EXPECT_EQ(make_run_key(alone->json(), run_sources(alone->json(), Integrations::kind().file), alone->inputs()),
              asked.keys[i]);
    EXPECT_EQ(alone->json()["h"], fmt::format("0.0{}", 1000 + i % 5000));
  }
  for (const int bad : {1, 700, 4990}) try {
      config("refused", steps(bad), "");
      ADD_FAILURE() << "not refused";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(fmt::format("-0.0{} ", 1000 + bad)));
    }
}

}  // namespace TEST_FILE
}  // namespace daelab
