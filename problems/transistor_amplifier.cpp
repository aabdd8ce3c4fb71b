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
#include "core/problem.hpp"

namespace daelab {
namespace {

template <class T>
struct TransistorAmplifierModel {
  static constexpr int directions = 8;
  T C, R0, R, Ub, UF, alpha, beta, amplitude, omega;

  Index states() const { return 8; }
  Index algebraic_states() const { return 3; }
  // The amplifier at rest: no current through the transistors, half of Ub at their bases.
  Vector<T> initial_s() const {
    const T half = Ub / 2;
    return Vector<T>{{-half, half, half, half, Ub, half, half, T(0)}};
  }

  template <class S>
  void rates(const S& t, const Vector<S>& s, Vector<S>& r) const {
    using std::sin;
    const S &U2 = s[5], &U3 = s[1], &U5 = s[6], &U6 = s[3], &U8 = s[7];
    const S U1 = s[0] + U2, U4 = s[2] + U5, U7 = s[4] + U8, Ue = sin(t * omega) * amplitude;
    const S g1 = current(U2 - U3), g2 = current(U5 - U6);
    const S f1 = (U1 - Ue) / R0, f4 = (U4 - S(Ub)) / R + g1 * alpha, f7 = (U7 - S(Ub)) / R + g2 * alpha;
    r[0] = -f1 / C;
    r[1] = (g1 - U3 / R) / T(2 * C);
    r[2] = -f4 / T(3 * C);
    r[3] = (g2 - U6 / R) / T(4 * C);
    r[4] = -f7 / T(5 * C);
    r[5] = f1 + base(U2, g1);
    r[6] = f4 + base(U5, g2);
    r[7] = f7 + U8 / R;
  }

  // The unknowns of [TS], in its order.
  static std::vector<std::string> observable_names() { return {"U1", "U2", "U3", "U4", "U5", "U6", "U7", "U8"}; }
  template <class S>
  void observables(const S& /*t*/, const Vector<S>& s, Vector<S>& U) const {
    U[0] = s[0] + s[5], U[1] = s[5], U[2] = s[1];
    U[3] = s[2] + s[6], U[4] = s[6], U[5] = s[3];
    U[6] = s[4] + s[7], U[7] = s[7];
  }

 private:
  template <class S>
  S current(const S& U) const {
    using std::exp;
    return (exp(U / UF) - S(T(1))) * beta;
  }
  template <class S>
  S base(const S& U, const S& g) const {
    return (U * T(2) - S(Ub)) / R + g * T(1 - alpha);
  }
};

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

  template <class T>
  TransistorAmplifierModel<T> model() const {
    const Real100 omega = 2 * pi<Real100>() * frequency.value();
    return {C.as<T>(),     R0.as<T>(),   R.as<T>(),         Ub.as<T>(),           UF.as<T>(),
            alpha.as<T>(), beta.as<T>(), amplitude.as<T>(), static_cast<T>(omega)};
  }
};
const ProblemEntry<TransistorAmplifier> transistor_amplifier_entry;

}  // namespace
}  // namespace daelab
