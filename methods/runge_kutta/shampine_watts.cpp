// Block implicit one-step methods of Shampine and Watts: the values at r equidistant points of a step, all at once, by
// the Newton-Cotes formulas through the slopes there and at the start. As a Runge-Kutta method that is collocation at
// 0, 1/r, ..., 1: r + 1 stages, the first explicit, order r + 1 for odd r and r + 2 for even r; A-stable for r <= 8.
//
// [WS72] Watts, Shampine, A-stable block implicit one-step methods, BIT 12, 1972, 252-266.
#include <fmt/format.h>

#include "methods/runge_kutta/collocation.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"

namespace daelab {
namespace {

struct ShampineWatts {
  static constexpr const char* name = "shampine-watts";
  static constexpr const char* summary =
      "Block implicit one-step methods: Newton-Cotes formulas over the points of a block; A-stable to 8 points.";
  static constexpr const char* source = "Watts, Shampine 1972";

  int nodes = 4;

  Options options() {
    return {option("nodes", nodes, "points of a block beside its start, equidistant, the last one the end of the step",
                   between(1, 12))};
  }

  Tableau tableau(const std::string& /*where*/) const {
    Vector<Real100> c(nodes + 1);
    for (int i = 0; i <= nodes; ++i) c[i] = Real100(i) / nodes;
    Tableau tableau = collocation(c);
    tableau.name = fmt::format("block of {} points of Watts and Shampine", nodes);
    tableau.source = source;
    tableau.claimed_order = nodes % 2 == 0 ? nodes + 2 : nodes + 1;
    return tableau;
  }
};
const TableauEntry<ShampineWatts> shampine_watts_entry;

}  // namespace
}  // namespace daelab
