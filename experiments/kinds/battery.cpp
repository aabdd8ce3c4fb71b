// Battery: the orders of methods on problems that hide no error, on each form that a method applies to.
#include "experiments/kinds/battery.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/base/coefficient_document.hpp"
#include "core/base/foreign_versions.hpp"
#include "core/integration/tableau.hpp"
#include "experiments/measures/accuracy.hpp"
#include "lab/runs/labels.hpp"
#include "lab/runs/steps.hpp"

namespace daelab {
namespace {

// Orders are whole numbers: an estimate farther from one, or with a wider interval, is not settled.
constexpr double nearly = 0.1, widest = 0.25;

struct Window {
  std::vector<OrderPoint> points;
  std::vector<std::string> steps;
};

void add_point(const FinishedRun& run, const BatteryVariable& variable, const ReferenceSolution& reference,
               Window& window, OrderOptions& options) {
  const RunSpec& spec = run.run->spec();
  if (!run.record.ok()) {
    ++options.failed;
  } else if (!nearest_dividing_step(spec, run.run->length()).empty()) {
    ++options.shortened;
  } else {
    Real50 largest = 0;
    for (const std::string& component : variable.components)
      largest = std::max(largest, error_of(run.record, reference, component));
    window.points.push_back(order_point(spec.h->as<Real50>(), largest));
    window.steps.push_back(spec.h->text());
  }
}

BatteryOrder order_of(const BatteryVariable& variable, const std::vector<const FinishedRun*>& runs,
                      const ReferenceSolution& reference) {
  Window window;
  OrderOptions options;
  options.log10_floor = reference.log10_floor;
  for (const FinishedRun* run : runs) add_point(*run, variable, reference, window, options);
  BatteryOrder order{variable.name, variable.property, estimate_order(window.points, options), "", ""};
  if (const auto& used = order.estimate.used_points; !used.empty())
    order.from = window.steps[used.front()], order.to = window.steps[used.back()];
  return order;
}

// The name in tables: without coefficients, and without the version of a method from outside.
std::string label_of(Json method) {
  if (is_tableau(method) || holds_coefficients(method)) return method.at("name").get<std::string>();
  if (method.is_object()) method.erase(foreign_version_key);
  return method_words(method);
}

BatteryMeasurement measurement_of(const BatteryItem& item, const std::vector<const FinishedRun*>& runs) {
  const Run& run = *runs.front()->run;
  const ComponentSpec& method = run.spec().method;
  BatteryMeasurement found{method.json(),
                           label_of(method.json()),
                           item.name,
                           item.problem,
                           run.formulation_text(),
                           name_of(run.spec().scalar),
                           StatusCode::ok,
                           "",
                           "",
                           {}};
  if (std::ranges::none_of(runs, [](const FinishedRun* one) { return one->record.ok(); })) {
    found.status = runs.back()->record.status, found.cause = runs.back()->record.cause;
    return found;
  }
  const ReferenceSolution reference = reference_solution(run, nullptr);
  found.reference = reference.text();
  for (const BatteryVariable& variable : item.variables) found.orders.push_back(order_of(variable, runs, reference));
  return found;
}

// 2 if all orders are decided, 1 if some errors are known, else 0.
int worth(const BatteryMeasurement& found) {
  if (!found.ok()) return 0;
  return std::ranges::all_of(found.orders, [](const BatteryOrder& o) { return whole_order(o.estimate).has_value(); })
             ? 2
             : 1;
}

// The wider scalar comes first and wins a tie; but where neither runs, double says why.
bool replaces(const BatteryMeasurement& next, const BatteryMeasurement& found) {
  return worth(next) > worth(found) || worth(found) == 0;
}

// Measurements of a method follow each other.
auto end_of(const Json& method, std::vector<BatteryMeasurement>& all) {
  const auto last = std::ranges::find(all.rbegin(), all.rend(), method, &BatteryMeasurement::method);
  return last == all.rend() ? all.end() : last.base();
}

std::string order_cell(const OrderEstimate& estimate) {
  const std::optional<int> whole = whole_order(estimate);
  return whole ? fmt::format("{} ({})", *whole, order_text(estimate)) : "undecided";
}

std::string window_text(const BatteryOrder& order) {
  return order.from.empty() ? "" : fmt::format("{} ... {}", order.from, order.to);
}

struct Battery {
  static constexpr const char* name = "battery";
  static constexpr const char* summary =
      "Orders of methods, measured on problems of its own: all trees up to order 6, index 1 to 3, mechanisms.";
  static constexpr const char* source = "Hairer, Nørsett, Wanner 1993, Sec. II.2; Hairer, Lubich, Roche 1989";

  std::vector<std::string> items;

  Options options() {
    std::vector<std::string> names;
    for (const BatteryItem& item : battery_items()) names.push_back(item.name);
    return {option("items", items,
                   fmt::format("problems and forms, all where none is given, of: {}", fmt::join(names, ", ")))};
  }
  void validate(const std::string& where) const {
    for (std::size_t i = 0; i < items.size(); ++i) battery_item(items[i], fmt::format("{}/items/{}", where, i));
  }
  std::vector<Json> entries(const Json& entry, const std::string& where) const {
    return battery_entries(entry, items, where);
  }

  using Result = BatteryResult;

  Result evaluate(const Config& config, const std::vector<FinishedRun>& runs, const FinishedRun* /*reference*/) const {
    return measure_battery(config, runs);
  }

  Artifacts present(const Config& config, const Result& result) const {
    Artifacts artifacts;
    Table& table = artifacts.tables.emplace_back(
        Table{config.name,
              config.title + ". Orders at the end of 1 s, with 95 % intervals. " + items_explained(result),
              {},
              {}});
    for (const char* label : {"method", "item", "form", "variable", "order", "steps [s]", "scalar", "status"})
      table.columns.push_back({label, "", CellFormat::text, 0});
    for (const BatteryMeasurement& found : result.measurements) {
      if (!found.ok()) {
        table.rows.push_back(
            {found.label, found.item, found.formulation, "", "", "", found.scalar, to_string(found.status)});
        artifacts.notes.push_back(
            fmt::format("{}, {}: {} - {}", found.label, found.item, to_string(found.status), found.cause));
      }
      for (const BatteryOrder& order : found.orders) {
        table.rows.push_back({found.label, found.item, found.formulation, order.variable, order_cell(order.estimate),
                              window_text(order), found.scalar, to_string(found.status)});
        artifacts.notes.push_back(
            fmt::format("{}, {}, {}: {}", found.label, found.item, order.variable, order.estimate.statement));
      }
    }
    return artifacts;
  }

 private:
  static std::string items_explained(const Result& result) {
    std::string text;
    for (const BatteryItem& item : battery_items())
      if (std::ranges::any_of(result.measurements, [&](const auto& found) { return found.item == item.name; }))
        text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", item.name, item.what);
    return text + ".";
  }
};

const ExperimentEntry<Battery> battery_entry;

}  // namespace

std::optional<int> whole_order(const OrderEstimate& estimate) {
  if (estimate.stands_still) return 0;
  if (!estimate.decided || estimate.half_width > widest) return {};
  if (estimate.order < 0) return 0;
  const double whole = std::round(estimate.order);
  if (std::abs(whole - estimate.order) > std::max(estimate.half_width, nearly)) return {};
  return static_cast<int>(whole);
}

BatteryResult measure_battery(const Config& config, const std::vector<FinishedRun>& runs) {
  BatteryResult result;
  for (const RunGroup& group : group_runs(config, "/h")) {
    std::vector<const FinishedRun*> of_group;
    for (const std::size_t i : group.runs) of_group.push_back(&runs[i]);
    BatteryMeasurement next = measurement_of(battery_item(group.entry_label, "/runs"), of_group);
    const auto same = std::ranges::find_if(result.measurements, [&](const BatteryMeasurement& found) {
      return found.item == next.item && found.method == next.method;
    });
    if (same == result.measurements.end())
      result.measurements.insert(end_of(next.method, result.measurements), std::move(next));
    else if (replaces(next, *same))
      *same = std::move(next);
  }
  return result;
}

void members(JsonMembers& json, BatteryOrder& order) {
  json("variable", order.variable)("property", order.property);
  json.derived("order", [&] { return whole_order(order.estimate); });
  json("estimate", order.estimate)("from", order.from)("to", order.to);
}

void members(JsonMembers& json, BatteryMeasurement& found) {
  json("method", found.method)("label", found.label)("item", found.item)("problem", found.problem);
  json("formulation", found.formulation)("scalar", found.scalar)("status", found.status)("cause", found.cause);
  json("reference", found.reference)("orders", found.orders);
}

void members(JsonMembers& json, BatteryResult& result) { json("measurements", result.measurements); }

}  // namespace daelab
