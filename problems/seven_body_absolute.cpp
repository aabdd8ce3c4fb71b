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

template <class T>
struct Pin {
  int body;                   // this point of the body ...
  seven_body::Point<T> at;
  int other;                  // ... is that point of another, or of the ground
  seven_body::Point<T> other_at;
};

template <class T>
std::vector<Pin<T>> pins_of(const seven_body::Data<T>& data) {
  std::vector<Pin<T>> pins;
  const auto bodies = data.bodies();
  for (int j = 0; j < seven_body::joint_count; ++j) {
    const auto joint = static_cast<seven_body::Joint>(j);
    int other = ground;
    seven_body::Point<T> other_at = data.ground(joint);
    bool attached = j < seven_body::ground_joint_count;
    for (int k = 0; k < seven_body::body_count; ++k) {
      if (bodies[k].first != joint && bodies[k].second != joint) continue;
      const seven_body::Point<T>& at = bodies[k].first == joint ? bodies[k].at_first : bodies[k].at_second;
      if (attached)
        pins.push_back({k, at, other, other_at});
      else
        other = k, other_at = at, attached = true;
    }
  }
  return pins;
}

template <class T>
struct SevenBodyAbsoluteModel {
  static constexpr int directions = 7;
  static constexpr bool constant_mass = true;
  seven_body::Data<T> data;
  Vector<T> start;
  std::array<seven_body::Body<T>, seven_body::body_count> bodies = data.bodies();
  std::vector<Pin<T>> pins = pins_of(data);

  Index coordinates() const { return 3 * seven_body::body_count; }
  Index constraints() const { return 2 * static_cast<Index>(pins.size()); }
  Vector<T> initial_q() const { return start; }
  Vector<T> initial_v() const { return Vector<T>::Zero(coordinates()); }

  template <class S>
  void mass(const S& /*t*/, const Vector<S>& /*q*/, Matrix<S>& M) const {
    for (int k = 0; k < seven_body::body_count; ++k) {
      M(3 * k, 3 * k) = M(3 * k + 1, 3 * k + 1) = S(bodies[k].mass);
      M(3 * k + 2, 3 * k + 2) = S(bodies[k].inertia);
    }
  }
  template <class S>
  void force(const S& /*t*/, const Vector<S>& q, const Vector<S>& /*v*/, Vector<S>& Q) const {
    using std::sqrt;
    const Index k = 3 * seven_body::triangle;
    const seven_body::Pose<S> body = pose(q, seven_body::triangle);
    const seven_body::Point<S> D = body.point(data.spring_point());
    const S x = D.x - S(data.xc), y = D.y - S(data.yc);
    const S tension = (S(data.l0) / sqrt(S(x * x + y * y)) - S(T(1))) * data.c0;  // by the spring's length
    Q[2] = S(data.mom);
    Q[k] = tension * x;
    Q[k + 1] = tension * y;
    Q[k + 2] = (D.x - q[k]) * Q[k + 1] - (D.y - q[k + 1]) * Q[k];
  }
  template <class S>
  void constraint(const S& /*t*/, const Vector<S>& q, Vector<S>& C) const {
    seven_body::Poses<S> poses;
    for (int k = 0; k < seven_body::body_count; ++k) poses[k] = pose(q, k);
    Index row = 0;
    for (const Pin<T>& pin : pins) {
      const seven_body::Point<S> point = poses[pin.body].point(pin.at);
      const seven_body::Point<S> other = pin.other == ground
                                             ? seven_body::Point<S>{S(pin.other_at.x), S(pin.other_at.y)}
                                             : poses[pin.other].point(pin.other_at);
      C[row++] = point.x - other.x;
      C[row++] = point.y - other.y;
    }
  }
  void constraint_jacobian(const T& t, const Vector<T>& q, Vector<T>& C, Matrix<T>& C_q) const {
    constraint(t, q, C);
    C_q.setZero();
    for_each_end(q, [&](Index row, Index k, const T& sign, const seven_body::Point<T>& arm) {
      C_q(row, k) = C_q(row + 1, k + 1) = sign;
      C_q(row, k + 2) = -sign * arm.y;
      C_q(row + 1, k + 2) = sign * arm.x;
    });
  }
  void constraint_curvature(const T& /*t*/, const Vector<T>& q, const Vector<T>& v, Vector<T>& h) const {
    h.setZero();
    for_each_end(q, [&](Index row, Index k, const T& sign, const seven_body::Point<T>& arm) {
      const T square = sign * v[k + 2] * v[k + 2];
      h[row] -= square * arm.x;
      h[row + 1] -= square * arm.y;
    });
  }
  template <class S>
  Energy<S> energy(const S& /*t*/, const Vector<S>& q, const Vector<S>& v) const {
    Energy<S> energy{S(T(0)), spring_energy(data, pose(q, seven_body::triangle)) - q[2] * data.mom};
    for (int k = 0; k < seven_body::body_count; ++k)
      energy.kinetic += (v[3 * k] * v[3 * k] + v[3 * k + 1] * v[3 * k + 1]) * T(bodies[k].mass / 2) +
                        v[3 * k + 2] * v[3 * k + 2] * T(bodies[k].inertia / 2);
    return energy;
  }

 private:
  template <class S>
  static seven_body::Pose<S> pose(const Vector<S>& q, int body) {
    seven_body::Pose<S> pose{{q[3 * body], q[3 * body + 1]}, {}};
    sincos(q[3 * body + 2], pose.axis.y, pose.axis.x);
    return pose;
  }
  // For both bodies of each pin: its first row, the first coordinate of the body, the sign with which the body's
  // point enters, and the vector from the centre of mass to that point.
  template <class F>
  void for_each_end(const Vector<T>& q, F f) const {
    for (Index i = 0; i < static_cast<Index>(pins.size()); ++i) {
      const Pin<T>& pin = pins[static_cast<std::size_t>(i)];
      const auto end = [&](int body, const seven_body::Point<T>& at, int sign) {
        if (body == ground) return;
        seven_body::Pose<T> turned = pose(q, body);
        turned.centre = {T(0), T(0)};
        f(2 * i, Index(3 * body), T(sign), turned.point(at));
      };
      end(pin.body, pin.at, 1);
      end(pin.other, pin.other_at, -1);
    }
  }
};

struct SevenBodyAbsolute : seven_body::Definition {
  static constexpr const char* name = "seven-body-absolute";
  static constexpr const char* summary = "Andrews' squeezing mechanism in absolute coordinates: 7 bodies, 10 pins.";
  static constexpr const char* source = seven_body::source;
  static constexpr const char* independent_route = seven_body::route;

  template <class T>
  SevenBodyAbsoluteModel<T> model() const {
    const auto poses = start_poses();
    Vector<T> q(3 * seven_body::body_count);
    for (int k = 0; k < seven_body::body_count; ++k) {
      q[3 * k] = static_cast<T>(poses[k].centre.x);
      q[3 * k + 1] = static_cast<T>(poses[k].centre.y);
      q[3 * k + 2] = static_cast<T>(Real100(atan2(poses[k].axis.y, poses[k].axis.x)));
    }
    return {values<T>(), q};
  }

  std::optional<Motion> independent_solution(const Real50& t, int digits) const {
    const auto motion = crank_motion(t, digits);
    if (!motion) return {};
    Motion result{Vector<Real50>(3 * seven_body::body_count), Vector<Real50>(3 * seven_body::body_count)};
    for (int k = 0; k < seven_body::body_count; ++k) {
      const auto& centre = motion->poses[k].centre;
      result.q.segment(3 * k, 3) << centre.x.v, centre.y.v, motion->angle(k);
      result.v.segment(3 * k, 3) << motion->rate * centre.x.d[0], motion->rate * centre.y.d[0],
          motion->angular_velocity(k);
    }
    return result;
  }
};
const ProblemEntry<SevenBodyAbsolute> seven_body_absolute_entry;

}  // namespace
}  // namespace daelab
