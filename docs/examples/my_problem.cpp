// Bead on a straight frictionless wire that rotates in a horizontal plane at a constant rate w: the smallest
// problem with a time-dependent constraint.
//
//   q = (x, y) [m],  M = m I [kg],  Q = 0,  C = x sin(w t) - y cos(w t) [m],  lambda = force of the wire [N].
//   Along the wire r'' = w^2 r: r(t) = r0 cosh(w t) + (u0/w) sinh(w t). The wire does work: energy grows.
//
// A problem of your own: copy this file into problems/, rename, build. Jacobians, the acceleration-level terms and
// all derivatives in time follow from these formulas.
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

struct Bead {
  static constexpr const char* name = "bead-on-rotating-wire";
  static constexpr const char* summary = "Bead on a rotating wire: a time-dependent constraint, solved in closed form.";
  static constexpr const char* source = "any textbook of analytical mechanics";
  static constexpr const char* independent_route = "closed form in hyperbolic functions";

  Exact mass = 1, rate = 2, radius = "1/2", speed = 0, end_time = 1;

  Options options() {
    return {option("mass", mass, "mass m [kg]", positive()),
            option("rate", rate, "angular velocity w of the wire [rad/s]", positive()),
            option("radius", radius, "start distance r0 [m]"),
            option("speed", speed, "start speed u0 along the wire [m/s]"),
            option("end_time", end_time, "[s]", positive())};
  }

  // The equations, as formulas: options are exact constants in them, and what is not said is zero. A formula has no
  // value yet, so decisions on coordinates are written select(q[0] < 0, a, b); decisions on options are plain ifs.
  void record(Recording& r) const {
    r.coordinates({"x", "y"});
    r.start_q = {radius, 0};
    r.start_v = {speed, Expression(rate) * radius};
    const auto& q = r.q;
    const Expression sine = sin(rate * r.t), cosine = cos(rate * r.t);
    r.mass(0, 0) = r.mass(1, 1) = mass;
    r.constraints = {q[0] * sine - q[1] * cosine};

    // Optional: names and values of what one wants to plot. Likewise r.kinetic_energy and r.potential_energy.
    r.observe("radius", q[0] * cosine + q[1] * sine);
  }

  // Optional: with it, `daelab reference bead-on-rotating-wire --t 1 --store` makes a reference solution.
  std::optional<Motion> independent_solution(const Real50& t, int /*digits*/) const {
    const Real50 w = rate.as<Real50>(), r0 = radius.as<Real50>(), u0 = speed.as<Real50>();
    const Real50 c = cosh(Real50(w * t)), s = sinh(Real50(w * t)), cosine = cos(Real50(w * t)),
                 sine = sin(Real50(w * t));
    const Real50 r = r0 * c + u0 / w * s, r_dot = r0 * w * s + u0 * c;
    return Motion{Vector<Real50>{{r * cosine, r * sine}},
                  Vector<Real50>{{r_dot * cosine - r * w * sine, r_dot * sine + r * w * cosine}}};
  }
};
const ProblemEntry<Bead> my_problem_entry;

}  // namespace
}  // namespace daelab
