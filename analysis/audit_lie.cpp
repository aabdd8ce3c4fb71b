// Orders on Lie groups, and between step ends.
#include <fmt/format.h>

#include "analysis/audit_fact_list.hpp"
#include "core/base/exact.hpp"
#include "core/integration/printed_tableau.hpp"

namespace daelab {
namespace {

struct LieOrder {
  int order = 0;
  bool is_bound = false;
  std::string proof;
};

LieOrder order_of(const LieScheme& scheme, LieEquation equation) {
  const LieOrderDefect defect = lie_order_defect(scheme, highest_lie_order, equation);
  if (defect.order == 0)
    return {highest_lie_order, true, fmt::format("all words of ordered trees to order {}", highest_lie_order)};
  return {defect.order - 1, false,
          fmt::format("words of ordered trees to order {}; of order {}, the coefficient of {} is off by {}",
                      defect.order - 1, defect.order, defect.trees, to_text(defect.residual, 3))};
}

bool times_are_row_sums(const Tableau& t) {
  for (Index i = 0; i < t.stages(); ++i)
    if (!row_sum_holds(t, i)) return false;
  return true;
}

void add(const char* name, const LieOrder& found, AuditFacts& facts) {
  facts.add(name, found.order, found.proof, found.is_bound);
}

}  // namespace

std::string lie_form_text(const LieScheme& scheme) {
  const std::string stages = fmt::format("{} stage{}", scheme.stages.size(), scheme.stages.size() == 1 ? "" : "s");
  const char* const others = "all that does not say Lie groups is of its tableau in R^n";
  if (!scheme.inverse_tangent) return fmt::format("products of exponentials on Lie groups, {}; {}", stages, others);
  const std::string series = *scheme.inverse_tangent == LieScheme::closed_form
                                 ? "dexp^-1 exact"
                                 : fmt::format("dexp^-1 by {} powers of its series", *scheme.inverse_tangent);
  return fmt::format("Runge-Kutta-Munthe-Kaas method of {}, {}; {}", stages, series, others);
}

// Where the times of stages are not the sums of rows, the order of v(t, g) is another than that of v(g).
void add_lie_orders(const LieScheme& scheme, AuditFacts& facts) {
  if (scheme.inverse_tangent && *scheme.inverse_tangent >= facts.order("autonomous order") - 2) {
    const char* const proof =
        "that in R^n, because coordinates of the group fulfil their equation to order p for p - 2 powers";
    facts.add_equal_order("order on Lie groups", "order", proof);
    return facts.add_equal_order("autonomous order on Lie groups", "autonomous order", proof);
  }
  const LieOrder autonomous = order_of(scheme, LieEquation::autonomous);
  add("autonomous order on Lie groups", autonomous, facts);
  add("order on Lie groups",
      times_are_row_sums(scheme.in_space) ? autonomous : order_of(scheme, LieEquation::with_time), facts);
}

void add_dense_orders(int conditions, int order, const std::string& proof, AuditFacts& facts) {
  facts.add("order of dense output by conditions", conditions, proof);
  facts.add("order of dense output", std::min(conditions + 1, order),
            fmt::format("errors between step ends are of size h^{}, those of step ends h^{}: {}", conditions + 1, order,
                        proof));
}

void add_given_output(const AuditSubject& subject, AuditFacts& facts) {
  if (!subject.dense_output) return;
  const auto* tableau = std::get_if<Tableau>(&std::get<MethodForm>(subject.method));
  if (tableau == nullptr) return;
  const TableauOutputOrder found = output_order(*tableau, *subject.dense_output);
  add_dense_orders(found.conditions, facts.order("autonomous order"), found.how, facts);
}

void add_of_method(const Method& method, AuditFacts& facts) {
  if (const auto* group = dynamic_cast<const LieGroupMethod*>(&method)) add_lie_orders(group->lie_scheme(), facts);
  if (std::holds_alternative<Tableau>(method.form())) {
    const DenseOrder dense = method.dense_order();
    const int order = facts.order("order");
    facts.add("order of dense output", std::min(dense.y, order), dense.how, true);
  }
}

}  // namespace daelab
