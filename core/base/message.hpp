// Text from outside inside messages: readable, and short enough to read.
#pragma once

#include <cstddef>
#include <string>

namespace daelab {

/// What is quoted: "beginning ... (1234 bytes left out) ... end" where it is longer than `most` bytes, with whole
/// characters of UTF-8.
std::string without_middle(const std::string& text, std::size_t most = 120);

/// A whole message as the program prints it: UTF-8 without control characters other than the newline, at most 2000
/// bytes: the beginning and the end stay.
std::string readable_message(const std::string& message);

}  // namespace daelab
