// The explicit Runge-Kutta methods of two stages and order 2, a family with one parameter:
//
//   y1 = y0 + h (a1 K1 + a2 K2),  K1 = f(t0, y0),  K2 = f(t0 + b1 h, y0 + b2 h K1),
//   a1 + a2 = 1,  a2 b1 = a2 b2 = 1/2.
//
// heun is a2 = 1/2, explicit-midpoint a2 = 1, ralston a2 = 3/4.
//
// [Tb] Textbook on electromechanical CAD, section 2.1.1, formulas (2-13) to (2-20); docs/textbook.md.
#include "methods/runge_kutta/runge_kutta.hpp"

namespace daelab {
namespace {

struct TwoStageRungeKutta {
  static constexpr const char* name = "two-stage-runge-kutta";
  static constexpr const char* summary = "Any explicit Runge-Kutta method of two stages and order 2, by a2.";
  static constexpr const char* source =
      "Textbook on electromechanical CAD, formulas (2-13) to (2-20); Hairer, Nørsett, Wanner 1993, Sec. II.1";

  Exact a2 = "1/2";

  Options options() {
    return {option("a2", a2, "weight of the second stage, which is taken at t + h/(2 a2): 1/2, 3/4, 1, ...; not 0")};
  }

  Tableau tableau(const std::string& where) const {
    if (a2.value() == 0)
      throw InputError(where + "/a2", "0 is not allowed: a2 b1 = 1/2 asks for another weight of the second stage");
    Tableau tableau;
    tableau.name = "two stages, a2 = " + a2.text();
    tableau.c = Vector<Real100>{{0, 1 / (2 * a2.value())}};
    tableau.A = Matrix<Real100>{{0, 0}, {tableau.c[1], 0}};
    tableau.b = Vector<Real100>{{1 - a2.value(), a2.value()}};
    tableau.claimed_order = 2;
    return tableau;
  }
};
const TableauEntry<TwoStageRungeKutta> two_stage_entry;

}  // namespace
}  // namespace daelab
