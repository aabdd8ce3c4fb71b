#include "analysis/oscillator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/mode_polynomial.hpp"
#include "analysis/roots.hpp"
#include "core/solvers/dense.hpp"

namespace daelab {
namespace {

using Complex = std::complex<double>;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

// Both w = h lambda of the oscillator; the first with Im w >= 0.
std::array<Complex, 2> eigenvalues(double Omega, double zeta) {
  if (zeta < 1) {
    const Complex w = Omega * Complex(-zeta, std::sqrt(1 - zeta * zeta));
    return {w, std::conj(w)};
  }
  const double root = std::sqrt(zeta * zeta - 1);
  return {Omega * (root - zeta), -Omega * (root + zeta)};
}

double largest_modulus(const std::vector<Complex>& modes) {
  double result = 0;
  for (const Complex& z : modes) result = std::max(result, std::abs(z));
  return result;
}

Complex nearest(const std::vector<Complex>& modes, Complex z) {
  return *std::min_element(modes.begin(), modes.end(),
                           [z](Complex a, Complex b) { return std::norm(a - z) < std::norm(b - z); });
}

// The zeros of sum_j c_j(kappa) z^j as kappa -> infinity: of the coefficients of the highest power of kappa. Multiple
// ones are made simple first, which keeps all their digits.
double radius_at_infinity(const OscillatorForm& form) {
  const auto c = mode_polynomial<Real100>(form, [](const Real100& x) { return x; });
  std::size_t powers = 0;
  for (const Poly<Real100>& p : c) powers = std::max(powers, p.size());
  if (powers == 0 || c.back().size() < powers) return infinity;
  Poly<Real100> highest;
  for (const Poly<Real100>& p : c) highest.push_back(p.size() == powers ? p.back() : Real100(0));
  highest = scaled(highest);
  const Poly<Real100> simple = divided(highest, greatest_common_divisor(highest, derivative(highest))).first;
  std::vector<Complex> rounded;
  for (const Real100& a : simple) rounded.emplace_back(static_cast<double>(a));
  return std::abs(largest_zero(rounded));
}

}  // namespace

std::optional<Oscillator> Oscillator::of(const MethodForm& form) {
  if (const auto linear = linear_form(form)) return of(*linear);
  Oscillator result;
  if (const auto* oscillator = std::get_if<OscillatorForm>(&form))
    result.pencil_ = rounded(*oscillator);
  else if (result.pi_ = stability_polynomial(form); !result.pi_)
    return std::nullopt;
  return result;
}

Oscillator::Pencil Oscillator::rounded(const OscillatorForm& form) {
  Pencil pencil;
  for (std::size_t i = 0; i < 3; ++i)
    pencil.next[i] = form.next[i].cast<double>(), pencil.now[i] = form.now[i].cast<double>();
  pencil.rho_infinity = radius_at_infinity(form);
  return pencil;
}

Matrix<double> Oscillator::Pencil::amplification(double Omega, double zeta) const {
  const double kappa = Omega * Omega, delta = 2 * zeta * Omega;
  Matrix<double> left = next[0] + delta * next[1] + kappa * next[2];
  Matrix<double> right = now[0] + delta * now[1] + kappa * now[2];
  for (Index i = 0; i < left.rows(); ++i) {  // rows of size 1, also for large Omega
    const double size = left.row(i).cwiseAbs().maxCoeff();
    left.row(i) /= size, right.row(i) /= size;
  }
  return dense::solve(left, right);
}

std::vector<Complex> Oscillator::modes(double Omega, double zeta) const {
  std::vector<Complex> result;
  if (pencil_) {
    const Matrix<double> A = pencil_->amplification(Omega, zeta);
    if (!A.allFinite()) return result;
    const Vector<Complex> values = dense::eigenvalues(A);
    return {values.begin(), values.end()};
  }
  for (const Complex& w : eigenvalues(Omega, zeta)) {
    const std::vector<Complex> roots = pi_->roots(w);
    result.insert(result.end(), roots.begin(), roots.end());
  }
  return result;
}

double Oscillator::spectral_radius(double Omega, double zeta) const {
  if (pencil_) {
    const std::vector<Complex> all = modes(Omega, zeta);
    return all.empty() ? infinity : largest_modulus(all);
  }
  const auto w = eigenvalues(Omega, zeta);
  return std::max(pi_->spectral_radius(w[0]), pi_->spectral_radius(w[1]));
}

// Among several roots of a multistep method the one continued from z = 1 at w = 0. An oscillator form has one pair.
Complex Oscillator::principal_mode(Complex w, double Omega, double zeta) const {
  if (pencil_) {
    const std::vector<Complex> all = modes(Omega, zeta);
    if (all.empty()) return nan;
    return *std::max_element(all.begin(), all.end(), [](Complex a, Complex b) { return a.imag() < b.imag(); });
  }
  constexpr double longest = 0.1;
  const int parts = pi_->degree() == 1 ? 1 : 1 + static_cast<int>(std::abs(w) / longest);
  const Complex factor = std::exp(w / static_cast<double>(parts));
  Complex z = 1;
  for (int i = 1; i <= parts; ++i) {
    const std::vector<Complex> roots = pi_->roots(w * (static_cast<double>(i) / parts));
    if (roots.empty()) return nan;
    z = nearest(roots, z * factor);
  }
  return z;
}

OscillatorResponse Oscillator::response(double Omega, double zeta) const {
  OscillatorResponse result{spectral_radius(Omega, zeta), nan, nan};
  const Complex w = eigenvalues(Omega, zeta)[0];
  if (!(w.imag() > 0 && w.imag() < M_PI)) return result;
  const Complex z = principal_mode(w, Omega, zeta);
  if (!std::isfinite(z.real()) || z.imag() == 0) return result;
  const double phase = std::arg(z) > 0 ? std::arg(z) : std::arg(z) + 2 * M_PI;
  constexpr double round_off = 1e-13;
  const double growth = std::log(std::abs(z)), decay = std::abs(growth) < round_off ? 0 : -growth;
  result.period_error = w.imag() / phase - 1;
  result.damping_ratio = decay / std::hypot(decay, phase);
  return result;
}

double Oscillator::rho_infinity() const { return pencil_ ? pencil_->rho_infinity : pi_->spectral_radius_at_infinity(); }

Oscillator::Overshoot Oscillator::overshoot(double Omega, int steps) const {
  return pencil_ ? overshoot_of_form(Omega, steps) : overshoot_of_polynomial(Omega, steps);
}

Oscillator::Overshoot Oscillator::overshoot_of_form(double Omega, int steps) const {
  const Matrix<double> A = pencil_->amplification(Omega, 0);
  Vector<double> X = Vector<double>::Zero(A.rows());
  X[0] = 1;
  if (X.size() > 2) X[2] = -Omega * Omega;  // h^2 a
  Overshoot result;
  for (int n = 0; n < steps; ++n) {
    X = A * X;
    result.displacement = std::max(result.displacement, std::abs(X[0]));
    result.velocity = std::max(result.velocity, std::abs(X[1]) / Omega);
  }
  return result;
}

// y = q - i v/omega follows y' = i omega y; the first values are exact.
Oscillator::Overshoot Oscillator::overshoot_of_polynomial(double Omega, int steps) const {
  const Index k = pi_->degree();
  std::vector<Complex> p(static_cast<std::size_t>(k + 1), 0), y;
  for (Index j = 0; j <= k; ++j) {
    Complex& coefficient = p[static_cast<std::size_t>(j)];
    for (Index i = pi_->c.rows(); i-- > 0;)
      coefficient = coefficient * Complex(0, Omega) + static_cast<double>(pi_->c(i, j));
  }
  for (Index j = 0; j < k; ++j) y.push_back(std::polar(1.0, static_cast<double>(j) * Omega));
  Overshoot result;
  for (int n = 0; n < steps; ++n) {
    Complex known = 0;
    for (std::size_t j = 0; j + 1 < p.size(); ++j) known += p[j] * y[y.size() + 1 + j - p.size()];
    y.push_back(-known / p.back());
    result.displacement = std::max(result.displacement, std::abs(y.back().real()));
    result.velocity = std::max(result.velocity, std::abs(y.back().imag()));
  }
  return result;
}

std::optional<Oscillator::OvershootPowers> Oscillator::overshoot_powers() const {
  constexpr double low = 1e4, high = 1e6;
  if (!(rho_infinity() <= 1 + 1e-9)) return std::nullopt;
  const Overshoot at_low = overshoot(low), at_high = overshoot(high);
  const auto power = [](double a, double b) {
    return static_cast<int>(std::lround(std::log(b / a) / std::log(high / low)));
  };
  return OvershootPowers{power(at_low.displacement, at_high.displacement), power(at_low.velocity, at_high.velocity)};
}

namespace {

using Series = Poly<Real100>;  // in h, the terms below h^terms exact
constexpr int terms = 9;

// The exponent of the first term.
int lowest(const Series& p) {
  int i = 0;
  while (i < terms && (static_cast<std::size_t>(i) >= p.size() || is_zero(p[static_cast<std::size_t>(i)]))) ++i;
  return i;
}

Series exponential(int lambda) {
  Series p{1};
  for (int i = 1; i < terms; ++i) p.push_back(p.back() * lambda / i);
  return p;
}

// exp(lambda h) next - now for the oscillator with eigenvalues lambda and mu, delta = -(lambda + mu) h,
// kappa = lambda mu h^2.
PolyMatrix<Real100> defect(const OscillatorForm& form, int lambda, int mu) {
  const Series z = exponential(lambda);
  PolyMatrix<Real100> m;
  for (Index i = 0; i < form.size(); ++i) {
    m.emplace_back();
    for (Index j = 0; j < form.size(); ++j) {
      const auto entry = [&](const std::array<Matrix<Real100>, 3>& x) {
        return trimmed(Series{x[0](i, j), x[1](i, j) * -(lambda + mu), x[2](i, j) * (lambda * mu)});
      };
      m.back().push_back(difference(product(z, entry(form.next)), entry(form.now)));
    }
  }
  return m;
}

// The cofactors of a row are a mode: hv - lambda h q relative to q, of the row with the largest q as h -> 0.
int velocity_order(const PolyMatrix<Real100>& m, int lambda) {
  int least = terms, order = terms;
  for (std::size_t row = 0; row < m.size(); ++row) {
    const Series q = determinant(submatrix(m, row, 0)), hv = negated(determinant(submatrix(m, row, 1)));
    if (lowest(q) >= least) continue;
    least = lowest(q);
    order = lowest(difference(hv, product(Series{0, lambda}, q))) - least - 1;
  }
  return order;
}

}  // namespace

// The determinant is (e^(lambda h) - z)(e^(lambda h) - z') up to a factor, the second one O(h). The coefficients of h^i
// are forms of degree i in (lambda, mu): zero for all when they are for eight ratios and i < 8.
int oscillator_order(const OscillatorForm& form) {
  int order = terms - 2;
  for (const int mu : {-3, -2, -1, 2, 3, 4, 5, 6}) {
    const PolyMatrix<Real100> m = defect(form, 1, mu);
    order = std::min({order, lowest(determinant(m)) - 2, velocity_order(m, 1)});
  }
  return order;
}

}  // namespace daelab
