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
#include "core/problem.hpp"

namespace daelab {
namespace {

template <class T>
struct DrivenCrankModel {
  static constexpr int directions = 5;
  static constexpr bool constant_mass = true;
  T r, l, J1, m2, m3, g, w;

  Index coordinates() const { return 5; }
  Index constraints() const { return 5; }
  Vector<T> initial_q() const { return Vector<T>{{T(0), r + l / 2, T(0), T(0), r + l}}; }
  // At phi = 0 the slider turns: its rate is zero, psi' = -(r/l) w.
  Vector<T> initial_v() const { return Vector<T>{{w, T(0), r * w / 2, -r * w / l, T(0)}}; }

  template <class S>
  void mass(const S& /*t*/, const Vector<S>& /*q*/, Matrix<S>& M) const {
    M(0, 0) = S(J1);
    M(1, 1) = M(2, 2) = S(m2);
    M(3, 3) = S(m2 * l * l / 12);
    M(4, 4) = S(m3);
  }
  template <class S>
  void force(const S& /*t*/, const Vector<S>& /*q*/, const Vector<S>& /*v*/, Vector<S>& Q) const {
    Q[2] = S(-m2 * g);
  }
  template <class S>
  void constraint(const S& t, const Vector<S>& q, Vector<S>& C) const {
    S s1, c1, s2, c2;
    sincos(q[0], s1, c1);
    sincos(q[3], s2, c2);
    const T half = l / 2;
    C[0] = q[1] - c2 * half - c1 * r;
    C[1] = q[2] - s2 * half - s1 * r;
    C[2] = q[1] + c2 * half - q[4];
    C[3] = q[2] + s2 * half;
    C[4] = q[0] - t * w;
  }
  template <class S>
  Energy<S> energy(const S& /*t*/, const Vector<S>& q, const Vector<S>& v) const {
    const S rod = (v[1] * v[1] + v[2] * v[2]) * m2 + v[3] * v[3] * (m2 * l * l / 12);
    return {(v[0] * v[0] * J1 + rod + v[4] * v[4] * m3) / T(2), q[2] * (m2 * g)};
  }
};

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

  template <class T>
  DrivenCrankModel<T> model() const {
    return {crank_length.as<T>(), rod_length.as<T>(),  crank_inertia.as<T>(), rod_mass.as<T>(),
            slider_mass.as<T>(),  gravity.as<T>(),     rate.as<T>()};
  }

  std::optional<Motion> independent_solution(const Real50& t, int /*digits*/) const {
    using T = Real50;
    const DrivenCrankModel<T> p = model<T>();
    if (p.l <= p.r) return {};
    T s1, c1;
    sincos(T(p.w * t), s1, c1);
    const T sin_psi = -p.r / p.l * s1, cos_psi = sqrt(1 - sin_psi * sin_psi);
    const T psi_dot = -p.r * p.w * c1 / (p.l * cos_psi);
    const T slider_dot = -p.r * p.w * s1 - p.l * psi_dot * sin_psi;
    const T slider = p.r * c1 + p.l * cos_psi;
    return Motion{Vector<T>{{p.w * t, slider - p.l / 2 * cos_psi, p.r / 2 * s1, asin(sin_psi), slider}},
                  Vector<T>{{p.w, slider_dot + p.l / 2 * psi_dot * sin_psi, p.r / 2 * p.w * c1, psi_dot, slider_dot}}};
  }
};
const ProblemEntry<DrivenCrank> driven_crank_entry;

}  // namespace
}  // namespace daelab
