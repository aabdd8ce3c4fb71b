#include "analysis/measured_order.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "analysis/order_estimate.hpp"
#include "core/base/csv_text.hpp"
#include "core/base/input_error.hpp"
#include "core/base/read_file.hpp"

namespace daelab {
namespace {

constexpr std::size_t largest_file = 10'000'000;

// The names in the first line that is no comment.
std::vector<std::string> header_of(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (!line.empty() && line != "\r" && line[0] != '#') return split_csv_line(line);
  return {};
}

std::string steps_text(const MeasuredErrors& errors) {
  const auto [least, largest] = std::ranges::minmax(errors.h);
  return fmt::format("from {:.6g} to {:.6g}", largest, least);
}

OrderEstimate estimate_of(const std::vector<double>& h, const std::vector<double>& errors) {
  std::vector<OrderPoint> points;
  for (std::size_t i = 0; i < h.size(); ++i) points.push_back(order_point(h[i], errors[i]));
  return estimate_order(points);
}

// Orders of methods are whole numbers.
std::optional<int> whole_order(const OrderEstimate& estimate) {
  constexpr double nearest = 0.25;
  if (estimate.stands_still) return 0;
  if (!estimate.decided) return std::nullopt;
  const double whole = std::round(estimate.order);
  if (whole < 0 || std::abs(estimate.order - whole) > nearest) return std::nullopt;
  return static_cast<int>(whole);
}

std::string told(const OrderEstimate& estimate) {
  if (estimate.stands_still) return "does not converge";
  return order_text(estimate);
}

}  // namespace

std::string MeasuredErrors::text() const {
  std::vector<std::string> names;
  for (const auto& [name, values] : quantities) names.push_back(name);
  return fmt::format("{} at {} step sizes {}", fmt::join(names, ", "), h.size(), steps_text(*this));
}

MeasuredErrors read_measured_errors(const std::string& file) {
  const std::string text = read_whole(file, largest_file);
  const std::vector<std::string> names = header_of(text);
  if (std::ranges::find(names, "h") == names.end() || names.size() < 2)
    throw InputError(file, fmt::format("must have the column h and a column of errors for each quantity; found: {}",
                                       names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
  MeasuredErrors errors{file, {}, {}};
  std::vector<std::vector<double>> columns = csv_columns(text, names, file);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == "h")
      errors.h = std::move(columns[i]);
    else
      errors.quantities.emplace_back(names[i], std::move(columns[i]));
  }
  if (errors.h.size() < 3)
    throw InputError(file, fmt::format("an order needs at least 3 step sizes, found {}", errors.h.size()));
  for (const double h : errors.h)
    if (!(h > 0) || std::isinf(h)) throw InputError(file, "the column h must hold step sizes, numbers above 0");
  return errors;
}

MeasuredOrder measured_order(const MeasuredErrors& errors) {
  MeasuredOrder result;
  bool all_decided = true;
  int lowest = std::numeric_limits<int>::max();
  std::vector<std::string> texts;
  for (const auto& [name, values] : errors.quantities) {
    const OrderEstimate estimate = estimate_of(errors.h, values);
    const std::optional<int> order = whole_order(estimate);
    texts.push_back(fmt::format("{} ({})", told(estimate), name));
    all_decided = all_decided && order;
    if (order) lowest = std::min(lowest, *order);
  }
  if (all_decided) result.order = lowest;
  result.proof = fmt::format("measured: h {}: order {}", steps_text(errors), fmt::join(texts, ", "));
  return result;
}

}  // namespace daelab
