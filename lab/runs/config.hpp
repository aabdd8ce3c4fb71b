// Experiment configs: JSON files that say which runs to make and what to compute from them.
//
//   {"$schema": "...", "name": "table-1", "experiment": "drift", "title": "...",
//    "common": {run keys for all entries}, "runs": [{run keys}, ...], "reference": {run keys}, ...}
//
// Lists are grids: every combination of the listed values is a run, the last list varying fastest; so
// are lists inside "problem", "method" and "newton". A list-valued option is written as a list of lists
// or as text. Keys that vary together are in "together": a list of objects, a run for each:
//
//   "together": [{"rtol": "1e-4", "atol": "1e-5"}, {"rtol": "1e-6", "atol": "1e-7"}]
//
// "repeat" says how many times each run is repeated, alone, for its times.
//
// "claims", "findings" and "checks", lists in the format of results/claims.hpp, are judged by the results; "passages"
// are texts of documents that tell their numbers (results/told_numbers.hpp).
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/base/json.hpp"
#include "results/artifacts.hpp"

namespace daelab {

struct RunKind;
class BoundRun;
class Experiment;

/// For "repeat": more are a slip.
inline constexpr int most_repeats = 1000;

struct Config {
  std::string path;
  Json json;                           // as read, after --set
  std::vector<std::string> overrides;  // --set
  std::string name;                    // of the result set
  std::string title;
  std::shared_ptr<const Experiment> experiment;       // with its own keys read
  std::vector<std::shared_ptr<const BoundRun>> runs;  // in grid order, without duplicates
  std::vector<std::string> labels;                    // one per run: its entry's label, and what tells it apart
  std::vector<std::vector<Factor>> factors;           // one list per run: its label part by part
  std::vector<std::string> entry_labels;              // one per run: "label" of its entry, or ""
  int repeat = 0;                                     // of each run, for its times: lab/runs/repeats.hpp
  Json entries = Json::object();                      // lists of claims, findings and checks, with their "set"
  std::shared_ptr<const BoundRun> reference;          // run to compare with, instead of a stored reference; null: none
};

/// Reads and checks a config. Throws InputError with file and JSON pointer for anything wrong, before
/// any run, and Interrupted. `overrides` are /json/pointer=VALUE.
Config read_config(const std::string& path, const std::vector<std::string>& overrides = {});

/// Overload for a config that was already read from the file at `path`, or that was made: paths in it are relative to
/// that file. Errors name the place in the config alone.
Config make_config(Json json, const std::string& path, const std::vector<std::string>& overrides = {});

/// The completed specifications of the runs.
std::vector<Json> specifications(const Config& config);

/// Every combination of the entries of a run object that are lists or ranges of values.
std::vector<Json> expand_grid(const Json& run, const std::string& where);

/// What tells each of these specifications apart from the others: "h = 0.01", "index-1, r = 4", ... A key whose value
/// follows from those already named is left out.
std::vector<std::string> distinguishing_labels(const std::vector<Json>& specs);

/// The labels given, completed by what tells specifications of equal label apart.
std::vector<std::string> complete_labels(const std::vector<std::string>& given, const std::vector<Json>& specs);

/// The runs that differ in some keys only, and have one label.
struct RunGroup {
  Json spec;                      // without these keys
  std::string label;              // as of runs: its entry's label, and what tells it apart
  std::vector<Factor> factors;    // of the label, part by part
  std::string entry_label;        // "label" of its entry, or ""
  std::vector<std::size_t> runs;  // indices into Config::runs
};

/// Groups by all keys but the one at the JSON pointer `varied`, such as "/h" or "/problem/seed", in the order of the
/// runs.
std::vector<RunGroup> group_runs(const Config& config, const std::string& varied);

/// Groups by what `leave_out` leaves of the specifications.
std::vector<RunGroup> group_runs(const Config& config, const std::function<void(Json& spec)>& leave_out);

/// The JSON Schema of configs, generated from the registries; shipped as
/// experiments/experiment.schema.json.
Json config_schema();

}  // namespace daelab
