// The balance of forces that collocated schemes of the generalized-alpha family solve beside their step, where M
// changes.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098, eq. (24).
#pragma once

#include "core/mechanism/mechanical_model.hpp"
#include "core/solvers/linear_solver.hpp"
#include "core/solvers/sparse_lu.hpp"
#include "core/start/consistent_start.hpp"
#include "methods/newmark/generalized_alpha_scheme.hpp"

namespace daelab {

/// q'' at the step end where forces are collocated and M changes:
///   M_(n+1) q''_(n+1) = -R_(n+1),  M [(1 - alpha_m) a_(n+1) + alpha_m a_n] + (1 - alpha_f) R_(n+1) + alpha_f R_n = 0.
template <class T>
class CollocatedBalance {
 public:
  CollocatedBalance(const GeneralizedAlphaScheme& scheme, MechanicalModel<T>& model)
      : model_(model),
        alpha_f_(static_cast<T>(scheme.alpha_f)),
        mass_of_the_end_(scheme.balance == GeneralizedAlphaScheme::Balance::collocated_with_mass_of_the_end),
        large_(model.coordinates() > largest_dense_mechanism),
        factor_(large_ ? 0 : model.coordinates()) {
    const Index n = model.coordinates();
    if (!large_) M_.setZero(n, n);
    for (Vector<T>* x : {&start_q_, &start_force_, &q_, &a_, &force_, &rest_}) x->setZero(n);
  }

  /// From the start of the step: t, q, and q'' with its force M q''.
  void start(const State<T>& from) {
    const Index n = start_q_.size();
    t_ = from.t;
    start_q_ = from.y.head(n);
    a_ = from.ydot.segment(n, n);
    multiply_mass(t_, start_q_, start_force_);
  }
  /// a := q''_(n+1), where a comes in as (1 - alpha_m) a_(n+1) + alpha_m a_n; q: of the step end.
  Status solve(const T& h, const auto& q, auto&& a) {
    const T weight = mass_of_the_end_ ? T(1) : T(1) - alpha_f_;
    a_ = a;
    for (Index i = 0; i < q_.size(); ++i) q_[i] = start_q_[i] + weight * (q[i] - start_q_[i]);
    multiply_mass(t_ + weight * h, q_, force_);
    for (Index i = 0; i < q_.size(); ++i) force_[i] = (force_[i] - alpha_f_ * start_force_[i]) / (T(1) - alpha_f_);
    q_ = q;
    if (!divide_by_mass(t_ + h))
      return {StatusCode::singular, "the mass matrix is not positive definite: its collocated balance leaves q'' open"};
    a = force_;
    return {};
  }

 private:
  // f := M(t, q) a_
  void multiply_mass(const T& t, const Vector<T>& q, Vector<T>& f) {
    if (large_) {
      model_.data(t, q, rest_, data_);
      f.setZero();
      data_.M.add_product(a_, f, T(1));
    } else {
      model_.mass(t, q, M_);
      f.noalias() = M_.lazyProduct(a_);
    }
  }
  // force_ := M(t, q_)^-1 force_, false where M is singular.
  bool divide_by_mass(const T& t) {
    if (large_) {
      model_.data(t, q_, rest_, data_);
      if (factor_pattern_ != data_.M.pattern) {
        factor_pattern_ = data_.M.pattern;
        sparse_factor_ = std::make_unique<SparseLu<T>>(factor_pattern_);
      }
      sparse_factor_->values() = data_.M.values;
      if (!sparse_factor_->factorize().ok()) return false;
      sparse_factor_->solve(force_);
      return true;
    }
    model_.mass(t, q_, factor_.matrix());
    if (!factor_.factorize()) return false;
    factor_.solve(force_);
    return true;
  }

  MechanicalModel<T>& model_;
  T alpha_f_, t_{0};
  bool mass_of_the_end_, large_;
  CholeskyFactor<T> factor_;
  Matrix<T> M_;
  SparseData<T> data_;  // of large mechanisms
  std::unique_ptr<SparseLu<T>> sparse_factor_;
  std::shared_ptr<const SparsePattern> factor_pattern_;  // that it is made for
  Vector<T> start_q_, start_force_, q_, a_, force_, rest_;
};

}  // namespace daelab
