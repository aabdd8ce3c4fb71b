// Thin disc that rolls without slipping on a horizontal plane: one holonomic and two nonholonomic constraints.
//
//   q = (x, y, z, psi, theta, phi) [m, rad]: centre, heading, inclination of the disc to the plane, spin.
//   e1 = (cos psi, sin psi, 0) along the tangent at the contact, e2 = cos theta (k x e1) + sin theta k from the contact
//   to the centre, e3 = e1 x e2 along the axis; k is vertical.
//   omega = theta' e1 + psi' sin(theta) e2 + w e3,  w = phi' + psi' cos(theta),
//   2 T = m (x'^2 + y'^2 + z'^2) + A (theta'^2 + psi'^2 sin^2 theta) + B w^2,  V = m g z.
//   C = z - r sin(theta);  v + omega x (-r e2) = 0 in the directions e1 and k x e1:
//   G1 = x' cos(psi) + y' sin(psi) + r w,  G2 = -x' sin(psi) + y' cos(psi) + r theta' sin(theta).
//
// Energy is conserved. The coordinates are singular where the disc lies flat, theta = 0.
//
// [NF72] Neimark, Fufaev, Dynamics of Nonholonomic Systems, American Mathematical Society, 1972.
// [OR96] O'Reilly, The dynamics of rolling disks and sliding disks, Nonlinear Dynamics 10, 1996, 287-305.
#include <algorithm>

#include "core/integration/extrapolation.hpp"
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

struct RollingDisc {
  static constexpr const char* name = "rolling-disc";
  static constexpr const char* summary = "Rolling disc: one holonomic and two nonholonomic constraints.";
  static constexpr const char* source = "Neimark, Fufaev 1972; O'Reilly 1996";
  static constexpr const char* independent_route =
      "reduced equations of the inclination and the angular velocity by extrapolation";

  Exact mass = 1, radius = "1/2", diametral = "1/4", axial = "1/2", gravity = "9.81";
  Exact inclination = "pi/3", inclination_rate = "1/2", precession = 1, spin = -6, end_time = 5;

  Options options() {
    return {option("mass", mass, "m [kg]", positive()),
            option("radius", radius, "r [m]", positive()),
            option("diametral", diametral, "moment of inertia about a diameter, A/(m r^2); hoop: 1/2", positive()),
            option("axial", axial, "moment of inertia about the axis, B/(m r^2); hoop: 1", positive()),
            option("gravity", gravity, "g [m/s^2]", at_least(0)),
            option("inclination", inclination, "start of theta [rad], between 0 and pi", positive()),
            option("inclination_rate", inclination_rate, "start of theta' [rad/s]"),
            option("precession", precession, "start of psi' [rad/s]"),
            option("spin", spin, "start of phi' [rad/s]; below 0: along e1"),
            option("end_time", end_time, "[s]", positive())};
  }
  void validate(const std::string& where) const {
    if (inclination.value() >= Exact("pi").value())
      throw InputError(where + "/inclination", "allowed: above 0 and below pi, where the disc lies flat");
  }

  void record(Recording& r) const {
    r.coordinates({"x", "y", "z", "psi", "theta", "phi"});
    const auto& q = r.q;
    const auto& v = r.v;
    const Expression m = mass, R = radius, A = m * R * R * diametral, B = m * R * R * axial;
    start(r, R);

    Expression s, c, sin_psi, cos_psi;
    sincos(q[4], s, c), sincos(q[3], sin_psi, cos_psi);
    r.mass(0, 0) = r.mass(1, 1) = r.mass(2, 2) = m;
    r.mass(3, 3) = square(s) * A + square(c) * B;
    r.mass(3, 5) = r.mass(5, 3) = c * B;
    r.mass(4, 4) = A;
    r.mass(5, 5) = B;

    const Expression w = v[5] + v[3] * c;
    r.force[2] = -m * gravity;
    r.force[3] = s * v[4] * (w * B + c * v[3] * (B - 2 * A));
    r.force[4] = s * v[3] * (c * v[3] * A - w * B);
    r.force[5] = s * v[3] * v[4] * B;
    r.constraints = {q[2] - s * R};
    r.nonholonomic_constraints = {v[0] * cos_psi + v[1] * sin_psi + w * R,
                                  v[1] * cos_psi - v[0] * sin_psi + v[4] * s * R};

    const Expression shift = square(v[0]) + square(v[1]) + square(v[2]), tumble = square(v[4]) + square(v[3] * s);
    r.kinetic_energy = (shift * m + tumble * A + square(w) * B) / 2;
    r.potential_energy = q[2] * (m * gravity);
    r.observe("contact_x", q[0] + c * R * sin_psi);
    r.observe("contact_y", q[1] - c * R * cos_psi);
  }

  void draw(const Recording& r, Outline& o) const {
    const Expression R = radius, &x = r.q[0], &y = r.q[1], &z = r.q[2];
    const Expression sin_psi = sin(r.q[3]), cos_psi = cos(r.q[3]), s = sin(r.q[4]), c = cos(r.q[4]);
    const auto on_disc = [&](const Expression& ahead, const Expression& up) -> OutlinePoint {  // along e1 and e2
      return {x + ahead * cos_psi - up * c * sin_psi, y + ahead * sin_psi + up * c * cos_psi, z + up * s};
    };
    o.is_spatial = true;
    const OutlinePoint contact = on_disc(0, -R), centre{x, y, z};
    std::vector<OutlinePoint> rim, plane;
    constexpr int sides = 48;
    for (int i = 0; i < sides; ++i) {
      const Expression turn = Exact("2 pi") * i / sides;
      rim.push_back(on_disc(R * cos(turn), R * sin(turn)));
    }
    for (const auto& [a, b] : {std::pair(-2, -2), {2, -2}, {2, 2}, {-2, 2}, {-2, -2}})
      plane.push_back({x + a * R, y + b * R, 0});
    for (std::size_t i = 0; i + 1 < plane.size(); ++i) o.axis(plane[i], plane[i + 1]);
    o.polygon(rim);
    o.line({centre, on_disc(R * cos(r.q[5]), R * sin(r.q[5]))});
    o.mass(centre, "(x, y, z)"), o.joint(contact);
    o.dimension(contact, centre, "r");
    o.arrow(contact, {contact.x + R * cos_psi, contact.y + R * sin_psi, 0}, "e_1");
  }

  // y = (theta, omega, psi, phi, x, y) with omega along (e1, e2, e3): the balance of moments about the contact,
  // divided by m r^2, in which no reactions occur.                                                  [OR96; NF72]
  std::optional<Motion> independent_solution(const Real50& t, int digits) const {
    using T = Real50;
    const T A = diametral.as<T>(), B = axial.as<T>(), r = radius.as<T>(), pull = gravity.as<T>() / r;
    const auto reduced = [&](const T&, const Vector<T>& y, Vector<T>& f) {
      T s, c, sin_psi, cos_psi;
      sincos(y[0], s, c);
      sincos(y[4], sin_psi, cos_psi);
      const T precession_cosine = y[2] * c / s;
      f[0] = y[1];
      f[1] = (A * y[2] * precession_cosine - (B + 1) * y[2] * y[3] - pull * c) / (A + 1);
      f[2] = y[1] * (B * y[3] - A * precession_cosine) / A;
      f[3] = y[1] * y[2] / (B + 1);
      f[4] = y[2] / s;
      f[5] = y[3] - precession_cosine;
      f[6] = r * (y[1] * s * sin_psi - y[3] * cos_psi);
      f[7] = -r * (y[1] * s * cos_psi + y[3] * sin_psi);
    };
    const T theta = inclination.as<T>(), turn = precession.as<T>(), zero(0);
    const T across = turn * sin(theta), along = spin.as<T>() + turn * cos(theta);
    const Vector<T> from{{theta, inclination_rate.as<T>(), across, along, zero, zero, zero, zero}};
    const int columns = digits / 2 - 2;
    const int steps = std::max(1, static_cast<int>(ceil(2 * digits * t)));
    return motion(r, extrapolate<T>(reduced, T(0), from, t, steps, columns), reduced);
  }

 private:
  // Above the origin, rolling.
  void start(Recording& r, const Expression& R) const {
    const Expression s = sin(inclination), c = cos(inclination), fall = R * inclination_rate;
    r.start_q = {0, 0, R * s, 0, inclination, 0};
    r.start_v = {-R * (spin + precession * c), -fall * s, fall * c, precession, inclination_rate, spin};
  }
  static Motion motion(const Real50& r, const Vector<Real50>& y, const auto& reduced) {
    Vector<Real50> f(8);
    reduced(Real50(0), y, f);
    Real50 s, c;
    sincos(y[0], s, c);
    return {Vector<Real50>{{y[6], y[7], r * s, y[4], y[0], y[5]}},
            Vector<Real50>{{f[6], f[7], r * c * y[1], f[4], y[1], f[5]}}};
  }
};
const ProblemEntry<RollingDisc> rolling_disc_entry;

}  // namespace
}  // namespace daelab
