// The stability functions of orthogonal Runge-Kutta-Chebyshev methods of order p = 2 and 4, after Abdulle:
//
//   R(z) = w(z) P_(s-p)(z),  w(z) = |z - zeta_1|^2 ... |z - zeta_(p/2)|^2,  R - exp = O(z^(p+1)),
//
// P_0, P_1, ... orthogonal on [-l, -1/20] for the weight w^2 / sqrt((z + l) (-1/20 - z)): then R oscillates nearly
// evenly there (Bernstein), and its three-term recurrence is that of the method. The zeros and l follow from the p
// conditions of order and from R = 19/20 at the maximum next to zero, z*, the damping of [Ab02]: for p = 4 that is the
// largest one, for p = 2 others are up to 0.97. p + 2 equations, solved by Newton's iteration, in 100 digits.
//
// [Ab02] Abdulle, Fourth order Chebyshev methods with recurrence relation, SIAM J. Sci. Comput. 23(6), 2002, 2041-2054.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <stdexcept>

#include "core/base/exact.hpp"
#include "core/solvers/dense.hpp"

namespace daelab {

/// The polynomials for u = (Re zeta_1, Im zeta_1, ..., l/s^2, z*).
template <class T, int order>
class RockPolynomial {
 public:
  static constexpr int unknowns = order + 2;
  using Unknowns = Eigen::Matrix<T, unknowns, 1>;
  template <int K>
  using Series = std::array<T, K + 1>;

  RockPolynomial(int stages, const Unknowns& u)
      : u_(u),
        length_(u[order] * T(stages * stages)),
        scale_(T(4) / length_),
        shift_(stages - order),
        ratio_(stages - order) {
    orthogonalize();
  }
  const T& length() const { return length_; }

  // Of order, and of the maximum at z*.
  Unknowns residual() const {
    const Series<order> at_zero = times_weight<order>(last<order>(T(0)), T(0));
    const Series<1> at_maximum = times_weight<1>(last<1>(u_[order + 1]), u_[order + 1]);
    Unknowns r;
    T factorial(1);
    for (int k = 1; k <= order; ++k) {
      factorial *= T(k);
      r[k - 1] = at_zero[k] * factorial / at_zero[0] - T(1);
    }
    r[order] = at_maximum[0] / at_zero[0] - T(19) / T(20);
    r[order + 1] = at_maximum[1] / at_zero[0];
    return r;
  }

  // Recurrence of P_j(z)/P_j(0): mu_j, gamma_j.
  void recurrence(Vector<T>& mu, Vector<T>& gamma) const {
    mu.resize(shift_.size()), gamma.resize(shift_.size());
    T before(0), now(1);
    for (Index j = 0; j < shift_.size(); ++j) {
      const T next = -scale_ * shift_[j] * now - ratio_[j] * before;
      mu[j] = scale_ * now / next;
      gamma[j] = ratio_[j] * before / next;
      before = now, now = next;
    }
  }
  // 1, w_1, ..., w_p of w(z)/w(0).
  Series<order> weight_series() const {
    Series<order> one{T(1)}, w = times_weight<order>(one, T(0));
    for (int k = order; k >= 0; --k) w[k] /= w[0];
    return w;
  }

 private:
  T weight(const T& z) const {
    T product(1);
    for (int i = 0; i < order; i += 2) {
      const T offset = z - u_[i];
      product *= offset * offset + u_[i + 1] * u_[i + 1];
    }
    return product;
  }

  // P_(j+1) = scale (z - shift_j) P_j - ratio_j P_(j-1), by Stieltjes' procedure; Gauss-Chebyshev quadrature is exact.
  void orthogonalize() {
    using std::cos;
    const Index m = shift_.size(), N = m + order + 1;
    const T edge = T(1) / T(20), half = (length_ - edge) / T(2), middle = -half - edge;  // R = 0.951 at -edge
    Vector<T> z(N), W(N), before = Vector<T>::Zero(N), now = Vector<T>::Ones(N);
    for (Index k = 0; k < N; ++k) {
      z[k] = middle + half * T(cos(pi<T>() * T(2 * k + 1) / T(2 * N)));
      W[k] = weight(z[k]) / weight(-length_);
      W[k] *= W[k];
    }
    T norm_before(1);
    for (Index j = 0; j < m; ++j) {
      T norm(0), moment(0);
      for (Index k = 0; k < N; ++k) {
        const T square = W[k] * now[k] * now[k];
        norm += square, moment += z[k] * square;
      }
      shift_[j] = moment / norm;
      ratio_[j] = j == 0 ? T(0) : T(norm / norm_before);
      norm_before = norm;
      for (Index k = 0; k < N; ++k) {
        const T next = scale_ * (z[k] - shift_[j]) * now[k] - ratio_[j] * before[k];
        before[k] = now[k], now[k] = next;
      }
    }
  }

  // Taylor coefficients of P_(s-p) at z, and of w times a series.
  template <int K>
  Series<K> last(const T& z) const {
    Series<K> before{}, now{T(1)};
    for (Index j = 0; j < shift_.size(); ++j) {
      Series<K> next;
      for (int k = 0; k <= K; ++k)
        next[k] = scale_ * ((z - shift_[j]) * now[k] + (k > 0 ? now[k - 1] : T(0))) - ratio_[j] * before[k];
      before = now, now = next;
    }
    return now;
  }
  template <int K>
  Series<K> times_weight(Series<K> series, const T& z) const {
    for (int i = 0; i < order; i += 2) {
      const T offset = z - u_[i], constant = offset * offset + u_[i + 1] * u_[i + 1], linear = offset + offset;
      for (int k = K; k >= 0; --k) {
        T sum = constant * series[k];
        if (k > 0) sum += linear * series[k - 1];
        if (k > 1) sum += series[k - 2];
        series[k] = sum;
      }
    }
    return series;
  }

  Unknowns u_;
  T length_, scale_;         // 4/l: values neither grow nor shrink
  Vector<T> shift_, ratio_;  // (s - p)
};

/// For three numbers of stages.
template <int order>
struct RockStart {
  double stages[3];
  double known[3][order + 2];

  /// Interpolated in 1/s^2.
  typename RockPolynomial<double, order>::Unknowns at(int s) const {
    typename RockPolynomial<double, order>::Unknowns u = RockPolynomial<double, order>::Unknowns::Zero();
    for (int i = 0; i < 3; ++i) {
      double factor = 1;
      for (int j = 0; j < 3; ++j)
        if (j != i)
          factor *= (1.0 / (s * s) - 1 / (stages[j] * stages[j])) /
                    (1 / (stages[i] * stages[i]) - 1 / (stages[j] * stages[j]));
      for (int k = 0; k < order + 2; ++k) u[k] += factor * known[i][k];
    }
    return u;
  }
};

template <int order>
Eigen::Matrix<double, order + 2, order + 2> rock_jacobian(int stages,
                                                          const typename RockPolynomial<double, order>::Unknowns& u) {
  using Rough = RockPolynomial<double, order>;
  Eigen::Matrix<double, order + 2, order + 2> J;
  for (int k = 0; k < order + 2; ++k) {
    const double step = 1e-5 * std::abs(u[k]);
    typename Rough::Unknowns above = u, below = u;
    above[k] += step, below[k] -= step;
    J.col(k) = (Rough(stages, above).residual() - Rough(stages, below).residual()) / (2 * step);
  }
  return J;
}

/// Newton's iteration in double, then corrections in 100 digits with the Jacobian of double, each some nine digits.
/// Throws std::logic_error where it does not converge.
template <int order>
RockPolynomial<Real100, order> solved_rock_polynomial(int stages, const RockStart<order>& start) {
  using Polynomial = RockPolynomial<Real100, order>;
  using Rough = RockPolynomial<double, order>;
  typename Rough::Unknowns rough = start.at(stages);
  for (int k = 0; k < 8; ++k)
    rough -= dense::solve(rock_jacobian<order>(stages, rough), Rough(stages, rough).residual());
  const auto jacobian = rock_jacobian<order>(stages, rough);
  typename Polynomial::Unknowns u = rough.template cast<Real100>();
  for (int k = 0; k < 40; ++k) {
    Polynomial polynomial(stages, u);
    const typename Polynomial::Unknowns r = polynomial.residual();
    const Real100 size = r.cwiseAbs().maxCoeff();
    if (size < Real100("1e-90")) return polynomial;
    const typename Rough::Unknowns scaled = typename Polynomial::Unknowns(r / size).template cast<double>();
    u -= typename Polynomial::Unknowns(dense::solve(jacobian, scaled).template cast<Real100>() * size);
  }
  throw std::logic_error(fmt::format("the coefficients of rock{} with {} stages were not found", order, stages));
}

}  // namespace daelab
