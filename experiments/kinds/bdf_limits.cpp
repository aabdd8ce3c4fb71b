// Limits of the BDF: sustained growth of the step that stays zero-stable, and instability on the imaginary axis, beside
// the growth caps and thresholds that order selection uses.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#include "experiments/kinds/bdf_limits.hpp"

#include <fmt/format.h>

#include "lab/runs/experiment.hpp"
#include "results/record_values.hpp"

namespace daelab {
namespace {

// ----- runs: the formula of one order -----

struct OrderSpec {
  int k = 1;
  Options options() { return {option("k", k, "order of the formula", between(1, 5))}; }
};

struct OrderRecord {
  BdfLimits limits;
};

class OrderRun final : public SpecifiedRun {
 public:
  static std::shared_ptr<const OrderRun> bind(const Json& json, const std::string& where) {
    OrderSpec spec;
    spec.options().read(json, where);
    return std::shared_ptr<const OrderRun>(new OrderRun(spec));
  }
  RunOutcome execute() const override;

 private:
  explicit OrderRun(OrderSpec spec) : SpecifiedRun(spec.options().write()), spec_(spec) {}
  OrderSpec spec_;
};

void members(JsonMembers& json, OrderRecord& record) {
  BdfLimits& limits = record.limits;
  json.derived("status", [] { return StatusCode::ok; }).derived("cause", [] { return std::string(); });
  json("growth_bound", limits.growth_bound)("instability", limits.instability);
  json.derived("zero_stable_at_any_growth", [&] { return !limits.growth_bound; });
  json.derived("damps_every_frequency", [&] { return !limits.instability; });
  json.group("spec", [&](JsonMembers& of) { of("k", limits.order); });
}

RunOutcome OrderRun::execute() const { return {OrderRecord{bdf_limits(spec_.k)}}; }

struct OrderRuns {
  using Run = OrderRun;
  using Record = OrderRecord;
  static const RunKind& kind() { return run_kind_of<OrderRun, OrderSpec>(); }
};

struct BdfLimitsExperiment {
  static constexpr const char* name = "bdf-limits";
  static constexpr const char* summary =
      "Zero-stable growth of the step and instability on the imaginary axis of the BDF, beside the rules that guard "
      "them.";
  static constexpr const char* source = "Ren, Zhou 2020, tables 1 and 2";
  using Runs = OrderRuns;

  std::string caption =
      "BDF: the largest constant growth of the step that stays zero-stable; omega h between which "
      "undamped oscillations grow, and the largest growth per step; the ratio of the differences of order k + 1 and k "
      "of the growing mode at the upper end, omega h from which on it exceeds the threshold, and the largest growth "
      "below that, which the test misses";
  std::vector<Exact> caps, thresholds;

  Options options() {
    return {option("caption", caption, "caption of the table"),
            option("caps", caps, "growth allowed from one step to the next, order 2 upwards, to stand beside"),
            option("thresholds", thresholds, "instability test s_k, order 3 upwards, to stand beside")};
  }

  using Result = BdfLimitsResult;

  Result evaluate(const Config& /*config*/, const std::vector<Finished<OrderRun, OrderRecord>>& runs,
                  const Finished<OrderRun, OrderRecord>* /*reference*/) const {
    Result result;
    for (const auto& run : runs) {
      const BdfLimits& limits = result.orders.emplace_back(run.record.limits);
      if (const auto threshold = given(thresholds, limits.order - 3); limits.instability && threshold)
        result.tests[limits.order] = instability_test(limits.order, *threshold);
    }
    return result;
  }

  Artifacts present(const Config& config, const Result& result) const {
    Table table{config.name,
                caption,
                {{"order", "", CellFormat::integer, 0},
                 {"cap", "", CellFormat::fixed, 1},
                 {"zero-stable growth", "", CellFormat::fixed, 4},
                 {"unstable from", "", CellFormat::fixed, 2},
                 {"to", "", CellFormat::fixed, 3},
                 {"growth per step", "", CellFormat::fixed, 3},
                 {"at", "", CellFormat::fixed, 2},
                 {"threshold s", "$s_k$", CellFormat::fixed, 2},
                 {"ratio at the upper end", "", CellFormat::fixed, 2},
                 {"seen from", "", CellFormat::fixed, 2},
                 {"missed growth", "", CellFormat::fixed, 3}},
                {}};
    for (const auto& [k, growth_bound, instability] : result.orders) {
      TableRow row{k, given(caps, k - 2), growth_bound};
      using Unstable = BdfInstability;
      const auto add = [&row, &instability = instability](double Unstable::*member) {
        row.push_back(instability ? TableCell((*instability).*member) : TableCell());
      };
      for (const auto member : {&Unstable::from, &Unstable::to, &Unstable::growth, &Unstable::at}) add(member);
      row.push_back(given(thresholds, k - 3));
      add(&Unstable::ratio_to);
      const auto test = result.tests.find(k);
      row.push_back(test == result.tests.end() ? TableCell() : TableCell(test->second.from));
      row.push_back(test == result.tests.end() ? TableCell() : TableCell(test->second.missed_growth));
      table.rows.push_back(std::move(row));
    }
    Artifacts artifacts;
    artifacts.tables.push_back(std::move(table));
    return artifacts;
  }

 private:
  static std::optional<double> given(const std::vector<Exact>& values, int i) {
    if (i < 0 || i >= static_cast<int>(values.size())) return {};
    return values[static_cast<std::size_t>(i)].as<double>();
  }
};

const ExperimentEntry<BdfLimitsExperiment> bdf_limits_entry;

}  // namespace

void members(JsonMembers& json, BdfInstability& instability) {
  json("from", instability.from)("to", instability.to)("growth", instability.growth)("at", instability.at);
  json("ratio_from", instability.ratio_from)("ratio_to", instability.ratio_to);
}

void members(JsonMembers& json, BdfLimits& limits) {
  json("order", limits.order)("growth_bound", limits.growth_bound)("instability", limits.instability);
}

void to_json(Json& json, const BdfLimitsResult& result) {
  json = {{"series", Json::array()}, {"orders", result.orders}};
  for (const auto& [k, test] : result.tests)
    json["series"].push_back(
        {{"spec", {{"k", k}}}, {"from", number(test.from)}, {"missed_growth", number(test.missed_growth)}});
}

void from_json(const Json& json, BdfLimitsResult& result) {
  result = {json.at("orders").get<std::vector<BdfLimits>>(), {}};
  for (const Json& test : json.at("series"))
    result.tests[test.at("spec").at("k")] = {static_cast<double>(record_number(test.at("from"))),
                                             static_cast<double>(record_number(test.at("missed_growth")))};
}

}  // namespace daelab
