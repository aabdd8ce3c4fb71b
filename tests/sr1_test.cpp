// The SR1 multiplier solvers: as printed, with each way it fails, and the robust one, which survives them.
// [Iv23, algorithm (11)]
//
// [Iv23] Ivanov, Vestnik Permskogo Universiteta, Matematika Mekhanika Informatika 1(60), 2023, 30-46.
#include <gmock/gmock.h>

#include "core/integration/integrate.hpp"
#include "core/integration/method.hpp"
#include "core/solvers/dense.hpp"
#include "tests/perturbed_systems.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;

const Matrix<double> identity = Matrix<double>::Identity(2, 2);
const std::vector<std::string> skips{"eps-abs", "eps-abs-squared", "never-skip"};

// --- as printed ------------------------------------------------------------------------------------------------

// k = rank of the perturbation, of either sign; then H is exact and the same system takes no pass. [Iv23, (26)]
template <class T>
void expect_as_many_passes_as_rank(const std::string& spec) {
  for (Index k = 1; k <= 4; ++k)
    for (int sign : {1, -1}) {
      SCOPED_TRACE(testing::Message() << spec << ", rank " << k << ", sign " << sign);
      const PerturbedSystem<T> system(7, 5, k, 10 + static_cast<unsigned>(k));
      const Matrix<T> A = system.A0 + T(sign) * system.F;
      const Vector<T> b0 = system.A0 * system.x, b = A * system.x;
      Sequence<T> sequence(spec, 7);
      ASSERT_TRUE(sequence.solve(system.A0, b0).ok());
      EXPECT_EQ(sequence.last().passes, 0);
      EXPECT_EQ(sequence.last().refactorization, Refactorization::first);
      ASSERT_TRUE(sequence.solve(A, b).ok());
      EXPECT_EQ(sequence.last().passes, k);
      EXPECT_EQ(sequence.last().rank, 5);
      EXPECT_EQ(sequence.last().refactorization, Refactorization::none);
      EXPECT_LT(largest(sequence.mu - system.x), 1e-10);  // eps_abs and more: measured 8.5e-16 in double
      ASSERT_TRUE(sequence.solve(A, b).ok());
      EXPECT_EQ(sequence.last().passes, 0);
    }
}

TEST(Sr1Paper, TakesAsManyPassesAsThePerturbationHasRank) {
  expect_as_many_passes_as_rank<double>("sr1-paper:eps_abs=1e-11");
}
TEST(Sr1, TakesAsManyPassesAsThePerturbationHasRank) { expect_as_many_passes_as_rank<double>("sr1:eps_abs=1e-11"); }
#ifndef DAELAB_DOUBLE_ONLY
TEST(Sr1Paper, TakesAsManyPassesAsThePerturbationHasRankInFiftyDigits) {
  expect_as_many_passes_as_rank<Real50>("sr1-paper:eps_abs=1e-40");
}
TEST(Sr1, TakesAsManyPassesAsThePerturbationHasRankInFiftyDigits) {
  expect_as_many_passes_as_rank<Real50>("sr1:eps_abs=1e-40,correction=1e-45");
}
#endif

// A = diag(1 + d, 1), b = (c, 0): |r| = c d > eps_abs, but v^T y = c^2 d (1 + d) < eps_abs. The pass refines mu and
// leaves H, so that the next solve needs it again; the squared test updates, and the next solve needs none.
TEST(Sr1Paper, AbsoluteSkipTestRefinesWithoutAnUpdate) {
  const Matrix<double> A{{1.05, 0}, {0, 1}};
  const Vector<double> b{{0.1, 0}};
  for (const std::string& skip : skips) {
    SCOPED_TRACE(skip);
    Sequence<double> sequence("sr1-paper:eps_abs=1e-3,skip=" + skip, 2);
    ASSERT_TRUE(sequence.solve(identity, b).ok());
    ASSERT_TRUE(sequence.solve(A, b).ok());
    EXPECT_EQ(sequence.last().passes, 1);
    ASSERT_TRUE(sequence.solve(A, b).ok());
    EXPECT_EQ(sequence.last().passes, skip == "eps-abs" ? 1 : 0);
  }
}

// 4 n^2 + n - 1 for x_1 and the stop test and 5 n^2 + 10 n a pass: 629 for n = 6, k = 2.
TEST(Sr1Paper, CountsItsWork) {
  const PerturbedSystem<double> system(6, 4, 2, 3);
  Sequence<double> sequence("sr1-paper:eps_abs=1e-10", 6);
  const Matrix<double> A = system.A0 + system.F;
  ASSERT_TRUE(sequence.solve(system.A0, system.A0 * system.x).ok());
  EXPECT_GT(sequence.last().flops, 629);  // includes a factorisation
  ASSERT_TRUE(sequence.solve(A, A * system.x).ok());
  ASSERT_EQ(sequence.last().passes, 2);
  EXPECT_EQ(sequence.last().flops, 629);
}

// An indefinite perturbation of any size: the unit step is the line minimiser already, v^T r_0 = 0, s_1 = 0 and
// H_1 = diag(1, 0). The residual stays at f for ever.
Matrix<double> stalling(double f) { return Matrix<double>{{1, f}, {f, 1}}; }
const Vector<double> first_axis{{1, 0}};

TEST(Sr1Paper, StallIsRecorded) {
  for (const std::string& skip : skips) {
    SCOPED_TRACE(skip);
    Sequence<double> sequence("sr1-paper:skip=" + skip, 2);
    ASSERT_TRUE(sequence.solve(identity, first_axis).ok());
    const Status status = sequence.solve(stalling(0.125), first_axis);
    EXPECT_EQ(status.code, StatusCode::not_converged);
    EXPECT_THAT(status.cause, AllOf(HasSubstr("stall"), HasSubstr("1.2e-01"), HasSubstr("v^T r = 0 in pass 1")));
    EXPECT_EQ(sequence.last().outcome, SolveOutcome::not_converged);
    EXPECT_EQ(sequence.last().passes, 100);
    EXPECT_NEAR(sequence.last().residual, 0.125, 1e-15);  // exact, to round-off
  }
}

// Bound: ten times eps_abs.
TEST(Sr1, SurvivesTheStall) {
  for (double f : {0.5, 0.125, 1e-3}) {
    SCOPED_TRACE(f);
    Sequence<double> sequence("sr1:eps_abs=1e-12", 2);
    ASSERT_TRUE(sequence.solve(identity, first_axis).ok());
    ASSERT_TRUE(sequence.solve(stalling(f), first_axis).ok());
    EXPECT_LT(largest(sequence.mu - Vector<double>{{1, -f}} / (1 - f * f)), 1e-11);
    EXPECT_EQ(sequence.last().refactorization, Refactorization::none);
    EXPECT_LE(sequence.last().passes, 4);
  }
}

// Drift: b = (1, 1, 4.1e-6) beside the range of diag(2, 1, 0), whose entries then change.
TEST(Sr1Paper, FloorIsRecorded) {
  const Matrix<double> A0{{2, 0, 0}, {0, 1, 0}, {0, 0, 0}}, A{{2.1, 0.01, 0}, {0.01, 1.2, 0}, {0, 0, 0}};
  const Vector<double> b{{1, 1, 4.1e-6}};
  for (const std::string& skip : skips) {
    SCOPED_TRACE(skip);
    Sequence<double> sequence("sr1-paper:eps_abs=1e-8,max_passes=50,skip=" + skip, 3);
    ASSERT_TRUE(sequence.solve(A0, Vector<double>{{1, 1, 0}}).ok());
    const Status status = sequence.solve(A, b);
    EXPECT_EQ(status.code, StatusCode::not_converged);
    EXPECT_THAT(status.cause, AllOf(HasSubstr("residual floor 4.1e-06 reached"), HasSubstr("eps_abs = 1.0e-08"),
                                    HasSubstr("outside the range")));
    EXPECT_EQ(sequence.last().passes, 50);
  }
}

TEST(Sr1, ReportsTheFloorAndGoesOn) {
  const Matrix<double> A0{{2, 0, 0}, {0, 1, 0}, {0, 0, 0}}, A{{2.1, 0.01, 0}, {0.01, 1.2, 0}, {0, 0, 0}};
  const Vector<double> b{{1, 1, 4.1e-6}}, half{{1, 1, 2e-6}}, five{{1, 1, 2e-5}}, fifty{{1, 1, 2e-4}};
  Sequence<double> sequence("sr1:eps_abs=1e-8", 3);
  ASSERT_TRUE(sequence.solve(A0, b).ok());
  EXPECT_EQ(sequence.last().outcome, SolveOutcome::floor);
  // Up to ten times the floor at the last factorisation is drift; more may be a change of the range.
  for (const auto& [rhs, cause] : {std::pair(half, Refactorization::none), std::pair(five, Refactorization::none),
                                   std::pair(fifty, Refactorization::out_of_range)}) {
    ASSERT_TRUE(sequence.solve(A, rhs).ok());
    EXPECT_EQ(sequence.last().outcome, SolveOutcome::floor);
    EXPECT_NEAR(sequence.last().residual, rhs[2], 1e-14);  // exact, to round-off
    EXPECT_EQ(sequence.last().refactorization, cause);
    EXPECT_EQ(sequence.last().rank, 2);
  }
  EXPECT_EQ(sequence.multipliers->statistics().largest_floor, sequence.last().residual);
}

TEST(Sr1Paper, RoundOffIsAFloorToo) {
  const PerturbedSystem<double> system(7, 5, 2, 4);
  for (const std::string& skip : skips) {
    SCOPED_TRACE(skip);
    Sequence<double> sequence("sr1-paper:eps_abs=1e-30,skip=" + skip, 7);
    const Status status = sequence.solve(system.A0, system.A0 * system.x);
    EXPECT_EQ(status.code, StatusCode::not_converged);
    EXPECT_THAT(status.cause, AllOf(HasSubstr("residual floor"), HasSubstr("round-off")));
  }
  Sequence<double> robust("sr1:eps_abs=1e-30", 7);
  ASSERT_TRUE(robust.solve(system.A0, system.A0 * system.x).ok());
  EXPECT_EQ(robust.last().outcome, SolveOutcome::floor);
  EXPECT_LT(robust.last().residual, 1e-14);  // round-off: measured 6e-16
}

// v^T y_0 = b^T (A - E) A b for H = E: zero for diag(1.2, 0.5) and b = (1, sqrt(0.96)), and small beside it.
const Matrix<double> breaking{{1.2, 0}, {0, 0.5}};
Vector<double> breaking_b(double distance) { return Vector<double>{{1, std::sqrt(0.96) * (1 + distance)}}; }

// The update is 1e13 times too large; three more passes repair it if they are allowed.
TEST(Sr1Paper, BreakdownIsRecorded) {
  const Vector<double> b = breaking_b(1e-13);
  Sequence<double> stopped("sr1-paper:eps_abs=1e-9,max_passes=2", 2), sequence("sr1-paper:eps_abs=1e-9", 2);
  ASSERT_TRUE(stopped.solve(identity, b).ok());
  EXPECT_THAT(stopped.solve(breaking, b).cause, AllOf(HasSubstr("breakdown: v^T y vanishes"), HasSubstr("in pass 1;")));
  EXPECT_GT(stopped.last().residual, 1e9);  // measured 1.2e9
  ASSERT_TRUE(sequence.solve(identity, b).ok());
  ASSERT_TRUE(sequence.solve(breaking, b).ok());
  EXPECT_GT(sequence.last().passes, 3);
}

// Bound: ten times eps_abs.
TEST(Sr1, SurvivesTheBreakdown) {
  for (double distance : {0.0, 1e-13, 1e-4}) {
    SCOPED_TRACE(distance);
    Sequence<double> sequence("sr1:eps_abs=1e-12", 2);
    const Vector<double> b = breaking_b(distance);
    ASSERT_TRUE(sequence.solve(identity, b).ok());
    ASSERT_TRUE(sequence.solve(breaking, b).ok());
    EXPECT_LT(largest(sequence.mu - Vector<double>{{b[0] / 1.2, b[1] / 0.5}}), 1e-11);
    EXPECT_LE(sequence.last().passes, 3);
    // At 1e-4 the update passes the curvature test, but the residual jumps.
    EXPECT_EQ(sequence.last().refactorization, distance == 1e-4 ? Refactorization::growth : Refactorization::none);
  }
}

// A = diag(3, 1) and H = E: without an update each pass doubles the residual, and the absolute test leaves H alone
// as long as b is small.
TEST(Sr1Paper, BlowUpIsRecorded) {
  Sequence<double> sequence("sr1-paper:eps_abs=1e-6,skip=eps-abs,max_passes=5", 2);
  const Vector<double> b{{1e-5, 0}};
  ASSERT_TRUE(sequence.solve(identity, b).ok());
  const Status status = sequence.solve(Matrix<double>{{3, 0}, {0, 1}}, b);
  EXPECT_EQ(status.code, StatusCode::not_converged);
  EXPECT_EQ(status.cause,
            "blow-up: the residual went from 2.0e-05 to 6.4e-04 in 5 passes, 5 of them without an update");
}

// The same with diag(1.99, 1): the residual shrinks by a hundredth a pass.
TEST(Sr1Paper, StaleInverseIsRecorded) {
  Sequence<double> sequence("sr1-paper:eps_abs=1e-6,skip=eps-abs", 2);
  const Vector<double> b{{1e-5, 0}};
  ASSERT_TRUE(sequence.solve(identity, b).ok());
  EXPECT_THAT(sequence.solve(Matrix<double>{{1.99, 0}, {0, 1}}, b).cause,
              HasSubstr("stale inverse, kept by the skip test"));
}

// The second direction of the range is gone, and b keeps its part: no pass changes the residual.
TEST(Sr1Paper, LostRankStalls) {
  Sequence<double> sequence("sr1-paper", 2);
  ASSERT_TRUE(sequence.solve(identity, Vector<double>{{1, 1}}).ok());
  EXPECT_THAT(sequence.solve(Matrix<double>{{1, 0}, {0, 0}}, Vector<double>{{1, 1}}).cause, HasSubstr("stall"));
}

TEST(Sr1Solvers, EntriesThatAreNotFiniteEndTheSolve) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const char* name : {"sr1-paper", "sr1"}) {
    Sequence<double> sequence(name, 2);
    ASSERT_TRUE(sequence.solve(identity, first_axis).ok());
    EXPECT_EQ(sequence.solve(identity, Vector<double>{{nan, 0}}).code, StatusCode::non_finite) << name;
    EXPECT_EQ(Sequence<double>(name, 2).solve(identity * nan, first_axis).code, StatusCode::non_finite) << name;
  }
}

// --- the range turns ---------------------------------------------------------------------------------------------

// Null vector (sin t, 0, cos t), eigenvalues 2 and 1 on the range.
Matrix<double> turned(double t) {
  const Vector<double> across{{0, 1, 0}}, along{{std::cos(t), 0, -std::sin(t)}};
  return 2 * across * across.transpose() + along * along.transpose();
}

// The printed iteration never leaves the first range: mu = U (U^T A U)^-1 U^T b, longer by 1/cos t.
TEST(Sr1Paper, GivesTheObliqueSolutionWhereTheRangeHasTurned) {
  const Matrix<double> U = Matrix<double>::Identity(3, 2);
  Sequence<double> sequence("sr1-paper:eps_abs=1e-12", 3);
  const Vector<double> direction{{1, 1, 1}};
  for (double t : {0.0, 0.2, 0.5, 0.8, 1.0}) {
    SCOPED_TRACE(t);
    const Matrix<double> A = turned(t);
    const Vector<double> b = A * direction;
    ASSERT_TRUE(sequence.solve(A, b).ok());
    const Matrix<double> on_range = U.transpose() * A * U, right = U.transpose() * b;
    const Vector<double> oblique = U * dense::solve(on_range, right);
    // eps_abs, amplified by 1/cos t and the condition: measured 3e-14.
    EXPECT_LT(largest(sequence.mu - oblique), 1e-10);
  }
}

TEST(Sr1, FactorisesAnewWhereTheRangeHasTurned) {
  const Vector<double> direction{{1, 1, 1}};
  Sequence<double> sequence("sr1:eps_abs=1e-12", 3);
  double t = 0;
  ASSERT_TRUE(sequence.solve(turned(t), turned(t) * direction).ok());
  for (; t < 1.5; t += 1.0 / 64) {
    ASSERT_TRUE(sequence.solve(turned(t), turned(t) * direction).ok());
    EXPECT_LT(largest(turned(t) * (sequence.mu - direction)), 1e-11);  // ten times eps_abs
  }
  const SolveStatistics& all = sequence.multipliers->statistics();
  // An angle with tangent 1/4 is 0.245, or 15.7 of the 95 steps: every 16th.
  EXPECT_EQ(all.refactorizations[static_cast<std::size_t>(Refactorization::turned_range)], 5);
  EXPECT_EQ(all.refactorizations[static_cast<std::size_t>(Refactorization::none)], all.solves - 6);
}

// A^+ b although H is updated only in the directions that b asks for; factorised anew a few times at most.
// Bounds are eps_abs, and 100 times that for mu; the multipliers differ by 0.19 otherwise; measured 8 factorisations.
TEST(Sr1, MinimumNormFollowsTheTurningRange) {
  RandomNumbers random(5);
  const Matrix<double> X = random_matrix<double>(6, 4, random), Y = random_matrix<double>(6, 4, random);
  const Vector<double> direction = random.vector<double>(6);
  Sequence<double> sr1("sr1:eps_abs=1e-10,minimum_norm=true", 6), svd("svd", 6), plain("sr1:eps_abs=1e-10", 6);
  double farthest = 0;
  for (int k = 0; k <= 200; ++k) {
    const Matrix<double> A = gram<double>(X + Y * (k / 200.0));
    const Vector<double> b = A * direction;
    ASSERT_TRUE(sr1.solve(A, b).ok());
    ASSERT_TRUE(svd.solve(A, b).ok());
    ASSERT_TRUE(plain.solve(A, b).ok());
    EXPECT_LT(largest(sr1.mu - svd.mu), 1e-8) << k;
    EXPECT_LE(sr1.last().residual, 1e-10);
    farthest = std::max(farthest, largest(plain.mu - svd.mu));
  }
  EXPECT_GT(farthest, 1e-2) << "without the projection the multipliers are other ones";
  const SolveStatistics& all = sr1.multipliers->statistics();
  EXPECT_LE(all.refactorizations[static_cast<std::size_t>(Refactorization::turned_range)], 20);
}

// --- the range grows and shrinks -----------------------------------------------------------------------------------

TEST(Sr1, FindsANewRank) {
  const Matrix<double> two{{2, 0, 0}, {0, 1, 0}, {0, 0, 0}}, three{{2, 0, 0}, {0, 1, 0}, {0, 0, 3}};
  Sequence<double> sequence("sr1:eps_abs=1e-12", 3);
  ASSERT_TRUE(sequence.solve(two, Vector<double>{{1, 1, 0}}).ok());
  ASSERT_TRUE(sequence.solve(three, Vector<double>{{1, 1, 1}}).ok());
  EXPECT_EQ(sequence.last().outcome, SolveOutcome::rank_changed);
  EXPECT_EQ(sequence.last().rank, 3);
  EXPECT_LT(largest(sequence.mu - Vector<double>{{0.5, 1, 1.0 / 3}}), 1e-15);  // round-off
  ASSERT_TRUE(sequence.solve(three, Vector<double>{{1, 1, 1}}).ok());
  EXPECT_EQ(sequence.last().outcome, SolveOutcome::converged);
}

TEST(Sr1, FactorisesAnewAtTheLimitOfPasses) {
  const PerturbedSystem<double> system(7, 5, 4, 14);
  const Matrix<double> A = system.A0 + system.F;
  Sequence<double> sequence("sr1:eps_abs=1e-11,max_passes=2", 7);
  ASSERT_TRUE(sequence.solve(system.A0, system.A0 * system.x).ok());
  ASSERT_TRUE(sequence.solve(A, A * system.x).ok());
  EXPECT_EQ(sequence.last().refactorization, Refactorization::cap);
  EXPECT_EQ(sequence.last().passes, 2);
  EXPECT_LT(largest(sequence.mu - system.x), 1e-11);  // eps_abs
}

// Unrelated matrices of any rank from 1 to 6 one after the other: every solve has to come out.
template <class T>
void expect_unrelated_systems_solved(const std::string& spec, int solves, double limit) {
  RandomNumbers random(6);
  Sequence<T> sequence(spec, 6);
  for (int k = 0; k < solves; ++k) {
    const Index rank = 1 + static_cast<Index>(2.99 * (1 + random.next()));
    const Matrix<T> A = gram(random_matrix<T>(6, rank, random));
    const Vector<T> b = A * random.vector<T>(6);
    const Status status = sequence.solve(A, b);
    ASSERT_TRUE(status.ok()) << k << ": " << status.cause;
    EXPECT_LT(largest(A * sequence.mu - b), limit) << k;
  }
}

TEST(Sr1, SurvivesUnrelatedSystems) { expect_unrelated_systems_solved<double>("sr1:eps_abs=1e-10", 500, 1e-9); }
TEST(Sr1, SurvivesUnrelatedSystemsWithMinimumNorm) {
  expect_unrelated_systems_solved<double>("sr1:eps_abs=1e-10,minimum_norm=true", 500, 1e-9);
}
#ifndef DAELAB_DOUBLE_ONLY
TEST(Sr1, SurvivesUnrelatedSystemsInFiftyDigits) {
  expect_unrelated_systems_solved<Real50>("sr1:eps_abs=1e-40,correction=1e-45", 20, 1e-39);
}
#endif

// --- the rowing boat -------------------------------------------------------------------------------------------------

struct Outcome {
  Status status;
  SolveStatistics solves;
};

// Past beta = pi, where with the printed prose's r_h = sqrt(2) r0 the range of A has turned by a right angle.
Outcome row(const std::string& problem, const std::string& solver) {
  const auto model = Registry<Problem>::instance().make(problem, "")->mechanical_model(As<double>{});
  const auto multipliers = multipliers_for<double>(*model, solver);
  const auto system = Registry<Formulation>::instance().make("baumgarte", "")->system(*model, *multipliers);
  State<double> state;
  for (Vector<double>* x : {&state.y, &state.ydot, &state.compensation}) x->setZero(system->size());
  state.y.head(5) = model->initial_q(), state.y.segment(5, 5) = model->initial_v();
  Status status = system->consistent_derivatives(state.t, state.y, state.ydot);
  const auto stepper = Registry<Method>::instance().make("runge-kutta", "")->stepper(*system, {});
  if (status.ok()) status = integrate<double>(*stepper, state, 3, 1.0 / 512, {});
  return {status, multipliers->statistics()};
}

TEST(RowingBoat, BothSolversPassTheGeometryOfTheData) {
  for (const char* solver : {"sr1-paper:eps_abs=1e-3", "sr1"}) {
    SCOPED_TRACE(solver);
    const Outcome outcome = row("rowing-boat", solver);
    EXPECT_TRUE(outcome.status.ok()) << outcome.status.cause;
    EXPECT_EQ(outcome.solves.smallest_rank, 4);
    EXPECT_EQ(outcome.solves.largest_rank, 4);
  }
}

TEST(RowingBoat, OnlyTheRobustSolverPassesTheRightAngle) {
  const std::string prose = "rowing-boat:handle_length=sqrt(2)/2";
  const Outcome printed = row(prose, "sr1-paper:eps_abs=1e-3"), robust = row(prose, "sr1");
  EXPECT_EQ(printed.status.code, StatusCode::not_converged) << printed.status.cause;
  EXPECT_TRUE(robust.status.ok()) << robust.status.cause;
  EXPECT_GT(robust.solves.refactorizations[static_cast<std::size_t>(Refactorization::turned_range)], 0);
}

}  // namespace TEST_FILE
}  // namespace daelab
