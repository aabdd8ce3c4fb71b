#include "analysis/stiff_order.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/multistep.hpp"
#include "analysis/order_conditions.hpp"
#include "analysis/stability.hpp"

namespace daelab {
namespace {

StiffOrder of_tableau(const Tableau& tableau) {
  const Real100 R = stability_function(tableau).at_infinity();
  if (!(abs(R) < 1 + Real100("1e-60"))) return {{}, "none: |R(infinity)| > 1"};
  const OrderReport report = order_report(tableau);
  const bool accumulates = abs(R - 1) < Real100("1e-60"), accurate = tableau.stiffly_accurate();
  const int order = std::min(report.pseudo_stage_order + (accurate ? 0 : 1) - (accumulates ? 1 : 0), report.order);
  return {order, fmt::format("pseudo-stage order {}, {}stiffly accurate, R(infinity) = {:.3g}; HW96, Sec. IV.15",
                             report.pseudo_stage_order, accurate ? "" : "not ", static_cast<double>(R))};
}

StiffOrder of_multistep(const MultistepForm& form) {
  const Vector<Real100>& beta = form.formula.beta;
  if (form.predictor || beta[0] == 0 || !beta.tail(beta.size() - 1).isZero(0))
    return {{}, "none: known for backward differentiation only"};
  return {multistep_order(form).order, "backward differentiation: error h^k/L"};
}

}  // namespace

StiffOrder stiff_order(const MethodForm& form) {
  if (const auto* tableau = std::get_if<Tableau>(&form)) return of_tableau(*tableau);
  if (const auto* multistep = std::get_if<MultistepForm>(&form)) return of_multistep(*multistep);
  if (std::holds_alternative<RosenbrockTableau>(form))
    return {{}, "none: of Rosenbrock methods the conditions of Prothero and Robinson decide, see their cards"};
  return {{}, "none: the method has no form on first-order equations"};
}

}  // namespace daelab
