#include "methods/stabilized/rock4_coefficients.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>

#include "core/solvers/dense.hpp"

namespace daelab {
namespace {

template <class T>
T edge() {
  return T(1) / T(20);
}  // -z where the interval begins: R = 0.951 there, which goes on decreasing
template <class T>
T ripple() {
  return T(19) / T(20);
}

// The polynomials for u = (Re zeta_1, Im zeta_1, Re zeta_2, Im zeta_2, l/s^2, z*).
template <class T>
class Rock4Polynomial {
 public:
  using Unknowns = Eigen::Matrix<T, 6, 1>;
  template <int K>
  using Series = std::array<T, K + 1>;

  Rock4Polynomial(int stages, const Unknowns& u)
      : u_(u), length_(u[4] * T(stages * stages)), scale_(T(4) / length_), shift_(stages - 4), ratio_(stages - 4) {
    orthogonalize();
  }
  const T& length() const { return length_; }

  // Of order, and of the maximum at z*.
  Unknowns residual() const {
    const Series<4> at_zero = times_weight<4>(last<4>(T(0)), T(0));
    const Series<1> at_maximum = times_weight<1>(last<1>(u_[5]), u_[5]);
    Unknowns r;
    T factorial(1);
    for (int k = 1; k <= 4; ++k) {
      factorial *= T(k);
      r[k - 1] = at_zero[k] * factorial / at_zero[0] - T(1);
    }
    r[4] = at_maximum[0] / at_zero[0] - ripple<T>();
    r[5] = at_maximum[1] / at_zero[0];
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
  // 1, w_1, ..., w_4 of w(z)/w(0).
  Series<4> weight_series() const {
    Series<4> one{T(1)}, w = times_weight<4>(one, T(0));
    for (int k = 4; k >= 0; --k) w[k] /= w[0];
    return w;
  }

 private:
  T weight(const T& z) const {
    const T first = z - u_[0], second = z - u_[2];
    return (first * first + u_[1] * u_[1]) * (second * second + u_[3] * u_[3]);
  }

  // P_(j+1) = scale (z - shift_j) P_j - ratio_j P_(j-1), by Stieltjes' procedure; Gauss-Chebyshev quadrature is exact.
  void orthogonalize() {
    using std::cos;
    const Index m = shift_.size(), N = m + 5;
    const T half = (length_ - edge<T>()) / T(2), middle = -half - edge<T>();
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

  // Taylor coefficients of P_(s-4) at z, and of w times a series.
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
    for (int i = 0; i < 4; i += 2) {
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
  Vector<T> shift_, ratio_;  // (s - 4)
};

using Polynomial = Rock4Polynomial<Real100>;
using Rough = Rock4Polynomial<double>;

// Interpolated in 1/s^2 between 5, 10 and 25 stages, found by continuation from the zeros of 1 + z + ... + z^4/24.
Rough::Unknowns starting_values(int stages) {
  const double s[] = {5, 10, 25};
  const double known[3][6] = {{-0.222, 2.856, -2.011, 1.087, 0.2397, -4.64},
                              {-0.257, 3.387, -2.377, 1.268, 0.3228, -7.31},
                              {-0.297, 3.552, -2.481, 1.310, 0.3464, -8.16}};
  Rough::Unknowns u = Rough::Unknowns::Zero();
  for (int i = 0; i < 3; ++i) {
    double factor = 1;
    for (int j = 0; j < 3; ++j)
      if (j != i) factor *= (1.0 / (stages * stages) - 1 / (s[j] * s[j])) / (1 / (s[i] * s[i]) - 1 / (s[j] * s[j]));
    for (int k = 0; k < 6; ++k) u[k] += factor * known[i][k];
  }
  return u;
}

Eigen::Matrix<double, 6, 6> difference_quotients(int stages, const Rough::Unknowns& u) {
  Eigen::Matrix<double, 6, 6> J;
  for (int k = 0; k < 6; ++k) {
    const double step = 1e-5 * std::abs(u[k]);
    Rough::Unknowns above = u, below = u;
    above[k] += step, below[k] -= step;
    J.col(k) = (Rough(stages, above).residual() - Rough(stages, below).residual()) / (2 * step);
  }
  return J;
}

// Newton's iteration in double, then corrections in 100 digits with the Jacobian of double, each some nine digits.
Polynomial solved_polynomial(int stages) {
  Rough::Unknowns rough = starting_values(stages);
  for (int k = 0; k < 8; ++k)
    rough -= dense::solve(difference_quotients(stages, rough), Rough(stages, rough).residual());
  const Eigen::Matrix<double, 6, 6> jacobian = difference_quotients(stages, rough);
  Polynomial::Unknowns u = rough.cast<Real100>();
  for (int k = 0; k < 40; ++k) {
    Polynomial polynomial(stages, u);
    const Polynomial::Unknowns r = polynomial.residual();
    const Real100 size = r.cwiseAbs().maxCoeff();
    if (size < Real100("1e-90")) return polynomial;
    const Rough::Unknowns scaled = Polynomial::Unknowns(r / size).cast<double>();
    u -= Polynomial::Unknowns(dense::solve(jacobian, scaled).cast<Real100>() * size);
  }
  throw std::logic_error(fmt::format("the coefficients of rock4 with {} stages were not found", stages));
}

// Elementary weights of the first s - 4 stages, by the recurrence that the stages follow: of the trees t, [t], [t,t],
// [[t]], [t,t,t], [t,[t]], [[t,t]].
std::array<Real100, 8> elementary_weights(const Vector<Real100>& mu, const Vector<Real100>& gamma) {
  std::array<Real100, 8> before{}, now{};
  for (Index j = 0; j < mu.size(); ++j) {
    const Real100& c = now[1];
    const std::array<Real100, 8> slope{0, 1, c, c * c, now[2], c * c * c, c * now[2], now[3]};
    std::array<Real100, 8> next;
    for (int t = 1; t < 8; ++t) next[t] = now[t] + mu[j] * slope[t] + gamma[j] * (now[t] - before[t]);
    before = now, now = next;
  }
  return now;
}

// What is left for the finishing method: sum b c^2, b c^3, b c (A c), b A c^2.
struct Remaining {
  Real100 cc, ccc, c_Ac, Acc;
};
Remaining remaining_conditions(const std::array<Real100, 8>& p, const std::array<Real100, 5>& w) {
  Remaining r;
  const Real100 p1 = p[1];
  r.cc = Real100(1) / 3 - p[3] - w[1] * p1 * p1 - 2 * p1 * w[2];
  r.ccc = Real100(1) / 4 - p[5] - w[1] * p1 * p1 * p1 - 3 * p1 * p1 * w[2] - 3 * p1 * r.cc;
  r.c_Ac = Real100(1) / 8 - p[6] - w[1] * p1 * p[2] - (p1 * p1 + p[2]) * w[2] - p1 * r.cc - p1 * w[3];
  r.Acc = Real100(1) / 12 - p[7] - w[1] * p[3] - p1 * p1 * w[2] - 2 * p1 * w[3];
  return r;
}

// With c_2 and c_3 chosen, sum b A c^2 gives (A c)_3, sum b c (A c) gives c_4, the moments b, and the rest A.
void set_finishing_method(const std::array<Real100, 5>& w, const Remaining& r, Rock4Coefficients& method) {
  const Real100 c2 = w[1] / 4, c3 = w[1] / 2, D = w[4] / (r.Acc - c2 * w[3]);
  const Real100 c4 = (r.c_Ac - D * (r.ccc - c2 * r.cc)) / (w[3] - D * (r.cc - c2 * w[2]));
  Vector<Real100>& b = method.b;
  b.resize(4);
  b[1] = (r.ccc - (c3 + c4) * r.cc + c3 * c4 * w[2]) / (c2 * (c2 - c3) * (c2 - c4));
  b[2] = (r.ccc - (c2 + c4) * r.cc + c2 * c4 * w[2]) / (c3 * (c3 - c2) * (c3 - c4));
  b[3] = (r.ccc - (c2 + c3) * r.cc + c2 * c3 * w[2]) / (c4 * (c4 - c2) * (c4 - c3));
  b[0] = w[1] - b[1] - b[2] - b[3];
  const Real100 Ac3 = D * c3 * (c3 - c2), Ac4 = (w[3] - b[2] * Ac3) / b[3];
  Matrix<Real100>& A = method.A;
  A = Matrix<Real100>::Zero(4, 4);
  A(1, 0) = c2;
  A(2, 1) = Ac3 / c2;
  A(2, 0) = c3 - A(2, 1);
  A(3, 2) = w[4] / (b[3] * Ac3);
  A(3, 1) = (Ac4 - A(3, 2) * c3) / c2;
  A(3, 0) = c4 - A(3, 1) - A(3, 2);

  // sum e = sum e c = sum e c^2 = sum e (A c) = 0 over four stages and the step end, where c = sum b, A c = sum b c.
  Matrix<Real100> M(4, 4);
  M << 1, 1, 1, 1, 0, c2, c3, c4, 0, c2 * c2, c3 * c3, c4 * c4, 0, 0, Ac3, Ac4;
  const Vector<Real100> end{{Real100(1), w[1], w[1] * w[1], w[2]}};
  method.error.resize(5);
  method.error.head(4) = dense::solve(M, Vector<Real100>(-w[1] / 10 * end));
  method.error[4] = w[1] / 10;
}

Rock4Coefficients computed(int stages) {
  const Polynomial polynomial = solved_polynomial(stages);
  Rock4Coefficients method;
  method.length = polynomial.length();
  polynomial.recurrence(method.mu, method.gamma);
  const std::array<Real100, 5> w = polynomial.weight_series();
  set_finishing_method(w, remaining_conditions(elementary_weights(method.mu, method.gamma), w), method);
  return method;
}

}  // namespace

const Rock4Coefficients& rock4_coefficients(int stages) {
  if (stages < rock4_least_stages || stages > rock4_most_stages)
    throw std::logic_error(fmt::format("rock4 has {} to {} stages", rock4_least_stages, rock4_most_stages));
  static std::mutex mutex;
  static std::map<int, std::unique_ptr<const Rock4Coefficients>> known;
  const std::lock_guard lock(mutex);
  auto& entry = known[stages];
  if (!entry) entry = std::make_unique<const Rock4Coefficients>(computed(stages));
  return *entry;
}

Tableau rock4_tableau(int stages) {
  const Rock4Coefficients& method = rock4_coefficients(stages);
  const Index m = stages - 4;
  Tableau t;
  t.name = fmt::format("rock4, {} stages", stages);
  t.claimed_order = 4;
  t.embedded_order = 3;
  t.A = Matrix<Real100>::Zero(stages + 1, stages + 1);
  for (Index j = 0; j < m; ++j) {
    t.A.row(j + 1) = t.A.row(j) * (1 + method.gamma[j]);
    if (j > 0) t.A.row(j + 1) -= method.gamma[j] * t.A.row(j - 1);
    t.A(j + 1, j) += method.mu[j];
  }
  for (Index i = 1; i < 5; ++i) {
    t.A.row(m + i) = t.A.row(m);
    const Vector<Real100> weights = i < 4 ? Vector<Real100>(method.A.row(i).transpose()) : method.b;
    t.A.row(m + i).segment(m, 4) += weights.transpose();
  }
  t.b = t.A.row(stages).transpose();
  t.b_embedded = t.b;
  t.b_embedded.tail(5) += method.error;
  t.c = t.A.rowwise().sum();
  return t;
}

}  // namespace daelab
