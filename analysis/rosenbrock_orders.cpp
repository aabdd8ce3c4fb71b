#include "analysis/rosenbrock_orders.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/exact.hpp"

namespace daelab {
namespace {

std::string text_of_R(const Real100& R) { return fmt::format("R(infinity) = {}", to_text(R, 3)); }

// z of order q + 1 where its trees hold up to q: R decays what is left of the errors before.
DaeOrders on_index_one(const RosenbrockOrders& orders, const Real100& R) {
  DaeOrders found{.index = 1};
  const auto trees = [](const char* what, int order, const std::string& beyond) {
    return beyond.empty() ? fmt::format("all conditions of {} up to order {} hold", what, order)
                          : fmt::format("{} of order {} fails: {}", what, order + 1, beyond);
  };
  found.how = fmt::format("{}; {}; {} [Roc88; HW96, Sec. VI.4]", trees("y", orders.y, orders.beyond_y),
                          trees("z", orders.z, orders.beyond_z), text_of_R(R));
  if (!decays(R)) return found;
  found.y = found.z = std::min(orders.y, orders.z + 1);
  found.is_exact_y = *found.y == orders.y && !orders.beyond_y.empty();
  found.is_exact_z = !orders.beyond_z.empty() || found.is_exact_y;
  return found;
}

DaeOrders on_index_two(const RosenbrockTableau& t, int most, const Real100& R) {
  const LocalDaeOrders local = index_two_conditions(t, most);
  DaeOrders found{.index = 2};
  found.how = fmt::format("trees with alpha, beta and W: {}; {}; {} [HLR89, LR90]", explained("y", local.projected_y),
                          explained("z", local.z), text_of_R(R));
  if (!decays(R)) return found;
  const int z = std::min(local.z.order + 1, std::max(local.y.order, 1)), p = local.projected_y.order;
  found.y = std::min({p, z + 1, 2 * z}), found.is_exact_y = *found.y == p && local.projected_y.is_exact;
  found.z = std::min(*found.y, z), found.is_exact_z = *found.z == local.z.order + 1 && local.z.is_exact;
  return found;
}

}  // namespace

LocalDaeOrders index_two_conditions(const RosenbrockTableau& tableau, int most) {
  const Tableau of_beta = tableau.on_linear_equations();
  Tableau of_alpha = of_beta;
  of_alpha.A = tableau.alpha;
  if (tableau.digits > 0) of_alpha.A_error = pow(Real100(10), 1 - tableau.digits) * tableau.alpha.cwiseAbs();
  const RoundedCoefficients beta(of_beta), alpha(of_alpha), W(inverse(of_beta.A, of_beta.A_error, of_beta));
  DaeWeights weights{.b = &beta};
  const DaeWeights::Operator alone{&beta, "beta", "beta(1)"}, beside{&alpha, "alpha", "c"};
  weights.at(Vertex::y, Vertex::y) = weights.at(Vertex::y, Vertex::z) =
      weights.at(Vertex::z, Vertex::y) = {alone, beside};
  weights.of_root(Vertex::z) = {{&W, "W"}, {&W, "W"}};
  DaeConditionSearch search(2, weights, Trees::all);
  return {search.of(Vertex::y, most), without_last_chains(search, most), search.of(Vertex::z, most)};
}

std::vector<DaeOrders> dae_orders(const RosenbrockTableau& tableau, const RosenbrockOrders& orders) {
  const Real100 R = rosenbrock_at_infinity(tableau, false);
  return {on_index_one(orders, R),
          on_index_two(tableau, orders.ordinary, R),
          {.index = 3, .how = "refused: steps have order 1 and are limited by the constraints"}};
}

}  // namespace daelab
