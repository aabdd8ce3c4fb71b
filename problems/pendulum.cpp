// Point mass on a massless rod in Cartesian coordinates: the smallest constrained problem.
//
// The equations are in problems/pendulum.hpp.
//
// Default: IFToMM problem A01, released at rest from (-L, 0). Its motion in elliptic functions:
// sin(th/2) = -k cd(w t | k^2), th from the downward vertical, w = sqrt(g/L), k = sin(45 deg).

#include "problems/pendulum.hpp"
#include "core/base/elliptic.hpp"

namespace daelab {
namespace {

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

  void record(Recording& r) const {
    record_pendulum(r, mass, gravity, length);
    r.start_q = {x, y}, r.start_v = {vx, vy};
  }

  void draw(const Recording& r, Outline& o) const {
    draw_pendulum(r, length, Expression(length) / 2, o);
    o.dimension({0, 0}, {r.q[0], r.q[1]}, "L");
  }

  // Only for the release at rest from (-L, 0).
  std::optional<Motion> independent_solution(const Real50& t, int /*digits*/) const {
    const Real50 L = length.as<Real50>(), g = gravity.as<Real50>();
    if (x.as<Real50>() != -L || y.value() != 0 || vx.value() != 0 || vy.value() != 0 || g <= 0) return {};
    const Real50 w = sqrt(g / L), k = 1 / sqrt(Real50(2));
    const auto [sn, cn, dn] = jacobi_elliptic(k, Real50(w * t));
    // s = sin(th/2) = -k cd, so cos(th/2) = k' nd and d(cd)/du = -(1 - k^2) sn/dn^2.
    const Real50 s = -k * cn / dn, c = k / dn;
    const Real50 s_dot = k * w * sn / (2 * dn * dn);
    const Real50 sin_th = 2 * s * c, cos_th = 1 - 2 * s * s, th_dot = 2 * s_dot / c;
    return Motion{Vector<Real50>{{L * sin_th, -L * cos_th}},
                  Vector<Real50>{{L * cos_th * th_dot, L * sin_th * th_dot}}};
  }
};
const ProblemEntry<Pendulum> pendulum_entry;

}  // namespace
}  // namespace daelab
