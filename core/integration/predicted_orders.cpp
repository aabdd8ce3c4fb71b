#include "core/integration/predicted_orders.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/equations/formulation.hpp"
#include "core/solvers/dense.hpp"

namespace daelab {
namespace {

PredictedOrders of_form(const NoForm& none, const FormulationTraits& /*formulation*/, const FormOrders& /*orders*/) {
  return PredictedOrders::unknown(none.reason);
}

PredictedOrders of_form(const Tableau& t, const FormulationTraits& formulation, const FormOrders& orders) {
  if (formulation.state_space)
    return PredictedOrders::everywhere(orders.order,
                                       "order of the tableau: a, lambda are functions of (q, v) (HW96, Sec. VI.1)");
  if (t.is_explicit()) return PredictedOrders::only_with_state_space();
  if (!reaches_higher_index(t))
    return PredictedOrders::unknown("the implicit part of A is singular: refused on higher index");
  if (formulation.index <= 1 && t.stiffly_accurate())
    return PredictedOrders::everywhere(
        orders.order, "HW96, Sec. VI.1: stiffly accurate, equations without derivatives hold at every stage");
  if (!orders.dae)
    return PredictedOrders::unknown(fmt::format("no theorem for this tableau on index {}", formulation.index));
  if (formulation.index == 3) return PredictedOrders::of_index_three(*orders.dae);
  // Where the step end is no stage, a and lambda there are those of (q, v).
  const auto& [y, z, u, how] = *orders.dae;
  if (t.stiffly_accurate() && z) return PredictedOrders::of_index_two(formulation, y, *z, how);
  return PredictedOrders::everywhere(y, how + "; a and lambda as functions of (q, v)");
}

PredictedOrders of_form(const RosenbrockTableau&, const FormulationTraits& formulation, const FormOrders& orders) {
  if (formulation.index == 3) return PredictedOrders::unknown("refused on index 3, where orders are 1");
  if (formulation.index == 0 || (formulation.of_mechanisms && formulation.index <= 1))
    return PredictedOrders::everywhere(orders.order,
                                       "order of the tableau on y' = f(t, y): a, lambda are functions of (q, v)");
  if (!orders.dae) return PredictedOrders::unknown(fmt::format("no theorem on index {}", formulation.index));
  // Algebraic states are part of the method on index 1, and functions of the others at step ends on index 2.
  const auto& [y, z, u, how] = *orders.dae;
  if (formulation.index == 1 && z) return {y, y, *z, *z, how};
  return PredictedOrders::everywhere(y, how + "; a and lambda as functions of (q, v)");
}

PredictedOrders of_form(const MultistepForm&, const FormulationTraits& /*formulation*/, const FormOrders& /*orders*/) {
  return PredictedOrders::unknown("no theorem for this formula");
}

PredictedOrders of_form(const OscillatorForm&, const FormulationTraits& formulation, const FormOrders& orders) {
  if (!formulation.of_mechanisms) return PredictedOrders::unknown("a method of second-order systems");
  if (formulation.index == 3 && orders.unstable_at_infinite_frequency)
    return PredictedOrders::unknown("unstable at infinite frequency, the frequency of the constraints");
  return PredictedOrders::unknown("no theorem for this scheme");
}

PredictedOrders of_form(const NystromTableau& tableau, const FormulationTraits& formulation,
                        const FormOrders& /*orders*/) {
  if (!formulation.of_mechanisms) return PredictedOrders::unknown("refused: it needs q'' = f(t, q, q')");
  if (!formulation.state_space) return PredictedOrders::only_with_state_space();
  if (tableau.order == 0) return PredictedOrders::unknown("the tableau claims no order");
  return PredictedOrders::everywhere(
      tableau.order, tableau.takes_velocities
                         ? "order of the tableau on q'' = f(t, q, q'): a, lambda are functions of (q, v)"
                         : "order of the tableau on q'' = f(t, q); refused where a depends on v");
}

PredictedOrders of_form(const PairForm&, const FormulationTraits& formulation, const FormOrders& orders) {
  if (!formulation.imposes_only(Level::position) || formulation.stabilized)
    return PredictedOrders::unknown("it imposes the levels of the constraints itself, on index-3");
  if (!orders.dae) return PredictedOrders::unknown("its conditions decide nothing");
  return PredictedOrders::everywhere(std::min(orders.dae->y, orders.dae->z.value_or(0)),
                                     orders.dae->how + "; a and lambda as functions of (q, v)");
}

}  // namespace

PredictedOrders PredictedOrders::only_with_state_space() {
  return unknown(fmt::format("explicit methods need accelerations as a function of (q, v): {}",
                             fmt::join(state_space_formulations(), ", ")));
}

PredictedOrders PredictedOrders::of_index_two(const FormulationTraits& formulation, int y, int z,
                                              const std::string& source) {
  if (formulation.levels.all()) return everywhere(y, source + ", a and lambda as functions of (q, v)");
  return {y, y, z, z, source};
}

PredictedOrders PredictedOrders::of_index_three(const HessenbergOrders& orders) {
  return {orders.y, orders.z, orders.u, orders.u, orders.how};
}

bool reaches_higher_index(const Tableau& t) {
  const Index s = t.stages(), first = t.explicit_first_stage() ? 1 : 0;
  const Matrix<Real100> implicit_part = t.A.bottomRightCorner(s - first, s - first);
  return !t.is_explicit() && dense::complete_pivoting(implicit_part).rank(Real100("1e-80")) == s - first;
}

PredictedOrders orders_of_form(const MethodForm& form, const FormulationTraits& formulation, const FormOrders& orders) {
  return std::visit([&](const auto& alternative) { return of_form(alternative, formulation, orders); }, form);
}

}  // namespace daelab
