// The seven-body (Andrews squeezing) mechanism stated as a tree of bodies and joints, closed by three pins.
//
//   q = (beta, theta, gamma, phi, delta, Omega, eps) [rad]: O turns the crank, F rod 2 against it, B the triangle, G
//   rod 4 against body 5, A body 5, H rod 6 against body 7, A body 7. C: rod 2 meets the triangle, rod 4 and rod 6 in E
//   [m].
//
// Equations, multipliers and energies are those of `seven-body`, where they are written by hand.
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098, section 8.1.
#include "core/mechanism/joints.hpp"
#include "problems/seven_body.hpp"

namespace daelab {
namespace {

Vector3 in_the_plane(const seven_body::Point& point) { return {point.x, point.y, 0}; }

// A body at one of its joints.
BodyPoint body_end(const seven_body::Data& data, int body, seven_body::Joint joint) {
  const seven_body::Body x = data.bodies()[static_cast<std::size_t>(body)];
  return {body, in_the_plane(x.first == joint ? x.at_first : x.at_second)};
}

JointTree tree_of_joints(const seven_body::Data& data) {
  JointTree tree;
  for (const seven_body::Body& body : data.bodies())
    tree.body({"body" + std::to_string(tree.bodies.size() + 1), body.mass, {}, planar_inertia(body.inertia)});
  const auto hang = [&](const char* angle, int body, int on, seven_body::Joint joint) {
    const BodyPoint place =
        on == ground_body ? BodyPoint{ground_body, in_the_plane(data.ground(joint))} : body_end(data, on, joint);
    tree.joint({.name = angle, .on = place, .body = body, .at = body_end(data, body, joint).at});
  };
  hang("beta", 0, ground_body, seven_body::O);
  hang("theta", 1, 0, seven_body::F);
  hang("gamma", 2, ground_body, seven_body::B);
  hang("phi", 3, 4, seven_body::G);
  hang("delta", 4, ground_body, seven_body::A);
  hang("Omega", 5, 6, seven_body::H);
  hang("eps", 6, ground_body, seven_body::A);
  return tree;
}

struct SevenBodyJoints : seven_body::Definition {
  static constexpr const char* name = "seven-body-joints";
  static constexpr const char* summary = "Andrews' squeezing mechanism as a tree of joints, closed by three pins.";
  static constexpr const char* source = seven_body::source;

  void record(Recording& r) const {
    const seven_body::Data data = values();
    const JointTree tree = tree_of_joints(data);
    r.coordinates(tree.coordinate_names());
    r.start_q = start_angles();
    r.force[0] = data.mom;
    r.potential_energy = -(r.q[0] * data.mom);
    JointRecorder joints(tree, r);
    joints.spring({ground_body, {data.xc, data.yc, 0}}, {seven_body::triangle, in_the_plane(data.spring_point())},
                  data.c0, data.l0);
    for (const int body : {2, 3, 5})
      joints.pin(body_end(data, 1, seven_body::E), body_end(data, body, seven_body::E), false);
    joints.record();
  }

  void draw(const Recording& r, Outline& o) const {
    const seven_body::Data data = values();
    const JointTree tree = tree_of_joints(data);
    const JointKinematics joints(tree, r);
    const auto at = [&](const BodyPoint& point) -> OutlinePoint {
      const Vector3 x = joints.position(point);
      return {x[0], x[1]};
    };
    std::array<OutlinePoint, seven_body::joint_count> places;
    const auto bodies = data.bodies();
    for (int k = 0; k < seven_body::body_count; ++k)
      for (const seven_body::Joint joint : {bodies[k].first, bodies[k].second})
        places[joint] = at(body_end(data, k, joint));
    seven_body::draw(data, places, at({seven_body::triangle, in_the_plane(data.spring_point())}), o);
  }
};
const ProblemEntry<SevenBodyJoints> seven_body_joints_entry;

}  // namespace
}  // namespace daelab
