#include "experiments/kinds/crossover.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "experiments/measures/accuracy.hpp"
#include "lab/runs/component.hpp"
#include "lab/runs/steps.hpp"
#include "results/record_values.hpp"

namespace daelab {
namespace {

void check_series(const std::vector<std::string>& labels, const std::vector<std::string>& known,
                  const std::string& where) {
  for (const std::string& wanted : labels)
    if (std::find(known.begin(), known.end(), wanted) == known.end())
      throw InputError(where, fmt::format("no series '{}'{}; there are: {}", wanted, did_you_mean(wanted, known),
                                          fmt::join(known, "; ")));
}

// The least cost of these series, value by value.
std::vector<Least> least(const std::vector<CrossoverResult::Series>& all, const MethodGroup& group) {
  std::vector<Least> result;
  for (const CrossoverResult::Series& series : all) {
    if (std::find(group.series.begin(), group.series.end(), series.label) == group.series.end()) continue;
    for (const CrossoverResult::Point& point : series.points) {
      auto place = std::ranges::find(result, point.value, &Least::value);
      if (place == result.end()) place = result.insert(result.end(), Least{point.value, HUGE_VAL, ""});
      if (const double spent = point.cheapest ? point.cheapest->cost : HUGE_VAL; spent < place->cost)
        place->cost = spent, place->by = series.label;
    }
  }
  std::ranges::sort(result, {}, &Least::value);
  return result;
}

// The costs of one series where it has some.
std::vector<Least> costs_of(const CrossoverResult::Series& series) {
  std::vector<Least> list;
  for (const CrossoverResult::Point& point : series.points)
    if (point.cheapest) list.push_back({point.value, point.cheapest->cost, series.label});
  return list;
}

std::optional<CostGrowth> growth_of_series(const CrossoverResult::Series& series) {
  std::vector<double> values, costs;
  for (const Least& one : costs_of(series)) values.push_back(one.value), costs.push_back(one.cost);
  return growth_of(values, costs);
}

void compare_pairs(CrossoverResult::Swept& swept) {
  auto& all = swept.series;
  for (CrossoverResult::Series& series : all) series.growth = growth_of_series(series);
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = i + 1; j < all.size(); ++j)
      if (const auto pair = pair_crossing(all[i].label, costs_of(all[i]), all[j].label, costs_of(all[j])))
        swept.pairs.push_back(*pair);
}

const ExperimentEntry<CrossoverExperiment> crossover_entry;

}  // namespace

std::vector<std::string> names_of(CostOf) { return {"run", "step"}; }

Options MethodGroup::options() {
  return {option("label", label, "name of the group: explicit"),
          option("series", series, "labels of the series in it")};
}

Options CrossoverExperiment::options() {
  return {
      option("caption", caption, "what is swept; how it was done is added to it"),
      option("over", over,
             "the number of the runs that is swept: a parameter of the problems by its name (links), a list of names "
             "where problems call it differently, or the JSON pointer of any number",
             SweptParameter::schema()),
      option("x_label", x_label, "its name and unit; empty: its name alone"),
      option("accuracy", accuracy, "class (q, v, a, lambda, y) or component (q3); \"\": q, or y"),
      option("within", within, "largest error at the end time; null: any, so that no reference is needed", positive()),
      option("cost", cost, "of: " + cost_names() + "; each with its least run, a panel and a crossover"),
      option("per", per, "what is paid for: a whole run, or one of its steps"),
      option("factors", factors, "a crossover for each: the first group may cost so many times the second", positive()),
      option("groups", groups,
             "two, of which the first turns dearer; none: every pair of series is compared, and each has its growth"),
      option("drawn", drawn, "labels of the series in the figure; empty: all")};
}

void CrossoverExperiment::validate(const std::string& where) const {
  SweptParameter(over, where + "/over");
  for (std::size_t i = 0; i < cost.size(); ++i) cost_by_name(cost[i], fmt::format("{}/cost/{}", where, i));
  if (cost.empty()) throw InputError(where + "/cost", "names nothing");
}

void CrossoverExperiment::check(const Config& config) const {
  if (groups.size() != 2 && !groups.empty())
    throw InputError("/groups", fmt::format("are {}, but two are compared, or with none all series", groups.size()));
  if (within) common_classes(config, "/runs");
  const SweptParameter swept = swept_parameter();
  for (std::size_t i = 0; i < config.runs.size(); ++i) {
    const Run& run = integration(config, i);
    swept.check(run, config.labels[i]);
    if (!within) continue;
    check_reference(config, run);
    check_components({measure(run)}, run, "/accuracy");
  }
  check_groups(config);
}

void CrossoverExperiment::check_groups(const Config& config) const {
  std::vector<std::string> known;
  for (const RunGroup& series : group_runs(config, without_sweep())) known.push_back(series.label);
  for (std::size_t g = 0; g < groups.size(); ++g)
    check_series(groups[g].series, known, fmt::format("/groups/{}/series", g));
  check_series(drawn, known, "/drawn");
}

CrossoverResult CrossoverExperiment::evaluate(const Config& config, const std::vector<FinishedRun>& runs,
                                              const FinishedRun* reference_run) const {
  Result result{within ? reference_failure(reference_run) : "", {}};
  if (!result.failure.empty()) return result;
  for (const std::string& name : cost) {
    Swept& swept = result.swept.emplace_back();
    swept.cost = name, swept.series = sweep(config, runs, reference_run, cost_by_name(name, ""));
    if (groups.empty())
      compare_pairs(swept);
    else
      compare_groups(swept);
  }
  return result;
}

void CrossoverExperiment::compare_groups(Swept& swept) const {
  swept.first = least(swept.series, groups[0]), swept.second = least(swept.series, groups[1]);
  swept.drawn = crossover_of(swept.first, swept.second, 1);
  for (const MethodGroup& rival : rivals())
    for (const Exact& factor : factors)
      swept.comparisons.push_back(
          {rival.label, factor, crossover_of(swept.first, least(swept.series, rival), factor.as<double>())});
}

// The solver that a multiplier solver falls back to follows from the size of the problem, so it tells no series apart.
std::function<void(Json&)> CrossoverExperiment::without_sweep() const {
  return [swept = swept_parameter(), fallback = Json::json_pointer("/multiplier_solver/fallback")](Json& spec) {
    leave_out_steps(spec);
    swept.leave_out(spec);
    if (spec.contains(fallback)) spec.erase(fallback);
  };
}

// The second group, and each series of it alone.
std::vector<MethodGroup> CrossoverExperiment::rivals() const {
  std::vector<MethodGroup> list{groups[1]};
  for (const std::string& label : groups[1].series) list.push_back({label, {label}});
  return list;
}

std::vector<CrossoverResult::Series> CrossoverExperiment::sweep(const Config& config,
                                                                const std::vector<FinishedRun>& runs,
                                                                const FinishedRun* reference_run,
                                                                const Cost& measured) const {
  const SweptParameter swept = swept_parameter();
  std::vector<SweptSeries> all;
  for (const RunGroup& group : group_runs(config, without_sweep())) {
    SweptSeries& series = all.emplace_back(SweptSeries{group.spec, group.label, group.factors, {}, {}});
    for (const std::size_t i : group.runs) {
      const double value = swept.value_of(runs[i].run->json());
      auto& points = series.points;
      const auto place = std::ranges::find(points, value, &Point::value);
      consider(runs[i], reference_run, measured,
               place == points.end() ? points.emplace_back(Point{value, 0, {}}) : *place);
    }
    std::ranges::sort(series.points, {}, &Point::value);
  }
  return all;
}

void CrossoverExperiment::consider(const FinishedRun& run, const FinishedRun* reference_run, const Cost& measured,
                                   Point& point) const {
  ++point.tried;
  const RunRecord& record = run.record;
  if (!record.ok()) return;
  std::optional<double> error;
  if (within) {
    error = static_cast<double>(error_of(record, reference_solution(*run.run, reference_run), measure(*run.run)));
    if (!(*error <= within->as<double>())) return;
  }
  const double spent = measured.of(record) / (per == CostOf::step ? static_cast<double>(record.stats.steps) : 1);
  if (point.cheapest && point.cheapest->cost <= spent) return;
  const RunSpec& spec = run.run->spec();
  point.cheapest = {steps_text(spec), spec.rtol, spec.h, record.stats, spent, error};
}

void members(JsonMembers& json, CrossoverResult::Point& point) {
  json("value", point.value)("tried", point.tried);
  const Json* from = json.from();
  if (from ? from->at("cost").is_null() : !point.cheapest) {
    json.derived("cost", [] { return nullptr; });
    return;
  }
  auto& [steps, rtol, h, stats, cost, error] = from ? point.cheapest.emplace() : *point.cheapest;
  json("cost", cost)("error", error)("rtol", rtol)("h", h)("stats", stats)("steps_text", steps);
}

void members(JsonMembers& json, CrossoverResult::Series& series) {
  json("label", series.label)("spec", series.spec)("points", series.points)("factors", series.factors);
  json.where_given("growth", series.growth);
}

// An infinite cost is null.
void members(JsonMembers& json, Least& least) {
  json("value", least.value)("cost", least.cost)("by", least.by);
  if (std::isnan(least.cost)) least.cost = HUGE_VAL;
}

void members(JsonMembers& json, Crossover& crossover) {
  json("up_to", crossover.at)("beyond_the_sweep", crossover.beyond);
}

void members(JsonMembers& json, PairCrossing& pair) { json("first", pair.first)("second", pair.second)("at", pair.at); }

void members(JsonMembers& json, CrossoverResult::Swept& swept) {
  json("series", swept.series).where(!swept.pairs.empty(), "pairs", swept.pairs);
  json.derived("crossover", [&swept] {
    Json all = Json::object();
    for (const auto& [rival, factor, crossover] : swept.comparisons) all[rival][factor.text()] = crossover;
    return all;
  });
  json("first", swept.first)("second", swept.second)("drawn", swept.drawn);
  if (const Json* from = json.from())
    for (const auto& [rival, by_factor] : from->at("crossover").items())
      for (const auto& [factor, crossover] : by_factor.items())
        swept.comparisons.push_back({rival, factor, crossover.get<Crossover>()});
}

void members(JsonMembers& json, CrossoverResult& result) {
  json("failure", result.failure);
  for (CrossoverResult::Swept& swept : result.swept) json.derived(swept.cost.c_str(), [&swept] { return swept; });
  if (const Json* from = json.from())
    for (const auto& [cost, swept] : from->items())
      if (cost != "failure" && cost != "units")
        result.swept.emplace_back(swept.get<CrossoverResult::Swept>()).cost = cost;
}

}  // namespace daelab
