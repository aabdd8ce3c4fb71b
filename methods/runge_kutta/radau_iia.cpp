// Radau IIA: collocation at the zeros of P_s - P_(s-1). Order 2s - 1, stage order s, L-stable.
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996, Sec. IV.5.
#include "methods/runge_kutta/collocation.hpp"
#include "methods/runge_kutta/stage_count.hpp"

namespace daelab {
namespace {

struct RadauIia {
  static constexpr const char* name = "radau-iia";
  static constexpr const char* summary = "Radau IIA collocation: order 2s - 1, L-stable, stiffly accurate.";
  static constexpr const char* source = "Hairer, Wanner 1996, Sec. IV.5";

  StageCount s{3};

  Options options() {
    return {stage_count_option("s", s, "stages; auto: 3, 5 or 7, chosen step by step by error control", between(1, 9))};
  }
  // With an even number no eigenvalue is real: the estimate needs a factorisation of its own. One stage was nowhere the
  // fastest to meet a tolerance, and its estimate says little on index 3.
  TableauFamily tableau(const std::string& /*where*/) const {
    if (s) return family_of({radau_iia(*s)});
    return family_of({radau_iia(3), radau_iia(5), radau_iia(7)});
  }

  PredictedOrders higher_index_orders(const FormulationTraits& formulation, const FormOrders& orders) const {
    const int s = *this->s;  // theory is not asked where it changes
    if (formulation.index != 3) return PredictedOrders::of_index_two(formulation, 2 * s - 1, s, "HW96, Table VII.4.1");
    if (s == 1) return PredictedOrders::everywhere(1, "implicit Euler method: Lötstedt, Petzold 1986");
    if (orders.dae) return PredictedOrders::of_index_three(*orders.dae);
    return {2 * s - 1, s, s - 1, s - 1, "Jay 1995 (conjecture of HLR89); q: where the multipliers enter linearly"};
  }
};
const TableauEntry<RadauIia> radau_iia_entry;

}  // namespace
}  // namespace daelab
