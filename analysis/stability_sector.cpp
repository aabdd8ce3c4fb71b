#include "analysis/stability_sector.hpp"

#include <fmt/format.h>

#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <limits>

#include "analysis/multistep.hpp"
#include "analysis/polynomial_text.hpp"
#include "analysis/roots.hpp"

namespace daelab {
namespace {

using Complex = std::complex<double>;

constexpr double infinite = std::numeric_limits<double>::infinity();

double degrees(double radians) { return radians * 180 / M_PI; }
double rounded_down(double angle) { return std::floor(angle * 1000) / 1000; }
// Of -w, without its sign.
double angle_from_negative_axis(Complex w) { return degrees(std::abs(std::arg(-w))); }

// |p(t (-1 + i m))|^2 as a polynomial in t.
template <class T>
Poly<T> squared_modulus_on_ray(const Poly<T>& p, const T& m) {
  Poly<T> re, im;
  T u = 1, v = 0;  // (-1 + i m)^n
  for (const T& a : p) {
    re.push_back(a * u);
    im.push_back(a * v);
    const T next = -u - m * v;
    v = m * u - v;
    u = next;
  }
  return difference(product(re, re), difference({}, product(im, im)));
}

template <class T>
bool stable_on_ray(const Poly<T>& P, const Poly<T>& Q, const T& m) {
  const Poly<T> margin = difference(squared_modulus_on_ray(Q, m), squared_modulus_on_ray(P, m));
  return margin.empty() || !negative_point(margin);
}

// A rational slope just below tan(angle).
Rational slope_of(double angle) { return {static_cast<long>(std::floor(std::tan(angle * M_PI / 180) * 1e6)), 1000000}; }

bool stable_on_ray(const StabilityFunction& R, double angle) {
  return R.is_rational() ? stable_on_ray(R.exact_numerator, R.exact_denominator, slope_of(angle))
                         : stable_on_ray(R.numerator, R.denominator, decimal(slope_of(angle)));
}

constexpr double resolution = 0.002;  // degrees

// The largest angle below `limit` whose ray is stable; a negative one if there is none. With a ray all flatter ones are
// stable, so bisection finds it; in 100 digits, being fast, and then the last ray as exactly as R is known.
double steepest_stable_ray(const StabilityFunction& R, double limit) {
  if (!stable_on_ray(R, 0)) return -1;
  double low = 0, high = limit;
  while (high - low > resolution) {
    const double middle = (low + high) / 2;
    (stable_on_ray(R.numerator, R.denominator, decimal(slope_of(middle))) ? low : high) = middle;
  }
  while (low > 0 && !stable_on_ray(R, low)) low -= resolution;
  return std::max(low, 0.0);
}

// Among the poles in the left half plane the one nearest to the negative axis; 90 where there is none.
double angle_of_poles(const StabilityFunction& R) {
  if (poles_on_the_right(R).holds) return 90;
  double angle = 90;
  std::vector<Complex> Q;
  for (const Real100& a : R.denominator) Q.push_back(static_cast<double>(a));
  for (const Complex& pole : zeros(Q))
    if (pole.real() < 0) angle = std::min(angle, angle_from_negative_axis(pole));
  return angle;
}

std::optional<StabilitySector> sector_of(const StabilityFunction& R) {
  const Property property = a_stable(R);
  if (property.holds) return StabilitySector{90, property.proof};
  if (degree(R.numerator) > degree(R.denominator)) return {};
  const double poles = angle_of_poles(R);
  const double angle = steepest_stable_ray(R, poles);
  if (angle < 0) return {};
  const double verified = rounded_down(degrees(std::atan(static_cast<double>(decimal(slope_of(angle))))));
  const double beyond = angle + resolution;
  const bool is_largest = beyond < 90 && !stable_on_ray(R, beyond);
  return StabilitySector{
      verified, fmt::format("{}|P|^2 <= |Q|^2 along the ray of {:.3f} degrees{} (Sturm sequences); {}; the maximum "
                            "principle for the sector between",
                            R.evidence(), verified, is_largest ? fmt::format(", not of {:.3f}", beyond) : "",
                            poles < 90 ? fmt::format("poles at {:.3f} degrees (numerical, in double)", poles)
                                       : "every pole has a positive real part (Routh-Hurwitz)")};
}

// The smallest angle of the root locus in the left half plane: on a grid, then by Brent's method.
double angle_of_locus(const MultistepFormula& formula, int points) {
  const auto angle = [&formula](double theta) { return angle_from_negative_axis(root_locus_point(formula, theta)); };
  int best = 1;
  for (int i = 2; i < points; ++i)
    if (angle(M_PI * i / points) < angle(M_PI * best / points)) best = i;
  const double step = M_PI / points;
  const int bits = std::numeric_limits<double>::digits / 2;  // the angle then has all its digits
  const auto minimum =
      boost::math::tools::brent_find_minima(angle, (best - 1) * step + 1e-9, std::min((best + 1) * step, M_PI), bits);
  return std::min(minimum.second, angle(M_PI));
}

std::optional<StabilitySector> sector_of(const MultistepForm& form) {
  const Property property = a_stable(form);
  if (property.holds) return StabilitySector{90, property.proof};
  const StabilityPolynomial pi = stability_polynomial(form);
  const double at_infinity = pi.spectral_radius_at_infinity();
  if (form.predictor || !zero_stable(form).holds || at_infinity > 1 + 1e-10 || pi.spectral_radius(-1) > 1) return {};
  const int points = 20000;
  const double angle = std::min(angle_of_locus(form.formula, points), 90.0);
  if (angle < 1e-3) return {};
  return StabilitySector{
      rounded_down(angle),
      fmt::format("numerical, to 8 digits: the root locus at {} points and Brent's method give {:.6f} degrees; "
                  "stable at w = -1 and zero-stable",
                  points, angle)};
}

// Where |P|^2 <= |Q|^2 ends for w = -x: Q - P and Q + P have no common zero, so the first change of sign of either.
template <class T>
double real_interval(Poly<T> P, Poly<T> Q) {
  for (Poly<T>* p : {&P, &Q})
    for (std::size_t i = 1; i < p->size(); i += 2) (*p)[i] = -(*p)[i];
  double end = infinite;
  for (const Poly<T>& side : {difference(Q, P), difference(Q, difference({}, P))})
    if (const auto x = first_fall_below_zero(side)) end = std::min(end, static_cast<double>(decimal(*x)));
  return end;
}

template <class T>
double imaginary_interval(const Poly<T>& P, const Poly<T>& Q) {
  const auto end = first_fall_below_zero(difference(squared_modulus(Q), squared_modulus(P)));
  return end ? std::sqrt(static_cast<double>(decimal(*end))) : infinite;
}

template <class T>
StabilityIntervals intervals_of(const Poly<T>& P, const Poly<T>& Q) {
  return {real_interval(P, Q), imaginary_interval(P, Q), 14};
}

// The first x > 0 where a root of pi is outside the unit circle at x * direction.
double first_instability(const StabilityPolynomial& pi, Complex direction) {
  constexpr double first = 1e-3, last = 1e7, ratio = 1.01, noise = 1e-10;
  const auto unstable = [&](double x) { return pi.spectral_radius(x * direction) > 1 + noise; };
  double low = 0, high = first;
  while (!unstable(high)) {
    low = high;
    high *= ratio;
    if (high > last) return pi.spectral_radius_at_infinity() > 1 + noise ? last : infinite;
  }
  while (high - low > 1e-12 * high) {
    const double middle = (low + high) / 2;
    (unstable(middle) ? high : low) = middle;
  }
  return low > first * 1e-3 ? low : 0;
}

// zeta(w) = 1 + z_1 w + ... of the principal root, so many terms: order by order, z_m is in pi(zeta(w), w) at w^m
// with the factor pi_zeta(1, 0).
Poly<Real100> principal_series(const StabilityPolynomial& pi, std::size_t terms) {
  Real100 slope = 0;
  for (Index j = 1; j <= pi.degree(); ++j) slope += j * pi.c(0, j);
  Poly<Real100> zeta(terms, Real100(0));
  zeta[0] = 1;
  for (std::size_t m = 1; m < terms; ++m) {
    Poly<Real100> power(terms, Real100(0));
    power[0] = 1;
    Real100 defect = 0;
    for (Index j = 0; j <= pi.degree(); ++j) {
      for (Index i = 0; i < std::min<Index>(pi.c.rows(), static_cast<Index>(m) + 1); ++i)
        defect += pi.c(i, j) * power[m - static_cast<std::size_t>(i)];
      power = product(power, zeta);
      power.resize(terms);
    }
    zeta[m] = -defect / slope;
  }
  return zeta;
}

// |zeta(iy)| > 1 for small y > 0, by the first term of the series of |zeta(iy)|^2 - 1 that does not vanish.
bool grows_near_zero(const StabilityPolynomial& pi) {
  const std::size_t order = static_cast<std::size_t>(std::max(linear_order(pi).order, 0));
  Poly<Real100> size = squared_modulus(principal_series(pi, 2 * order + 6));
  for (std::size_t i = 1; i < order + 3; ++i)
    if (abs(size[i]) > pi.tolerance) return size[i] > 0;
  return false;
}

std::optional<StabilityIntervals> scanned_intervals(const StabilityPolynomial& pi) {
  const double imaginary = grows_near_zero(pi) ? 0 : first_instability(pi, Complex(0, 1));
  return StabilityIntervals{first_instability(pi, -1), imaginary, 8};
}

std::optional<StabilityIntervals> intervals_of(const StabilityFunction& R) {
  if (a_stable(R).holds) return StabilityIntervals{infinite, infinite, 14};
  constexpr int exact_degree = 20;
  if (std::max(degree(R.numerator), degree(R.denominator)) > exact_degree)
    return scanned_intervals(stability_polynomial(R));
  return R.is_rational() ? intervals_of(R.exact_numerator, R.exact_denominator)
                         : intervals_of(R.numerator, R.denominator);
}

std::optional<StabilityIntervals> intervals_of(const MultistepForm& form) {
  if (!zero_stable(form).holds) return StabilityIntervals{0, 0, 8};
  if (a_stable(form).holds) return StabilityIntervals{infinite, infinite, 8};
  return scanned_intervals(stability_polynomial(form));
}

}  // namespace

std::optional<StabilitySector> stability_sector(const MethodForm& form) {
  if (const auto linear = linear_form(form)) return stability_sector(*linear);
  if (const auto* tableau = std::get_if<Tableau>(&form)) return sector_of(stability_function(*tableau));
  if (const auto* multistep = std::get_if<MultistepForm>(&form)) return sector_of(*multistep);
  return {};
}

std::optional<StabilityIntervals> stability_intervals(const MethodForm& form) {
  if (const auto linear = linear_form(form)) return stability_intervals(*linear);
  if (const auto* tableau = std::get_if<Tableau>(&form)) return intervals_of(stability_function(*tableau));
  if (const auto* multistep = std::get_if<MultistepForm>(&form)) return intervals_of(*multistep);
  return {};
}

}  // namespace daelab
