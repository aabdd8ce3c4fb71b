// What the tests of the structured linear algebra share: a model with everything, arbitrary points, and the backward
// error of a structured solve against the coupled matrices.
#pragma once

#include <gtest/gtest.h>

#include "core/solvers/linear_solver.hpp"
#include "tests/numeric_support.hpp"

namespace daelab {

// Everything the registered problems lack: mass that depends on q and t, forces that depend on q, v and t, constraints
// that move.
inline void record_moving_model(Recording& r) {
  r.coordinates(3);
  r.start_q = {1, 0, Exact("1/4")}, r.start_v = {0, 1, 2};
  const Expression& t = r.t;
  const Expressions &q = r.q, &v = r.v;
  r.mass(0, 0) = 2 + sin(q[1]);
  r.mass(1, 1) = 3 + q[0] * q[0] + t;
  r.mass(2, 2) = 4;
  r.mass(0, 1) = r.mass(1, 0) = cos(q[2]) / 2;
  r.mass(1, 2) = r.mass(2, 1) = q[1] * t / 8;
  r.force[0] = sin(t) * v[1] - q[0] * v[0];
  r.force[1] = exp(-t) * v[0] * v[2] + q[2];
  r.force[2] = sin(q[1]) - v[2] * v[2] * v[1];
  r.constraints = {q[0] * q[0] + q[1] * q[2] * sin(t + q[1]) - 1, q[2] - cos(q[0] * t) * exp(q[1]) / 2};
}

template <class T>
std::unique_ptr<MechanicalModel<T>> moving_model() {
  return recorded_model<T>(record_moving_model);
}

// The same with a nonholonomic constraint in place of the second one: not linear in v, and moving.
inline void record_moving_nonholonomic_model(Recording& r) {
  record_moving_model(r);
  const Expressions &q = r.q, &v = r.v;
  r.constraints.pop_back();
  r.nonholonomic_constraints = {v[0] * v[1] * cos(q[2] * r.t) - v[2] * exp(q[0]) + q[1] * r.t};
}

// With holonomic constraints alone, and with one of each kind.
template <class T>
std::vector<std::unique_ptr<MechanicalModel<T>>> moving_models() {
  std::vector<std::unique_ptr<MechanicalModel<T>>> models;
  models.push_back(moving_model<T>());
  models.push_back(recorded_model<T>(record_moving_nonholonomic_model));
  return models;
}

// An arbitrary point: nothing in the linear algebra may rely on consistency.
template <class T>
struct Point {
  T t{0.375};
  Vector<T> y, ydot;

  explicit Point(const System<T>& system) {
    RandomNumbers random(2019);
    y = random.vector<T>(system.size());
    ydot = random.vector<T>(system.size());
    ydot.tail(system.size() - system.differential()).setZero();
  }
};

// E = dF/d(y' differential, y algebraic), and the iteration matrix J = E + kappa F_y on differential
// columns; in 50 digits and complex for both scalars.
using Wide = std::complex<Real50>;
struct CoupledMatrices {
  Matrix<Wide> E, J;

  CoupledMatrices(const Matrix<Real50>& F_y, const Matrix<Real50>& F_ydot, Index differential, const Wide& kappa)
      : E(F_y.rows(), F_y.cols()), J(F_y.rows(), F_y.cols()) {
    for (Index j = 0; j < E.cols(); ++j)
      for (Index i = 0; i < E.rows(); ++i) {
        E(i, j) = j < differential ? F_ydot(i, j) : F_y(i, j);
        J(i, j) = j < differential ? Wide(E(i, j) + kappa * F_y(i, j)) : E(i, j);
      }
  }
};

template <class T>
Real50 wide(const T& x) {
  return Real50(x);
}
template <class T>
Wide wide(const std::complex<T>& x) {
  return Wide(Real50(x.real()), Real50(x.imag()));
}
template <class S>
Vector<Wide> wide_vector(const Vector<S>& x) {
  Vector<Wide> y(x.size());
  for (Index i = 0; i < x.size(); ++i) y[i] = wide(x[i]);
  return y;
}

/// F_y and F_ydot at an arbitrary point against central differences of the residual.
inline void expect_dense_jacobians_match_differences(System<Real50>& system) {
  const Point<Real50> p(system);
  const Index N = system.size();
  Matrix<Real50> F_y(N, N), F_ydot(N, N);
  const auto linearization = system.linearization();
  linearization->evaluate(p.t, p.y, p.ydot);
  linearization->dense(F_y, F_ydot);
  const auto F = [&](const Vector<Real50>& y, const Vector<Real50>& ydot) {
    Vector<Real50> f(N);
    system.residual(p.t, y, ydot, f);
    return f;
  };
  EXPECT_LT(largest(F_y - difference(p.y, [&](const auto& y) { return F(y, p.ydot); })), difference_tolerance);
  EXPECT_LT(largest(F_ydot - difference(p.ydot, [&](const auto& ydot) { return F(p.y, ydot); })), difference_tolerance);
}

// max |J x - r| relative to |J| |x| + |r|, r multiplied by E on index 1, where residuals come in resolved.
// A backward error: a stable elimination keeps it near round-off whatever the condition of J.
template <class T, class S>
double backward_error(System<T>& system, IterationMatrix<S>& matrix, const S& kappa, const Matrix<Real50>& F_y,
                      const Matrix<Real50>& F_ydot) {
  RandomNumbers random(7);
  Vector<S> x(system.size());
  for (S& entry : x) entry = S(T(random.next()));
  if constexpr (!std::is_same_v<S, T>)
    for (S& entry : x) entry += S(T(0), T(random.next()));
  const CoupledMatrices coupled(F_y, F_ydot, system.differential(), Wide(wide(kappa)));
  Vector<Wide> r = wide_vector(x);
  if (system.index() == 1) r = (coupled.E * r).eval();
  const Status status = matrix.factorize(kappa);
  EXPECT_TRUE(status.ok()) << status.cause;
  matrix.solve(x);
  const Vector<Wide> solution = wide_vector(x);
  return largest(Vector<Wide>(coupled.J * solution - r)) / (largest(coupled.J) * largest(solution) + largest(r));
}

/// Real and complex structured solves at a point against the coupled matrix.
template <class T>
void expect_structured_solves_match(System<T>& system, const Point<T>& p, double h, double limit) {
  const Index N = system.size();
  Matrix<T> F_y(N, N), F_ydot(N, N);
  const auto linearization = system.linearization();
  linearization->evaluate(p.t, p.y, p.ydot);
  linearization->dense(F_y, F_ydot);
  const Matrix<Real50> wide_F_y = F_y.template cast<Real50>(), wide_F_ydot = F_ydot.template cast<Real50>();
  const auto real = linearization->real_matrix();
  EXPECT_LT(backward_error<T>(system, *real, T(h), wide_F_y, wide_F_ydot), limit);
  // The first eigenvalue pair of the three-stage Radau matrix, roughly.
  const auto complex = linearization->complex_matrix();
  EXPECT_LT(backward_error<T>(system, *complex, std::complex<T>(T(h * 0.18), T(h * 0.19)), wide_F_y, wide_F_ydot),
            limit);
}

}  // namespace daelab
