// Result sets on disk: where they are, and what is in one.
#pragma once

#include <string>
#include <vector>

#include "core/base/json.hpp"
#include "results/run_record.hpp"

namespace daelab {

/// The result sets in a folder: itself, those of a paper in the order of the paper, or those directly below it. Throws
/// InputError where there are none.
std::vector<std::string> result_sets(const std::string& folder);

/// Lists the sets of a paper in its folder: others, of configs that it had before, may lie beside them.
void list_paper_sets(const std::string& folder, const std::vector<std::string>& names);

/// A run as it was stored.
struct LoadedRun : RunHead {
  RunEnd end;
  Json record;  // as it is stored

  /// The record as the type of its kind. Throws Json::exception for a record of another type.
  template <class Record = RunRecord>
  Record as() const {
    return record.get<Record>();
  }
};

/// What a result set holds as data; tables and figures are for the report.
struct LoadedSet {
  std::string folder, name, title;
  std::string experiment;       // kind
  std::vector<LoadedRun> runs;  // that the config asks for, sorted by specification
  Json analysis;                // the Result of the experiment; null: it was not evaluated

  /// The analysis as the Result of its kind. Throws Json::exception for the Result of another kind.
  template <class Result>
  Result result() const {
    return analysis.get<Result>();
  }
};

/// Reads a result set, of this daelab or an earlier one. Throws InputError when `folder` is none, and for files that
/// are not as they were written.
LoadedSet load(const std::string& folder);

}  // namespace daelab
