// Sparse matrices against dense ones: products, assembled blocks, ranks of rows.
// Bounds of 1e-12 and less are round-off.
#include "core/solvers/sparse_lu.hpp"

#include <gmock/gmock.h>

#include "core/solvers/dense.hpp"
#include "core/solvers/generated_lu.hpp"
#include "core/solvers/sparse_rank.hpp"
#include "tests/numeric_support.hpp"
#include "tests/sparse_support.hpp"

namespace daelab {
namespace TEST_FILE {

TEST(SparseMatrix, ProductsAndCornersAreThoseOfDenseMatrices) {
  RandomNumbers random(5);
  const auto A = random_matrix<double>(random, 7, 11, 0.3), B = random_matrix<double>(random, 5, 11, 0.3);
  SparseProduct<double> product;
  product.prepare(A.pattern, B.pattern);
  SparseMatrix<double> C;
  product.multiply(A, B, C);
  EXPECT_LT(largest(dense_of(C) - dense_of(A) * dense_of(B).transpose()), 1e-15);
  SparseCorner<double> corner;
  corner.prepare(A.pattern, 3, 8);
  corner.copy(A, C);
  EXPECT_EQ(dense_of(C), dense_of(A).topLeftCorner(3, 8));
  const Vector<double> x = random.vector<double>(11), y = random.vector<double>(7);
  Vector<double> z = Vector<double>::Zero(7), w = Vector<double>::Zero(11);
  A.add_product(x, z, 2.0), A.add_transposed_product(y, w, 3.0);
  EXPECT_LT(largest(z - 2 * dense_of(A) * x), 1e-15);
  EXPECT_LT(largest(w - 3 * dense_of(A).transpose() * y), 1e-14);
}

TEST(SparseMatrix, BlocksAddUpWhereTheyOverlap) {
  RandomNumbers random(6);
  const auto A = random_matrix<double>(random, 4, 4, 0.5), B = random_matrix<double>(random, 2, 4, 0.7);
  SparseSum<double> sum(6, 6);
  sum.add(A.pattern, 0, 0), sum.add(A.pattern, 0, 0, true), sum.add(B.pattern, 4, 1), sum.add(B.pattern, 1, 3, true);
  sum.complete();
  sum.accumulate(0, A, 2.0), sum.accumulate(1, A), sum.accumulate(2, B, -1.0);
  sum.accumulate_rows(3, B, [](Index i) { return i == 0 ? 1.0 : 10.0; });
  Matrix<double> expected = Matrix<double>::Zero(6, 6);
  expected.topLeftCorner(4, 4) = 2 * dense_of(A) + dense_of(A).transpose();
  expected.block(4, 1, 2, 4) -= dense_of(B);
  expected.block(1, 3, 4, 2) += dense_of(B).transpose() * Vector<double>{{1.0, 10.0}}.asDiagonal();
  EXPECT_LT(largest(dense_of(sum.matrix()) - expected), 1e-15);
}

// Rows that are sums of others, by construction.
TEST(SparseRank, FindsDependentRowsAsManyAsTheDenseAnalysis) {
  RandomNumbers random(9);
  for (const Index dependent : {0, 1, 7}) {
    const Index m = 60, n = 100;
    Matrix<double> A(m, n);
    SparseMatrix<double> sparse = random_matrix<double>(random, m, n, 0.05, true);
    sparse.scatter(A);
    for (Index k = 0; k < dependent; ++k) A.row(3 * k + 1) = A.row(3 * k) + 2 * A.row((5 * k + 29) % m);
    sparse.take(SparsePattern::full(m, n));
    sparse.values = A.reshaped();
    const RowDependence found = find_dependent_rows(sparse, 1e-9);
    EXPECT_EQ(static_cast<Index>(found.independent_rows.size()), dense::complete_pivoting(A).rank(1e-9));
    EXPECT_EQ(static_cast<Index>(found.dependent_rows.size()), dependent);
    // On both sides of the tolerance, far from it.
    EXPECT_GT(found.smallest_kept, 1e-4);
    EXPECT_LT(found.largest_dropped, 1e-13);
  }
}

// The least distance by the definition: 1/sqrt of the largest diagonal entry of (A A^T)^-1, of the row inverse
// iteration finds. Columns of 30 entries are short enough for A A^T, those of 40 are not.
class RowDistances : public testing::TestWithParam<Index> {};

TEST_P(RowDistances, AreOfTheMostDependentRow) {
  const Index m = GetParam(), n = 50;
  RandomNumbers random(10);
  SparseMatrix<double> A = random_matrix<double>(random, m, n, 0.1, true);
  Matrix<double> dense = dense_of(A);
  dense.row(17) = dense.row(3) + dense.row(8);
  dense(17, 40) += 1e-5;
  A.take(SparsePattern::full(m, n));
  A.values = dense.reshaped();
  const Matrix<double> gram = dense * dense.transpose(),
                       inverse = dense::solve(gram, Matrix<double>::Identity(m, m).eval());
  RowDistance distance;
  EXPECT_NEAR(distance.least(A) * std::sqrt(inverse.diagonal().maxCoeff()), 1, 1e-3);  // measured 7e-6
  const Vector<double> combination = dense.transpose() * distance.dependency() / distance.dependency()[17];
  EXPECT_NEAR(combination.norm(), distance.least(A), 1e-8);
  dense.row(17) = dense.row(3) + dense.row(8);
  A.values = dense.reshaped();
  EXPECT_LT(distance.least(A), 1e-7);  // the root of round-off
}
INSTANTIATE_TEST_SUITE_P(SparseRank, RowDistances, testing::Values(30, 40));

}  // namespace TEST_FILE
}  // namespace daelab
