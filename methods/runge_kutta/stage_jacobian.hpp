// The Jacobian of the stages of a step and what is factorised of it: of all stages coupled, or one evaluated at their
// mean, for which the stages decouple. It may be kept for later steps, so it knows where it was evaluated.
#pragma once

#include "methods/runge_kutta/coupled_stages.hpp"
#include "methods/runge_kutta/decoupled_stages.hpp"

namespace daelab {

template <class T>
class StageJacobian {
 public:
  StageJacobian(const Stages& stages, System<T>& system)
      : linearization_(system.linearization()),
        modes_(stages.modes),
        r_(stages.c.size()),
        N_(system.size()),
        differential_(system.differential()),
        c_(stages.c.cast<T>()),
        coupled_(stages.B.transpose().cast<T>(), N_, differential_) {
    points_.setZero(N_, 2 * r_);
    for (Vector<T>* x : {&y_, &ydot_}) x->setZero(N_);
  }

  Linearization<T>& linearization() { return *linearization_; }
  /// What steps begin with from now on. Stages decouple where B has a basis of eigenvectors.
  void decouple(bool decouples) {
    decouples_ = decouples;
    if (decouples && !decoupled_) decoupled_.emplace(modes_, *linearization_, N_);
  }
  bool decouples() const { return decouples_; }
  void start_step() { solves_coupled_ = !decouples_; }
  /// For the rest of this step; no factorisation is at hand then.
  void couple_this_step() {
    forget();
    solves_coupled_ = true;
  }
  bool solves_coupled() const { return solves_coupled_; }

  /// Step size of the factorisations at hand; 0: none.
  const T& factorized_h() const { return factorized_h_; }
  void forget() { factorized_h_ = T(0); }

  /// Evaluates at the stages Y, Y' (N, r) of a step of size h from t, or at their mean, and factorises.
  Status evaluate_at(const T& t, const T& h, const Matrix<T>& Y, const Matrix<T>& Ydot, Statistics& statistics) {
    t_ = t, h_ = h;
    if (solves_coupled_) {
      points_.leftCols(r_) = Y, points_.rightCols(r_) = Ydot;
    } else {
      const T mean = T(1) / T(r_);
      points_.col(0) = mean * Y.rowwise().sum(), points_.col(1) = mean * Ydot.rowwise().sum();
    }
    return evaluate(h, statistics);
  }
  /// The decoupled stages anew, of the Jacobian at hand, for steps of size h.
  Status refactorize(const T& h, Statistics& statistics) {
    statistics.factorizations += decoupled_->count();
    factorized_h_ = h;
    return decoupled_->factorize(h);
  }

  /// What the Jacobian is made of: step size and start of the step, and (N, 2 count()) Y and Y' at the points.
  Index count() const { return decouples_ ? 1 : r_; }
  auto points() const { return points_.leftCols(2 * count()); }
  const T& t() const { return t_; }
  const T& h() const { return h_; }
  /// Brings the Jacobian of another step back, for steps of size h: from what it was made of, unless it is at hand.
  /// Whether it was not.
  bool recall(const auto& points, const T& t, const T& of_h, const T& h, Statistics& statistics) {
    if (factorized_h_ != T(0) && t == t_ && of_h == h_ && points == this->points()) return false;
    points_.leftCols(2 * count()) = points;
    t_ = t, h_ = of_h;
    if (!evaluate(h, statistics).ok()) forget();
    return true;
  }

  /// X := the correction of the stages that belongs to their residuals R, shapes (N, r).
  void solve(const Matrix<T>& R, Matrix<T>& X, Statistics& statistics) {
    if (solves_coupled_)
      coupled_.solve(R, X);
    else
      decoupled_->solve(R, X);
    statistics.back_solves += solves_coupled_ ? 1 : decoupled_->count();
  }
  /// The matrix of the decoupled stage whose eigenvalue is `beta`; null where there is none.
  IterationMatrix<T>* matrix_of(const T& beta) { return solves_coupled_ ? nullptr : decoupled_->matrix_of(beta); }

 private:
  Status evaluate(const T& h, Statistics& statistics) {
    return solves_coupled_ ? evaluate_coupled(statistics) : evaluate_decoupled(h, statistics);
  }

  Status evaluate_decoupled(const T& h, Statistics& statistics) {
    load_point(0, 1);
    const T mean = T(1) / T(r_);
    linearization_->evaluate(t_ + mean * c_.sum() * h_, y_, ydot_);
    ++statistics.jacobians;
    return refactorize(h, statistics);
  }

  Status evaluate_coupled(Statistics& statistics) {
    for (Index i = 0; i < r_; ++i) {
      load_point(i, r_);
      linearization_->evaluate(t_ + c_[i] * h_, y_, ydot_);
      coupled_.add_stage(i, h_, *linearization_);
    }
    statistics.jacobians += r_;
    ++statistics.factorizations;
    const Status status = coupled_.factorize();
    factorized_h_ = status.ok() && !decouples_ ? h_ : T(0);
    return status;
  }

  // The i-th of `count`.
  void load_point(Index i, Index count) {
    y_ = points_.col(i);
    ydot_ = points_.col(count + i);
    ydot_.tail(N_ - differential_).setZero();
  }

  std::unique_ptr<Linearization<T>> linearization_;
  std::vector<Eigenmode> modes_;
  Index r_, N_, differential_;
  Vector<T> c_;
  CoupledStages<T> coupled_;
  std::optional<DecoupledStages<T>> decoupled_;
  bool decouples_ = false, solves_coupled_ = true;
  T factorized_h_{0};
  T t_{0}, h_{0};     // of the step the Jacobian was evaluated in
  Matrix<T> points_;  // (N, 2 r), used from the left on
  Vector<T> y_, ydot_;
};

}  // namespace daelab
