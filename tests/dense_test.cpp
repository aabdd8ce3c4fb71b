// Each decomposition against what defines it, on matrices with random entries; then what callers rely on where a matrix
// is singular or not finite.
#include "core/solvers/dense.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "core/solvers/rank_revealing.hpp"
#include "tests/numeric_support.hpp"

namespace daelab {
namespace TEST_FILE {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class T>
Matrix<T> random_matrix(Index rows, Index columns, unsigned seed) {
  RandomNumbers random(seed);
  Matrix<T> X(rows, columns);
  for (Index j = 0; j < columns; ++j) X.col(j) = random.vector<T>(rows);
  return X;
}

template <class T>
Matrix<T> product(const Matrix<T>& A, const Matrix<T>& B) {
  return A.lazyProduct(B);
}

template <class T>
double tolerance(Index n) {
  return 100 * static_cast<double>(n) * static_cast<double>(epsilon<T>());
}

template <class T>
void expect_orthogonal(const Matrix<T>& Q) {
  const Matrix<T> unit = Matrix<T>::Identity(Q.cols(), Q.cols());
  EXPECT_LT(largest(product<T>(Q.transpose(), Q) - unit), tolerance<T>(Q.rows()));
}

Matrix<double> nan_in_the_corner(Index n) {
  Matrix<double> A = Matrix<double>::Identity(n, n);
  A(n - 1, n - 1) = nan;
  return A;
}

// ---------------------------------------------------------------- systems

// Bound: round-off times condition numbers of random matrices. Measured 2e-13.
TEST(DenseSolve, SolvesForSeveralColumns) {
  for (Index n : {1, 3, 20, 60}) {
    const Matrix<double> A = random_matrix<double>(n, n, 1), B = random_matrix<double>(n, 3, 2);
    EXPECT_LT(largest(A * dense::solve(A, B) - B), 1e-11) << n;
  }
}

TEST(DenseSolve, SolvesInHundredDigits) {
  for (Index n : {1, 4, 12}) {
    const Matrix<Real100> A = random_matrix<double>(n, n, 3).cast<Real100>() / Real100(3);
    const Vector<Real100> b = random_matrix<double>(n, 1, 4).cast<Real100>();
    // 1e-100, times condition numbers: measured 4e-99.
    EXPECT_LT(largest(Vector<Real100>(A.lazyProduct(dense::solve(A, b)) - b)), 1e-97) << n;
  }
}

TEST(DenseSolve, SolvesWithAFixedSize) {
  const Eigen::Matrix<double, 6, 6> A = random_matrix<double>(6, 6, 5);
  const Eigen::Matrix<double, 6, 1> b = random_matrix<double>(6, 1, 6);
  EXPECT_LT(largest(A * dense::solve(A, b) - b), 1e-13);  // measured 3e-16
}

// Amplification matrices of schemes whose implicit part is singular: recognised by entries that are not finite.
TEST(DenseSolve, OfASingularMatrixIsNotFinite) {
  const Matrix<double> zero = Matrix<double>::Zero(2, 2), unit = Matrix<double>::Identity(2, 2);
  EXPECT_FALSE(dense::solve(zero, unit).allFinite());
  EXPECT_FALSE(dense::solve(nan_in_the_corner(2), unit).allFinite());
}

TEST(DenseCholesky, MakesAMatrixOfUnitWeight) {
  const Matrix<double> X = random_matrix<double>(5, 5, 7), M = X * X.transpose(), B = random_matrix<double>(5, 3, 8);
  const Matrix<double> W = dense::solve_cholesky_factor(M, B);
  // M has the square of the condition of X: measured 2e-13.
  EXPECT_LT(largest(W.transpose() * W - B.transpose() * dense::solve(M, B)), 1e-10);
  Matrix<double> lower = M;
  lower.triangularView<Eigen::StrictlyUpper>().setZero();
  EXPECT_EQ(dense::solve_cholesky_factor(lower, B), W) << "the upper triangle is not read";
}

// ---------------------------------------------------------------- eigenvalues

// Bounds are round-off of 30 rows: measured 1e-14.
TEST(DenseEigenvalues, PairsSatisfyTheirEquation) {
  using Complex = std::complex<double>;
  for (Index n : {1, 4, 30}) {
    const Matrix<double> A = random_matrix<double>(n, n, 9);
    const auto [values, vectors] = dense::eigenpairs(A);
    EXPECT_LT(largest(A.cast<Complex>() * vectors - vectors * values.asDiagonal()), 1e-12) << n;
    EXPECT_EQ(dense::eigenvalues(A).size(), n);
    EXPECT_LT(std::abs(dense::eigenvalues(A).sum() - A.trace()), 1e-12) << n;
  }
}

TEST(DenseEigenvalues, OfARotationAreComplex) {
  const Vector<std::complex<double>> values = dense::eigenvalues(Matrix<double>{{0, -2}, {2, 0}});
  EXPECT_NEAR(std::abs(values[0].imag()), 2, 1e-15);  // round-off
  EXPECT_EQ(values[1], std::conj(values[0]));
}

TEST(DenseEigenvalues, AreNotNumbersForAMatrixThatIsNotFinite) {
  for (const Index n : {2, 5}) {
    const Vector<std::complex<double>> values = dense::eigenvalues(nan_in_the_corner(n));
    ASSERT_EQ(values.size(), n);
    for (const std::complex<double>& value : values) EXPECT_FALSE(std::isfinite(std::abs(value))) << n;
  }
}

// Bounds are round-off of 70 rows: measured 2e-14.
TEST(DenseSymmetric, PairsDiagonalise) {
  for (Index n : {1, 6, 70}) {
    const Matrix<double> X = random_matrix<double>(n, n, 10), A = X + X.transpose();
    const auto [values, vectors] = dense::symmetric_eigenpairs(A);
    expect_orthogonal(vectors);
    EXPECT_LT(largest(vectors.transpose() * A * vectors - Matrix<double>(values.asDiagonal())), 1e-12) << n;
    EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
    EXPECT_LT(largest(dense::symmetric_eigenvalues(A) - values), 1e-12) << n;
  }
}

TEST(DenseSymmetric, ReadsTheLowerTriangle) {
  const Vector<double> values = dense::symmetric_eigenvalues(Matrix<double>{{0, nan}, {1, 0}});
  EXPECT_LT(largest(values - Vector<double>{{-1, 1}}), 1e-15);  // round-off
}

// ---------------------------------------------------------------- rank

// Rows 1 and 2 are multiples of row 0; the largest entry is taken first.
TEST(DenseCompletePivoting, TakesIndependentRowsFirst) {
  const Matrix<double> A{{1, 2}, {2, 4}, {-1, -2}, {0, 1}};
  const auto found = dense::complete_pivoting(A);
  EXPECT_EQ(found.pivots, (Vector<double>{{4, 0.5}}));
  EXPECT_EQ(found.largest, 4);
  EXPECT_EQ(found.position[1], 0);
  EXPECT_EQ(found.position[3], 1);
  EXPECT_EQ(found.rank(0), 2);
  EXPECT_EQ(found.rank(0.5), 1);
}

TEST(DenseCompletePivoting, MultipliesToTheDeterminant) {
  const Matrix<Real100> A{{2, 1, 0}, {1, 3, 1}, {0, 1, 4}};
  const auto found = dense::complete_pivoting(A);
  EXPECT_LT(abs(found.pivots.prod() - 18), Real100("1e-97"));  // rounding of 100 digits
  EXPECT_EQ(found.rank(Real100("1e-80")), 3);
}

// Pivot by pivot over the whole rest of the matrix, the first of equal entries in the order of columns.
dense::CompletePivoting<double> by_plain_search(Matrix<double> A) {
  const Index m = A.rows(), size = std::min(m, A.cols());
  dense::CompletePivoting<double> result{Vector<double>::Zero(size), 0, {}};
  std::vector<Index> order(static_cast<std::size_t>(m));
  std::iota(order.begin(), order.end(), 0);
  for (Index k = 0; k < size; ++k) {
    Index row = k, column = k;
    for (Index j = k; j < A.cols(); ++j)
      for (Index i = k; i < m; ++i)
        if (std::abs(A(i, j)) > std::abs(A(row, column))) row = i, column = j;
    if (A(row, column) == 0) break;
    result.pivots[k] = std::abs(A(row, column)), result.largest = std::max(result.largest, result.pivots[k]);
    A.row(k).swap(A.row(row)), A.col(k).swap(A.col(column));
    std::swap(order[static_cast<std::size_t>(k)], order[static_cast<std::size_t>(row)]);
    for (Index i = k + 1; i < m; ++i) A(i, k) /= A(k, k);
    for (Index j = k + 1; j < A.cols(); ++j)
      for (Index i = k + 1; i < m; ++i) A(i, j) -= A(i, k) * A(k, j);
  }
  result.position.resize(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    result.position[static_cast<std::size_t>(order[i])] = static_cast<Index>(i);
  return result;
}

// Zeros, equal entries and dependent rows, as constraint Jacobians have them.
TEST(DenseCompletePivoting, TakesThePivotsOfThePlainSearch) {
  std::mt19937 random(7);
  const auto below = [&random](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int sample = 0; sample < 300; ++sample) {
    Matrix<double> A = Matrix<double>::Zero(1 + below(12), 1 + below(16));
    for (double& x : A.reshaped())
      if (below(3) == 0) x = sample % 2 == 0 ? below(5) - 2 : std::sin(below(1000));
    if (A.rows() > 2) A.row(A.rows() - 1) = A.row(0) * 3;
    const auto found = dense::complete_pivoting(A), expected = by_plain_search(A);
    EXPECT_EQ(found.pivots, expected.pivots) << A;
    EXPECT_EQ(found.largest, expected.largest);
    EXPECT_EQ(found.position, expected.position) << A;
  }
}

TEST(DenseCompletePivoting, OfNothingHasRankZero) {
  EXPECT_EQ(dense::complete_pivoting(Matrix<double>(Matrix<double>::Zero(3, 2))).rank(0), 0);
  EXPECT_EQ(dense::complete_pivoting(Matrix<double>(0, 2)).rank(0), 0);
}

template <class T>
void expect_qr() {
  using std::abs;
  for (Index n : {1, 5, 9, 60}) {  // reflections are applied in blocks above 48
    SCOPED_TRACE(n);
    const Matrix<T> A = random_matrix<T>(n, n, 11);
    dense::ColumnPivotedQr<T> qr(n);
    qr.compute(A);
    Matrix<T> Q(n, n);
    qr.orthogonal_factor(Q);
    expect_orthogonal(Q);
    const Matrix<T> R = product<T>(Q.transpose(), A);  // its columns in another order
    T longest(0);
    for (Index j = 0; j < n; ++j) longest = std::max<T>(longest, A.col(j).norm());
    EXPECT_LT(std::abs(static_cast<double>(abs(qr.pivot(0)) - longest)), tolerance<T>(n));
    for (Index k = 0; k < n; ++k)  // some column of R has |R(k, k)| in row k and nothing below
      EXPECT_TRUE([&] {
        for (Index j = 0; j < n; ++j)
          if (largest(R.col(j).tail(n - k - 1)) < tolerance<T>(n) &&
              std::abs(static_cast<double>(R(k, j) - qr.pivot(k))) < tolerance<T>(n))
            return true;
        return false;
      }()) << k;
  }
}
TEST(DenseQr, HasOrthogonalAndTriangularFactors) { expect_qr<double>(); }

template <class T>
void expect_svd() {
  for (Index n : {1, 2, 7}) {
    SCOPED_TRACE(n);
    Matrix<T> A = random_matrix<T>(n, n, 12);
    if (n > 2) A.row(n - 1) = A.row(0);
    dense::SquareSvd<T> svd(n);
    svd.compute(A);
    expect_orthogonal(svd.U());
    expect_orthogonal(svd.V());
    const Matrix<T> scaled = svd.U() * svd.sigma().asDiagonal();
    EXPECT_LT(largest(product<T>(scaled, svd.V().transpose()) - A), tolerance<T>(n));
    for (Index k = 1; k < n; ++k) EXPECT_LE(svd.sigma()[k], svd.sigma()[k - 1]);
    if (n > 2) {
      EXPECT_LT(svd.sigma()[n - 1], T(tolerance<T>(n)));
    }
  }
}
TEST(DenseSvd, HasOrthogonalFactors) { expect_svd<double>(); }

#ifndef DAELAB_DOUBLE_ONLY
TEST(DenseQr, HasOrthogonalAndTriangularFactorsInFiftyDigits) { expect_qr<Real50>(); }
TEST(DenseSvd, HasOrthogonalFactorsInFiftyDigits) { expect_svd<Real50>(); }
#endif

TEST(DenseSvd, SingularValuesOfAnyShapeAreRootsOfEigenvalues) {
  for (const auto& [m, n] : {std::pair<Index, Index>{5, 3}, {3, 5}, {4, 4}, {0, 3}}) {
    const Matrix<double> A = random_matrix<double>(m, n, 13), short_side = m < n ? Matrix<double>(A.transpose()) : A;
    const Vector<double> values = dense::singular_values(A);
    ASSERT_EQ(values.size(), std::min(m, n));
    if (m == 0) continue;
    const Vector<double> squares = dense::symmetric_eigenvalues(short_side.transpose() * short_side).reverse();
    EXPECT_LT(largest(values.cwiseAbs2() - squares), 1e-13);  // round-off of squares: measured 1e-14
  }
}

// A diverging run hands such matrices on: the solvers above must say so, not loop or count a rank.
TEST(DenseQr, RangeOfAMatrixThatIsNotFiniteIsEmpty) {
  RangeFactorization<double> factor(3);
  factor.factorize(Matrix<double>::Constant(3, 3, nan), RankRule<double>(1e-8, 3));
  EXPECT_EQ(factor.rank(), 0);
}

}  // namespace TEST_FILE
}  // namespace daelab
