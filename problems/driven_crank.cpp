// Rigid slider-crank mechanism whose crank is driven at a constant rate w: no degree of freedom is left, the
// constraints determine the motion.
//
//   q = (phi, x, y, psi, s): crank angle [rad]; middle of the rod [m] and its angle [rad]; slider [m].
//   M = diag(J1, m2, m2, J2, m3), J2 = m2 l^2/12; gravity acts on the rod, the crank is balanced.
//   C = (crank pin x, y; slider pin x, y; phi - w t); lambda = pin forces [N] and, with the opposite sign, the
//   driving torque [N m].
//
//   sin psi = -(r/l) sin phi with cos psi > 0:  s = r cos phi + l cos psi,  x = s - l/2 cos psi,  y = r/2 sin phi.
//
// Lengths and masses are those of the flexible slider-crank of the IVP test set, its rod made rigid.
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

struct DrivenCrank {
  static constexpr const char* name = "driven-crank";
  static constexpr const char* summary =
      "Rigid slider-crank at a prescribed crank rate: as many constraints as coordinates.";
  static constexpr const char* source =
      "Ren, Zhou 2020, eqs. (11) to (15); lengths and masses of the slider-crank of the IVP test set (Simeon)";
  static constexpr bool conserves_energy = false;  // a motor drives it
  static constexpr const char* independent_route = "closed form";

  Exact crank_length = "0.15", rod_length = "0.30", crank_inertia = "0.002727", rod_mass = "0.151104";
  Exact slider_mass = "0.075552", gravity = "9.81", rate = 5, end_time = 2;

  Options options() {
    return {option("crank_length", crank_length, "r [m]", positive()),
            option("rod_length", rod_length, "l [m]; a rod not longer than the crank locks the mechanism", positive()),
            option("crank_inertia", crank_inertia, "J1 about the pivot [kg m^2]", positive()),
            option("rod_mass", rod_mass, "m2 [kg]", positive()),
            option("slider_mass", slider_mass, "m3 [kg]", positive()),
            option("gravity", gravity, "g [m/s^2], along -y"),
            option("rate", rate, "w of the crank [rad/s]"),
            option("end_time", end_time, "[s]", positive())};
  }

  void record(Recording& record) const {
    record.coordinates({"phi", "x", "y", "psi", "s"});
    const Expression r = crank_length, l = rod_length, m2 = rod_mass, m3 = slider_mass, J1 = crank_inertia;
    const Expression J2 = m2 * l * l / 12, g = gravity, w = rate;
    const auto &q = record.q, &v = record.v;
    // At phi = 0 the slider turns: its rate is zero, psi' = -(r/l) w.
    record.start_q = {0, r + l / 2, 0, 0, r + l}, record.start_v = {w, 0, r * w / 2, -r * w / l, 0};

    const Expression inertias[] = {J1, m2, m2, J2, m3};
    for (int i = 0; i < 5; ++i) record.mass(i, i) = inertias[i];
    record.force[2] = -m2 * g;
    const Expression s1 = sin(q[0]), c1 = cos(q[0]), s2 = sin(q[3]), c2 = cos(q[3]), half = l / 2;
    record.constraints = {q[1] - c2 * half - c1 * r, q[2] - s2 * half - s1 * r, q[1] + c2 * half - q[4],
                          q[2] + s2 * half, q[0] - record.t * w};
    const Expression rod = (square(v[1]) + square(v[2])) * m2 + square(v[3]) * J2;
    record.kinetic_energy = (square(v[0]) * J1 + rod + square(v[4]) * m3) / 2;
    record.potential_energy = q[2] * (m2 * g);
  }

  void draw(const Recording& recording, Outline& o) const {
    const Expression r = crank_length, l = rod_length, &phi = recording.q[0], &s = recording.q[4];
    const OutlinePoint origin{}, pin{r * cos(phi), r * sin(phi)}, slider{s, 0};
    o.axis(origin, {r + l, 0});
    o.line({origin, pin});
    o.line({pin, slider});
    o.guide(slider, {s + l, 0}, "m_3");
    o.support(origin, "O"), o.joint(pin), o.joint(slider);
    o.angle(origin, {l, 0}, pin, "φ");
    o.dimension(origin, pin, "r"), o.dimension(pin, slider, "l");
    o.dimension(origin, slider, "s", -2);
  }

  std::optional<Motion> independent_solution(const Real50& t, int /*digits*/) const {
    using T = Real50;
    const T r = crank_length.as<T>(), l = rod_length.as<T>(), w = rate.as<T>();
    if (l <= r) return {};
    T s1, c1;
    sincos(T(w * t), s1, c1);
    const T sin_psi = -r / l * s1, cos_psi = sqrt(1 - sin_psi * sin_psi);
    const T psi_dot = -r * w * c1 / (l * cos_psi);
    const T slider_dot = -r * w * s1 - l * psi_dot * sin_psi;
    const T slider = r * c1 + l * cos_psi;
    return Motion{Vector<T>{{w * t, slider - l / 2 * cos_psi, r / 2 * s1, asin(sin_psi), slider}},
                  Vector<T>{{w, slider_dot + l / 2 * psi_dot * sin_psi, r / 2 * w * c1, psi_dot, slider_dot}}};
  }
};
const ProblemEntry<DrivenCrank> driven_crank_entry;

}  // namespace
}  // namespace daelab
