// Stored runs, manifests and evaluations that are torn, changed or unreadable: named, done again, never used.
#include "results/store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>

#include "core/base/write_file.hpp"
#include "results/compare.hpp"
#include "results/provenance.hpp"
#include "results/run_log.hpp"
#include "results/run_record.hpp"
#include "results/set_files.hpp"
#include "tests/file_support.hpp"
#include "tests/input_error_support.hpp"
#include "tests/store_support.hpp"

namespace daelab {
namespace TEST_FILE {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

void append_text(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary | std::ios::app) << text;
}

// One flipped bit anywhere, in a number or a name: the run is found as it was, or not at all.
TEST_F(Store, AFlippedBitNeverChangesARun) {
  const std::vector<std::string> steps{"0.01", "0.02", "0.04"};
  {
    ResultStore store = open();
    for (const std::string& h : steps) store.append(run_record(h, 0.1234567890123));
  }
  const std::string whole = read_text(runs_file());
  std::mt19937 random(5);  // the standard fixes its numbers
  int noticed = 0;
  for (int trial = 0; trial < 400; ++trial) {
    std::string damaged = whole;
    const auto bit = random() % (8 * whole.size());
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    std::ofstream(runs_file(), std::ios::binary | std::ios::trunc) << damaged;
    ResultStore store = open();
    for (const std::string& h : steps) {
      const std::optional<Json> found = store.find(key_of(h));
      EXPECT_TRUE(!found || *found == run_record(h, 0.1234567890123)) << "bit " << bit;
      noticed += !found;
    }
  }
  EXPECT_GT(noticed, 350);  // most flips are noticed: measured 403
}

TEST_F(Store, ADamagedLineIsNamedToReaders) {
  { open().append(run_record("0.01", 0.5)); }
  std::string text = read_text(runs_file());
  text.replace(text.find("0.5"), 3, "0.6");
  std::ofstream(runs_file(), std::ios::binary | std::ios::trunc) << text;
  EXPECT_THAT(input_error_of([&] { read_runs(dir_); }), AllOf(HasSubstr("runs.jsonl:1"), HasSubstr("checksum")));
}

// Records as engines write them, with what could be taken for the end of one.
TEST_F(Store, HeadsOfRunsAreThoseOfWholeRecords) {
  {
    ResultStore store = open();
    for (const std::string h : {"0.01", "0.02"}) {
      const Json spec = {{"h", h}, {"text", "},\"spec\":{\"h\":\"9\"},\"key\":\"9\""}};
      store.append({{"status", "ok"},
                    {"series", {{{"name", "a"}, {"spec", {{"h", "9"}}}, {"key", "9"}}}},
                    {"spec", spec},
                    {"trajectory_checksum", "c"},
                    {"key", "of " + h}});
    }
    store.append(run_record("0.03"));  // specification and key come first
    store.append({{"spec", {{"h", "0.04"}}}, {"key", "of 0.04"}, {"parts", {{"name", "a"}, {"spec", {{"h", "9"}}}}}});
  }
  const auto as_json = [](const RunHead& run) { return Json{run.key, run.spec, run.trajectory}; };
  Json heads = Json::array(), visited = Json::array(), whole = Json::array(), one_by_one = Json::array();
  for (const Json& run : read_runs(dir_)) whole.push_back(as_json(run));
  for (const RunHead& run : read_run_heads(dir_)) heads.push_back(as_json(run));
  visit_runs(dir_, true, [&](const Json& run) { one_by_one.push_back(as_json(run)); });
  visit_run_heads(dir_, true, [&](const RunHead& run) { visited.push_back(as_json(run)); });
  EXPECT_EQ(whole.size(), 4u);
  EXPECT_EQ(heads, whole);
  EXPECT_EQ(visited, one_by_one);

  std::string text = read_text(runs_file());
  text.replace(text.find("ok"), 2, "OK");
  write_file(runs_file(), text);
  EXPECT_THAT(input_error_of([&] { read_run_heads(dir_); }), AllOf(HasSubstr("runs.jsonl:1"), HasSubstr("checksum")));
}

TEST_F(Store, AChangedTrajectoryIsNone) {
  ResultStore store = open();
  const std::string key = key_of("0.01"), csv = "t,q1\n0,1\n";
  Json record = run_record("0.01");
  record["trajectory_checksum"] = content_hash(csv);
  store.append_finished(key, run_line(record), csv);
  EXPECT_TRUE(store.has_trajectory(key));
  write_file(store.trajectory_path(key), "t,q1\n0,2\n");
  EXPECT_FALSE(store.has_trajectory(key));
  write_file(store.trajectory_path(key), "");
  EXPECT_FALSE(store.has_trajectory(key));
  fs::remove(store.trajectory_path(key));
  EXPECT_FALSE(store.has_trajectory(key));
}

// What comes from another process is checked like a stored line.
TEST_F(Store, ALineThatWasChangedOnItsWayIsRefused) {
  ResultStore store = open();
  const std::string csv = "t,q1\n0,1\n";
  Json record = run_record("0.01", 0.5);
  record["trajectory_checksum"] = content_hash(csv);
  const std::string line = run_line(record), key = key_of("0.01");
  std::string changed = line;
  changed.replace(changed.find("0.5"), 3, "0.6");
  EXPECT_THAT(input_error_of([&] { store.append_line(changed); }), HasSubstr("checksum"));
  EXPECT_THAT(input_error_of([&] { store.append_finished(key, line, "t,q1\n0,2\n"); }), HasSubstr("trajectory"));
  EXPECT_THAT(input_error_of([&] { store.append_finished(key_of("0.02"), line, csv); }), HasSubstr(key_of("0.02")));
  EXPECT_EQ(read_text(runs_file()), "");
  EXPECT_FALSE(fs::exists(store.trajectory_path(key)));
  store.append_finished(key, line, csv);
  EXPECT_EQ(read_text(runs_file()), line + "\n");
}

TEST_F(Store, TornLastLineIsDroppedAndItsRunRedone) {
  open().append(run_record("0.01"));
  append_text(runs_file(), run_line(run_record("0.02")).substr(0, 60));

  EXPECT_EQ(read_runs(dir_).size(), 1u);  // a reader is not disturbed
  {
    ResultStore store = open();
    EXPECT_EQ(store.unreadable_lines(), 1);
    EXPECT_FALSE(store.find(key_of("0.02")).has_value());
    store.append(run_record("0.02"));
  }
  ResultStore store = open();
  EXPECT_EQ(store.unreadable_lines(), 0);  // the new line was not glued to the torn one
  EXPECT_EQ(store.all().size(), 2u);
}

TEST_F(Store, LastLineThatLacksOnlyItsNewlineIsKept) {
  open().append(run_record("0.01"));
  append_text(runs_file(), run_line(run_record("0.02")));
  {
    ResultStore store = open();
    EXPECT_TRUE(store.find(key_of("0.02")).has_value());
    store.append(run_record("0.03"));
  }
  EXPECT_EQ(open().all().size(), 3u);
  EXPECT_EQ(open().unreadable_lines(), 0);
}

TEST_F(Store, UnreadableLineInTheMiddleLosesOnlyItself) {
  open().append(run_record("0.01"));
  append_text(runs_file(), "{\"key\": \"half\n[1, 2]\n\n" + run_line(run_record("0.02")) + "\n");
  ResultStore store = open();
  EXPECT_EQ(store.unreadable_lines(), 2);
  EXPECT_EQ(store.all().size(), 2u);
}

// As an editor or another program may leave it. The run is computed again, and until then nobody reads it.
TEST_F(Store, RunThatIsNotAsItWasWrittenIsNamedAndRedone) {
  const std::pair<const char*, const char*> cases[] = {
      {R"("status": 3)", "/status: expected text, found number"},
      {R"("spec": [1])", "/spec: expected an object, found array"},
      {R"("stats": null)", "/stats: expected an object, found null"},
      {R"("q": {"a": 1})", "/q: expected a list, found object"},
      {R"("v": ["1.5", "fast"])", "/v/1: expected a number, found \"fast\""},
      {R"("lambda": [true])", "/lambda/0: expected a number, found true"}};
  for (const auto& [member, message] : cases) {
    SCOPED_TRACE(member);
    fs::remove_all(dir_);
    open().append(run_record("0.1"));
    append_text(runs_file(), run_line(Json::parse("{\"key\": \"" + key_of("0.2") + "\", " + member + "}")) + "\n");
    EXPECT_THAT(input_error_of([&] { read_runs(dir_); }), AllOf(HasSubstr(runs_file() + ":2: " + message)));
    ResultStore store = open();
    EXPECT_FALSE(store.find(key_of("0.2")));
    EXPECT_FALSE(store.has(key_of("0.2")));
    EXPECT_EQ(store.unreadable_lines(), 1);
    store.append(run_record("0.2"));
    EXPECT_EQ(read_runs(dir_).size(), 2u);
  }
}

TEST_F(Store, ManifestAndAnalysisThatAreNotAsTheyWereWrittenAreNamed) {
  open().append(run_record("0.1"));
  const std::string manifest = dir_ + "/manifest.json", analysis = dir_ + "/analysis.json";
  const std::pair<const char*, const char*> manifests[] = {
      {R"({"name": "table-1", "runs": "all"})", ": /runs: expected a list, found string"},
      {R"({"name": "table-1", "runs": ["a", 1]})", ": /runs/1: expected text, found number"},
      {R"({"name": "table-1", "reference": {}})", ": /reference: expected text, found object"},
      {R"({"name": "table-1", "sources": 1})", ": /sources: expected an object, found number"}};
  for (const auto& [text, message] : manifests) {
    write_file(manifest, text);
    EXPECT_EQ(input_error_of([&] { read_runs(dir_); }), manifest + message);
    EXPECT_EQ(input_error_of([&] { open(); }), manifest + message);
  }
  write_file(analysis, R"({"series": {"a": 1}})");
  EXPECT_EQ(input_error_of([&] { read_analysis(dir_); }), analysis + ": /series: expected a list, found object");
  write_file(analysis, R"({"series": [{}, 2]})");
  EXPECT_EQ(input_error_of([&] { read_analysis(dir_); }), analysis + ": /series/1: expected an object, found number");
}

// Torn, or with a flipped bit: readers name it, and the next run makes it anew and keeps all runs.
TEST_F(Store, DamagedManifestIsNamedAndWrittenAnew) {
  open().append(run_record("0.01"));
  const std::string path = dir_ + "/manifest.json", whole = read_text(path);
  std::mt19937 random(7);
  for (int trial = 0; trial < 200; ++trial) {
    std::string damaged = whole;
    const auto bit = random() % (8 * whole.size());
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    if (trial % 10 == 0) damaged.resize(random() % (whole.size() - 2));
    write_file(path, damaged);
    std::string fault = "none";
    try {
      read_runs(dir_);
    } catch (const InputError& error) {
      fault = error.what();
    }
    if (fault == "none")
      EXPECT_EQ(read_checked_file(path).dump(),
                [&] {
                  write_file(path, whole);
                  return read_checked_file(path).dump();
                }())
          << "bit " << bit;
    else
      EXPECT_THAT(fault, HasSubstr("manifest.json"));
    write_file(path, damaged);
    ResultStore store = open();
    EXPECT_TRUE(store.find(key_of("0.01")));
    EXPECT_EQ(store.note().empty(), fault == "none") << store.note();
  }
}

TEST_F(Store, OtherManifestIsRefused) {
  open();
  write_file(dir_ + "/manifest.json", "[]");
  EXPECT_THAT(input_error_of([&] { open(); }), HasSubstr("not the manifest"));
  EXPECT_EQ(open("table-1", {{"h", 1}}, true).directory(), dir_);
}

// The disk takes ten more bytes and no more, as a full one does.
TEST_F(Store, RefusedWriteLeavesTheFileAsItWas) {
  ResultStore store = open();
  store.append(run_record("0.01"));
  const std::string before = read_text(runs_file());

  rlimit unlimited{};
  ::getrlimit(RLIMIT_FSIZE, &unlimited);
  const auto default_action = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit tight{before.size() + 10, unlimited.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &tight);
  EXPECT_THROW(store.append(run_record("0.02")), std::runtime_error);
  ::setrlimit(RLIMIT_FSIZE, &unlimited);
  std::signal(SIGXFSZ, default_action);

  EXPECT_EQ(read_text(runs_file()), before);
  EXPECT_FALSE(store.find(key_of("0.02")).has_value());
  store.append(run_record("0.02"));
  EXPECT_EQ(store.all().size(), 2u);
}

TEST_F(Store, ChangedAnalysisIsNamed) {
  open().write_analysis({{"series", Json::array()}, {"order", 4.5}});
  const std::string path = dir_ + "/analysis.json", whole = read_text(path);
  EXPECT_EQ(read_analysis(dir_), Json({{"series", Json::array()}, {"order", 4.5}}));
  for (const auto& [before, now] : {std::pair("4.5", "4.6"), {"checksum", "chocksum"}, {"order", "orber"}}) {
    std::string changed = whole;
    changed.replace(changed.find(before), std::string(before).size(), now);
    write_file(path, changed);
    EXPECT_THAT(input_error_of([&] { read_analysis(dir_); }), AllOf(HasSubstr("analysis.json"), HasSubstr("checksum")));
  }
}

}  // namespace TEST_FILE
}  // namespace daelab
