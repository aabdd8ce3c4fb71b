#include "core/solvers/linear_problem.hpp"

#include <fmt/format.h>

namespace daelab {
namespace {

using Mat = Matrix<Real100>;
using Vec = Vector<Real100>;

// Singular values below this times the largest are zero: 100 digits less what building the matrices costs.
const Real100& zero_tolerance() {
  static const Real100 tolerance("1e-80");
  return tolerance;
}

Real100 dot(const auto& x, const auto& y) {
  Real100 sum = 0;
  for (Index i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

// Orthonormal basis of the columns of A: Gram-Schmidt with column pivoting.
Mat range_basis(const Mat& A) {
  Mat rest = A, Q(A.rows(), 0);
  Real100 first = 0;
  for (Index k = 0; k < A.cols(); ++k) {
    Index best = 0;
    Real100 largest = 0;
    for (Index j = 0; j < A.cols(); ++j)
      if (const Real100 size = dot(rest.col(j), rest.col(j)); size > largest) best = j, largest = size;
    if (k == 0) first = largest;
    if (!(largest > first * zero_tolerance() * zero_tolerance())) break;
    Vec q = rest.col(best) / Real100(sqrt(largest));
    for (Index j = 0; j < k; ++j) q -= Vec(Q.col(j) * dot(Q.col(j), q));  // once more: pivots may be small
    q /= Real100(sqrt(dot(q, q)));
    Q.conservativeResize(Eigen::NoChange, k + 1);
    Q.col(k) = q;
    for (Index j = 0; j < A.cols(); ++j) rest.col(j) -= Vec(q * dot(q, rest.col(j)));
  }
  return Q;
}

// X Y where it is symmetric: half of the sums.
Mat symmetric_product(const auto& X, const auto& Y) {
  Mat product(X.rows(), Y.cols());
  for (Index i = 0; i < product.rows(); ++i)
    for (Index j = 0; j <= i; ++j) product(i, j) = product(j, i) = dot(X.row(i), Y.col(j));
  return product;
}

// U^T A U.
Mat restricted(const Mat& A, const Mat& U) { return symmetric_product(U.transpose(), Mat(A.lazyProduct(U))); }
// U B U^T.
Mat extended(const Mat& B, const Mat& U) { return symmetric_product(U, Mat(B.lazyProduct(U.transpose()))); }

// B^-1 by sweeps, which keep B symmetric (Goodnight 1979): half of it is computed. Nothing unless B is positive
// definite.
std::optional<Mat> inverse(Mat B) {
  const Index n = B.rows();
  const Real100 largest = B.diagonal().cwiseAbs().maxCoeff();
  for (Index k = 0; k < n; ++k) {
    const Real100 pivot = B(k, k);
    if (!(pivot > zero_tolerance() * largest)) return {};
    const Vec column = B.col(k), over_pivot = column / pivot;
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j <= i; ++j) B(i, j) = B(j, i) = B(i, j) - over_pivot[i] * column[j];
    B.col(k) = over_pivot, B.row(k) = over_pivot.transpose();
    B(k, k) = -1 / pivot;
  }
  return -B;
}

// U (U^T A U)^-1 U^T.
std::optional<Mat> inverse_on(const Mat& U, const Mat& A) {
  const std::optional<Mat> B = inverse(restricted(A, U));
  return B ? std::optional(extended(*B, U)) : std::nullopt;
}

// No column of A leaves the span of U.
bool has_range(const Mat& A, const Mat& U) {
  const Mat outside = A - Mat(U.lazyProduct(Mat(U.transpose().lazyProduct(A))));
  return outside.cwiseAbs().maxCoeff() <= zero_tolerance() * A.cwiseAbs().maxCoeff();
}

void check_shapes(const LinearPair& pair, const std::string& where) {
  const Index n = pair.A0.rows();
  const auto check = [&](const char* key, Index rows, Index cols) {
    if (rows != n || cols != n)
      throw InputError(where + "/" + key, fmt::format("is {} x {}, but A0 has {} rows", rows, cols, n));
  };
  if (n == 0) throw InputError(where + "/A0", "is empty");
  check("A0", pair.A0.rows(), pair.A0.cols());
  check("A", pair.A.rows(), pair.A.cols());
  for (const auto& [key, size] : {std::pair("b0", pair.b0.size()), std::pair("b", pair.b.size())})
    if (size != n) throw InputError(where + "/" + key, fmt::format("has {} entries, but A0 has {} rows", size, n));
  if (dot(pair.b, pair.b) == 0) throw InputError(where + "/b", "is zero: nothing to solve");
}

void check_semidefinite(const Mat& A, const std::string& where) {
  for (Index i = 0; i < A.rows(); ++i)
    for (Index j = 0; j < i; ++j)
      if (A(i, j) != A(j, i))
        throw InputError(where, fmt::format("is not symmetric: entries {0},{1} and {1},{0} differ", i + 1, j + 1));
  const Mat Q = range_basis(A);
  if (Q.cols() == 0) throw InputError(where, "is zero");
  if (!inverse(restricted(A, Q))) throw InputError(where, "is not positive semidefinite");
}

}  // namespace

void check_linear_pair(const LinearPair& pair, const std::string& where) {
  check_shapes(pair, where);
  check_semidefinite(pair.A0, where + "/A0");
  check_semidefinite(pair.A, where + "/A");
  if (!inverse_on(range_basis(pair.A0), pair.A))
    throw InputError(where + "/A", "is singular on the range of A0: it must keep its rank there");
}

template <class T>
LinearSystem<T> linear_system(const LinearPair& pair) {
  const Mat U = range_basis(pair.A0);
  const Mat on_range = restricted(pair.A, U), H = extended(inverse(on_range).value(), U);
  const auto matrix = [](const Mat& x) -> Matrix<T> { return x.template cast<T>(); };
  const auto vector = [](const Vec& x) -> Vector<T> { return x.template cast<T>(); };
  LinearSystem<T> system;
  system.A0 = matrix(pair.A0), system.A = matrix(pair.A);
  system.b0 = vector(pair.b0), system.b = vector(pair.b);
  system.range = matrix(U);
  system.H0 = matrix(inverse_on(U, pair.A0).value());
  system.A_on_range = matrix(extended(on_range, U));
  system.inverse = matrix(H);
  system.x = vector(H.lazyProduct(pair.b));
  system.least_norm =
      has_range(pair.A, U) ? system.x : vector(inverse_on(range_basis(pair.A), pair.A).value().lazyProduct(pair.b));
  return system;
}

#define DAELAB_INSTANTIATE(T) template LinearSystem<T> linear_system<T>(const LinearPair&);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
