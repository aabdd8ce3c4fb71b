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
// What constraints determine leaves nothing in a filtered error: x = sin(10 t) is met at step ends of any length, and
// x' = z off by more than itself. Steps are therefore judged by the larger of the filtered error and
//  - of second-order systems on index 2 and 3, what constraints took out of d of the positions, d_q + kappa e_v - e_q:
//    so far, times h, velocities were off at the start. On ggl d_q is here that of the velocities at the stages: the
//    multiplier in q' = v + C_q^T mu is no motion, and that of SDIRK methods falls by an order less than the estimate;
//  - of first-order systems, the algebraic components z of the filter times kappa^(index - 1): the defect in the
//    directions of F_z, weighed by h as in RADAU5. [HW96, Sec. VII.7]
// An embedded solution that is a stage has no such part: there it is the difference of the algebraic components of both
// stages, and on index 3, times kappa, that of velocities off the constraints.
// Filtering twice would take it away. Of the velocities of second-order systems the first one is enough: their d does
// not fall with h where accelerations at the start are those of index 3. Of first-order systems on index 3 what is off
// the constraints stays in the filtered error: it is kappa z, of results that no other part holds as tightly.
//
// Where the step end is no stage, as of Gauss methods, it is off the constraints of index 2 and 3, and the next steps
// keep that distance: |R(infinity)| = 1. No step size makes it smaller, so the residuals of the constraints at the step
// end stay out of the filter. The defect at the start holds the distance over h, too: of first-order systems, where no
// velocities tell of it, what constraints determine is judged by the distance that the step adds, the filter of
// g_(n+1) - R(infinity) g_n.
//
// Where no node is at the step end, a contact behind the last one enters no slope: the end of a Gauss step was 4 mm
// deep in a floor that none of its stages had touched, with an estimate of 0. Up to index 1 the defect there, y'_(n+1)
// - p'(1), counts as that at the start does.
//
// [HS96] Hosea, Shampine, Analysis and implementation of TR-BDF2, Appl. Numer. Math. 20, 1996, 21-37.
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer.
#pragma once

#include <limits>

#include "core/equations/system.hpp"
#include "core/integration/step_control.hpp"
#include "methods/runge_kutta/implicit_stages.hpp"
#include "methods/runge_kutta/step_end.hpp"

namespace daelab {

template <class T>
class StepError {
 public:
  StepError(const ErrorFormula& formula, const Stages& stages, System<T>& system, Linearization<T>& linearization)
      : system_(system),
        start_weight_(static_cast<T>(formula.start_weight)),
        weights_(formula.weights.cast<T>()),
        integrated_(Vector<Real100>(stages.B.transpose() * formula.weights).cast<T>()),
        integrated_start_(static_cast<T>(Real100(stages.d.dot(formula.weights)))),
        gamma_(static_cast<T>(formula.gamma)),
        embedded_stage_(formula.embedded_stage),
        own_matrix_(linearization.real_matrix()),
        leaves_constraints_(system.index() >= 2 && !stages.stiffly_accurate),
        at_infinity_(leaves_constraints_ ? stability_at_infinity(stages) : 0) {
    if (system.index() < 2) end_slope_ = stages.end_slope.cast<T>();
    for (Vector<T>* x : {&error_, &ydot_, &u_, &of_stages_, &at_end_, &off_}) x->setZero(system.size());
    taken_out_.setZero(system.positions());
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
    from_ = &from;
    at_end_.head(d).setZero();
    for (Index i = 0; i < end_slope_.size(); ++i) at_end_.head(d) += end_slope_[i] * X.col(i).head(d);
    if (embedded_stage_ >= 0) of_stages_ = X.col(X.cols() - 1) - X.col(embedded_stage_);
    take_positions(from, h, X);
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
    NormOf<T> larger;
    if (system_.index() >= 2)
      larger.add(leaves_constraints_ && system_.positions() == 0 ? added_distance(matrix, to, norm, statistics)
                                                                 : determined_size(to, norm));
    larger.add(suspects_start && once > T(1) ? filtered_size(matrix, to, norm, statistics) : once);
    if (end_slope_.size() > 0) larger.add(defect_at_end(matrix, to, larger.value(), norm, statistics));
    return larger.value();
  }

 private:
  // d of the positions, by velocities where q' has a multiplier beside them.
  void take_positions(const State<T>& from, const T& h, const auto& X) {
    const Index n = system_.positions();
    taken_out_ = error_.head(n);
    if (system_.index() != 2) return;
    taken_out_ = integrated_start_ * from.ydot.segment(n, n);
    for (Index i = 0; i < X.cols(); ++i) taken_out_ += integrated_[i] * X.col(i).segment(n, n);
    taken_out_ *= kappa_ * h;
  }
  T filtered_size(IterationMatrix<T>* matrix, const State<T>& to, const ErrorNorm<T>& norm, Statistics& statistics) {
    if (matrix == nullptr) return std::numeric_limits<T>::quiet_NaN();
    ++statistics.residuals, ++statistics.back_solves;
    return filter(*matrix, to).ok() ? norm(error_) : std::numeric_limits<T>::quiet_NaN();
  }
  // Not filtered where that cannot make it count.
  T defect_at_end(IterationMatrix<T>* matrix, const State<T>& to, const T& known, const ErrorNorm<T>& norm,
                  Statistics& statistics) {
    const Index d = system_.differential();
    error_.head(d) = kappa_ * (to.ydot.head(d) - at_end_.head(d));
    const T unfiltered = norm(error_);
    return unfiltered <= known ? unfiltered : filtered_size(matrix, to, norm, statistics);
  }
  // From the constraints, by the step itself.
  T added_distance(IterationMatrix<T>* matrix, const State<T>& to, const ErrorNorm<T>& norm, Statistics& statistics) {
    if (matrix == nullptr) return std::numeric_limits<T>::quiet_NaN();
    const Index d = system_.differential();
    system_.residual(from_->t, from_->y, from_->ydot, off_);
    system_.residual(to.t, to.y, to.ydot, u_);
    statistics.residuals += 2, ++statistics.back_solves;
    u_.tail(u_.size() - d) -= at_infinity_ * off_.tail(u_.size() - d);
    u_.head(d).setZero();
    matrix->solve(u_);
    off_.head(d) = kappa_ * u_.head(d);
    return norm(off_);
  }
  Status filter(IterationMatrix<T>& matrix, const State<T>& to) {
    const Index d = system_.differential(), n = system_.positions();
    ydot_ = to.ydot;
    ydot_.head(d) += error_.head(d) / kappa_;
    if (Status status = system_.resolved_residual(to.t, to.y, ydot_, u_); !status.ok()) return status;
    if (leaves_constraints_) u_.tail(system_.size() - d).setZero();
    matrix.solve(u_);
    if (embedded_stage_ >= 0) split_off_velocities(matrix);
    error_.head(d) = kappa_ * u_.head(d);
    if (n > 0) matrix.make_tangential(error_);
    taken_out_ += kappa_ * error_.segment(n, n) - error_.head(n);
    return {};
  }
  // of_stages_: the velocities of d off the constraints.
  void split_off_velocities(IterationMatrix<T>& matrix) {
    const Index n = system_.positions();
    of_stages_.segment(n, n) = error_.segment(n, n);
    matrix.make_tangential(of_stages_);
    of_stages_.segment(n, n) = error_.segment(n, n) - of_stages_.segment(n, n);
  }
  // Error of what constraints determine, by the filter that was applied last. Algebraic components that are round-off
  // of the others count nothing.
  T determined_size(const State<T>& to, const ErrorNorm<T>& norm) const {
    const Index d = system_.differential(), n = system_.positions(), algebraic = system_.size() - d;
    NormOf<T> larger;
    if (n > 0) {
      larger.add(norm.positions(taken_out_));
      if (embedded_stage_ >= 0 && system_.index() == 3) larger.add(kappa_ * norm.positions(of_stages_.segment(n, n)));
      return larger.value();
    }
    const T held = system_.index() == 3 ? T(kappa_ * kappa_) : kappa_, largest = to.y.head(d).cwiseAbs().maxCoeff();
    const auto add = [&](const Vector<T>& x) {
      if (held * x.tail(algebraic).cwiseAbs().maxCoeff() > T(100) * epsilon<T>() * largest)
        larger.add(held * norm(x, d, algebraic, d));
    };
    if (algebraic > 0) add(u_);
    if (algebraic > 0 && embedded_stage_ >= 0) add(of_stages_);
    return larger.value();
  }

  System<T>& system_;
  T start_weight_;
  Vector<T> weights_, integrated_;  // of the slopes of stages; of their derivatives times h
  T integrated_start_;
  T gamma_, kappa_{0};
  Index embedded_stage_;
  std::unique_ptr<IterationMatrix<T>> own_matrix_;
  T own_h_{0};  // step size it is factorised for; 0: none
  bool leaves_constraints_;
  T at_infinity_;        // R(infinity), where it leaves them
  Vector<T> end_slope_;  // of the slopes of stages; empty: not judged
  const State<T>* from_ = nullptr;
  Vector<T> error_, ydot_, u_;  // (N), of the error algebraic components 0
  Vector<T> at_end_, off_;      // (N): p' at the end; distance from constraints
  Vector<T> taken_out_;         // (positions) d, and once that is filtered, what constraints took out of it
  Vector<T> of_stages_;         // (N), where the embedded solution is a stage
};

}  // namespace daelab
