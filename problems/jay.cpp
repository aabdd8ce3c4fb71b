// Jay's test problem, nonlinear and in Hessenberg form of index 3.
//
//   y1' = 2 y1 y2 z1 z2,  y2' = -y1 y2 z2^2,  z1' = (y1 y2 + z1 z2) u,  z2' = -y1 y2^2 z2^2 u,  0 = y1 y2^2 - 1,
//   y1 = z1 = e^(2t),  y2 = z2 = e^(-t),  u = e^t
//
// [Jay95] Jay, BIT 35, 1995; Hairer, Wanner, Solving Ordinary Differential Equations II, Sec. VII.6.
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

struct Jay {
  static constexpr const char* name = "jay";
  static constexpr const char* summary = "A nonlinear problem of index 3 that is no mechanism, with a closed form.";
  static constexpr const char* source = "Jay 1995";
  static constexpr const char* independent_route = "closed form, y1 = z1 = e^(2t), y2 = z2 = e^(-t), u = e^t";

  Exact end_time = 1;
  Options options() { return {option("end_time", end_time, "[s]", positive())}; }

  void record(Recording& r) const {
    r.states({"y1", "y2", "z1", "z2", "u"});
    r.algebraic_states = 1;
    r.start_s = {1, 1, 1, 1, 1};
    const Expression &y1 = r.s[0], &y2 = r.s[1], &z1 = r.s[2], &z2 = r.s[3], &u = r.s[4];
    r.rates = {2 * y1 * y2 * z1 * z2, -y1 * y2 * z2 * z2, (y1 * y2 + z1 * z2) * u, -y1 * y2 * y2 * z2 * z2 * u,
               y1 * y2 * y2 - 1};
  }

  std::optional<Motion> independent_solution(const Real50& t, int /*digits*/) const {
    const Real50 e = exp(t), inverse = 1 / e, square = e * e;
    return Motion{{}, {}, Vector<Real50>{{square, inverse, square, inverse, e}}};
  }
};
const ProblemEntry<Jay> jay_entry;

}  // namespace
}  // namespace daelab
