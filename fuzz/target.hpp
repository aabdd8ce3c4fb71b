// What is fuzzed: the readers of text that people and other programs write, and what counts as a defect of them.
#pragma once

#include <map>
#include <string>

namespace daelab::fuzzing {

/// Reads one input, as the program does when it is given it. Input may be refused by InputError, and only so.
using Target = void (*)(const std::string& input);

/// By name; each file of this folder that holds one enters it.
std::map<std::string, Target>& targets();

struct TargetEntry {
  TargetEntry(const char* name, Target target) { targets().emplace(name, target); }
};

/// What is wrong with how the target took the input: "" where it was read, or refused in a message that a person can
/// use. Crashes, hangs and memory are noticed by whoever calls.
std::string finding(Target target, const std::string& input);

/// A folder of this process in memory or on disk, removed at its end.
const std::string& scratch_folder();

/// Writes a file there and returns its path.
std::string scratch_file(const std::string& name, const std::string& content);

}  // namespace daelab::fuzzing
