// Operators of the groups of group_coordinates.hpp: SO(3) by unit quaternions p = (p0, p1, p2, p3), and SE(3), the
// semidirect product (R, x)(R', x') = (R R', x + R x').
//
// A velocity is a left one, v = g^-1 g': the angular velocity Omega in body axes, of SE(3) also U = R^T x'. Then
//
//   hat(v) w:  Omega x w,  of SE(3) (Omega x w_R, U x w_R + Omega x w_x),
//   T(w):      if g(t) = g0 exp(w(t)), then v = T(w) w'; T(w) = sum_i (-hat(w))^i/(i+1)!,
//   SO(3):     T = I - b S + c S^2,  T^-1 = I + S/2 + e S^2,  S = skew(w),  a = |w|,
//              b = (1 - cos a)/a^2,  c = (a - sin a)/a^3,  e = (1 - (a/2) cot(a/2))/a^2,
//   SE(3):     T = [T(w_R) 0; C T(w_R)],  exp(w) = (exp(w_R), T(w_R)^T w_x),
//              C = -b V + c (V S + S V) + (w_R . w_x)(d S - f S^2),  V = skew(w_x),
//              d = (2 - 2 cos a - a sin a)/a^4,  f = (2a + a cos a - 3 sin a)/a^5.
//
// Coordinates u about g0, u = (theta, xi), the chart, are rational, p = (1, theta/2)/|(1, theta/2)|, D = 1 +
// |theta|^2/4:
//
//   Omega = (I - S/2) theta'/D,  theta' = (I + S/2 + theta theta^T/4) Omega,
//   x = x0 + R0 y, y = xi + theta x xi/2,  U = R(theta)^T y'.
#pragma once

#include "core/base/scalar.hpp"
#include "core/mechanism/group_coordinates.hpp"

namespace daelab::lie {

template <class T>
using Vector3 = Eigen::Matrix<T, 3, 1>;
template <class T>
using Matrix3 = Eigen::Matrix<T, 3, 3>;
template <class T>
using Quaternion = Eigen::Matrix<T, 4, 1>;

template <class T>
Vector3<T> cross(const Vector3<T>& a, const Vector3<T>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
template <class T>
Matrix3<T> skew(const Vector3<T>& w);

template <class T>
Quaternion<T> product(const Quaternion<T>& p, const Quaternion<T>& q);
template <class T>
Quaternion<T> conjugate(const Quaternion<T>& p) {
  return {p[0], -p[1], -p[2], -p[3]};
}
/// R of a unit quaternion.
template <class T>
Matrix3<T> rotation_matrix(const Quaternion<T>& p);

template <class T>
Quaternion<T> exponential(const Vector3<T>& w);
/// The shortest w with exponential(w) = +-p.
template <class T>
Vector3<T> logarithm(const Quaternion<T>& p);
template <class T>
Matrix3<T> tangent(const Vector3<T>& w);
template <class T>
Matrix3<T> inverse_tangent(const Vector3<T>& w);
/// C of SE(3).
template <class T>
Matrix3<T> tangent_coupling(const Vector3<T>& w_R, const Vector3<T>& w_x);

/// What takes velocities to points: g = g0 exp(w), or by the chart, g = g0 g(w), which for SO(3) is Cayley's map.
enum class Retraction { exponential, cayley };

/// Numbers of one group in vectors of all coordinates: dimension(group) in a row; base_size(group) of a base.
template <class T>
class Operators {
 public:
  explicit Operators(LieGroup group) : group_(group) {}
  Index dimension() const { return daelab::dimension(group_); }

  /// g := g exp(w), or g := g g(w) by the chart; of unit length to round-off again.
  void compose(Retraction retraction, const T* w, T* g) const;
  /// w of g = base exp(w), the shortest, or the coordinates u about the base.
  void difference(Retraction retraction, const T* base, const T* g, T* w) const;

  /// x := hat(v) x
  void bracket(const T* v, T* x) const;
  /// x := hat(v)^T x
  void transposed_bracket(const T* v, T* x) const;
  /// x := T(w) x, T^-1(w) x, T^-T(w) x
  void tangent(const T* w, T* x) const;
  void inverse_tangent(const T* w, T* x) const;
  void transposed_inverse_tangent(const T* w, T* x) const;

  /// Left velocities x := v of coordinates u with the rates x, and accelerations y := v' with the second derivatives y.
  void left_from_chart(const T* u, T* x, T* y) const;
  /// The inverse: x and y come in as v and v'.
  void chart_from_left(const T* u, T* x, T* y) const;

 private:
  bool has_translation() const { return group_ == LieGroup::se3; }
  LieGroup group_;
};

}  // namespace daelab::lie
