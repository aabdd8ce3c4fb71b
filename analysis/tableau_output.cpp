#include "analysis/tableau_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "analysis/order_conditions.hpp"
#include "core/base/coefficient_lists.hpp"
#include "core/base/exact.hpp"
#include "core/base/input_error.hpp"
#include "core/integration/printed_tableau.hpp"

namespace daelab {
namespace {

constexpr std::size_t highest_degree = 32;

// b(theta) and how far it may be off.
struct Weights {
  Vector<Real100> value, error;
};
Weights weights_at(const TableauOutput& output, const Real100& theta) {
  Weights weights{Vector<Real100>::Zero(output.weights.rows()), Vector<Real100>::Zero(output.weights.rows())};
  for (Index k = output.weights.cols(); k-- > 0;) {
    weights.value = (weights.value + output.weights.col(k)) * theta;
    weights.error = (weights.error + output.error.col(k)) * theta;
  }
  return weights;
}

// The method of step theta h whose result dense output is.
Tableau at_part(const Tableau& t, const TableauOutput& output, const Real100& theta) {
  const Weights weights = weights_at(output, theta);
  Tableau part;
  part.A = t.A / theta, part.c = t.c / theta, part.b = weights.value / theta;
  part.digits = std::max(t.digits, possibly_rounded_places);
  part.A_error = Matrix<Real100>::Zero(t.stages(), t.stages());
  part.c_error = Vector<Real100>::Zero(t.stages());
  if (t.digits > 0) part.A_error = t.A_error / theta, part.c_error = t.c_error / theta;
  part.b_error = weights.error / theta;
  return part;
}

// In (0, 1), those between first: conditions that hold at as many places as polynomials have coefficients hold at all.
std::vector<Real100> places(Index count) {
  std::vector<Real100> list;
  for (Index i = 1; i <= count; ++i) list.push_back(Real100(static_cast<int>(i)) / static_cast<int>(count + 1));
  std::ranges::sort(list, {}, [](const Real100& x) { return abs(x - Real100(1) / 2); });
  return list;
}

bool meets_the_end(const Tableau& t, const TableauOutput& output) {
  const Weights end = weights_at(output, 1);
  for (Index i = 0; i < t.stages(); ++i)
    if (!vanishes(t, end.value[i] - t.b[i], end.error[i] + (t.digits > 0 ? t.b_error[i] : Real100(0)))) return false;
  return true;
}

}  // namespace

TableauOutput tableau_output_from_json(const Json& json, Index stages, const std::string& where) {
  const Json& rows = json["dense_output"];
  const std::string place = where + "/dense_output";
  if (!rows.is_array() || rows.size() != static_cast<std::size_t>(stages))
    throw InputError(place, fmt::format("must be a list of {} rows, one for each stage: the numbers of theta, "
                                        "theta^2, ... in its weight",
                                        stages));
  std::size_t degree = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].is_array()) throw InputError(fmt::format("{}/{}", place, i), "must be a list of numbers");
    degree = std::max(degree, rows[i].size());
  }
  if (degree == 0 || degree > highest_degree)
    throw InputError(place, fmt::format("has polynomials of degree {}, allowed are 1 to {}", degree, highest_degree));
  TableauOutput output{Matrix<Real100>::Zero(stages, static_cast<Index>(degree)),
                       Matrix<Real100>::Zero(stages, static_cast<Index>(degree))};
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t k = 0; k < rows[i].size(); ++k) {
      const Exact number = exact_from_json(rows[i][k], fmt::format("{}/{}/{}", place, i, k));
      const Index row = static_cast<Index>(i), column = static_cast<Index>(k);
      output.weights(row, column) = number.value();
      if (const auto decimals = decimal_places(number.text()); decimals && *decimals >= possibly_rounded_places)
        output.error(row, column) = pow(Real100(10), 1 - *decimals);
    }
  return output;
}

TableauOutputOrder output_order(const Tableau& tableau, const TableauOutput& output) {
  const int order = order_report(tableau).order;
  // The condition of a tree is a polynomial of the degree of the weights, or of its nodes, without a constant.
  const Index count = std::max<Index>(output.weights.cols(), order + 2);
  std::optional<OrderReport> lowest;
  Real100 theta = 0;
  for (const Real100& place : places(count)) {
    const Tableau part = at_part(tableau, output, place);
    if (lowest && has_order(part, lowest->order)) continue;
    OrderReport report = order_report(part, order + 1);
    if (!lowest || report.order < lowest->order) lowest = std::move(report), theta = place;
  }
  TableauOutputOrder found{lowest->order, "", meets_the_end(tableau, output)};
  found.how = fmt::format("rooted trees to order {} at {} places theta h of the step", lowest->order, count);
  if (!lowest->violated.empty())
    found.how += fmt::format("; for theta = {} in units of theta h, {}", fraction_or_decimal(theta), lowest->violated);
  if (!found.meets_the_end) found.how += "; its weights for theta = 1 are not those of the step";
  return found;
}

}  // namespace daelab
