#include "experiments/kinds/work_precision.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "experiments/measures/cost.hpp"
#include "experiments/measures/figure_spec.hpp"
#include "lab/runs/component.hpp"
#include "lab/runs/steps.hpp"
#include "results/record_values.hpp"

namespace daelab {
namespace {

constexpr const char* digit_measures[] = {"scd", "mescd"};

void check_accuracy(const std::vector<std::string>& accuracy, const Run& run, const std::string& where) {
  std::vector<std::string> components;
  for (const std::string& measure : accuracy)
    if (!WorkPrecision::counts_digits(measure)) components.push_back(measure);
  if (!components.empty()) check_components(components, run, where);
}

Real100 looseness(const RunSpec& spec) { return (spec.adaptive() ? spec.rtol : spec.h)->value(); }

// What a sequence of runs, loose to tight, costs where it reaches `target` digits for good: between the last two
// neighbours that bracket it, with the logarithm of the cost linear in the digits (the cost itself where one is zero).
// Nothing when none do.
std::optional<double> interpolated_cost(const std::vector<double>& digits, const std::vector<double>& cost,
                                        double target) {
  for (std::size_t i = digits.size(); i-- > 1;) {
    const double low = digits[i - 1], high = digits[i];
    if (!(low <= target && target <= high)) continue;
    const double s = high > low ? (target - low) / (high - low) : 1;
    if (cost[i - 1] <= 0 || cost[i] <= 0) return (1 - s) * cost[i - 1] + s * cost[i];
    return std::exp((1 - s) * std::log(cost[i - 1]) + s * std::log(cost[i]));
  }
  return {};
}

WorkPrecision::CostOfAccuracy cost_of(const std::string& measure, const Exact& at,
                                      const std::vector<WorkPrecision::Point>& points) {
  const bool counted = WorkPrecision::counts_digits(measure);
  const auto digits_of = [&](double accuracy) { return counted ? accuracy : -std::log10(accuracy); };
  WorkPrecision::CostOfAccuracy result{measure, counted ? at.text() : tolerance_text(at), {}, {}};
  std::vector<double> digits, tolerances;
  std::map<std::string, std::vector<double>> spent;
  for (const WorkPrecision::Point& point : points) {
    const auto reached = point.reached(measure);
    if (!reached || !std::isfinite(digits_of(*reached))) continue;
    digits.push_back(digits_of(*reached));
    tolerances.push_back(static_cast<double>(looseness(point.spec)));
    for (const auto& [cost, value] : point.cost) spent[cost].push_back(value);
  }
  const double target = digits_of(at.as<double>());
  for (const Cost& cost : all_costs()) result.cost[cost.name] = interpolated_cost(digits, spent[cost.name], target);
  result.tolerance = interpolated_cost(digits, tolerances, target);
  return result;
}

}  // namespace

Options WorkFigure::options() {
  return {option("id", id, "file stem"),
          option("caption", caption, "what is shown, and how it was made"),
          option("accuracy", accuracy,
                 "error of a class (q, v, a, lambda, y) or component (q3), or digits: scd, mescd; "
                 "empty: q, or y"),
          option("cost", cost, "of: " + cost_names() + "; axes for each pair of accuracy and cost"),
          option("orientation", orientation, "which of them is drawn over which",
                 one_of({cost_over_accuracy, accuracy_over_cost})),
          option("series", series, "labels of the series shown; empty: all")};
}

Options AccuracyTarget::options() {
  return {option("accuracy", accuracy, "error of a class or component, or digits: scd, mescd"),
          option("at", at, "errors, or digits, whose cost is sought", positive())};
}

Options WorkPrecision::options() {
  return {option("caption", caption, "what the tables compare; what their columns are is added to it"),
          option("scd", scd_components, "components and classes whose relative errors scd is made of; empty: q, or y"),
          option("mescd", mescd_components, "components and classes whose mixed errors mescd is made of; empty: all"),
          option("figures", figures, "diagrams; none: steps over the error of q, or y"),
          option("at_accuracy", at_accuracy, "accuracies whose cost is interpolated for every series"),
          option("tables", chosen_tables, "tables of a chosen shape, beside those of all runs")};
}

void WorkPrecision::validate(const std::string& where) const {
  for (std::size_t f = 0; f < figures.size(); ++f) {
    const std::string place = fmt::format("{}/figures/{}", where, f);
    if (figures[f].cost.empty()) throw InputError(place + "/cost", "names nothing");
    for (const std::string& cost : figures[f].cost) cost_by_name(cost, place + "/cost");
  }
  for (std::size_t i = 0; i < at_accuracy.size(); ++i)
    if (at_accuracy[i].at.empty())
      throw InputError(fmt::format("{}/at_accuracy/{}/at", where, i), "is missing: errors, or digits");
}

void WorkPrecision::check(const Config& config) const {
  common_classes(config, "/runs");
  std::vector<std::string> known;
  for (const RunGroup& series : group_runs(config, leave_out_steps)) {
    const Run& run = integration(config, series.runs.front());
    check_reference(config, run);
    check_components(of_scd(run.classes()), run, "/scd");
    check_components(of_mescd(run.classes()), run, "/mescd");
    for (std::size_t f = 0; f < figures.size(); ++f)
      check_accuracy(figures[f].accuracy, run, fmt::format("/figures/{}/accuracy", f));
    for (std::size_t i = 0; i < at_accuracy.size(); ++i)
      check_accuracy({at_accuracy[i].accuracy}, run, fmt::format("/at_accuracy/{}/accuracy", i));
    known.push_back(series.label);
  }
  for (std::size_t k = 0; k < chosen_tables.size(); ++k)
    check_table(chosen_tables[k], config, fmt::format("/tables/{}", k));
  std::set<std::string> used;
  for (std::size_t f = 0; f < figures.size(); ++f) {
    const std::string where = fmt::format("/figures/{}", f);
    check_figure_id(figures[f].id, used, where);
    for (const std::string& wanted : figures[f].series)
      if (std::find(known.begin(), known.end(), wanted) == known.end())
        throw InputError(where + "/series",
                         fmt::format("no series '{}'; there are: {}", wanted, fmt::join(known, "; ")));
  }
}

Json WorkPrecision::with_steps(Json json, const RunSpec& spec) {
  const std::pair<const char*, const std::optional<Exact>&> steps[] = {
      {"rtol", spec.rtol}, {"atol", spec.atol}, {"atol_velocity", spec.atol_velocity}, {"h", spec.h}};
  for (const auto& [key, value] : steps) json[key] = value ? Json(value->text()) : Json();
  if (!spec.atol_components.is_null()) json["atol_components"] = spec.atol_components;
  return json;
}

void WorkPrecision::check_table(const ChosenTable& table, const Config& config, const std::string& where) {
  std::vector<TabledRun> runs;
  const std::vector<RunGroup> groups = group_runs(config, leave_out_steps);
  for (const RunGroup& group : groups)
    for (const std::size_t i : group.runs)
      runs.push_back({with_steps(group.spec, integration(config, i).spec()), group.label, group.factors, {}});
  check_chosen_table(table, runs, where);
  for (std::size_t k = 0; k < table.show.size(); ++k) {
    const std::string place = fmt::format("{}/show/{}", where, k), component = component_of_error(table.show[k]);
    if (component.empty() && !counts_digits(table.show[k])) cost_by_name(table.show[k], place);
    for (const RunGroup& group : groups)
      if (!component.empty()) check_components({component}, integration(config, group.runs.front()), place);
  }
}

std::vector<std::string> WorkPrecision::of_scd(const std::vector<std::string>& classes) const {
  return scd_components.empty() ? std::vector{classes.front()} : scd_components;
}

std::vector<std::string> WorkPrecision::of_mescd(const std::vector<std::string>& classes) const {
  return mescd_components.empty() ? classes : mescd_components;
}

// Errors of all that is shown; digits are always.
std::set<std::string> WorkPrecision::measures(const Run& run) const {
  std::set<std::string> all(run.classes().begin(), run.classes().end());
  for (const WorkFigure& figure : figures) all.insert(figure.accuracy.begin(), figure.accuracy.end());
  for (const AccuracyTarget& target : at_accuracy) all.insert(target.accuracy);
  for (std::string& component : components_of_errors(chosen_tables)) all.insert(std::move(component));
  for (const char* digits : digit_measures) all.erase(digits);
  return all;
}

std::optional<double> WorkPrecision::Point::reached(const std::string& measure) const {
  const auto place = accuracy.find(measure);
  return place == accuracy.end() ? std::nullopt : std::optional(place->second);
}

WorkPrecision::Result WorkPrecision::evaluate(const Config& config, const std::vector<FinishedRun>& runs,
                                              const FinishedRun* reference_run) const {
  Result result{reference_failure(reference_run), {}};
  for (const RunGroup& group : group_runs(config, leave_out_steps)) {
    const auto& run = runs[group.runs.front()].run;
    RunSeries& series = result.series.emplace_back(
        RunSeries{group.label, group.spec, run, {}, "", 0, {}, group.factors, run->classes(), run->t_end()});
    std::optional<ReferenceSolution> reference;
    if (result.failure.empty()) reference = reference_solution(*run, reference_run);
    for (const std::size_t i : group.runs) series.points.push_back(point(runs[i], reference ? &*reference : nullptr));
    std::ranges::stable_sort(series.points,
                             [](const Point& a, const Point& b) { return looseness(a.spec) > looseness(b.spec); });
    if (!reference) continue;
    series.reference = reference->text(), series.costs = costs(series.points);
    if (!reference->log10_floor) continue;
    const double floor = std::pow(10, *reference->log10_floor);
    series.at_floor = static_cast<int>(std::ranges::count_if(
        series.points, [&](const Point& p) { return p.ok() && *p.reached(run->classes().front()) <= floor; }));
  }
  return result;
}

// Without a reference nothing is known of the accuracy.
WorkPrecision::Point WorkPrecision::point(const FinishedRun& run, const ReferenceSolution* reference) const {
  const RunRecord& r = run.record;
  Point point{run.run->spec(), r.status, r.cause, number_in(r.scalar, r.state.t), r.stats, {}, {}};
  for (const Cost& cost : all_costs()) point.cost[cost.name] = cost.of(r);
  if (!reference || !r.ok()) return point;
  for (const std::string& measure : measures(*run.run))
    if (r.state.of(component_or_class(measure, "/accuracy").kind).size() > 0)
      point.accuracy[measure] = static_cast<double>(error_of(r, *reference, measure));
  point.accuracy["scd"] = scd(r, *reference, of_scd(run.run->classes()));
  point.accuracy["mescd"] = mescd(run, *reference, of_mescd(run.run->classes()));
  return point;
}

std::vector<WorkPrecision::CostOfAccuracy> WorkPrecision::costs(const std::vector<Point>& points) const {
  std::vector<CostOfAccuracy> list;
  for (const AccuracyTarget& target : at_accuracy)
    for (const Exact& at : target.at) list.push_back(cost_of(target.accuracy, at, points));
  return list;
}

namespace {

// ----- as JSON -----

Json work_point_json(const WorkPrecision::Point& p, const std::vector<std::string>& classes) {
  Json point = WorkPrecision::with_steps({}, p.spec);
  point["status"] = to_string(p.status), point["cause"] = p.cause, point["t"] = p.t, point["stats"] = p.stats;
  point["cost"] = p.cost;
  if (p.accuracy.empty()) return point;
  for (const std::string& kind : classes) point["errors"][kind] = number(p.reached(kind));
  for (const char* digits : digit_measures) point[digits] = number(p.reached(digits));
  for (const auto& [measure, value] : p.accuracy) point["accuracy"][measure] = number(value);
  return point;
}

WorkPrecision::Point read_work_point(const Json& json, Json spec) {
  WorkPrecision::Point point;
  for (const char* key : {"rtol", "atol", "atol_velocity", "h", "atol_components"})
    if (json.contains(key)) spec[key] = json[key];
  point.spec.options().read(spec, "", {"steps"});
  point.status = enumerator<StatusCode>(json.at("status")), point.cause = json.at("cause"), point.t = json.at("t");
  point.stats = json.at("stats").get<RunStatistics>();
  for (const auto& [name, value] : json.at("cost").items()) point.cost[name] = value.get<double>();
  if (json.contains("accuracy"))
    for (const auto& [measure, value] : json["accuracy"].items())
      point.accuracy[measure] = value.is_null() ? HUGE_VAL : value.get<double>();
  return point;
}

std::optional<double> optional_double(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<double>());
}

WorkPrecision::RunSeries read_work_series(const Json& json) {
  WorkPrecision::RunSeries series{json.at("label"), json.at("spec"), nullptr, {}, json.at("reference"), 0, {}, {}, {}};
  series.at_floor = json.at("at_floor"), series.t_end = json.at("t_end").get<std::string>();
  series.factors = json.at("factors").get<std::vector<Factor>>();
  series.classes = json.at("classes").get<std::vector<std::string>>();
  for (const Json& point : json.at("points")) series.points.push_back(read_work_point(point, series.spec));
  for (const auto& [measure, all] : json.at("at_accuracy").items())
    for (const auto& [at, costs] : all.items()) {
      WorkPrecision::CostOfAccuracy& read =
          series.costs.emplace_back(WorkPrecision::CostOfAccuracy{measure, at, {}, {}});
      for (const Cost& cost : all_costs()) read.cost[cost.name] = optional_double(costs.at(cost.name));
      read.tolerance = optional_double(costs.at("tolerance"));
    }
  return series;
}

}  // namespace

void to_json(Json& json, const WorkPrecisionResult& result) {
  json = {{"failure", result.failure}, {"series", Json::array()}};
  if (!result.failure.empty()) return;
  for (const WorkPrecision::RunSeries& s : result.series) {
    Json series = {{"label", s.label},       {"spec", s.spec},          {"factors", s.factors},
                   {"classes", s.classes},   {"t_end", s.t_end.text()}, {"reference", s.reference},
                   {"at_floor", s.at_floor}, {"points", Json::array()}, {"at_accuracy", Json::object()}};
    for (const WorkPrecision::Point& p : s.points) series["points"].push_back(work_point_json(p, s.classes));
    for (const WorkPrecision::CostOfAccuracy& costs : s.costs) {
      Json& at = series["at_accuracy"][costs.measure][costs.at];
      for (const Cost& cost : all_costs()) at[cost.name] = number(costs.cost.at(cost.name));
      at["tolerance"] = number(costs.tolerance);
    }
    json["series"].push_back(std::move(series));
  }
}

void from_json(const Json& json, WorkPrecisionResult& result) {
  result = {json.at("failure"), {}};
  for (const Json& series : json.at("series")) result.series.push_back(read_work_series(series));
}

const ExperimentEntry<WorkPrecision> work_precision_entry;

}  // namespace daelab
