// Trees of links with one degree of freedom each: kinematics, equations of motion and the solution of M x = b by
// recursions from link to link, so that all but M itself take a work proportional to the number of links.
//
//   Q    forces on the coordinates, by the recursive Newton-Euler equations            [Fea08, sec. 5.3], [LWP80]
//   M    by composite rigid bodies                                                       [Fea08, sec. 6.2]
//   M^-1 by articulated bodies                                                           [Fea08, sec. 7.3]
//
// All is recorded in space, in frames that move with the links. In a planar tree the rest is zero and drops out.
//
// [Fea08] Featherstone, Rigid Body Dynamics Algorithms, Springer, 2008.
// [LWP80] Luh, Walker, Paul, J. Dyn. Syst. Meas. Control 102 (1980), 69-76.
#pragma once

#include <optional>
#include <vector>

#include "core/mechanism/recording.hpp"
#include "core/mechanism/spatial.hpp"

namespace daelab {

/// Turns about, or slides along, the third axis of its frame. Several links with one body at the end are a joint of
/// several degrees of freedom.
struct TreeLink {
  int parent = -1;  // an earlier link; -1: the ground
  bool turns = true;
  Matrix3 axes;                // its frame at q = 0 in that of the parent, axes in columns
  Vector3 at;                  // its origin there
  std::size_t coordinate = 0;  // its place in q
  // Its body, zero where there is none: mass [kg], mass times centre of mass [kg m], inertia about the origin [kg m^2],
  // in its frame.
  Expression mass = {};
  Vector3 moment = {};
  Matrix3 inertia = {};
};

/// A force and its moment about the origin of a frame.
struct Wrench {
  Vector3 torque, force;
};

/// Position and motion of a link.
struct LinkFrame {
  Matrix3 R;  // its axes in the frame of the parent,
  Vector3 r;  // its origin there
  Matrix3 ground_R;
  Vector3 ground_r;  // the same in the frame of the ground
  Vector3 omega, v;  // angular velocity, and velocity of the origin, in its own frame
};

class LinkTree {
 public:
  LinkTree(std::vector<TreeLink> links, const Expressions& q, const Expressions& v);

  /// A point that is fixed in the frame of a link, in that of the ground. link -1: the ground.
  Vector3 position(int link, const Vector3& at) const;
  Vector3 velocity(int link, const Vector3& at) const;

  /// A force at a point of a link, a torque on it; both in the frame of the ground. On the ground they do nothing.
  void push(int link, const Vector3& at, const Vector3& force);
  void twist(int link, const Vector3& torque);

  /// Adds Q, without what M q'' needs, in the places of the coordinates.
  void add_forces(const Vector3& gravity, Expressions& force) const;
  /// Writes M.
  void add_mass(ExpressionMatrix& mass) const;
  Expression kinetic_energy() const;
  Expression potential_energy(const Vector3& gravity) const;
  /// Nothing where a joint moves no mass at all.
  std::optional<MassInverse> mass_inverse() const;

 private:
  const Expression& rate(std::size_t i) const { return v_[links_[i].coordinate]; }
  LinkFrame frame_of(const TreeLink& link, const Expression& q, const Expression& rate) const;
  Wrench inertial_wrench(std::size_t i, const Vector3& omega, const Vector3& alpha, const Vector3& a) const;

  std::vector<TreeLink> links_;
  Expressions v_;
  std::vector<LinkFrame> frames_;
  std::vector<Wrench> loads_;  // in the frames of the links, about their origins
};

}  // namespace daelab
