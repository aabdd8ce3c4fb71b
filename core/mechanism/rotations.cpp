#include "core/mechanism/rotations.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace daelab {
namespace {

// A constant of the current graph.
Expression half() { return Expression(1) / 2; }

Matrix3 scaled(const Expression& s, const Matrix3& A) { return {s * A[0], s * A[1], s * A[2]}; }
Vector3 imaginary(const Quaternion& q) { return {q[1], q[2], q[3]}; }

Quaternion product(const Quaternion& p, const Quaternion& q) {
  const Vector3 s = p[0] * imaginary(q) + q[0] * imaginary(p) + cross(imaginary(p), imaginary(q));
  return {p[0] * q[0] - dot(imaginary(p), imaginary(q)), s[0], s[1], s[2]};
}

Expression size_of(const Vector3& theta) { return 1 + dot(theta, theta) / 4; }

Matrix3 cayley(const Vector3& theta) {
  const Matrix3 S = skew(theta);
  return diagonal(1, 1, 1) + scaled(1 / size_of(theta), S + scaled(half(), S * S));
}

Vector3 three(const Expressions& list, std::size_t first) { return {list[first], list[first + 1], list[first + 2]}; }
void put(const Vector3& three, std::size_t first, Expressions& list) {
  std::ranges::copy(three, list.begin() + static_cast<std::ptrdiff_t>(first));
}

std::vector<std::string> names(const std::string& name, int count, int first) {
  std::vector<std::string> list;
  for (int i = 0; i < count; ++i) list.push_back(fmt::format("{}_{}", name, first + i));
  return list;
}

// The largest entry of R^T R - I.
Real100 residual_of(const Matrix3& R) {
  const Matrix3 product = transposed(R) * R;
  Real100 largest = 0;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      largest = std::max(largest, Real100(abs(constant_value(product[i][j]) - (i == j ? 1 : 0))));
  return largest;
}

GroupCoordinates new_group(Recording& r, LieGroup group, const std::string& name) {
  const GroupCoordinates result{group, static_cast<int>(r.q.size()), static_cast<int>(r.held.size()), name};
  r.coordinates(names(name, dimension(group), 1));
  r.hold(names(name + "_base", base_size(group), 0));
  for (auto i = static_cast<std::size_t>(result.base); i < r.held.size(); ++i) r.sampled[i] = r.held[i];
  r.start_held[static_cast<std::size_t>(result.base)] = 1;
  r.groups.push_back(result);
  return result;
}

}  // namespace

Quaternion unit_quaternion(const Quaternion& quaternion) {
  Expression square;
  for (const Expression& x : quaternion) square += x * x;
  if (constant_value(square) == 0) throw InputError("no rotation: all entries of the quaternion are zero");
  const Expression length = sqrt(square);
  return {quaternion[0] / length, quaternion[1] / length, quaternion[2] / length, quaternion[3] / length};
}

// The column of 4 q q^T with the largest diagonal entry.
Quaternion quaternion_of_matrix(const Matrix3& R) {
  static const Real100 allowed("1e-9");
  if (const Real100 residual = residual_of(R); !(residual <= allowed))
    throw InputError(fmt::format("no rotation: R^T R - I has an entry {:.3g}; allowed: 1e-9, which is put right",
                                 static_cast<double>(residual)));
  if (constant_value(dot(R[0], cross(R[1], R[2]))) < 0)
    throw InputError("no rotation but a reflection: the determinant is -1");
  const Expression trace = R[0][0] + R[1][1] + R[2][2];
  const std::array<Quaternion, 4> columns{
      {{1 + trace, R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1]},
       {R[2][1] - R[1][2], 1 + 2 * R[0][0] - trace, R[0][1] + R[1][0], R[0][2] + R[2][0]},
       {R[0][2] - R[2][0], R[0][1] + R[1][0], 1 + 2 * R[1][1] - trace, R[1][2] + R[2][1]},
       {R[1][0] - R[0][1], R[0][2] + R[2][0], R[1][2] + R[2][1], 1 + 2 * R[2][2] - trace}}};
  std::size_t largest = 0;
  for (std::size_t i = 1; i < 4; ++i)
    if (constant_value(columns[i][i]) > constant_value(columns[largest][largest])) largest = i;
  return unit_quaternion(columns[largest]);
}

Quaternion quaternion_of_axis(const Vector3& axis, const Expression& angle) {
  const Expression length = sqrt(dot(axis, axis));
  if (constant_value(length) == 0) throw InputError("no rotation: all entries of the axis are zero");
  Expression s, c;
  sincos(angle / 2, s, c);
  const Vector3 part = (s / length) * axis;
  return {c, part[0], part[1], part[2]};
}

Matrix3 matrix_of_quaternion(const Quaternion& quaternion) {
  const Matrix3 S = skew(imaginary(quaternion));
  return diagonal(1, 1, 1) + scaled(2, scaled(quaternion[0], S) + S * S);
}

Rotation::Rotation(Recording& recording, LieGroup group, const std::string& name)
    : Rotation(recording, new_group(recording, group, name)) {}

Rotation::Rotation(const Recording& r, const GroupCoordinates& group)
    : first_(static_cast<std::size_t>(group.first)),
      base_(static_cast<std::size_t>(group.base)),
      theta_(three(r.q, first_)),
      rate_(three(r.v, first_)),
      base_quaternion_{r.held[base_], r.held[base_ + 1], r.held[base_ + 2], r.held[base_ + 3]},
      R0_(matrix_of_quaternion(base_quaternion_)),
      from_base_(cayley(theta_)),
      R_(R0_ * from_base_),
      omega_((1 / size_of(theta_)) * (rate_ - half() * cross(theta_, rate_))) {}

Quaternion Rotation::quaternion() const {
  const Expression length = sqrt(size_of(theta_));
  const Vector3 part = (half() / length) * theta_;
  return product(base_quaternion_, {1 / length, part[0], part[1], part[2]});
}

void Rotation::start_at(Recording& r, const Quaternion& unit) const {
  std::ranges::copy(unit, r.start_held.begin() + static_cast<std::ptrdiff_t>(base_));
}
void Rotation::start_with(Recording& r, const Vector3& angular_velocity) const {
  put(angular_velocity, first_, r.start_v);
}

RigidMotion::RigidMotion(Recording& r, const std::string& name) : RigidMotion(r, new_group(r, LieGroup::se3, name)) {}

RigidMotion::RigidMotion(const Recording& r, const GroupCoordinates& group) : Rotation(r, group) {
  const Vector3 xi = three(r.q, first_ + 3), xi_rate = three(r.v, first_ + 3), x0 = three(r.held, base_ + 4);
  x_ = x0 + R0_ * (xi + half() * cross(theta_, xi));
  velocity_ = xi_rate + half() * (cross(rate_, xi) + cross(theta_, xi_rate));
}

void RigidMotion::start_at_place(Recording& r, const Vector3& x) const { put(x, base_ + 4, r.start_held); }
void RigidMotion::start_with(Recording& r, const Vector3& angular_velocity, const Vector3& body_velocity) const {
  Rotation::start_with(r, angular_velocity);
  put(body_velocity, first_ + 3, r.start_v);
}

}  // namespace daelab
