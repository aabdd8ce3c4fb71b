// What established codes are handed: Jacobians and solutions against differences of what they evaluate.
#include "methods/peers/peer_equations.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/numeric_support.hpp"

namespace daelab {
namespace TEST_FILE {

// Central differences with steps of eps^(1/3) are off by eps^(2/3) = 4e-11 of the largest values; the equations have
// values up to 1e4 where their entries are 1.
constexpr double difference_error = 1e-6, step = 6e-6;

Vector<double> rates_at(RateEquations& equations, const Vector<double>& x) {
  Vector<double> xdot(x.size());
  EXPECT_TRUE(equations.rates(0, x.data(), xdot.data()));
  return xdot;
}

Matrix<double> by_differences(RateEquations& equations, const Vector<double>& x) {
  Matrix<double> J(x.size(), x.size());
  for (Index j = 0; j < x.size(); ++j) {
    const double h = step * std::max(1e-2, std::abs(x[j]));  // concentrations start at 1e-3
    Vector<double> left = x, right = x;
    left[j] -= h, right[j] += h;
    J.col(j) = (rates_at(equations, right) - rates_at(equations, left)) / (2 * h);
  }
  return J;
}

using ByRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

class RatesOf : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(RatesOf, HaveExactJacobians) {
  const BoundProblem<double> bound(GetParam().first, GetParam().second);
  Statistics counts;
  RateEquations equations(*bound.system, counts);
  const Index d = bound.system->differential();
  const Vector<double> x = bound.start.y.head(d);
  ByRows J(d, d);
  ASSERT_TRUE(equations.jacobian(0, x.data(), J.data()));
  const Matrix<double> expected = by_differences(equations, x);
  EXPECT_LT((J - expected).cwiseAbs().maxCoeff(), difference_error * std::max(1.0, J.cwiseAbs().maxCoeff()));

  constexpr double gamma = 1e-3;
  Vector<double> r = Vector<double>::LinSpaced(d, 1, 2);
  const Vector<double> given = r;
  ASSERT_TRUE(equations.linearize(0, x.data(), nullptr) && equations.factorize(gamma));
  equations.solve(r.data());
  // Round-off times the condition of 1 - gamma J, which is below 1e4 for these.
  EXPECT_LT((r - gamma * (J * r) - given).norm(), 1e-11 * given.norm());
  EXPECT_EQ(counts.jacobians, 2);
  EXPECT_EQ(counts.back_solves, counts.factorizations) << "an evaluation of a mechanism solves once, too";
}
INSTANTIATE_TEST_SUITE_P(Forms, RatesOf,
                         testing::Values(std::pair("two-link-manipulator", "index-1"),
                                         std::pair("seven-body", "index-1"), std::pair("pendulum", "udwadia-kalaba"),
                                         std::pair("hires", "ode"), std::pair("chemical-akzo-nobel", "ode:index=1")),
                         [](const auto& info) { return "case_" + std::to_string(info.index); });

class ResidualsOf : public testing::TestWithParam<std::pair<const char*, const char*>> {};

// Along a solution of the linear system F changes by the right-hand side.
TEST_P(ResidualsOf, AreSolvedWithTheirExactJacobians) {
  const BoundProblem<double> bound(GetParam().first, GetParam().second);
  Statistics counts;
  ResidualEquations equations(*bound.system, counts, false);
  const Index N = bound.system->size(), d = bound.system->differential();
  const State<double>& start = bound.start;
  constexpr double gamma = 1e-2;
  Vector<double> x = Vector<double>::LinSpaced(N, 1, 2);
  const Vector<double> given = x;
  ASSERT_TRUE(equations.linearize(0, start.y.data(), start.ydot.data()) && equations.factorize(gamma));
  equations.solve(x.data());
  const double h = step / std::max(1.0, x.head(d).norm() / gamma);
  const auto residual = [&](double along) {
    const Vector<double> y = start.y + along * x;
    Vector<double> ydot = start.ydot, F(N);
    ydot.head(d) += along / gamma * x.head(d);
    EXPECT_TRUE(equations.residual(0, y.data(), ydot.data(), F.data()));
    return F;
  };
  const Vector<double> change = (residual(h) - residual(-h)) / (2 * h);
  // h is smaller than above by the size of the solution, so that round-off of F counts for more.
  EXPECT_LT((change - given).norm(), 1e-4 * given.norm());
  EXPECT_EQ(counts.residuals, 2);
  EXPECT_EQ(counts.back_solves, 1);
}

// Along any direction the plain F changes by its dense Jacobians.
TEST_P(ResidualsOf, HaveExactDenseJacobians) {
  const BoundProblem<double> bound(GetParam().first, GetParam().second);
  Statistics counts;
  ResidualEquations equations(*bound.system, counts, true);
  const Index N = bound.system->size(), d = bound.system->differential();
  const State<double>& start = bound.start;
  Matrix<double> F_y(N, N), F_ydot(N, N);
  ASSERT_TRUE(equations.jacobians(0, start.y.data(), start.ydot.data(), F_y.data(), F_ydot.data()));
  const Vector<double> along = Vector<double>::LinSpaced(N, 1, 2);
  const auto residual = [&](double by_y, double by_ydot) {
    const Vector<double> y = start.y + by_y * along;
    Vector<double> ydot = start.ydot, F(N);
    ydot.head(d) += by_ydot * along.head(d);
    EXPECT_TRUE(equations.residual(0, y.data(), ydot.data(), F.data()));
    return F;
  };
  const Vector<double> by_y = (residual(step, 0) - residual(-step, 0)) / (2 * step);
  EXPECT_LT((by_y - F_y * along).norm(), difference_error * std::max(1.0, F_y.norm()));
  const Vector<double> by_ydot = (residual(0, step) - residual(0, -step)) / (2 * step);
  EXPECT_LT((by_ydot - F_ydot.leftCols(d) * along.head(d)).norm(), difference_error * std::max(1.0, F_ydot.norm()));
  EXPECT_EQ(F_ydot.rightCols(N - d).norm(), 0);
  EXPECT_EQ(counts.jacobians, 1);
}

// The sum of these for sparse solvers; a second time, too, with another factor.
TEST_P(ResidualsOf, HaveTheSameSparseJacobian) {
  const BoundProblem<double> bound(GetParam().first, GetParam().second);
  Statistics counts;
  ResidualEquations equations(*bound.system, counts, true);
  const Index N = bound.system->size();
  const double *const y = bound.start.y.data(), *const ydot = bound.start.ydot.data();
  Matrix<double> F_y(N, N), F_ydot(N, N);
  ASSERT_TRUE(equations.jacobians(0, y, ydot, F_y.data(), F_ydot.data()));
  for (const double c : {100.0, 0.5}) {
    PeerSparseMatrix A;
    ASSERT_TRUE(equations.sparse_jacobian(0, y, ydot, c, A));
    Matrix<double> whole = Matrix<double>::Zero(N, N);
    for (Index j = 0; j < N; ++j)
      for (int k = A.start[j]; k < A.start[j + 1]; ++k) whole(A.row[k], j) = A.value[k];
    EXPECT_LE((whole - (F_y + c * F_ydot)).norm(), 4 * epsilon<double>() * whole.norm());
  }
}
INSTANTIATE_TEST_SUITE_P(Forms, ResidualsOf,
                         testing::Values(std::pair("two-link-manipulator", "index-1"),
                                         std::pair("two-link-manipulator", "index-2"),
                                         std::pair("two-link-manipulator", "ggl"), std::pair("pendulum", "index-2"),
                                         std::pair("hires", "ode"), std::pair("robertson", "ode")),
                         [](const auto& info) { return "case_" + std::to_string(info.index); });

}  // namespace TEST_FILE
}  // namespace daelab
