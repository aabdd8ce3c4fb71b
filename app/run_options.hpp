// Options of verbs that are keys of runs: what a config can say of a run can be said there, under the same name and in
// the same words.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/commands.hpp"
#include "app/usage.hpp"

namespace daelab::app {

/// Options of a verb that makes runs, without keys that it takes in its own way; `candidates` learns what may stand for
/// them.
void add_run_options(CLI::App& verb, Json& run, Candidates& candidates, const std::set<std::string>& own);

/// Values, weights and names of a start, by their keys.
void add_start_values(CLI::App& verb, std::map<std::string, std::string>& values);

/// Times and start of a reference, and where it is stored.
void add_reference_options(CLI::App& verb, ReferenceArguments& arguments);

/// All arguments of `certify`.
void add_certify_options(CLI::App& verb, CertifyArguments& arguments, Candidates& candidates);

/// All options of `judge` but --evaluate.
void add_judge_options(CLI::App& verb, JudgeArguments& arguments, Candidates& candidates);
/// All options of `reproduce` but --evaluate.
void add_reproduce_options(CLI::App& verb, ReproduceArguments& arguments, Candidates& candidates);

/// Where runs are carried out: threads, ranks or an array of tasks.
void add_engine(CLI::App& verb, EngineArguments& engine);

/// Values that change the configs.
void add_overrides(CLI::App& verb, std::vector<std::string>& overrides);

/// How often each run is made again to be timed.
void add_repeat(CLI::App& verb, std::optional<int>& repeat);

}  // namespace daelab::app
