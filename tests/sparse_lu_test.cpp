// Sparse matrices against dense ones: assembled blocks, products, LU in every scalar, ranks of rows.
// Bounds of 1e-12 and less are round-off.
#include "core/solvers/sparse_lu.hpp"

#include "core/base/context.hpp"
#include "core/solvers/dense.hpp"
#include "core/solvers/generated_lu.hpp"
#include "core/solvers/sparse_rank.hpp"
#include "tests/numeric_support.hpp"
#include "tests/scalars.hpp"
#include "tests/sparse_support.hpp"

namespace daelab {
namespace TEST_FILE {

template <class S>
class SparseLuOf : public testing::Test {};
#ifdef DAELAB_DOUBLE_ONLY
using Fields = testing::Types<double, std::complex<double>>;
#else
using Fields = testing::Types<double, std::complex<double>, Real50, std::complex<Real50>>;
#endif
TYPED_TEST_SUITE(SparseLuOf, Fields);

template <class S>
S random_number(RandomNumbers& random) {
  if constexpr (requires {
                  typename S::value_type;
                  S().imag();
                })
    return S(typename S::value_type(random.next()), typename S::value_type(random.next()));
  else
    return S(random.next());
}

// [ A B^T ; B 0 ]: zeros on the diagonal, as mechanisms have them; several numbers on one pattern. The right-hand sides
// are A x for known x, so the error is that of the solution: at most 1e5 units of round-off by the conditions of the
// matrices.
TYPED_TEST(SparseLuOf, SolvesSaddlePointsOfOnePatternAgainAndAgain) {
  using S = TypeParam;
  using Real = typename Eigen::NumTraits<S>::Real;
  RandomNumbers random(3);
  for (const Index n : {5, 30, 90}) {
    const Index m = n / 3;
    SparseMatrix<S> A = random_matrix<S>(random, n, n, 3.0 / static_cast<double>(n), true);
    SparseMatrix<S> B = random_matrix<S>(random, m, n, 4.0 / static_cast<double>(n), true);
    BlockLu<S> sparse(n + m), dense(n + m);
    for (BlockLu<S>* lu : {&sparse, &dense}) {
      const DenseSizeScope forced(lu == &dense ? 1000 : 0);
      lu->add(A.pattern, 0, 0), lu->add(B.pattern, 0, n, true), lu->add(B.pattern, n, 0);
      lu->complete();
    }
    ASSERT_TRUE(sparse.is_sparse() && !dense.is_sparse());
    for (int numbers = 0; numbers < 5; ++numbers) {
      for (S& x : A.values) x = random_number<S>(random);
      for (S& x : B.values) x = random_number<S>(random);
      A.visit([&, k = Index(0)](Index i, Index j, const S&) mutable {
        if (i == j) A.values[k] += S(4);
        ++k;
      });
      Matrix<S> K = Matrix<S>::Zero(n + m, n + m);
      K.topLeftCorner(n, n) = dense_of(A), K.bottomLeftCorner(m, n) = dense_of(B);
      K.topRightCorner(n, m) = dense_of(B).transpose();
      Vector<S> x(n + m);
      for (S& entry : x) entry = random_number<S>(random);
      const Vector<S> b = K.lazyProduct(x);
      for (BlockLu<S>* lu : {&sparse, &dense}) {
        lu->clear();
        lu->accumulate(0, A), lu->accumulate(1, B), lu->accumulate(2, B);
        ASSERT_TRUE(lu->factorize().ok());
        Vector<S> solution = b;
        lu->solve(solution);
        EXPECT_LT(largest(solution - x), 1e5 * static_cast<double>(epsilon<Real>())) << n << ", numbers " << numbers;
      }
    }
  }
}

// The pivot of the first numbers is nothing in the second ones, and so the other way round: results return to the first
// sequence, corrections go on with the second one until it fails.
TYPED_TEST(SparseLuOf, ChoosesPivotsAnewWhereTheyBecomeSmall) {
  using S = TypeParam;
  const S small = S(1) / S(100000000), little = S(1) / S(1000);
  const auto pivotings = [&](SolutionUse use) {
    SparseLu<S> lu(SparsePattern::full(2, 2), use);
    std::vector<long> counts;
    const auto factorize = [&](const S& diagonal, const S& across, const S& last) {
      lu.values() << diagonal, across, across, last;
      EXPECT_TRUE(lu.factorize().ok());
      counts.push_back(lu.pivotings());
      const Vector<S> x{{S(1), S(3)}};
      Vector<S> b{{diagonal * x[0] + across * x[1], across * x[0] + last * x[1]}};
      lu.solve(b);
      EXPECT_LT(largest(b - x), 1e-14);
    };
    factorize(S(1), little, S(1));
    factorize(small, S(1), S(0));
    factorize(small, S(1), small);
    factorize(S(2), S(1), S(0));
    factorize(S(1), S(0), S(1));
    return counts;
  };
  EXPECT_EQ(pivotings(SolutionUse::result), (std::vector<long>{1, 2, 3, 3, 3}));
  EXPECT_EQ(pivotings(SolutionUse::correction), (std::vector<long>{1, 2, 2, 2, 3}));
}

// A pivot of 1e-4 beside 1: too small for results, not for corrections, which lose four digits by it; 1e-6 is for both.
TYPED_TEST(SparseLuOf, KeepsSmallerPivotsForCorrections) {
  using S = TypeParam;
  const auto pivotings = [](SolutionUse use, const S& pivot) {
    SparseLu<S> lu(SparsePattern::full(2, 2), use);
    lu.values() << S(1), S(1) / S(1000), S(1) / S(1000), S(1);
    EXPECT_TRUE(lu.factorize().ok());
    lu.values() << pivot, S(1), S(1), S(3);
    EXPECT_TRUE(lu.factorize().ok());
    const S det = S(3) * pivot - S(1);
    Vector<S> b(2);
    b << S(1), S(0);
    lu.solve(b);
    EXPECT_LT(largest(b - Vector<S>{{S(3) / det, S(-1) / det}}), 1e-11);
    return lu.pivotings();
  };
  const S small = S(1) / S(10000), tiny = S(1) / S(1000000);
  EXPECT_EQ(pivotings(SolutionUse::result, small), 2);
  EXPECT_EQ(pivotings(SolutionUse::correction, small), 1);
  EXPECT_EQ(pivotings(SolutionUse::correction, tiny), 2);
}

TYPED_TEST(SparseLuOf, TellsSingularFromNotFiniteAndRecovers) {
  using S = TypeParam;
  SparseLu<S> lu(SparsePattern::full(2, 2));
  lu.values() << S(1), S(2), S(2), S(4);
  EXPECT_EQ(lu.factorize().code, StatusCode::singular);
  lu.values() << S(1), S(std::numeric_limits<double>::quiet_NaN()), S(2), S(4);
  EXPECT_EQ(lu.factorize().code, StatusCode::non_finite);
  lu.values() << S(1), S(0), S(0), S(4);
  ASSERT_TRUE(lu.factorize().ok());
  lu.values() << S(1), S(std::numeric_limits<double>::infinity()), S(0), S(4);
  EXPECT_EQ(lu.factorize().code, StatusCode::non_finite);
  lu.values() << S(1), S(0), S(0), S(0);
  EXPECT_EQ(lu.factorize().code, StatusCode::singular);
  lu.values() << S(1), S(0), S(3), S(4);
  ASSERT_TRUE(lu.factorize().ok());
  Vector<S> b(2);
  b << S(7), S(8);
  lu.solve(b);
  EXPECT_LT(largest(b - Vector<S>{{S(1), S(2)}}), 1e-14);
}

// Rows and columns of sizes from 2^-100 to 2^100: unscaled, pivots of regular matrices seem to vanish. Every factor is
// a power of two, so the solutions differ by these alone. Of a singular one, two rows or two columns are parallel, but
// for round-off.
TYPED_TEST(SparseLuOf, TellsBadlyScaledFromSingular) {
  using S = TypeParam;
  using Real = typename Eigen::NumTraits<S>::Real;
  RandomNumbers random(5);
  for (const Index n : {3, 12, 60}) {
    SCOPED_TRACE(n);
    SparseMatrix<S> A = random_matrix<S>(random, n, n, 3.0 / static_cast<double>(n), true);
    const auto power = [&] { return Real(std::ldexp(1.0, static_cast<int>(30 * random.next()))); };
    SparseLu<S> lu(A.pattern);
    for (int numbers = 0; numbers < 20; ++numbers) {
      A.visit([&, k = Index(0)](Index i, Index j, const S&) mutable {
        A.values[k++] = random_number<S>(random) + S(i == j ? 4 : 0);
      });
      Vector<Real> rows(n), columns(n);
      for (Index i = 0; i < n; ++i) rows[i] = power(), columns[i] = power();
      Vector<S> x(n), b = Vector<S>::Zero(n);
      for (S& entry : x) entry = random_number<S>(random);
      A.visit([&, k = Index(0)](Index i, Index j, const S& value) mutable {
        b[i] += value * x[j] * rows[i];
        lu.values()[k++] = value * rows[i] * columns[j];
      });
      ASSERT_TRUE(lu.factorize().ok()) << "numbers " << numbers;
      lu.solve(b);
      for (Index j = 0; j < n; ++j) b[j] *= columns[j];
      EXPECT_LT(largest(b - x), std::sqrt(static_cast<double>(epsilon<Real>()))) << "numbers " << numbers;
    }
  }
  SparseLu<S> lu(SparsePattern::full(3, 3));
  for (int numbers = 0; numbers < 200; ++numbers) {
    Matrix<S> A = Matrix<S>::Ones(3, 3);  // numbers that round nothing: what is singular stays so
    const int i = numbers % 3, j = numbers / 3 % 3;
    A.row(i) *= S(std::ldexp(1.0, -60 + numbers % 5 * 30)), A.col(j) *= S(std::ldexp(1.0, 40 - numbers % 7 * 20));
    lu.values() = A.reshaped();
    EXPECT_EQ(lu.factorize().code, StatusCode::singular) << "numbers " << numbers;
  }
}

// What machine code and the loops make of the same numbers.
template <class S>
struct BothWays {
  explicit BothWays(const std::shared_ptr<const SparsePattern>& pattern)
      : size(pattern->columns), by_code(pattern), by_loops(pattern) {}

  void factorize(const Vector<S>& values) {
    by_code.values() = values, by_loops.values() = values;
    const Status code = by_code.factorize(), loops = by_loop_context([&] { return by_loops.factorize(); });
    EXPECT_EQ(code.code, loops.code);
    EXPECT_EQ(by_code.pivotings(), by_loops.pivotings());
    if (!code.ok() || !loops.ok()) return;
    Vector<S> b(size);
    for (Index i = 0; i < b.size(); ++i) b[i] = S(1) / S(static_cast<double>(i + 3));
    Vector<S> x = b, y = b;
    by_code.solve(x), by_loops.solve(y);
    EXPECT_EQ(x, y);  // to the last bit; 0 and -0 are the same
  }
  static auto by_loop_context(const auto& call) {
    const Context context{.evaluator = Evaluator::interpreter};
    const Context::Scope scope(context);
    return call();
  }

  Index size;
  SparseLu<S> by_code, by_loops;
};

template <class S>
bool has_code(SparseMatrix<S> A) {
  PivotSequence sequence;
  EXPECT_TRUE(Klu(*A.pattern).choose(A.values, sequence));
  const SequenceCode* shared = SequenceCode::of(sequence, A.pattern->entries(), !std::is_same_v<S, double>);
  return shared != nullptr && shared->at_hand() != nullptr;
}

using RealAndComplex = testing::Types<double, std::complex<double>>;
template <class S>
class GeneratedLuOf : public testing::Test {};
TYPED_TEST_SUITE(GeneratedLuOf, RealAndComplex);

// Some thirty numbers on each pattern; every fourth has a pivot that is nothing, a vanishing row, or no number.
TYPED_TEST(GeneratedLuOf, HasTheBitsOfTheLoops) {
  using S = TypeParam;
  if (const std::string refusal = machine_code_refusal(); !refusal.empty()) GTEST_SKIP() << refusal;
  RandomNumbers random(8);
  for (const Index n : {1, 2, 6, 13, 20, 80}) {
    SparseMatrix<S> A = random_matrix<S>(random, n, n, 2.5 / static_cast<double>(n), true);
    SparseLu<S> first(A.pattern);
    first.values() = A.values;
    ASSERT_TRUE(first.factorize().ok());
    Vector<S> b = Vector<S>::Ones(n), before = b;
    first.solve(before);
    for (int solution = 1; solution < 2000; ++solution) b.setOnes(), first.solve(b);
    ASSERT_EQ(b, before);
    ASSERT_TRUE(has_code(A)) << n;
    BothWays<S> both(A.pattern);
    for (int numbers = 0; numbers < 32; ++numbers) {
      SCOPED_TRACE(testing::Message() << n << " unknowns, numbers " << numbers);
      for (S& x : A.values) x = random_number<S>(random);
      S& entry = A.values[numbers % A.values.size()];
      if (numbers % 16 == 4) entry = S(1e-12);
      if (numbers % 16 == 8) A.values.setZero();
      if (numbers % 16 == 12) entry = S(std::numeric_limits<double>::quiet_NaN());
      if (numbers % 16 == 15) A.values *= S(1e-160);
      both.factorize(A.values);
    }
  }
}

// The order of the last pattern is kept on each thread.
TEST(Klu, OrdersEachPatternByItself) {
  const auto arrow_of = [](bool upwards) {  // a full row and column, the first or the last
    SparseAssembly arrow(5, 5);
    const Index tip = upwards ? 0 : 4;
    arrow.add(SparsePattern::diagonal(5), 0, 0);
    arrow.add(SparsePattern::full(5, 1), 0, tip), arrow.add(SparsePattern::full(1, 5), tip, 0);
    arrow.complete(false);
    return arrow.pattern();
  };
  const auto sequence_of = [](const SparsePattern& pattern) {
    Vector<double> values = Vector<double>::LinSpaced(pattern.entries(), 1, 3);
    PivotSequence sequence;
    EXPECT_TRUE(Klu(pattern).choose(values, sequence));
    return sequence;
  };
  const auto up = arrow_of(true), down = arrow_of(false);
  const PivotSequence first = sequence_of(*up), second = sequence_of(*down);
  EXPECT_EQ(first.columns.back(), 0) << "the full column comes last: no fill";
  EXPECT_EQ(second.columns.back(), 4);
  EXPECT_EQ(sequence_of(*up), first);
  EXPECT_EQ(sequence_of(*down), second);
}

TEST(GeneratedLu, IsOneForAllMatricesOfASequence) {
  if (const std::string refusal = machine_code_refusal(); !refusal.empty()) GTEST_SKIP() << refusal;
  const auto pattern = SparsePattern::full(3, 3);
  Vector<double> values{{4.0, 1.0, 0.5, 1.0, 5.0, 0.25, 0.5, 0.25, 6.0}};
  PivotSequence one, other;
  ASSERT_TRUE(Klu(*pattern).choose(values, one));
  ASSERT_TRUE(Klu(*pattern).choose(values, other));
  EXPECT_EQ(one, other);
  SequenceCode* const shared = SequenceCode::of(one, 9, false);
  ASSERT_NE(shared, nullptr);
  EXPECT_EQ(SequenceCode::of(other, 9, false), shared);
  EXPECT_NE(SequenceCode::of(one, 9, true), shared) << "real ones say nothing of complex ones";
  for (int solution = 1; solution < 400; ++solution) ASSERT_EQ(shared->after_a_solution(), nullptr) << solution;
  EXPECT_EQ(shared->at_hand(), nullptr) << "it is not worth its time yet";
  const GeneratedLu* const code = shared->after_a_solution();
  ASSERT_NE(code, nullptr);
  EXPECT_EQ(shared->at_hand(), code);
  EXPECT_EQ(shared->after_a_solution(), code);
  const Context context{.evaluator = Evaluator::interpreter};
  const Context::Scope scope(context);
  EXPECT_EQ(SequenceCode::of(one, 9, false), nullptr);
}

TEST(GeneratedLu, IsOfTheSequenceInUse) {
  const Index n = 5;
  SparseLu<double> lu(SparsePattern::full(n, n), SolutionUse::correction);
  const auto solves = [&](Index shift) {  // of a matrix whose pivots are `shift` rows below the diagonal
    Matrix<double> A = Matrix<double>::Constant(n, n, 1e-7);
    for (Index j = 0; j < n; ++j) A((j + shift) % n, j) = 3 + static_cast<double>(j);
    lu.values() = A.reshaped();
    ASSERT_TRUE(lu.factorize().ok());
    const Vector<double> x = Vector<double>::LinSpaced(n, 1, 2);
    for (int solution = 0; solution < 50; ++solution) {
      Vector<double> b = A * x;
      lu.solve(b);
      ASSERT_LT(largest(b - x), 1e-12) << shift;
    }
  };
  for (const Index shift : {0, 1, 0, 2, 3, 1, 4}) {
    const long before = lu.pivotings();
    for (int matrix = 0; matrix < 20; ++matrix) solves(shift);
    EXPECT_EQ(lu.pivotings(), before + 1);
  }
}

TEST(BlockLu, IsDenseWhereAFullMatrixIsLarge) {
  const auto is_sparse = [](auto number, Index size, const std::shared_ptr<const SparsePattern>& pattern) {
    BlockLu<decltype(number)> lu(size);
    lu.add(pattern, 0, 0);
    lu.complete();
    return lu.is_sparse();
  };
  EXPECT_TRUE(is_sparse(1.0, 32, SparsePattern::full(32, 32)));
  EXPECT_FALSE(is_sparse(1.0, 33, SparsePattern::full(33, 33)));
  EXPECT_TRUE(is_sparse(1.0, 33, SparsePattern::diagonal(33)));
  EXPECT_TRUE(is_sparse(std::complex<double>(), 100, SparsePattern::full(100, 100)));
  EXPECT_FALSE(is_sparse(std::complex<double>(), 101, SparsePattern::full(101, 101)));
}

// A column without entries: structurally singular.
TEST(SparseLu, ReportsAStructurallySingularMatrix) {
  auto pattern = std::make_shared<SparsePattern>();
  pattern->rows = pattern->columns = 2, pattern->start = {0, 2, 2}, pattern->row = {0, 1};
  SparseLu<double> lu(pattern);
  lu.values() << 1, 2;
  EXPECT_EQ(lu.factorize().code, StatusCode::singular);
  EXPECT_EQ(lu.factorize().code, StatusCode::singular);
}

// Triangular up to a permutation: blocks of size one, and what is above them.
TEST(SparseLu, SolvesReducibleMatrices) {
  RandomNumbers random(11);
  const Index n = 40;
  SparseMatrix<double> A = random_matrix<double>(random, n, n, 0.2, true);
  A.visit([&, k = Index(0)](Index i, Index j, double) mutable {
    A.values[k] = i > j && i / 4 != j / 4 ? 0 : (i == j ? 5 : A.values[k]);
    ++k;
  });
  auto pattern = std::make_shared<SparsePattern>();
  pattern->rows = pattern->columns = n;
  std::vector<double> values;
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < n; ++i)
      if (const double x = dense_of(A)((i * 7) % n, (j * 3) % n); x != 0) {
        pattern->row.push_back(static_cast<int>(i));
        values.push_back(x);
      }
    pattern->start.push_back(static_cast<int>(pattern->row.size()));
  }
  SparseLu<double> lu(pattern);
  lu.values() = Eigen::Map<Vector<double>>(values.data(), static_cast<Index>(values.size()));
  SparseMatrix<double> permuted;
  permuted.take(pattern);
  permuted.values = lu.values();
  const Vector<double> x = random.vector<double>(n);
  Vector<double> b = dense_of(permuted) * x;
  ASSERT_TRUE(lu.factorize().ok());
  lu.solve(b);
  EXPECT_LT(largest(b - x), 1e-13);
}

}  // namespace TEST_FILE
}  // namespace daelab
