#include "modules/enclosures/norms.hpp"

namespace daelab {
namespace {

Balls powers_of(double x, int count) {
  Balls powers(static_cast<std::size_t>(count) + 1), base(1);
  arb_set_d(base[0], x);
  for (int k = 0; k <= count; ++k) arb_pow_ui(powers[static_cast<std::size_t>(k)], base[0], static_cast<ulong>(k), 64);
  return powers;
}

// A bound of the radius of a ball times a number.
double radius_times(arb_srcptr x, arb_srcptr power) {
  Balls ball(1);
  mag_set(arb_radref(ball[0]), arb_radref(x));
  return upper_bound(ball[0], power);
}

}  // namespace

DiscNorms::DiscNorms(double rho, int order) : L_(order), powers_(powers_of(rho, order)) {}

NormSeries norms_of(const std::vector<double>& c) {
  NormSeries result;
  result.from.assign(c.size() + 1, 0);
  for (std::size_t k = c.size(); k-- > 0;) result.from[k] = above(result.from[k + 1] + std::abs(c[k]));
  return result;
}

NormSeries DiscNorms::norms(const BallSeries& a) const {
  NormSeries result;
  result.from.assign(static_cast<std::size_t>(L_) + 1, 0);
  for (int k = L_ - 1; k >= 0; --k) {
    const auto i = static_cast<std::size_t>(k);
    result.from[i] = k > a.degree ? 0 : above(result.from[i + 1] + upper_bound(a.x + k, powers_[i]));
  }
  return result;
}

std::vector<double> DiscNorms::scaled(const BallSeries& a) const {
  std::vector<double> result(static_cast<std::size_t>(L_), 0);
  Balls product(1);
  for (int k = 0; k < L_ && k <= a.degree; ++k)
    arb_mul(product[0], a.x + k, powers_[static_cast<std::size_t>(k)], 53),
        result[static_cast<std::size_t>(k)] = middle(product[0]);
  return result;
}

double DiscNorms::radii(const BallSeries& a) const {
  double sum = 0;
  for (int k = 0; k < L_ && k <= a.degree; ++k) sum = above(sum + radius_times(a.x + k, power(k)));
  return sum;
}

double DiscNorms::lost_product(const NormSeries& a, const NormSeries& b) const {
  double sum = 0;
  for (std::size_t i = 1; i < static_cast<std::size_t>(L_) && a.from[i] > 0; ++i)
    sum += (a.from[i] - a.from[i + 1]) * b.from[static_cast<std::size_t>(L_) - i];
  return above(sum * (1 + 1e-9));
}

std::vector<double> DiscNorms::reciprocal(const BallSeries& b, double& rounding) const {
  const std::vector<double> scaled_b = scaled(b);
  std::vector<double> c(scaled_b.size());
  double size_of_c = 0, size_of_b = 0;
  for (std::size_t k = 0; k < c.size(); ++k) {
    double sum = k == 0 ? -1 : 0;
    for (std::size_t j = 1; j <= k; ++j) sum += scaled_b[j] * c[k - j];
    c[k] = -sum / scaled_b[0];
    size_of_c += std::abs(c[k]), size_of_b += std::abs(scaled_b[k]);
  }
  rounding = above(size_of_c * (radii(b) + (L_ + 16) * unit * size_of_b));
  return c;
}

double DiscNorms::growth(const NormSeries& a) const {
  double sum = a.tail;
  for (int j = 1; j < L_; ++j) {
    const auto i = static_cast<std::size_t>(j);
    sum += (a.from[i] - a.from[i + 1]) * j / (j + L_);
  }
  return above(sum * (1 + 1e-9));
}

double DiscNorms::source(const NormSeries& a, const NormSeries& y) const {
  double sum = a.tail * y.coefficients();
  for (int j = 1; j < L_; ++j) {
    const auto i = static_cast<std::size_t>(j);
    sum += (a.from[i] - a.from[i + 1]) * j / L_ * y.from[static_cast<std::size_t>(L_) - i];
  }
  return above(sum * (1 + 1e-9));
}

}  // namespace daelab
