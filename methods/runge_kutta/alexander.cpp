// Alexander's L-stable SDIRK methods of order s with s stages, stiffly accurate.
//
// [Ale77] Alexander, Diagonally implicit Runge-Kutta methods for stiff O.D.E.'s, SIAM J. Numer. Anal. 14, 1977.
#include "methods/runge_kutta/runge_kutta.hpp"
#include "methods/runge_kutta/sdirk_gamma.hpp"

namespace daelab {
namespace {

struct Alexander {
  static constexpr const char* name = "alexander";
  static constexpr const char* summary =
      "Alexander: s diagonally implicit stages, order s, L-stable, stiffly accurate.";
  static constexpr const char* source = "Alexander 1977, Theorem 5; Hairer, Wanner 1996, Sec. IV.6";

  int s = 3;

  Options options() { return {option("s", s, "stages", between(2, 3))}; }

  Tableau tableau(const std::string& /*where*/) const {
    Tableau t;
    t.name = name;
    t.claimed_order = s;
    if (s == 2) {
      const Real100 g = 1 - 1 / sqrt(Real100(2));
      t.A = Matrix<Real100>{{g, 0}, {1 - g, g}};
    } else {
      const Real100 g = sdirk_gamma(), b1 = -(6 * g * g - 16 * g + 1) / 4, b2 = (6 * g * g - 20 * g + 5) / 4;
      t.A = Matrix<Real100>{{g, 0, 0}, {(1 - g) / 2, g, 0}, {b1, b2, g}};
    }
    t.b = t.A.row(s - 1).transpose();
    t.c = t.A.rowwise().sum();
    return t;
  }
};
const TableauEntry<Alexander> alexander_entry;

}  // namespace
}  // namespace daelab
