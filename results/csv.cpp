#include "results/csv.hpp"

#include <optional>

#include "core/base/json.hpp"
#include "results/trajectory_store.hpp"

namespace daelab {

std::vector<std::vector<double>> read_csv_columns(const std::string& path, const std::vector<std::string>& names) {
  const std::optional<std::string> text = read_trajectory(path);
  if (!text) throw InputError(path + ": cannot be read");
  return csv_columns(*text, names, path);
}

}  // namespace daelab
