// Start analysis [Ren20, algorithm 1]: redundant constraints, singular configurations, weighted projection, and
// starts that cannot be made consistent.
#include <gmock/gmock.h>

#include "core/solvers/dense.hpp"
#include "core/solvers/linear_solver.hpp"
#include "core/solvers/rank_revealing.hpp"
#include "tests/numeric_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AnyOf;
using testing::Eq;
using testing::HasSubstr;

std::unique_ptr<MechanicalModel<double>> model_of(const std::string& spec) {
  return Registry<Problem>::instance().make(spec, "")->mechanical_model(As<double>{});
}

// A unit mass in the plane under constraints given as a function of (t, x, y).
using PlaneConstraints = Expressions (*)(const Expression& t, const Expression& x, const Expression& y);

std::unique_ptr<MechanicalModel<double>> plane_model(PlaneConstraints constraints) {
  return recorded_model<double>([=](Recording& r) {
    r.coordinates({"x", "y"});
    r.mass(0, 0) = r.mass(1, 1) = 1;
    r.constraints = constraints(r.t, r.q[0], r.q[1]);
  });
}

// Two rockers of length 1 on pivots a distance 2 apart, joined by a coupler of length 2; unit masses in the joints,
// q = (x1, y1, x2, y2). Stretched along the x axis, where the parallelogram y1 = y2 and the crossed linkage
// y2 = -3 y1 branch: (y2 - y1)(y2 + 3 y1) = 0 to second order.
std::unique_ptr<MechanicalModel<double>> four_bar(const Exact& gravity) {
  return recorded_model<double>([=](Recording& r) {
    r.coordinates({"x1", "y1", "x2", "y2"});
    r.start_q = {1, 0, 3, 0};
    const Expressions& q = r.q;
    for (int i = 0; i < 4; ++i) r.mass(i, i) = 1;
    r.force[1] = r.force[3] = -Expression(gravity);
    r.constraints = {square(q[0]) + square(q[1]) - 1, square(q[2] - q[0]) + square(q[3] - q[1]) - 4,
                     square(q[2] - 2) + square(q[3]) - 1};
  });
}

// ---------------------------------------------------------------- redundancy and singular configurations

// What was found is kept for the next run that starts alike; other values, and another tolerance, are analysed.
TEST(AnalyseStart, IsOfTheValuesGiven) {
  const auto bars = four_bar("0");
  const Vector<double> q = bars->initial_q(), v = bars->initial_v();
  Vector<double> off = q, fast = v;
  off[1] = 0.5, fast[0] = 1;
  for (int time = 0; time < 2; ++time) {
    EXPECT_EQ(analyse_start(*bars, q, v).rank, 2);
    EXPECT_EQ(analyse_start(*bars, q, v).violations.size(), 0u);
    EXPECT_EQ(analyse_start(*bars, off, v).rank, 3);
    EXPECT_EQ(analyse_start(*bars, off, v).violations.size(), 2u);
    EXPECT_EQ(analyse_start(*bars, q, fast).violations.size(), 2u);
    EXPECT_EQ(analyse_start(*bars, off, v, 2).rank, 0);
  }
}

TEST(Redundancy, RowingBoatHasRankFourOfSix) {
  const auto boat = model_of("rowing-boat");
  const Redundancy rows = analyse_redundancy(*boat, boat->initial_q(), boat->initial_v());
  EXPECT_EQ(rows.rank(), 4);
  EXPECT_EQ(rows.redundant_rows.size(), 2u);
  EXPECT_EQ(rows.tolerance, 1e-9);
  EXPECT_GT(rows.smallest_kept, 1e-3);  // the gap in which the tolerance lies
  EXPECT_LT(rows.largest_dropped, 1e-14);

  Vector<double> C(6);
  Matrix<double> C_q(6, 5), kept(4, 5);
  boat->constraint(0, boat->initial_q(), C, C_q);
  for (Index k = 0; k < 4; ++k) kept.row(k) = C_q.row(rows.independent_rows[static_cast<std::size_t>(k)]);
  EXPECT_GT(dense::singular_values(kept)[3], 1e-3);  // measured 0.5
}

// Off C = 0 redundant constraints are independent, as far as the coordinates allow (five of the boat): the rank at a
// perturbed point alone would call every start singular.
TEST(SingularStart, RedundantConstraintsAreNoSingularConfiguration) {
  struct Case {
    const char* problem;
    Index perturbed_rank, nearby_rank;
  };
  for (const Case& c : {Case{"rowing-boat", 5, 4}, Case{"bricard", 16, 15}}) {
    SCOPED_TRACE(c.problem);
    const auto model = model_of(c.problem);
    const SingularityReport report = analyse_singularity(*model, model->initial_q(), model->initial_v());
    EXPECT_EQ(report.perturbed_rank, c.perturbed_rank);
    EXPECT_EQ(report.nearby_rank, c.nearby_rank);
    EXPECT_FALSE(report.is_singular);
  }
}

// 6N + 2 pin equations of N windows; all links on one line, N of them depend on the others.
TEST(SingularStart, FlatChainOfFourBarsLosesOneRankPerWindow) {
  const auto chain = model_of("n-four-bar:windows=3");
  Vector<double> q = Vector<double>::Zero(21);
  for (Index body = 0; body < 7; ++body) q[3 * body] = static_cast<double>(body) / 2 + (body % 2 == 0 ? 0.5 : 1);
  const SingularityReport report = analyse_singularity<double>(*chain, q, Vector<double>::Zero(21));
  EXPECT_EQ(analyse_start<double>(*chain, q, Vector<double>::Zero(21)).position_residual, 0);
  EXPECT_EQ(analyse_redundancy(*chain, q, chain->initial_v()).rank(), 17);
  EXPECT_EQ(report.nearby_rank, 20);
  EXPECT_TRUE(report.is_singular);
  EXPECT_FALSE(report.agree);
}

// A row that follows from the others in whatever unit it is written.
TEST(Redundancy, UnitsOfConstraintsDoNotMatter) {
  const auto model = plane_model([](const Expression&, const Expression& x, const Expression& y) {
    const Expression unit = Exact("1e-6");
    return Expressions{x + y, (x - y) * unit, (x + y) * unit + (x - y)};
  });
  EXPECT_EQ(analyse_redundancy(*model, model->initial_q(), model->initial_v()).rank(), 2);
}

TEST(SingularStart, StretchedFourBarIsSingularAndItsMotionBranches) {
  const auto bar = four_bar(10);
  const Vector<double> q = bar->initial_q(), v = bar->initial_v();
  EXPECT_EQ(analyse_redundancy(*bar, q, bar->initial_v()).rank(), 2);
  const SingularityReport report = analyse_singularity(*bar, q, v);
  EXPECT_EQ(report.perturbed_rank, 3);
  EXPECT_EQ(report.nearby_rank, 3);
  EXPECT_TRUE(report.is_singular);
  // Released at rest: y'' = (-g, -g) on the one branch, (g/5, -3g/5) on the other. The distance is 6/5 g.
  EXPECT_EQ(report.configurations, 5);
  EXPECT_FALSE(report.agree);
  EXPECT_NEAR(report.spread, 1.2, 1e-6);  // measured within 1.3e-8, beside the singular configuration
}

TEST(SingularStart, AgreesWhereBothBranchesAccelerateAlike) {
  const auto bar = four_bar(0);
  const SingularityReport report = analyse_singularity(*bar, bar->initial_q(), bar->initial_v());
  EXPECT_TRUE(report.is_singular);
  EXPECT_TRUE(report.agree);
}

TEST(SingularStart, IsTheSameInEveryCall) {
  const auto bar = four_bar(10);
  EXPECT_EQ(analyse_singularity(*bar, bar->initial_q(), bar->initial_v()).spread,
            analyse_singularity(*bar, bar->initial_q(), bar->initial_v()).spread);
}

// A start that is a turn of one bar off the singular configuration is none.
TEST(SingularStart, BentFourBarIsRegular) {
  const auto bar = four_bar(10);
  const Vector<double> q{{0.6, 0.8, 2.6, 0.8}};  // the parallelogram
  const SingularityReport report = analyse_singularity(*bar, q, bar->initial_v());
  EXPECT_EQ(report.perturbed_rank, 3);
  EXPECT_FALSE(report.is_singular);
}

// ---------------------------------------------------------------- position and velocity analysis

// Without weights: the nearest point of the circle, and the tangential part of v.
// Bounds are round-off of values near one.
TEST(ProjectStart, PendulumGoesToTheNearestPoint) {
  const auto pendulum = model_of("pendulum");
  Vector<double> q{{-0.9, -1.2}}, v{{1, 1}};
  ASSERT_TRUE(project_start(*pendulum, q, v).ok());
  EXPECT_LT(largest(q - Vector<double>{{-0.6, -0.8}}), 1e-14);
  EXPECT_LT(largest(v - Vector<double>{{0.16, -0.12}}), 1e-14);
}

// W (q - q0) + mu q = 0 with W = diag(4, 1) and mu = 1/2 leads from q0 = (0.6 + 0.075, 0.8 + 0.4) to (0.6, 0.8);
// W (v - v0) + mu q = 0 with W = diag(1, 9), v0 = (1, 1) and q^T v = 0 to v = (-3.68, 2.76)/3.88.
// Bounds are round-off of values near one.
TEST(ProjectStart, WeightsDecideWhereThePendulumGoes) {
  const auto pendulum = model_of("pendulum");
  Vector<double> q{{0.675, 1.2}}, v{{1, 1}};
  const StartWeights<double> weights{Vector<double>{{4, 1}}, Vector<double>{{1, 9}}};
  ASSERT_TRUE(project_start(*pendulum, q, v, weights).ok());
  EXPECT_LT(largest(q - Vector<double>{{0.6, 0.8}}), 1e-14);
  EXPECT_LT(largest(v - Vector<double>{{-3.68, 2.76}} / 3.88), 1e-14);
}

// A weight of 1e6 lets the coordinate move by 2e-8: bounds are a margin over that.
TEST(ProjectStart, TrustedCoordinateStays) {
  const auto pendulum = model_of("pendulum");
  Vector<double> q{{0.5, 0.9}}, v = Vector<double>::Zero(2);
  const StartWeights<double> trusted{Vector<double>{{StartWeights<double>::trusted, 1}}, {}};
  ASSERT_TRUE(project_start(*pendulum, q, v, trusted).ok());
  EXPECT_LT(std::abs(q[0] / 0.5 - 1), 1e-6);
  EXPECT_NEAR(q[1], std::sqrt(0.75), 1e-6);
  Vector<double> free{{0.5, 0.9}};
  ASSERT_TRUE(project_start(*pendulum, free, v).ok());
  EXPECT_GT(std::abs(free[0] / 0.5 - 1), 0.01);  // measured 0.029
}

// A trusted coordinate that cannot stay moves no further than it must.
// Bounds are one and ten times 1e-6, one over the weight of the coordinate.
TEST(ProjectStart, TrustedCoordinateOutOfReachMovesOnlyAsFarAsItMust) {
  const auto pendulum = model_of("pendulum");
  Vector<double> q{{1.1, 0.1}}, v = Vector<double>::Zero(2);
  const StartWeights<double> trusted{Vector<double>{{StartWeights<double>::trusted, 1}}, {}};
  ASSERT_TRUE(project_start(*pendulum, q, v, trusted).ok());
  EXPECT_NEAR(q[0], 1, 1e-6);
  EXPECT_NEAR(q[1], 0, 1e-5);
}

#ifndef DAELAB_DOUBLE_ONLY
// The conditions of the minimum in 50 digits: C = 0, W (q - q0) in the range of C_q^T, and the same for v.
class Stationarity : public testing::TestWithParam<const char*> {};

// Bounds are rounding of 50 digits, with three to five digits for sums and multipliers.
TEST_P(Stationarity, HoldsToRoundOff) {
  using T = Real50;
  const auto model = Registry<Problem>::instance().make(GetParam(), "")->mechanical_model(As<T>{});
  const Index n = model->coordinates(), m = model->constraints();
  RandomNumbers random(7);
  const Vector<T> q0 = model->initial_q() + random.vector<T>(n) / 10, v0 = random.vector<T>(n);
  StartWeights<T> weights{random.vector<T>(n), random.vector<T>(n)};
  for (Vector<T>* w : {&weights.q, &weights.v}) w->array() = w->array() * T(9) / T(10) + T(1);  // 0.1 to 1.9
  Vector<T> q = q0, v = v0;
  const Status status = project_start(*model, q, v, weights);
  ASSERT_TRUE(status.ok()) << status.cause;
  EXPECT_GT(largest(q - q0), 1e-3);  // moved by up to 0.1

  const StartReport report = analyse_start(*model, q, v);
  EXPECT_LT(report.position_residual, 1e-46);
  EXPECT_LT(report.velocity_residual, 1e-45);
  Vector<T> C(m), mu(m);
  Matrix<T> C_q(m, n);
  model->constraint(T(0), q, C, C_q);
  PivotedCholesky<T> gram(m);
  gram.factorize(C_q.lazyProduct(C_q.transpose()), {T(0), report.rank});
  const auto off_range = [&](const Vector<T>& f) {
    gram.solve(C_q.lazyProduct(f), mu);
    return largest(f - C_q.transpose().lazyProduct(mu));
  };
  EXPECT_LT(off_range(weights.q.cwiseProduct(q - q0)), 1e-45);
  EXPECT_LT(off_range(weights.v.cwiseProduct(v - v0)), 1e-45);
}

INSTANTIATE_TEST_SUITE_P(Models, Stationarity,
                         testing::Values("pendulum", "two-link-manipulator", "rowing-boat", "driven-crank"));
#endif

// Bounds are round-off of values near one.
TEST(ProjectStart, LeavesConsistentValuesAlone) {
  const auto boat = model_of("rowing-boat");
  Vector<double> q = boat->initial_q(), v = boat->initial_v();
  ASSERT_TRUE(project_start(*boat, q, v).ok());
  EXPECT_LT(largest(q - boat->initial_q()), 1e-15);
  EXPECT_LT(largest(v - boat->initial_v()), 1e-15);
}

// ---------------------------------------------------------------- starts without a solution

Status project_plane(PlaneConstraints constraints, double x, double y) {
  Vector<double> q{{x, y}}, v = Vector<double>::Zero(2);
  return project_start<double>(*plane_model(constraints), q, v);
}

TEST(ProjectStart, ContradictoryConstraintsAreInconsistent) {
  const auto parallel = [](const Expression&, const Expression& x, const Expression&) { return Expressions{x, x - 1}; };
  const Status status = project_plane(parallel, 0.3, 0.2);
  EXPECT_EQ(status.code, StatusCode::inconsistent);
  EXPECT_THAT(status.cause, HasSubstr("contradict each other"));
}

TEST(ProjectStart, CurvesThatDoNotMeetFailWithTheCause) {
  const auto apart = [](const Expression&, const Expression& x, const Expression& y) {
    return Expressions{x * x + y * y - 1, y - 2};
  };
  const Status status = project_plane(apart, 0.5, 1);
  EXPECT_THAT(status.code, AnyOf(Eq(StatusCode::inconsistent), Eq(StatusCode::newton_diverged)));
  EXPECT_FALSE(status.cause.empty());
}

TEST(ProjectStart, NoDirectionFromTheCentreOfACircle) {
  const auto pendulum = model_of("pendulum");
  Vector<double> q = Vector<double>::Zero(2), v = q;
  const Status status = project_start(*pendulum, q, v);
  EXPECT_EQ(status.code, StatusCode::singular);
  EXPECT_THAT(status.cause, HasSubstr("no direction"));
}

// x = t and x = 0 meet at t = 0, but want other velocities.
TEST(ProjectStart, ContradictoryVelocitiesAreInconsistent) {
  const auto crossing = [](const Expression& t, const Expression& x, const Expression&) {
    return Expressions{x - t, x};
  };
  const Status status = project_plane(crossing, 0, 0);
  EXPECT_EQ(status.code, StatusCode::inconsistent);
  EXPECT_THAT(status.cause, HasSubstr("velocity"));
}

TEST(ProjectStart, NonFiniteConstraintsAreReported) {
  const auto hyperbola = [](const Expression&, const Expression& x, const Expression& y) {
    return Expressions{y - 1 / x};
  };
  EXPECT_EQ(project_plane(hyperbola, 0, 0).code, StatusCode::non_finite);
}

}  // namespace TEST_FILE
}  // namespace daelab
