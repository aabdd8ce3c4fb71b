// The heat equation on 99 points, the standard problem of stabilised explicit methods: rho = 4E4, solution known.
#pragma once

#include "core/integration/integrate.hpp"
#include "core/integration/method.hpp"
#include "tests/numeric_support.hpp"
#include "tests/ode_system.hpp"

namespace daelab {

struct AdaptiveHeat {
  double error;  // at the end
  Statistics statistics;
};

/// u_t = u_xx, u = 0 at both ends: modes sin(j pi x) decay with 4 (n + 1)^2 sin^2(j pi/(2 (n + 1))).
struct HeatEquation {
  static constexpr Index n = 99;
  OdeSystem<double> ode{n, [](double, const Vector<double>& y, Vector<double>& f) {
                          for (Index i = 0; i < n; ++i)
                            f[i] = ((i > 0 ? y[i - 1] : 0) - 2 * y[i] + (i + 1 < n ? y[i + 1] : 0)) * (n + 1) * (n + 1);
                        }};

  static Vector<double> solution(double t) {
    Vector<double> y = Vector<double>::Zero(n);
    for (const int j : {1, 3, 40}) {
      const double rate = 4 * (n + 1) * (n + 1) * std::pow(std::sin(j * M_PI / (2 * (n + 1))), 2);
      for (Index i = 0; i < n; ++i)
        y[i] += std::exp(-rate * t) * std::sin(j * M_PI * static_cast<double>(i + 1) / (n + 1));
    }
    return y;
  }
  State<double> start() { return start_state<double>(ode, solution(0)); }

  AdaptiveHeat integrate(const std::string& method, double tolerance, double end = 0.3) {
    const auto stepper = Registry<Method>::instance().make(method, "")->stepper(ode, {});
    stepper->control({tolerance, tolerance, tolerance});
    State<double> state = start();
    const Status status = integrate_adaptive<double>(*stepper, state, end, 0.0, {});
    EXPECT_TRUE(status.ok()) << method << ": " << status.cause;
    return {largest(state.y - solution(end)), stepper->statistics()};
  }
};

}  // namespace daelab
