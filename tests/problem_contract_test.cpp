// What every registered mechanism must satisfy: what is derived from its recording is the derivative of what it says,
// and the motion is one. A new problem is tested by existing. (Ordinary differential equations: ode_contract_test.cpp.)
#include <gmock/gmock.h>

#include "core/integration/method.hpp"
#include "core/integration/observers.hpp"
#include "core/start/consistent_start.hpp"
#include "lab/runs/run.hpp"
#include "results/record_values.hpp"
#include "tests/numeric_support.hpp"
#include "tests/problem_contract_support.hpp"

namespace daelab {
namespace TEST_FILE {

using T = Real50;

#ifndef DAELAB_DOUBLE_ONLY  // its models are in 50 digits
constexpr Level levels[] = {Level::position, Level::velocity, Level::acceleration};

template <class Scalar>
Index charts_of(Model<Scalar>& model) {
  return model.charted() != nullptr ? model.charted()->charts() : 1;
}

TEST_P(EveryProblem, ConstraintJacobianMatchesDifferences) {
  Vector<T> C = Vector<T>::Zero(m);
  Matrix<T> C_q = Matrix<T>::Zero(m, n);
  model->constraint(t, q, C, C_q);
  EXPECT_LT(largest(C - level(Level::position, t, q, v, a)), 1e-48);  // rounding of 50 digits
  EXPECT_LT(largest(C_q - difference(q, [&](const Vector<T>& x) { return level(Level::position, t, x, v, a); })),
            difference_tolerance);
}

// C and C_q, below them G and G_v.
// Bounds are rounding of 50 digits.
TEST_P(EveryProblem, DirectionsOfReactionsMatchDifferences) {
  const auto [C, J] = constraint_jacobian(t, q, v);
  const Index h = m - model->nonholonomic();
  EXPECT_LT(largest(C.head(h) - level(Level::position, t, q, v, a).head(h)), 1e-48);
  EXPECT_LT(largest(C.tail(m - h) - level(Level::velocity, t, q, v, a).tail(m - h)), 1e-48);
  EXPECT_LT(largest(J - difference(v, [&](const Vector<T>& w) { return level(Level::velocity, t, q, w, a); })),
            difference_tolerance);
}

// Along q + v s + a s^2/2 the velocity level is dC/ds, and G; the acceleration level is its derivative.
TEST_P(EveryProblem, ConstraintLevelsAreTimeDerivatives) {
  const auto along = [&](Level l) {
    return [&, l](const T& s) { return level(l, t + s, q + v * s + a * (s * s / 2), v + a * s, a); };
  };
  const Index h = m - model->nonholonomic();
  EXPECT_LT(largest(level(Level::velocity, t, q, v, a).head(h) - derivative(T(0), along(Level::position)).head(h)),
            difference_tolerance);
  EXPECT_LT(largest(level(Level::acceleration, t, q, v, a) - derivative(T(0), along(Level::velocity))),
            difference_tolerance);
}

TEST_P(EveryProblem, ConstraintLevelDerivativesMatchDifferences) {
  Matrix<T> V_q(m, n), R_q(m, n), R_v(m, n);
  for (Level l : levels) {
    model->constraint_level_q(l, t, q, v, a, R_q);
    EXPECT_LT(largest(R_q - difference(q, [&](const Vector<T>& x) { return level(l, t, x, v, a); })),
              difference_tolerance)
        << static_cast<int>(l);
  }
  // With respect to v: twice the velocity level's q-derivative, but of dG/dt.
  model->acceleration_level_v(t, q, v, a, R_v);
  EXPECT_LT(largest(R_v - difference(v, [&](const Vector<T>& w) { return level(Level::acceleration, t, q, w, a); })),
            difference_tolerance);
  const Index h = m - model->nonholonomic();
  model->constraint_level_q(Level::velocity, t, q, v, a, V_q);
  EXPECT_LT(largest(T(2) * V_q.topRows(h) - R_v.topRows(h)), 1e-45);  // round-off of two formulas
}

// What solvers see as h = -gamma is the acceleration level at a = 0.
TEST_P(EveryProblem, CurvatureMatchesTheAccelerationLevel) {
  Vector<T> h(m);
  model->curvature(t, q, v, h);
  EXPECT_LT(largest(h - level(Level::acceleration, t, q, v, Vector<T>::Zero(n))), 1e-47);  // round-off
}

TEST_P(EveryProblem, BalanceJacobiansMatchDifferences) {
  Matrix<T> K(n, n), D(n, n);
  model->motion_jacobians(t, q, v, a, lambda, K, D);
  EXPECT_LT(largest(K - difference(q, [&](const Vector<T>& x) { return balance(x, v); })), difference_tolerance);
  EXPECT_LT(largest(D - difference(v, [&](const Vector<T>& w) { return balance(q, w); })), difference_tolerance);
}

// What is evaluated in one pass is what its parts are, up to the round-off of numbers of this size.
void expect_equal(const auto& together, const auto& alone, const char* what) {
  EXPECT_LT(largest(together - alone), 1e-47 * (1 + largest(alone))) << what;
}

TEST_P(EveryProblem, DataAndResidualsAreTheirParts) {
  Matrix<T> M(n, n), M_alone(n, n), J(m, n);
  Vector<T> Q(n), Q_alone(n), h(m), h_alone(m), forces(n), row(m);
  model->data(t, q, v, M, Q, J, h);
  model->mass(t, q, M_alone), model->force(t, q, v, Q_alone), model->curvature(t, q, v, h_alone);
  expect_equal(M, M_alone, "M");
  expect_equal(Q, Q_alone, "Q");
  expect_equal(J, constraint_jacobian(t, q, v).J, "J");
  expect_equal(h, h_alone, "h");
  const Index holonomic = m - model->nonholonomic();
  for (Level l : levels) {
    model->residual(l, t, q, v, a, lambda, forces, row);
    // Rounding of 50 digits.
    EXPECT_LT(largest(forces - balance(q, v)), 1e-46 * (1 + largest(M) + largest(J) + largest(Q)));
    expect_equal(row.head(holonomic), level(l, t, q, v, a).head(holonomic), "C");
    const Level own = std::max(l, Level::velocity);
    expect_equal(row.tail(m - holonomic), level(own, t, q, v, a).tail(m - holonomic), "G");
  }
}

TEST_P(EveryProblem, BlocksAreDerivatives) {
  MechanicalBlocks<T> x;
  for (Matrix<T>* block : {&x.M, &x.K, &x.D}) block->resize(n, n);
  for (Matrix<T>* block : {&x.J, &x.R_q, &x.R_v, &x.R_a}) block->resize(m, n);
  Matrix<T> M(n, n), K(n, n), D(n, n);
  model->mass(t, q, M);
  model->motion_jacobians(t, q, v, a, lambda, K, D);
  for (Level l : levels) {
    SCOPED_TRACE(static_cast<int>(l));
    model->blocks(l, t, q, v, a, lambda, x);
    expect_equal(x.M, M, "M");
    expect_equal(x.K, K, "K");
    expect_equal(x.D, D, "D");
    expect_equal(x.J, constraint_jacobian(t, q, v).J, "J");
    EXPECT_LT(largest(x.R_q - difference(q, [&](const auto& at) { return rows(l, at, v, a); })), difference_tolerance);
    EXPECT_LT(largest(x.R_v - difference(v, [&](const auto& at) { return rows(l, q, at, a); })), difference_tolerance);
    EXPECT_LT(largest(x.R_a - difference(a, [&](const auto& at) { return rows(l, q, v, at); })), difference_tolerance);
  }
}

TEST_P(EveryProblem, MassIsSymmetricAndPositiveDefinite) {
  Matrix<T> M(n, n);
  model->mass(t, q, M);
  // Each triangle of what follows from an energy is derived for itself.
  EXPECT_LT(largest(M - M.transpose()), 1e-47 * (1 + largest(M)));
  // Elimination without pivoting: positive definite exactly when every pivot is positive.
  for (Index k = 0; k < n; ++k) {
    ASSERT_GT(M(k, k), 0) << k;
    for (Index i = k + 1; i < n; ++i) M.row(i).tail(n - k) -= (M(i, k) / M(k, k)) * M.row(k).tail(n - k);
  }
}

// First-order states have themselves, at the end of v, for velocities; their integrals at the end of q are free.
TEST_P(EveryProblem, NothingDependsOnTheIntegralsOfStates) {
  const Index states = model->integrated_states();
  Matrix<T> M(n, n), K(n, n), D(n, n), R_q(m, n);
  model->mass(t, q, M);
  EXPECT_EQ(M.bottomRightCorner(states, states), Matrix<T>(Matrix<T>::Identity(states, states)));
  EXPECT_EQ(largest(M.topRightCorner(n - states, states)), 0);
  model->motion_jacobians(t, q, v, a, lambda, K, D);
  EXPECT_EQ(largest(K.rightCols(states)), 0);
  EXPECT_EQ(largest(constraint_jacobian(t, q, v).J.rightCols(states)), 0);
  model->constraint_level_q(Level::acceleration, t, q, v, a, R_q);
  EXPECT_EQ(largest(R_q.rightCols(states)), 0);
}

// In every chart the accelerations are those of the first one, brought there; and back again nothing has changed.
// Bounds are rounding of 50 digits, with four or five digits for the transformation.
TEST_P(EveryProblem, ChartsHaveTheSameMotion) {
  const T start(0);
  const Vector<T> q0 = model->initial_q(), v0 = model->initial_v();
  Vector<T> a0(n), there(n);
  ASSERT_TRUE(solve_accelerations(*model, start, q0, v0, a0, lambda).ok());
  const T energy = model->energy(start, q0, v0).total();
  for (Index chart = 1; chart < charts_of(*model); ++chart) {
    Vector<T> x = q0, w = v0, b = a0;
    model->charted()->to_chart(chart, x, x, w, b);
    model->charted()->set_chart(chart);
    ASSERT_TRUE(solve_accelerations(*model, start, x, w, there, lambda).ok());
    EXPECT_LT(largest(there - b), 1e-45) << chart;
    if (model->has_energy()) {
      EXPECT_LT(abs(model->energy(start, x, w).total() - energy), T("1e-46")) << chart;
    }
    model->charted()->to_chart(0, q0, x, w, b);
    EXPECT_LT(std::max({largest(x - q0), largest(w - v0), largest(b - a0)}), 1e-45) << chart;
    model->charted()->set_chart(0);
  }
}

TEST_P(EveryProblem, StartIsConsistentWithTheRankStated) {
  const StartReport report = analyse_start<T>(*model, model->initial_q(), model->initial_v());
  EXPECT_LT(report.position_residual, 1e-48);  // round-off: parameters are exact
  EXPECT_LT(report.velocity_residual, 1e-48);
  EXPECT_EQ(report.rank, m - problem->redundant_constraints());
}

// Gauss with ten stages errs by about (w h)^20/1e30, w the fastest rate: with h = 1/200, or 1/2500 of the problem's own
// time where that is less, far below the limit, which is what is left to index-1 drift and round-off.
// The limit is 1e-30.
TEST_P(EveryProblem, EnergyAndConstraintsStayPut) {
  const BoundProblem<T> bound(GetParam(), "index-1");
  NewtonOptions newton;
  newton.guess = NewtonGuess::extrapolated;
  const auto stepper = Registry<Method>::instance().make("gauss:s=10", "")->stepper(*bound.system, newton);
  State<T> state = bound.start;
  DriftObserver<T> drift(*bound.model);
  const T h = std::min(T(T(1) / 200), T(problem->end_time().as<T>() / 2500));
  EventWatch<T> watch(*bound.model, *bound.system, *stepper, 5 * h);
  Interruptions<T> interruptions{&watch};
  const Status status = integrate<T>(*stepper, state, 5 * h, h, {&drift}, &interruptions);
  ASSERT_TRUE(status.ok()) << status.cause;
  if (model->has_energy() && problem->conserves_energy()) {
    EXPECT_LT(drift.energy_error, T("1e-30"));
  }
  EXPECT_LT(drift.position, T("1e-30"));
  EXPECT_LT(drift.velocity, T("1e-30"));
  EXPECT_LT(drift.acceleration, T("1e-30"));
}

TEST_P(EveryProblem, ModelsOfBothScalarsAgree) {
  const auto narrow = problem->mechanical_model(As<double>{});
  const Vector<double> x = model->initial_q().cast<double>(), w = model->initial_v().cast<double>();
  EXPECT_EQ(narrow->coordinates(), n);
  EXPECT_EQ(narrow->constraints(), m);
  EXPECT_EQ(narrow->nonholonomic(), model->nonholonomic());
  EXPECT_EQ(narrow->integrated_states(), model->integrated_states());
  EXPECT_EQ(narrow->events().size(), model->events().size());
  EXPECT_EQ(charts_of(*narrow), charts_of(*model));
  EXPECT_EQ(narrow->sampling_period(), static_cast<double>(model->sampling_period()));
  // Conversion to double: four eps.
  EXPECT_LT(largest(narrow->initial_q() - x), 1e-15 * (1 + largest(x)));
  EXPECT_LT(largest(narrow->initial_v() - w), 1e-15 * (1 + largest(w)));
  EXPECT_EQ(narrow->observable_names(), model->observable_names());
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryProblem, testing::ValuesIn(problem_names(true)), name_of_problem_test);
#endif

}  // namespace TEST_FILE
}  // namespace daelab
