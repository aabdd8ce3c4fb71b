// Bases of the null space of constraint Jacobians, and ranks.
#include "core/solvers/dense.hpp"
#include "methods/constrained/local_trapezoidal_stepper.hpp"

#include "core/integration/method.hpp"
#include "results/reference.hpp"
#include "tests/numeric_support.hpp"
#include "tests/scalars.hpp"

namespace daelab {
namespace TEST_FILE {

constexpr NullSpaceBasis both_bases[] = {NullSpaceBasis::orthogonal, NullSpaceBasis::elimination};

template <class T>
class NullSpaceOf : public testing::Test {};
TYPED_TEST_SUITE(NullSpaceOf, Scalars);

TYPED_TEST(NullSpaceOf, RandomJacobiansOfEveryShape) {
  using T = TypeParam;
  RandomNumbers random(1);
  for (Index n = 1; n <= 7; ++n)
    for (Index m = 0; m <= n; ++m)
      for (const NullSpaceBasis kind : both_bases) {
        Matrix<T> C_q(m, n);
        for (Index j = 0; j < n; ++j) C_q.col(j) = random.vector<T>(m);
        NullSpace<T> null_space(m, n, kind);
        ASSERT_EQ(null_space.compute(C_q), m);
        const Matrix<T>& V = null_space.basis();
        ASSERT_EQ(V.cols(), n - m);
        const double size = 1 + largest(V);
        // Measured 2 eps.
        EXPECT_LT(largest(Matrix<T>(C_q.lazyProduct(V))), 100 * size * static_cast<double>(epsilon<T>())) << n << m;
        if (kind == NullSpaceBasis::orthogonal) {
          const Matrix<T> gram = V.transpose().lazyProduct(V);
          // Measured: one eps.
          EXPECT_LT(largest(gram - Matrix<T>::Identity(n - m, n - m)), 20 * static_cast<double>(epsilon<T>()));
        }
      }
}

// The free coordinates form a unit matrix: V = Q [E; -C].
TEST(NullSpaceByElimination, HasTheFreeCoordinatesAsUnits) {
  NullSpace<double> null_space(1, 3, NullSpaceBasis::elimination);
  ASSERT_EQ(null_space.compute(Matrix<double>{{1, 4, 2}}), 1);  // the pivot is 4
  EXPECT_EQ(null_space.basis(), (Matrix<double>{{1, 0}, {-0.25, -0.5}, {0, 1}}));
}

TEST(NullSpaceRank, CountsIndependentRows) {
  Matrix<double> C_q{{1, 2, 3, 0}, {2, 4, 6, 0}, {1, 3, 4, 2}};
  for (const NullSpaceBasis kind : both_bases) {
    EXPECT_EQ(NullSpace<double>(3, 4, kind).compute(C_q), 2);
    EXPECT_EQ(NullSpace<double>(3, 4, kind).compute(Matrix<double>::Zero(3, 4)), 0);
    EXPECT_EQ(NullSpace<double>(3, 2, kind).compute(C_q.leftCols(2)), 2);  // more constraints than coordinates
  }
}

}  // namespace TEST_FILE
}  // namespace daelab
