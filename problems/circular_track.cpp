// Particle on a circular track under a tangential force: the linear example of index 3 on which corrected multistep
// methods were compared.
//
//   x'' = 2 y + lambda x,  y'' = -2 x + lambda y,  0 = x^2 + y^2 - 1:   x = sin t^2,  y = cos t^2,  lambda = -4 t^2
//
// Here C = (x^2 + y^2 - 1)/2 and M q'' + C_q^T lambda = Q: the multiplier has the opposite sign, 4 t^2.
//
// [AL95] Arevalo, Loetstedt, BIT 35, 1995, 297-308, doi 10.1007/BF01732606.
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

struct CircularTrack {
  static constexpr const char* name = "circular-track";
  static constexpr const char* summary = "Particle on a circle, turned by a constant tangential force.";
  static constexpr const char* source = "Arevalo, Loetstedt 1995";
  static constexpr bool conserves_energy = false;  // the force drives it
  static constexpr const char* independent_route = "closed form, x = sin t^2, y = cos t^2";

  Exact end_time = 5;
  Options options() { return {option("end_time", end_time, "[s]", positive())}; }

  void record(Recording& r) const {
    r.coordinates({"x", "y"});
    r.start_q = {0, 1};
    const Expression &x = r.q[0], &y = r.q[1];
    r.mass(0, 0) = 1, r.mass(1, 1) = 1;
    r.force = {2 * y, -2 * x};
    r.constraints = {(square(x) + square(y) - 1) / 2};
    r.kinetic_energy = (square(r.v[0]) + square(r.v[1])) / 2;
    r.potential_energy = 0;
  }

  void draw(const Recording& r, Outline& o) const {
    o.circle({0, 0}, 1);
    o.mass({r.q[0], r.q[1]}, "m");
  }

  std::optional<Motion> independent_solution(const Real50& t, int /*digits*/) const {
    const Real50 s = sin(Real50(t * t)), c = cos(Real50(t * t)), rate = 2 * t;
    return Motion{Vector<Real50>{{s, c}}, Vector<Real50>{{Real50(rate * c), Real50(-rate * s)}}};
  }
};
const ProblemEntry<CircularTrack> circular_track_entry;

}  // namespace
}  // namespace daelab
