// The oscillator chain and the link chain: frequencies, modes, the independent motions against the equations of motion.
// Bounds of 1e-35 and less are round-off of motions in 50 digits, 1e-14 to 1e-11 of runs and matrices in double.
#include <gmock/gmock.h>

#include "core/solvers/dense.hpp"
#include "lab/runs/run.hpp"
#include "results/record_values.hpp"
#include "results/reference.hpp"
#include "tests/benchmark_mechanism.hpp"
#include "tests/numeric_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;
using T = Real50;

#ifndef DAELAB_DOUBLE_ONLY  // its models are in 50 digits
TEST(OscillatorChain, FrequenciesAreGeometric) {
  const auto model = Registry<Problem>::instance().make("oscillator-chain", "")->mechanical_model(As<double>{});
  const Vector<double> none(0), zero = Vector<double>::Zero(8);
  Matrix<double> K(8, 8), D(8, 8);
  model->motion_jacobians(0, zero, zero, zero, none, K, D);
  const Vector<double> squares = dense::symmetric_eigenvalues(K);
  for (int k = 0; k < 8; ++k) EXPECT_NEAR(squares[k], std::pow(0.05 * std::pow(1000.0, k / 7.0), 2), 1e-11) << k;
  EXPECT_EQ(largest(D), 0);
}

TEST(OscillatorChain, ModesKeepTheEnergyTheyStartWith) {
  const Mechanism chain(Json("oscillator-chain:mode_energy=2/3"));
  for (const char* time : {"0", "0.7", "9"})
    EXPECT_LT(largest(chain.observed(T(time), chain.motion(T(time))) - Vector<T>::Constant(3, T(2) / 3)), 1e-45);
}

// Envelope of a mode: exp(-2 zeta w t) of its energy, up to the oscillation of size zeta about it.
TEST(OscillatorChain, DampedModesDecayAtTheirRate) {
  const Mechanism chain(Json("oscillator-chain:damping=1e-3"));
  const T t(4);
  const Vector<T> seen = chain.observed(t, chain.motion(t));
  // The oscillation is 2 zeta.
  EXPECT_NEAR(static_cast<double>(seen[0]), 0.5 * std::exp(-2e-3 * 0.05 * 4), 2e-3);
  EXPECT_NEAR(static_cast<double>(seen[1]), 0.5 * std::exp(-2e-3 * 50 * 4), 2e-3);
}

TEST(OscillatorChain, DampedMotionSatisfiesTheEquationsOfMotion) {
  const Mechanism chain(Json("oscillator-chain:damping=1/20,size=3"));
  const Motion at = chain.motion(T(2));
  Vector<T> a(3), none(0);
  ASSERT_TRUE(solve_accelerations(*chain.model, T(2), at.q, at.v, a, none).ok());
  const Vector<T> slope = derivative(T(2), [&](const T& t) { return chain.motion(t).v; });
  EXPECT_LT(largest(slope - a), difference_tolerance);
}

// Without constraints every formulation is the same ordinary differential equation.
TEST(OscillatorChain, RunsInEveryFormulation) {
  const Mechanism chain(Json("oscillator-chain"));
  const Motion exact = chain.motion(T(1));
  for (const std::string& formulation : mechanical_formulations()) {
    SCOPED_TRACE(formulation);
    const Json record = Run::bind({{"problem", "oscillator-chain"},
                                   {"formulation", formulation},
                                   {"method", "gauss:s=5"},
                                   {"h", "1/100"},
                                   {"t_end", "1"}},
                                  "")
                            ->execute()
                            .record;
    ASSERT_EQ(record["status"], "ok") << record["cause"];
    // Order 10 with h w = 1/2 for the fastest mode, w = 50; errors of velocities are 50 times those of positions.
    EXPECT_LT(largest(record_vector(record["q"]) - exact.q), 1e-11);
    EXPECT_LT(largest(record_vector(record["v"]) - exact.v), 1e-9);
  }
}

TEST(OscillatorChain, RefusesModesThatDoNotOscillate) {
  for (const auto& [spec, allowed] : {std::pair{"oscillator-chain:damping=1", "below 1"},
                                      std::pair{"oscillator-chain:fastest=1/100", "at least 1/20"}}) {
    try {
      Registry<Problem>::instance().make(spec, "--problem");
      ADD_FAILURE() << spec << " accepted";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(allowed));
    }
  }
}

// ---------------------------------------------------------------- link chain

TEST(LinkChain, TwoLinksAreTheArm) {
  const Mechanism chain(Json("link-chain:links=2,angle=1/4")),
      arm(Json("two-link-arm:length2=1,theta1=1/4,theta2=1/4"));
  for (const char* time : {"0", "0.5", "1"}) {
    const Motion ours = chain.motion(T(time)), theirs = arm.motion(T(time));
    // Two integrations for 50 digits, of other equations.
    EXPECT_LT(largest(ours.q - theirs.q), 1e-35) << time;
    EXPECT_LT(largest(ours.v - theirs.v), 1e-35) << time;
    EXPECT_LT(largest(chain.observed(T(time), ours) - arm.observed(T(time), theirs)), 1e-35) << time;
  }
}

TEST(LinkChain, IndependentMotionSatisfiesTheEquationsOfMotion) {
  const Mechanism chain(Json("link-chain:links=3,length=2,mass=1/2,gravity=5,angle=-1/3"));
  const T start = chain.energy(T(0)), time("0.6");
  const Motion at = chain.motion(time);
  EXPECT_LT(largest(chain.level(Level::position, time, at)), 1e-45);
  EXPECT_LT(largest(chain.level(Level::velocity, time, at)), 1e-45);
  EXPECT_LT(abs(chain.energy(time) - start), T("1e-40"));
  Vector<T> a(chain.n), lambda(chain.m);
  ASSERT_TRUE(solve_accelerations(*chain.model, time, at.q, at.v, a, lambda).ok());
  const Vector<T> slope = derivative(time, [&](const T& t) { return chain.motion(t).v; });
  EXPECT_LT(largest(slope - a), difference_tolerance);
}

// Halves are exact in double, so the start is: nothing to project.
TEST(LinkChain, ALongOneStartsExactly) {
  const auto problem = Registry<Problem>::instance().make("link-chain:links=5000", "");
  const auto model = problem->mechanical_model(As<double>{});
  ASSERT_EQ(model->coordinates(), 15000);
  const Vector<double> q = model->initial_q(), v = model->initial_v();
  Vector<double> out(2), C = Vector<double>::Ones(10000);
  model->constraint_level(Level::position, 0, q, v, v, C);
  EXPECT_EQ(largest(C), 0);
  model->observables(0, joined(q, v), out);
  EXPECT_EQ(out, (Vector<double>{{5000, 0}}));
  EXPECT_FALSE(problem->independent_solution(T(1), 20));
}
#endif

}  // namespace TEST_FILE
}  // namespace daelab
