#include "methods/multistep/pece_stability.hpp"

#include <array>

#include "core/base/once.hpp"
#include "core/solvers/dense.hpp"
#include "methods/multistep/adams.hpp"
#include "methods/multistep/variable_adams.hpp"

namespace daelab {
namespace {

// y_(n+1) = sum_(j<k) m_j y_(n-j) with z = h lambda and weights b, b* of predictor and corrector:
// m_j = z b*_j + z^2 b*_(-1) b_j, and 1 + z b*_(-1) more for j = 0.
double limit_of(int k) {
  constexpr double resolution = 0.02, round_off = 1e-9;
  const Vector<double> predictor = adams_bashforth(k).cast<double>(), corrector = adams_moulton(k + 1).cast<double>();
  Matrix<double> companion = Matrix<double>::Zero(k, k);
  for (int j = 1; j < k; ++j) companion(j, j - 1) = 1;
  const auto is_stable = [&](double z) {
    for (int j = 0; j < k; ++j) companion(0, j) = z * corrector[j + 1] + z * z * corrector[0] * predictor[j];
    companion(0, 0) += 1 + z * corrector[0];
    return dense::eigenvalues(companion).cwiseAbs().maxCoeff() <= 1 + round_off;
  };
  double x = 0;
  while (is_stable(-(x + resolution))) x += resolution;
  return x;
}

}  // namespace

double pece_stability_limit(int k) {
  static const std::array<Once<double>, variable_adams_highest + 1> limits;
  return limits[static_cast<std::size_t>(k)].get([k] { return limit_of(k); });
}

}  // namespace daelab
