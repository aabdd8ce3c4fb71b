#include "analysis/multistep.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "analysis/polynomial_text.hpp"
#include "analysis/roots.hpp"
#include "analysis/stability_polynomial.hpp"
#include "core/base/exact.hpp"

namespace daelab {
namespace {

using Complex = std::complex<double>;

// sum_j x_j zeta^(k-j), the coefficient of zeta^i at position i.
Poly<Real100> ascending(const Vector<Real100>& x) {
  return {std::make_reverse_iterator(x.end()), std::make_reverse_iterator(x.begin())};
}

// rho and sigma as fractions, if all coefficients are.
struct ExactFormula {
  Poly<Rational> rho, sigma;
  explicit ExactFormula(const MultistepFormula& formula)
      : rho(fractions(ascending(formula.alpha))), sigma(fractions(ascending(formula.beta))) {}
  bool known() const { return !rho.empty() && !sigma.empty(); }
};

std::string evidence(bool is_rational) {
  return is_rational ? "exact, in rational arithmetic: " : "numerical, in 100 digits, below 1e-60 taken as zero: ";
}

std::string text(Complex z) {
  if (std::abs(z.imag()) < 1e-12 * std::abs(z)) return fmt::format("{:.6g}", z.real());
  return fmt::format("{:.6g} {} {:.6g} i", z.real(), z.imag() < 0 ? "-" : "+", std::abs(z.imag()));
}

template <class T>
Complex largest_zero_of(const Poly<T>& p) {
  std::vector<Complex> rounded;
  for (const T& a : p) rounded.push_back(static_cast<double>(decimal(a)));
  return largest_zero(rounded);
}

template <class T>
Property root_condition(const Poly<T>& rho) {
  const std::string rho_text = "rho(zeta) = " + polynomial_text(rho, "zeta");
  const CircleZeros zeros = circle_zeros(rho);
  if (zeros.any_outside) {
    const Complex zeta = largest_zero_of(rho);
    return {false, fmt::format("{} has a zero outside the unit circle, near {} of modulus {:.6g}", rho_text, text(zeta),
                               std::abs(zeta))};
  }
  if (zeros.repeated_on) return {false, rho_text + " has a repeated zero on the unit circle"};
  return {true, fmt::format("{}: no zero outside the unit circle (Routh-Hurwitz after zeta = (1 + s)/(1 - s)), and "
                            "{} on it, simple",
                            rho_text, zeros.on)};
}

// Re rho(zeta) conj(sigma(zeta)) on |zeta| = 1 in x = cos theta: sum_m c_m T_m(x), c_m the sum over |i - j| = m.
template <class T>
Poly<T> real_part_on_circle(const Poly<T>& rho, const Poly<T>& sigma) {
  Poly<T> before{T(1)}, chebyshev{T(0), T(1)}, sum;
  for (std::size_t m = 0; m < rho.size(); ++m) {
    const Poly<T> current = m == 0 ? before : chebyshev;
    T c = 0;
    for (std::size_t i = 0; i + m < rho.size(); ++i)
      c += m == 0 ? T(rho[i] * sigma[i]) : T(rho[i] * sigma[i + m] + rho[i + m] * sigma[i]);
    sum.resize(std::max(sum.size(), current.size()), T(0));
    for (std::size_t i = 0; i < current.size(); ++i) sum[i] += c * current[i];
    if (m > 0) before = std::exchange(chebyshev, difference(product({T(0), T(2)}, chebyshev), before));
  }
  return trimmed(sum);
}

// A point left of the imaginary axis where a root is outside the circle, near one on the locus.
std::string counterexample(const StabilityPolynomial& pi, Complex crossing) {
  Complex worst = crossing;
  for (const double factor : {0.1, 0.5, 0.9, 0.99, 1.01, 1.1, 1.5, 2.0}) {
    const Complex w(factor * crossing.real(), crossing.imag());
    if (pi.spectral_radius(w) > pi.spectral_radius(worst)) worst = w;
  }
  return fmt::format("|zeta| = {:.6g} at w = {}", pi.spectral_radius(worst), text(worst));
}

template <class T>
Property a_stable(const Poly<T>& rho, const Poly<T>& sigma, const MultistepForm& form) {
  const StabilityPolynomial pi = stability_polynomial(form);
  const Poly<T> real_part = real_part_on_circle(rho, sigma);
  const std::string statement = "Re(rho/sigma) |sigma|^2 = " + polynomial_text(real_part, "c") + " with c = cos theta";
  // c = (1 - y)/(1 + y), y = tan^2(theta/2), times a power of 1 + y.
  const auto negative = negative_point(substituted(real_part, {T(1), T(-1)}, {T(1), T(1)}));
  if (negative) {
    const double theta = 2 * std::atan(std::sqrt(static_cast<double>(decimal(*negative))));
    return {false, fmt::format("{} < 0 at theta = {:.4g}: {}", statement, theta,
                               counterexample(pi, root_locus_point(form.formula, theta)))};
  }
  const CircleZeros at_minus_one = circle_zeros(difference(rho, Poly<T>(product(sigma, {T(-1)}))));
  if (at_minus_one.any_outside || at_minus_one.on > 0)
    return {false, fmt::format("a root outside or on the circle at w = -1: |zeta| = {:.6g}", pi.spectral_radius(-1))};
  return {true, statement +
                    " >= 0 for |c| <= 1 (Sturm sequence); all roots at w = -1 are inside the circle "
                    "(Routh-Hurwitz)"};
}

// The order named by the second barrier is that of the formula: no A-stable one exceeds 2. [HW96, theorem V.1.4]
std::string barrier(const MultistepForm& form) {
  const int order = multistep_order(form).order;
  return order > 2 ? fmt::format("; order {} > 2, which Dahlquist's second barrier forbids", order) : "";
}

bool is_explicit(const MultistepForm& form) { return form.predictor || abs(form.formula.beta[0]) < Real100("1e-80"); }

}  // namespace

MultistepOrder multistep_order(const MultistepForm& form) {
  const Real100 sum = form.formula.alpha.sum();
  if (abs(sum) > Real100("1e-80")) return {0, 0, fmt::format("sum_j alpha_j is {}, must be 0", exact_text(sum))};
  const LinearOrder corrector = linear_order(stability_polynomial(MultistepForm{form.formula, {}}));
  if (!form.predictor)
    return {corrector.order, corrector.error_constant,
            fmt::format("sum_j alpha_j (-j)^q = q sum_j beta_j (-j)^(q-1) for q = 0..{}, not for q = {}",
                        corrector.order, corrector.order + 1)};
  const LinearOrder predictor = linear_order(stability_polynomial(MultistepForm{*form.predictor, {}}));
  return {std::min(corrector.order, predictor.order + 1), linear_order(stability_polynomial(form)).error_constant,
          fmt::format("PECE: the smaller of the corrector's order {} and one more than the predictor's order {}",
                      corrector.order, predictor.order)};
}

Property zero_stable(const MultistepForm& form) {
  const Poly<Real100> rho = ascending(form.formula.alpha);
  const Poly<Rational> exact = fractions(rho);
  Property property = exact.empty() ? root_condition(rho) : root_condition(exact);
  property.proof = evidence(!exact.empty()) + property.proof;
  return property;
}

Property a_stable(const MultistepForm& form) {
  if (is_explicit(form))
    return {false, std::string("exact: explicit") + (form.predictor ? " (PECE)" : "") +
                       ", so a root grows without bound as w -> -infinity"};
  const ExactFormula exact(form.formula);
  Property property = exact.known() ? a_stable(exact.rho, exact.sigma, form)
                                    : a_stable(ascending(form.formula.alpha), ascending(form.formula.beta), form);
  property.proof = evidence(exact.known()) + property.proof + barrier(form);
  return property;
}

Property l_stable(const MultistepForm& form) {
  Property property = a_stable(form);
  if (!property.holds) return property;
  const Vector<Real100>& beta = form.formula.beta;
  property.holds = beta.tail(beta.size() - 1).cwiseAbs().maxCoeff() < Real100("1e-80");
  property.proof += property.holds ? "; sigma(zeta) = beta_0 zeta^k, so all roots vanish as w -> -infinity"
                                   : fmt::format("; but |zeta| -> {:.6g} as w -> -infinity",
                                                 stability_polynomial(form).spectral_radius_at_infinity());
  return property;
}

Complex root_locus_point(const MultistepFormula& formula, double theta) {
  Complex rho = 0, sigma = 0;
  for (Index j = 0; j <= formula.steps(); ++j) {
    const Complex power = std::polar(1.0, -theta * static_cast<double>(j));
    rho += static_cast<double>(formula.alpha[j]) * power;
    sigma += static_cast<double>(formula.beta[j]) * power;
  }
  return rho / sigma;
}

std::vector<Complex> root_locus(const MultistepFormula& formula, int points) {
  std::vector<Complex> locus;
  for (int i = 0; i < points; ++i) locus.push_back(root_locus_point(formula, M_PI * i / (points - 1)));
  return locus;
}

}  // namespace daelab
