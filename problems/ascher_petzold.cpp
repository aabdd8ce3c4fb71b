// Ascher and Petzold's linear test problem, in Hessenberg form of index 2: projected methods keep their order on it
// where others lose stability as the parameter grows.
//
//   y1' = (nu - 1/(2 - t)) y1 + (2 - t) nu z + (3 - t)/(2 - t) e^t
//   y2' = (1 - nu)/(t - 2) y1 - y2 + (nu - 1) z + 2 e^t
//   0   = (t + 2) y1 + (t^2 - 4) y2 - (t^2 + t - 2) e^t,          y1 = y2 = e^t,  z = -e^t/(2 - t),  0 <= t < 2
//
// [AP91] Ascher, Petzold, SIAM Journal on Numerical Analysis 28(4), 1991, 1097-1120.
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

struct AscherPetzold {
  static constexpr const char* name = "ascher-petzold";
  static constexpr const char* summary = "A linear problem of index 2 whose stability hangs on a parameter.";
  static constexpr const char* source = "Ascher, Petzold 1991";
  static constexpr const char* independent_route = "closed form, y1 = y2 = e^t, z = -e^t/(2 - t)";

  Exact nu = 10, end_time = 1;

  Options options() {
    return {option("nu", nu, "parameter of the equations; methods that do not project suffer where it is large"),
            option("end_time", end_time, "[s]; below 2, where z has a pole", positive())};
  }

  void record(Recording& r) const {
    r.states({"y1", "y2", "z"});
    r.algebraic_states = 1;
    r.start_s = {1, 1, Expression(Exact("-1/2"))};
    const Expression &y1 = r.s[0], &y2 = r.s[1], &z = r.s[2], t = r.t, e = exp(t), left = 2 - t, p = Expression(nu);
    r.rates = {(p - 1 / left) * y1 + left * p * z + (3 - t) / left * e, (p - 1) / left * y1 - y2 + (p - 1) * z + 2 * e,
               (t + 2) * y1 + (t * t - 4) * y2 - (t * t + t - 2) * e};
  }

  std::optional<Motion> independent_solution(const Real50& t, int /*digits*/) const {
    const Real50 e = exp(t);
    return Motion{{}, {}, Vector<Real50>{{e, e, Real50(-e / (2 - t))}}};
  }
};
const ProblemEntry<AscherPetzold> ascher_petzold_entry;

}  // namespace
}  // namespace daelab
