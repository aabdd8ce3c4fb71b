// Errors of runs against the reference run of their own config.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/base/json.hpp"

namespace daelab {

/// read_runs(), each run that ended well with its "error": the record holds it where a solution is stored; otherwise it
/// is against the reference run of the config, which may end after the others, so that no record can hold it.
std::vector<Json> read_runs_with_errors(const std::string& dir, bool with_reference = false);
/// The same without the reference run, one by one in the same order: of a large set they are not in memory together.
void visit_runs_with_errors(const std::string& dir, const std::function<void(const Json& record)>& visit);

}  // namespace daelab
