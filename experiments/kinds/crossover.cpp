// Crossover: the work that methods spend on a given accuracy while a parameter of the problem grows, its stiffness
// above all, and where one group of methods, the explicit ones, turns dearer than another.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#include "experiments/kinds/crossover.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "experiments/measures/accuracy.hpp"
#include "experiments/measures/cost.hpp"
#include "lab/runs/component.hpp"
#include "lab/runs/experiment.hpp"
#include "lab/runs/steps.hpp"
#include "results/record_values.hpp"

namespace daelab {
namespace {

struct MethodGroup {
  std::string label;
  std::vector<std::string> series;

  Options options() {
    return {option("label", label, "name of the group: explicit"),
            option("series", series, "labels of the series in it")};
  }
};

using SweptPoint = CrossoverResult::Point;
using SweptSeries = CrossoverResult::Series;
using Swept = CrossoverResult::Swept;

// 1010, not 1.01e+03
std::string three_digits(double value) {
  const double unit = std::pow(10, std::floor(std::log10(value)) - 2);
  return fmt::format("{:.10g}", std::round(value / unit) * unit);
}

struct CrossoverExperiment {
  static constexpr const char* name = "crossover";
  static constexpr const char* summary =
      "Least work for an accuracy against the stiffness of the problem, and where explicit methods turn dearer.";
  static constexpr const char* source =
      "Ren, Zhou 2020, section 9: faster than generalized-alpha below a stiffness of 1E4";
  static MemberUnits units() { return with_run_times("/*/series/*/points/*/stats", {{"/*/series/*/points/*/h", "s"}}); }

  std::string caption, over = "/problem/stiffness", x_label = "stiffness [1/s]", accuracy;
  Exact within = "1e-6";
  std::vector<std::string> cost{"evaluations", "seconds"};
  std::vector<Exact> factors{Exact(1)};
  std::vector<MethodGroup> groups;
  std::vector<std::string> drawn;

  Options options() {
    return {option("caption", caption, "what is swept; how it was done is added to it"),
            option("over", over, "the number of the runs that is swept, as JSON pointer"),
            option("x_label", x_label, "its name and unit"),
            option("accuracy", accuracy, "class (q, v, a, lambda, y) or component (q3); \"\": q, or y"),
            option("within", within, "largest error at the end time", positive()),
            option("cost", cost, "of: " + cost_names() + "; each with its least run, a panel and a crossover"),
            option("factors", factors, "a crossover for each: the first group may cost so many times the second",
                   positive()),
            option("groups", groups, "two, of which the first turns dearer"),
            option("drawn", drawn, "labels of the series in the figure; empty: all")};
  }

  void validate(const std::string& where) const {
    for (std::size_t i = 0; i < cost.size(); ++i) cost_by_name(cost[i], fmt::format("{}/cost/{}", where, i));
    if (cost.empty()) throw InputError(where + "/cost", "names nothing");
  }

  void check(const Config& config) const {
    if (groups.size() != 2) throw InputError("/groups", fmt::format("are {}, but two are compared", groups.size()));
    common_classes(config, "/runs");
    for (std::size_t i = 0; i < config.runs.size(); ++i) {
      const Run& run = integration(config, i);
      if (!over.starts_with("/") || !run.json().contains(Json::json_pointer(over)))
        throw InputError("/over", fmt::format("run '{}' has no {}", config.labels[i], over));
      value_of(run);
      check_reference(config, run);
      check_components({measure(run)}, run, "/accuracy");
    }
    std::vector<std::string> known;
    for (const RunGroup& series : group_runs(config, without_sweep())) known.push_back(series.label);
    for (std::size_t g = 0; g < groups.size(); ++g)
      check_series(groups[g].series, known, fmt::format("/groups/{}/series", g));
    check_series(drawn, known, "/drawn");
  }

  using Result = CrossoverResult;

  Result evaluate(const Config& config, const std::vector<FinishedRun>& runs, const FinishedRun* reference_run) const {
    Result result{reference_failure(reference_run), {}};
    if (!result.failure.empty()) return result;
    for (const std::string& name : cost) {
      Swept& swept = result.swept.emplace_back();
      swept.cost = name, swept.series = sweep(config, runs, reference_run, cost_by_name(name, ""));
      swept.first = least(swept.series, groups[0]), swept.second = least(swept.series, groups[1]);
      swept.drawn = crossover_of(swept.first, swept.second, 1);
      for (const MethodGroup& rival : rivals())
        for (const Exact& factor : factors)
          swept.comparisons.push_back(
              {rival.label, factor, crossover_of(swept.first, least(swept.series, rival), factor.as<double>())});
    }
    return result;
  }

  Artifacts present(const Config& config, const Result& result) const {
    Artifacts artifacts;
    if (!result.failure.empty()) {
      artifacts.notes.push_back(result.failure);
      return artifacts;
    }
    const std::string heading = lead(config) + conditions(integration(config, 0));
    Figure figure{config.name, heading, {}};
    for (const Swept& swept : result.swept) {
      artifacts.tables.push_back(least_table(config.name, heading, swept));
      figure.panels.push_back(panel(swept));
      if (cost_by_name(swept.cost, "").is_time)
        figure.caption += fmt::format(" Times: {}.", times_of(swept.series).words());
      if (&swept == &result.swept.front())
        artifacts.tables.push_back(run_table(config.name + "-runs", heading, swept.series));
    }
    artifacts.tables.push_back(crossing_table(config, result.swept));
    artifacts.figures.push_back(std::move(figure));
    return artifacts;
  }

 private:
  double value_of(const Run& run) const {
    return exact_from_json(run.json()[Json::json_pointer(over)], "/over").as<double>();
  }
  std::string measure(const Run& run) const { return accuracy.empty() ? run.classes().front() : accuracy; }

  std::function<void(Json&)> without_sweep() const {
    return [pointer = Json::json_pointer(over)](Json& spec) {
      leave_out_steps(spec);
      spec.erase(pointer);
    };
  }

  static void check_series(const std::vector<std::string>& labels, const std::vector<std::string>& known,
                           const std::string& where) {
    for (const std::string& wanted : labels)
      if (std::find(known.begin(), known.end(), wanted) == known.end())
        throw InputError(where, fmt::format("no series '{}'; there are: {}", wanted, fmt::join(known, "; ")));
  }

  // The second group, and each series of it alone.
  std::vector<MethodGroup> rivals() const {
    std::vector<MethodGroup> list{groups[1]};
    for (const std::string& label : groups[1].series) list.push_back({label, {label}});
    return list;
  }

  // ----- numbers -----

  std::vector<SweptSeries> sweep(const Config& config, const std::vector<FinishedRun>& runs,
                                 const FinishedRun* reference_run, const Cost& measured) const {
    std::vector<SweptSeries> all;
    for (const RunGroup& group : group_runs(config, without_sweep())) {
      SweptSeries& series = all.emplace_back(SweptSeries{group.spec, group.label, group.factors, {}});
      for (const std::size_t i : group.runs) {
        const double value = value_of(*runs[i].run);
        auto& points = series.points;
        const auto place = std::ranges::find(points, value, &SweptPoint::value);
        consider(runs[i], reference_run, measured,
                 place == points.end() ? points.emplace_back(SweptPoint{value, 0, {}}) : *place);
      }
      std::ranges::sort(series.points, {}, &SweptPoint::value);
    }
    return all;
  }

  void consider(const FinishedRun& run, const FinishedRun* reference_run, const Cost& measured,
                SweptPoint& point) const {
    ++point.tried;
    const RunRecord& record = run.record;
    if (!record.ok()) return;
    const double error =
        static_cast<double>(error_of(record, reference_solution(*run.run, reference_run), measure(*run.run)));
    if (!(error <= within.as<double>())) return;
    const double spent = measured.of(record);
    if (point.cheapest && point.cheapest->cost <= spent) return;
    const RunSpec& spec = run.run->spec();
    point.cheapest = {steps_text(spec), spec.rtol, spec.h, record.stats, spent, error};
  }

  static std::vector<Least> least(const std::vector<SweptSeries>& all, const MethodGroup& group) {
    std::vector<Least> result;
    for (const SweptSeries& series : all) {
      if (std::find(group.series.begin(), group.series.end(), series.label) == group.series.end()) continue;
      for (const SweptPoint& point : series.points) {
        auto place = std::ranges::find(result, point.value, &Least::value);
        if (place == result.end()) place = result.insert(result.end(), Least{point.value, HUGE_VAL, ""});
        if (const double spent = point.cheapest ? point.cheapest->cost : HUGE_VAL; spent < place->cost)
          place->cost = spent, place->by = series.label;
      }
    }
    std::ranges::sort(result, {}, &Least::value);
    return result;
  }

  // ----- tables -----

  std::string lead(const Config& config) const { return caption.empty() ? config.title + "." : caption; }
  std::string conditions(const Run& run) const {
    return fmt::format(" Cheapest run of each method with an error of {} of at most {} at t = {} s.", measure(run),
                       tolerance_text(within), run.t_end().text());
  }
  static RunTimes times_of(const std::vector<SweptSeries>& all) {
    RunTimes times;
    for (const SweptSeries& series : all)
      for (const SweptPoint& point : series.points)
        if (point.cheapest) times.add(point.cheapest->stats);
    return times;
  }
  static std::string label_of(const Swept& swept) {
    return cost_label(cost_by_name(swept.cost, ""), times_of(swept.series));
  }

  // A column for each series; empty where none of its runs reaches the accuracy, or none was made.
  Table least_table(const std::string& name, const std::string& heading, const Swept& swept) const {
    const bool is_time = cost_by_name(swept.cost, "").is_time;
    Table table{fmt::format("{}-{}", name, swept.cost),
                fmt::format("{} {}.", heading, capital(is_time ? times_of(swept.series).words() : label_of(swept))),
                {{x_label, "", CellFormat::scientific, 2}},
                {}};
    for (const SweptSeries& series : swept.series)
      table.columns.push_back(is_time ? time_column(series.label) : Column{series.label, "", CellFormat::integer, 0});
    table.columns.push_back({groups[0].label + " / " + groups[1].label, "", CellFormat::fixed, 2});
    for (const Least& theirs : swept.second) {
      TableRow row{theirs.value};
      for (const SweptSeries& series : swept.series) row.push_back(cost_at(series, theirs.value));
      const auto ours = std::ranges::find(swept.first, theirs.value, &Least::value);
      row.push_back(ours == swept.first.end() ? TableCell() : TableCell(ours->cost / theirs.cost));
      table.rows.push_back(std::move(row));
    }
    return table;
  }
  static TableCell cost_at(const SweptSeries& series, double value) {
    for (const SweptPoint& point : series.points)
      if (point.value == value && point.cheapest) return point.cheapest->cost;
    return nullptr;
  }
  static std::string capital(std::string text) {
    if (text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text;
  }

  Table run_table(const std::string& id, const std::string& heading, const std::vector<SweptSeries>& all) const {
    const RunTimes times = times_of(all);
    Table table{
        id,
        fmt::format("{} The runs (#f residuals, #Jac Jacobians, #LU factorisations); {}.", heading, times.words()),
        {{"Solver", "", CellFormat::text, 0},
         {x_label, "", CellFormat::scientific, 2},
         {"tolerance or h", "", CellFormat::text, 0},
         {"error", "", CellFormat::scientific, 2}},
        {}};
    for (const char* label : {"steps", "#f", "#Jac", "#LU"})
      table.columns.push_back({label, "", CellFormat::integer, 0});
    times.add_columns(table);
    for (const SweptSeries& series : all)
      for (const SweptPoint& point : series.points) {
        if (!point.cheapest) continue;
        const auto& [steps, rtol, h, stats, spent, error] = *point.cheapest;
        TableRow row{series.label, point.value,     steps,           error,
                     stats.steps,  stats.residuals, stats.jacobians, stats.factorizations};
        times.add_cells(row, stats);
        table.rows.push_back(std::move(row));
      }
    return table;
  }

  Table crossing_table(const Config& config, const std::vector<Swept>& all) const {
    Table table{config.name + "-crossover",
                fmt::format("{} The largest {} at which the cheapest {} method costs at most the factor times the "
                            "others.",
                            lead(config), x_label, groups[0].label),
                {{"cost", "", CellFormat::text, 0},
                 {"against", "", CellFormat::text, 0},
                 {"factor", "", CellFormat::fixed, 0},
                 {"up to", "", CellFormat::text, 0}},
                {}};
    for (const Swept& swept : all)
      for (const auto& [rival, factor, crossover] : swept.comparisons)
        table.rows.push_back({label_of(swept), rival, factor.as<double>(), crossing_cell(crossover)});
    return table;
  }
  static TableCell crossing_cell(const Crossover& found) {
    if (!found.at) return "never";
    return fmt::format("{}{:.3g}", found.beyond ? "at least " : "", *found.at);
  }

  // ----- figure -----

  Panel panel(const Swept& swept) const {
    Panel panel;
    panel.x_label = x_label, panel.y_label = label_of(swept);
    panel.log_x = panel.log_y = true;
    double low = HUGE_VAL, high = 0;
    for (const SweptSeries& series : swept.series) {
      if (!drawn.empty() && std::find(drawn.begin(), drawn.end(), series.label) == drawn.end()) continue;
      Series curve;
      curve.label = series.label, curve.factors = series.factors, curve.style = CurveStyle::line_points;
      for (const SweptPoint& point : series.points) {
        if (!point.cheapest) continue;
        curve.x.push_back(point.value), curve.y.push_back(point.cheapest->cost);
        low = std::min(low, curve.y.back()), high = std::max(high, curve.y.back());
      }
      if (!curve.x.empty()) panel.series.push_back(std::move(curve));
    }
    if (const Crossover& crossover = swept.drawn; crossover.at && !crossover.beyond) {
      Series line;
      line.label = "crossover, " + three_digits(*crossover.at), line.style = CurveStyle::reference;
      line.x = {*crossover.at, *crossover.at}, line.y = {low, high};
      panel.series.push_back(std::move(line));
    }
    return panel;
  }
};

const ExperimentEntry<CrossoverExperiment> crossover_entry;

}  // namespace

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
}

// An infinite cost is null.
void members(JsonMembers& json, Least& least) {
  json("value", least.value)("cost", least.cost)("by", least.by);
  if (std::isnan(least.cost)) least.cost = HUGE_VAL;
}

void members(JsonMembers& json, Crossover& crossover) {
  json("up_to", crossover.at)("beyond_the_sweep", crossover.beyond);
}

void members(JsonMembers& json, CrossoverResult::Swept& swept) {
  json("series", swept.series);
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
  for (Swept& swept : result.swept) json.derived(swept.cost.c_str(), [&swept] { return swept; });
  if (const Json* from = json.from())
    for (const auto& [cost, swept] : from->items())
      if (cost != "failure" && cost != "units") result.swept.emplace_back(swept.get<Swept>()).cost = cost;
}

}  // namespace daelab
