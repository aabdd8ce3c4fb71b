// Coordinates on a Lie group about a base g0, which held outputs carry: rotations, and motions of bodies.
//
//   so3:  R = R0 cay(theta),                cay(theta) = the rotation of the quaternion (1, theta/2)/|(1, theta/2)|,
//   se3:  the same, and x = x0 + R0 (xi + theta x xi/2),  coordinates (theta, xi).
//
// Both are rational, and agree with g0 exp(theta, xi) to second order. So, where the coordinates are zero, velocities v
// are the left velocities g^-1 g' (the angular velocity in body axes, R^T x'), accelerations their derivatives, C_q the
// derivative along g exp(w), and M, Q, gamma the blocks of the equations of motion on the group.
#pragma once

#include <string>
#include <vector>

namespace daelab {

enum class LieGroup {
  so3,  // 3 coordinates theta, base: the unit quaternion (4) of R0
  se3   // 6 coordinates (theta, xi), base: that quaternion and x0 (7)
};

constexpr int dimension(LieGroup group) { return group == LieGroup::so3 ? 3 : 6; }
constexpr int base_size(LieGroup group) { return group == LieGroup::so3 ? 4 : 7; }

/// Coordinates of a recording that belong to one group.
struct GroupCoordinates {
  LieGroup group;
  int first;  // of dimension(group) coordinates
  int base;   // first of base_size(group) held outputs
  std::string name;
};

}  // namespace daelab
