// First-order systems F(t, y, y') = 0 as integrators see them.
//
// y = (differential components, algebraic components): y' of the algebraic ones does not enter F.
// Ordinary differential equations are the case y' - f(t, y) = 0 without algebraic components.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "core/base/scalar.hpp"
#include "core/base/status.hpp"
#include "core/solvers/sparse_matrix.hpp"

namespace daelab {

/// How the corrections of a second-order system y = (q, v, ...) hang on unknowns (x, z): dq = position x,
/// dq' = velocity x, dv = velocity z, dv' = acceleration z. Newmark's methods: (beta h^2, gamma h, eta).
template <class S>
struct SecondOrderWeights {
  S position, velocity, acceleration;
};

/// A factorised iteration matrix. With kappa = (step size) x (coefficient of the method), columns of
/// differential components are F_y' + kappa F_y, those of algebraic components F_y; the unknowns are y' of
/// the former and y of the latter. With weights instead of kappa they are (x, z) and y of the algebraic ones.
template <class S>
class IterationMatrix {
 public:
  virtual ~IterationMatrix() = default;
  virtual Status factorize(const S& kappa) = 0;
  /// not_applicable for systems that are not of second order.
  virtual Status factorize(const SecondOrderWeights<S>& /*weights*/) {
    return {StatusCode::not_applicable, "the method needs a second-order system, y = (q, v, ...) with q' = v"};
  }
  /// Solves for another step size with the factorisation at hand: what can be scaled exactly is (constraint rows,
  /// the elimination of q'), the equations of motion keep their old weights.
  virtual void reuse(const S& /*kappa*/) {}
  virtual void reuse(const SecondOrderWeights<S>& /*weights*/) {}
  /// Correction for a residual r of System::resolved_residual, in place; shape (N).
  virtual void solve(Vector<S>& r) = 0;
  /// Takes out of the velocities of an error x = (q, v, ...) what points off the constraints, where the form does
  /// not enforce them: amplified round-off and position error that says nothing about accuracy. [Ren20, eq. (80)]
  virtual void make_tangential(Vector<S>& /*x*/) {}
};

/// The blocks of F at one point, evaluated once and factorised for any number of kappas.
template <class T>
class Linearization {
 public:
  virtual ~Linearization() = default;
  virtual void evaluate(const T& t, const Vector<T>& y, const Vector<T>& ydot) = 0;
  /// The plain coupled Jacobians (N, N): the oracle of the structured solves, and what a full Newton
  /// iteration on coupled stages needs. Patterns change only with those of the model.
  virtual void coupled(SparseMatrix<T>& F_y, SparseMatrix<T>& F_ydot) = 0;
  void dense(Matrix<T>& F_y, Matrix<T>& F_ydot) {
    SparseMatrix<T> by_y, by_ydot;
    coupled(by_y, by_ydot);
    by_y.scatter(F_y), by_ydot.scatter(F_ydot);
  }
  virtual std::unique_ptr<IterationMatrix<T>> real_matrix() = 0;
  virtual std::unique_ptr<IterationMatrix<std::complex<T>>> complex_matrix() = 0;
};

template <class T>
class MechanicalModel;
class Forms;

/// Facts of a system before it is evaluated.
struct SystemFacts {
  Index size = 0;          // N
  Index differential = 0;  // the first so many components of y are differential
  int index = 0;           // nilpotency of the constraint: 0 for an ODE, 1 to 3 for the forms of a mechanical system
  /// The first so many components q of y have the next as many, v, as their derivative: y = (q, v, ...). 0 for systems
  /// that are not of second order.
  Index positions = 0;
  bool multipliers_in_velocities = false;  // q' = v has multipliers in it, too
  Index accelerations = 0;                 // where they are among the algebraic components of y; 0: they are v'
  bool depends_on_step_size = false;       // the equations hang on the size of the step: no differential equations then
  bool projects = false;                   // System::project() moves what it is given
  bool stabilizes = false;                 // the form acts against drift by feedback, penalty or projection
  std::string explicit_form_refusal = {};  // "" if explicit methods may integrate this form, otherwise why not
};

template <class T>
class System {
 public:
  virtual ~System() = default;
  const SystemFacts& facts() const { return facts_; }
  Index size() const { return facts_.size; }
  Index differential() const { return facts_.differential; }
  int index() const { return facts_.index; }
  Index positions() const { return facts_.positions; }
  bool has_plain_velocities() const { return facts_.positions > 0 && !facts_.multipliers_in_velocities; }
  Index accelerations() const { return facts_.accelerations; }
  bool projects() const { return facts_.projects; }

  virtual void residual(const T& t, const Vector<T>& y, const Vector<T>& ydot, Vector<T>& F) = 0;
  /// E^-1 F with E = dF/d(y' differential, y algebraic) at this very point, where E is regular (ODE,
  /// index 1); F itself otherwise. An iteration whose Jacobian is frozen then errs by O(h) times the
  /// change of the Jacobian, not by the change itself: the simplified Newton iteration contracts faster.
  virtual Status resolved_residual(const T& t, const Vector<T>& y, const Vector<T>& ydot, Vector<T>& F) {
    residual(t, y, ydot, F);
    return {};
  }
  /// resolved_residual() at several points: column i of R (N, r) at t_i, Y_i and Y'_i.
  virtual Status resolved_residuals(const Vector<T>& t, const Matrix<T>& Y, const Matrix<T>& Ydot, Matrix<T>& R) {
    for (Index i = 0; i < t.size(); ++i) {
      y_ = Y.col(i), ydot_ = Ydot.col(i), F_.resize(size());
      ydot_.tail(size() - differential()).setZero();
      if (Status status = resolved_residual(t[i], y_, ydot_, F_); !status.ok()) return status;
      R.col(i) = F_;
    }
    return {};
  }
  virtual std::unique_ptr<Linearization<T>> linearization() = 0;

  /// The derivative and the algebraic components that belong to the differential part of y: the
  /// explicit (state-space) form. Overwrites ydot and the algebraic part of y.
  virtual Status consistent_derivatives(const T& t, Vector<T>& y, Vector<T>& ydot) = 0;
  /// Overload for four points, the rows of Y and Ydot (4, N); rows from `count` on repeat the one before.
  virtual Status derivatives_at_lanes(const Vector<T>& t, Matrix<T>& Y, Matrix<T>& Ydot, Index count) {
    for (Index i = 0; i < count; ++i) {
      y_ = Y.row(i).transpose(), ydot_.resize(size());
      if (Status status = consistent_derivatives(t[i], y_, ydot_); !status.ok()) return status;
      Y.row(i) = y_.transpose(), Ydot.row(i) = ydot_.transpose();
    }
    for (Index i = count; i < Y.rows(); ++i) Y.row(i) = Y.row(i - 1), Ydot.row(i) = Ydot.row(i - 1);
    return {};
  }
  /// consistent_derivatives() where only positions and velocities are known, at the start of a run and after events:
  /// differential components that the form adds to them are overwritten, too.
  virtual Status consistent_start(const T& t, Vector<T>& y, Vector<T>& ydot) {
    return consistent_derivatives(t, y, ydot);
  }
  /// For what of the form depends on where a step starts, or on its size h, as local coordinates do. Steppers call it
  /// before they evaluate anything else; what follows is then the same whatever was evaluated before.
  virtual Status start_step(const T& /*t*/, const T& /*h*/, const Vector<T>& /*y*/) { return {}; }
  /// Moves the differential part of y at the end of a step onto the constraints, where the form says so.
  virtual Status project(const T& /*t*/, Vector<T>& /*y*/) { return {}; }
  /// The end of a step whose y and y' satisfy the equations already: project() and the derivatives there, or nothing.
  Status end_step(const T& t, Vector<T>& y, Vector<T>& ydot) {
    if (!projects()) return {};
    if (Status status = project(t, y); !status.ok()) return status;
    return consistent_derivatives(t, y, ydot);
  }
  /// The model behind y = (q, v, lambda), for methods that need its blocks; null where there is none.
  virtual MechanicalModel<T>* mechanical_model() { return nullptr; }
  /// The forms of the recorded model behind it, for methods that need its graph: time derivatives of F, Taylor series.
  /// Null where nothing was recorded. Those of another mode after an event.
  virtual Forms* forms() { return nullptr; }

  /// Weights w of a correction of (Y' of differential, Y of algebraic components) in a step of size h
  /// around y, so that w_i |dX_i| is an error relative to 1 + |y_i|. Shape (N). On index 3 the size of
  /// (q, v, lambda) is (1, h, h^2): their round-off is amplified by 1, 1/h, 1/h^2.
  virtual void correction_weights(const T& h, const Vector<T>& y, Vector<T>& w) const = 0;

 protected:
  explicit System(SystemFacts facts = {}) : facts_(std::move(facts)) {}
  SystemFacts facts_;  // set when the system is made, and not changed afterwards

 private:
  Vector<T> y_, ydot_, F_;  // of one of several points
};

}  // namespace daelab
