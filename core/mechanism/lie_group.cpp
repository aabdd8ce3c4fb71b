#include "core/mechanism/lie_group.hpp"

#include <cmath>

namespace daelab::lie {
namespace {

// Series of these functions of a = |w| are as accurate as sines up to here, and closed forms from here on.
constexpr int largest_of_series = 2;

// sum_j (-1)^j f_j z^j/(2j + p)!, f_j = 1, or 2j + 2 if `linear`; z at most 4.
template <class T>
T series(const T& z, int p, bool linear) {
  T power(1);
  for (int k = 2; k <= p; ++k) power /= T(k);
  T sum(0);
  for (int j = 0;; ++j) {
    const T term = linear ? T(T(2 * j + 2) * power) : power;
    const T next = sum + term;
    if (next == sum) return sum;
    sum = next;
    power *= -z / T((2 * j + p + 1) * (2 * j + p + 2));
  }
}

// Functions of the header.
template <class T>
struct Coefficients {
  T b, c, d, e, f;

  explicit Coefficients(const Vector3<T>& w) {
    using std::cos;
    using std::sin;
    using std::sqrt;
    const T z = w.squaredNorm(), half = T(1) / T(2);
    if (z < T(largest_of_series * largest_of_series)) {
      b = series(z, 2, false), c = series(z, 3, false);
      d = series(z, 4, true), f = series(z, 5, true);
      // (sin x - x cos x)/x^3 and sin x/x, x = a/2
      const T y = z / T(4);
      e = series(y, 3, true) / (T(4) * series(y, 1, false));
    } else {
      const T a = sqrt(z), s = sin(a), k = cos(a);
      b = (T(1) - k) / z, c = (a - s) / (z * a);
      d = (T(2) - T(2) * k - a * s) / (z * z), f = (T(2) * a + a * k - T(3) * s) / (z * z * a);
      e = (T(1) - half * a * cos(half * a) / sin(half * a)) / z;
    }
  }
};

template <class T>
Vector3<T> three(const T* x) {
  return {x[0], x[1], x[2]};
}
template <class T>
void put(const Vector3<T>& x, T* to) {
  for (int i = 0; i < 3; ++i) to[i] = x[i];
}
template <class T>
Quaternion<T> four(const T* x) {
  return {x[0], x[1], x[2], x[3]};
}

template <class T>
Quaternion<T> chart_rotation(const Vector3<T>& theta) {
  const T half = T(1) / T(2);
  Quaternion<T> p(T(1), half * theta[0], half * theta[1], half * theta[2]);
  return p / p.norm();
}
template <class T>
Vector3<T> half_turned(const Vector3<T>& theta, const Vector3<T>& xi) {  // (I + S/2) xi
  return xi + cross(theta, xi) / T(2);
}
template <class T>
Vector3<T> half_turned_back(const Vector3<T>& theta, const Vector3<T>& y) {  // (I + S/2)^-1 y
  const T D = T(1) + theta.squaredNorm() / T(4);
  return (y - cross(theta, y) / T(2) + theta * (theta.dot(y) / T(4))) / D;
}

}  // namespace

template <class T>
Matrix3<T> skew(const Vector3<T>& w) {
  Matrix3<T> S;
  S << T(0), -w[2], w[1], w[2], T(0), -w[0], -w[1], w[0], T(0);
  return S;
}

template <class T>
Quaternion<T> product(const Quaternion<T>& p, const Quaternion<T>& q) {
  return {p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3], p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
          p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1], p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]};
}

template <class T>
Matrix3<T> rotation_matrix(const Quaternion<T>& p) {
  const Matrix3<T> S = skew(Vector3<T>(p[1], p[2], p[3]));
  return Matrix3<T>::Identity() + T(2) * (p[0] * S + S * S);
}

template <class T>
Quaternion<T> exponential(const Vector3<T>& w) {
  using std::cos;
  using std::sin;
  const T half = w.norm() / T(2);
  const T factor = half == T(0) ? T(T(1) / T(2)) : T(sin(half) / (T(2) * half));
  return {cos(half), factor * w[0], factor * w[1], factor * w[2]};
}

template <class T>
Vector3<T> logarithm(const Quaternion<T>& p) {
  using std::atan2;
  const Vector3<T> axis(p[1], p[2], p[3]);
  const T size = axis.norm();
  if (size == T(0)) return Vector3<T>::Zero();
  const T angle = p[0] < T(0) ? T(-atan2(size, T(-p[0]))) : T(atan2(size, p[0]));
  return axis * (T(2) * angle / size);
}

template <class T>
Matrix3<T> tangent(const Vector3<T>& w) {
  const Coefficients<T> k(w);
  const Matrix3<T> S = skew(w);
  return Matrix3<T>::Identity() - k.b * S + k.c * S * S;
}

template <class T>
Matrix3<T> inverse_tangent(const Vector3<T>& w) {
  const Coefficients<T> k(w);
  const Matrix3<T> S = skew(w);
  return Matrix3<T>::Identity() + S / T(2) + k.e * S * S;
}

template <class T>
Matrix3<T> tangent_coupling(const Vector3<T>& w_R, const Vector3<T>& w_x) {
  const Coefficients<T> k(w_R);
  const Matrix3<T> S = skew(w_R), V = skew(w_x);
  return -k.b * V + k.c * (V * S + S * V) + w_R.dot(w_x) * (k.d * S - k.f * S * S);
}

template <class T>
void Operators<T>::compose(Retraction retraction, const T* w, T* g) const {
  const Vector3<T> theta = three(w);
  const Quaternion<T> p = four(g);
  if (has_translation()) {
    const Vector3<T> xi = three(w + 3);
    const Vector3<T> y =
        retraction == Retraction::cayley ? half_turned(theta, xi) : Vector3<T>(lie::tangent(theta).transpose() * xi);
    put<T>(three(g + 4) + rotation_matrix(p) * y, g + 4);
  }
  Quaternion<T> q = product(p, retraction == Retraction::cayley ? chart_rotation(theta) : exponential(theta));
  q /= q.norm();
  for (int i = 0; i < 4; ++i) g[i] = q[i];
}

template <class T>
void Operators<T>::difference(Retraction retraction, const T* base, const T* g, T* w) const {
  const Quaternion<T> p = four(base), relative = product(conjugate(p), four(g));
  const bool by_chart = retraction == Retraction::cayley;
  const Vector3<T> theta =
      by_chart ? Vector3<T>(three(relative.data() + 1) * (T(2) / relative[0])) : logarithm(relative);
  put(theta, w);
  if (!has_translation()) return;
  const Vector3<T> y = rotation_matrix(p).transpose() * (three(g + 4) - three(base + 4));
  put<T>(by_chart ? half_turned_back(theta, y) : Vector3<T>(lie::inverse_tangent(theta).transpose() * y), w + 3);
}

template <class T>
void Operators<T>::bracket(const T* v, T* x) const {
  const Vector3<T> omega = three(v), r = three(x);
  if (has_translation()) put<T>(cross(three(v + 3), r) + cross(omega, three(x + 3)), x + 3);
  put(cross(omega, r), x);
}

template <class T>
void Operators<T>::transposed_bracket(const T* v, T* x) const {
  const Vector3<T> omega = three(v);
  Vector3<T> r = -cross(omega, three(x));
  if (has_translation()) {
    const Vector3<T> y = three(x + 3);
    r -= cross(three(v + 3), y);
    put<T>(-cross(omega, y), x + 3);
  }
  put(r, x);
}

template <class T>
void Operators<T>::tangent(const T* w, T* x) const {
  const Vector3<T> theta = three(w), r = three(x);
  const Matrix3<T> A = lie::tangent(theta);
  if (has_translation()) put<T>(tangent_coupling(theta, three(w + 3)) * r + A * three(x + 3), x + 3);
  put<T>(A * r, x);
}

template <class T>
void Operators<T>::inverse_tangent(const T* w, T* x) const {
  const Vector3<T> theta = three(w);
  const Matrix3<T> A = lie::inverse_tangent(theta);
  const Vector3<T> r = A * three(x);
  if (has_translation()) put<T>(A * (three(x + 3) - tangent_coupling(theta, three(w + 3)) * r), x + 3);
  put(r, x);
}

template <class T>
void Operators<T>::transposed_inverse_tangent(const T* w, T* x) const {
  const Vector3<T> theta = three(w);
  const Matrix3<T> A = lie::inverse_tangent(theta).transpose();
  Vector3<T> r = three(x);
  if (has_translation()) {
    const Vector3<T> y = A * three(x + 3);
    r -= tangent_coupling(theta, three(w + 3)).transpose() * y;
    put(y, x + 3);
  }
  put<T>(A * r, x);
}

template <class T>
void Operators<T>::left_from_chart(const T* u, T* x, T* y) const {
  const Vector3<T> theta = three(u), rate = three(x), second = three(y);
  const T D = T(1) + theta.squaredNorm() / T(4);
  const Vector3<T> omega = (rate - cross(theta, rate) / T(2)) / D;
  if (has_translation()) {
    const Vector3<T> xi = three(u + 3), xi_rate = three(x + 3), xi_second = three(y + 3);
    const Matrix3<T> back = rotation_matrix(chart_rotation(theta)).transpose();
    const Vector3<T> U = back * (half_turned(theta, xi_rate) + cross(rate, xi) / T(2));
    put(U, x + 3);
    put<T>(back * (half_turned(theta, xi_second) + cross(second, xi) / T(2) + cross(rate, xi_rate)) - cross(omega, U),
           y + 3);
  }
  put(omega, x);
  put<T>((second - cross(theta, second) / T(2) - omega * (theta.dot(rate) / T(2))) / D, y);
}

template <class T>
void Operators<T>::chart_from_left(const T* u, T* x, T* y) const {
  const Vector3<T> theta = three(u), omega = three(x), rate_of_omega = three(y);
  const T D = T(1) + theta.squaredNorm() / T(4);
  const auto rates = [&theta](const Vector3<T>& a) {
    return Vector3<T>(a + cross(theta, a) / T(2) + theta * (theta.dot(a) / T(4)));
  };
  const Vector3<T> rate = rates(omega), second = rates(rate_of_omega + omega * (theta.dot(rate) / (T(2) * D)));
  if (has_translation()) {
    const Vector3<T> xi = three(u + 3), U = three(x + 3);
    const Matrix3<T> R = rotation_matrix(chart_rotation(theta));
    const Vector3<T> xi_rate = half_turned_back<T>(theta, R * U - cross(rate, xi) / T(2));
    put(xi_rate, x + 3);
    put(half_turned_back<T>(theta,
                            R * (three(y + 3) + cross(omega, U)) - cross(second, xi) / T(2) - cross(rate, xi_rate)),
        y + 3);
  }
  put(rate, x), put(second, y);
}

#define DAELAB_INSTANTIATE(T)                                                    \
  template Matrix3<T> skew<T>(const Vector3<T>&);                                \
  template Quaternion<T> product<T>(const Quaternion<T>&, const Quaternion<T>&); \
  template Matrix3<T> rotation_matrix<T>(const Quaternion<T>&);                  \
  template Quaternion<T> exponential<T>(const Vector3<T>&);                      \
  template Vector3<T> logarithm<T>(const Quaternion<T>&);                        \
  template Matrix3<T> tangent<T>(const Vector3<T>&);                             \
  template Matrix3<T> inverse_tangent<T>(const Vector3<T>&);                     \
  template Matrix3<T> tangent_coupling<T>(const Vector3<T>&, const Vector3<T>&); \
  template class Operators<T>;
DAELAB_INSTANTIATE(double)
DAELAB_INSTANTIATE(Real50)  // in every build: errors and closed forms of rotations have 50 digits
#undef DAELAB_INSTANTIATE

}  // namespace daelab::lie
