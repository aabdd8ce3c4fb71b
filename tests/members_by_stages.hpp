// What tests ask of the members of a family of methods, with a number of stages each.
#pragma once

#include <gtest/gtest.h>

#include "core/integration/integrate.hpp"
#include "core/integration/method.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"
#include "tests/numeric_support.hpp"
#include "tests/ode_system.hpp"

namespace daelab {

/// R(-x) of a method: one step of y' = -x y from 1 with h = 1.
class StabilityOfMember {
 public:
  explicit StabilityOfMember(const std::string& method)
      : stepper_(Registry<Method>::instance().make(method, "")->stepper(ode_, {})) {}
  double operator()(double x) {
    x_ = x;
    State<double> from = start_state<double>(ode_, Vector<double>::Ones(1)), to = from;
    EXPECT_TRUE(stepper_->step(from, 1.0, to).ok());
    return to.y[0];
  }

 private:
  double x_ = 0;
  OdeSystem<double> ode_{1, [this](double, const Vector<double>& y, Vector<double>& f) { f[0] = -x_ * y[0]; }};
  std::unique_ptr<Stepper<double>> stepper_;
};

/// Whether the engine of a method makes the steps that its tableau makes, to `round_off`, with `evaluations` a step.
template <class T>
void expect_steps_of_tableau(const std::string& name, double round_off, int evaluations) {
  OdeSystem<T> ode = forced_oscillator<T>();
  const State<T> start = start_state<T>(ode, Vector<T>::Ones(2));
  State<T> by_engine = start, by_tableau = start;
  const auto method = Registry<Method>::instance().make(name, "");
  const RungeKuttaMethod tableau(std::get<Tableau>(method->form()));
  const auto engine = method->stepper(ode, {});
  ASSERT_TRUE(integrate<T>(*engine, by_engine, T(1), T(1) / T(8), {}).ok());
  ASSERT_TRUE(integrate<T>(*tableau.stepper(ode, {}), by_tableau, T(1), T(1) / T(8), {}).ok());
  EXPECT_LT(largest(by_engine.y - by_tableau.y), round_off) << name;
  EXPECT_EQ(engine->statistics().residuals, 8 * evaluations) << name;
}

}  // namespace daelab
