// Fixed-step runs of problems whose motion is known, for the tests of integrators of second-order systems.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <utility>

#include "analysis/order_estimate.hpp"
#include "core/integration/method.hpp"
#include "tests/method_support.hpp"
#include "tests/numeric_support.hpp"
#include "tests/scalars.hpp"

namespace daelab {

struct ConstrainedMotion {
  Vector<Real50> q, v, a, lambda;
};

/// By the problem's independent route; a and lambda to the round-off of the widest scalar.
inline ConstrainedMotion known_motion(const std::string& problem, const Real50& t) {
  const BoundProblem<Widest> bound(problem, "index-1");
  const Motion motion = *bound.problem->independent_solution(t, 30);
  ConstrainedMotion x{motion.q, motion.v, Vector<Real50>(bound.layout.n), Vector<Real50>(bound.layout.m)};
  State<Widest> state = bound.start;
  state.y.head(bound.layout.n) = x.q.cast<Widest>();
  state.y.segment(bound.layout.n, bound.layout.n) = x.v.cast<Widest>();
  EXPECT_TRUE(bound.system->consistent_derivatives(Widest(t), state.y, state.ydot).ok());
  x.a = bound.layout.a(state.ydot).cast<Real50>(), x.lambda = bound.layout.lambda(state.y).cast<Real50>();
  return x;
}

template <class T>
ConstrainedMotion motion_of(const State<T>& state, const MechanicalLayout& layout) {
  const auto cast = [](const auto& x) { return Vector<Real50>(x.template cast<Real50>()); };
  return {cast(layout.q(state.y)), cast(layout.v(state.y)), cast(layout.accelerations_of(state)),
          cast(layout.lambda(state.y))};
}

inline std::unique_ptr<Stepper<double>> stepper_of(const std::string& method, const BoundProblem<double>& bound) {
  return method_of(method)->stepper(*bound.system, {});
}

/// Why a method does not take a problem on a formulation; "accepted" if it does.
inline std::string refusal_of(const std::string& problem, const std::string& formulation, const std::string& method) {
  const BoundProblem<double> bound(problem, formulation);
  try {
    stepper_of(method, bound);
  } catch (const NotApplicable& reason) {
    return reason.what();
  }
  return "accepted";
}

/// The largest error of the energy over steps of the pendulum, of those up to `early` and of all.
inline std::pair<double, double> energy_errors(const std::string& method, const std::string& formulation, double h,
                                               int steps, int early) {
  const BoundProblem<double> bound("pendulum", formulation);
  const auto stepper = stepper_of(method, bound);
  State<double> state = bound.start;
  state.memory = stepper->make_memory();
  State<double> next = state;
  const auto energy = [&](const State<double>& x) {
    return bound.model->energy(x.t, bound.layout.q(x.y), bound.layout.v(x.y)).total();
  };
  const double start = energy(state);
  double first = 0, all = 0;
  for (int k = 1; k <= steps; ++k) {
    const Status status = stepper->step(state, h, next);
    EXPECT_TRUE(status.ok()) << status.cause;
    if (!status.ok()) break;
    std::swap(state, next);
    all = std::max(all, std::abs(energy(state) - start));
    if (k == early) first = all;
  }
  return {first, all};
}

enum class Steps { constant, alternating };  // alternating: 2/3 and 4/3 of the mean, the short one first

/// A run over [0, end] with `count` steps.
template <class T>
ConstrainedMotion march(const std::string& problem, const std::string& formulation, const std::string& method,
                        const T& end, int count, Steps steps = Steps::constant, const NewtonOptions& newton = {}) {
  const BoundProblem<T> bound(problem, formulation);
  const auto stepper = Registry<Method>::instance().make(method, "")->stepper(*bound.system, newton);
  State<T> state = bound.start;
  state.memory = stepper->make_memory();
  State<T> next = state;
  const T h = end / T(count);
  for (int k = 0; k < count; ++k) {
    const T size = steps == Steps::constant ? h : T(k % 2 == 0 ? T(2) : T(4)) * h / T(3);
    const Status status = stepper->step(state, size, next);
    EXPECT_TRUE(status.ok()) << method << " on " << formulation << ", step " << k << ": " << status.cause;
    if (!status.ok()) break;
    std::swap(state, next);
  }
  return motion_of(state, bound.layout);
}

/// Of q, v, a, lambda; 0 for no components.
using PerComponent = std::array<double, 4>;

/// Largest error in each, relative to the largest component where asked.
inline PerComponent errors_of(const ConstrainedMotion& x, const ConstrainedMotion& exact, bool relative = false) {
  const auto error = [relative](const Vector<Real50>& y, const Vector<Real50>& z) {
    return y.size() == 0 ? 0 : largest(Vector<Real50>(y - z)) / (relative ? largest(z) : 1);
  };
  return {error(x.q, exact.q), error(x.v, exact.v), error(x.a, exact.a), error(x.lambda, exact.lambda)};
}

/// Orders by regression over runs with these numbers of steps; NaN for no components.
template <class T>
PerComponent observed_orders(const std::string& problem, const std::string& formulation, const std::string& method,
                             const T& end, const std::vector<int>& counts, const ConstrainedMotion& exact,
                             Steps steps = Steps::constant, const NewtonOptions& newton = {}) {
  std::array<std::vector<OrderPoint>, 4> points;
  for (int count : counts) {
    const PerComponent e = errors_of(march<T>(problem, formulation, method, end, count, steps, newton), exact);
    for (std::size_t i = 0; i < 4; ++i) points[i].push_back(order_point(1.0 / count, e[i]));
  }
  PerComponent orders;
  for (std::size_t i = 0; i < 4; ++i) orders[i] = estimate_order(points[i]).order;
  return orders;
}
/// The same against the known motion.
template <class T>
PerComponent observed_orders(const std::string& problem, const std::string& formulation, const std::string& method,
                             const T& end, const std::vector<int>& counts, Steps steps = Steps::constant,
                             const NewtonOptions& newton = {}) {
  return observed_orders(problem, formulation, method, end, counts, known_motion(problem, Real50(end)), steps, newton);
}

}  // namespace daelab
