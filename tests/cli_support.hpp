// The program as its users meet it: a child process with arguments, exit code, standard output and error.
#pragma once

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "core/base/json.hpp"
#include "tests/build_paths.hpp"
#include "tests/file_support.hpp"
#include "tests/test_folder.hpp"

namespace daelab {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

inline std::string read(const fs::path& path) { return read_text(path); }

inline void write(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

inline long lines(const fs::path& path) {
  const std::string text = read(path);
  return std::count(text.begin(), text.end(), '\n');
}

struct Outcome {
  int code = -1;
  std::string out, err;
};

// The program, started in a folder of its own; with `together`, both its streams are the one file that is read as
// `out`.
class Child {
 public:
  enum class Streams { apart, together };
  Child(const Arguments& arguments, const fs::path& folder, Streams streams = Streams::apart) : folder_(folder) {
    Arguments all{built_program()};
    all.insert(all.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& argument : all) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    const fs::path out = folder / ".stdout", err = folder / ".stderr";
    pid_ = ::fork();
    if (pid_ != 0) return;
    redirect("/dev/null", O_RDONLY, STDIN_FILENO);
    redirect(out, O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
    redirect(err, O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
    if (streams == Streams::together) ::dup2(STDOUT_FILENO, STDERR_FILENO);
    if (::chdir(folder.c_str()) == 0) ::execv(pointers.front(), pointers.data());
    ::_exit(127);
  }
  void interrupt() const { ::kill(pid_, SIGINT); }
  void kill() const { ::kill(pid_, SIGKILL); }
  Outcome wait() {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read(folder_ / ".stdout"),
            read(folder_ / ".stderr")};
  }

 private:
  static void redirect(const fs::path& path, int flags, int target) {
    ::dup2(::open(path.c_str(), flags, 0644), target);
  }
  fs::path folder_;
  pid_t pid_ = -1;
};

class Cli : public testing::Test {
 protected:
  Cli() { ::setenv("DAELAB_ROOT", source_path("").c_str(), 1); }

  Outcome daelab(const Arguments& arguments) const { return Child(arguments, folder).wait(); }
  Outcome daelab_ok(const Arguments& arguments) const {
    Outcome outcome = daelab(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome;
  }
  Json json_of(const Arguments& arguments, int code = 0) const {
    const Outcome outcome = daelab(arguments);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    return Json::parse(outcome.out);  // one document and nothing else, or this throws
  }
  // Exit code 2, nothing printed, and a message with all these parts.
  void expect_refused(const Arguments& arguments, const std::vector<std::string>& parts) const {
    SCOPED_TRACE(testing::PrintToString(arguments));
    const Outcome outcome = daelab(arguments);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.out, testing::IsEmpty());
    EXPECT_THAT(outcome.err, testing::StartsWith("daelab: "));
    EXPECT_THAT(outcome.err, testing::Not(testing::HasSubstr("json.exception")));
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    for (const std::string& part : parts) EXPECT_THAT(outcome.err, testing::HasSubstr(part));
  }
  // The same for a config, which must leave no result set behind either.
  void expect_config_refused(const std::string& text, const std::vector<std::string>& parts) const {
    SCOPED_TRACE(text);
    write(folder / "config.json", text);
    expect_refused({"run", "config.json"}, parts);
    EXPECT_FALSE(fs::exists(folder / "out"));
  }

  TemporaryFolder temporary;
  fs::path folder = temporary.path();
};

inline const Arguments two_link{"solve", "--problem", "two-link-manipulator", "--json"};
inline const Arguments pendulum{"solve", "--problem", "pendulum", "--method", "pade-block",
                                "--h",   "0.01",      "--t-end",  "1"};

inline Arguments with(Arguments base, const Arguments& more) {
  base.insert(base.end(), more.begin(), more.end());
  return base;
}

}  // namespace daelab
