// Stabilised forms: Jacobians against central differences, the condensed linear algebra against the coupled matrices,
// and that the multipliers that stabilise vanish.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
// Bounds of 1e-13 are round-off of small systems.
#include "core/equations/stabilized_system.hpp"

#include <gmock/gmock.h>

#include "core/integration/integrate.hpp"
#include "core/integration/method.hpp"
#include "tests/linear_algebra_support.hpp"

namespace daelab {
namespace TEST_FILE {

template <class T>
using Levels = typename StabilizedSystem<T>::Levels;

template <class T>
const std::vector<Levels<T>> forms{Levels<T>::position_and_velocity, Levels<T>::all};

#ifndef DAELAB_DOUBLE_ONLY
TEST(StabilizedSystem, DenseJacobiansMatchDifferences) {
  for (const auto& model : moving_models<Real50>())
    for (const auto form : forms<Real50>) {
      SCOPED_TRACE(testing::Message() << "levels " << static_cast<int>(form) << ", p " << model->nonholonomic());
      const auto multipliers = multipliers_for(*model);
      StabilizedSystem<Real50> system(*model, form, *multipliers);
      expect_dense_jacobians_match_differences(system);
    }
}
#endif

// The structured solves leave out what mu and tau bend: at mu = tau = 0 they are exact.
template <class T>
Point<T> unstabilised_point(const System<T>& system, Index n, Index m) {
  Point<T> p(system);
  p.y.segment(2 * n + m, system.size() - 2 * n - m - (system.accelerations() > 0 ? n : 0)).setZero();
  return p;
}

template <class T>
void expect_stabilised_solves_match(MechanicalModel<T>& model, double limit,
                                    const std::string& solver = "schur-cholesky") {
  for (const auto form : forms<T>)
    for (double h : {1.0, 1.0 / 100, 1.0 / 10000}) {
      SCOPED_TRACE(testing::Message() << "levels " << static_cast<int>(form) << ", h " << h);
      const auto multipliers = multipliers_for<T>(model, solver);
      StabilizedSystem<T> system(model, form, *multipliers);
      const Point<T> p = unstabilised_point<T>(system, model.coordinates(), model.constraints());
      expect_structured_solves_match<T>(system, p, h, limit);
    }
}

// Growth through condensing and elimination, larger than with one set of multipliers: C_q C_q^T is beside C_q, and
// with three levels blocks of order 1/kappa beside blocks of order 1.
TEST(StabilizedSystem, StructuredSolvesMatchTheCoupledMatrix) {
  for (const auto& model : moving_models<double>())
    expect_stabilised_solves_match<double>(*model, 100000 * epsilon<double>());
#ifndef DAELAB_DOUBLE_ONLY
  for (const auto& model : moving_models<Real50>()) expect_stabilised_solves_match<Real50>(*model, 1e-46);
#endif
}
TEST(StabilizedSystem, StructuredSolvesMatchOnNonholonomicProblems) {
  for (const char* name : {"knife-edge", "rolling-disc"}) {
    const auto problem = Registry<Problem>::instance().make(name, "");
    expect_stabilised_solves_match<double>(*problem->mechanical_model(As<double>{}), 10000 * epsilon<double>());
#ifndef DAELAB_DOUBLE_ONLY
    expect_stabilised_solves_match<Real50>(*problem->mechanical_model(As<Real50>{}), 1e-46);
#endif
  }
}
TEST(StabilizedSystem, StructuredSolvesMatchWithRedundantConstraints) {
  const auto problem = Registry<Problem>::instance().make("rowing-boat", "");
  expect_stabilised_solves_match<double>(*problem->mechanical_model(As<double>{}), 1000 * epsilon<double>(),
                                         "complete-orthogonal");
#ifndef DAELAB_DOUBLE_ONLY
  expect_stabilised_solves_match<Real50>(*problem->mechanical_model(As<Real50>{}), 1e-47, "complete-orthogonal");
#endif
}

// Weights (p, d, a): dq = p x, dq' = d x, dv = d z, dv' = a z in F_y dy + F_y' dy' = r, for every form.
void expect_weighted_solves_match(MechanicalModel<double>& model, const std::string& form) {
  const SecondOrderWeights<double> weights{0.0025, 0.06, 1.2};
  const auto multipliers = multipliers_for(model);
  const auto system = Registry<Formulation>::instance().make(form, "")->system(model, *multipliers);
  const Index n = model.coordinates(), m = model.constraints(), N = system->size();
  const Index holonomic = m - model.nonholonomic();
  const Point<double> p =
      form.starts_with("index") ? Point<double>(*system) : unstabilised_point<double>(*system, n, m);
  const auto linearization = system->linearization();
  linearization->evaluate(p.t, p.y, p.ydot);
  Matrix<double> F_y(N, N), F_ydot(N, N);
  linearization->dense(F_y, F_ydot);
  const auto matrix = linearization->real_matrix();
  ASSERT_TRUE(matrix->factorize(weights).ok());
  RandomNumbers random(5);
  const Vector<double> r = random.vector<double>(N);
  Vector<double> x = r;
  matrix->solve(x);
  Vector<double> dy = x, dydot = Vector<double>::Zero(N);
  dy.head(n) = weights.position * x.head(n), dydot.head(n) = weights.velocity * x.head(n);
  dy.segment(n, n) = weights.velocity * x.segment(n, n), dydot.segment(n, n) = weights.acceleration * x.segment(n, n);
  const double size = largest(F_y) * largest(dy) + largest(F_ydot) * largest(dydot) + largest(r);
  EXPECT_LT(largest(F_y * dy + F_ydot * dydot - r) / size, 100 * epsilon<double>());  // measured 0.5 units
  // A factorisation of other weights, brought to these by what scales exactly: the rows of C still hold.
  ASSERT_TRUE(matrix->factorize(SecondOrderWeights<double>{0.003, 0.065, 1.2}).ok());
  matrix->reuse(weights);
  x = r;
  matrix->solve(x);
  if (form == "index-3") {
    dy.head(n) = weights.position * x.head(n);
    EXPECT_LT(largest(F_y.block(2 * n, 0, holonomic, n) * dy.head(n) - r.segment(2 * n, holonomic)), 1e-13);
  }
}
TEST(SecondOrderWeights, SolveTheEquationsTheyStandFor) {
  for (const auto& model : moving_models<double>())
    for (const char* form : {"index-3", "index-2", "ggl", "stabilized-index-1"}) {
      SCOPED_TRACE(testing::Message() << form << ", p " << model->nonholonomic());
      expect_weighted_solves_match(*model, form);
    }
}

// What is taken out of an error of velocities satisfies the linearised G = 0 with the positions kappa times as far.
void expect_nonholonomic_part_stays(MechanicalModel<double>& model, const Point<double>& p, const Vector<double>& taken,
                                    double kappa) {
  const Index n = model.coordinates(), m = model.constraints(), nonholonomic = model.nonholonomic();
  const Vector<double> q = p.y.head(n), v = p.y.segment(n, n);
  Vector<double> C(m);
  Matrix<double> J(m, n), V_q(m, n);
  model.constraints_and_jacobian(p.t, q, v, C, J);
  model.constraint_level_q(Level::velocity, p.t, q, v, Vector<double>::Zero(n), V_q);
  EXPECT_LT(largest(((J + kappa * V_q) * taken.segment(n, n)).tail(nonholonomic)), 1e-13);
}

// Velocities made tangential satisfy C_q v = 0; doing it twice changes nothing; tangential ones pass unchanged. Where
// velocities are enforced, by G too, nothing happens.                                             [Ren20, eq. (80)]
TEST(MakeTangential, ProjectsVelocitiesOnIndexThreeOnly) {
  for (const auto& model : moving_models<double>())
    for (const char* form : {"index-3", "index-2", "ggl"}) {
      SCOPED_TRACE(form);
      const auto multipliers = multipliers_for(*model);
      const auto system = Registry<Formulation>::instance().make(form, "")->system(*model, *multipliers);
      const Index n = model->coordinates(), m = model->constraints();
      const Point<double> p(*system);
      const auto linearization = system->linearization();
      linearization->evaluate(p.t, p.y, p.ydot);
      const auto matrix = linearization->real_matrix();
      ASSERT_TRUE(matrix->factorize(0.01).ok());
      RandomNumbers random(3);
      const Vector<double> x = random.vector<double>(system->size());
      Vector<double> filtered = x;
      matrix->make_tangential(filtered);
      if (std::string(form) != "index-3") {
        EXPECT_EQ(filtered, x);
        continue;
      }
      Vector<double> C = Vector<double>::Zero(m);
      Matrix<double> C_q = Matrix<double>::Zero(m, n);
      model->constraint(p.t, Vector<double>(p.y.head(n)), C, C_q);
      EXPECT_GT(largest(C_q * x.segment(n, n)), 0.1);  // not tangential: measured 0.76
      EXPECT_LT(largest(C_q * filtered.segment(n, n)), 1e-13);
      expect_nonholonomic_part_stays(*model, p, x - filtered, 0.01);
      EXPECT_EQ(filtered.head(n), x.head(n));
      Vector<double> again = filtered;
      matrix->make_tangential(again);
      EXPECT_LT(largest(again - filtered), 1e-13);
    }
}

// The stabilising multipliers are index-2 variables: of order s = 2 with Radau's two stages (Hairer, Lubich, Roche
// 1989, table 4.1), so they vanish with the step.
TEST(StabilizedSystem, StabilisingMultipliersVanishWithTheStep) {
  for (const char* form : {"ggl", "stabilized-index-1"}) {
    SCOPED_TRACE(form);
    std::vector<double> mu;
    for (double h : {0.02, 0.01, 0.005}) {
      const BoundProblem<double> bound("pendulum", form);
      const auto stepper = Registry<Method>::instance().make("radau-iia:s=2", "")->stepper(*bound.system, {});
      State<double> state = bound.start;
      ASSERT_TRUE(integrate<double>(*stepper, state, 0.5, h, {}).ok());
      mu.push_back(largest(state.y.segment(5, bound.system->accelerations() > 0 ? 2 : 1)));
    }
    for (std::size_t i : {1, 2}) EXPECT_NEAR(std::log2(mu[i - 1] / mu[i]), 2, 0.1);  // measured 0.016 off
  }
}

}  // namespace TEST_FILE
}  // namespace daelab
