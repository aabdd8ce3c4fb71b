// The command line of pack.
#pragma once

#include "app/commands.hpp"
#include "app/usage.hpp"

namespace daelab::app {

/// The verb, which leaves its exit code in `code`; all outlive `app`.
void add_pack_verb(CLI::App& app, PackArguments& arguments, Candidates& candidates, int& code);

}  // namespace daelab::app
