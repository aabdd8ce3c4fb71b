#include "analysis/bdf_limits.hpp"

#include <algorithm>
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

// For the parasitic roots: those of the polynomial without its root 1.
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

double growth(int order, double omega_h) { return std::abs(growing_root(order, omega_h)); }

double difference_ratio(int order, double omega_h) { return std::abs(1.0 - 1.0 / growing_root(order, omega_h)); }

// h lambda for which zeta = e^(i angle) is a mode: sum_(j=1)^k w^j / j, w = 1 - 1/zeta.
Complex on_circle(int order, double angle) {
  const Complex w = std::polar(2 * std::sin(angle / 2), (M_PI - angle) / 2);
  Complex sum = 0, power = 1;
  for (int j = 1; j <= order; ++j) power *= w, sum += power / static_cast<double>(j);
  return sum;
}

constexpr double scan_step = 0.01;

// Frequencies beside the points of that curve that lie left of the imaginary axis.
std::optional<BdfInstability> instability(int order) {
  const auto left = [order](double angle) { return on_circle(order, angle).real() < 0; };
  std::vector<double> ends;
  if (left(scan_step)) ends.push_back(0);
  for (double angle = scan_step; angle + scan_step < M_PI && ends.size() < 2; angle += scan_step)
    if (left(angle) != left(angle + scan_step)) ends.push_back(bisect(angle, angle + scan_step, left));
  if (ends.size() < 2) return {};
  BdfInstability found;
  found.from = on_circle(order, ends[0]).imag(), found.to = on_circle(order, ends[1]).imag();
  found.ratio_from = 2 * std::sin(ends[0] / 2), found.ratio_to = 2 * std::sin(ends[1] / 2);
  for (double x = found.from + scan_step; x < found.to; x += scan_step)
    if (const double factor = growth(order, x); factor > found.growth) found.growth = factor, found.at = x;
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

InstabilityTest instability_test(int order, double threshold) {
  const auto missed = [&](double omega_h) { return difference_ratio(order, omega_h) < threshold; };
  double x = bdf_limits(order).instability.value().from;
  InstabilityTest test;
  for (x += scan_step; missed(x); x += scan_step) test.missed_growth = std::max(test.missed_growth, growth(order, x));
  test.from = bisect(x - scan_step, x, missed);
  test.missed_growth = std::max(test.missed_growth, growth(order, test.from));
  return test;
}

}  // namespace daelab
