#include "results/store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>
#include <thread>

#include "core/base/json_file.hpp"
#include "core/base/write_file.hpp"
#include "results/compare.hpp"
#include "results/provenance.hpp"
#include "results/run_log.hpp"
#include "results/run_record.hpp"
#include "results/set_files.hpp"
#include "tests/build_paths.hpp"
#include "tests/test_folder.hpp"

namespace daelab {
namespace TEST_FILE {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void append_text(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary | std::ios::app) << text;
}

template <class F>
std::string input_error_of(F&& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no InputError";
}

Json run_record(const std::string& h, double error = 1) {
  const Json spec = {{"h", h}};
  return {{"key", make_run_key(spec)}, {"spec", spec}, {"status", "ok"}, {"error", error}};
}

std::string key_of(const std::string& h) { return make_run_key(Json{{"h", h}}); }

class Store : public testing::Test {
 protected:
  ResultStore open(const std::string& name = "table-1", const Json& config = {{"h", 1}}, bool force = false) const {
    return ResultStore::open(dir_, name, config, force, "daelab run table-1.json");
  }
  std::string runs_file() const { return dir_ + "/runs.jsonl"; }

  TemporaryFolder folder_;
  std::string root_ = folder_.path(), dir_ = root_ + "/out/table-1";
};

// One flipped bit anywhere, in a number or a name: the run is found as it was, or not at all.
TEST_F(Store, AFlippedBitNeverChangesARun) {
  const std::vector<std::string> steps{"0.01", "0.02", "0.04"};
  {
    ResultStore store = open();
    for (const std::string& h : steps) store.append(run_record(h, 0.1234567890123));
  }
  const std::string whole = read(runs_file());
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
  std::string text = read(runs_file());
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

  std::string text = read(runs_file());
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
  EXPECT_EQ(read(runs_file()), "");
  EXPECT_FALSE(fs::exists(store.trajectory_path(key)));
  store.append_finished(key, line, csv);
  EXPECT_EQ(read(runs_file()), line + "\n");
}

TEST_F(Store, AppendedRunsAreFoundAgain) {
  {
    ResultStore store = open();
    store.append(run_record("0.01"));
    EXPECT_EQ(store.find(key_of("0.01")), run_record("0.01"));
  }
  ResultStore store = open();
  EXPECT_EQ(store.find(key_of("0.01")), run_record("0.01"));
  EXPECT_FALSE(store.find(key_of("0.02")).has_value());
  EXPECT_EQ(store.all().size(), 1u);
}

TEST_F(Store, ManifestSaysWhatAndWhence) {
  open();
  const Json manifest = read_json_file(dir_ + "/manifest.json");
  EXPECT_EQ(manifest["name"], "table-1");
  EXPECT_EQ(manifest["config"], (Json{{"h", 1}}));
  EXPECT_EQ(manifest["config_hash"], content_hash(Json{{"h", 1}}));
  EXPECT_EQ(manifest["command"], "daelab run table-1.json");
  EXPECT_THAT(manifest["provenance"]["compiler"].get<std::string>(),
              testing::AnyOf(StartsWith("g++"), HasSubstr("Clang")));
  EXPECT_GE(manifest["load"].get<double>(), 0);
  EXPECT_EQ(manifest["created"].get<std::string>().size(), 20u);  // 2024-05-06T07:08:09Z
}

TEST_F(Store, ResumingKeepsTheTimeOfCreation) {
  open();
  Json manifest = read_checked_file(dir_ + "/manifest.json");
  manifest["created"] = "2001-02-03T04:05:06Z";
  write_file(dir_ + "/manifest.json", checked_text(manifest, 2));
  open();
  EXPECT_EQ(read_json_file(dir_ + "/manifest.json")["created"], "2001-02-03T04:05:06Z");
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

TEST_F(Store, ThreadsAppendWholeLines) {
  const int threads = 4, runs = 50;
  {
    ResultStore store = open();
    std::vector<std::thread> writers;
    for (int t = 0; t < threads; ++t)
      writers.emplace_back([&store, t] {
        for (int i = 0; i < runs; ++i) {
          Json record = run_record(std::to_string(t) + "." + std::to_string(i));
          record["padding"] = std::string(5000, 'x');  // beyond what one write keeps together
          store.append(record);
          EXPECT_TRUE(store.find(record["key"]).has_value());
        }
      });
    for (std::thread& writer : writers) writer.join();
  }
  ResultStore store = open();
  EXPECT_EQ(store.unreadable_lines(), 0);
  EXPECT_EQ(store.all().size(), static_cast<std::size_t>(threads * runs));
}

TEST_F(Store, OrderOfRunsDoesNotDependOnWhoFinishedFirst) {
  ResultStore store = open();
  for (const char* h : {"0.02", "0.01", "0.03"}) store.append(run_record(h));
  std::vector<std::string> steps;
  for (const Json& run : store.all()) steps.push_back(run["spec"]["h"]);
  EXPECT_THAT(steps, testing::ElementsAre("0.01", "0.02", "0.03"));
}

TEST_F(Store, OtherConfigIsRefusedWithBothNames) {
  open().append(run_record("0.01"));
  const std::string manifest = read(dir_ + "/manifest.json"), runs = read(runs_file());
  EXPECT_THAT(input_error_of([&] { open("table-2"); }),
              AllOf(HasSubstr("'table-1'"), HasSubstr("'table-2'"), HasSubstr("--force")));
  EXPECT_EQ(read(dir_ + "/manifest.json"), manifest);
  EXPECT_EQ(read(runs_file()), runs);
}

TEST_F(Store, ForceTakesTheFolderOver) {
  {
    ResultStore store = open();
    store.append(run_record("0.01"));
    write_file(store.trajectory_path("ab12"), "t\n");
    write_file(dir_ + "/notes.txt", "mine");
    store.write_result({});
  }
  ResultStore store = open("table-2", {{"h", 2}}, true);
  EXPECT_TRUE(store.all().empty());
  EXPECT_FALSE(fs::exists(dir_ + "/result.json"));
  EXPECT_FALSE(fs::exists(store.trajectory_path("ab12")));
  EXPECT_TRUE(fs::exists(dir_ + "/notes.txt"));  // not ours to remove
  EXPECT_EQ(store.note(), dir_ + ": the 1 runs of config 'table-1' that it held are removed");
  EXPECT_EQ(read_json_file(dir_ + "/manifest.json")["name"], "table-2");
}

TEST_F(Store, ForceOnTheSameConfigResumes) {
  open().append(run_record("0.01"));
  EXPECT_EQ(open("table-1", {{"h", 1}}, true).all().size(), 1u);
}

TEST_F(Store, ChangedConfigOfTheSameNameKeepsItsRuns) {
  open().append(run_record("0.01"));
  ResultStore store = open("table-1", {{"h", 2}});
  EXPECT_TRUE(store.find(key_of("0.01")).has_value());
  EXPECT_EQ(read_json_file(dir_ + "/manifest.json")["config"], (Json{{"h", 2}}));
}

TEST_F(Store, ReadersSeeTheRunsThatAreAskedFor) {
  {
    ResultStore store = open();
    for (const char* h : {"0.01", "0.02", "0.03"}) store.append(run_record(h));
    store.ask_for({key_of("0.02"), key_of("0.04")});
    ASSERT_EQ(read_runs(dir_).size(), 1u);
    EXPECT_EQ(read_runs(dir_)[0]["spec"]["h"], "0.02");
    store.append(run_record("0.04"));
  }
  EXPECT_EQ(read_runs(dir_).size(), 2u);
  std::vector<Json> visited;  // in the order of the file, which is that of their specifications here
  visit_runs(dir_, false, [&](Json run) { visited.push_back(std::move(run)); });
  EXPECT_EQ(visited, read_runs(dir_));
  ResultStore store = open();
  EXPECT_EQ(store.all().size(), 2u);
  EXPECT_TRUE(store.find(key_of("0.01")).has_value());  // stored all the same
  store.ask_for({key_of("0.01")});
  EXPECT_EQ(store.all()[0]["spec"]["h"], "0.01");
}

// Not the program as a whole: what its runs use.
TEST_F(Store, ResultsAreOfThisCodeWhileTheirSourcesAre) {
  const auto of_this_code = [&](const Json& sources) {
    open().ask_for({"a"}, "", sources);
    return is_of_this_code(dir_);
  };
  write_file(root_ + "/tableau.json", "{}");
  const std::string tableau = root_ + "/tableau.json";
  const Json sources = {{"engines", source_hash("engines")}, {tableau, source_hash(tableau)}};
  EXPECT_TRUE(of_this_code(sources));
  EXPECT_FALSE(of_this_code({{"engines", "of before"}}));
  of_this_code(sources);
  write_file(tableau, "[]");
  EXPECT_FALSE(is_of_this_code(dir_));
  fs::remove(tableau);
  EXPECT_FALSE(is_of_this_code(dir_));
}

TEST_F(Store, ResultsOfAnEarlierConfigAreNamed) {
  {
    ResultStore store = open();
    for (const char* h : {"0.01", "0.02"}) store.append(run_record(h));
    EXPECT_EQ(store.note(), "");
  }
  ResultStore store = open("table-1", {{"h", 2}, {"title", "new"}});
  store.ask_for({key_of("0.01")});
  EXPECT_EQ(store.note(), dir_ +
                              ": holds results of an earlier config, which differs in /h, /title; 1 of its runs are "
                              "kept beside those asked for");
  store.ask_for({key_of("0.01")}, key_of("0.02"));
  EXPECT_THAT(store.note(), HasSubstr("all its runs are asked for again"));
}

// Not the last of those with its specification: that may be of the code, or of a reference, of before.
TEST_F(Store, OfOneSpecificationTheRunAskedForIsRead) {
  ResultStore store = open();
  for (const auto& [key, error] : {std::pair("first", 1), std::pair("second", 2)}) {
    Json run = run_record("0.01", error);
    run["key"] = key;
    store.append(run);
  }
  EXPECT_EQ(read_runs(dir_)[0]["error"], 2);
  store.ask_for({"first"});
  ASSERT_EQ(read_runs(dir_).size(), 1u);
  EXPECT_EQ(read_runs(dir_)[0]["error"], 1);
}

// It is a run to compare, but none that claims are about.
TEST_F(Store, TheReferenceRunIsComparedOnly) {
  const auto make = [&](const std::string& dir, double error) {
    ResultStore store = ResultStore::open(dir, "table-1", {{"h", 1}});
    store.append(run_record("0.01"));
    store.append(run_record("0.02", error));
    store.ask_for({key_of("0.01")}, key_of("0.02"));
  };
  make(dir_, 1);
  make(root_ + "/other", 2);
  EXPECT_EQ(read_runs(dir_).size(), 1u);
  ASSERT_EQ(compare(dir_, root_ + "/other", 0).size(), 1u);
  EXPECT_EQ(compare(dir_, root_ + "/other", 0)[0].pointer, "/error");
}

TEST_F(Store, TheEvaluationGoesWithTheRunsOrTheConfigItIsOf) {
  const auto evaluate = [&](ResultStore store, const std::vector<std::string>& keys) {
    store.ask_for(keys);
    store.write_result({});
    store.write_analysis(Json::object());
    write_file(dir_ + "/verdicts.json", "[]");
  };
  const auto evaluated = [&] {
    int files = 0;
    for (const char* file : {"/result.json", "/analysis.json", "/verdicts.json"}) files += fs::exists(dir_ + file);
    return files;
  };
  evaluate(open(), {"a", "b"});
  open().ask_for({"a", "b"});
  EXPECT_EQ(evaluated(), 3);
  open().ask_for({"a", "c"});
  EXPECT_EQ(evaluated(), 0);
  evaluate(open(), {"a"});
  open("table-1", {{"h", 2}});
  EXPECT_EQ(evaluated(), 0);
}

// The same specification computed by other code: the last one counts, for readers too.
TEST_F(Store, NewerRunSupersedesTheSameSpecification) {
  ResultStore store = open();
  Json old = run_record("0.01", 5);
  old["key"] = "key of older code";
  store.append(old);
  store.append(run_record("0.01", 7));
  ASSERT_EQ(store.all().size(), 1u);
  EXPECT_EQ(store.all()[0]["error"], 7);
  EXPECT_EQ(store.find("key of older code")->at("error"), 5);
}

TEST_F(Store, NotANumberIsNullFromTheStart) {
  ResultStore store = open();
  store.append(run_record("0.01", std::numeric_limits<double>::quiet_NaN()));
  EXPECT_TRUE(store.find(key_of("0.01"))->at("error").is_null());
}

TEST_F(Store, RecordWithoutKeyIsAProgramError) {
  ResultStore store = open();
  EXPECT_THROW(store.append(Json{{"status", "ok"}}), std::invalid_argument);
  EXPECT_EQ(read(runs_file()), "");
}

TEST_F(Store, UnwritablePlacesAreNamed) {
  write_file(root_ + "/file", "");
  EXPECT_THAT(input_error_of([&] { ResultStore::open(root_ + "/file/out", "table-1", Json::object()); }),
              HasSubstr(root_ + "/file/out"));
  EXPECT_THAT(input_error_of([] { ResultStore::open("/proc/daelab", "table-1", Json::object()); }),
              HasSubstr("/proc/daelab"));
}

TEST_F(Store, SecondWriterIsRefused) {
  const ResultStore store = open();
  EXPECT_THAT(input_error_of([&] { open(); }), HasSubstr("is being written"));
}

// Torn, or with a flipped bit: readers name it, and the next run makes it anew and keeps all runs.
TEST_F(Store, DamagedManifestIsNamedAndWrittenAnew) {
  open().append(run_record("0.01"));
  const std::string path = dir_ + "/manifest.json", whole = read(path);
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
  const std::string before = read(runs_file());

  rlimit unlimited{};
  ::getrlimit(RLIMIT_FSIZE, &unlimited);
  const auto default_action = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit tight{before.size() + 10, unlimited.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &tight);
  EXPECT_THROW(store.append(run_record("0.02")), std::runtime_error);
  ::setrlimit(RLIMIT_FSIZE, &unlimited);
  std::signal(SIGXFSZ, default_action);

  EXPECT_EQ(read(runs_file()), before);
  EXPECT_FALSE(store.find(key_of("0.02")).has_value());
  store.append(run_record("0.02"));
  EXPECT_EQ(store.all().size(), 2u);
}

TEST_F(Store, ChangedAnalysisIsNamed) {
  open().write_analysis({{"series", Json::array()}, {"order", 4.5}});
  const std::string path = dir_ + "/analysis.json", whole = read(path);
  EXPECT_EQ(read_analysis(dir_), Json({{"series", Json::array()}, {"order", 4.5}}));
  for (const auto& [before, now] : {std::pair("4.5", "4.6"), {"checksum", "chocksum"}, {"order", "orber"}}) {
    std::string changed = whole;
    changed.replace(changed.find(before), std::string(before).size(), now);
    write_file(path, changed);
    EXPECT_THAT(input_error_of([&] { read_analysis(dir_); }), AllOf(HasSubstr("analysis.json"), HasSubstr("checksum")));
  }
}

// ----- other programs in the folder -----

TEST_F(Store, DeletedRunsAreWrittenAnew) {
  ResultStore store = open();
  store.append(run_record("0.01"));
  fs::remove(runs_file());
  store.append(run_record("0.02"));
  store.flush();
  EXPECT_EQ(read_runs(dir_).size(), 2u);
  store.append(run_record("0.03"));
  fs::rename(runs_file(), dir_ + "/elsewhere");
  store.flush();
  EXPECT_EQ(read_runs(dir_).size(), 3u);
  EXPECT_TRUE(store.find(key_of("0.02")));
}

TEST_F(Store, RunsThatCannotBeKeptAreAnError) {
  const auto message = [&](auto&& disturb) {
    fs::remove_all(dir_);
    ResultStore store = open();
    store.append(run_record("0.01"));
    disturb();
    try {
      store.flush();
      store.append(run_record("0.02"));
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  EXPECT_THAT(message([&] { write_file(runs_file(), "mine\n"); }), HasSubstr("another file"));
  EXPECT_THAT(message([&] { fs::resize_file(runs_file(), 3); }), HasSubstr("cut it short"));
  EXPECT_THAT(message([&] { fs::remove_all(dir_); }), HasSubstr("cannot be written anew"));
}

// By the flusher, without anybody asking.
TEST_F(Store, DeletedRunsAreNoticedWhileRunning) {
  ResultStore store = open();
  store.append(run_record("0.01"));
  fs::remove(runs_file());
  for (int i = 0; i < 500 && !fs::exists(runs_file()); ++i) {
    store.append(run_record(std::to_string(i)));
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_TRUE(fs::exists(runs_file()));
}

TEST_F(Store, SymbolicLinksAreRefusedAndNotFollowed) {
  const std::string outside = root_ + "/outside";
  for (const char* name : {"/runs.jsonl", "/manifest.json", "/.lock", "/result.json", "/analysis.json"}) {
    SCOPED_TRACE(name);
    fs::remove_all(dir_);
    open();
    write_file(outside, "mine");
    fs::remove(dir_ + name);
    fs::create_symlink(outside, dir_ + name);
    EXPECT_THAT(input_error_of([&] {
                  ResultStore store = open();
                  store.append(run_record("0.01"));
                  store.write_analysis(Json::object());
                  store.write_result({});
                }),
                HasSubstr("symbolic link"));
    EXPECT_EQ(read(outside), "mine");
  }
  fs::remove_all(dir_);
  ResultStore store = open();
  Json record = run_record("0.01");
  const std::string csv = "t\n0\n", key = record["key"];
  record["trajectory_checksum"] = content_hash(csv);
  fs::create_symlink(outside, store.trajectory_path(key));
  EXPECT_THAT(input_error_of([&] { store.append_finished(key, run_line(record), csv); }), HasSubstr("symbolic link"));
  EXPECT_EQ(read(outside), "mine");
}

// A process that was killed while it wrote a file leaves the beginning of it; one that still runs needs its own.
TEST_F(Store, FilesLeftOverByKilledProcessesAreRemoved) {
  open();
  fs::create_directories(dir_ + "/report");
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  const std::string dead = "." + std::to_string(child) + "-3.tmp", alive = "." + std::to_string(::getppid()) + "-3.tmp";
  for (const std::string& name : {"/manifest.json" + dead, "/trajectories/a.csv" + dead, "/report/index.html" + dead,
                                  "/result.json" + alive, std::string("/mine.tmp"), std::string("/mine.x-3.tmp")})
    write_file(dir_ + name, "half");
  open();
  EXPECT_FALSE(fs::exists(dir_ + "/manifest.json" + dead));
  EXPECT_FALSE(fs::exists(dir_ + "/trajectories/a.csv" + dead));
  EXPECT_FALSE(fs::exists(dir_ + "/report/index.html" + dead));
  for (const std::string& name : {"/result.json" + alive, std::string("/mine.tmp"), std::string("/mine.x-3.tmp")})
    EXPECT_TRUE(fs::exists(dir_ + name)) << name;
}

TEST_F(Store, ResultAndAnalysisAreWritten) {
  ResultStore store = open();
  EXPECT_TRUE(read_analysis(dir_).is_null());
  Artifacts artifacts;
  artifacts.name = "table-1";
  store.write_result(artifacts);
  store.write_analysis({{"series", Json::array()}});
  EXPECT_EQ(read_json_file(dir_ + "/result.json")["name"], "table-1");
  EXPECT_TRUE(read_analysis(dir_).contains("series"));
  EXPECT_TRUE(read_json_file(dir_ + "/manifest.json").contains("finished"));
  EXPECT_THROW(read_runs(root_ + "/nowhere"), InputError);
  EXPECT_THROW(read_analysis(root_ + "/nowhere"), InputError);
}

// ----- hashes -----

TEST(ContentHash, IsXxh3With128Bit) {
  EXPECT_EQ(content_hash(std::string()), "99aa06d3014798d86001c324468d497f");  // XXH3 reference
  EXPECT_NE(content_hash(std::string("a")), content_hash(std::string("b")));
}

TEST(ContentHash, OrderOfKeysNeverMatters) {
  const Json a = Json::parse(R"({"h": "0.01", "method": {"r": 4, "nodes": ["1/2", "1"]}})");
  const Json b = Json::parse(R"({"method": {"nodes": ["1/2", "1"], "r": 4}, "h": "0.01"})");
  EXPECT_EQ(content_hash(a), content_hash(b));
  EXPECT_EQ(make_run_key(a), make_run_key(b));
}

TEST(ContentHash, OrderOfElementsAndValuesMatter) {
  EXPECT_NE(content_hash(Json::parse("[1, 2]")), content_hash(Json::parse("[2, 1]")));
  EXPECT_NE(make_run_key({{"h", "0.01"}}), make_run_key({{"h", "0.02"}}));
  EXPECT_NE(make_run_key({}, {{"engines", "1"}}), make_run_key({}, {{"engines", "2"}}));
  EXPECT_NE(make_run_key({}, {}, "one reference"), make_run_key({}, {}, "another"));
}

TEST(SourceHash, IsOfThePartThatTheSourceBelongsTo) {
  const SourceHashes hashes{{"engines", "1"}, {"core/a.cpp", "1"}, {"methods/b.cpp", "2"}};
  EXPECT_EQ(source_hash("engines", hashes), "1");
  EXPECT_EQ(source_hash(source_name(source_path("/methods/b.cpp")), hashes), "2");
  // For a source unknown to the build: everything.
  EXPECT_EQ(source_hash("methods/new.cpp", hashes).size(), 32u);
  EXPECT_EQ(source_hash("methods/new.cpp", hashes), source_hash("engines", {}));
}

// Every component is of some part: its runs survive changes of others.
TEST(SourceHash, TheBuildKnowsItsSources) {
  for (const char* source : {"engines", "core/base/exact.cpp", "methods/runge_kutta/gauss.cpp", "problems/pendulum.cpp",
                             "docs/examples/my_method.cpp", "lab/runs/run_spec.cpp"})
    EXPECT_TRUE(source_hashes().contains(source)) << source;
  EXPECT_NE(source_hash("problems/pendulum.cpp"), source_hash("engines"));
  EXPECT_EQ(source_hash("core/base/exact.cpp"), source_hash("engines"));
}

TEST(Provenance, KnowsWhereItRuns) {
  const Json json = current_provenance();
  EXPECT_EQ(json["date"].get<std::string>().back(), 'Z');
  EXPECT_THAT(json["system"].get<std::string>(), HasSubstr(" "));
  EXPECT_GT(json["cores"].get<int>(), 0);
  EXPECT_FALSE(json["code"].get<std::string>().empty());
  EXPECT_EQ(json["code"], code_hash());
}

}  // namespace TEST_FILE
}  // namespace daelab
