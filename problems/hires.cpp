// HIRES, high irradiance response: how light forms the organs of a plant, as eight reactants [TS].
//
//   s1' = -k1 s1 + k2 s2 + k6 s3 + o                  s5' = -(k1 + k5) s5 + k2 (s6 + s7)
//   s2' =  k1 s1 - (Expression(k2) + k3) s2                       s6' = -k+ s6 s8 + k4 s4 + k1 s5 - k2 s6 + k- s7
//   s3' = -(k1 + k6) s3 + k2 s4 + k5 s5               s7' =  k+ s6 s8 - (k2 + k- + k*) s7
//   s4' =  k3 s2 + k1 s3 - (k2 + k4) s4               s8' = -s7'
//
// [TS] prints the sums of the rates: k2 + k3 = 8.75 and so on. s7 + s8 is conserved.
// [TS] Mazzia, Magherini, Test Set for IVP Solvers, release 2.4, 2008, II-1.
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

struct Hires {
  static constexpr const char* name = "hires";
  static constexpr const char* summary = "Eight reactants of plant physiology, mildly stiff.";
  static constexpr const char* source = "Test Set for IVP Solvers 2.4, II-1 (Schaefer 1975)";

  Exact k1 = "1.71", k2 = "0.43", k3 = "8.32", k4 = "0.69", k5 = "0.035", k6 = "8.32";
  Exact k_plus = 280, k_minus = "0.69", k_star = "0.69", o = "0.0007", s8 = "0.0057", end_time = "321.8122";

  Options options() {
    return {option("k1", k1, "rate constant"),
            option("k2", k2, "rate constant"),
            option("k3", k3, "rate constant"),
            option("k4", k4, "rate constant"),
            option("k5", k5, "rate constant"),
            option("k6", k6, "rate constant"),
            option("k_plus", k_plus, "k+, of the second-order reaction"),
            option("k_minus", k_minus, "k-"),
            option("k_star", k_star, "k*"),
            option("o", o, "supply of the first reactant"),
            option("s8", s8, "start of the last reactant; the first starts at 1, the others at 0"),
            option("end_time", end_time, "T", positive())};
  }

  void record(Recording& r) const {
    r.states(8);
    r.start_s[0] = 1, r.start_s[7] = s8;
    const auto& s = r.s;
    const Expression bound = s[5] * s[7] * k_plus;
    r.rates[0] = s[1] * k2 - s[0] * k1 + s[2] * k6 + o;
    r.rates[1] = s[0] * k1 - s[1] * (Expression(k2) + k3);
    r.rates[2] = s[3] * k2 + s[4] * k5 - s[2] * (Expression(k1) + k6);
    r.rates[3] = s[1] * k3 + s[2] * k1 - s[3] * (Expression(k2) + k4);
    r.rates[4] = (s[5] + s[6]) * k2 - s[4] * (Expression(k1) + k5);
    r.rates[5] = s[3] * k4 + s[4] * k1 - s[5] * k2 + s[6] * k_minus - bound;
    r.rates[6] = bound - s[6] * (Expression(k2) + k_minus + k_star);
    r.rates[7] = -r.rates[6];
  }
};
const ProblemEntry<Hires> hires_entry;

}  // namespace
}  // namespace daelab
