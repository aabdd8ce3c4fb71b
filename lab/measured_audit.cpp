#include "lab/measured_audit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/in_parallel.hpp"
#include "core/base/input_error.hpp"
#include "core/base/interrupted.hpp"
#include "lab/project.hpp"

namespace daelab {
namespace {

// A method that has never made its steps has a mistake, unless it refuses all items.
void refuse_what_fails(const BatteryResult& measured, const std::string& name) {
  if (std::ranges::any_of(measured.measurements, &BatteryMeasurement::ok)) return;
  const auto failed = std::ranges::find_if(
      measured.measurements, [](const auto& found) { return found.status != StatusCode::not_applicable; });
  if (failed == measured.measurements.end()) return;
  throw InputError(name, fmt::format("no item of the battery reaches its end; on {}: {} - {}", failed->problem,
                                     to_string(failed->status), failed->cause));
}

// "sliding-pendulum on index-2, q: p = 2.99 ± 0.02 from 5 of 7 points, h = 1/8 to 1/64, real50"
std::string evidence(const BatteryMeasurement& found, const BatteryOrder& order) {
  std::string text = found.problem;
  if (!battery_item(found.item, "").formulation.empty()) text += " on " + found.formulation;
  text += fmt::format(", {}: {}", order.variable, order.estimate.statement);
  if (!order.from.empty()) text += fmt::format(", h = {} to {}", order.from, order.to);
  return text + ", " + found.scalar;
}

// All that was measured of one property.
struct MeasuredProperty {
  const AuditProperty* property;
  std::optional<int> lowest;
  std::vector<std::string> decided, undecided, failed, refused;

  void add(const BatteryMeasurement& found, const BatteryOrder& order) {
    const std::optional<int> whole = whole_order(order.estimate);
    if (whole) lowest = std::min(*whole, lowest.value_or(*whole));
    (whole ? decided : undecided).push_back(evidence(found, order));
  }
  MeasuredFact fact() const {
    std::vector<std::string> told = decided;
    told.insert(told.end(), undecided.begin(), undecided.end());
    told.insert(told.end(), failed.begin(), failed.end());
    AuditFact fact{property, {}, false, fmt::format("measured: {}", fmt::join(told.empty() ? refused : told, "; "))};
    if (lowest) fact.value = *lowest;
    return {std::move(fact), told.empty()};
  }
};

MeasuredProperty& of_property(const std::string& property, std::vector<MeasuredProperty>& all) {
  const AuditProperty& wanted = audit_property(property, "");
  const auto known = std::ranges::find(all, &wanted, &MeasuredProperty::property);
  return known != all.end() ? *known : all.emplace_back(MeasuredProperty{&wanted, {}, {}, {}, {}, {}});
}

void add_failed(const BatteryMeasurement& found, std::vector<MeasuredProperty>& all) {
  for (const BatteryVariable& variable : battery_item(found.item, "").variables)
    if (!variable.property.empty()) {
      MeasuredProperty& property = of_property(variable.property, all);
      auto& told = found.status == StatusCode::not_applicable ? property.refused : property.failed;
      const std::string text = fmt::format("{}: {} - {}", found.item, to_string(found.status), found.cause);
      if (std::ranges::find(told, text) == told.end()) told.push_back(text);
    }
}

// The value of a fact that coefficients prove stays where measurements agree with it.
bool gives_way(const AuditFact& proved, const AuditFact& measured) {
  if (!proved.is_known()) return true;
  if (!measured.is_known()) return false;
  const int order = std::get<int>(proved.value), found = std::get<int>(measured.value);
  return found < order || (proved.is_bound && found > order);
}

void merge(MeasuredFact measured, Audit& audit) {
  AuditFact& fact = measured.fact;
  auto row = std::ranges::find(audit.rows, fact.property, [](const AuditRow& r) { return r.fact.property; });
  if (row == audit.rows.end()) {
    if (measured.is_refused) return;
    row = std::ranges::find_if(audit.rows, [&](const AuditRow& r) { return r.fact.property > fact.property; });
    row = audit.rows.insert(row, AuditRow{});
    row->fact.property = fact.property;
  }
  if (row->fact.is_known() && measured.is_refused) return;
  if (row->fact.is_known()) fact.proof = fmt::format("{}; {}", row->fact.proof, fact.proof);
  if (gives_way(row->fact, fact))
    row->fact = std::move(fact);
  else
    row->fact.proof = std::move(fact.proof);
  if (row->claim) row->verdict = judged(*row->claim, row->fact);
}

bool has_coefficients(const Method& method) { return !std::holds_alternative<NoForm>(method.form()); }

}  // namespace

BatteryResult measured_orders(const Json& runs, const std::vector<std::string>& items) {
  load_project();
  const Json json = {{"name", "battery"}, {"experiment", "battery"}, {"items", items}, {"runs", runs}};
  const Config config = make_config(json, "battery.json");
  std::vector<FinishedRun> finished(config.runs.size());
  in_parallel(finished.size(), [&](std::size_t i) {
    stop_where_interrupted();
    finished[i].label = config.labels[i], finished[i].run = std::static_pointer_cast<const Run>(config.runs[i]);
    finished[i].record = finished[i].run->integrate().record;
  });
  stop_where_interrupted();
  return measure_battery(config, finished);
}

std::vector<MeasuredFact> measured_facts(const BatteryResult& measured) {
  std::vector<MeasuredProperty> all;
  for (const BatteryMeasurement& found : measured.measurements) {
    if (!found.ok()) add_failed(found, all);
    for (const BatteryOrder& order : found.orders)
      if (!order.property.empty()) of_property(order.property, all).add(found, order);
  }
  std::vector<MeasuredFact> facts;
  for (const MeasuredProperty& one : all) facts.push_back(one.fact());
  std::ranges::sort(facts, {}, [](const MeasuredFact& one) { return one.fact.property; });
  return facts;
}

Audit audit(const AuditSubject& subject, Measure measure) {
  Audit found = audit(subject);
  const auto* method = std::get_if<std::shared_ptr<const Method>>(&subject.method);
  if (measure == Measure::never) return found;
  if (method == nullptr && measure == Measure::without_coefficients) return found;
  if (method == nullptr)
    throw InputError(subject.name,
                     "cannot be measured: its coefficients alone are given, and decide; methods that are registered, "
                     "and step functions, are measured");
  if (measure == Measure::without_coefficients && has_coefficients(**method)) return found;
  const BatteryResult measured = measured_orders({{"method", (*method)->spec()}});
  refuse_what_fails(measured, subject.name);
  if (!has_coefficients(**method)) found.form = "step function, measured";
  for (MeasuredFact& fact : measured_facts(measured)) merge(std::move(fact), found);
  return found;
}

}  // namespace daelab
