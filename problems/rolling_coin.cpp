// Coin that rolls upright on an inclined plane and turns: two nonholonomic constraints, a closed-form motion.
//
//   q = (x, y, theta, phi) [m, m, rad, rad]: contact, heading, spin;  M = diag(m, m, J, I),  Q = (m g sin(alpha), 0, 0,
//   0): x points down the slope.   G1 = x' - r phi' cos(theta),  G2 = y' - r phi' sin(theta).
//
// With w = theta' and k = m g r sin(alpha)/(I + m r^2) the spin has phi'' = k cos(theta), so that
//
//   theta = theta0 + w t,  phi' = A + (k/w) sin(theta),  A = phi'0 - (k/w) sin(theta0),
//   x' = r phi' cos(theta),  y' = r phi' sin(theta):
//
// a circle of the radius r phi'0/w on a horizontal plane, and on a slope arcs that drift across it, not down.
//
// [Blo15] Bloch, Nonholonomic Mechanics and Control, 2nd ed., Springer 2015, Sec. 1.4: the vertical rolling disc.
// [NF72] Neimark, Fufaev, Dynamics of Nonholonomic Systems, American Mathematical Society, 1972, Chap. II.
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

struct RollingCoin {
  static constexpr const char* name = "rolling-coin";
  static constexpr const char* summary =
      "Upright coin that rolls on an inclined plane: two nonholonomic constraints, a closed-form motion.";
  static constexpr const char* source = "Bloch 2015, Sec. 1.4; Neimark, Fufaev 1972, Chap. II";
  static constexpr const char* independent_route = "closed form: heading, spin and contact by sines and cosines";

  Exact mass = 1, radius = "1/2", axial = "1/2", diametral = "1/4", gravity = "9.81", slope = "pi/6";
  Exact heading = 0, turn = 2, spin = 3, end_time = 5;

  Options options() {
    return {option("mass", mass, "m [kg]", positive()),
            option("radius", radius, "r [m]", positive()),
            option("axial", axial, "moment of inertia about the axis, I/(m r^2); hoop: 1", positive()),
            option("diametral", diametral, "moment of inertia about a diameter, J/(m r^2); hoop: 1/2", positive()),
            option("gravity", gravity, "g [m/s^2]", at_least(0)),
            option("slope", slope, "alpha, inclination of the plane [rad]"),
            option("heading", heading, "start of theta [rad]; 0: down the slope"),
            option("turn", turn, "start of theta' [rad/s]", positive()),
            option("spin", spin, "start of phi' [rad/s]"),
            option("end_time", end_time, "[s]", positive())};
  }

  void record(Recording& r) const {
    r.coordinates({"x", "y", "theta", "phi"});
    const auto& q = r.q;
    const auto& v = r.v;
    const Expression m = mass, R = radius, J = m * R * R * diametral, I = m * R * R * axial, weight = m * pull();
    r.start_q[2] = heading;
    r.start_v = {R * spin * cos(heading), R * spin * sin(heading), turn, spin};
    r.mass(0, 0) = r.mass(1, 1) = m;
    r.mass(2, 2) = J;
    r.mass(3, 3) = I;
    r.force[0] = weight;
    r.nonholonomic_constraints = {v[0] - R * v[3] * cos(q[2]), v[1] - R * v[3] * sin(q[2])};
    r.kinetic_energy = (m * (square(v[0]) + square(v[1])) + J * square(v[2]) + I * square(v[3])) / 2;
    r.potential_energy = -(weight * q[0]);
    r.conserve("turning", J * v[2]);
  }

  // Seen from above the plane, x down the slope.
  void draw(const Recording& r, Outline& o) const {
    const Expression &x = r.q[0], &y = r.q[1], R = radius, c = R * cos(r.q[2]), s = R * sin(r.q[2]);
    o.axis({0, 0}, {4 * R, 0}, "x"), o.axis({0, 0}, {0, 2 * R}, "y");
    o.line({{x - c, y - s}, {x + c, y + s}});
    o.mass({x, y}, "m, I, J");
    o.arrow({2 * R, R}, {3 * R, R}, "g sin α");
  }

  std::optional<Motion> independent_solution(const Real50& t, int /*digits*/) const {
    const Real50 R = radius.as<Real50>(), w = turn.as<Real50>(), start = heading.as<Real50>(), theta = start + w * t;
    const Real50 k = static_cast<Real50>(pull()) / (R * (1 + axial.as<Real50>())), swing = k / w;
    const Real50 mean = spin.as<Real50>() - swing * sin(start);
    const Real50 rise = sin(theta) - sin(start), fall = cos(start) - cos(theta);
    const Real50 waves = t / 2 - (sin(2 * theta) - sin(2 * start)) / (4 * w);  // integral of sin^2(theta)
    const Real50 rate = mean + swing * sin(theta);
    return Motion{Vector<Real50>{{R * (mean * rise / w + swing * rise * (sin(theta) + sin(start)) / (2 * w)),
                                  R * (mean * fall / w + swing * waves), theta, mean * t + swing * fall / w}},
                  Vector<Real50>{{R * rate * cos(theta), R * rate * sin(theta), w, rate}}};
  }

 private:
  Real100 pull() const { return gravity.value() * sin(slope.value()); }
};
const ProblemEntry<RollingCoin> rolling_coin_entry;

}  // namespace
}  // namespace daelab
