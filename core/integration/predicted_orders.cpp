#include "core/integration/predicted_orders.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

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
  if (!orders.index_two)
    return PredictedOrders::unknown(fmt::format("no theorem for this tableau on index {}", formulation.index));
  // Where the step end is no stage, a and lambda there are those of (q, v).
  const auto& [y, z, how] = *orders.index_two;
  if (t.stiffly_accurate() && z) return PredictedOrders::of_index_two(formulation, y, *z, how);
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

bool reaches_higher_index(const Tableau& t) {
  const Index s = t.stages(), first = t.explicit_first_stage() ? 1 : 0;
  const Matrix<Real100> implicit_part = t.A.bottomRightCorner(s - first, s - first);
  return !t.is_explicit() && dense::complete_pivoting(implicit_part).rank(Real100("1e-80")) == s - first;
}

PredictedOrders orders_of_form(const MethodForm& form, const FormulationTraits& formulation, const FormOrders& orders) {
  return std::visit([&](const auto& alternative) { return of_form(alternative, formulation, orders); }, form);
}

}  // namespace daelab
