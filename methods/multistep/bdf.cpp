// BDF, orders 1 to 5, for every form of a mechanical system. [Ren20, Sec. 4]
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#include "methods/multistep/bdf_start.hpp"
#include "methods/multistep/bdf_stepper.hpp"
#include "methods/multistep/order_selection.hpp"

namespace daelab {
namespace {

struct BdfOptions {
  static constexpr const char* name = "bdf";
  static constexpr const char* summary =
      "Backward differentiation formulas of order 1 to 5; order and step selection with error control.";
  static constexpr const char* source = "Gear 1971; Ren, Zhou 2020 (doi 10.6052/1672-6553-2020-098), algorithm 4";

  int k = bdf_highest_order;
  BdfFormula formula = BdfFormula::variable;
  std::string selector = "combined";
  bool growth = true;
  BdfRestart restart = BdfRestart::order_1;

  static std::vector<std::string> makes() { return {"runge-kutta", bdf_start_tableau, bdf_restart_tableau}; }
  Options options() {
    return {option("k", k, "order of fixed steps; the highest order with error control", between(1, bdf_highest_order))
                .also("order"),
            option("formula", formula,
                   "changing steps: divided differences on the true grid, or backward differences resampled for each "
                   "step"),
            option("selector", selector,
                   "selection of order and step under error control: plain, the largest step; difsub, the same with a "
                   "bias against change; dassl and stewart, raising only where differences fall; skelboe, lowering "
                   "where the formula is unstable; combined, Skelboe's test and a weak condition for raising",
                   one_of(OrderSelector::names())),
            option("growth", growth, "with error control: bounds on the growth of a step, by order"),
            option("restart", restart,
                   "with error control, after an event: order-1, as at the start; runge-kutta, with the order and the "
                   "step size there were before, from as many explicit steps")};
  }

  BdfSettings settings() const { return {k, formula, selector, growth, restart, false}; }
};
const MethodEntry<BdfOptions, BdfMethod> bdf_entry;

}  // namespace
}  // namespace daelab
