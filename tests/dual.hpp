// Forward-mode automatic differentiation with a fixed number of directions.
//
//   x = v + sum_k d_k e_k,  e_i e_j = 0:  f(x) = f(v) + f'(v) sum_k d_k e_k.
//
// Nesting gives higher derivatives: Dual<Dual<T, N>, 1> carries d/ds of a value and of its N partial
// derivatives. The arrays are inline, so nothing is allocated.
#pragma once

#include <array>
#include <cmath>
#include <type_traits>
#include <utility>

#include "core/base/scalar.hpp"

namespace daelab {

template <class T, int N>
struct Dual;

template <class S>
struct BaseScalar {
  using type = S;
};
template <class T, int N>
struct BaseScalar<Dual<T, N>> : BaseScalar<T> {};
/// The plain number at the bottom of a nested dual.
template <class S>
using base_scalar_t = typename BaseScalar<S>::type;

template <class T, int N>
struct Dual {
  using Base = base_scalar_t<T>;

  T v{0};                // value
  std::array<T, N> d{};  // derivatives along the N directions

  Dual() = default;
  Dual(const T& value) : v(value) {}  // NOLINT: a constant is a dual with zero derivatives
  template <class U>
  requires(!std::is_same_v<U, T> && (std::is_arithmetic_v<U> || std::is_same_v<U, Base>)) Dual(const U& value)
      : v(value) {}  // NOLINT

  Dual& operator+=(const Dual& o) {
    v += o.v;
    for (int k = 0; k < N; ++k) d[k] += o.d[k];
    return *this;
  }
  Dual& operator-=(const Dual& o) {
    v -= o.v;
    for (int k = 0; k < N; ++k) d[k] -= o.d[k];
    return *this;
  }
  Dual& operator*=(const Dual& o) {
    for (int k = 0; k < N; ++k) d[k] = d[k] * o.v + v * o.d[k];
    v *= o.v;
    return *this;
  }
  Dual& operator/=(const Dual& o) {
    const T inverse = T(1) / o.v;
    v *= inverse;
    for (int k = 0; k < N; ++k) d[k] = (d[k] - v * o.d[k]) * inverse;
    return *this;
  }
  Dual& operator*=(const Base& c) {
    v *= c;
    for (int k = 0; k < N; ++k) d[k] *= c;
    return *this;
  }

  friend Dual operator+(Dual a, const Dual& b) { return a += b; }
  friend Dual operator-(Dual a, const Dual& b) { return a -= b; }
  friend Dual operator*(Dual a, const Dual& b) { return a *= b; }
  friend Dual operator/(Dual a, const Dual& b) { return a /= b; }
  friend Dual operator*(Dual a, const Base& c) { return a *= c; }
  friend Dual operator*(const Base& c, Dual a) { return a *= c; }
  friend Dual operator/(Dual a, const Base& c) { return a *= Base(1) / c; }
  friend Dual operator-(Dual a) {
    a.v = -a.v;
    for (T& slope : a.d) slope = -slope;
    return a;
  }
  friend bool operator<(const Dual& a, const Dual& b) { return a.v < b.v; }
  friend bool operator>(const Dual& a, const Dual& b) { return b.v < a.v; }
  friend bool operator==(const Dual& a, const Dual& b) { return a.v == b.v; }
};

/// f(x) for a scalar function with value and slope known at x.v.
template <class T, int N>
Dual<T, N> chain(const Dual<T, N>& x, const T& value, const T& slope) {
  Dual<T, N> y(value);
  for (int k = 0; k < N; ++k) y.d[k] = slope * x.d[k];
  return y;
}

/// Sine and cosine together: the derivative of each needs the other, so a nested dual would
/// otherwise evaluate 2^depth of them.
template <class T>
void sincos(const T& x, T& s, T& c) {
  using std::cos;
  using std::sin;
  s = sin(x);
  c = cos(x);
}
template <class T, int N>
void sincos(const Dual<T, N>& x, Dual<T, N>& s, Dual<T, N>& c) {
  T sv, cv;
  sincos(x.v, sv, cv);
  s = chain(x, sv, cv);
  c = chain(x, cv, T(-sv));
}
template <class T, int N>
Dual<T, N> sin(const Dual<T, N>& x) {
  Dual<T, N> s, c;
  sincos(x, s, c);
  return s;
}
template <class T, int N>
Dual<T, N> cos(const Dual<T, N>& x) {
  Dual<T, N> s, c;
  sincos(x, s, c);
  return c;
}
template <class T, int N>
Dual<T, N> sqrt(const Dual<T, N>& x) {
  using std::sqrt;
  const T root = sqrt(x.v);
  return chain(x, root, T(T(1) / (root + root)));
}
template <class T, int N>
Dual<T, N> exp(const Dual<T, N>& x) {
  using std::exp;
  const T value = exp(x.v);
  return chain(x, value, value);
}
template <class T, int N>
Dual<T, N> log(const Dual<T, N>& x) {
  using std::log;
  return chain(x, T(log(x.v)), T(T(1) / x.v));
}
/// The angle of the direction (x, y), in (-pi, pi].
template <class T, int N>
Dual<T, N> atan2(const Dual<T, N>& y, const Dual<T, N>& x) {
  using std::atan2;
  Dual<T, N> result(T(atan2(y.v, x.v)));
  const T inverse = T(1) / (x.v * x.v + y.v * y.v);
  for (int k = 0; k < N; ++k) result.d[k] = (x.v * y.d[k] - y.v * x.d[k]) * inverse;
  return result;
}

}  // namespace daelab

namespace Eigen {
template <class T, int N>
struct NumTraits<daelab::Dual<T, N>> : GenericNumTraits<daelab::Dual<T, N>> {
  using Real = daelab::Dual<T, N>;
  using NonInteger = daelab::Dual<T, N>;
  using Nested = daelab::Dual<T, N>;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = N + 1,
    AddCost = N + 1,
    MulCost = 2 * N + 1
  };
};
}  // namespace Eigen
