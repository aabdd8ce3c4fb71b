// Jay's nonlinear test problem in Hessenberg form of index 2, on which orders of Runge-Kutta methods were observed.
//
//   y1' = y1 y2^2 z^2,  y2' = y1^2 y2^2 - 3 y2^2 z,  0 = y1^2 y2 - 1:   y1 = e^t,  y2 = e^(-2t),  z = e^(2t)
//
// z enters nonlinearly; linear = true has y1' = y1 y2 z, with the same solution.
//
// [Jay93] Jay, BIT 33, 1993, 137-150, doi 10.1007/BF01990349, example 7.
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

struct JayIndex2 {
  static constexpr const char* name = "jay-index-2";
  static constexpr const char* summary = "A nonlinear problem of index 2 with an exponential solution.";
  static constexpr const char* source = "Jay, BIT 1993, example 7";
  static constexpr const char* independent_route = "closed form, y1 = e^t, y2 = e^(-2t), z = e^(2t)";

  bool linear = false;
  Exact end_time = 1;
  Options options() {
    return {option("linear", linear, "z enters y1' linearly"), option("end_time", end_time, "[s]", positive())};
  }

  void record(Recording& r) const {
    r.states({"y1", "y2", "z"});
    r.algebraic_states = 1;
    r.start_s = {1, 1, 1};
    const Expression &y1 = r.s[0], &y2 = r.s[1], &z = r.s[2];
    r.rates = {linear ? y1 * y2 * z : y1 * square(y2 * z), square(y1 * y2) - 3 * square(y2) * z, square(y1) * y2 - 1};
  }

  std::optional<Motion> independent_solution(const Real50& t, int /*digits*/) const {
    const Real50 e = exp(t), square = e * e;
    return Motion{{}, {}, Vector<Real50>{{e, Real50(1 / square), square}}};
  }
};
const ProblemEntry<JayIndex2> jay_index_2_entry;

}  // namespace
}  // namespace daelab
