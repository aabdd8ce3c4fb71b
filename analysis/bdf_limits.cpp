#include "analysis/bdf_limits.hpp"

#include <cmath>
#include <complex>
#include <vector>

#include "analysis/roots.hpp"

namespace daelab {
namespace {

using Complex = std::complex<double>;

// alpha_j in h x'(0) = sum_j alpha_j x(-s_j), s_0 = 0: the derivative at 0 of the Lagrange polynomials on so many past
// points, the last step of size 1 and each `ratio` times as large as the one before.
std::vector<double> derivative_weights(int order, double ratio) {
  std::vector<double> s{0};
  for (int j = 1; j <= order; ++j) s.push_back(s.back() + std::pow(ratio, 1 - j));
  std::vector<double> alpha(s.size());
  for (std::size_t j = 1; j < s.size(); ++j) {
    alpha[j] = -1 / s[j];
    for (std::size_t i = 1; i < s.size(); ++i)
      if (i != j) alpha[j] *= s[i] / (s[i] - s[j]);
    alpha[0] -= alpha[j];
  }
  return alpha;
}

// Of the parasitic roots: those of the polynomial without its root 1.
double parasitic_radius(int order, double ratio) {
  const std::vector<double> alpha = derivative_weights(order, ratio);
  std::vector<Complex> quotient{alpha[0]};
  for (std::size_t j = 1; j + 1 < alpha.size(); ++j) quotient.push_back(quotient.back() + alpha[j]);
  return std::abs(largest_zero({quotient.rbegin(), quotient.rend()}));
}

// Of y' = i omega y.
Complex growing_root(int order, double omega_h) {
  const std::vector<double> alpha = derivative_weights(order, 1);
  std::vector<Complex> p(alpha.rbegin(), alpha.rend());
  p.back() -= Complex(0, omega_h);
  return largest_zero(p);
}

std::optional<BdfLimits::Instability> instability(int order) {
  constexpr double step = 0.01, highest = 12, noise = 1e-10;
  const auto grows = [order](double omega_h) { return std::abs(growing_root(order, omega_h)) > 1 + noise; };
  BdfLimits::Instability found;
  bool any = false;
  for (double x = step; x < highest; x += step) {
    if (!grows(x)) {
      if (any) {
        found.to = bisect(x - step, x, grows);
        break;
      }
      continue;
    }
    if (!any) found.from = x == step ? 0 : bisect(x - step, x, grows);
    any = true;
    if (const double growth = std::abs(growing_root(order, x)); growth > found.growth)
      found.growth = growth, found.at = x;
  }
  if (!any) return {};
  found.difference_ratio = std::abs(1.0 - 1.0 / growing_root(order, found.to));
  return found;
}

}  // namespace

BdfLimits bdf_limits(int order) {
  BdfLimits limits;
  limits.order = order;
  if (order > 1)
    limits.growth_bound = bisect(1, 4, [order](double ratio) { return parasitic_radius(order, ratio) > 1; });
  limits.instability = instability(order);
  return limits;
}

}  // namespace daelab
