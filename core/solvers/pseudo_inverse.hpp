// Accelerations by the pseudo-inverse of the constraint matrix in the norm of the mass, M = L L^T, J L^-T = U Sigma
// V^T:
//
//   x = x_0 - L^-T (J L^-T)^+ (J x_0 + h),   x_0 = M^-1 f,   mu = U Sigma^-2 U^T (J x_0 + h).             [UK92, (3)]
//
// Ranks are told by singular values of J L^-T, where J M^-1 J^T has their squares: a tolerance of 1e-4 here is one of
// 1e-8 there.
//
// [UK92] Udwadia, Kalaba, A new perspective on constrained motion, Proceedings of the Royal Society A 439, 1992,
// 407-410.
#pragma once

#include "core/solvers/dense.hpp"
#include "core/solvers/multiplier_solver.hpp"
#include "core/solvers/rank_revealing.hpp"

namespace daelab {

/// Solver of M x + J^T mu = f, J x + h = 0, with rows that may depend on each other.
template <class T>
class PseudoInverse final : public Multipliers<T> {
 public:
  PseudoInverse(Index n, Index m, const RankOptions& options)
      : Multipliers<T>({.redundant_constraints = true}),
        rule_(options),
        check_(options),
        mass_(n),
        svd_(std::max(m, n)) {
    J_.setZero(m, n), W_.setZero(m, n), square_.setZero(std::max(m, n), std::max(m, n));
    b_.setZero(m), component_.setZero(m), change_.setZero(n), residual_.setZero(m);
  }

 protected:
  Status solve_saddle_point(const SaddlePoint<T>& system, Vector<T>& a, Vector<T>& mu) override {
    J_ = system.G;
    mass_.matrix() = system.M;
    if (!mass_.factorize()) return {StatusCode::singular, "pseudo-inverse: the mass matrix is not positive definite"};
    W_ = system.G;
    mass_.solve_lower_rows(W_);
    square_.topLeftCorner(W_.rows(), W_.cols()) = W_;
    svd_.compute(square_);
    return solve_right_hand_side(system.f, system.h, a, mu);
  }
  Status solve_right_hand_side(const Vector<T>& f, const Vector<T>& h, Vector<T>& a, Vector<T>& mu) override {
    this->report_ = {};
    const Index m = W_.rows(), n = W_.cols();
    a = f;
    mass_.solve(a);
    b_ = h;
    b_.noalias() += J_.lazyProduct(a);  // J a_0 - b
    mu.setZero();
    change_.setZero();
    const Vector<T>& sigma = svd_.sigma();
    Index rank = 0;
    for (; rank < std::min(m, n) && !rule_.is_zero(rank, sigma[rank], sigma[0]); ++rank) {
      T component(0);
      for (Index i = 0; i < m; ++i) component += svd_.U()(i, rank) * b_[i];
      component /= sigma[rank];
      for (Index i = 0; i < n; ++i) change_[i] -= svd_.V()(i, rank) * component;
      component /= sigma[rank];
      for (Index i = 0; i < m; ++i) mu[i] += svd_.U()(i, rank) * component;
    }
    mass_.solve_lower_transposed(change_);
    a += change_;
    residual_ = h;
    residual_.noalias() += J_.lazyProduct(a);
    this->report_.rank = rank;
    this->report_.residual = static_cast<double>(residual_.norm());
    return m == 0 ? Status{} : check_.check(this->report_.residual, static_cast<double>(b_.norm()));
  }
  Status solve_reduced(const Matrix<T>& /*A*/, const Vector<T>& /*b*/, Vector<T>& /*mu*/) override {
    return {StatusCode::not_applicable, "the pseudo-inverse never forms J M^-1 J^T"};
  }

 private:
  RankRule<T> rule_;
  ConsistencyCheck check_;
  CholeskyFactor<T> mass_;
  dense::SquareSvd<T> svd_;
  Matrix<T> J_, W_, square_;  // (m, n) twice, (s, s) with zeros
  Vector<T> b_, component_, change_, residual_;
};

}  // namespace daelab
