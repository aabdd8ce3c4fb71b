// Ring modulator: a circuit that mixes the signals Uin1 (low) and Uin2 (high frequency), with parasitic capacitors Cs
// that make it an ordinary differential equation, ever stiffer as Cs -> 0, where it has index 2 [TS].
//
//   s1 .. s7 voltages [V], s8 .. s15 currents [A],
//   C  s1' = s8 - s10/2 + s11/2 + s14 - s1/R           Lh  s8' = -s1,  Lh s9' = -s2
//   C  s2' = s9 - s12/2 + s13/2 + s15 - s2/R           Ls2 s10' =  s1/2 - s3 - Rg2 s10
//   Cs s3' =  s10 - q(U1) + q(U4)                      Ls3 s11' = -s1/2 + s4 - Rg3 s11
//   Cs s4' = -s11 + q(U2) - q(U3)                      Ls2 s12' =  s2/2 - s5 - Rg2 s12
//   Cs s5' =  s12 + q(U1) - q(U3)                      Ls3 s13' = -s2/2 + s6 - Rg3 s13
//   Cs s6' = -s13 - q(U2) + q(U4)                      Ls1 s14' = -s1 + Uin1 - (Ri + Rg1) s14
//   Cp s7' = -s7/Rp + q(U1)+q(U2)-q(U3)-q(U4)          Ls1 s15' = -s2 - (Rc + Rg1) s15
//   U1 = s3 - s5 - s7 - Uin2,  U2 = -s4 + s6 - s7 - Uin2,  U3 = s4 + s5 + s7 + Uin2,  U4 = -s3 - s6 + s7 + Uin2,
//   q(U) = gamma (exp(delta U) - 1), the diodes,  Uin1 = sin(2000 pi t)/2 [V],  Uin2 = 2 sin(20000 pi t) [V].
//
// [TS] Mazzia, Magherini, Test Set for IVP Solvers, release 2.4, 2008, II-3.
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

struct RingModulator {
  static constexpr const char* name = "ring-modulator";
  static constexpr const char* summary = "Circuit that mixes two signals: stiff, oscillating, fifteen equations.";
  static constexpr const char* source = "Test Set for IVP Solvers 2.4, II-3 (Horneber 1976)";

  Exact C = "1.6e-8", Cs = "2e-12", Cp = "1e-8", R = 25000, Rp = 50, Lh = "4.45";
  Exact Ls1 = "2e-3", Ls2 = "5e-4", Ls3 = "5e-4";
  Exact Rg1 = "36.3", Rg2 = "17.3", Rg3 = "17.3", Ri = 50, Rc = 600, gamma = "40.67286402e-9", delta = "17.7493332";
  Exact low = 1000, high = 10000, end_time = "1e-3";

  Options options() {
    return {option("C", C, "[F]", positive()),
            option("Cs", Cs, "parasitic [F]: the smaller, the stiffer", positive()),
            option("Cp", Cp, "[F]", positive()),
            option("R", R, "[Ohm]", positive()),
            option("Rp", Rp, "[Ohm]", positive()),
            option("Lh", Lh, "[H]", positive()),
            option("Ls1", Ls1, "[H]", positive()),
            option("Ls2", Ls2, "[H]", positive()),
            option("Ls3", Ls3, "[H]", positive()),
            option("Rg1", Rg1, "[Ohm]", at_least(0)),
            option("Rg2", Rg2, "[Ohm]", at_least(0)),
            option("Rg3", Rg3, "[Ohm]", at_least(0)),
            option("Ri", Ri, "of the source [Ohm]", at_least(0)),
            option("Rc", Rc, "of the load [Ohm]", at_least(0)),
            option("gamma", gamma, "of the diodes [A]", positive()),
            option("delta", delta, "of the diodes [1/V]", positive()),
            option("low", low, "frequency of Uin1 [Hz]"),
            option("high", high, "frequency of Uin2 [Hz]"),
            option("end_time", end_time, "[s]", positive())};
  }

  void record(Recording& r) const {
    r.states(15);
    const auto& s = r.s;
    const Expression turn = 2 * pi<Real100>();
    const Expression Uin1 = sin(r.t * (turn * low)) / 2, Uin2 = 2 * sin(r.t * (turn * high));
    const Expression q1 = diode(s[2] - s[4] - s[6] - Uin2), q2 = diode(s[5] - s[3] - s[6] - Uin2);
    const Expression q3 = diode(s[3] + s[4] + s[6] + Uin2), q4 = diode(s[6] + Uin2 - s[2] - s[5]);
    r.rates = {(s[7] + (s[10] - s[9]) / 2 + s[13] - s[0] / R) / C,
               (s[8] + (s[12] - s[11]) / 2 + s[14] - s[1] / R) / C,
               (s[9] - q1 + q4) / Cs,
               (q2 - q3 - s[10]) / Cs,
               (s[11] + q1 - q3) / Cs,
               (q4 - q2 - s[12]) / Cs,
               (q1 + q2 - q3 - q4 - s[6] / Rp) / Cp,
               -s[0] / Lh,
               -s[1] / Lh,
               (s[0] / 2 - s[2] - s[9] * Rg2) / Ls2,
               (s[3] - s[0] / 2 - s[10] * Rg3) / Ls3,
               (s[1] / 2 - s[4] - s[11] * Rg2) / Ls2,
               (s[5] - s[1] / 2 - s[12] * Rg3) / Ls3,
               (Uin1 - s[0] - s[13] * (Expression(Ri) + Rg1)) / Ls1,
               (-s[1] - s[14] * (Expression(Rc) + Rg1)) / Ls1};
  }

 private:
  Expression diode(const Expression& U) const { return (exp(U * delta) - 1) * gamma; }
};
const ProblemEntry<RingModulator> ring_modulator_entry;

}  // namespace
}  // namespace daelab
