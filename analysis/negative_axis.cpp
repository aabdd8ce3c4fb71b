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

// A polynomial on [-length, 0] in Chebyshev polynomials of 1 + 2 w/length. There and nearby they are at most about 1,
// and sums of them keep their digits in double, where sums of powers of w lose 76 of them at degree 100.
class ChebyshevSeries {
 public:
  ChebyshevSeries(const Poly<Real100>& p, double length)
      : length_(length), c_(Vector<double>::Zero(static_cast<Index>(p.size()))) {
    const Index n = c_.size();
    for (Index k = 0; k < n; ++k) {  // interpolation at the zeros of T_n
      const double angle = M_PI * (static_cast<double>(k) + 0.5) / static_cast<double>(n);
      const auto sample = static_cast<double>(evaluate(p, Real100(length * (std::cos(angle) - 1) / 2)));
      for (Index j = 0; j < n; ++j)
        c_[j] += (j == 0 ? 1.0 : 2.0) / static_cast<double>(n) * sample * std::cos(static_cast<double>(j) * angle);
    }
  }

  /// By Clenshaw's recurrence, (re, im) and (re_1, im_1) its last two sums.
  double modulus(double x, double y) const {
    const double twice_x = 2 + 4 * x / length_, twice_y = 4 * y / length_;
    double re = 0, im = 0, re_1 = 0, im_1 = 0;
    for (Index j = c_.size() - 1; j > 0; --j) {
      const double next = twice_x * re - twice_y * im - re_1 + c_[j];
      const double next_im = twice_x * im + twice_y * re - im_1;
      re_1 = re, im_1 = im, re = next, im = next_im;
    }
    return std::hypot((twice_x * re - twice_y * im) / 2 - re_1 + c_[0], (twice_x * im + twice_y * re) / 2 - im_1);
  }

 private:
  double length_;
  Vector<double> c_;
};

class Axis {
 public:
  Axis(const Poly<Real100>& R, double length, int stages) : R_(R, length), length_(length) {
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
  double size(double x, double y) const { return R_.modulus(-x, y); }

  ChebyshevSeries R_;
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
  const Axis axis(R.numerator, result.length, result.stages);
  for (const Extremum& maximum : axis.extrema(-1)) {
    result.largest = std::max(result.largest, maximum.size);
    const double height = axis.height(maximum.x);
    result.neck = result.neck == 0 ? height : std::min(result.neck, height);
  }
  for (const Extremum& minimum : axis.extrema(1)) result.lobe = std::max(result.lobe, axis.height(minimum.x));
  return result;
}

}  // namespace daelab
