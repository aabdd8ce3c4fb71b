// Newmark, HHT and generalized-alpha on linear oscillators: damping, eigenvalues at infinity, error constant.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#include "methods/newmark/generalized_alpha_stepper.hpp"

#include "core/integration/integrate.hpp"
#include "tests/constrained_motion.hpp"
#include "tests/ode_system.hpp"

namespace daelab {
namespace TEST_FILE {

TEST(Damping, NewmarkWithoutItConservesTheEnergyOfOscillators) {
  const auto energy_after = [](const std::string& method) {
    const BoundProblem<double> bound("oscillator-chain", "index-3");  // frequencies 0.05 to 50
    const auto stepper = Registry<Method>::instance().make(method, "")->stepper(*bound.system, {});
    State<double> state = bound.start;
    EXPECT_TRUE(integrate<double>(*stepper, state, 100, 0.1, {}).ok());
    const auto energy = [&](const State<double>& x) {
      return bound.model->energy(x.t, bound.layout.q(x.y), bound.layout.v(x.y)).total();
    };
    return energy(state) / energy(bound.start);
  };
  // Round-off of 1000 steps of 2e-16.
  EXPECT_NEAR(energy_after("newmark"), 1, 1e-11);
  EXPECT_NEAR(energy_after("hht:alpha=0"), 1, 1e-11);
  EXPECT_NEAR(energy_after("generalized-alpha:rho=1"), 1, 1e-11);
  // The fast modes lose their share: measured 0.61 and 0.41.
  EXPECT_LT(energy_after("generalized-alpha:rho=1/2"), 0.8);
  EXPECT_LT(energy_after("newmark:gamma=3/5"), 0.8);
}

// ---------------------------------------------------------------- forms, Newton iterations, refusals

#ifndef DAELAB_DOUBLE_ONLY
// What only engines and models in 50 digits can show.

const char* const oscillator = "oscillator-chain:size=1,slowest=1,fastest=1";

// a_n.
Real50& carried(State<Real50>& state) { return state.memory.as<GeneralizedAlphaMemory<Real50>>().a[0]; }

// (q, h v, h^2 a_n) after a step of size h, as a matrix on those before it.
Matrix<Real50> amplification(const std::string& method, const Real50& h) {
  const BoundProblem<Real50> bound(oscillator, "index-3");
  Matrix<Real50> A(3, 3);
  for (Index j = 0; j < 3; ++j) {
    const auto stepper = Registry<Method>::instance().make(method, "")->stepper(*bound.system, {});
    State<Real50> state = bound.start, next;
    state.y << Real50(j == 0 ? 1 : 0), Real50(j == 1 ? 1 : 0) / h;
    EXPECT_TRUE(bound.system->consistent_derivatives(state.t, state.y, state.ydot).ok());
    state.memory = stepper->make_memory();
    carried(state) = Real50(j == 2 ? 1 : 0) / (h * h);
    state.memory_step = h;
    next = state;
    EXPECT_TRUE(stepper->step(state, h, next).ok());
    A.col(j) << next.y[0], h * next.y[1], h * h * carried(next);
  }
  return A;
}

// The eigenvalues at infinity are -rho, -rho and -alpha_f/(1 - alpha_f): by their sum, the sum of their products and
// their product, because equal ones are ill-conditioned.
void expect_eigenvalues_at_infinity(const std::string& method, const Real50& r, const Real50& s) {
  SCOPED_TRACE(method);
  const Matrix<Real50> A = amplification(method, Real50("1e12"));
  const Real50 minors = A(0, 0) * A(1, 1) - A(0, 1) * A(1, 0) + A(0, 0) * A(2, 2) - A(0, 2) * A(2, 0) +
                        A(1, 1) * A(2, 2) - A(1, 2) * A(2, 1);
  const Real50 determinant = A(0, 0) * (A(1, 1) * A(2, 2) - A(1, 2) * A(2, 1)) -
                             A(0, 1) * (A(1, 0) * A(2, 2) - A(1, 2) * A(2, 0)) +
                             A(0, 2) * (A(1, 0) * A(2, 1) - A(1, 1) * A(2, 0));
  const Real50 tolerance("1e-20");  // terms of the size 1/h^2 = 1e-24 are left out
  EXPECT_LT(abs(A.trace() - (2 * r + s)), tolerance);
  EXPECT_LT(abs(minors - (r * r + 2 * r * s)), tolerance);
  EXPECT_LT(abs(determinant - r * r * s), tolerance);
}

TEST(Damping, AtInfinityIsRho) {
  for (const char* text : {"1", "4/5", "1/2", "1/10", "0"}) {
    const Real50 rho = Exact(text).as<Real50>();
    expect_eigenvalues_at_infinity(std::string("generalized-alpha:rho=") + text, -rho, -rho);
  }
  // HHT: -(1 - alpha)/(1 + alpha) twice, and -alpha/(1 - alpha).
  for (const char* text : {"0", "1/10", "1/3"}) {
    const Real50 alpha = Exact(text).as<Real50>();
    expect_eigenvalues_at_infinity(std::string("hht:alpha=") + text, -(1 - alpha) / (1 + alpha), -alpha / (1 - alpha));
  }
  // Newmark: double root (gamma - 3/2)/(gamma + 1/2); a_n = q''_n has no part of its own.
  expect_eigenvalues_at_infinity("newmark:gamma=9/10", Real50(-3) / 7, Real50(0));
}

// From exact q, v and a_n = q''(t_n - D h): the error of one step over c h^2 x tends to 1.
TEST(ErrorConstant, IsThatOfOneStep) {
  const Real50 t(1), h = Real50(1) / 100000;
  for (const char* rho : {"1", "9/10", "4/5", "3/5", "1/2", "3/10", "1/10"}) {
    SCOPED_TRACE(rho);
    const BoundProblem<Real50> bound(oscillator, "index-3");  // q = sin t
    const auto method = Registry<Method>::instance().make(std::string("generalized-alpha:rho=") + rho, "");
    const auto stepper = method->stepper(*bound.system, {});
    const Real50 r = Exact(rho).as<Real50>(), D = (1 - r) / (1 + r);
    State<Real50> state = bound.start;
    state.t = t;
    state.y << sin(t), cos(t);
    ASSERT_TRUE(bound.system->consistent_derivatives(state.t, state.y, state.ydot).ok());
    state.memory = stepper->make_memory();
    carried(state) = -sin(Real50(t - D * h));
    state.memory_step = h;
    State<Real50> next = state;
    ASSERT_TRUE(stepper->step(state, h, next).ok());
    const Real50 x = carried(next) - state.ydot[1];
    const Real50 c = -(1 + 3 * D * D) / (12 * (1 - D));
    // The next term, of h = 1e-5.
    EXPECT_NEAR(static_cast<double>(Real50((sin(Real50(t + h)) - next.y[0]) / (c * h * h * x))), 1, 1e-3);
  }
}
#endif

}  // namespace TEST_FILE
}  // namespace daelab
