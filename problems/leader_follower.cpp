// Two arms in the plane, the second led along the first by a servo: a smooth motion of any stiffness, the equation of
// Prothero and Robinson for constrained mechanisms.
//
//   q = (x1, y1, x2, y2) [m]: tips of unit mass on massless rods of unit length, hinged at the origin; no gravity.
//   M = I [kg],  C_i = (x_i^2 + y_i^2 - 1)/2 [m^2],  lambda_i: rod force per length [N/m].
//   Leader:    Q_1 = p'' . e e + p - q1,  a unit spring to the guide p(t) = (sin phi, -cos phi), phi = A sin t.
//   Follower:  Q_2 = p'' . e e + w^2 (q1 - q2) + 2 zeta w (v1 - v2): the servo does not react on the leader.
//   e = (cos phi, sin phi) is tangential, p'' . e = phi''.
//
// q1 = q2 = p solves them for any w, with lambda_i = phi'^2. Deviations of the angles from phi obey, to first order,
//   d1'' + d1 = 0,   d2'' + 2 zeta w (d2' - d1') + w^2 (d2 - d1) = 0:
// the eigenvalues +-i and -w (zeta +- sqrt(zeta^2 - 1)). So the largest one, an option, is also the ratio of the
// largest to the smallest and the product with the time scale of the motion, 1 s: three definitions of stiffness.
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

struct LeaderFollower {
  static constexpr const char* name = "leader-follower";
  static constexpr const char* summary = "Two arms, the second led along by a servo: smooth at any stiffness.";
  static constexpr const char* source = "the construction of Prothero, Robinson 1974 for constrained mechanisms";
  static constexpr const char* independent_route = "closed form: both arms follow the guide";
  static constexpr bool conserves_energy = false;  // drives

  Exact stiffness = 1000, damping = "5/4", amplitude = 1, end_time = 5;

  Options options() {
    return {option("stiffness", stiffness, "largest |eigenvalue| of the servo, w (zeta + sqrt(zeta^2 - 1)) or w [1/s]",
                   positive()),
            option("damping", damping, "zeta: 0 for eigenvalues +-i w, from 1 on real ones", at_least(0)),
            option("amplitude", amplitude, "A of the guide's swing [rad]"),
            option("end_time", end_time, "[s]", positive())};
  }

  void record(Recording& r) const {
    r.coordinates({"x1", "y1", "x2", "y2"});
    r.start_q = {0, -1, 0, -1};
    r.start_v = {amplitude, 0, amplitude, 0};
    const auto& q = r.q;
    const auto& v = r.v;
    const Real100 zeta = damping.value();
    const Real100 w = stiffness.value() / (zeta > 1 ? Real100(zeta + sqrt(Real100(zeta * zeta - 1))) : Real100(1));
    const Expression spring = w * w, damper = 2 * zeta * w;

    const Expression phi = sin(r.t) * amplitude, drive = -phi;                         // phi'' = -phi
    const Expression along[] = {cos(phi), sin(phi)}, guide[] = {sin(phi), -cos(phi)};  // e, p
    Expression squared_speed, squared_stretch;
    for (int i = 0; i < 2; ++i) {
      r.mass(i, i) = r.mass(2 + i, 2 + i) = 1;
      r.force[i] = drive * along[i] + guide[i] - q[i];
      r.force[2 + i] = drive * along[i] + (q[i] - q[2 + i]) * spring + (v[i] - v[2 + i]) * damper;
      r.constraints.push_back((square(q[2 * i]) + square(q[2 * i + 1]) - 1) / 2);
      squared_speed += square(v[i]) + square(v[2 + i]);
      squared_stretch += square(q[i] - q[2 + i]);
    }
    r.kinetic_energy = squared_speed / 2;
    r.potential_energy = squared_stretch * (spring / 2);
  }

  // The guide, and the tips that follow it.
  void draw(const Recording& r, Outline& o) const {
    const Expression phi = sin(r.t) * amplitude;
    const OutlinePoint origin{}, leader{r.q[0], r.q[1]}, follower{r.q[2], r.q[3]}, guide{sin(phi), -cos(phi)};
    o.axis(origin, guide, "guide");
    o.line({origin, leader});
    o.line({origin, follower});
    o.support(origin, "O");
    o.mass(leader, "1"), o.mass(follower, "2");
    o.dimension(origin, leader, "L", 1);
  }

  std::optional<Motion> independent_solution(const Real50& t, int /*digits*/) const {
    const Real50 A = amplitude.as<Real50>(), phi = A * sin(t), rate = A * cos(t), s = sin(phi), c = cos(phi);
    return Motion{Vector<Real50>{{s, -c, s, -c}}, Vector<Real50>{{rate * c, rate * s, rate * c, rate * s}}};
  }
};
const ProblemEntry<LeaderFollower> leader_follower_entry;

}  // namespace
}  // namespace daelab
