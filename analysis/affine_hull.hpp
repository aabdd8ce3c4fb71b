// A basis for combinations whose coefficients add up to 1. A condition that is linear in a vector and has the same
// right side for all vectors holds for them if it holds for the basis.
#pragma once

#include <vector>

#include "analysis/rounded_coefficients.hpp"

namespace daelab {

class AffineHull {
 public:
  /// Takes x in unless it is such a combination of the vectors before; whether it was taken. For exact vectors
  /// any combination counts, for rounded ones it must carry over little of their errors.
  bool take_in(const Rounded& x, bool exact);

 private:
  Vector<Real100> first_;
  std::size_t size_ = 0;
  // Differences from the first vector, eliminated, each with the combination of differences that it is.
  std::vector<Vector<Real100>> rows_;
  std::vector<Index> pivots_;
  std::vector<std::vector<Real100>> combinations_;
};

}  // namespace daelab
