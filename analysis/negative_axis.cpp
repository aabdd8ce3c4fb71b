#include "analysis/negative_axis.hpp"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <vector>

#include "analysis/stability_sector.hpp"

namespace daelab {
namespace {

constexpr int bits = 26;           // of the place of an extremum: half of those of a double
constexpr double outside = 1e-10;  // |R| - 1 beyond round-off

struct Extremum {
  double x, size;  // w = -x, |R|
};

class Axis {
 public:
  Axis(const StabilityPolynomial& R, double length, int stages) : R_(R), length_(length) {
    // Equidistant in the angle of Chebyshev polynomials, whose lobes are.
    for (int i = 0; i <= 32 * stages; ++i) x_.push_back(length * (1 - std::cos(M_PI * i / (32 * stages))) / 2);
    for (const double x : x_) size_.push_back(size(x, 0));
  }

  /// Local extrema of |R| inside: sign = 1 minima, -1 maxima.
  std::vector<Extremum> extrema(int sign) const {
    std::vector<Extremum> found;
    for (std::size_t i = 1; i + 1 < x_.size(); ++i) {
      if (!(sign * size_[i] <= sign * size_[i - 1] && sign * size_[i] < sign * size_[i + 1])) continue;
      const auto [x, value] = boost::math::tools::brent_find_minima([&](double at) { return sign * size(at, 0); },
                                                                    x_[i - 1], x_[i + 1], bits);
      found.push_back({x, sign * value});
    }
    return found;
  }

  /// Up to where |R(-x + iy)| <= 1 above the axis.
  double height(double x) const {
    double low = 0, high = 1e-6 * length_;
    while (size(x, high) <= 1 + outside) low = high, high *= 1.1;
    while (high - low > 1e-9 * high) {
      const double middle = (low + high) / 2;
      (size(x, middle) <= 1 + outside ? low : high) = middle;
    }
    return low;
  }

 private:
  double size(double x, double y) const { return R_.spectral_radius({-x, y}); }

  const StabilityPolynomial& R_;
  double length_;
  std::vector<double> x_, size_;
};

}  // namespace

std::optional<NegativeAxis> negative_axis(const MethodForm& form) {
  const auto* tableau = std::get_if<Tableau>(&form);
  if (!tableau || !tableau->is_explicit()) return {};
  const StabilityFunction R = stability_function(*tableau);
  NegativeAxis result;
  result.stages = degree(R.numerator);
  result.length = stability_intervals(form)->real;
  if (!(result.length > 0)) return {};
  const StabilityPolynomial pi = stability_polynomial(R);
  const Axis axis(pi, result.length, result.stages);
  for (const Extremum& maximum : axis.extrema(-1)) {
    result.largest = std::max(result.largest, maximum.size);
    const double height = axis.height(maximum.x);
    result.neck = result.neck == 0 ? height : std::min(result.neck, height);
  }
  for (const Extremum& minimum : axis.extrema(1)) result.lobe = std::max(result.lobe, axis.height(minimum.x));
  return result;
}

}  // namespace daelab
