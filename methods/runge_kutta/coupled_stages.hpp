// The Newton matrix of r coupled stages, factorised in double whatever the scalar: a correction needs its leading
// digits only, and the residual supplies the rest.
//
// Block (i, j) is h B_ij F_y, on the diagonal with F_y', and F_y alone for algebraic components.
#pragma once

#include "core/equations/system.hpp"
#include "core/solvers/sparse_lu.hpp"

namespace daelab {

template <class T>
class CoupledStages {
 public:
  /// B^T (r, r) of the implicit stages of a system of N components, the first ones differential.
  CoupledStages(const Matrix<T>& B_transposed, Index N, Index differential)
      : B_transposed_(B_transposed), r_(B_transposed.rows()), N_(N), differential_(differential), lu_(0) {}

  /// Block row i, from the linearization at stage i of a step of size h. The first one begins a new matrix.
  void add_stage(Index i, const T& h, Linearization<T>& linearization) {
    linearization.coupled(F_y_, F_ydot_);
    if (i == 0) {
      arrange();
      lu_.clear();
    }
    std::size_t block = static_cast<std::size_t>(i * (r_ + 1));
    for (Index j = 0; j < r_; ++j) {
      const double factor = static_cast<double>(T(h * B_transposed_(j, i))), algebraic = i == j ? 1 : 0;
      lu_.accumulate_entries(block++, F_y_, [&](Index, Index column, const T& value) {
        return (column < differential_ ? factor : algebraic) * static_cast<double>(value);
      });
    }
    lu_.accumulate_entries(block, F_ydot_, [](Index, Index, const T& value) { return static_cast<double>(value); });
  }
  Status factorize() { return lu_.factorize(); }
  /// X := matrix^-1 R, shapes (N, r).
  void solve(const Matrix<T>& R, Matrix<T>& X) {
    rhs_ = R.reshaped().template cast<double>();
    lu_.solve(rhs_);
    X.reshaped() = rhs_.template cast<T>();
  }

 private:
  void arrange() {
    if (F_y_.pattern == pattern_) return;
    pattern_ = F_y_.pattern;
    lu_ = BlockLu<double>(r_ * N_, SolutionUse::correction);
    for (Index i = 0; i < r_; ++i) {
      for (Index j = 0; j < r_; ++j) lu_.add(F_y_.pattern, i * N_, j * N_);
      lu_.add(F_ydot_.pattern, i * N_, i * N_);
    }
    lu_.complete();
    rhs_.setZero(r_ * N_);
  }

  Matrix<T> B_transposed_;
  Index r_, N_, differential_;
  BlockLu<double> lu_;
  std::shared_ptr<const SparsePattern> pattern_;  // that it is made for
  SparseMatrix<T> F_y_, F_ydot_;
  Vector<double> rhs_;
};

}  // namespace daelab
