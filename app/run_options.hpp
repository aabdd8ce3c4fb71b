// Options of verbs that are keys of runs: what a config can say of a run can be said there, under the same name and in
// the same words.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <set>
#include <string>

#include "app/commands.hpp"
#include "app/usage.hpp"

namespace daelab::app {

/// Options of a verb that makes runs, without keys that it takes in its own way; `candidates` learns what may stand for
/// them.
void add_run_options(CLI::App& verb, Json& run, Candidates& candidates, const std::set<std::string>& own);

/// Values, weights and names of a start, by their keys.
void add_start_values(CLI::App& verb, std::map<std::string, std::string>& values);

}  // namespace daelab::app
