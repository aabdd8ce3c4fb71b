// What order conditions are made of: products with A and b of a tableau, and how far rounded coefficients may move
// them.
#pragma once

#include <Eigen/SparseCore>
#include <utility>

#include "core/integration/tableau.hpp"

namespace daelab {

/// Values, and how far the rounding of coefficients may have moved them: to first order, nothing for exact ones.
struct Rounded {
  Vector<Real100> value, error;
};

/// Zero as far as coefficients in 100 digits allow, 1e-70, and beyond that the error.
bool vanishes(const Real100& x, const Real100& error);
bool vanishes(const Rounded& x);
bool vanishes(const std::pair<Real100, Real100>& x);

/// The entries of a matrix that are not zero, row by row, their sizes and their errors. A of an explicit method is zero
/// in half of its entries at least, that of extrapolation of order 20 in 29 of 30.
struct SparseRows {
  using Entries = Eigen::SparseMatrix<Real100, Eigen::RowMajor>;

  SparseRows(const Matrix<Real100>& M, const Matrix<Real100>& M_error)
      : value(M.sparseView()), size(M.cwiseAbs().sparseView()), error(M_error.sparseView()) {}

  Entries value, size, error;
};

/// M^-1 as the matrix of a tableau, whose rounding is that of M to first order: |M^-1| |dM| |M^-1|. Weights and digits
/// are those of t.
Tableau inverse(const Matrix<Real100>& M, const Matrix<Real100>& M_error, const Tableau& t);

class RoundedCoefficients {
 public:
  explicit RoundedCoefficients(const Tableau& t);

  Index stages() const { return b_.value.size(); }
  /// Without rounding errors.
  bool exact() const { return exact_; }
  /// Multiplications that a product with A takes.
  std::size_t work() const;
  const Rounded& b() const { return b_; }
  Rounded ones() const { return {Vector<Real100>::Ones(stages()), Vector<Real100>::Zero(stages())}; }

  Rounded A(const Rounded& x) const { return product(A_, x); }
  Rounded A_transposed(const Rounded& x) const { return product(A_transposed_, x); }
  Rounded times(const Rounded& x, const Rounded& y) const;
  Rounded power(const Rounded& x, int k) const;
  /// b^T x and its error.
  std::pair<Real100, Real100> sum(const Rounded& x) const;

 private:
  Rounded product(const SparseRows& M, const Rounded& x) const;

  bool exact_;
  SparseRows A_, A_transposed_;
  Rounded b_;
};

}  // namespace daelab
