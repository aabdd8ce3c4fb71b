// Files, pipes and devices that are read to their end, and waits that end when somebody asks.
#include "core/base/read_file.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "core/base/context.hpp"
#include "core/base/input_error.hpp"
#include "core/base/interrupted.hpp"
#include "core/base/write_file.hpp"
#include "tests/test_folder.hpp"

namespace daelab {
namespace TEST_FILE {

using std::chrono::milliseconds;
using testing::HasSubstr;
using testing::ThrowsMessage;

// A context whose user asks it to stop, once it waits.
class SoonInterrupted {
  Context context_ = Context::process();
  Context::Scope scope_{context_};
  std::jthread user_{[this] {
    std::this_thread::sleep_for(milliseconds(50));
    context_.interrupt.request();
  }};
};

class ReadFile : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  std::string pipe() const {
    EXPECT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
    return path("pipe");
  }
  TemporaryFolder folder_;
};

TEST_F(ReadFile, HasAllBytes) {
  const std::string text(200'000, 'x');
  write_file(path("file"), text);
  EXPECT_EQ(read_whole(path("file"), 1 << 20), text);
  write_file(path("empty"), "");
  EXPECT_EQ(read_whole(path("empty"), 10), "");
  EXPECT_EQ(read_whole("/dev/null", 10), "");
}

TEST_F(ReadFile, RefusesWhatItCannotRead) {
  const auto reading = [](const std::string& name) { return [name] { read_whole(name, 100'000); }; };
  EXPECT_THAT(reading(path("none")), ThrowsMessage<InputError>(HasSubstr("none: No such file")));
  EXPECT_THAT(reading(folder_.path()), ThrowsMessage<InputError>(HasSubstr("it is a directory")));
  EXPECT_THAT(reading("/dev/zero"), ThrowsMessage<InputError>(HasSubstr("/dev/zero: longer than 100000 bytes")));
}

// The writer comes late, writes twice, and goes.
TEST_F(ReadFile, WaitsForAPipe) {
  const std::string name = pipe();
  std::jthread writer([&name] {
    std::this_thread::sleep_for(milliseconds(50));
    std::ofstream file(name);
    file << "one " << std::flush;
    std::this_thread::sleep_for(milliseconds(50));
    file << "two";
  });
  EXPECT_EQ(read_whole(name, 100), "one two");
}

// What bash makes of <(...): the writer may have gone before it is opened.
TEST_F(ReadFile, EndsWithAPipeWithoutName) {
  for (const std::string text : {"", "text"}) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    ASSERT_EQ(write_all(ends[1], text), 0);
    ::close(ends[1]);
    EXPECT_EQ(read_whole("/dev/fd/" + std::to_string(ends[0]), 100), text);
    ::close(ends[0]);
  }
}

TEST_F(ReadFile, StopsWaitingWhenAsked) {
  const std::string name = pipe();
  const SoonInterrupted user;
  EXPECT_THROW(read_whole(name, 100), Interrupted);
}

TEST_F(ReadFile, StopsWaitingForAReaderWhenAsked) {
  const std::string name = pipe();
  const SoonInterrupted user;
  EXPECT_THROW(write_named_file(name, "text"), Interrupted);
}

// More than a pipe holds.
TEST_F(ReadFile, HasWhatIsWrittenToAPipe) {
  const std::string name = pipe(), text(300'000, 'x');
  std::string found;
  std::jthread reader([&] { found = read_whole(name, 1 << 20); });
  write_named_file(name, text);
  reader.join();
  EXPECT_EQ(found, text);
}

// A file that is no regular one has no bytes, and is not waited for.
TEST_F(ReadFile, BytesOfAPipeAreNone) { EXPECT_FALSE(file_bytes(pipe())); }

}  // namespace TEST_FILE
}  // namespace daelab
