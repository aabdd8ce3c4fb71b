// The options that methods on backward differences share, as base of their definitions.
#pragma once

#include "methods/multistep/bdf_start.hpp"
#include "methods/multistep/bdf_stepper.hpp"
#include "methods/multistep/order_selection.hpp"

namespace daelab {

struct BdfFamily : Makes<Method, bdf_start, bdf_restart> {
  int k = bdf_usual_order;
  std::string selector = "combined";
  bool growth = true, equal_steps = false;
  BdfRestart restart = BdfRestart::order_1;

  std::vector<Option> list(int highest) {
    return {
        option("k", k, "order of fixed steps; the highest order with error control", between(1, highest)).also("order"),
        option("selector", selector,
               "selection of order and step under error control: plain, the largest step; difsub, the same with a "
               "bias against change; dassl and stewart, raising only where differences fall; skelboe, lowering "
               "where the formula is unstable; combined, Skelboe's test and a weak condition for raising; "
               "skelboe-stewart, the tests of both",
               one_of(OrderSelector::names())),
        option("growth", growth, "with error control: bounds on the growth of a step, by order"),
        option("equal_steps", equal_steps,
               "with error control: order and step change after k + 2 steps of order k and of one size, or where a "
               "step fails, as in DIFSUB and LSODI; false: after any step"),
        option("restart", restart,
               "with error control, after an event: order-1, as at the start; runge-kutta, with the order and the "
               "step size there were before, from as many explicit steps")};
  }
  BdfSettings settings_of(BdfFormula formula, bool numerical) const {
    return {k, formula, selector, growth, equal_steps, restart, numerical, &shared<bdf_start>, &shared<bdf_restart>};
  }
};

}  // namespace daelab
