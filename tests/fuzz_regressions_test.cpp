// Inputs that fuzzing has found wrong once: fuzz/regressions/<target>/, a file each. Every target takes them, and its
// answer is one that a person can use, in time.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/base/paths.hpp"
#include "core/integration/method_files.hpp"
#include "fuzz/target.hpp"
#include "tests/file_support.hpp"

namespace daelab {
namespace TEST_FILE {

namespace fs = std::filesystem;

TEST(FuzzRegressions, StayMended) {
  constexpr double most_seconds = 5;
  int cases = 0;
  for (const auto& folder : fs::directory_iterator(project_path("fuzz/regressions"))) {
    const auto target = fuzzing::targets().find(folder.path().filename().string());
    ASSERT_NE(target, fuzzing::targets().end()) << "no target for " << folder.path();
    for (const auto& file : fs::directory_iterator(folder)) {
      const auto begin = std::chrono::steady_clock::now();
      EXPECT_EQ(fuzzing::finding(target->second, read_text(file.path())), "") << file.path();
      const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
      EXPECT_LT(seconds.count(), most_seconds) << file.path();
      ++cases;
    }
  }
  EXPECT_GT(cases, 20);  // there are 66: the folder was read
}

}  // namespace TEST_FILE
}  // namespace daelab
