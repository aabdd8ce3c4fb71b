// Knife edge (skate) on an inclined plane: the contact slides along the edge only, the smallest nonholonomic problem.
//
//   q = (x, y, theta) [m, m, rad],  M = diag(m, m, J),  Q = (m g sin(alpha), 0, 0): x points down the slope.
//   G = x' sin(theta) - y' cos(theta) = 0.
//
// From rest at the origin, turning at the rate w, theta = w t and the edge draws a cycloid: it does not slide down,
//   x = g sin(alpha)/(2 w^2) sin^2(w t),  y = g sin(alpha)/(2 w^2) (w t - sin(2 w t)/2).
//
// [NF72] Neimark, Fufaev, Dynamics of Nonholonomic Systems, American Mathematical Society, 1972, Chap. II.
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

struct KnifeEdge {
  static constexpr const char* name = "knife-edge";
  static constexpr const char* summary =
      "Skate on an inclined plane: one nonholonomic constraint, a closed-form motion.";
  static constexpr const char* source = "Neimark, Fufaev 1972, Chap. II";
  static constexpr const char* independent_route = "closed form: a cycloid";

  Exact mass = 1, inertia = "1/10", gravity = "9.81", slope = "pi/6", rate = 2, end_time = 5;

  Options options() {
    return {option("mass", mass, "mass of the skate [kg]", positive()),
            option("inertia", inertia, "its moment of inertia about the contact [kg m^2]", positive()),
            option("gravity", gravity, "gravitational acceleration [m/s^2]", at_least(0)),
            option("slope", slope, "inclination of the plane [rad]"),
            option("rate", rate, "rate at which it turns [rad/s]", positive()),
            option("end_time", end_time, "end of the interval [s]", positive())};
  }

  void record(Recording& r) const {
    r.coordinates({"x", "y", "theta"});
    r.start_v[2] = rate;
    const auto& q = r.q;
    const auto& v = r.v;
    const Expression weight = Expression(mass) * pull();
    r.mass(0, 0) = r.mass(1, 1) = mass;
    r.mass(2, 2) = inertia;
    r.force[0] = weight;
    r.nonholonomic_constraints = {v[0] * sin(q[2]) - v[1] * cos(q[2])};
    r.kinetic_energy = (mass * (square(v[0]) + square(v[1])) + inertia * square(v[2])) / 2;
    r.potential_energy = -(weight * q[0]);
  }

  // Seen from above the plane, x down the slope.
  void draw(const Recording& r, Outline& o) const {
    const Expression &x = r.q[0], &y = r.q[1], c = cos(r.q[2]) / 2, s = sin(r.q[2]) / 2;
    o.axis({0, 0}, {2, 0}, "x"), o.axis({0, 0}, {0, 1}, "y");
    o.line({{x - c, y - s}, {x + c, y + s}});
    o.mass({x, y}, "m, J");
    o.arrow({1, Exact("3/5")}, {Exact("8/5"), Exact("3/5")}, "g sin α");
  }

  std::optional<Motion> independent_solution(const Real50& t, int /*digits*/) const {
    const Real50 w = rate.as<Real50>(), g = static_cast<Real50>(pull()), phi = w * t;
    const Real50 size = g / (2 * w * w);
    const Vector<Real50> q{{size * sin(phi) * sin(phi), size * (phi - sin(2 * phi) / 2), phi}};
    const Vector<Real50> v{{size * w * sin(2 * phi), size * w * (1 - cos(2 * phi)), w}};
    return Motion{q, v};
  }

 private:
  Real100 pull() const { return gravity.value() * sin(slope.value()); }
};
const ProblemEntry<KnifeEdge> knife_edge_entry;

}  // namespace
}  // namespace daelab
