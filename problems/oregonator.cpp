// The Belousov-Zhabotinskii reaction in three reactants, OREGO in [TS]: an oscillation of period 303 with jumps.
//
//   s1' = a (s2 + s1 - s1 s2 - b s1^2),  s2' = (s3 - (1 + s1) s2)/a,  s3' = w (s1 - s3),  s(0) = (1, 2, 3).
//
// [TS] Mazzia, Magherini, Test Set for IVP Solvers, release 2.4, 2008, II-9.
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

struct Oregonator {
  static constexpr const char* name = "oregonator";
  static constexpr const char* summary = "Belousov-Zhabotinskii reaction (OREGO): stiff oscillation with jumps.";
  static constexpr const char* source = "Test Set for IVP Solvers 2.4, II-9 (Field, Noyes 1974)";

  Exact a = "77.27", b = "8.375e-6", w = "0.161", end_time = 360;

  Options options() {
    return {option("a", a, "ratio of the times of the reactants 1 and 2", positive()),
            option("b", b, "self-limitation of reactant 1"), option("w", w, "rate of reactant 3", positive()),
            option("end_time", end_time, "T", positive())};
  }

  void record(Recording& r) const {
    r.states(3);
    r.start_s = {1, 2, 3};
    const auto& s = r.s;
    r.rates = {(s[1] + s[0] - s[0] * s[1] - s[0] * s[0] * b) * a, (s[2] - s[1] - s[0] * s[1]) / a, (s[0] - s[2]) * w};
  }
};
const ProblemEntry<Oregonator> oregonator_entry;

}  // namespace
}  // namespace daelab
