// Rotations and motions of bodies as states of a recording: coordinates about a base, see group_coordinates.hpp.
//
//   R = R0 cay(theta),  cay(theta) = I + (theta~ + theta~^2/2)/(1 + |theta|^2/4),
//   Omega = (theta' - theta x theta'/2)/(1 + |theta|^2/4) in body axes, R^T R' = Omega~,
//   x = x0 + R0 (xi + theta x xi/2) of motions.
//
// Energies, constraints and forces are written with R, Omega, x and x' as with any expressions. In the start theta' is
// Omega and xi' is R^T x'.
#pragma once

#include <string>

#include "core/mechanism/recording.hpp"
#include "core/mechanism/spatial.hpp"

namespace daelab {

using Quaternion = std::array<Expression, 4>;  // the real part first

/// The rotation that a body starts with, as a quaternion of unit length, constants. All throw InputError where the
/// entries are those of no rotation.
Quaternion unit_quaternion(const Quaternion& quaternion);  // of any length but zero
Quaternion quaternion_of_matrix(const Matrix3& R);
Quaternion quaternion_of_axis(const Vector3& axis, const Expression& angle);

/// The matrix of a unit quaternion.
Matrix3 matrix_of_quaternion(const Quaternion& quaternion);

/// Coordinates name_1, name_2, name_3 of a recording, and what they stand for.
class Rotation {
 public:
  /// A new one, which starts without a turn, at rest.
  Rotation(Recording& recording, const std::string& name) : Rotation(recording, LieGroup::so3, name) {}
  /// One that the recording has.
  Rotation(const Recording& recording, const GroupCoordinates& group);

  const Matrix3& matrix() const { return R_; }
  Quaternion quaternion() const;
  const Vector3& angular_velocity() const { return omega_; }  // Omega, in body axes

  void start_at(Recording& recording, const Quaternion& unit) const;
  void start_with(Recording& recording, const Vector3& angular_velocity) const;

 protected:
  Rotation(Recording& recording, LieGroup group, const std::string& name);

  std::size_t first_, base_;  // of the coordinates, of the held outputs
  Vector3 theta_, rate_;
  Quaternion base_quaternion_;
  Matrix3 R0_, from_base_, R_;  // from_base: cay(theta)
  Vector3 omega_;
};

/// Coordinates name_1 to name_6: rotation and place of a body.
class RigidMotion : public Rotation {
 public:
  RigidMotion(Recording& recording, const std::string& name);
  RigidMotion(const Recording& recording, const GroupCoordinates& group);

  const Vector3& place() const { return x_; }
  Vector3 velocity() const { return R0_ * velocity_; }                          // x'
  Vector3 body_velocity() const { return transposed(from_base_) * velocity_; }  // R^T x'
  /// R0^T x', in axes that stand still: |x'|^2 is its square, with the fewest operations.
  const Vector3& velocity_in_base_axes() const { return velocity_; }

  void start_at_place(Recording& recording, const Vector3& x) const;
  void start_with(Recording& recording, const Vector3& angular_velocity, const Vector3& body_velocity) const;

 private:
  Vector3 x_, velocity_;
};

}  // namespace daelab
