// Changes of JSON that keep it JSON: what lies behind a parser is seldom reached by changed bytes.
#pragma once

#include <functional>
#include <optional>
#include <random>
#include <string>

namespace daelab::fuzzing {

/// Changes a text: a mutation of bytes, of the engine that calls.
using ChangeText = std::function<std::string(const std::string&)>;

/// The input with one or a few places of its document changed, or of one of the documents that are on a line of it
/// each. None where there is no list or object.
std::optional<std::string> mutate_json(const std::string& input, std::mt19937& random, const ChangeText& change_text);

}  // namespace daelab::fuzzing
