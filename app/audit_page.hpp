// An audit as one HTML file, which opens offline.
#pragma once

#include <string>
#include <vector>

#include "analysis/audit.hpp"
#include "results/artifacts.hpp"

namespace daelab::app {

/// The claims with their verdicts in one table, and folded what is proved of each method, with suggested repairs.
std::string audit_to_html(const std::vector<Audit>& audits, const Table& claims);

}  // namespace daelab::app
