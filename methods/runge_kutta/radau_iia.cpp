// Radau IIA: collocation at the zeros of P_s - P_(s-1). Order 2s - 1, stage order s, L-stable.
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996, Sec. IV.5.
#include "methods/runge_kutta/collocation.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"

namespace daelab {
namespace {

struct RadauIia {
  static constexpr const char* name = "radau-iia";
  static constexpr const char* summary = "Radau IIA collocation: order 2s - 1, L-stable, stiffly accurate.";
  static constexpr const char* source = "Hairer, Wanner 1996, Sec. IV.5";

  int s = 3;

  Options options() { return {option("s", s, "stages", between(1, 7))}; }
  Tableau tableau(const std::string& /*where*/) const { return radau_iia(s); }

  PredictedOrders higher_index_orders(const FormulationTraits& formulation, const FormOrders& /*orders*/) const {
    if (formulation.index != 3) return PredictedOrders::of_index_two(formulation, 2 * s - 1, s, "HW96, Table VII.4.1");
    if (s == 1) return PredictedOrders::everywhere(1, "implicit Euler method: Lötstedt, Petzold 1986");
    return {2 * s - 1, s, s - 1, s - 1,
            "v, a, lambda: Jay 1993 (conjecture of HLR89); q: measured rule (two-link-manipulator, pendulum, "
            "seven-body in 50 digits)"};
  }
};
const TableauEntry<RadauIia> radau_iia_entry;

}  // namespace
}  // namespace daelab
