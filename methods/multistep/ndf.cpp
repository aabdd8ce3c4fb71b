// Numerical differentiation formulas of Klopfenstein and Shampine: backward differentiation with a part of the first
// neglected term, on the quasi-constant step; what ode15s of MATLAB takes. [SR97]
//
// [SR97] Shampine, Reichelt, SIAM J. Sci. Comput. 18(1), 1997, 1-22.
#include "methods/multistep/bdf_start.hpp"
#include "methods/multistep/bdf_stepper.hpp"
#include "methods/multistep/order_selection.hpp"

namespace daelab {
namespace {

struct NdfOptions {
  static constexpr const char* name = "ndf";
  static constexpr const char* summary =
      "Numerical differentiation formulas of order 1 to 5: smaller error constants than BDF to order 4.";
  static constexpr const char* source = "Shampine, Reichelt 1997; Klopfenstein 1971";

  int k = bdf_highest_order;
  std::string selector = "combined";
  bool growth = true;
  BdfRestart restart = BdfRestart::order_1;

  static std::vector<std::string> makes() { return {"runge-kutta", bdf_start_tableau, bdf_restart_tableau}; }
  Options options() {
    return {option("k", k, "order of fixed steps; the highest order with error control", between(1, bdf_highest_order))
                .also("order"),
            option("selector", selector, "selection of order and step under error control, as of bdf",
                   one_of(OrderSelector::names())),
            option("growth", growth, "with error control: bounds on the growth of a step, by order"),
            option("restart", restart, "with error control, after an event, as of bdf")};
  }

  BdfSettings settings() const { return {k, BdfFormula::quasi_constant, selector, growth, restart, true}; }
};
const MethodEntry<NdfOptions, BdfMethod> ndf_entry;

}  // namespace
}  // namespace daelab
