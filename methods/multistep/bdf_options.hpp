// The options that methods on backward differences share, as base of their definitions.
#pragma once

#include "methods/multistep/bdf_start.hpp"
#include "methods/multistep/bdf_stepper.hpp"
#include "methods/multistep/order_selection.hpp"

namespace daelab {

struct BdfFamily {
  int k = bdf_highest_order;
  std::string selector = "combined";
  bool growth = true;
  BdfRestart restart = BdfRestart::order_1;

  static std::vector<std::string> makes() { return {"runge-kutta", bdf_start_tableau, bdf_restart_tableau}; }
  std::vector<Option> list() {
    return {option("k", k, "order of fixed steps; the highest order with error control", between(1, bdf_highest_order))
                .also("order"),
            option("selector", selector,
                   "selection of order and step under error control: plain, the largest step; difsub, the same with a "
                   "bias against change; dassl and stewart, raising only where differences fall; skelboe, lowering "
                   "where the formula is unstable; combined, Skelboe's test and a weak condition for raising; "
                   "skelboe-stewart, the tests of both",
                   one_of(OrderSelector::names())),
            option("growth", growth, "with error control: bounds on the growth of a step, by order"),
            option("restart", restart,
                   "with error control, after an event: order-1, as at the start; runge-kutta, with the order and the "
                   "step size there were before, from as many explicit steps")};
  }
  BdfSettings settings_of(BdfFormula formula, bool numerical) const {
    return {k, formula, selector, growth, restart, numerical};
  }
};

}  // namespace daelab
