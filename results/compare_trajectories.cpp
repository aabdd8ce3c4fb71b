#include "results/compare_trajectories.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "results/compare.hpp"
#include "results/csv.hpp"
#include "results/provenance.hpp"
#include "results/trajectory_store.hpp"

namespace daelab {
namespace {

constexpr const char* whole = "/trajectory";
constexpr std::size_t most_differences = 10;

// What can be said of a file before its rows are looked at.
struct Content {
  std::optional<std::string> csv;  // none: the run has no trajectory, or the file is missing
  Json state;                      // "there", "missing", "damaged"; null where the run has none
};

Content content_of(const TrajectoryFile& trajectory) {
  if (trajectory.checksum.empty()) return {};
  std::optional<std::string> csv = read_trajectory(trajectory.path);
  if (!csv) return {std::nullopt, "missing"};
  const bool as_written = content_hash(*csv) == trajectory.checksum;
  return {std::move(csv), as_written ? "there" : "damaged: not as it was written"};
}

// The next line of `text` from `begin`, which moves behind it; comments are passed over.
bool next_line(const std::string& text, std::size_t& begin, std::string& line) {
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    line = text.substr(begin, end - begin);
    begin = end + 1;
    if (!line.empty() && line[0] != '#') return true;
  }
  return false;
}

class RowComparison {
 public:
  RowComparison(double rtol, std::vector<TrajectoryDifference>& differences) : rtol_(rtol), differences_(differences) {}

  void compare(const std::string& a, const std::string& b) {
    std::size_t at_a = 0, at_b = 0;
    std::string line_a, line_b;
    for (long row = 0;; ++row) {
      const bool in_a = next_line(a, at_a, line_a), in_b = next_line(b, at_b, line_b);
      if (!in_a && !in_b) break;
      if (row == 0) header_ = split_csv_line(in_a ? line_a : line_b);
      if (!in_a || !in_b)
        add(fmt::format("{}/{}", whole, row), in_a ? Json(line_a) : Json(), in_b ? Json(line_b) : Json());
      else if (line_a != line_b)
        compare_cells(row, split_csv_line(line_a), split_csv_line(line_b));
    }
    if (left_out_ > 0) differences_.push_back({whole, fmt::format("and {} further differences", left_out_), {}});
  }

 private:
  void compare_cells(long row, const std::vector<std::string>& a, const std::vector<std::string>& b) {
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
      const Json x = i < a.size() ? Json(a[i]) : Json(), y = i < b.size() ? Json(b[i]) : Json();
      if (same_value(x, y, rtol_)) continue;
      const std::string column = i < header_.size() ? header_[i] : std::to_string(i + 1);
      add(fmt::format("{}/{}/{}", whole, row == 0 ? "header" : std::to_string(row), column), x, y);
    }
  }
  void add(std::string place, Json a, Json b) {
    if (++found_ > most_differences)
      ++left_out_;
    else
      differences_.push_back({std::move(place), std::move(a), std::move(b)});
  }

  double rtol_;
  std::vector<TrajectoryDifference>& differences_;
  std::vector<std::string> header_;
  std::size_t found_ = 0, left_out_ = 0;
};

}  // namespace

std::vector<TrajectoryDifference> compare_trajectories(const TrajectoryFile& a, const TrajectoryFile& b, double rtol) {
  const Content x = content_of(a), y = content_of(b);
  std::vector<TrajectoryDifference> differences;
  const bool sound = x.state == y.state && (x.state.is_null() || x.state == "there");
  if (!sound) differences.push_back({whole, x.state, y.state});
  if (x.csv && y.csv) RowComparison(rtol, differences).compare(*x.csv, *y.csv);
  return differences;
}

}  // namespace daelab
