// Options of verbs that are keys of runs: what a config can say of a run can be said there, under the same name and in
// the same words.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>

#include "app/commands.hpp"
#include "app/usage.hpp"

namespace daelab::app {

/// Options of a verb that makes one run; `candidates` learns what may stand for them.
void add_run_options(CLI::App& verb, SolveArguments& arguments, Candidates& candidates);

/// Values, weights and names of a start, by their keys.
void add_start_values(CLI::App& verb, std::map<std::string, std::string>& values);

}  // namespace daelab::app
