#include "core/base/write_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/base/input_error.hpp"
#include "tests/test_folder.hpp"

namespace daelab {
namespace TEST_FILE {

namespace fs = std::filesystem;
using testing::HasSubstr;

class WriteFile : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  std::string content(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  long files() const { return std::distance(fs::directory_iterator(folder_.path()), {}); }

  TemporaryFolder folder_;
};

TEST_F(WriteFile, ReplacesTheFileAndLeavesNothingBeside) {
  write_file(path("a.txt"), "old");
  write_file(path("a.txt"), "new");
  EXPECT_EQ(content("a.txt"), "new");
  EXPECT_EQ(files(), 1);
}

// A link in a results folder that came from elsewhere must not lead to a file outside of it.
TEST_F(WriteFile, ALinkIsReplacedAndNeverFollowed) {
  write_file(path("target.txt"), "mine");
  for (const char* target : {"target.txt", "nowhere", "/dev/full"}) {
    SCOPED_TRACE(target);
    fs::remove(path("link.txt"));
    fs::create_symlink(target, path("link.txt"));
    write_file(path("link.txt"), "new");
    EXPECT_FALSE(fs::is_symlink(path("link.txt")));
    EXPECT_EQ(content("link.txt"), "new");
    EXPECT_EQ(content("target.txt"), "mine");
    EXPECT_FALSE(fs::exists(path("nowhere")));
  }
}

TEST_F(WriteFile, FoldersDevicesAndPipesAreRefused) {
  EXPECT_THAT([&] { write_file(path("none/a.txt"), "x"); },
              ThrowsMessage<InputError>(HasSubstr("there is no folder " + path("none"))));
  EXPECT_THAT([&] { write_file(path(""), "x"); }, ThrowsMessage<InputError>(HasSubstr("it is a directory")));
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_THAT([&] { write_file(path("pipe"), "x"); }, ThrowsMessage<InputError>(HasSubstr("it is a device or a pipe")));
}

TEST_F(WriteFile, AFileThatTheUserNamesMayBeALinkOrADevice) {
  write_named_file(path("target.txt"), "old");
  fs::create_symlink(path("target.txt"), path("link.txt"));
  write_named_file(path("link.txt"), "new");
  EXPECT_TRUE(fs::is_symlink(path("link.txt")));
  EXPECT_EQ(content("target.txt"), "new");
  write_named_file("/dev/null", "x");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_THROW(write_named_file("/dev/full", "x"), InputError);
}

TEST_F(WriteFile, WhatAKilledProcessLeftBesideGoes) {
  for (const char* name :
       {"index.html.999999999-0.tmp", "a.gp.999999999-12.tmp", "notes.tmp", "a.1-2.tmp", "b.-1-2.tmp"})
    write_file(path(name), "x");
  fs::create_directory(path("c.999999999-0.tmp"));  // not its own
  remove_unfinished_files(folder_.path());
  std::vector<std::string> left;
  for (const auto& entry : fs::directory_iterator(folder_.path())) left.push_back(entry.path().filename());
  EXPECT_THAT(left, testing::UnorderedElementsAre("notes.tmp", "a.1-2.tmp", "b.-1-2.tmp", "c.999999999-0.tmp"))
      << "process 1 runs";
  remove_unfinished_files(path("nowhere"));
}

}  // namespace TEST_FILE
}  // namespace daelab
