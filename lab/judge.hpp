// Results of other programs against the reference of a problem, as a config of the experiment `judge`.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/base/component_spec.hpp"
#include "core/base/json.hpp"

namespace daelab {

class Run;

/// Tables of states that other programs computed, and what the tables do not say.
struct ForeignTables {
  std::vector<std::string> files;  // experiments/measures/foreign_results.hpp
  ComponentSpec problem;
  std::string formulation, t_end;                    // "": as the run's default
  std::vector<std::string> beside{"radau-iia:s=3"};  // methods of ours
  std::vector<std::string> columns;                  // names that are not ours, THEIRS=OURS
  std::vector<std::string> h, rtol;                  // of all files, or of each; empty: a column says it, or nothing
  std::string label, order;                          // of all files; "": their names, nothing
};

/// Learns that a reference of this run is not stored and is computed now, which takes a while.
using MissingReferenceHandler = std::function<void(const Run& run)>;

/// The config that judges tables beside methods of ours which take the same steps or tolerances; what no stored
/// reference tells is computed by two routes. Throws InputError for tables, keys and a problem that are not as they
/// must be.
Json judge_config(const ForeignTables& tables, const MissingReferenceHandler& on_missing = {});

/// The same under a name that no other judgement in `out` has, of other tables or beside other methods: "mine-2" beside
/// "mine". What is judged again has the name that it had.
Json named_apart(Json config, const std::string& out);

}  // namespace daelab
