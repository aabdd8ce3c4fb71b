// Heavy symmetric top about a fixed point, whose axis passes the upright position ever so closely: there the nutation
// angle is a singular coordinate. Two charts, each regular where the other is not.
//
//   chart 0, Euler angles 3-1-3:    q = (phi, theta, psi), axis (sin phi sin theta, -cos phi sin theta, cos theta),
//   chart 1, Cardan angles 1-2-3:   q = (alpha, beta, gamma), axis (sin beta, -sin alpha cos beta, cos alpha cos beta),
//   2 T = I1 (q2'^2 + q1'^2 f^2) + I3 (q3' + q1' g)^2,  (f, g) = (sin theta, cos theta) or (cos beta, sin beta),
//   V = m g l z,  z the height of the axis.
//
// A chart is singular where f = 0: at the vertical axis z, at the horizontal axis x. The other one takes over where f
// falls below the alarm; there its own f is about one, so that it does not switch back at once.
//
// Conserved: the energy, the vertical and the axial component of the angular momentum, I1 b and I1 a. u = cos theta:
//
//   u'^2 = (1 - u^2) (c - d u) - (b - a u)^2,  d = 2 m g l/I1,  roots u1 < u2 < u3:
//   u = u1 + (u2 - u1) sn^2(w t, k),  w^2 = d (u3 - u1)/4,  k^2 = (u2 - u1)/(u3 - u1),
//   phi' = (b - a u)/(1 - u^2),  psi' = omega3 - phi' u: elliptic integrals of the third kind.
//
// [Gol02] Goldstein, Poole, Safko, Classical Mechanics, 3rd ed., Addison-Wesley, 2002, Sec. 5.7.
#include <fmt/format.h>

#include "core/base/elliptic.hpp"
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

struct HeavyTop {
  static constexpr const char* name = "heavy-top";
  static constexpr const char* summary =
      "Heavy symmetric top that passes the upright position: singular coordinates, two charts.";
  static constexpr const char* source = "Goldstein, Poole, Safko 2002, Sec. 5.7";
  static constexpr const char* independent_route =
      "closed form in Jacobi elliptic functions and elliptic integrals of the third kind";

  enum class Charts { one, two };
  friend std::vector<std::string> names_of(Charts) { return {"one", "two"}; }

  Exact mass = 1, distance = "1/10", transverse_inertia = "1/80", axial_inertia = "1/200", gravity = "9.81";
  Exact inclination = "7/5", closest = "1e-6", spin = 40, azimuth = 0, alarm = "1/2", end_time = 2;
  Charts charts = Charts::two;

  Options options() {
    return {
        option("mass", mass, "m [kg]", positive()),
        option("distance", distance, "l of the centre of mass from the fixed point [m]", positive()),
        option("transverse_inertia", transverse_inertia, "I1, across the axis about the fixed point [kg m^2]",
               positive()),
        option("axial_inertia", axial_inertia, "I3, about the axis [kg m^2]", positive()),
        option("gravity", gravity, "g [m/s^2]", positive()),
        option("inclination", inclination, "largest inclination of the axis from the vertical, at the start [rad]",
               between_zero_and_half_turn()),
        option("closest", closest, "the smallest one [rad]", between_zero_and_half_turn()),
        option("spin", spin, "omega3, angular velocity about the axis [rad/s]"),
        option("azimuth", azimuth, "start of phi [rad]"),
        option("charts", charts, "one: Euler angles throughout; two: Cardan angles near the vertical"),
        option("alarm", alarm, "f below which the other chart takes over", Allowed{Exact(0), Exact("7/10"), true, {}}),
        option("end_time", end_time, "end of the interval [s]", positive())};
  }
  void validate(const std::string& where) const {
    if (closest.value() >= inclination.value())
      throw InputError(where + "/closest", "must be smaller than the inclination at the start");
    const Real100 sum = cos(inclination.value()) + cos(closest.value());
    if (axial() * axial() > weight() * sum && sum > 0) return;
    throw InputError(where + "/spin",
                     fmt::format("the top does not rise that far; allowed: more than {:.6g} rad/s, with both angles "
                                 "together less than pi",
                                 static_cast<double>(sqrt(Real100(abs(weight() * sum))) * transverse_inertia.value() /
                                                     axial_inertia.value())));
  }

  void record(Recording& r) const {
    const bool euler = r.mode == 0;
    if (euler)
      r.coordinates({"phi", "theta", "psi"});
    else
      r.coordinates({"alpha", "beta", "gamma"});
    start(r);
    r.charts = 2;
    const Expression turn = 2 * pi<Real100>();
    r.periods = {{turn, 0, turn}, {turn, 0, turn}};
    r.to_chart = euler ? std::vector{unfolded(r.q), euler_to_cardan(r.q)} : std::vector{cardan_to_euler(r.q), r.q};

    const auto& q = r.q;
    const auto& v = r.v;
    const Expression I1 = transverse_inertia, I3 = axial_inertia, pull = Expression(mass) * gravity * distance;
    const Expression s = sin(q[0]), c = cos(q[0]);
    const Expression f = euler ? sin(q[1]) : cos(q[1]), g = euler ? cos(q[1]) : sin(q[1]);
    r.event({"near the singularity", Crossing::falling, Consequence::chart}, charts == Charts::two ? f - alarm : 1);
    r.mass(0, 0) = square(f) * I1 + square(g) * I3;
    r.mass(0, 2) = r.mass(2, 0) = g * I3;
    r.mass(1, 1) = I1;
    r.mass(2, 2) = I3;

    const Expression slope = euler ? f : -f;  // -dg/dq2; df/dq2 is g or -g
    const Expression spin = v[2] + v[0] * g, rate = slope * v[1];
    r.force[0] = rate * (spin * I3 + v[0] * g * (I3 - 2 * I1));
    r.force[1] = slope * v[0] * (v[0] * g * I1 - spin * I3);
    r.force[2] = rate * v[0] * I3;
    if (euler) {
      r.force[1] += f * pull;
    } else {
      r.force[0] += s * f * pull;
      r.force[1] += c * g * pull;
    }

    const Expression across = -(euler ? c : s) * f;
    const Expressions axis = euler ? Expressions{s * f, across, g} : Expressions{g, across, c * f};
    r.kinetic_energy = ((square(v[1]) + square(v[0] * f)) * I1 + square(spin) * I3) / 2;
    r.potential_energy = axis[2] * pull;
    const Expression axial_momentum = spin * I3;
    const Expression vertical = euler ? v[0] * square(f) : v[1] * s - v[0] * f * c * g;
    r.observe("axis_x", axis[0]), r.observe("axis_y", axis[1]), r.observe("axis_z", axis[2]);
    r.observe("vertical_momentum", vertical * I1 + axial_momentum * axis[2]);
    r.observe("axial_momentum", axial_momentum);
  }

  // A disc on its shaft, in the chart of Euler angles.
  void draw(const Recording& r, Outline& o) const {
    const Expression l = distance, s = sin(r.q[0]), c = cos(r.q[0]), f = sin(r.q[1]), g = cos(r.q[1]);
    o.is_spatial = true;
    std::vector<OutlinePoint> rim;
    constexpr int sides = 36;
    for (int i = 0; i < sides; ++i) {
      const Expression turn = Exact("2 pi") * Expression(i) / sides, a = l / 2 * cos(turn), b = l / 2 * sin(turn);
      rim.push_back({s * f * l + c * a - s * g * b, -(c * f * l) + s * a + c * g * b, g * l + f * b});
    }
    o.axis({0, 0, 0}, {0, 0, l * 2}, "z");
    o.polygon(rim);
    const OutlinePoint centre{s * f * l, -(c * f * l), g * l};
    o.line({{0, 0, 0}, {centre.x * Exact("6/5"), centre.y * Exact("6/5"), centre.z * Exact("6/5")}});
    o.support({0, 0, 0}, "O");
    o.mass(centre, "m");
    o.dimension({0, 0, 0}, centre, "l", -2);
    o.arrow(centre, {centre.x, centre.y, centre.z - l}, "m g");
    o.angle({0, 0, 0}, {0, 0, l}, centre, "θ");
  }

  std::optional<Motion> independent_solution(const Real50& time, int /*digits*/) const {
    const Real100 t(time), a = axial(), b = vertical(), d = weight();
    const Real100 u1 = cos(inclination.value()), u2 = cos(closest.value()), rise = u2 - u1;
    const Real100 c = (b - a * u1) * (b - a * u1) / (1 - u1 * u1) + d * u1, u3 = (c + a * a) / d - u1 - u2;
    const Real100 w = sqrt(Real100(d * (u3 - u1))) / 2, k = sqrt(Real100(rise / (u3 - u1)));
    const Real100 half_period = 2 * elliptic_first(k), swings = round(Real100(w * t / half_period));
    const auto [sn, cn, dn] = jacobi_elliptic(k, Real100(w * t - swings * half_period));
    // Integral of dt/(1 -+ u): 1 -+ u = (1 -+ u1) (1 - n sn^2).
    const auto integral = [&, amplitude = atan2(sn, cn)](int sign) {
      const Real100 first = 1 - sign * u1, n = sign * rise / first;
      return Real100((2 * swings * elliptic_third(k, n) + elliptic_third(k, n, amplitude)) / (first * w));
    };
    const Real100 near = (b - a) / 2 * integral(1), far = (b + a) / 2 * integral(-1);
    const Real100 u = u1 + rise * sn * sn, f = sqrt(Real100((1 - u) * (1 + u))), rate = (b - a * u) / (f * f);
    const auto turned = [](const Real100& x) {
      const Real100 turn = 2 * pi<Real100>();
      return static_cast<Real50>(Real100(x - turn * round(Real100(x / turn))));
    };
    const auto as = [](const Real100& x) { return static_cast<Real50>(x); };
    return Motion{Vector<Real50>{{turned(Real100(azimuth.value() + near + far)), as(Real100(atan2(f, u))),
                                  turned(Real100((spin.value() - a) * t - near + far))}},
                  Vector<Real50>{
                      {as(rate), as(Real100(-2 * rise * w * sn * cn * dn / f)), as(Real100(spin.value() - rate * u))}}};
  }

 private:
  // In chart 0.
  void start(Recording& r) const {
    const Real100 u = cos(inclination.value()), rate = (vertical() - axial() * u) / (1 - u * u);
    r.start_q = {azimuth, inclination, 0};
    r.start_v = {rate, 0, Real100(spin.value() - rate * u)};
  }
  // A run in Euler angles that stepped over the pole: theta positive again.
  static Expressions unfolded(const Expressions& q) {
    const Condition over = q[1] < 0;
    const Expression half = pi<Real100>();
    return {select(over, q[0] + half, q[0]), abs(q[1]), select(over, q[2] + half, q[2])};
  }
  static Expressions euler_to_cardan(const Expressions& q) {
    Expression s, c, s_theta, c_theta;
    sincos(q[0], s, c), sincos(q[1], s_theta, c_theta);
    const Expression y = c * s_theta;
    return {atan2(y, c_theta), atan2(s * s_theta, sqrt(square(y) + square(c_theta))), q[2] + atan2(s * c_theta, c)};
  }
  static Expressions cardan_to_euler(const Expressions& q) {
    Expression s, c, s_beta, c_beta;
    sincos(q[0], s, c), sincos(q[1], s_beta, c_beta);
    const Expression y = s * c_beta;
    return {atan2(s_beta, y), atan2(sqrt(square(y) + square(s_beta)), c * c_beta), q[2] - atan2(c * s_beta, s)};
  }

  static Allowed between_zero_and_half_turn() { return {Exact(0), Exact("pi"), true, {}}; }
  Real100 weight() const {  // d
    return 2 * mass.value() * gravity.value() * distance.value() / transverse_inertia.value();
  }
  Real100 axial() const { return axial_inertia.value() * spin.value() / transverse_inertia.value(); }  // a
  // b, from u' = 0 at both inclinations.
  Real100 vertical() const {
    const Real100 u1 = cos(inclination.value()), u2 = cos(closest.value()), sum = u1 + u2, a = axial();
    const Real100 root = sqrt(Real100(a * a - weight() * sum));
    return (a * (1 + u1 * u2) + sin(inclination.value()) * sin(closest.value()) * root) / sum;
  }
};
const ProblemEntry<HeavyTop> heavy_top_entry;

}  // namespace
}  // namespace daelab
