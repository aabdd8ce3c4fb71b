#include "analysis/rounded_coefficients.hpp"

#include "core/base/interrupted.hpp"
#include "core/solvers/dense.hpp"

namespace daelab {

bool vanishes(const Real100& x, const Real100& error) {
  static const Real100 round_off("1e-70");  // of coefficients in 100 digits
  return abs(x) < round_off + error;
}
bool vanishes(const Rounded& x) {
  for (Index i = 0; i < x.value.size(); ++i)
    if (!vanishes(x.value[i], x.error[i])) return false;
  return true;
}
bool vanishes(const std::pair<Real100, Real100>& x) { return vanishes(x.first, x.second); }

Tableau inverse(const Matrix<Real100>& M, const Matrix<Real100>& M_error, const Tableau& t) {
  const Index s = M.rows();
  Tableau inverse;
  inverse.b = t.b, inverse.b_error = t.b_error, inverse.digits = t.digits;
  inverse.A = Matrix<Real100>(s, s);
  for (Index k = 0; k < s; stop_where_interrupted(), ++k)
    inverse.A.col(k) = dense::solve(M, Vector<Real100>::Unit(s, k));
  const Matrix<Real100> size = inverse.A.cwiseAbs();
  inverse.A_error = size * M_error * size;
  return inverse;
}

RoundedCoefficients::RoundedCoefficients(const Tableau& t)
    : exact_(t.digits == 0),
      A_(t.A, t.A_error),
      A_transposed_(t.A.transpose(), t.A_error.transpose()),
      b_{t.b, exact_ ? Vector<Real100>(Vector<Real100>::Zero(t.stages())) : t.b_error} {}

std::size_t RoundedCoefficients::work() const {
  return static_cast<std::size_t>(A_.value.nonZeros() + (exact_ ? 0 : A_.size.nonZeros() + A_.error.nonZeros()));
}

Rounded RoundedCoefficients::times(const Rounded& x, const Rounded& y) const {
  const Vector<Real100> value = x.value.cwiseProduct(y.value);
  if (exact_) return {value, x.error};
  return {value, x.value.cwiseAbs().cwiseProduct(y.error) + x.error.cwiseProduct(y.value.cwiseAbs())};
}

Rounded RoundedCoefficients::power(const Rounded& x, int k) const {
  Rounded result = ones();
  for (int i = 0; i < k; ++i) result = times(result, x);
  return result;
}

std::pair<Real100, Real100> RoundedCoefficients::sum(const Rounded& x) const {
  if (exact_) return {b_.value.dot(x.value), Real100(0)};
  return {b_.value.dot(x.value), b_.error.dot(x.value.cwiseAbs()) + b_.value.cwiseAbs().dot(x.error)};
}

Rounded RoundedCoefficients::product(const SparseRows& M, const Rounded& x) const {
  stop_where_interrupted();
  if (exact_) return {M.value * x.value, x.error};
  return {M.value * x.value, M.error * x.value.cwiseAbs() + M.size * x.error};
}

}  // namespace daelab
