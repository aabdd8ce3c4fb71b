// Limits of the BDF: sustained growth of the step that stays zero-stable, and instability on the imaginary axis, beside
// the growth caps and thresholds that order selection uses.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#include "analysis/bdf_limits.hpp"

#include <fmt/format.h>

#include "experiments/runs/experiment.hpp"
#include "results/record_values.hpp"

namespace daelab {
namespace {

struct OrderSpec {
  int k = 1;
  Options options() { return {option("k", k, "order of the formula", between(1, 5))}; }
};

Json resolve_order_run(const Json& run, const std::string& where) {
  OrderSpec spec;
  spec.options().read(run, where);
  return spec.options().write();
}

RunOutcome carry_out_order_run(const Json& resolved) {
  OrderSpec spec;
  spec.options().read(resolved, "");
  const BdfLimits limits = bdf_limits(spec.k);
  RunOutcome outcome;
  outcome.record = {{"status", "ok"}, {"cause", ""}, {"growth_bound", nullptr}, {"instability", nullptr}};
  if (limits.growth_bound) outcome.record["growth_bound"] = number(*limits.growth_bound);
  if (const auto& found = limits.instability)
    outcome.record["instability"] = {{"from", number(found->from)},
                                     {"to", number(found->to)},
                                     {"growth", number(found->growth)},
                                     {"at", number(found->at)},
                                     {"difference_ratio", number(found->difference_ratio)}};
  outcome.record["spec"] = resolved;
  return outcome;
}

Json schema_of_order_run() { return OrderSpec{}.options().schema(); }
double cost_of_order_run(const Json& /*spec*/) { return 1; }

struct BdfLimitsExperiment {
  static constexpr const char* name = "bdf-limits";
  static constexpr const char* summary =
      "Zero-stable growth of the step and instability on the imaginary axis of the BDF, beside the rules that guard "
      "them.";
  static constexpr const char* source = "Ren, Zhou 2020, tables 1 and 2";

  std::string caption =
      "BDF: the largest constant growth of the step that stays zero-stable; omega h between which "
      "undamped oscillations grow, the largest growth per step, and the ratio of the differences of "
      "order k + 1 and k of the growing mode at the upper end";
  std::vector<Exact> caps, thresholds;

  Options options() {
    return {option("caption", caption, "caption of the table"),
            option("caps", caps, "growth allowed from one step to the next, order 2 upwards, to stand beside"),
            option("thresholds", thresholds, "instability test s_k, order 3 upwards, to stand beside")};
  }
  static const RunKind& run_kind() {
    static const RunKind kind{resolve_order_run, carry_out_order_run, schema_of_order_run, cost_of_order_run};
    return kind;
  }

  Evaluation evaluate(const Config& config, const std::vector<LabelledRun>& runs, const Json& /*reference*/) const {
    Evaluation evaluation;
    Table table{config.name,
                caption,
                {{"order", "", CellFormat::integer, 0},
                 {"cap", "", CellFormat::fixed, 1},
                 {"zero-stable growth", "", CellFormat::fixed, 4},
                 {"threshold s", "$s_k$", CellFormat::fixed, 2},
                 {"unstable from", "", CellFormat::fixed, 2},
                 {"to", "", CellFormat::fixed, 3},
                 {"growth per step", "", CellFormat::fixed, 3},
                 {"at", "", CellFormat::fixed, 2},
                 {"ratio of differences", "", CellFormat::fixed, 2}},
                {}};
    for (const LabelledRun& run : runs) {
      const Json& r = run.record;
      const int k = r["spec"]["k"];
      Json row = {k, given(caps, k - 2), r["growth_bound"], given(thresholds, k - 3)};
      for (const char* key : {"from", "to", "growth", "at", "difference_ratio"})
        row.push_back(r["instability"].is_null() ? Json() : r["instability"][key]);
      table.rows.push_back(std::move(row));
    }
    evaluation.artifacts.tables.push_back(std::move(table));
    return evaluation;
  }

 private:
  static Json given(const std::vector<Exact>& values, int i) {
    return i < 0 || i >= static_cast<int>(values.size()) ? Json()
                                                         : Json(values[static_cast<std::size_t>(i)].as<double>());
  }
};
const ExperimentEntry<BdfLimitsExperiment> bdf_limits_entry;

}  // namespace
}  // namespace daelab
