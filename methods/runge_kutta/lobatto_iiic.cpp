// Lobatto IIIC: a_i1 = b_1 and C(s - 1). Order 2s - 2, stage order s - 1, L-stable.
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996, Sec. IV.5.
#include "methods/runge_kutta/collocation.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"

namespace daelab {
namespace {

struct LobattoIiic {
  static constexpr const char* name = "lobatto-iiic";
  static constexpr const char* summary = "Lobatto IIIC: order 2s - 2, L-stable, stiffly accurate.";
  static constexpr const char* source = "Hairer, Wanner 1996, Sec. IV.5";

  int s = 3;

  Options options() { return {option("s", s, "stages", between(2, 7))}; }
  Tableau tableau(const std::string& /*where*/) const { return lobatto_iiic(s); }

  PredictedOrders higher_index_orders(const FormulationTraits& formulation, const FormOrders& /*orders*/) const {
    if (formulation.index != 3)
      return PredictedOrders::of_index_two(formulation, 2 * s - 2, s - 1, "HW96, Table VII.4.1");
    return {2 * s - 2, s - 1, s - 2, s - 2, "measured rule (two-link-manipulator, pendulum, seven-body in 50 digits)"};
  }
};
const TableauEntry<LobattoIiic> lobatto_iiic_entry;

}  // namespace
}  // namespace daelab
