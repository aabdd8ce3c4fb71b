#include "analysis/roots.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <limits>

namespace daelab {
namespace {

using Complex = std::complex<double>;

// No storage on the heap up to this degree: pictures ask for the zeros of some 100000 polynomials.
constexpr int most = 16;
using Companion = Eigen::Matrix<Complex, Eigen::Dynamic, Eigen::Dynamic, 0, most, most>;

bool smaller(const Complex& a, const Complex& b) { return std::norm(a) < std::norm(b); }

template <class Matrix>
void add_eigenvalues(const std::vector<Complex>& p, std::size_t first, std::vector<Complex>& result) {
  const auto n = static_cast<Eigen::Index>(p.size() - first) - 1;
  Matrix companion = Matrix::Zero(n, n);
  for (Eigen::Index j = 0; j < n; ++j) companion(0, n - 1 - j) = -p[first + static_cast<std::size_t>(j)] / p.back();
  for (Eigen::Index j = 1; j < n; ++j) companion(j, j - 1) = 1;
  // It is a Hessenberg matrix as it is.
  Eigen::ComplexSchur<Matrix> schur(n);
  schur.computeFromHessenberg(companion, companion, false);
  for (Eigen::Index j = 0; j < n; ++j) result.push_back(schur.matrixT()(j, j));
}

}  // namespace

std::vector<Complex> zeros(std::vector<Complex> p) {
  double size = 0;
  for (const Complex& a : p) size = std::max(size, std::abs(a));
  while (!p.empty() && std::abs(p.back()) <= 1e-15 * size) p.pop_back();
  std::vector<Complex> result;
  if (p.size() < 2) return result;
  std::size_t first = 0;
  for (; p[first] == 0.0; ++first) result.push_back(0);
  if (p.size() - first < 2) return result;
  if (p.size() - first - 1 <= most)
    add_eigenvalues<Companion>(p, first, result);
  else
    add_eigenvalues<Eigen::MatrixXcd>(p, first, result);
  return result;
}

Complex largest_zero(const std::vector<Complex>& p) {
  const std::vector<Complex> all = zeros(p);
  if (all.size() + 1 < p.size()) return std::numeric_limits<double>::infinity();
  return all.empty() ? 0 : *std::max_element(all.begin(), all.end(), smaller);
}

}  // namespace daelab
