// Sources of the numbers of a page: program and machine, and the runs of its entries.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/json.hpp"
#include "report/page/page.hpp"

namespace daelab {

/// ("commit", "..."), ("compiler", "g++ 12.2.0"), ...: what the manifest of a result set says; nothing without one.
Origin origin_of(const std::string& result_dir);
/// The same of a manifest, or of a part of one: {"provenance": ..., "command": ...}.
Origin origin_of(const Json& manifest);

/// By the id of each entry [number of its result set, [keys of runs]], for entries that rest on one of these sets. The
/// entries are those of the pack.json of a paper, or, for null, of the config of the first set.
Json evidence_json(const Json& paper, const std::vector<std::string>& result_dirs);

}  // namespace daelab
