#include "analysis/affine_hull.hpp"

#include <algorithm>

namespace daelab {
namespace {

// A combination with larger coefficients would carry over more than the residuals of the vectors that stand for others.
constexpr double largest_coefficient = 1e4;

// What elimination in 100 digits, and the rounding of coefficients, leave of a dependent vector.
Real100 left_by_rounding(const Rounded& x) {
  static const Real100 round_off("1e-75");
  return round_off + 10 * x.error.maxCoeff();
}

}  // namespace

bool AffineHull::take_in(const Rounded& x, bool exact) {
  if (size_ == 0) {
    first_ = x.value, size_ = 1;
    return true;
  }
  Vector<Real100> rest = x.value - first_;
  std::vector<Real100> combination(size_, Real100(0));  // of differences, the last of this one
  combination.back() = 1;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const Real100 factor = rest[pivots_[k]] / rows_[k][pivots_[k]];
    if (factor == 0) continue;
    rest -= factor * rows_[k];
    for (std::size_t i = 0; i < combinations_[k].size(); ++i) combination[i] -= factor * combinations_[k][i];
  }
  Index pivot = 0;
  const Real100 size = rest.cwiseAbs().maxCoeff(&pivot);
  const bool independent = size > left_by_rounding(x);
  const bool carries_little = exact || std::ranges::all_of(combination, [](const Real100& coefficient) {
                                return abs(coefficient) <= Real100(largest_coefficient);
                              });
  if (!independent && carries_little) return false;
  ++size_;
  // A dependent vector that is kept adds no row.
  if (!independent) return true;
  rows_.push_back(std::move(rest)), pivots_.push_back(pivot), combinations_.push_back(std::move(combination));
  return true;
}

}  // namespace daelab
