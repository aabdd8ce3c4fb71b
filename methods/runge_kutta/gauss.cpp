// Gauss: collocation at the zeros of P_s. Order 2s, stage order s, A-stable, |R(inf)| = 1.
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996, Secs. IV.5, VII.4.
#include "methods/runge_kutta/collocation.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"

namespace daelab {
namespace {

struct Gauss {
  static constexpr const char* name = "gauss";
  static constexpr const char* summary = "Gauss collocation: order 2s, A-stable, symplectic.";
  static constexpr const char* source = "Hairer, Wanner 1996, Sec. IV.5";

  int s = 3;

  Options options() { return {option("s", s, "stages", between(1, 10))}; }
  Tableau tableau(const std::string& /*where*/) const { return gauss(s); }

  // v is off the constraints by its error; q is not, and a and lambda at the step end are those of (q, v).
  PredictedOrders higher_index_orders(const FormulationTraits& formulation, const FormOrders& /*orders*/) const {
    if (formulation.index == 3)
      return PredictedOrders::unknown(
          "no theorem: |R(infinity)| = 1 and the step end is no stage; observed orders are s or s + 1 in q, two "
          "less in v");
    PredictedOrders found = PredictedOrders::everywhere(
        s % 2 == 1 ? s + 1 : s,
        "HW96, Table VII.4.1 (s + 1 for odd s, s for even s), a lower bound: 2 s on some problems, as in a and lambda "
        "of the pendulum; a and lambda as functions of (q, v)");
    if (formulation.imposes_only(Level::velocity)) {
      found.q = 2 * s;
      found.source += "; q: measured rule (two-link-manipulator, pendulum, seven-body in 50 digits)";
    }
    return found;
  }
};
const TableauEntry<Gauss> gauss_entry;

}  // namespace
}  // namespace daelab
