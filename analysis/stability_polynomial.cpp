#include "analysis/stability_polynomial.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/roots.hpp"

namespace daelab {
namespace {

using Complex = std::complex<double>;

// sum_i column_i w^i, times w^-n for |w| > 1 (n the degree), where the powers would overflow; that factor is common to
// all coefficients in zeta.
template <class T>
struct PowerSum {
  explicit PowerSum(const std::complex<T>& w) : outside(norm(w) > 1), x(outside ? std::complex<T>(1) / w : w) {}
  // The coefficient of the i-th highest power of x.
  T coefficient(const Eigen::Ref<const Vector<T>>& column, Index i) const {
    return column[outside ? i : column.size() - 1 - i];
  }

  bool outside;
  std::complex<T> x;
};

// By Horner's rule; `bound` is the same sum of the moduli, which bounds the round-off.
Complex in_double(const Eigen::Ref<const Vector<double>>& column, Complex w, double& bound) {
  const PowerSum<double> sum(w);
  const auto& x = sum.x;
  const double size = std::sqrt(std::norm(x));
  double re = 0, im = 0;
  bound = 0;
  for (Index i = 0; i < column.size(); ++i) {
    const double a = sum.coefficient(column, i);
    const double next = re * x.real() - im * x.imag() + a;
    im = re * x.imag() + im * x.real();
    re = next;
    bound = bound * size + std::abs(a);
  }
  return {re, im};
}

// By division by the real polynomial (z - x)(z - conj(x)), with half the products of Horner's rule (Knuth: The Art of
// Computer Programming, vol. 2, section 4.6.4). Next to the real axis it loses digits; there
// are enough.
Complex in_many_digits(const Eigen::Ref<const Vector<Real100>>& column, Complex w) {
  const PowerSum<Real100> sum(std::complex<Real100>(w.real(), w.imag()));
  const auto& x = sum.x;
  const Real100 twice = 2 * x.real(), square = norm(x);
  Real100 last = 0, before = 0;
  for (Index i = 0; i + 1 < column.size(); ++i) {
    Real100 next = sum.coefficient(column, i);
    next += twice * last;
    next -= square * before;
    before = last;
    last = next;
  }
  const Real100 real = last * x.real() + (sum.coefficient(column, column.size() - 1) - square * before);
  return {static_cast<double>(real), static_cast<double>(Real100(last * x.imag()))};
}

Real100 largest(const Matrix<Real100>& c, Index row) {
  Real100 size = 0;
  for (Index j = 0; j < c.cols(); ++j) size = std::max(size, Real100(abs(c(row, j))));
  return size;
}

// A power of two, so that scaling w by it is free of round-off. Coefficients of explicit methods of 100 stages reach
// 1e-350, where double has no numbers any more.
double scale_of(const Matrix<Real100>& c) {
  const Index n = c.rows() - 1;
  if (n == 0) return 1;
  const double logarithm = static_cast<double>(Real100(log(Real100(largest(c, 0) / largest(c, n)))));
  return std::exp2(std::round(logarithm / std::log(2) / static_cast<double>(n)));
}

// e^(jw) = sum_m (j w)^m / m!: entry (j, m).
Matrix<Real100> exponentials(Index degree, Index terms) {
  Matrix<Real100> series(degree + 1, terms);
  for (Index j = 0; j <= degree; ++j) {
    series(j, 0) = 1;
    for (Index m = 1; m < terms; ++m) series(j, m) = series(j, m - 1) * j / m;
  }
  return series;
}

}  // namespace

StabilityPolynomial::StabilityPolynomial(Matrix<Real100> coefficients)
    : c(std::move(coefficients)), scale_(scale_of(c)), scaled_(c / largest(c, 0)) {
  Real100 power = 1;
  for (Index i = 0; i < c.rows(); ++i, power *= scale_) scaled_.row(i) *= power;
  rounded_ = scaled_.cast<double>();
}

Complex StabilityPolynomial::coefficient(Index j, Complex w) const {
  const Complex x = w / scale_;
  double bound = 0;
  const Complex rounded = in_double(rounded_.col(j), x, bound);
  // What cancellation leaves must keep some eight digits; polynomials of high degree on the negative axis do not.
  if (std::norm(rounded) > 1e-14 * bound * bound || bound == 0) return rounded;
  return in_many_digits(scaled_.col(j), x);
}

std::vector<Complex> StabilityPolynomial::in_zeta(Complex w) const {
  std::vector<Complex> p(static_cast<std::size_t>(c.cols()));
  for (Index j = 0; j < c.cols(); ++j) p[static_cast<std::size_t>(j)] = coefficient(j, w);
  return p;
}

std::vector<Complex> StabilityPolynomial::roots(Complex w) const { return zeros(in_zeta(w)); }

double StabilityPolynomial::spectral_radius(Complex w) const {
  if (degree() == 1) return std::abs(coefficient(0, w)) / std::abs(coefficient(1, w));
  return std::abs(largest_zero(in_zeta(w)));
}

double StabilityPolynomial::spectral_radius_at_infinity() const {
  const auto highest = rounded_.row(rounded_.rows() - 1);
  return std::abs(largest_zero({highest.begin(), highest.end()}));
}

StabilityPolynomial stability_polynomial(const StabilityFunction& R) {
  Matrix<Real100> c = Matrix<Real100>::Zero(static_cast<Index>(std::max(R.numerator.size(), R.denominator.size())), 2);
  for (std::size_t i = 0; i < R.numerator.size(); ++i) c(static_cast<Index>(i), 0) = -R.numerator[i];
  for (std::size_t i = 0; i < R.denominator.size(); ++i) c(static_cast<Index>(i), 1) = R.denominator[i];
  StabilityPolynomial pi(c);
  pi.tolerance = R.tolerance();
  return pi;
}

StabilityPolynomial stability_polynomial(const MultistepForm& form) {
  const MultistepFormula& formula = form.formula;
  const Index k = std::max(formula.steps(), form.predictor ? form.predictor->steps() : 0);
  Matrix<Real100> c = Matrix<Real100>::Zero(form.predictor ? 3 : 2, k + 1);
  for (Index j = 0; j <= formula.steps(); ++j) {  // y_(n+1-j) is zeta^(k-j)
    c(0, k - j) += formula.alpha[j];
    if (j > 0 || !form.predictor) c(1, k - j) -= formula.beta[j];
  }
  if (!form.predictor) return StabilityPolynomial(c);
  const MultistepFormula& predictor = *form.predictor;
  const Real100 factor = formula.beta[0] / predictor.alpha[0];
  for (Index j = 1; j <= predictor.steps(); ++j) {
    c(1, k - j) += factor * predictor.alpha[j];
    c(2, k - j) -= factor * predictor.beta[j];
  }
  return StabilityPolynomial(c);
}

std::optional<StabilityPolynomial> stability_polynomial(const MethodForm& form) {
  if (const auto* tableau = std::get_if<Tableau>(&form)) return stability_polynomial(stability_function(*tableau));
  if (const auto* multistep = std::get_if<MultistepForm>(&form)) return stability_polynomial(*multistep);
  if (const auto linear = linear_form(form)) return stability_polynomial(*linear);
  return std::nullopt;
}

// pi(e^w, w) = pi_zeta(1, 0) C w^(p+1) + ..., because zeta = e^w - C w^(p+1) makes it vanish.
LinearOrder linear_order(const StabilityPolynomial& pi) {
  const Index terms = pi.c.size() + 1;  // so many functions w^i e^(jw) cannot cancel any longer
  const Matrix<Real100> series = exponentials(pi.degree(), terms);
  Real100 slope = 0;
  for (Index j = 1; j <= pi.degree(); ++j) slope += j * pi.c(0, j);
  LinearOrder result;
  for (Index m = 0; m < terms; ++m) {
    Real100 sum = 0;
    for (Index j = 0; j <= pi.degree(); ++j)
      for (Index i = 0; i < std::min(pi.c.rows(), m + 1); ++i) sum += pi.c(i, j) * series(j, m - i);
    if (abs(sum) < pi.tolerance) continue;
    result.order = static_cast<int>(m) - 1;
    result.error_constant =
        abs(slope) < pi.tolerance ? std::numeric_limits<Real100>::quiet_NaN() : Real100(sum / slope);
    break;
  }
  return result;
}

}  // namespace daelab
