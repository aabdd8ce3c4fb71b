// Stiff flyball governor (IFToMM A05) in its three degrees of freedom, without constraints.
//
//   q = (psi [rad] shaft, al [rad] rods below the horizontal, z [m] height of the slider),
//   2 T = J(al) psi'^2 + 2 I al'^2 + m_z z'^2,
//   J = Jf + 2 (Ia sin^2 al + It cos^2 al + m_r (d + L cos(al)/2)^2 + m_b (d + L cos al)^2),
//   V = g (m_z z - (m_r L/2 + m_b L) 2 sin al) + 2 K (l - l0)^2/2,
//   spring and damper: each force K (l - l0) + C l' along the line from the slider to the middle of a rod,
//   l^2 = (L cos(al)/2)^2 + (L - L sin(al)/2 - z)^2.
//
// Two rods of length L, hinged at the distance d of the axis to the top of a shaft of the same size, with a mass m_b
// at the end of each; a cube slides on the shaft. Jf: shaft and slider about the axis; Ia, It: a rod along and
// across, It about its centre; I = It + m_r L^2/4 + m_b L^2. psi is cyclic, so J psi' is conserved; energy is not,
// because of the dampers. Their rate, about 8e3/s against a motion of seconds, makes the problem stiff.
#include "core/problem.hpp"

namespace daelab {
namespace {

template <class T>
struct FlyballGovernorModel {
  static constexpr int directions = 3;
  T L, d, rod, slider, ball, Ia, It, Jf, K, C, l0, g;  // rod, slider, ball: masses
  T angle, height, speed;

  Index coordinates() const { return 3; }
  Index constraints() const { return 0; }
  Vector<T> initial_q() const { return Vector<T>{{T(0), angle, height}}; }
  Vector<T> initial_v() const { return Vector<T>{{speed, T(0), T(0)}}; }

  template <class S>
  void mass(const S& /*t*/, const Vector<S>& q, Matrix<S>& M) const {
    M(0, 0) = inertia(q[1]).J;
    M(1, 1) = S(T(2 * (It + (rod / 4 + ball) * L * L)));
    M(2, 2) = S(slider);
  }
  template <class S>
  void force(const S& /*t*/, const Vector<S>& q, const Vector<S>& v, Vector<S>& Q) const {
    const auto [J, slope] = inertia(q[1]);
    const Spring<S> spring = spring_of(q);
    const S pull = ((spring.l - S(l0)) * K + (spring.l_al * v[1] + spring.l_z * v[2]) * C) * T(2);
    Q[0] = -slope * v[1] * v[0];
    Q[1] = slope * v[0] * v[0] / T(2) + spring.c * T(g * L * (rod + 2 * ball)) - pull * spring.l_al;
    Q[2] = -pull * spring.l_z - S(T(slider * g));
  }
  template <class S>
  void constraint(const S& /*t*/, const Vector<S>& /*q*/, Vector<S>& /*C*/) const {}

  template <class S>
  Energy<S> energy(const S& /*t*/, const Vector<S>& q, const Vector<S>& v) const {
    const Spring<S> spring = spring_of(q);
    const S stretch = spring.l - S(l0);
    const T swing = 2 * (It + (rod / 4 + ball) * L * L);
    return {(inertia(q[1]).J * v[0] * v[0] + v[1] * v[1] * swing + v[2] * v[2] * slider) / T(2),
            q[2] * T(slider * g) - spring.s * T(g * L * (rod + 2 * ball)) + stretch * stretch * K};
  }
  static std::vector<std::string> observable_names() { return {"angular_momentum"}; }
  template <class S>
  void observables(const S& /*t*/, const Vector<S>& q, const Vector<S>& v, Vector<S>& out) const {
    out[0] = inertia(q[1]).J * v[0];
  }

 private:
  template <class S>
  struct Inertia {
    S J, slope;  // J and dJ/dal
  };
  template <class S>
  Inertia<S> inertia(const S& al) const {
    S s, c;
    sincos(al, s, c);
    const S middle = c * T(L / 2) + S(d), end = c * L + S(d);
    return {(s * s * Ia + c * c * It + middle * middle * rod + end * end * ball) * T(2) + S(Jf),
            s * (c * T(2 * (Ia - It)) - middle * T(rod * L) - end * T(2 * ball * L)) * T(2)};
  }
  template <class S>
  struct Spring {
    S l, l_al, l_z;  // length and its derivatives
    S s, c;          // of al
  };
  template <class S>
  Spring<S> spring_of(const Vector<S>& q) const {
    using std::sqrt;
    Spring<S> spring;
    sincos(q[1], spring.s, spring.c);
    const S x = spring.c * T(L / 2), z = S(L) - spring.s * T(L / 2) - q[2];
    spring.l = sqrt(x * x + z * z);
    spring.l_al = -(spring.s * x + spring.c * z) * T(L / 2) / spring.l;
    spring.l_z = -z / spring.l;
    return spring;
  }
};

struct FlyballGovernor {
  static constexpr const char* name = "flyball-governor";
  static constexpr const char* summary = "Stiff flyball governor in three coordinates: fast dampers, slow swing.";
  static constexpr const char* source = "IFToMM multibody benchmark library, problem A05";
  static constexpr bool conserves_energy = false;  // dampers

  Exact length = 1, width = "0.01", slider_width = "0.1", offset = "0.05", density = 3000, ball_mass = 5;
  Exact stiffness = "8e5", damping = "4e4", rest_length = "0.5", gravity = "9.81";
  Exact angle = "pi/6", height = "0.5", speed = "2 pi", end_time = 10;

  Options options() {
    return {option("length", length, "L of the shaft and of the rods [m]", positive()),
            option("width", width, "of their square cross-section [m]", positive()),
            option("slider_width", slider_width, "edge of the cube on the shaft [m]", positive()),
            option("offset", offset, "d, hinges from the axis [m]", at_least(0)),
            option("density", density, "of shaft, rods and slider [kg/m^3]", positive()),
            option("ball_mass", ball_mass, "m_b at the end of each rod [kg]", at_least(0)),
            option("stiffness", stiffness, "K of each spring [N/m]", at_least(0)),
            option("damping", damping, "C of each damper [N s/m]; 0: energy is conserved", at_least(0)),
            option("rest_length", rest_length, "l0 of the springs [m]"),
            option("gravity", gravity, "g [m/s^2]"),
            option("angle", angle, "start of al [rad]"),
            option("height", height, "start of z [m]"),
            option("speed", speed, "start of psi' [rad/s]"),
            option("end_time", end_time, "[s]", positive())};
  }

  template <class T>
  FlyballGovernorModel<T> model() const {
    const Real100 L = length.value(), w2 = width.value() * width.value(), edge = slider_width.value();
    const Real100 rod = density.value() * L * w2, slider = density.value() * edge * edge * edge;
    const Real100 along = rod * w2 / 6, across = rod * (L * L + w2) / 12;
    const auto as = [](const Real100& x) { return static_cast<T>(x); };
    return {as(L),          offset.as<T>(),    as(rod),         as(slider),  ball_mass.as<T>(), as(along),
            as(across),     as(Real100(along + slider * edge * edge / 6)), stiffness.as<T>(), damping.as<T>(),
            rest_length.as<T>(), gravity.as<T>(), angle.as<T>(), height.as<T>(), speed.as<T>()};
  }
};
const ProblemEntry<FlyballGovernor> flyball_governor_entry;

}  // namespace
}  // namespace daelab
