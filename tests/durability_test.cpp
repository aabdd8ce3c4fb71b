// What is said to be on disk was asked to be there: a power cut takes what was only written. Every fsync() of this
// process goes through the one defined here, which knows the names of the files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>
#include <thread>

#include "core/base/write_file.hpp"
#include "results/store.hpp"
#include "tests/test_folder.hpp"

namespace {

std::mutex mutex;
std::vector<std::string>* synced = nullptr;  // null: nobody asks

int sync_and_note(long call, int file) {
  {
    const std::lock_guard guard(mutex);
    if (synced != nullptr) synced->push_back(std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(file)));
  }
  return static_cast<int>(::syscall(call, file));
}

}  // namespace

extern "C" int fsync(int file) { return sync_and_note(SYS_fsync, file); }
extern "C" int fdatasync(int file) { return sync_and_note(SYS_fdatasync, file); }

namespace daelab {
namespace TEST_FILE {

template <class F>
std::vector<std::string> synced_by(F&& call) {
  std::vector<std::string> files;
  {
    const std::lock_guard guard(mutex);
    synced = &files;
  }
  call();
  const std::lock_guard guard(mutex);
  synced = nullptr;
  return files;
}

bool was_synced(const std::string& file) {
  const std::lock_guard guard(mutex);
  return std::ranges::find(*synced, file) != synced->end();
}

// Together with others: some tens of milliseconds after append() returned.
TEST(Durability, AppendedRunsAreOnDiskSoonAndWhenTheStoreIsClosed) {
  const TemporaryFolder folder;
  const std::string dir = std::filesystem::canonical(folder.path()).string() + "/set", runs = dir + "/runs.jsonl";
  auto store = std::make_unique<ResultStore>(ResultStore::open(dir, "set", Json::object()));
  const auto append = [&](const char* key) { store->append({{"key", key}, {"spec", {{"h", key}}}}); };
  synced_by([&] {
    append("a");
    for (int i = 0; i < 500 && !was_synced(runs); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_TRUE(was_synced(runs));
  });
  const auto files = synced_by([&] {
    append("b");
    store.reset();
  });
  EXPECT_THAT(files, testing::Contains(runs));
}

TEST(Durability, AWrittenFileIsOnDiskBeforeItHasItsName) {
  const TemporaryFolder folder;
  const std::string path = std::filesystem::canonical(folder.path()).string() + "/a.json";
  EXPECT_THAT(synced_by([&] { write_file(path, "{}"); }),
              testing::ElementsAre(testing::AllOf(testing::StartsWith(path + "."), testing::EndsWith(".tmp"))));
}

}  // namespace TEST_FILE
}  // namespace daelab
