// Labels of runs: what tells them apart (distinguishing_labels and complete_labels of config.hpp).
#pragma once

#include <string>
#include <vector>

#include "core/base/json.hpp"

namespace daelab {

/// complete_labels() without a copy of the specifications.
std::vector<std::string> complete_labels(const std::vector<std::string>& given, const std::vector<const Json*>& specs);

}  // namespace daelab
