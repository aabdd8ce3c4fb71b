// What input may ask for before it is refused. The one list of limits; every verb of the command line changes them by
// --limit NAME=VALUE.
#pragma once

#include <string>

#include "core/base/real.hpp"

namespace daelab {

/// Each may be raised or lowered. They keep a slip, or a file made to do harm, from using up the machine.
struct Limits {
  long runs = 1'000'000;            // of one config
  long nesting = 200;               // levels of lists and objects, of parentheses
  long terms = 1'000'000;           // of loops and sums of a problem in JSON, each
  long file_bytes = 1L << 30;       // of a file that is read as one JSON document
  long digits = 1000;               // of an exact number as it is written
  long number_characters = 10'000;  // of the text of an exact number
  long exponent = 10'000;           // of ten, of any value on the way to an exact number

  auto operator<=>(const Limits&) const = default;
};

/// Limits of the context of this thread.
const Limits& limits();

/// "runs=2000000": changes one of `limits`; "memory-megabytes=4000" how much memory the whole program may use, which no
/// context has for itself. Throws InputError with the known names and the nearest one, and for a value that is no whole
/// number in range.
void set_limit(Limits& limits, const std::string& text);

/// "runs, nesting, ...": the names with their meaning and the value in force, for help.
std::string limits_help();

/// x is zero, or its size is within the limit `exponent`: sines of larger numbers take hours.
bool has_allowed_size(const Real100& x);

/// "(allowed are 1000000; --limit runs=N changes that)": what a message about a limit ends with.
std::string limit_hint(const std::string& name);

}  // namespace daelab
