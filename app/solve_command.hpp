// Commands for the reader to run: the one that makes a stored run again, alone.
#pragma once

#include <string>

#include "core/base/json.hpp"

namespace daelab::app {

/// "./daelab solve --problem ..." of the specification of a time integration, without what `solve` takes by itself; ""
/// for runs of other kinds, and for those whose components are documents in place, which no command line holds.
std::string solve_command(const Json& spec);

/// A text as one word of a command line: in quotes if a shell would read it otherwise.
std::string quoted(const std::string& text);

}  // namespace daelab::app
