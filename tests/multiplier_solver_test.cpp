// Multiplier solvers: all of them on systems of full rank, the ones for redundant constraints on systems of lower
// rank, and what each says about systems it cannot solve.
// Bounds of 1e-11 and less are round-off.
#include "core/solvers/multiplier_solver.hpp"
#include "core/solvers/dense.hpp"

#include <gmock/gmock.h>

#include "tests/numeric_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;

template <class T>
std::unique_ptr<Multipliers<T>> bind(const std::string& spec, Index coordinates, Index constraints) {
  return Registry<MultiplierSolver>::instance().make(spec, "")->bind(As<T>{}, coordinates, constraints);
}

bool for_redundant_constraints(const std::string& name) {
  return Registry<MultiplierSolver>::instance().make(name, "")->facts().redundant_constraints;
}

const std::vector<std::string> of_least_norm{"complete-orthogonal", "svd", "sr1:minimum_norm=true"};

// Conjugate gradients come as near as they are told to, and never learn the rank.
template <class T>
std::string to_round_off(const std::string& name) {
  if (name != "conjugate-gradients") return name;
  return name + (std::is_same_v<T, double> ? ":eps_abs=1e-12" : ":eps_abs=1e-46");
}

// M a + G^T mu = f, G a + h = 0 with G of the rank given and h such that some a meets it.
template <class T>
struct RandomSystem {
  Matrix<T> M, G;
  Vector<T> f, h;

  RandomSystem(Index n, Index m, Index rank, unsigned seed) {
    RandomNumbers random(seed);
    const auto matrix = [&](Index rows, Index columns) {
      Matrix<T> X(rows, columns);
      for (Index j = 0; j < columns; ++j) X.col(j) = random.vector<T>(rows);
      return X;
    };
    const Matrix<T> X = matrix(n, n), left = matrix(m, rank), right = matrix(rank, n);
    M = X.lazyProduct(X.transpose()) + Matrix<T>::Identity(n, n);
    G = left.lazyProduct(right);
    f = random.vector<T>(n);
    h = -G.lazyProduct(random.vector<T>(n));
  }
};

template <class T>
struct Solution {
  Status status;
  SolveReport report;
  Vector<T> a, mu;
};

template <class T>
Solution<T> solve(const std::string& spec, const Matrix<T>& M, const Matrix<T>& G, const Vector<T>& f,
                  const Vector<T>& h) {
  Solution<T> s;
  s.a.setZero(M.rows()), s.mu.setZero(G.rows());
  const auto multipliers = bind<T>(spec, M.rows(), G.rows());
  s.status = multipliers->solve({M, false, G, f, h}, s.a, s.mu);
  s.report = multipliers->last();
  return s;
}

template <class T>
Solution<T> solve(const std::string& spec, const RandomSystem<T>& s) {
  return solve<T>(spec, s.M, s.G, s.f, s.h);
}

// Conditions of A stay below 1e5 for these seeds.
template <class T>
void expect_agreement_on_full_rank() {
  const double limit = 1e5 * static_cast<double>(epsilon<T>());
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const RandomSystem<T> system(6, 4, 4, seed);
    const Solution<T> expected = solve("kkt-lu", system);
    ASSERT_TRUE(expected.status.ok()) << expected.status.cause;
    EXPECT_LT(largest(system.M * expected.a + system.G.transpose() * expected.mu - system.f), limit);
    EXPECT_LT(largest(system.G * expected.a + system.h), limit);
    for (const std::string& name : Registry<MultiplierSolver>::instance().names()) {
      SCOPED_TRACE(testing::Message() << name << ", seed " << seed);
      const Solution<T> s = solve(to_round_off<T>(name), system);
      ASSERT_TRUE(s.status.ok()) << s.status.cause;
      EXPECT_LT(largest(s.a - expected.a), limit * (1 + largest(expected.a)));
      EXPECT_LT(largest(s.mu - expected.mu), limit * (1 + largest(expected.mu)));
      EXPECT_EQ(s.report.rank, 4);
      EXPECT_EQ(s.report.outcome, SolveOutcome::converged);
      EXPECT_LT(s.report.residual, limit);
      EXPECT_GT(s.report.flops, 0);
    }
  }
}

TEST(MultiplierSolvers, AgreeOnFullRankInDouble) { expect_agreement_on_full_rank<double>(); }
#ifndef DAELAB_DOUBLE_ONLY
TEST(MultiplierSolvers, AgreeOnFullRankInFiftyDigits) { expect_agreement_on_full_rank<Real50>(); }
#endif

// Six constraints of rank four, as in the boat: accelerations and G^T mu are unique, mu is not.
template <class T>
void expect_agreement_on_lower_rank() {
  const double limit = 1e5 * static_cast<double>(epsilon<T>());
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const RandomSystem<T> system(5, 6, 4, seed);
    const Solution<T> expected = solve("complete-orthogonal", system);
    const Vector<T> reaction = system.G.transpose().lazyProduct(expected.mu);
    for (const std::string& name : Registry<MultiplierSolver>::instance().names()) {
      if (!for_redundant_constraints(name)) continue;
      SCOPED_TRACE(testing::Message() << name << ", seed " << seed);
      const Solution<T> s = solve(to_round_off<T>(name), system);
      ASSERT_TRUE(s.status.ok()) << s.status.cause;
      EXPECT_EQ(s.report.rank, name == "conjugate-gradients" ? 6 : 4);
      EXPECT_LT(s.report.residual, limit);
      EXPECT_LT(largest(system.G * s.a + system.h), limit);
      EXPECT_LT(largest(s.a - expected.a), limit * (1 + largest(expected.a)));
      EXPECT_LT(largest(system.G.transpose() * s.mu - reaction), limit * (1 + largest(reaction)));
    }
  }
}

TEST(MultiplierSolvers, AgreeOnTheReactionOfRedundantConstraintsInDouble) { expect_agreement_on_lower_rank<double>(); }
#ifndef DAELAB_DOUBLE_ONLY
TEST(MultiplierSolvers, AgreeOnTheReactionOfRedundantConstraintsInFiftyDigits) {
  expect_agreement_on_lower_rank<Real50>();
}
#endif

// The least norm has no part in the null space of G^T; a basic solution has one, and is longer.
TEST(MultiplierSolvers, LeastNormHasNoPartInTheNullSpace) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const RandomSystem<double> system(5, 6, 4, seed);
    // Of G^T, as the eigenvectors of G G^T: (6, 6) of rank 4.
    const dense::SymmetricEigenpairs squares = dense::symmetric_eigenpairs(system.G * system.G.transpose());
    const Matrix<double> null_space = squares.vectors.leftCols(2);
    ASSERT_LT(squares.values[1], 1e-12 * squares.values[2]);
    const Vector<double> basic = solve("pivoted-cholesky", system).mu;
    EXPECT_GT(largest(null_space.transpose() * basic), 1e-3);  // basic solutions have a part there: measured 0.35
    for (const std::string& spec : of_least_norm) {
      SCOPED_TRACE(testing::Message() << spec << ", seed " << seed);
      const Vector<double> mu = solve(spec, system).mu;
      EXPECT_LT(largest(null_space.transpose() * mu), 1e-11 * mu.norm());
      EXPECT_LT(mu.norm(), basic.norm());
    }
  }
}

TEST(MultiplierSolvers, RankKnownInAdvanceReplacesTheTolerance) {
  const Matrix<double> M = Matrix<double>::Identity(2, 2), G{{1, 0}, {1, 1e-2}};
  const Vector<double> f{{1, 0}}, h{{0, 0}};  // the second row adds 1e-4 to A
  for (const char* name : {"pivoted-cholesky", "complete-orthogonal", "svd", "sr1"}) {
    SCOPED_TRACE(name);
    EXPECT_EQ(solve<double>(name, M, G, f, h).report.rank, 2);
    EXPECT_EQ(solve<double>(std::string(name) + ":rank=1", M, G, f, h).report.rank, 1);
    EXPECT_EQ(solve<double>(std::string(name) + ":tolerance=1e-2", M, G, f, h).report.rank, 1);
  }
}

// a_1 = 0 and a_1 = -1 at once: b = (0, 1): half of it stays whatever mu does, |A mu - b| = sqrt(1/2).
TEST(MultiplierSolvers, ContradictingConstraintsAreInconsistent) {
  const Matrix<double> M = Matrix<double>::Identity(2, 2), G{{1, 0}, {1, 0}};
  const Vector<double> f{{0, 3}}, h{{0, 1}};
  for (const char* name : {"pivoted-cholesky", "complete-orthogonal", "svd", "sr1", "sr1-line-search", "bfgs", "dfp"}) {
    SCOPED_TRACE(name);
    const Solution<double> s = solve<double>(name, M, G, f, h);
    EXPECT_EQ(s.status.code, StatusCode::inconsistent);
    if (std::string(name) == "pivoted-cholesky") continue;  // no least-squares solution: |A mu - b| = 1
    EXPECT_THAT(s.status.cause, AllOf(HasSubstr("contradict"), HasSubstr("= 7.1e-01"), HasSubstr("|b| = 1.0e+00")));
  }
  const Solution<double> printed = solve<double>("sr1-paper", M, G, f, h);
  EXPECT_EQ(printed.status.code, StatusCode::not_converged);
  EXPECT_THAT(printed.status.cause, HasSubstr("residual floor 7.1e-01 reached"));
}

TEST(MultiplierSolvers, DependentRowsAreSingularForIndependentConstraints) {
  const Matrix<double> M = Matrix<double>::Identity(3, 3), G{{1, 2, 0}, {1, 2, 0}};
  const Vector<double> f{{1, 1, 1}}, h{{0, 0}};
  EXPECT_THAT(solve<double>("schur-cholesky", M, G, f, h).status.cause, HasSubstr("dependent"));
  const Solution<double> kkt = solve<double>("kkt-lu", M, G, f, h);
  EXPECT_EQ(kkt.status.code, StatusCode::singular);
  EXPECT_THAT(kkt.status.cause, HasSubstr("dependent constraints"));
}

TEST(MultiplierSolvers, NonFiniteForcesAreRecorded) {
  const Matrix<double> M = Matrix<double>::Identity(3, 3), G{{1, 2, 0}, {1, 2, 0}};
  const Vector<double> f{{std::nan(""), 1, 1}}, h{{0, 0}};
  for (const char* name : {"pivoted-cholesky", "complete-orthogonal", "svd", "sr1", "sr1-paper", "sr1-line-search",
                           "bfgs", "dfp", "conjugate-gradients"}) {
    SCOPED_TRACE(name);
    const Solution<double> s = solve<double>(name, M, G, f, h);
    EXPECT_EQ(s.status.code, StatusCode::non_finite) << s.status.cause;
  }
}

// A massless coordinate that a constraint prescribes: only the saddle-point matrix as a whole is regular.
TEST(MultiplierSolvers, MasslessCoordinateNeedsTheWholeMatrix) {
  const Matrix<double> M{{2, 0}, {0, 0}}, G{{0, 1}};
  const Vector<double> f{{3, 5}}, h{{-7}};
  for (const std::string& name : Registry<MultiplierSolver>::instance().names()) {
    SCOPED_TRACE(name);
    const Solution<double> s = solve<double>(name, M, G, f, h);
    if (name == "kkt-lu" || name == "sparse-lu") {
      ASSERT_TRUE(s.status.ok()) << s.status.cause;
      EXPECT_LT(largest(s.a - Vector<double>{{1.5, 7}}) + largest(s.mu - Vector<double>{{5}}), 1e-15);
    } else {
      EXPECT_EQ(s.status.code, StatusCode::singular);
      EXPECT_THAT(s.status.cause, HasSubstr("mass matrix"));
    }
  }
  const Matrix<double> other{{1, 0}};  // leaves the massless coordinate free
  EXPECT_THAT(solve<double>("kkt-lu", M, other, f, h).status.cause, HasSubstr("singular on the motions they allow"));
}

TEST(MultiplierSolvers, WithoutConstraintsOnlyTheMassIsSolvedFor) {
  const Matrix<double> M{{2, 0}, {0, 4}}, G(0, 2);
  for (const std::string& name : Registry<MultiplierSolver>::instance().names()) {
    const Solution<double> s = solve<double>(name, M, G, Vector<double>{{2, 2}}, Vector<double>(0));
    ASSERT_TRUE(s.status.ok()) << name << ": " << s.status.cause;
    EXPECT_LT(largest(s.a - Vector<double>{{1, 0.5}}), 1e-15) << name;
  }
}

TEST(MultiplierSolvers, NoMultiplierMatrixForKktLu) {
  const Matrix<double> A = Matrix<double>::Identity(1, 1);
  Vector<double> b = Vector<double>::Ones(1), mu(1);
  EXPECT_EQ(bind<double>("kkt-lu", 1, 1)->solve(A, b, mu).code, StatusCode::not_applicable);
}

TEST(MultiplierSolvers, OptionsOutOfRangeAreInputErrors) {
  for (const char* spec : {"svd:tolerance=0",
                           "svd:tolerance=2",
                           "complete-orthogonal:inconsistency=-1",
                           "pivoted-cholesky:rank=0",
                           "sr1-paper:eps_abs=0",
                           "sr1-paper:max_passes=0",
                           "sr1-paper:skip=sometimes",
                           "sr1:eps_abs=-1e-7",
                           "sr1:curvature=0",
                           "sr1:curvature=2",
                           "sr1:correction=0",
                           "sr1:turned_range=0",
                           "sr1:max_passes=0",
                           "sr1:minimum_norm=1",
                           "sr1:skip=eps-abs",
                           "bfgs:curvature=2",
                           "dfp:max_passes=0",
                           "sr1-line-search:eps_abs=0",
                           "conjugate-gradients:eps_abs=0",
                           "conjugate-gradients:rank=3",
                           "kkt-lu:tolerance=1e-8",
                           "written-out:fallback=sr1",
                           "sr2"})
    EXPECT_THROW(Registry<MultiplierSolver>::instance().make(spec, "/multiplier_solver"), InputError) << spec;
}

TEST(MultiplierSolvers, StatisticsAddTheReportsUp) {
  const RandomSystem<double> system(5, 6, 4, 1);
  const auto multipliers = bind<double>("sr1-paper", 5, 6);
  Vector<double> a(5), mu(6);
  double flops = 0;
  for (double factor : {1.0, 1.1, 1.1}) {  // A changes by a factor once: one pass, as it is one direction
    const Matrix<double> M = system.M / factor;
    ASSERT_TRUE(multipliers->solve({M, false, system.G, system.f, system.h}, a, mu).ok());
    flops += multipliers->last().flops;
  }
  const SolveStatistics& all = multipliers->statistics();
  EXPECT_EQ(all.solves, 3);
  EXPECT_EQ(all.passes, 1);
  EXPECT_EQ(all.histogram[0], 2);
  EXPECT_EQ(all.histogram[1], 1);
  EXPECT_EQ(all.refactorizations[static_cast<std::size_t>(Refactorization::first)], 1);
  EXPECT_EQ(all.smallest_rank, 4);
  EXPECT_EQ(all.largest_rank, 4);
  EXPECT_EQ(all.flops, flops);
}

}  // namespace TEST_FILE
}  // namespace daelab
