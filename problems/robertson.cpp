// Robertson's autocatalytic reaction, ROBER in [TS]: rates nine decades apart, followed over eleven decades of time.
//
//   s1' = -k1 s1 + k3 s2 s3,  s2' = k1 s1 - k2 s2^2 - k3 s2 s3,  s3' = k2 s2^2,  s(0) = (1, 0, 0).
//
// s1 + s2 + s3 = 1 is conserved. [TS] goes to 1e11. Where s2 < 0, by an error that its tolerance allows, s2 runs away
// to minus infinity, s1 with it, and s3 = 1 - s1 - s2 to plus infinity [HW96, Sec. IV.10]: the absolute tolerance on
// s2, which falls from 3.6e-5 to 8e-14, must stay below it. [HW96] Hairer, Wanner, Solving Ordinary Differential
// Equations II, 2nd ed., Springer. [TS] Mazzia, Magherini, Test Set for IVP Solvers, release 2.4, 2008, II-10.
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

struct Robertson {
  static constexpr const char* name = "robertson";
  static constexpr const char* summary = "Autocatalytic reaction, very stiff, over eleven decades of time.";
  static constexpr const char* source = "Test Set for IVP Solvers 2.4, II-10 (Robertson 1966)";
  static constexpr const char* least_size = "1e-14";

  Exact k1 = "0.04", k2 = "3e7", k3 = "1e4", end_time = "1e11";

  Options options() {
    return {option("k1", k1, "rate of A -> B", positive()), option("k2", k2, "rate of B + B -> C + B", positive()),
            option("k3", k3, "rate of B + C -> A + C", positive()), option("end_time", end_time, "T", positive())};
  }

  void record(Recording& r) const {
    r.states(3);
    r.start_s = {1, 0, 0};
    const auto& s = r.s;
    r.rates[0] = s[1] * s[2] * k3 - s[0] * k1;
    r.rates[2] = s[1] * s[1] * k2;
    r.rates[1] = -r.rates[0] - r.rates[2];
  }
};
const ProblemEntry<Robertson> robertson_entry;

}  // namespace
}  // namespace daelab
