// Multiplier solvers with exact line search, and conjugate gradients: passes and work beside the iteration with unit
// steps, restarts, floors, and what they say of systems they cannot solve.
//
// [Iv23] Ivanov, Vestnik Permskogo Universiteta, Matematika Mekhanika Informatika 1(60), 2023, 30-46.
#include <gmock/gmock.h>

#include "analysis/classical_sr1.hpp"
#include "core/solvers/dense.hpp"
#include "tests/input_error_support.hpp"
#include "tests/perturbed_systems.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

const std::vector<std::string> metrics{"sr1-line-search", "bfgs", "dfp"};
const Matrix<double> identity = Matrix<double>::Identity(2, 2);

// r1 + 1 steps, r1 passes, as in (11); the same for all updates, which take the steps of
// conjugate gradients preconditioned by H_0.
template <class T>
void expect_as_many_passes_as_rank(const std::string& options) {
  for (const std::string& name : metrics)
    for (Index k = 1; k <= 4; ++k)
      for (int sign : {1, -1}) {
        SCOPED_TRACE(testing::Message() << name << ", rank " << k << ", sign " << sign);
        const PerturbedSystem<T> system(7, 5, k, 10 + static_cast<unsigned>(k));
        const Matrix<T> A = system.A0 + T(sign) * system.F;
        const Vector<T> b = A * system.x;
        Sequence<T> sequence(name + options, 7);
        ASSERT_TRUE(sequence.solve(system.A0, Vector<T>(system.A0 * system.x)).ok());
        EXPECT_EQ(sequence.last().passes, 0);
        EXPECT_EQ(sequence.last().refactorization, Refactorization::first);
        ASSERT_TRUE(sequence.solve(A, b).ok());
        EXPECT_EQ(sequence.last().passes, k);
        EXPECT_EQ(sequence.last().rank, 5);
        EXPECT_LT(largest(sequence.mu - system.x), 1e-9);  // eps_abs times the condition
        ASSERT_TRUE(sequence.solve(A, b).ok());
        if (name == "sr1-line-search") {
          EXPECT_EQ(sequence.last().passes, 0) << "H is exact after k updates";
        }
      }
}
TEST(VariableMetric, TakesAsManyPassesAsThePerturbationHasRank) {
  expect_as_many_passes_as_rank<double>(":eps_abs=1e-11");
}
#ifndef DAELAB_DOUBLE_ONLY
TEST(VariableMetric, TakesAsManyPassesAsThePerturbationHasRankInFiftyDigits) {
  expect_as_many_passes_as_rank<Real50>(":eps_abs=1e-40,correction=1e-45");
}
#endif

// The price of fewer products, [Iv23, section 2]: where the perturbation has the rank of A, (11) takes one pass more.
// Steps are those of analysis/classical_sr1.hpp.
TEST(VariableMetric, TakesOnePassLessWhereThePerturbationHasFullRank) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const PerturbedSystem<double> system(5, 5, 5, seed);
    const Matrix<double> A = system.A0 + system.F;
    const Vector<double> b0 = system.A0 * system.x, b = A * system.x;
    const auto passes = [&](const std::string& name) {
      Sequence<double> sequence(name + ":eps_abs=1e-11", 5);
      EXPECT_TRUE(sequence.solve(system.A0, b0).ok());
      EXPECT_TRUE(sequence.solve(A, b).ok());
      return sequence.last().passes;
    };
    EXPECT_EQ(passes("sr1-paper"), 5);
    for (const std::string& name : metrics) EXPECT_EQ(passes(name), 4) << name;
  }
}

// Three products of n^2 a pass and 2 n^2 for the update, where (11) makes two and n^2.
TEST(VariableMetric, CountsItsWork) {
  for (const Index n : {6, 60}) {
    const PerturbedSystem<double> system(n, 4, 2, 3);
    const Matrix<double> A = system.A0 + system.F;
    const Vector<double> b0 = system.A0 * system.x, b = A * system.x;
    const auto flops = [&](const std::string& name) {
      Sequence<double> sequence(name + ":eps_abs=1e-10", n);
      EXPECT_TRUE(sequence.solve(system.A0, b0).ok());
      EXPECT_TRUE(sequence.solve(A, b).ok());
      EXPECT_EQ(sequence.last().passes, 2) << name;
      return sequence.last().flops / static_cast<double>(n * n);
    };
    const double paper = flops("sr1-paper"), classical = flops("sr1-line-search");
    if (n == 6) continue;
    EXPECT_NEAR(paper, 4 + 2 * 5, 0.6);  // terms of order n, a tenth of n^2
    EXPECT_NEAR(classical, 4 + 2 * (3 * 2 + 2), 0.9);
  }
}

// ---------------------------------------------------------------- variants of SR1

const std::vector<std::string> variants{"restarted", "switched"};
std::string variant(const std::string& name, const std::string& options) {
  return "sr1-line-search:variant=" + name + "," + options;
}

// Positive definite updates are left alone: the passes and the H of the plain method, for perturbations that are
// definite.
TEST(Sr1Variants, LeaveDefiniteUpdatesAlone) {
  for (int sign : {1, -1})
    for (Index k = 1; k <= 4; ++k) {
      const PerturbedSystem<double> system(7, 5, k, 10 + static_cast<unsigned>(k));
      const Matrix<double> A = system.A0 + sign * system.F;
      const Vector<double> b = A * system.x;
      for (const std::string& name : variants) {
        SCOPED_TRACE(testing::Message() << name << ", rank " << k << ", sign " << sign);
        Sequence<double> sequence(variant(name, "eps_abs=1e-11"), 7);
        ASSERT_TRUE(sequence.solve(system.A0, Vector<double>(system.A0 * system.x)).ok());
        ASSERT_TRUE(sequence.solve(A, b).ok());
        EXPECT_LT(largest(sequence.mu - system.x), 1e-9);
        EXPECT_EQ(sequence.last().refactorization, Refactorization::none);
        EXPECT_EQ(sequence.last().passes, k);
        ASSERT_TRUE(sequence.solve(A, b).ok());
        EXPECT_EQ(sequence.last().passes, 0) << "H is exact";
      }
    }
}

// diag(1, 1) changes to one with eigenvalues on both sides of 1: the first plain update has a negative denominator and
// alpha above 1, so that H is indefinite afterwards, and the solve ends by a factorisation; the variants need none.
// After them H is positive definite: the next solve of any system goes downhill.
TEST(Sr1Variants, StayPositiveDefiniteWhereThePlainUpdateDoesNot) {
  int plain_fails = 0;
  RandomNumbers random(4);
  std::vector<Matrix<double>> matrices;
  for (int i = 0; i < 60; ++i) {
    const Matrix<double> U = orthonormal_columns(random_matrix<double>(5, 5, random));
    Matrix<double> scaled = U;
    for (Index j = 0; j < 5; ++j) scaled.col(j) *= std::exp2(3 * random.next());
    matrices.push_back(scaled.lazyProduct(U.transpose()));
  }
  const auto factorisations = [&](const std::string& spec) {
    Sequence<double> sequence(spec, 5);
    RandomNumbers sides(9);
    int count = 0;
    for (const Matrix<double>& A : matrices) {
      const Vector<double> b = A * sides.vector<double>(5);
      EXPECT_TRUE(sequence.solve(A, b).ok()) << spec;
      EXPECT_LT(largest(A * sequence.mu - b), 1e-8) << spec;
      count += sequence.last().refactorization != Refactorization::none;
    }
    return count;
  };
  plain_fails = factorisations("sr1-line-search:eps_abs=1e-9,max_passes=60");
  EXPECT_GT(plain_fails, 1);
  for (const std::string& name : variants)
    EXPECT_EQ(factorisations(variant(name, "eps_abs=1e-9,max_passes=60")), 1) << name << ": the first one";
}

// delta of [LH09] keeps the update of delta 1 definite, for every pair with s^T y > 0; the matrix that remains maps y
// to s.
TEST(Sr1Variants, ScaleTheIdentityBelowTheBoundOfDefiniteness) {
  RandomNumbers random(2);
  for (int i = 0; i < 200; ++i) {
    const Vector<double> s = random.vector<double>(4), y = gram(random_matrix<double>(4, 4, random)) * s;
    const double a = s.squaredNorm() / s.dot(y), delta = a - std::sqrt(a * a - s.squaredNorm() / y.squaredNorm());
    const Vector<double> w = s - delta * y;
    const Matrix<double> H = delta * Matrix<double>::Identity(4, 4) + w * w.transpose() / w.dot(y);
    EXPECT_GT(w.dot(y), 0);
    EXPECT_GT(dense::symmetric_eigenvalues(H).minCoeff(), 0);
    EXPECT_LT(largest(H * y - s), 1e-9 * (1 + largest(s)));
  }
}

TEST(Sr1Variants, AreNamedInErrors) {
  EXPECT_THAT(input_error_of([] { Sequence<double>("sr1-line-search:variant=restart", 2); }),
              testing::AllOf(HasSubstr("variant"), HasSubstr("restarted")));
  EXPECT_THAT(input_error_of([] { Sequence<double>("bfgs:variant=switched", 2); }), HasSubstr("variant"));
}

// A null vector that turns leaves a part of b outside the range of H: a restart finds the new range.
TEST(VariableMetric, RestartsWhereTheRangeHasChanged) {
  const Matrix<double> two{{2, 0, 0}, {0, 1, 0}, {0, 0, 0}}, three{{2, 0, 0}, {0, 1, 0}, {0, 0, 3}};
  for (const std::string& name : metrics) {
    Sequence<double> sequence(name + ":eps_abs=1e-12", 3);
    ASSERT_TRUE(sequence.solve(two, Vector<double>{{1, 1, 0}}).ok());
    ASSERT_TRUE(sequence.solve(three, Vector<double>{{1, 1, 1}}).ok());
    EXPECT_EQ(sequence.last().refactorization, Refactorization::out_of_range) << name;
    EXPECT_EQ(sequence.last().rank, 3);
    EXPECT_LT(largest(sequence.mu - Vector<double>{{0.5, 1, 1.0 / 3}}), 1e-14) << name;  // round-off
  }
}

TEST(VariableMetric, RestartsAtTheLimitOfPasses) {
  const PerturbedSystem<double> system(7, 5, 4, 14);
  const Matrix<double> A = system.A0 + system.F;
  for (const std::string& name : metrics) {
    Sequence<double> sequence(name + ":eps_abs=1e-11,max_passes=2", 7);
    ASSERT_TRUE(sequence.solve(system.A0, Vector<double>(system.A0 * system.x)).ok());
    ASSERT_TRUE(sequence.solve(A, Vector<double>(A * system.x)).ok());
    EXPECT_EQ(sequence.last().refactorization, Refactorization::cap) << name;
    EXPECT_LT(largest(sequence.mu - system.x), 1e-10) << name;  // eps_abs
  }
}

// Unrelated matrices of any rank from 1 to 6 one after the other: every solve has to come out. Bound: ten times
// eps_abs.
TEST(VariableMetric, SurvivesUnrelatedSystems) {
  for (const std::string& name : metrics) {
    RandomNumbers random(6);
    Sequence<double> sequence(name + ":eps_abs=1e-10", 6);
    for (int k = 0; k < 300; ++k) {
      const Index rank = 1 + static_cast<Index>(2.99 * (1 + random.next()));
      const Matrix<double> A = gram(random_matrix<double>(6, rank, random));
      const Vector<double> b = A * random.vector<double>(6);
      const Status status = sequence.solve(A, b);
      ASSERT_TRUE(status.ok()) << name << ", " << k << ": " << status.cause;
      EXPECT_LT(largest(A * sequence.mu - b), 1e-9) << name << ", " << k;
    }
  }
}

TEST(VariableMetric, ReportsTheFloorAndGoesOn) {
  const Matrix<double> A0{{2, 0, 0}, {0, 1, 0}, {0, 0, 0}}, A{{2.1, 0.01, 0}, {0.01, 1.2, 0}, {0, 0, 0}};
  const Vector<double> b{{1, 1, 4.1e-6}};
  for (const std::string& name : metrics) {
    Sequence<double> sequence(name + ":eps_abs=1e-8", 3);
    ASSERT_TRUE(sequence.solve(A0, b).ok());
    EXPECT_EQ(sequence.last().outcome, SolveOutcome::floor) << name;
    ASSERT_TRUE(sequence.solve(A, b).ok());
    EXPECT_EQ(sequence.last().outcome, SolveOutcome::floor) << name;
    EXPECT_NEAR(sequence.last().residual, 4.1e-6, 1e-13) << name;  // exact, to round-off
  }
}

TEST(LineSearchSolvers, EntriesThatAreNotFiniteEndTheSolve) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const char* name : {"sr1-line-search", "bfgs", "dfp", "conjugate-gradients"}) {
    Sequence<double> sequence(name, 2);
    ASSERT_TRUE(sequence.solve(identity, Vector<double>{{1, 0}}).ok());
    EXPECT_EQ(sequence.solve(identity, Vector<double>{{nan, 0}}).code, StatusCode::non_finite) << name;
  }
}

// As many passes as A has eigenvalues on its range, one product each, and none for the same system again.
TEST(ConjugateGradients, TakeAsManyPassesAsThereAreEigenvalues) {
  const PerturbedSystem<double> system(7, 5, 1, 3);
  const Vector<double> b = system.A0 * system.x;
  Sequence<double> sequence("conjugate-gradients:eps_abs=1e-11", 7);
  ASSERT_TRUE(sequence.solve(system.A0, b).ok());
  EXPECT_EQ(sequence.last().passes, 5);
  EXPECT_LT(largest(sequence.mu - system.x), 1e-10);  // eps_abs
  ASSERT_TRUE(sequence.solve(system.A0, b).ok());
  EXPECT_EQ(sequence.last().passes, 0);
  const Matrix<double> A = system.A0 + system.F;
  ASSERT_TRUE(sequence.solve(A, Vector<double>(A * system.x)).ok());
  EXPECT_LE(sequence.last().passes, 1) << "the solution has not changed";
}

TEST(ConjugateGradients, SayThatConstraintsContradictEachOther) {
  const Matrix<double> A{{1, 1}, {1, 1}};
  Sequence<double> sequence("conjugate-gradients", 2);
  const Status status = sequence.solve(A, Vector<double>{{0, 1}});
  EXPECT_EQ(status.code, StatusCode::not_converged);
  EXPECT_THAT(status.cause, HasSubstr("the constraints contradict each other"));
  ASSERT_TRUE(sequence.solve(A, Vector<double>{{1, 1}}).ok());  // from zero again
  EXPECT_LT(largest(sequence.mu - Vector<double>{{0.5, 0.5}}), 1e-15);
}

}  // namespace TEST_FILE
}  // namespace daelab
