// Columns of CSV files, such as stored trajectories.
#pragma once

#include <string>
#include <vector>

#include "core/base/csv_text.hpp"

namespace daelab {

/// csv_columns() of a file, which may be a stored trajectory. Throws InputError for one that cannot be read, too.
std::vector<std::vector<double>> read_csv_columns(const std::string& path, const std::vector<std::string>& names);

}  // namespace daelab
