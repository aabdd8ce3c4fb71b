// Unconditional stability and its limit on the undamped oscillator: what of the circle conditions is violated first.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/circle_conditions.hpp"
#include "analysis/multistep.hpp"
#include "analysis/oscillator.hpp"
#include "analysis/polynomial_text.hpp"
#include "analysis/roots.hpp"

namespace daelab {
namespace {

// p > 0 right of the origin after this: without zeros at it, and with a sign.
template <class T>
Poly<T> positive_near_zero(Poly<T> p) {
  p = scaled(p);
  while (!p.empty() && is_zero(p.front())) p.erase(p.begin());
  return !p.empty() && p.front() < 0 ? negated(p) : p;
}

// Where p and q first vanish together on x > 0.
template <class T>
std::optional<T> first_common_zero(const Poly<T>& p, const Poly<T>& q) {
  const Poly<T> common = greatest_common_divisor(p, q);
  if (common.empty()) return T(0);
  const Poly<T> simple = divided(common, greatest_common_divisor(common, derivative(common))).first;
  return first_fall_below_zero(positive_near_zero(simple));
}

// What is first violated as kappa grows.
struct Violation {
  Real100 kappa;
  std::string what;
};

struct CircleTest {
  std::string conditions;  // the polynomials that have to be nonnegative
  std::optional<Violation> violation;
  std::string evidence;
};

template <class T>
CircleTest circle_test(const ModePolynomial<T>& c, bool modes_may_meet) {
  const CircleConditions<T> found = circle_conditions(c);
  const std::vector<Poly<T>>& a = found.a;
  const std::size_t n = a.size() - 1;
  CircleTest test;
  const auto note = [&test](const std::optional<T>& kappa, const std::string& what) {
    if (kappa && (!test.violation || decimal(*kappa) < test.violation->kappa)) test.violation = {decimal(*kappa), what};
  };
  for (const auto& [name, p] : found.conditions) {
    const std::string equation = name + " = " + polynomial_text(p, "kappa");
    test.conditions += (test.conditions.empty() ? "" : ", ") + equation;
    note(first_fall_below_zero(p), equation + " < 0");
  }
  if (!modes_may_meet) {
    note(first_common_zero(a[0], a[1]), "a double mode z = 1");
    note(first_common_zero(a[n], a[n - 1]), "a double mode z = -1");
  }
  test.evidence = std::is_same_v<T, Rational> ? "exact, in rational arithmetic: "
                                              : "numerical, in 100 digits, below 1e-60 taken as zero: ";
  return test;
}

bool is_rational(const OscillatorForm& form) {
  for (const auto* side : {&form.next, &form.now})
    for (const Matrix<Real100>& m : *side)
      for (const Real100& x : m.reshaped())
        if (!recover_fraction(x)) return false;
  return true;
}

CircleTest circle_test(const OscillatorForm& form) {
  if (is_rational(form))
    return circle_test(mode_polynomial<Rational>(form, [](const Real100& x) { return *recover_fraction(x); }), false);
  return circle_test(mode_polynomial<Real100>(form, [](const Real100& x) { return x; }), false);
}

// A = R(h J) with J diagonalisable: double modes have two eigenvectors.
CircleTest circle_test(const StabilityFunction& R) {
  if (R.is_rational()) return circle_test(mode_polynomial(R.exact_numerator, R.exact_denominator), true);
  return circle_test(mode_polynomial(R.numerator, R.denominator), true);
}

double limit_of(const CircleTest& test) {
  if (!test.violation) return std::numeric_limits<double>::infinity();
  return std::sqrt(static_cast<double>(test.violation->kappa));
}

Property property_of(const CircleTest& test) {
  const std::string start = test.evidence + "z = (1 + s)/(1 - s), kappa = Omega^2: ";
  if (!test.violation)
    return {true, start + test.conditions + ", all >= 0 for kappa > 0 (Sturm sequences); no double mode on the circle"};
  if (test.violation->kappa == 0) return {false, start + test.violation->what + " as Omega -> 0"};
  return {false, fmt::format("{}{} from Omega = {:.6g} on (kappa = {})", start, test.violation->what, limit_of(test),
                             to_text(test.violation->kappa, 6))};
}

// ----- multistep methods: roots in double -----

// |zeta|^2 - 1 of the principal root at w = i Omega, Omega = 1/1000, in 100 digits by Newton's iteration: the sign as
// Omega -> 0.
Real100 growth_near_zero(const StabilityPolynomial& pi) {
  using Complex = std::complex<Real100>;
  const Real100 Omega = Real100(1) / 1000;
  const Complex w(0, Omega);
  Complex zeta(cos(Omega), sin(Omega));
  for (int iteration = 0; iteration < 10; ++iteration) {
    Complex value(0), slope(0);
    for (Index j = pi.degree(); j >= 0; --j) {
      Complex p(0);
      for (Index i = pi.c.rows(); i-- > 0;) p = p * w + pi.c(i, j);
      slope = slope * zeta + value;
      value = value * zeta + p;
    }
    zeta -= value / slope;
  }
  return norm(zeta) - 1;
}

struct Growth {
  double from = 0, to = 0;     // Omega between which a mode grows
  double largest = 1, at = 0;  // factor per step
};

constexpr double scan_from = 1e-2, scan_to = 1e3, scan_ratio = 1.02, scan_noise = 1e-12;

std::optional<Growth> first_growth(const StabilityPolynomial& pi) {
  const auto radius = [&pi](double Omega) { return pi.spectral_radius({0, Omega}); };
  const auto grows = [&](double Omega) { return radius(Omega) > 1 + scan_noise; };
  std::optional<Growth> found;
  if (growth_near_zero(pi) > Real100("1e-80")) found = Growth{};
  for (double x = scan_from; x < scan_to; x *= scan_ratio) {
    if (grows(x)) {
      if (!found) found = Growth{x == scan_from ? 0 : bisect(x / scan_ratio, x, grows)};
      if (const double r = radius(x); r > found->largest) found->largest = r, found->at = x;
    } else if (found && found->largest > 1) {
      found->to = bisect(x / scan_ratio, x, grows);
      return found;
    }
  }
  if (found) found->to = std::numeric_limits<double>::infinity();
  return found;
}

Property scanned(const StabilityPolynomial& pi) {
  const std::string how = fmt::format(
      "numerical, roots in double on a grid of Omega from {} to {}, ratio {}: ", scan_from, scan_to, scan_ratio);
  const auto growth = first_growth(pi);
  if (!growth) return {true, how + "none exceeds 1 in modulus"};
  if (std::isinf(growth->to)) return {false, fmt::format("{}solutions grow for Omega > {:.4g}", how, growth->from)};
  return {false, fmt::format("{}solutions grow for {:.4g} < Omega < {:.4g}, by up to {:.4g} per step at Omega = {:.3g}",
                             how, growth->from, growth->to, growth->largest, growth->at)};
}

}  // namespace

Property unconditionally_stable(const MethodForm& form) {
  if (const auto linear = linear_form(form)) return unconditionally_stable(*linear);
  if (const auto* none = std::get_if<NoForm>(&form)) return not_applicable(none->reason);
  if (const auto* oscillator = std::get_if<OscillatorForm>(&form)) return property_of(circle_test(*oscillator));
  if (const auto* tableau = std::get_if<Tableau>(&form)) {
    const StabilityFunction R = stability_function(*tableau);
    const Property stable = a_stable(R);
    return stable.holds ? stable : property_of(circle_test(R));
  }
  const auto& multistep = std::get<MultistepForm>(form);
  const Property stable = a_stable(multistep);
  return stable.holds ? stable : scanned(stability_polynomial(multistep));
}

double stability_limit(const MethodForm& form) {
  if (const auto linear = linear_form(form)) return stability_limit(*linear);
  if (std::holds_alternative<NoForm>(form)) return std::numeric_limits<double>::quiet_NaN();
  if (const auto* oscillator = std::get_if<OscillatorForm>(&form)) return limit_of(circle_test(*oscillator));
  if (const auto* tableau = std::get_if<Tableau>(&form)) {
    // Rounded coefficients of an A-stable method may seem to grow at zero, where the circle is met to a high order.
    const StabilityFunction R = stability_function(*tableau);
    return a_stable(R).holds == true ? std::numeric_limits<double>::infinity() : limit_of(circle_test(R));
  }
  const auto& multistep = std::get<MultistepForm>(form);
  const auto growth = first_growth(stability_polynomial(multistep));
  return growth ? growth->from : std::numeric_limits<double>::infinity();
}

}  // namespace daelab
