// Vectors and matrices in space over expressions.
#pragma once

#include <array>

#include "core/expressions/expression.hpp"

namespace daelab {

using Vector3 = std::array<Expression, 3>;
using Matrix3 = std::array<Vector3, 3>;  // by rows

inline Vector3 operator+(const Vector3& a, const Vector3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Vector3 operator-(const Vector3& a, const Vector3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Vector3 operator*(const Expression& s, const Vector3& a) { return {s * a[0], s * a[1], s * a[2]}; }
inline Vector3& operator+=(Vector3& a, const Vector3& b) { return a = a + b; }
inline Vector3& operator-=(Vector3& a, const Vector3& b) { return a = a - b; }

inline Expression dot(const Vector3& a, const Vector3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

inline Matrix3 operator+(const Matrix3& A, const Matrix3& B) { return {A[0] + B[0], A[1] + B[1], A[2] + B[2]}; }
inline Matrix3& operator+=(Matrix3& A, const Matrix3& B) { return A = A + B; }
inline Vector3 operator*(const Matrix3& A, const Vector3& x) { return {dot(A[0], x), dot(A[1], x), dot(A[2], x)}; }
inline Matrix3 transposed(const Matrix3& A) {
  return {{{A[0][0], A[1][0], A[2][0]}, {A[0][1], A[1][1], A[2][1]}, {A[0][2], A[1][2], A[2][2]}}};
}
inline Vector3 column(const Matrix3& A, std::size_t j) { return {A[0][j], A[1][j], A[2][j]}; }
inline Matrix3 operator*(const Matrix3& A, const Matrix3& B) {
  const Matrix3 columns = transposed(B);
  return {columns * A[0], columns * A[1], columns * A[2]};
}
inline Matrix3 diagonal(const Expression& x, const Expression& y, const Expression& z) {
  return {{{x, 0, 0}, {0, y, 0}, {0, 0, z}}};
}

/// The matrix of a x.
inline Matrix3 skew(const Vector3& a) { return {{{0, -a[2], a[1]}, {a[2], 0, -a[0]}, {-a[1], a[0], 0}}}; }

/// Only the upper triangle is looked at, so that both triangles are the same expressions.
inline Matrix3 mirrored(const Matrix3& A) {
  return {{{A[0][0], A[0][1], A[0][2]}, {A[0][1], A[1][1], A[1][2]}, {A[0][2], A[1][2], A[2][2]}}};
}
/// R A R^T.
inline Matrix3 turned(const Matrix3& R, const Matrix3& A) { return R * (A * transposed(R)); }

/// The turn by an angle about a coordinate axis.
inline Matrix3 turn_about(std::size_t axis, const Expression& angle) {
  Expression s, c;
  sincos(angle, s, c);
  Matrix3 R = diagonal(1, 1, 1);
  const std::size_t i = (axis + 1) % 3, j = (axis + 2) % 3;
  R[i][i] = c, R[i][j] = -s, R[j][i] = s, R[j][j] = c;
  return R;
}

}  // namespace daelab
