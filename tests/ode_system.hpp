// Ordinary differential equations for the tests of the integrators.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>

#include "core/equations/system.hpp"
#include "core/integration/extrapolation.hpp"
#include "core/solvers/linear_solver.hpp"
#include "tests/scalars.hpp"

namespace daelab {

/// y' = f(t, y) as F = y' - f(t, y).
template <class T>
class OdeSystem final : public System<T> {
 public:
  using Slope = std::function<void(const T& t, const Vector<T>& y, Vector<T>& f)>;
  using Jacobian = std::function<void(const T& t, const Vector<T>& y, Matrix<T>& J)>;
  /// Explicit methods need no f_y. `positions`: y = (q, v) with q' = v, so many q; 0: not of second order.
  OdeSystem(Index size, Slope f, Jacobian f_y = {}, Index positions = 0)
      : System<T>({.size = size, .differential = size, .positions = positions}),
        size_(size),
        f_(std::move(f)),
        f_y_(std::move(f_y)) {}

  void residual(const T& t, const Vector<T>& y, const Vector<T>& ydot, Vector<T>& F) override {
    f_(t, y, F);
    F = (ydot - F).eval();
  }
  Status consistent_derivatives(const T& t, Vector<T>& y, Vector<T>& ydot) override {
    f_(t, y, ydot);
    return {};
  }
  void correction_weights(const T& h, const Vector<T>& y, Vector<T>& w) const override {
    using std::abs;
    for (Index i = 0; i < size_; ++i) w[i] = h / (T(1) + abs(y[i]));
  }
  std::unique_ptr<Linearization<T>> linearization() override {
    // Real50 in a build without it is for oracles alone, which need no linear algebra.
    if constexpr (std::is_same_v<T, double> || std::is_same_v<T, Widest>)
      return std::make_unique<Linear>(*this);
    else
      return nullptr;
  }

 private:
  template <class S>
  struct Solver final : IterationMatrix<S> {
    explicit Solver(const Matrix<T>& J) : J_(J), lu_(J.rows()) {}
    Status factorize(const S& kappa) override {  // I - kappa f_y
      for (Index j = 0; j < J_.cols(); ++j)
        for (Index i = 0; i < J_.rows(); ++i) lu_.matrix()(i, j) = S(T(i == j ? 1 : 0)) - kappa * J_(i, j);
      return lu_.factorize();
    }
    void solve(Vector<S>& r) override { lu_.solve(r); }
    const Matrix<T>& J_;
    DenseLu<S> lu_;
  };
  struct Linear final : Linearization<T> {
    explicit Linear(OdeSystem& ode) : ode_(ode), J_(Matrix<T>::Zero(ode.size_, ode.size_)) {}
    void evaluate(const T& t, const Vector<T>& y, const Vector<T>&) override { ode_.f_y_(t, y, J_); }
    void coupled(SparseMatrix<T>& F_y, SparseMatrix<T>& F_ydot) override {
      F_y.take(full_), F_ydot.take(identity_);
      F_y.values = -J_.reshaped();
      F_ydot.values.setOnes();
    }
    std::unique_ptr<IterationMatrix<T>> real_matrix() override { return std::make_unique<Solver<T>>(J_); }
    std::unique_ptr<IterationMatrix<std::complex<T>>> complex_matrix() override {
      return std::make_unique<Solver<std::complex<T>>>(J_);
    }
    OdeSystem& ode_;
    Matrix<T> J_;
    std::shared_ptr<const SparsePattern> full_ = SparsePattern::full(J_.rows(), J_.rows()),
                                         identity_ = SparsePattern::diagonal(J_.rows());
  };

  Index size_;
  Slope f_;
  Jacobian f_y_;
};

/// Van der Pol's equation with a forcing: nonlinear, not autonomous, no symmetry that could hide an order.
template <class T>
OdeSystem<T> forced_oscillator() {
  using std::cos;
  using std::sin;
  return {2,
          [](const T& t, const Vector<T>& y, Vector<T>& f) {
            f[0] = y[1] + T(sin(t)) * y[0];
            f[1] = (T(1) - y[0] * y[0]) * y[1] - y[0] + T(cos(t));
          },
          [](const T& t, const Vector<T>& y, Matrix<T>& J) {
            J(0, 0) = sin(t), J(0, 1) = T(1);
            J(1, 0) = T(-2) * y[0] * y[1] - T(1), J(1, 1) = T(1) - y[0] * y[0];
          }};
}

template <class T>
State<T> start_state(System<T>& system, const Vector<T>& y) {
  State<T> state;
  state.y = y;
  state.ydot.setZero(system.size()), state.compensation.setZero(system.size());
  EXPECT_TRUE(system.consistent_derivatives(state.t, state.y, state.ydot).ok());
  return state;
}

/// y(t1) of y(0) = y0 by extrapolation of order 30 with 16 steps: to t1 = 1 far below every error of the tests.
inline Vector<Real50> ode_solution(OdeSystem<Real50>& ode, const Vector<Real50>& y0, const Real50& t1) {
  const auto slope = [&](const Real50& t, const Vector<Real50>& y, Vector<Real50>& f) {
    ode.consistent_derivatives(t, const_cast<Vector<Real50>&>(y), f);
  };
  return extrapolate<Real50>(slope, Real50(0), y0, t1, 16, 15);
}

}  // namespace daelab
