// The command that makes a stored run again, alone.
#pragma once

#include <string>

#include "core/base/json.hpp"

namespace daelab::app {

/// "./daelab solve --problem ..." of the specification of a time integration, without what `solve` takes by itself; ""
/// for runs of other kinds, and for those whose components are documents in place, which no command line holds.
std::string solve_command(const Json& spec);

}  // namespace daelab::app
