// The verbs of the program and what they take. What they do is in their own files.
#pragma once

namespace daelab::app {

/// Reads the command line and carries out its verb; help where it is empty. Returns the exit code of the verb
/// (app/commands.hpp). Throws InputError for what no verb takes, and what the verb throws.
int carry_out(int argc, char** argv);

}  // namespace daelab::app
