// Other programs: which one is started, and from where.
#include "core/base/process.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "tests/test_folder.hpp"

namespace daelab {
namespace TEST_FILE {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::ThrowsMessage;

class Process : public testing::Test {
 protected:
  Process() {
    std::ofstream(folder / "some-tool") << "#!/bin/sh\necho here\n";
    fs::permissions(folder / "some-tool", fs::perms::owner_all);
  }
  ~Process() override { ::setenv("PATH", path.c_str(), 1); }
  void set_path(const std::string& value) const { ::setenv("PATH", (value + ":" + path).c_str(), 1); }

  TemporaryFolder temporary;
  fs::path folder = temporary.path();
  std::string path = std::getenv("PATH");
};

// A report that came from elsewhere may have a program of that name in its folder.
TEST_F(Process, ProgramsAreNotFoundInTheFolderTheyRunIn) {
  for (const char* first : {".", "", "./", "..", "bin"}) {
    set_path(first);
    EXPECT_EQ(find_program("some-tool"), "") << first;
    EXPECT_THAT([&] { run_process({"some-tool"}, folder.string()); },
                ThrowsMessage<std::runtime_error>(HasSubstr("cannot run some-tool: it is in no folder of PATH")));
  }
}

TEST_F(Process, ProgramsAreFoundInFoldersOfPath) {
  set_path(".:" + folder.string());
  EXPECT_EQ(find_program("some-tool"), (folder / "some-tool").string());
  EXPECT_EQ(run_process({"some-tool"}, "/").output, "here\n");
}

}  // namespace TEST_FILE
}  // namespace daelab
