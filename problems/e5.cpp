// Problem E5 of Enright, Hull and Lindberg [TS]: pyrolysis, with concentrations from 1e-3 down to nothing over
// thirteen decades of time.
//
//   s1' = -A s1 - B s1 s3,  s2' = A s1 - M C s2 s3,  s4' = B s1 s3 - C s4,  s3' = s2' - s4',  s(0) = (s1, 0, 0, 0).
//
// s2 = s3 + s4 is conserved, and in these four equations it hangs on cancellation: at the end s2 is 9e-23, while it
// was up to 1.4e-10 before. What round-off in double (or the tolerance on s2 and s3) has made of s2 - s3 - s4 till then
// is not forgotten, as s2' = -M C s2 s3 goes to zero with s2. The values printed in [TS] break the invariant by 1.5e-3.
// [TS] Mazzia, Magherini, Test Set for IVP Solvers, release 2.4, 2008, II-11.
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

struct E5 {
  static constexpr const char* name = "e5";
  static constexpr const char* summary = "Pyrolysis (E5): very stiff, over thirteen decades of time.";
  static constexpr const char* source = "Test Set for IVP Solvers 2.4, II-11 (Enright, Hull, Lindberg 1975)";
  static constexpr const char* least_size = "1e-22";

  Exact A = "7.89e-10", B = "1.1e7", C = "1.13e3", M = "1e6", s1 = "1.76e-3", end_time = "1e13";

  Options options() {
    return {option("A", A, "rate constant", positive()),
            option("B", B, "rate constant", positive()),
            option("C", C, "rate constant", positive()),
            option("M", M, "ratio of two rate constants", positive()),
            option("s1", s1, "start of the first reactant; the others start at 0", positive()),
            option("end_time", end_time, "T", positive())};
  }

  void record(Recording& r) const {
    r.states(4);
    r.start_s[0] = s1;
    const auto& s = r.s;
    const Expression decay = s[0] * A, bound = s[0] * s[2] * B;
    r.rates[0] = -decay - bound;
    r.rates[1] = decay - s[1] * s[2] * (Expression(M) * C);
    r.rates[3] = bound - s[3] * C;
    r.rates[2] = r.rates[1] - r.rates[3];
  }
};
const ProblemEntry<E5> e5_entry;

}  // namespace
}  // namespace daelab
