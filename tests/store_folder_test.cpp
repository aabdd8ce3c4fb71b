// Other programs in the folder of a store: files that are deleted, linked elsewhere or left over.
#include "results/store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "core/base/write_file.hpp"
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
using testing::HasSubstr;

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
    EXPECT_EQ(read_text(outside), "mine");
  }
  fs::remove_all(dir_);
  ResultStore store = open();
  Json record = run_record("0.01");
  const std::string csv = "t\n0\n", key = record["key"];
  record["trajectory_checksum"] = content_hash(csv);
  fs::create_symlink(outside, store.trajectory_path(key));
  EXPECT_THAT(input_error_of([&] { store.append_finished(key, run_line(record), csv); }), HasSubstr("symbolic link"));
  EXPECT_EQ(read_text(outside), "mine");
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

}  // namespace TEST_FILE
}  // namespace daelab
