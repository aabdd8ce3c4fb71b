#include "app/named_columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "core/mechanism/state_names.hpp"
#include "results/csv.hpp"

namespace daelab::app {
namespace {

// What a column of these names means to `daelab judge`, whatever the problem calls so.
constexpr const char* reserved[] = {"t", "h", "rtol"};

}  // namespace

std::string with_own_names(const std::string& csv, const Problem& problem) {
  const std::size_t end = csv.find('\n');
  if (end == std::string::npos) return csv;
  std::vector<std::string> columns = split_csv_line(csv.substr(0, end));
  std::map<std::string, std::string> own;
  for (const char kind : {'q', 'v', 'y'})
    for (const StateEntry& entry : StateNames(problem).of(kind)) {
      if (std::ranges::find(reserved, entry.own) != std::end(reserved)) continue;
      own[entry.name] = entry.own;
      if (kind == 'v' && !entry.own.empty()) own["a" + entry.name.substr(1)] = entry.own + "'";
    }
  for (std::string& column : columns)
    if (const std::string& name = own[column]; !name.empty() && std::ranges::find(columns, name) == columns.end())
      column = name;
  return fmt::format("{}{}", fmt::join(columns, ","), csv.substr(end));
}

}  // namespace daelab::app
