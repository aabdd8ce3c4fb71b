// Kvaerno's implicit equations of index 1, M(t, y) y' = f with a singular M that depends on y.
//
//   y1' + y3 y2' - (y2 + 1) y3' = 1 + sin t - y1,  (y3 + 1) y1' + y1 y2' = -e^(-t),  0 = y1 y2 y3 - e^(-t) sin(2t)/2
//   y1 = e^(-t),  y2 = sin t,  y3 = cos t
//
// [Kva90] Kvaerno, Mathematics of Computation 54(190), 1990, 583-625, doi 10.2307/2008502.
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

struct Kvaerno {
  static constexpr const char* name = "kvaerno";
  static constexpr const char* summary = "Implicit equations of index 1 with a singular matrix that depends on y.";
  static constexpr const char* source = "Kvaerno 1990";
  static constexpr const char* independent_route = "closed form, y1 = e^(-t), y2 = sin t, y3 = cos t";

  Exact end_time = 1;
  Options options() { return {option("end_time", end_time, "[s]", positive())}; }

  void record(Recording& r) const {
    r.states(3, "y");
    r.start_s = {1, 0, 1};
    const Expression &y1 = r.s[0], &y2 = r.s[1], &y3 = r.s[2], e = exp(-r.t);
    r.rates_mass(0, 0) = 1, r.rates_mass(0, 1) = y3, r.rates_mass(0, 2) = -(y2 + 1);
    r.rates_mass(1, 0) = y3 + 1, r.rates_mass(1, 1) = y1;
    r.rates = {1 + sin(r.t) - y1, -e, y1 * y2 * y3 - e * sin(2 * r.t) / 2};
  }

  std::optional<Motion> independent_solution(const Real50& t, int /*digits*/) const {
    return Motion{{}, {}, Vector<Real50>{{Real50(exp(Real50(-t))), Real50(sin(t)), Real50(cos(t))}}};
  }
};
const ProblemEntry<Kvaerno> kvaerno_entry;

}  // namespace
}  // namespace daelab
