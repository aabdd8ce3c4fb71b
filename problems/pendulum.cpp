// Point mass on a massless rod in Cartesian coordinates: the smallest constrained problem.
//
//   q = (x, y) [m],  M = m I [kg],  Q = (0, -m g) [N],  C = (x^2 + y^2 - L^2)/2 [m^2],
//   lambda = rod force per length [N/m].
//
// Default: IFToMM problem A01, released at rest from (-L, 0). Its motion in elliptic functions:
// sin(th/2) = -k cd(w t | k^2), th from the downward vertical, w = sqrt(g/L), k = sin(45 deg).
#include <boost/math/special_functions/jacobi_elliptic.hpp>

#include "core/problem.hpp"

namespace daelab {
namespace {

template <class T>
struct PendulumModel {
  static constexpr int directions = 2;
  static constexpr bool constant_mass = true;
  T m, g, L;
  Vector<T> q0, v0;

  Index coordinates() const { return 2; }
  Index constraints() const { return 1; }
  Vector<T> initial_q() const { return q0; }
  Vector<T> initial_v() const { return v0; }

  template <class S>
  void mass(const S& /*t*/, const Vector<S>& /*q*/, Matrix<S>& M) const {
    M(0, 0) = S(m);
    M(1, 1) = S(m);
  }
  template <class S>
  void force(const S& /*t*/, const Vector<S>& /*q*/, const Vector<S>& /*v*/, Vector<S>& Q) const {
    Q[1] = S(-m * g);
  }
  template <class S>
  void constraint(const S& /*t*/, const Vector<S>& q, Vector<S>& C) const {
    C[0] = (q[0] * q[0] + q[1] * q[1] - S(L * L)) / T(2);
  }
  template <class S>
  Energy<S> energy(const S& /*t*/, const Vector<S>& q, const Vector<S>& v) const {
    return {m * (v[0] * v[0] + v[1] * v[1]) / T(2), m * g * q[1]};
  }
};

struct Pendulum {
  static constexpr const char* name = "pendulum";
  static constexpr const char* summary = "Point mass on a massless rod in Cartesian coordinates.";
  static constexpr const char* source = "IFToMM multibody benchmark library, problem A01";
  static constexpr const char* independent_route = "closed form in Jacobi elliptic functions";

  Exact mass = 1, gravity = "9.81", length = 1, end_time = 10;
  Exact x = -1, y = 0, vx = 0, vy = 0;

  Options options() {
    return {option("mass", mass, "mass [kg]", positive()),
            option("gravity", gravity, "gravitational acceleration [m/s^2]"),
            option("length", length, "rod length L [m]", positive()),
            option("x", x, "start [m]"),
            option("y", y, "start [m]"),
            option("vx", vx, "start [m/s]"),
            option("vy", vy, "start [m/s]"),
            option("end_time", end_time, "[s]", positive())};
  }

  template <class T>
  PendulumModel<T> model() const {
    return {mass.as<T>(), gravity.as<T>(), length.as<T>(), Vector<T>{{x.as<T>(), y.as<T>()}},
            Vector<T>{{vx.as<T>(), vy.as<T>()}}};
  }

  // Only for the release at rest from (-L, 0).
  std::optional<Motion> independent_solution(const Real50& t, int /*digits*/) const {
    const Real50 L = length.as<Real50>(), g = gravity.as<Real50>();
    if (x.as<Real50>() != -L || y.value() != 0 || vx.value() != 0 || vy.value() != 0 || g <= 0) return {};
    const Real50 w = sqrt(g / L), k = 1 / sqrt(Real50(2));
    Real50 cn, dn;
    const Real50 sn = boost::math::jacobi_elliptic(k, Real50(w * t), &cn, &dn);
    // s = sin(th/2) = -k cd, so cos(th/2) = k' nd and d(cd)/du = -(1 - k^2) sn/dn^2.
    const Real50 s = -k * cn / dn, c = k / dn;
    const Real50 s_dot = k * w * sn / (2 * dn * dn);
    const Real50 sin_th = 2 * s * c, cos_th = 1 - 2 * s * s, th_dot = 2 * s_dot / c;
    return Motion{Vector<Real50>{{L * sin_th, -L * cos_th}},
                  Vector<Real50>{{L * cos_th * th_dot, L * sin_th * th_dot}}};
  }
};
const ProblemEntry<Pendulum> entry;

}  // namespace
}  // namespace daelab
