#include "results/store.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <limits>
#include <thread>

#include "core/base/json_file.hpp"
#include "core/base/write_file.hpp"
#include "results/compare.hpp"
#include "results/provenance.hpp"
#include "results/reference_errors.hpp"
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
using testing::StartsWith;

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

// In every way of reading many runs the records are the same as one by one.
TEST_F(Store, ManyRunsAreReadAsOneByOne) {
  constexpr int count = 500;
  ResultStore store = open();
  std::vector<std::string> keys, as_appended, by_spec;
  for (int i = 0; i < count; ++i) {
    const std::string h = fmt::format("0.{}", 1000 + i * 7 % count);
    store.append(run_record(h, i));
    keys.push_back(key_of(h));
    as_appended.push_back(h), by_spec.push_back(h);
  }
  std::ranges::sort(by_spec);
  keys.insert(keys.begin() + 100, "no such key");
  const std::vector<std::optional<Json>> found = store.read_ahead(keys);
  ASSERT_EQ(found.size(), keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) EXPECT_EQ(found[i], store.find(keys[i])) << keys[i];
  EXPECT_FALSE(found[100]);

  std::vector<std::string> visited, read, read_by_spec;
  visit_runs(dir_, false, [&](const Json& run) { visited.push_back(run["spec"]["h"]); });
  EXPECT_EQ(visited, as_appended);
  for (const Json& run : read_runs(dir_)) {
    read.push_back(run["spec"]["h"]);
    EXPECT_EQ(run, store.find(run["key"].get<std::string>()));
  }
  EXPECT_EQ(read, by_spec);
  visit_runs_with_errors(dir_, [&](const Json& run) { read_by_spec.push_back(run["spec"]["h"]); });
  EXPECT_EQ(read_by_spec, by_spec);
}

// Records of a megabyte are read one after another, and none is left out.
TEST_F(Store, LargeRecordsAreReadAFewAtATime) {
  ResultStore store = open();
  std::vector<std::string> keys, visited;
  for (int i = 0; i < 8; ++i) {
    Json record = run_record(std::to_string(i));
    record["cause"] = std::string(1 << 20, 'x');
    store.append(record);
    keys.push_back(key_of(std::to_string(i)));
  }
  const std::size_t together = store.read_ahead(keys).size();
  EXPECT_GE(together, 1u);
  EXPECT_LT(together, keys.size());
  visit_runs(dir_, false, [&](const Json& run) { visited.push_back(run["key"]); });
  EXPECT_EQ(visited, keys);
}

TEST_F(Store, OneOfManyThatIsNotAsItWasWrittenIsNamed) {
  ResultStore store = open();
  std::vector<std::string> keys;
  for (int i = 0; i < 300; ++i) {
    store.append(run_record(std::to_string(i)));
    keys.push_back(key_of(std::to_string(i)));
  }
  change_byte(runs_file(), read_text(runs_file()).find("\"h\":\"170\"") + 5, '2');
  const std::vector<std::optional<Json>> found = store.read_ahead(keys);
  EXPECT_EQ(std::ranges::count_if(found, [](const auto& record) { return !record; }), 1);
  EXPECT_FALSE(found[170]);
  EXPECT_FALSE(store.has(keys[170]));
  EXPECT_THAT(input_error_of([&] { read_runs(dir_); }), HasSubstr("runs.jsonl:171"));
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
  const std::string manifest = read_text(dir_ + "/manifest.json"), runs = read_text(runs_file());
  EXPECT_THAT(input_error_of([&] { open("table-2"); }),
              AllOf(HasSubstr("'table-1'"), HasSubstr("'table-2'"), HasSubstr("--force")));
  EXPECT_EQ(read_text(dir_ + "/manifest.json"), manifest);
  EXPECT_EQ(read_text(runs_file()), runs);
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
                              "kept, which the config does not contain");
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
  EXPECT_EQ(read_text(runs_file()), "");
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

// ----- other programs in the folder -----

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

}  // namespace TEST_FILE
}  // namespace daelab
