// Two species mixed while carbon dioxide is added: five reactants and an equilibrium, index 1 [TS].
//
//   r1 = k1 s1^4 sqrt(s2),  r2 = k2 s3 s4,  r3 = (k2/K) s1 s5,  r4 = k3 s1 s4^2,  r5 = k4 s6^2 sqrt(s2),
//   F = klA (p/H - s2), the inflow:
//   s1' = -2 r1 + r2 - r3 - r4        s4' = -r2 + r3 - 2 r4
//   s2' = -r1/2 - r4 - r5/2 + F       s5' =  r2 - r3 + r5
//   s3' =  r1 - r2 + r3                 0 = Ks s1 s4 - s6
//
// s2 < 0 has no meaning: the rates are then no numbers, and a step fails.
// [TS] Mazzia, Magherini, Test Set for IVP Solvers, release 2.4, 2008, II-12.
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

struct ChemicalAkzoNobel {
  static constexpr const char* name = "chemical-akzo-nobel";
  static constexpr const char* summary = "Five reactants and an equilibrium: stiff, index 1.";
  static constexpr const char* source = "Test Set for IVP Solvers 2.4, II-12 (Stortelder 1998)";

  Exact k1 = "18.7", k2 = "0.58", k3 = "0.09", k4 = "0.42", K = "34.4", klA = "3.3", p = "0.9", H = 737, Ks = "115.83";
  Exact end_time = 180;

  Options options() {
    return {option("k1", k1, "rate constant", positive()),
            option("k2", k2, "rate constant", positive()),
            option("k3", k3, "rate constant", positive()),
            option("k4", k4, "rate constant", positive()),
            option("K", K, "equilibrium constant", positive()),
            option("klA", klA, "mass transfer coefficient", positive()),
            option("p", p, "partial pressure of carbon dioxide", positive()),
            option("H", H, "Henry's constant", positive()),
            option("Ks", Ks, "equilibrium constant of s6", positive()),
            option("end_time", end_time, "T [min]", positive())};
  }

  void record(Recording& r) const {
    r.states(6);
    r.algebraic_states = 1;
    const Expression s1 = Exact("0.444"), s2 = Exact("0.00123"), s4 = Exact("0.007");
    r.start_s = {s1, s2, 0, s4, 0, s1 * s4 * Ks};
    const auto& s = r.s;
    const Expression root = sqrt(s[1]);
    const Expression r1 = square(square(s[0])) * root * k1, r2 = s[2] * s[3] * k2,
                     r3 = s[0] * s[4] * (Expression(k2) / K);
    const Expression r4 = s[0] * s[3] * s[3] * k3, r5 = s[5] * s[5] * root * k4;
    const Expression inflow = (Expression(p) / H - s[1]) * klA;
    r.rates = {r2 - r3 - r4 - 2 * r1, inflow - r4 - (r1 + r5) / 2, r1 - r2 + r3, r3 - r2 - 2 * r4,
               r2 - r3 + r5,          s[0] * s[3] * Ks - s[5]};
  }
};
const ProblemEntry<ChemicalAkzoNobel> chemical_akzo_nobel_entry;

}  // namespace
}  // namespace daelab
