// Runs as their records.
#pragma once

#include <string>
#include <vector>

#include "lab/runs/run.hpp"

namespace daelab {

/// The record of a run, which is carried out.
inline Json record_of_run(const Json& spec) { return Run::bind(spec, "")->execute().record; }

/// The kinds of a record's warnings, in their order.
inline std::vector<std::string> kinds_of_warnings(const Json& record) {
  std::vector<std::string> kinds;
  for (const Json& warning : record["warnings"]) kinds.push_back(warning["kind"]);
  return kinds;
}

}  // namespace daelab
