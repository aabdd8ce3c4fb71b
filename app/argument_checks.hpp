// Checks of the command line. Those of numbers return "" for what is allowed, otherwise what is: CLI11's own print the
// bounds of the type.
#pragma once

#include <string>

namespace daelab::app {

std::string not_negative(const std::string& text);

/// A thread each, of this machine or of that of a task: more are a slip, and take its memory.
std::string job_number(const std::string& text);

/// Before a run, not after it: throws InputError where the file of this option cannot be written.
void check_writable(const std::string& option, const std::string& path);

/// Of runs, for their times.
std::string repeat_number(const std::string& text);

}  // namespace daelab::app
