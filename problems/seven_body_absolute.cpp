// The seven-body (Andrews squeezing) mechanism in absolute coordinates, as general multibody programs set it up.
//
//   q = (x1, y1, angle1, ..., x7, y7, angle7): centre of mass [m] and angle [rad] of each body; 21 coordinates.
//   C: ten pins, two equations each [m]; lambda is the force in the pin [N]. M is constant.
//
// A joint of k moving bodies is k - 1 pins, all to the first of them; one on the ground is k pins.
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098, section 8.1.
#include "problems/seven_body.hpp"

namespace daelab {
namespace {

constexpr int ground = -1;

struct Pin {
  int body;  // this point of the body ...
  seven_body::Point at;
  int other;  // ... is that point of another, or of the ground
  seven_body::Point other_at;
};

std::vector<Pin> pins_of(const seven_body::Data& data) {
  std::vector<Pin> pins;
  const auto bodies = data.bodies();
  for (int j = 0; j < seven_body::joint_count; ++j) {
    const auto joint = static_cast<seven_body::Joint>(j);
    int other = ground;
    seven_body::Point other_at = data.ground(joint);
    bool attached = j < seven_body::ground_joint_count;
    for (int k = 0; k < seven_body::body_count; ++k) {
      if (bodies[k].first != joint && bodies[k].second != joint) continue;
      const seven_body::Point& at = bodies[k].first == joint ? bodies[k].at_first : bodies[k].at_second;
      if (attached)
        pins.push_back({k, at, other, other_at});
      else
        other = k, other_at = at, attached = true;
    }
  }
  return pins;
}

struct SevenBodyAbsolute : seven_body::Definition {
  static constexpr const char* name = "seven-body-absolute";
  static constexpr const char* summary = "Andrews' squeezing mechanism in absolute coordinates: 7 bodies, 10 pins.";
  static constexpr const char* source = seven_body::source;
  static constexpr const char* independent_route = seven_body::route;

  void record(Recording& r) const {
    const seven_body::Data data = values();
    for (int k = 1; k <= seven_body::body_count; ++k) {
      const std::string number = std::to_string(k);
      r.coordinates({"x" + number, "y" + number, "angle" + number});
    }
    const auto start = start_poses();
    seven_body::Poses poses;
    for (int k = 0; k < seven_body::body_count; ++k) {
      const Expression& angle = r.q[3 * k + 2];
      poses[k] = {{r.q[3 * k], r.q[3 * k + 1]}, {cos(angle), sin(angle)}};
      r.start_q[3 * k] = start[k].centre.x, r.start_q[3 * k + 1] = start[k].centre.y;
      r.start_q[3 * k + 2] = atan2(start[k].axis.y, start[k].axis.x);
    }
    record_inertia(r, data);
    record_drive_and_spring(r, data, poses[seven_body::triangle]);
    for (const Pin& pin : pins_of(data)) {
      const seven_body::Point point = poses[pin.body].point(pin.at);
      const seven_body::Point other = pin.other == ground ? pin.other_at : poses[pin.other].point(pin.other_at);
      r.constraints.push_back(point.x - other.x);
      r.constraints.push_back(point.y - other.y);
    }
  }

  void draw(const Recording& r, Outline& o) const {
    const seven_body::Data data = values();
    const auto bodies = data.bodies();
    const auto place = [&](int body, const seven_body::Point& at) -> OutlinePoint {
      const Expression *q = &r.q[3 * body], c = cos(q[2]), s = sin(q[2]);
      return {q[0] + c * at.x - s * at.y, q[1] + s * at.x + c * at.y};
    };
    std::array<OutlinePoint, seven_body::joint_count> joints;
    for (int k = 0; k < seven_body::body_count; ++k) {
      joints[bodies[k].first] = place(k, bodies[k].at_first);
      joints[bodies[k].second] = place(k, bodies[k].at_second);
    }
    seven_body::draw(data, joints, place(seven_body::triangle, data.spring_point()), o);
  }

  std::optional<Motion> independent_solution(const Real50& t, int digits) const { return motion_of_bodies(t, digits); }

 private:
  static void record_inertia(Recording& r, const seven_body::Data& data) {
    const auto bodies = data.bodies();
    Expression twice;
    for (int k = 0; k < seven_body::body_count; ++k) {
      const Expression *v = &r.v[3 * k], &m = bodies[k].mass, &J = bodies[k].inertia;
      r.mass(3 * k, 3 * k) = r.mass(3 * k + 1, 3 * k + 1) = m, r.mass(3 * k + 2, 3 * k + 2) = J;
      twice += m * (square(v[0]) + square(v[1])) + J * square(v[2]);
    }
    r.kinetic_energy = twice / 2;
  }
  static void record_drive_and_spring(Recording& r, const seven_body::Data& data, const seven_body::Pose& triangle) {
    const int k = 3 * seven_body::triangle;
    const seven_body::Point D = triangle.point(data.spring_point());
    const Expression x = D.x - data.xc, y = D.y - data.yc;
    const Expression tension = (data.l0 / sqrt(square(x) + square(y)) - 1) * data.c0;  // by the spring's length
    r.force[2] = data.mom;
    r.force[k] = tension * x;
    r.force[k + 1] = tension * y;
    r.force[k + 2] = (D.x - r.q[k]) * r.force[k + 1] - (D.y - r.q[k + 1]) * r.force[k];
    r.potential_energy = spring_energy(data, triangle) - r.q[2] * data.mom;
  }
};
const ProblemEntry<SevenBodyAbsolute> seven_body_absolute_entry;

}  // namespace
}  // namespace daelab
