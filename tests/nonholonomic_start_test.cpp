// Start analysis with nonholonomic constraints: residuals by row, rank, and the weighted projection of velocities.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098, eqs. (6) to (9).
//
// Bounds of 1e-15 are round-off in double, 1e-46 in 50 digits.
#include <gmock/gmock.h>

#include "core/solvers/rank_revealing.hpp"
#include "tests/linear_algebra_support.hpp"

namespace daelab {
namespace TEST_FILE {

std::unique_ptr<MechanicalModel<double>> model_of(const std::string& spec) {
  return Registry<Problem>::instance().make(spec, "")->mechanical_model(As<double>{});
}

TEST(NonholonomicStart, NamesTheRowThatIsViolated) {
  const auto disc = model_of("rolling-disc");
  Vector<double> v = disc->initial_v();
  EXPECT_TRUE(analyse_start(*disc, disc->initial_q(), v).violations.empty());
  v[1] += 0.25;  // the heading is along x: G2 is v[1] + ...
  const StartReport report = analyse_start(*disc, disc->initial_q(), v);
  EXPECT_FALSE(report.consistent());
  EXPECT_NEAR(report.velocity_residual, 0.25, 1e-15);
  EXPECT_LT(report.position_residual, 1e-15);
  ASSERT_EQ(report.violations.size(), 1u);
  EXPECT_EQ(report.violations[0].level, Level::velocity);
  EXPECT_EQ(report.violations[0].row, 2);
  EXPECT_NEAR(report.violations[0].size, 0.25, 1e-15);
}

TEST(NonholonomicStart, RankCountsBothKinds) {
  const auto disc = model_of("rolling-disc");
  const StartReport report = analyse_start(*disc, disc->initial_q(), disc->initial_v());
  EXPECT_EQ(report.constraints, 3);
  EXPECT_EQ(report.rank, 3);
  EXPECT_FALSE(analyse_singularity(*disc, disc->initial_q(), disc->initial_v()).is_singular);
}

// On G = x' sin(theta) - y' cos(theta) = 0 with theta = pi/4: x' = y'. Of (1, 0), 4 (x' - 1)^2 + y'^2 is least at 4/5.
TEST(NonholonomicStart, ProjectsVelocitiesByTheirWeights) {
  const auto skate = model_of("knife-edge");
  const Vector<double> q0{{0.5, -0.25, std::atan(1.0)}};
  Vector<double> q = q0, v{{1, 0, 3}};
  ASSERT_TRUE(project_start(*skate, q, v, {{}, Vector<double>{{4, 1, 1}}}).ok());
  EXPECT_EQ(q, q0);  // there is nothing to project positions on
  EXPECT_LT(largest(v - Vector<double>{{0.8, 0.8, 3}}), 1e-15);
  EXPECT_TRUE(analyse_start(*skate, q, v).consistent());
}

#ifndef DAELAB_DOUBLE_ONLY
// A constraint that is not linear in v: W (v - v0) in the range of J^T, which depends on v.
TEST(NonholonomicStart, ProjectionIsStationaryToRoundOff) {
  using T = Real50;
  const auto model = recorded_model<T>(record_moving_nonholonomic_model);
  const Vector<T> v0{{T(1), T(1) / 2, T(2) / 3}}, weights{{T(2), T(1), T(1) / 2}};
  Vector<T> q = model->initial_q(), v = v0;
  const Status status = project_start<T>(*model, q, v, {{}, weights});
  ASSERT_TRUE(status.ok()) << status.cause;
  const StartReport report = analyse_start<T>(*model, q, v);
  EXPECT_LT(report.position_residual, 1e-46);
  EXPECT_LT(report.velocity_residual, 1e-46);
  EXPECT_GT(largest(v - v0), 1e-2);  // it did move
  Vector<T> C(2), mu(2);
  Matrix<T> J(2, 3);
  model->constraints_and_jacobian(T(0), q, v, C, J);
  PivotedCholesky<T> gram(2);
  gram.factorize(J.lazyProduct(J.transpose()), {T(0), 2});
  const Vector<T> pull = weights.cwiseProduct(Vector<T>(v - v0));
  gram.solve(J.lazyProduct(pull), mu);
  EXPECT_LT(largest(pull - J.transpose().lazyProduct(mu)), 1e-10);  // the linear rate of 40 passes
}
#endif

// The skate with its constraint written twice, and once more as twice itself.
void record_overdetermined_skate(Recording& r) {
  r.coordinates({"x", "y", "theta"});
  r.start_v = {1, 0, 2};
  r.mass(0, 0) = r.mass(1, 1) = r.mass(2, 2) = 1;
  r.force[0] = 1;
  const Expression blade = r.v[0] * sin(r.q[2]) - r.v[1] * cos(r.q[2]);
  r.nonholonomic_constraints = {blade, blade, blade + blade};
}

TEST(NonholonomicStart, RedundantRowsAreFound) {
  const auto skate = recorded_model<double>(record_overdetermined_skate);
  const Redundancy rows = analyse_redundancy<double>(*skate, skate->initial_q(), skate->initial_v());
  EXPECT_EQ(rows.rank(), 1);
  EXPECT_EQ(rows.redundant_rows.size(), 2u);
  EXPECT_EQ(fitting_multiplier_solver(analyse_start<double>(*skate, skate->initial_q(), skate->initial_v())),
            "complete-orthogonal");
}

void expect_structured_solves_match(MechanicalModel<double>& model, const std::vector<std::string>& forms) {
  for (const std::string& form : forms) {
    SCOPED_TRACE(form);
    const auto multipliers = multipliers_for<double>(model, "complete-orthogonal");
    const auto system = Registry<Formulation>::instance().make(form, "")->system(model, *multipliers);
    expect_structured_solves_match<double>(*system, Point<double>(*system), 0.01, 1000 * epsilon<double>());
  }
}

TEST(NonholonomicStart, RedundantRowsKeepTheStructuredSolves) {
  const auto skate = recorded_model<double>(record_overdetermined_skate);
  expect_structured_solves_match(*skate, {"index-3", "index-2", "index-1", "ggl"});
}

// The derivative of its only holonomic constraint among the nonholonomic ones.
void record_skate_on_a_wire(Recording& r) {
  record_overdetermined_skate(r);
  r.constraints = {r.q[1] - square(r.q[0])};
  r.nonholonomic_constraints = {r.v[0] * sin(r.q[2]) - r.v[1] * cos(r.q[2]), r.v[1] - 2 * r.q[0] * r.v[0]};
}

TEST(NonholonomicStart, RedundantRowsOfBothKindsKeepTheStructuredSolves) {
  const auto skate = recorded_model<double>(record_skate_on_a_wire);
  EXPECT_EQ(analyse_redundancy<double>(*skate, Vector<double>{{0.5, 0.25, 1}}, skate->initial_v()).rank(), 2);
  expect_structured_solves_match(*skate, {"index-3", "index-2", "index-1"});
}

}  // namespace TEST_FILE
}  // namespace daelab
