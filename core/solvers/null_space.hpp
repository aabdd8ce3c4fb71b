// Bases of the null space of a constraint Jacobian.
//
// [Wang] Wang, Zhao, Pan, local equivalent index-1 discretisation of Euler-Lagrange equations, section 5.
// [GVL13] Golub, Van Loan, Matrix Computations, 4th ed., Johns Hopkins, 2013.
#pragma once

#include "core/base/scalar.hpp"

namespace daelab {

enum class NullSpaceBasis {
  orthogonal,  // C_q^T = [U V] [R; 0] by Householder reflections; best conditioned
  elimination  // P C_q Q = [C E] by Gauss-Jordan with the largest entry of a row as pivot, V = Q [E; -C]; cheaper
};

/// V with C_q V = 0 for C_q (m, n) of full row rank; V is (n, n - m). Only its span is unique.
template <class T>
class NullSpace {
 public:
  NullSpace(Index constraints, Index coordinates, NullSpaceBasis kind);

  /// Returns the rank of C_q (relative tolerance sqrt(epsilon)); V is valid when that is m.
  Index compute(const Matrix<T>& C_q);
  const Matrix<T>& basis() const { return V_; }

 private:
  Index reflect();
  Index eliminate();
  void accumulate_reflections();
  void solve_for_pivots();
  T tail_norm(Index column, Index first) const;

  NullSpaceBasis kind_;
  Matrix<T> work_;       // C_q^T (n, m), overwritten
  Vector<T> scale_;      // (m) 2 / |w|^2 of the reflections
  Vector<Index> pivot_;  // (m) eliminated coordinate of each row
  Matrix<T> V_;
};

/// Additions and multiplications of compute(), leading terms: Householder QR of a matrix (n, m) and its orthogonal
/// factor applied to n - m unit vectors [GVL13, secs. 5.1, 5.2]; Gauss-Jordan elimination of m rows.
double null_space_flops(NullSpaceBasis kind, Index constraints, Index coordinates);

}  // namespace daelab
