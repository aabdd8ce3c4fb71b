#include "results/merge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "core/base/write_file.hpp"
#include "results/compare.hpp"
#include "results/provenance.hpp"
#include "results/run_log.hpp"
#include "results/store.hpp"
#include "tests/file_support.hpp"
#include "tests/input_error_support.hpp"
#include "tests/test_folder.hpp"

namespace daelab {
namespace TEST_FILE {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string key_of(const std::string& h) { return make_run_key(Json{{"h", h}}); }

class Merge : public testing::Test {
 protected:
  // A set of these runs, which asks for those of all shards; every run has a trajectory.
  void make(const std::string& name, const std::vector<std::string>& steps, double value = 0.1,
            const Json& config = {{"h", 1}}) const {
    ResultStore store = ResultStore::open(at(name), "table-1", config);
    for (const std::string& h : steps) {
      const std::string csv = "t,q\n0," + h + "\n";
      Json record = {{"key", key_of(h)},
                     {"spec", {{"h", h}}},
                     {"status", "ok"},
                     {"q", {value}},
                     {"stats", {{"cpu_seconds", 2}, {"wall_seconds", 2}}}};
      record["trajectory_checksum"] = content_hash(csv);
      store.append_finished(key_of(h), run_line(record), csv);
    }
    store.ask_for({key_of("0.1"), key_of("0.2"), key_of("0.4")}, "", {{"engines", "1"}});
  }
  std::string at(const std::string& name) const { return root_ + "/" + name; }

  TemporaryFolder folder_;
  std::string root_ = folder_.path();
};

TEST_F(Merge, PartsMakeTheWholeSet) {
  make("whole", {"0.1", "0.2", "0.4"});
  make("a", {"0.4"});
  make("b", {"0.1", "0.2"});
  const MergeSummary summary = merge_results({at("a"), at("b")}, at("merged"));
  EXPECT_EQ(summary.added, 3);
  EXPECT_TRUE(summary.damaged.empty());
  EXPECT_TRUE(compare(at("whole"), at("merged"), 0).empty());
  ResultStore store = ResultStore::open(at("merged"), "table-1", {{"h", 1}});
  for (const char* h : {"0.1", "0.2", "0.4"}) EXPECT_TRUE(store.has_trajectory(key_of(h)));
}

// All parts ask for all runs, so one that is not there is noticed.
TEST_F(Merge, RunsOfAPartThatIsNotThereAreCounted) {
  make("a", {"0.4"});
  make("b", {"0.1", "0.2"});
  EXPECT_EQ(merge_results({at("a")}, at("merged")).missing, 2);
  EXPECT_EQ(merge_results({at("b")}, at("merged")).missing, 0);
}

TEST_F(Merge, RunsOfTwoPartsStandOnce) {
  make("a", {"0.1", "0.2"});
  make("b", {"0.2", "0.4"});
  const MergeSummary summary = merge_results({at("a"), at("b")}, at("merged"));
  EXPECT_EQ(summary.added, 3);
  EXPECT_EQ(summary.present, 1);
  EXPECT_EQ(read_runs(at("merged")).size(), 3u);
  const MergeSummary again = merge_results({at("a"), at("b")}, at("merged"));
  EXPECT_EQ(again.added, 0);
  EXPECT_EQ(again.present, 4);
}

// In either order.
TEST_F(Merge, TimesOfMoreRepeatsAreKept) {
  for (const auto& [name, repeats] : {std::pair("a", 2), {"b", 5}, {"c", 3}}) {
    make(name, {"0.1"});
    ResultStore store = ResultStore::open(at(name), "table-1", {{"h", 1}});
    Json record = *store.find(key_of("0.1"));
    record["stats"] = {
        {"cpu_seconds", 1}, {"wall_seconds", 1.5 / (1 + repeats)}, {"repeats", repeats}, {"spread", 1.1}};
    store.append(record);
  }
  merge_results({at("a"), at("b"), at("c")}, at("forward"));
  merge_results({at("c"), at("b"), at("a")}, at("backward"));
  for (const char* merged : {"forward", "backward"})
    EXPECT_EQ(read_runs(at(merged)).at(0)["stats"]["repeats"], 5) << merged;
}

TEST_F(Merge, AFolderStandsForTheSetsInIt) {
  make("shards/1-of-2", {"0.1"});
  make("shards/2-of-2", {"0.2", "0.4"});
  EXPECT_EQ(merge_results({at("shards")}, at("merged")).added, 3);
}

// Equal keys promise equal numbers: where they are not, neither is to be believed.
TEST_F(Merge, OtherNumbersOfARunAreRefused) {
  make("a", {"0.1"}, 0.1);
  make("b", {"0.1"}, 0.3);
  const std::string error = input_error_of<std::runtime_error>([&] {
    merge_results({at("a"), at("b")}, at("merged"));
  });
  EXPECT_THAT(error, HasSubstr("/q/0 is 0.1"));
  EXPECT_THAT(error, HasSubstr(key_of("0.1")));
}

TEST_F(Merge, OtherConfigsAreRefusedBeforeAnythingIsWritten) {
  make("a", {"0.1"});
  make("b", {"0.2"}, 0.1, {{"h", 2}});
  EXPECT_THAT(input_error_of([&] { merge_results({at("a"), at("b")}, at("merged")); }), HasSubstr("different configs"));
  EXPECT_FALSE(fs::exists(at("merged")));
}

TEST_F(Merge, DamagedLinesAndTrajectoriesAreLeftOutAndNamed) {
  make("a", {"0.1", "0.2", "0.4"});
  std::string lines = read_text(at("a/runs.jsonl"));
  lines[lines.find("0.1]")] = '7';  // in the line of the first run
  std::ofstream(at("a/runs.jsonl"), std::ios::binary | std::ios::trunc) << lines;
  write_file(at("a/trajectories/" + key_of("0.2") + ".csv"), "t,q\n0,5\n");
  const MergeSummary summary = merge_results({at("a")}, at("merged"));
  EXPECT_EQ(summary.added, 1);
  ASSERT_EQ(summary.damaged.size(), 2u);
  EXPECT_THAT(summary.damaged[0], HasSubstr("a/runs.jsonl:1"));
  EXPECT_THAT(summary.damaged[1], HasSubstr("trajectory"));
}

TEST_F(Merge, WhatIsNoResultSetIsBadInput) {
  fs::create_directories(at("empty"));
  EXPECT_THAT(input_error_of([&] { merge_results({at("empty")}, at("merged")); }), HasSubstr("no manifest.json"));
  EXPECT_THAT(input_error_of([&] { merge_results({at("none")}, at("merged")); }), HasSubstr("no folder"));
}

}  // namespace TEST_FILE
}  // namespace daelab
