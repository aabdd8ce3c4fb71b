// The error of an implicit Runge-Kutta step, from the defect at its start or from an embedded formula.
//
// The polynomial p' through the slopes of the stages was not asked to meet y'_n, the slope at the start. It misses it
// by d / kappa = y'_n - p'(0), kappa = gamma h, and d is the difference to an embedded formula
// y_n + h (gamma y'_n + sum b^_i Y'_i) that integrates polynomials of degree r exactly: for Radau IIA with three stages
// that of RADAU5. Where F is stiff, y'_n may be off by far more than y_n, and an implicit Euler step filters d:
//   F_y' (e - d) / kappa + F_y e + F_z z = 0.
// With e = kappa u this is (F_y' + kappa F_y) u + F_z z = F_y' d / kappa, and the right-hand side is the residual at
// (y_(n+1), y'_(n+1) + d / kappa), F being affine in y'. [HW96, Sec. IV.8, eqs. (8.17) ff.]
//
// The difference to an embedded formula of the same stages is filtered in the same way. [HS96]
//
// Constraints that determine the motion leave nothing of a filtered error: on index 3 velocities were wrong by a tenth,
// and on ggl angles by whole turns, in steps of any length. There d of the positions is the estimate: it says how well
// the polynomial follows the motion, and by how much, times h, velocities were off at the start. d of the velocities
// does not fall with h, where accelerations at the start are those of index 3.
//
// Where the step end is no stage, as of Gauss methods, it is off the constraints of index 2 and 3, and the next steps
// keep that distance: |R(infinity)| = 1. No step size makes it smaller, so the residuals of the constraints at the step
// end stay out of the filter.
//
// [HS96] Hosea, Shampine, Analysis and implementation of TR-BDF2, Appl. Numer. Math. 20, 1996, 21-37.
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer.
#pragma once

#include <limits>

#include "core/equations/system.hpp"
#include "core/integration/step_control.hpp"
#include "core/model/consistent_start.hpp"
#include "methods/runge_kutta/implicit_stages.hpp"

namespace daelab {

template <class T>
class StepError {
 public:
  StepError(const ErrorFormula& formula, bool stiffly_accurate, System<T>& system, Linearization<T>& linearization)
      : system_(system),
        start_weight_(static_cast<T>(formula.start_weight)),
        weights_(formula.weights.cast<T>()),
        gamma_(static_cast<T>(formula.gamma)),
        own_matrix_(linearization.real_matrix()),
        determined_(is_determined(system)),
        leaves_constraints_(system.index() >= 2 && !stiffly_accurate) {
    for (Vector<T>* x : {&error_, &ydot_, &u_}) x->setZero(system.size());
  }

  const T& gamma() const { return gamma_; }
  /// Takes that of a step from `from` by the formula; the columns of X are the unknowns of the implicit stages.
  void take(const State<T>& from, const T& h, const auto& X) {
    const Index d = system_.differential();
    auto e = error_.head(d);
    e = start_weight_ * from.ydot.head(d);
    for (Index i = 0; i < X.cols(); ++i) e += weights_[i] * X.col(i).head(d);
    kappa_ = gamma_ * h;
    e *= kappa_;
  }
  /// The matrix to filter with where the iteration has none for gamma() h. Null when singular.
  IterationMatrix<T>* own_matrix(const T& h, Statistics& statistics) {
    if (own_h_ == h) return own_matrix_.get();
    ++statistics.factorizations;
    if (!own_matrix_->factorize(h * gamma_).ok()) return nullptr;
    own_h_ = h;
    return own_matrix_.get();
  }
  /// After the Jacobian has changed.
  void forget_matrix() { own_h_ = T(0); }
  /// Its size when filtered by the matrix, which is factorised for gamma() h; null, or a filter that fails: not a
  /// number. Filtered once, an error of the start itself stays at its size however small the step: where that is
  /// suspected, one above the tolerance is filtered again. [HW96, eq. (8.20)]
  T size(IterationMatrix<T>* matrix, const State<T>& to, bool suspects_start, const ErrorNorm<T>& norm,
         Statistics& statistics) {
    const T once = filtered_size(matrix, to, norm, statistics);
    return suspects_start && once > T(1) ? filtered_size(matrix, to, norm, statistics) : once;
  }

 private:
  T filtered_size(IterationMatrix<T>* matrix, const State<T>& to, const ErrorNorm<T>& norm, Statistics& statistics) {
    if (matrix == nullptr) return std::numeric_limits<T>::quiet_NaN();
    ++statistics.residuals, ++statistics.back_solves;
    return filter(*matrix, to).ok() ? norm(error_) : std::numeric_limits<T>::quiet_NaN();
  }
  Status filter(IterationMatrix<T>& matrix, const State<T>& to) {
    if (determined_) {
      error_.tail(system_.size() - system_.positions()).setZero();
      return {};
    }
    const Index d = system_.differential();
    ydot_ = to.ydot;
    ydot_.head(d) += error_.head(d) / kappa_;
    if (Status status = system_.resolved_residual(to.t, to.y, ydot_, u_); !status.ok()) return status;
    if (leaves_constraints_) u_.tail(system_.size() - d).setZero();
    matrix.solve(u_);
    error_.head(d) = kappa_ * u_.head(d);
    matrix.make_tangential(error_);
    return {};
  }
  // By as many independent constraints as coordinates, that the form enforces at the end of a step.
  static bool is_determined(System<T>& system) {
    MechanicalModel<T>* const model = system.mechanical_model();
    if (model == nullptr || system.index() < 2 || model->constraints() < model->coordinates()) return false;
    return analyse_start(*model, model->initial_q(), model->initial_v()).rank == model->coordinates();
  }

  System<T>& system_;
  T start_weight_;
  Vector<T> weights_;
  T gamma_, kappa_{0};
  std::unique_ptr<IterationMatrix<T>> own_matrix_;
  T own_h_{0};  // step size it is factorised for; 0: none
  bool determined_, leaves_constraints_;
  Vector<T> error_, ydot_, u_;  // (N), of the error algebraic components 0
};

}  // namespace daelab
