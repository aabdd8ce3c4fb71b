// How far the step ends of a run are off the constraints, in units of what rounding leaves.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/integration/integrate.hpp"
#include "tests/constrained_motion.hpp"

namespace daelab {

// Largest violations over the steps of a run, each row in units of what rounding leaves of it:
// epsilon sum_j |J_ij| (1 + |x_j|), x = q or v.
template <class T>
class RoundOff final : public Observer<T> {
 public:
  explicit RoundOff(const BoundProblem<T>& bound) : bound_(bound) {}
  void start(const State<T>& /*state*/) override {}
  void step(const State<T>& /*from*/, const State<T>& to) override {
    position = std::max(position, units(Level::position, to));
    velocity = std::max(velocity, units(Level::velocity, to));
  }
  double position = 0, velocity = 0;

 private:
  double units(Level level, const State<T>& at) {
    using std::abs;
    MechanicalModel<T>& model = *bound_.model;
    const Index n = bound_.layout.n, m = bound_.layout.m;
    const Vector<T> q = bound_.layout.q(at.y), v = bound_.layout.v(at.y), &x = level == Level::position ? q : v;
    Vector<T> row = Vector<T>::Zero(m), C = row;
    Matrix<T> J = Matrix<T>::Zero(m, n);
    using std::abs;
    model.constraint_level(level, at.t, q, v, v, row);
    model.constraints_and_jacobian(at.t, q, v, C, J);
    double result = 0;
    for (Index i = 0; i < m; ++i) {
      T size(0);
      for (Index j = 0; j < n; ++j) size += abs(J(i, j)) * (T(1) + abs(x[j]));
      result = std::max(result, std::abs(static_cast<double>(T(row[i] / (size * epsilon<T>())))));
    }
    return result;
  }
  const BoundProblem<T>& bound_;
};

struct DriftCase {
  std::string problem, formulation, method;
  double h, end;
};

inline RoundOff<double> drift(const DriftCase& c) {
  const BoundProblem<double> bound(c.problem, c.formulation);
  const auto stepper = Registry<Method>::instance().make(c.method, "")->stepper(*bound.system, {});
  RoundOff<double> observer(bound);
  State<double> state = bound.start;
  state.memory = stepper->make_memory();
  const Status status = integrate<double>(*stepper, state, c.end, c.h, {&observer});
  EXPECT_TRUE(status.ok()) << c.problem << ", " << c.method << ": " << status.cause;
  return observer;
}

/// The order of the largest relative error of q, v, a and lambda: one of them alone may pass zero between runs.
inline double observed_order(const std::string& problem, const std::string& formulation, const std::string& method,
                             double end, const std::vector<int>& counts) {
  const ConstrainedMotion exact = known_motion(problem, Real50(end));
  std::vector<OrderPoint> points;
  for (const int count : counts) {
    const PerComponent e = errors_of(march<double>(problem, formulation, method, end, count), exact, true);
    points.push_back(order_point(1.0 / count, *std::max_element(e.begin(), e.end())));
  }
  return estimate_order(points).order;
}

/// Velocities stay on nonholonomic constraints to round-off, and methods have their orders, on each of these forms.
inline void expect_nonholonomic_motions(const std::vector<std::string>& forms) {
  for (const std::string& form : forms)
    for (const auto& [method, order] :
         {std::pair{"runge-kutta", 4}, std::pair{"gauss:s=2", 4}, std::pair{"bdf:k=2", 2}})
      for (const char* problem : {"knife-edge", "rolling-disc"}) {
        SCOPED_TRACE(fmt::format("{} on {}, {}", method, problem, form));
        EXPECT_LE(drift({problem, form, method, 0.02, 1}).velocity, 16);
        const std::vector<int> counts = order == 4 ? std::vector{80, 160, 320} : std::vector{200, 400, 800};
        EXPECT_NEAR(observed_order(problem, form, method, 1.0, counts), order, 0.3);
      }
}

}  // namespace daelab
