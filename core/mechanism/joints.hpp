// Mechanisms stated as trees of bodies and joints: coordinates, equations and charts follow.
//
// Each body hangs on the ground or on another body by one joint, whose degrees of freedom are the coordinates. Loops
// are closed by pins, which are constraints. A joint turns as angle sequences do; those of spherical and free joints
// are singular where their middle angle takes the first axis to the third, or against it, and have two charts then.
//
//   JointTree tree;
//   const int rod = tree.body({"rod", mass, {half, 0, 0}, planar_inertia(J)});
//   tree.joint({.name = "angle", .body = rod});                    // a pendulum that turns about z at the origin
//   r.coordinates(tree.coordinate_names());
//   JointRecorder joints(tree, r);
//   r.observe("tip_x", joints.position({rod, {length, 0, 0}})[0]);
//   joints.record();
#pragma once

#include <string>
#include <vector>

#include "core/base/input_error.hpp"
#include "core/mechanism/link_tree.hpp"

namespace daelab {

struct TreeBody {
  std::string name;
  Expression mass;         // [kg], a positive constant
  Vector3 centre;          // of mass, in the body's frame [m]
  Matrix3 inertia;         // about the centre of mass, along the axes of the body's frame [kg m^2]
  std::string where = "";  // in a file, for errors
};
inline Matrix3 planar_inertia(const Expression& about_z) { return diagonal(0, 0, about_z); }

enum class JointKind {
  revolute,   // one angle [rad] about the axis
  prismatic,  // one length [m] along the axis
  spherical,  // three angles
  free        // three lengths along the axes of what it is on, three angles
};
/// In the order of the enumerators.
const std::vector<std::string>& names_of(JointKind);

/// Names: that of the joint; for several, lengths angle_x, angle_y, angle_z, then angle1 to angle3.
std::vector<std::string> coordinates_of(const std::string& joint, JointKind kind);
inline bool has_angles(JointKind kind) { return kind == JointKind::spherical || kind == JointKind::free; }

/// About which axes, each carried along by the turns before it: singular where the second angle is a quarter turn, or
/// where it is zero.
enum class AngleSequence { xyz, zxz };
const std::vector<std::string>& names_of(AngleSequence);

constexpr int ground_body = -1;

struct BodyPoint {
  int body = ground_body;
  Vector3 at = {};  // in its frame; on the ground in that of the ground
};

struct TreeJoint {
  std::string name;  // see coordinates_of()
  JointKind kind = JointKind::revolute;
  BodyPoint on = {};  // where it is on the body that is nearer to the ground,
  int body = 0;       // and on the one that hangs on it
  Vector3 at = {};
  Vector3 axis = {0, 0, 1};            // in the frame of what it is on; constant, of any length
  Matrix3 turned = diagonal(1, 1, 1);  // of the body's frame against that frame where all coordinates are 0; constant
  AngleSequence angles = AngleSequence::xyz;  // of the start, and of results
  bool two_charts = true;  // of spherical and free joints: the other sequence takes over near singularities
  std::string where = "";
};

struct JointTree {
  std::vector<TreeBody> bodies;
  std::vector<TreeJoint> joints;  // one for each body, in any order; their order is that of the coordinates
  Vector3 gravity;                // [m/s^2], in the frame of the ground

  int body(TreeBody x) {
    bodies.push_back(std::move(x));
    return static_cast<int>(bodies.size()) - 1;
  }
  void joint(TreeJoint x) { joints.push_back(std::move(x)); }

  std::vector<std::string> coordinate_names() const;
  /// Joints that have two charts.
  std::vector<std::size_t> charted_joints() const;
  /// The joints from the ground outwards. Throws InputError for bodies that hang on none, on two, on themselves or in a
  /// circle, with the joints that do not belong to the tree.
  std::vector<std::size_t> outwards() const;

 private:
  [[noreturn]] void refuse_circle(const std::vector<std::size_t>& way, int body) const;
};

/// Positions and velocities of the bodies of a tree.
class JointKinematics {
 public:
  /// In the mode of a recording that has the coordinates of the tree, from number `first` on. The tree must outlive it.
  /// Throws InputError as outwards() does, for what must be constant and is not, for bodies without mass, and for more
  /// than 8 joints with two charts.
  JointKinematics(const JointTree& tree, const Recording& r, std::size_t first = 0);

  /// In the frame of the ground.
  Vector3 position(const BodyPoint& point) const;
  Vector3 velocity(const BodyPoint& point) const;

 protected:
  Vector3 on_link(const BodyPoint& point) const;
  int link_of(int body) const { return body == ground_body ? -1 : mounts_[static_cast<std::size_t>(body)].link; }
  AngleSequence sequence_of(std::size_t joint, int chart) const;
  std::size_t first_angle(std::size_t joint) const;  // its place in q

  const JointTree& tree_;
  const int mode_;
  std::vector<std::size_t> charted_, coordinate_;  // joints with two charts; by joint: its first coordinate

 private:
  // A body's frame on its link: x = turn (local - origin).
  struct Mount {
    int link = -1;
    Matrix3 turn = diagonal(1, 1, 1);
    Vector3 origin = {};
  };
  std::vector<TreeLink> links(std::size_t first);
  void hang(std::size_t joint, std::vector<TreeLink>& links);

  std::vector<Mount> mounts_;  // by body

 protected:
  LinkTree links_;
};

/// Records a tree: first whatever acts on it, at last the equations.
class JointRecorder : public JointKinematics {
 public:
  JointRecorder(const JointTree& tree, Recording& r, std::size_t first = 0) : JointKinematics(tree, r, first), r_(r) {}

  /// A force at a point, a torque; in the frame of the ground.
  void push(const BodyPoint& point, const Vector3& force);
  void twist(int body, const Vector3& torque);
  /// A spring of a relaxed length [m], 0 where it is none, with a damper beside it. [N/m], [N s/m]
  void spring(const BodyPoint& from, const BodyPoint& to, const Expression& stiffness, const Expression& length,
              const Expression& damping = {});
  /// Constraints: the points coincide, in the plane of x and y or in space.
  void pin(const BodyPoint& a, const BodyPoint& b, bool is_spatial);

  /// Writes M and M^-1, adds to Q and to the energies, and adds charts and their events. `r.force` and
  /// `r.potential_energy` may be there before.
  void record();

 private:
  Expressions in_chart(int chart) const;
  void record_charts();

  Recording& r_;
  Expression spring_energy_;
};

}  // namespace daelab
