// Two-stage transistor amplifier, index 1: node voltages U1 .. U8 driven by Ue = A sin(2 pi f t) [TS].
//
// [TS] writes M U' = f(t, U) with capacitors C1, C3, C5 between the nodes 1-2, 4-5, 7-8 (pairs of rows of M that
// differ in sign) and C2, C4 from the nodes 3, 6 to ground, Ck = k C: rank 5 of 8. Here the voltages across the
// capacitors are the differential states; the sum of the two rows of a pair, free of derivatives, is the algebraic
// equation of its second node:
//
//   s = (U1 - U2, U3, U4 - U5, U6, U7 - U8, U2, U5, U8),
//   -C1 (U1-U2)' = f1,  -C2 U3' = f3,  -C3 (U4-U5)' = f4,  -C4 U6' = f6,  -C5 (U7-U8)' = f7,
//   0 = f1 + f2,  0 = f4 + f5,  0 = f7 + f8,
//
//   f1 = (U1 - Ue)/R0,                            f5 = -Ub/R + 2 U5/R + (1-alpha) g(U5-U6),
//   f2 = -Ub/R + 2 U2/R + (1-alpha) g(U2-U3),     f6 = U6/R - g(U5-U6),
//   f3 = U3/R - g(U2-U3),                         f7 = (U7 - Ub)/R + alpha g(U5-U6),
//   f4 = (U4 - Ub)/R + alpha g(U2-U3),            f8 = U8/R,     g(U) = beta (exp(U/UF) - 1).
//
// The algebraic equations are regular in (U2, U5, U8): triangular, with positive slopes. R1 .. R9 of [TS] are equal.
// [TS] Mazzia, Magherini, Test Set for IVP Solvers, release 2.4, 2008, II-14.
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

struct TransistorAmplifier {
  static constexpr const char* name = "transistor-amplifier";
  static constexpr const char* summary = "Two-stage amplifier: a stiff circuit, differential-algebraic of index 1.";
  static constexpr const char* source = "Test Set for IVP Solvers 2.4, II-14 (Rentrop 1989)";

  Exact C = "1e-6", R0 = 1000, R = 9000, Ub = 6, UF = "0.026", alpha = "0.99", beta = "1e-6";
  Exact amplitude = "0.1", frequency = 100, end_time = "0.2";

  Options options() {
    return {option("C", C, "capacitor k has k C [F]", positive()),
            option("R0", R0, "of the source [Ohm]", positive()),
            option("R", R, "all other resistances, R1 to R9 [Ohm]", positive()),
            option("Ub", Ub, "operating voltage [V]"),
            option("UF", UF, "of the transistors [V]", positive()),
            option("alpha", alpha, "of the transistors", between(0, 1)),
            option("beta", beta, "of the transistors [A]", positive()),
            option("amplitude", amplitude, "A of the signal [V]"),
            option("frequency", frequency, "f of the signal [Hz]"),
            option("end_time", end_time, "[s]", positive())};
  }

  void record(Recording& r) const {
    r.states({"U12", "U3", "U45", "U6", "U78", "U2", "U5", "U8"});
    r.algebraic_states = 3;
    // The amplifier at rest: no current through the transistors, half of Ub at their bases.
    const Expression half = Expression(Ub) / 2;
    r.start_s = {-half, half, half, half, Ub, half, half, 0};

    const Expression &U2 = r.s[5], &U3 = r.s[1], &U5 = r.s[6], &U6 = r.s[3], &U8 = r.s[7];
    const Expression U1 = r.s[0] + U2, U4 = r.s[2] + U5, U7 = r.s[4] + U8;
    const Expression Ue = sin(r.t * (2 * Expression(pi<Real100>()) * frequency)) * amplitude;
    const Expression g1 = current(U2 - U3), g2 = current(U5 - U6);
    const Expression f1 = (U1 - Ue) / R0, f4 = (U4 - Ub) / R + g1 * alpha, f7 = (U7 - Ub) / R + g2 * alpha;
    r.rates = {-f1 / C,
               (g1 - U3 / R) / (2 * Expression(C)),
               -f4 / (3 * Expression(C)),
               (g2 - U6 / R) / (4 * Expression(C)),
               -f7 / (5 * Expression(C)),
               f1 + base(U2, g1),
               f4 + base(U5, g2),
               f7 + U8 / R};
    observe_voltages(r, {U1, U2, U3, U4, U5, U6, U7, U8});
  }

 private:
  Expression current(const Expression& U) const { return (exp(U / UF) - 1) * beta; }
  Expression base(const Expression& U, const Expression& g) const {
    return (2 * U - Ub) / R + g * (1 - Expression(alpha));
  }
  // The unknowns of [TS], in its order.
  static void observe_voltages(Recording& r, const Expressions& U) {
    for (std::size_t i = 0; i < U.size(); ++i) r.observe("U" + std::to_string(i + 1), U[i]);
  }
};
const ProblemEntry<TransistorAmplifier> transistor_amplifier_entry;

}  // namespace
}  // namespace daelab
