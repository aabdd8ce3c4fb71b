#include "core/solvers/equilibration.hpp"

#include <algorithm>
#include <cmath>

namespace daelab {
namespace {

// Exponents of powers of two.
using Exponents = std::vector<int>;
constexpr int none = -100'000;
constexpr int farthest = 1000;  // 2^1000 and its inverse are doubles

// Takes half of the largest exponents away, and returns whether any was left.
bool halve(Exponents& scales, const Exponents& largest) {
  bool changes = false;
  for (std::size_t i = 0; i < scales.size(); ++i) {
    if (largest[i] == none) continue;
    const int half = largest[i] / 2, before = scales[i];
    scales[i] = std::clamp(before - half, -farthest, farthest);
    changes = changes || scales[i] != before;
  }
  return changes;
}

Vector<double> powers(const Exponents& exponents) {
  Vector<double> x(static_cast<Index>(exponents.size()));
  for (std::size_t i = 0; i < exponents.size(); ++i) x[static_cast<Index>(i)] = std::ldexp(1.0, exponents[i]);
  return x;
}

}  // namespace

Scales equilibrate(const SparsePattern& pattern, const Vector<double>& sizes) {
  const auto rows = static_cast<std::size_t>(pattern.rows), columns = static_cast<std::size_t>(pattern.columns);
  Exponents own(pattern.row.size()), row(rows, 0), column(columns, 0), entry(pattern.row.size(), 0);
  for (std::size_t e = 0; e < own.size(); ++e) {
    const double size = sizes[static_cast<Index>(e)];
    own[e] = size > 0 ? std::ilogb(size) : none;
  }
  constexpr int passes = 32;  // each halves the exponents: 12 are enough, unless scales are at their limits
  bool changes = true;
  for (int pass = 0; changes && pass < passes; ++pass) {
    Exponents of_rows(rows, none), of_columns(columns, none);
    for (std::size_t j = 0; j < columns; ++j)
      for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) {
        const auto e = static_cast<std::size_t>(k), i = static_cast<std::size_t>(pattern.row[e]);
        if (own[e] == none) continue;
        const int scaled = own[e] + row[i] + column[j];
        of_rows[i] = std::max(of_rows[i], scaled), of_columns[j] = std::max(of_columns[j], scaled);
      }
    const bool by_rows = halve(row, of_rows), by_columns = halve(column, of_columns);
    changes = by_rows || by_columns;
  }
  for (std::size_t j = 0; j < columns; ++j)
    for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) {
      const auto e = static_cast<std::size_t>(k);
      entry[e] = std::min(row[static_cast<std::size_t>(pattern.row[e])] + column[j], farthest);
    }
  return {powers(row), powers(column), powers(entry)};
}

}  // namespace daelab
