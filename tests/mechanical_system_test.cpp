// Mechanical systems: the condensed linear algebra against the plain coupled Jacobians, these against
// central differences, the resolved residual, the completed state and the start values of [Li19].
//
// [Li19] Li, Ding, Li, Applied Mathematics and Mechanics (Chinese) 40(7), 2019, 768-779.
#include "core/equations/mechanical_system.hpp"

#include <gmock/gmock.h>

#include "core/solvers/linear_solver.hpp"
#include "tests/linear_algebra_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

const std::vector<Level> levels{Level::position, Level::velocity, Level::acceleration};

template <class T>
void expect_structured_solves_match_coupled_matrix(MechanicalModel<T>& model, double limit,
                                                   const std::string& solver = "schur-cholesky") {
  for (Level level : levels)
    for (double h : {1.0, 1.0 / 100, 1.0 / 10000}) {
      SCOPED_TRACE(testing::Message() << "level " << static_cast<int>(level) << ", h " << h);
      const auto multipliers = multipliers_for<T>(model, solver);
      ConstrainedSystem<T> system(model, level, *multipliers);
      expect_structured_solves_match<T>(system, Point<T>(system), h, limit);
    }
}

// Round-off times a growth of at most 100 through condensing and elimination of eight unknowns.
TEST(ConstrainedSystem, StructuredSolvesMatchTheCoupledMatrixInDouble) {
  for (const auto& model : moving_models<double>())
    expect_structured_solves_match_coupled_matrix<double>(*model, 100 * epsilon<double>());
}

TEST(ConstrainedSystem, StructuredSolvesMatchOnNonholonomicProblems) {
  for (const char* name : {"knife-edge", "rolling-disc"}) {
    const auto problem = Registry<Problem>::instance().make(name, "");
    expect_structured_solves_match_coupled_matrix<double>(*problem->mechanical_model(As<double>{}),
                                                          100 * epsilon<double>());
#ifndef DAELAB_DOUBLE_ONLY
    expect_structured_solves_match_coupled_matrix<Real50>(*problem->mechanical_model(As<Real50>{}), 1e-48);
#endif
  }
}
TEST(ConstrainedSystem, StructuredSolvesMatchOnTheTwoLinkManipulator) {
  const auto problem = Registry<Problem>::instance().make("two-link-manipulator", "");
  expect_structured_solves_match_coupled_matrix<double>(*problem->mechanical_model(As<double>{}),
                                                        100 * epsilon<double>());
#ifndef DAELAB_DOUBLE_ONLY
  expect_structured_solves_match_coupled_matrix<Real50>(*problem->mechanical_model(As<Real50>{}), 1e-48);
#endif
}
TEST(ConstrainedSystem, StructuredSolvesMatchWithRedundantConstraints) {
  const auto problem = Registry<Problem>::instance().make("rowing-boat", "");
  expect_structured_solves_match_coupled_matrix<double>(*problem->mechanical_model(As<double>{}),
                                                        100 * epsilon<double>(), "complete-orthogonal");
#ifndef DAELAB_DOUBLE_ONLY
  expect_structured_solves_match_coupled_matrix<Real50>(*problem->mechanical_model(As<Real50>{}), 1e-48,
                                                        "complete-orthogonal");
#endif
}

// One factorised matrix per kappa on the same linearisation: the second must not disturb the first.
TEST(ConstrainedSystem, MatricesOfOneLinearizationAreIndependent) {
  const auto model = moving_model<double>();
  const auto multipliers = multipliers_for(*model);
  ConstrainedSystem<double> system(*model, Level::velocity, *multipliers);
  const Point<double> p(system);
  const auto linearization = system.linearization();
  linearization->evaluate(p.t, p.y, p.ydot);
  const auto first = linearization->real_matrix(), second = linearization->real_matrix();
  ASSERT_TRUE(first->factorize(0.5).ok());
  Vector<double> x = p.y, y = p.y;
  first->solve(x);
  ASSERT_TRUE(second->factorize(0.125).ok());
  first->solve(y);
  EXPECT_EQ(x, y);
}

// The same mass on a wire, once with its constraint written twice.
void record_redundant(Recording& r) {
  r.coordinates({"x", "y"});
  r.start_q = {1, 0};
  r.mass(0, 0) = r.mass(1, 1) = 1;
  r.force[1] = -1;
  const Expression circle = square(r.q[0]) + square(r.q[1]) - 1;
  r.constraints = {circle, circle};
}

TEST(ConstrainedSystem, RedundantConstraintsAreSingular) {
  const auto model = recorded_model<double>(record_redundant);
  const auto multipliers = multipliers_for<double>(*model);
  ConstrainedSystem<double> system(*model, Level::acceleration, *multipliers);
  Vector<double> y = Vector<double>::Zero(6), ydot = Vector<double>::Zero(6);
  y[0] = 1;
  EXPECT_EQ(system.consistent_derivatives(0, y, ydot).code, StatusCode::singular);
}

// Without constraints a mechanical model is an ordinary differential equation.
void record_free_mass(Recording& r) {
  r.coordinates({"x"});
  r.start_q = {1};
  r.mass(0, 0) = 2;
  r.force[0] = -8 * r.q[0];
}

TEST(ConstrainedSystem, WithoutConstraintsItIsAnOde) {
  const auto model = recorded_model<double>(record_free_mass);
  for (Level level : levels) {
    const auto multipliers = multipliers_for<double>(*model);
    ConstrainedSystem<double> system(*model, level, *multipliers);
    EXPECT_EQ(system.index(), 0);
    EXPECT_EQ(system.facts().explicit_form_refusal, "");
    Vector<double> y{{0.5, 3}}, ydot = Vector<double>::Zero(2);
    ASSERT_TRUE(system.consistent_derivatives(0, y, ydot).ok());
    EXPECT_EQ(ydot[0], 3);          // v
    EXPECT_DOUBLE_EQ(ydot[1], -2);  // -8 q / 2, within the rounding of a root
  }
}

TEST(ConstrainedSystem, KnowsItsIndexAndWhetherExplicitMethodsApply) {
  const auto model = moving_model<double>();
  const auto multipliers = multipliers_for(*model);
  EXPECT_EQ(ConstrainedSystem<double>(*model, Level::position, *multipliers).index(), 3);
  EXPECT_EQ(ConstrainedSystem<double>(*model, Level::velocity, *multipliers).index(), 2);
  EXPECT_EQ(ConstrainedSystem<double>(*model, Level::acceleration, *multipliers).index(), 1);
  EXPECT_EQ(ConstrainedSystem<double>(*model, Level::acceleration, *multipliers).facts().explicit_form_refusal, "");
  EXPECT_THAT(ConstrainedSystem<double>(*model, Level::position, *multipliers).facts().explicit_form_refusal,
              HasSubstr("index-1"));
}

// A nonholonomic constraint has no position level: alone it is of index 2 at most, beside a holonomic one of index 3.
TEST(ConstrainedSystem, NonholonomicConstraintsAloneAreOfIndexTwo) {
  for (const auto& [name, index_3] : {std::pair("knife-edge", 2), std::pair("rolling-disc", 3)}) {
    EXPECT_EQ(BoundProblem<double>(name, "index-3").system->index(), index_3) << name;
    EXPECT_EQ(BoundProblem<double>(name, "index-2").system->index(), 2) << name;
    EXPECT_EQ(BoundProblem<double>(name, "index-1").system->index(), 1) << name;
    EXPECT_EQ(BoundProblem<double>(name, "ggl").system->index(), 2) << name;
  }
}

// On index 3 one correction of size (1, h, h^2) in (q, v, lambda) must weigh the same in all components:
// the unknowns are (q', v', lambda) and Delta q = h Delta q', Delta v = h Delta v'.
TEST(ConstrainedSystem, WeighsCorrectionsByTheirEffectOnTheStep) {
  const auto model = moving_model<double>();
  const auto multipliers = multipliers_for(*model);
  ConstrainedSystem<double> system(*model, Level::position, *multipliers);
  const double h = 1.0 / 64;
  Vector<double> y = Vector<double>::Zero(system.size()), w(system.size());
  y[0] = 3;
  system.correction_weights(h, y, w);
  EXPECT_EQ(w[0], h / 4);  // relative to 1 + |y|
  EXPECT_EQ(w[1], h);
  EXPECT_EQ(w[3], h * h);
  EXPECT_EQ(w[6], h * h);
}

// The consistent start of the two-link manipulator, which the tables of [Li19] rest on; eight printed
// digits, so half a unit of the last.
TEST(TwoLinkManipulator, StartsWithTheKnownAccelerationsAndMultipliers) {
  const BoundProblem<double> two_link("two-link-manipulator", "index-1");
  const Vector<double> a{{2.2756364, -1.3138393, -5.2553571, 1.3653818, -8.1458036, -7.3575}};
  const Vector<double> lambda{{-5.0064001, -11.8245536, -2.7307637, -3.3283929}};
  EXPECT_LT(largest(two_link.layout.a(two_link.start.ydot) - a), 5.1e-8);
  EXPECT_LT(largest(two_link.layout.lambda(two_link.start.y) - lambda), 5.1e-8);
  // E(0) = g (m1 y1 + m2 y2) = 9.81 * 3 sqrt(3)/4
  const Energy<double> energy =
      two_link.model->energy(0, two_link.layout.q(two_link.start.y), two_link.layout.v(two_link.start.y));
  EXPECT_NEAR(energy.total(), 9.81 * 3 * std::sqrt(3.0) / 4, 1e-14);  // some units of round-off
}

// The constraints written from the origin add rows of the closures: same motion, other multipliers.
TEST(TwoLinkManipulator, ConstraintFormChangesTheMultipliersOnly) {
  const BoundProblem<double> closures("two-link-manipulator", "index-1");
  const BoundProblem<double> origin("two-link-manipulator:constraints=from-origin", "index-1");
  EXPECT_LT(largest(closures.layout.a(closures.start.ydot) - origin.layout.a(origin.start.ydot)), 1e-13);  // round-off
  const Vector<double> l = closures.layout.lambda(closures.start.y), o = origin.layout.lambda(origin.start.y);
  // C_closures = L C_origin with rows 3, 4 minus rows 1, 2: lambda_origin = L^T lambda_closures.
  EXPECT_LT(largest(o - Vector<double>{{l[0] - l[2], l[1] - l[3], l[2], l[3]}}), 1e-13);
}

#ifndef DAELAB_DOUBLE_ONLY
// What only engines and models in 50 digits can show.

TEST(MovingModel, LevelsAreTimeDerivativesOfTheConstraints) {
  const auto model = moving_model<Real50>();
  RandomNumbers random(1);
  const Real50 t(0.375);
  const Vector<Real50> q = random.vector<Real50>(3), v = random.vector<Real50>(3), a = random.vector<Real50>(3);
  // Along q + v s + a s^2/2 the velocity level is dC/ds and the acceleration level its derivative.
  const auto along = [&](Level level) {
    return [&, level](const Real50& s) {
      Vector<Real50> r(2);
      model->constraint_level(level, t + s, q + v * s + a * (s * s / 2), v + a * s, a, r);
      return r;
    };
  };
  Vector<Real50> velocity(2), acceleration(2);
  model->constraint_level(Level::velocity, t, q, v, a, velocity);
  model->constraint_level(Level::acceleration, t, q, v, a, acceleration);
  EXPECT_LT(largest(velocity - derivative(Real50(0), along(Level::position))), difference_tolerance);
  EXPECT_LT(largest(acceleration - derivative(Real50(0), along(Level::velocity))), difference_tolerance);
}

// F_y and F_ydot of every form against central differences of the residual.
TEST(ConstrainedSystem, DenseJacobiansMatchDifferences) {
  for (const auto& model : moving_models<Real50>())
    for (Level level : levels) {
      SCOPED_TRACE(testing::Message() << "level " << static_cast<int>(level) << ", p " << model->nonholonomic());
      const auto multipliers = multipliers_for(*model);
      ConstrainedSystem<Real50> system(*model, level, *multipliers);
      expect_dense_jacobians_match_differences(system);
    }
}

TEST(ConstrainedSystem, StructuredSolvesMatchTheCoupledMatrixInFiftyDigits) {
  for (const auto& model : moving_models<Real50>())
    expect_structured_solves_match_coupled_matrix<Real50>(*model, 1e-48);
}

// F is linear in (v', lambda) on index 1, so E^-1 F is exact up to the round-off of one elimination.
TEST(ConstrainedSystem, ResolvedResidualIsTheResidualTimesTheInverseOfE) {
  for (const auto& model : moving_models<Real50>())
    for (Level level : levels) {
      SCOPED_TRACE(static_cast<int>(level));
      const auto multipliers = multipliers_for(*model);
      ConstrainedSystem<Real50> system(*model, level, *multipliers);
      const Point<Real50> p(system);
      const Index N = system.size(), differential = system.differential();
      Vector<Real50> F(N), resolved(N);
      system.residual(p.t, p.y, p.ydot, F);
      ASSERT_TRUE(system.resolved_residual(p.t, p.y, p.ydot, resolved).ok());
      if (level != Level::acceleration) {  // E is singular there: F itself
        EXPECT_EQ(F, resolved);
        continue;
      }
      Matrix<Real50> E(N, N), F_ydot(N, N);
      const auto linearization = system.linearization();
      linearization->evaluate(p.t, p.y, p.ydot);
      linearization->dense(E, F_ydot);
      E.leftCols(differential) = F_ydot.leftCols(differential);
      EXPECT_LT(largest(E * resolved - F), 1e-48);  // round-off of one elimination in 50 digits
    }
}

TEST(ConstrainedSystem, CompletedStateSatisfiesTheEquations) {
  for (const auto& model : moving_models<Real50>())
    for (Level level : levels) {
      const auto multipliers = multipliers_for(*model);
      ConstrainedSystem<Real50> system(*model, level, *multipliers);
      ConstrainedSystem<Real50> acceleration(*model, Level::acceleration, *multipliers);
      Point<Real50> p(system);
      const Vector<Real50> before = p.y;
      ASSERT_TRUE(system.consistent_derivatives(p.t, p.y, p.ydot).ok());
      EXPECT_EQ(p.y.head(6), before.head(6)) << "the differential part is given";
      Vector<Real50> F(system.size());
      acceleration.residual(p.t, p.y, p.ydot, F);
      EXPECT_LT(largest(F), 1e-48);  // round-off of one elimination
    }
}

#endif

}  // namespace TEST_FILE
}  // namespace daelab
