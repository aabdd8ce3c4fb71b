// The program on a terminal of its own: what it prints there, colours and all.
#pragma once

#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/build_paths.hpp"

namespace daelab {

/// Both streams of the program, started in a folder, on a terminal with so many columns; lines end with "\n".
inline std::string on_terminal(std::vector<std::string> arguments, const std::filesystem::path& folder,
                               unsigned short columns = 80, bool no_color = false) {
  arguments.insert(arguments.begin(), built_program());
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  winsize size{.ws_row = 24, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, &size);
  if (child == 0) {
    ::setenv("TERM", "xterm", 1);
    no_color ? ::setenv("NO_COLOR", "1", 1) : ::unsetenv("NO_COLOR");
    if (::chdir(folder.c_str()) == 0) ::execv(pointers.front(), pointers.data());
    ::_exit(127);
  }
  std::string text;
  std::array<char, 4096> buffer;
  for (ssize_t n = 0; (n = ::read(terminal, buffer.data(), buffer.size())) > 0;)
    for (ssize_t i = 0; i < n; ++i)
      if (const char c = buffer[static_cast<std::size_t>(i)]; c != '\r') text += c;
  ::close(terminal);
  ::waitpid(child, nullptr, 0);
  return text;
}

}  // namespace daelab
