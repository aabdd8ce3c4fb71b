// Kinematic analysis [Ren20, (11) to (15)]: motions that the constraints determine, against closed forms, and their
// reactions against the power of the drive.
#include <gmock/gmock.h>

#include "core/integration/integrate.hpp"
#include "core/integration/method.hpp"
#include "methods/constrained/kinematics.hpp"
#include "tests/numeric_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AnyOf;
using testing::Eq;
using testing::HasSubstr;

template <class T>
State<T> run(const BoundProblem<T>& bound, const T& t_end, const T& h, Status& status,
             const NewtonOptions& newton = {}) {
  const auto stepper = Registry<Method>::instance().make("kinematic", "")->stepper(*bound.system, newton);
  State<T> state = bound.start;
  status = integrate<T>(*stepper, state, t_end, h, {});
  return state;
}

template <class T>
State<T> run(const BoundProblem<T>& bound, const T& t_end, const T& h, const NewtonOptions& newton = {}) {
  Status status;
  const State<T> state = run(bound, t_end, h, status, newton);
  EXPECT_TRUE(status.ok()) << status.cause;
  return state;
}

// Distance of (q, v) to the closed form.
template <class T>
double error(const BoundProblem<T>& bound, const State<T>& state) {
  const Motion exact = *bound.problem->independent_solution(Real50(state.t), 50);
  const Vector<Real50> q = bound.layout.q(state.y).template cast<Real50>(),
                       v = bound.layout.v(state.y).template cast<Real50>();
  return std::max(largest(q - exact.q), largest(v - exact.v));
}

class DeterminedProblem : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Catalogue, DeterminedProblem, testing::Values("driven-crank", "driven-mass"));

// Short steps or long ones of 0.8 rad: the error is round-off.
TEST_P(DeterminedProblem, MatchesTheClosedFormForAnyStep) {
  const BoundProblem<double> bound(GetParam(), "index-1");
  for (const double h : {0.01, 0.16}) EXPECT_LT(error(bound, run(bound, 1.6, h)), 1e-12) << h;  // measured 1.7e-14
#ifndef DAELAB_DOUBLE_ONLY
  const BoundProblem<Real50> wide(GetParam(), "index-1");
  EXPECT_LT(error(wide, run(wide, Real50(1), Real50(1) / 50)), 1e-47);  // rounding of 50 digits
#endif
}

TEST_P(DeterminedProblem, IsTheSameInEveryFormulation) {
  int forms = 0;
  for (const std::string& name : mechanical_formulations()) try {
      const BoundProblem<double> bound(GetParam(), name);
      EXPECT_LT(error(bound, run(bound, 1.0, 0.05)), 1e-13) << name;  // round-off: measured 7e-16
      ++forms;
    } catch (const NotApplicable& refusal) {
      EXPECT_THAT(refusal.what(), HasSubstr("no independent coordinates")) << name;
    }
  EXPECT_EQ(forms, 13);  // all but those in local coordinates: null-space, coordinate-partitioning, maggi
}

TEST_P(DeterminedProblem, FullAndModifiedNewtonAgree) {
  const BoundProblem<double> bound(GetParam(), "index-1");
  NewtonOptions full, residual;
  full.iteration = NewtonIteration::full, residual.test = NewtonTest::residual, residual.tolerance = Exact("1e-14"),
  residual.norm = Norm::two;
  // Round-off: measured 7e-16.
  for (const NewtonOptions& newton : {full, residual}) EXPECT_LT(error(bound, run(bound, 1.0, 0.05, newton)), 1e-13);
}

// lambda = -m x'' = m A w^2 sin(w t)
TEST(DrivenMass, ReactionIsTheForceOfTheDrive) {
  const BoundProblem<double> bound("driven-mass", "index-1");
  EXPECT_NEAR(bound.layout.lambda(run(bound, 0.9, 0.1).y)[0], 2 * std::sin(1.8), 1e-13);  // round-off
}

TEST(KinematicMethod, NeedsAsManyConstraintsAsCoordinates) {
  const BoundProblem<double> bound("two-link-manipulator", "index-1");
  try {
    Registry<Method>::instance().make("kinematic", "")->stepper(*bound.system, {});
    FAIL() << "a mechanism with two degrees of freedom was accepted";
  } catch (const NotApplicable& refusal) {
    EXPECT_THAT(refusal.what(), HasSubstr(fmt::format("n = {}, m = {}", bound.layout.n, bound.layout.m)));
  }
}

// A rod of 0.1 m lets the crank of 0.15 m turn up to sin(phi) = 2/3, at t = 0.146 s.
TEST(KinematicMethod, LockingMechanismEndsWithTheLastGoodState) {
  const BoundProblem<double> bound("driven-crank:rod_length=0.1", "index-1");
  Status status;
  const State<double> last = run(bound, 1.0, 0.01, status);
  EXPECT_THAT(status.code, AnyOf(Eq(StatusCode::newton_diverged), Eq(StatusCode::singular)));
  // Round-off of 14 steps, and of the motion there.
  EXPECT_NEAR(last.t, 0.14, 1e-12);
  EXPECT_NEAR(bound.layout.q(last.y)[0], 0.7, 1e-13);
}

// Constraints that are dependent at one place: C_q is singular there.
TEST(KinematicAnalysis, SingularJacobianIsReported) {
  const auto model =
      Registry<Problem>::instance().make("driven-crank:rod_length=0.15", "")->mechanical_model(As<double>{});
  KinematicAnalysis<double> analysis(*model, {});
  Statistics statistics;
  // Crank upright, rod upright beside it: the slider is over the pivot, cos(psi) = 0.
  const double upright = std::acos(-1.0) / 2;
  Vector<double> q{{upright, 0, 0.075, -upright, 0}}, v(5), a(5), lambda(5);
  const Status status = analysis.motion(upright / 5, q, v, a, lambda, statistics);
  EXPECT_EQ(status.code, StatusCode::singular);
  EXPECT_THAT(status.cause, HasSubstr("C_q is singular"));
}

#ifndef DAELAB_DOUBLE_ONLY
// What only engines and models in 50 digits can show.

// M a + C_q^T lambda = Q and C_q a = gamma at the end of a run.
// Bounds are rounding of 50 digits in sums of products.
TEST_P(DeterminedProblem, AccelerationsAndReactionsSatisfyTheirEquations) {
  using T = Real50;
  const BoundProblem<T> bound(GetParam(), "index-1");
  const State<T> end = run(bound, T(1), T(1) / 20);
  const Index n = bound.layout.n;
  const Vector<T> q = bound.layout.q(end.y), v = bound.layout.v(end.y), a = bound.layout.a(end.ydot);
  Vector<T> Q(n), C(n), row(n);
  Matrix<T> M(n, n), C_q(n, n);
  bound.model->mass(end.t, q, M);
  bound.model->force(end.t, q, v, Q);
  bound.model->constraint(end.t, q, C, C_q);
  bound.model->constraint_level(Level::acceleration, end.t, q, v, a, row);
  EXPECT_LT(largest(M * a + C_q.transpose() * bound.layout.lambda(end.y) - Q), 1e-46);
  EXPECT_LT(largest(row), 1e-46);
  EXPECT_EQ(Vector<T>(end.ydot.head(n)), v);
}

// Virtual power: what the drive does is the change of the energy of the closed-form motion, -lambda_5 w = dE/dt. The
// slider is moved by its pin alone: lambda_3 = m3 s''.
TEST(DrivenCrank, ReactionsFollowFromPowerAndFromTheSlider) {
  using T = Real50;
  const BoundProblem<T> bound("driven-crank", "index-1");
  const T rate(5), slider_mass = Exact("0.075552").as<T>();
  const auto motion = [&](const T& t) { return *bound.problem->independent_solution(t, 50); };
  const auto energy = [&](const T& t) {
    const Motion m = motion(t);
    return Vector<T>::Constant(1, bound.model->energy(t, m.q, m.v).total());
  };
  const auto slider_rate = [&](const T& t) { return Vector<T>::Constant(1, motion(t).v[4]); };
  for (const char* time : {"0.1", "0.7", "1.3"}) {
    const T t = Exact(time).as<T>();
    const Vector<T> lambda = bound.layout.lambda(run(bound, t, t / 20).y);
    const T power = derivative(T(0), [&](const T& s) { return energy(t + s); })[0];
    // Differences leave less than difference_tolerance, 1e-25.
    EXPECT_LT(static_cast<double>(abs(-lambda[4] * rate - power)), 1e-25) << time;
    const T slider = derivative(T(0), [&](const T& s) { return slider_rate(t + s); })[0];
    EXPECT_LT(static_cast<double>(abs(lambda[2] - slider_mass * slider)), 1e-25) << time;
  }
}

#endif

}  // namespace TEST_FILE
}  // namespace daelab
