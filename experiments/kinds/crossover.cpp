// Crossover: the work that methods spend on a given accuracy while a parameter of the problem grows, its stiffness
// above all, and where one group of methods, the explicit ones, turns dearer than another.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "experiments/measures/accuracy.hpp"
#include "experiments/measures/cost.hpp"
#include "experiments/runs/component.hpp"
#include "experiments/runs/experiment.hpp"
#include "experiments/runs/steps.hpp"
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

// A method on the problem with one value of the parameter, over its tolerances.
struct Point {
  double value = 0;
  long tried = 0;
  const Json* cheapest = nullptr;  // record within the accuracy; none: no run reached it
  double error = 0;
};

struct SweptSeries {
  Json spec;  // without the parameter and the tolerances
  std::string label;
  std::vector<Point> points;  // ascending in value
};

// What a group spends at one value of the parameter.
struct Least {
  double value = 0, cost = HUGE_VAL;  // infinite where no run reaches the accuracy
  std::string by;                     // label of the series
};

// Up to which value the first list costs at most `factor` times the second, from the last change of that; between two
// values by lines on logarithmic axes. Nothing where it never does; `beyond` where it still does at the last value.
struct Crossover {
  std::optional<double> at;
  bool beyond = false;
};

Crossover crossover_of(const std::vector<Least>& first, const std::vector<Least>& second, double factor) {
  std::vector<double> value, excess;  // log(first / (factor second))
  for (const Least& a : first)
    for (const Least& b : second)
      if (a.value == b.value && (std::isfinite(a.cost) || std::isfinite(b.cost)))
        value.push_back(a.value), excess.push_back(std::log(a.cost / (factor * b.cost)));
  for (std::size_t i = value.size(); i-- > 0;) {
    if (excess[i] > 0) continue;
    if (i + 1 == value.size()) return {value[i], true};
    const double s = std::isfinite(excess[i + 1] - excess[i]) ? excess[i] / (excess[i] - excess[i + 1]) : 0;
    return {value[i] * std::pow(value[i + 1] / value[i], s), false};
  }
  return {};
}

struct CrossoverExperiment {
  static constexpr const char* name = "crossover";
  static constexpr const char* summary =
      "Least work for an accuracy against the stiffness of the problem, and where explicit methods turn dearer.";
  static constexpr const char* source = "Ren, Zhou 2020, section 9: explicit methods compete up to a stiffness of 1E4";

  std::string caption, over = "/problem/stiffness", x_label = "stiffness [1/s]", accuracy;
  Exact within = "1e-6";
  std::vector<std::string> cost{"evaluations", "seconds"};
  std::vector<Exact> factors{Exact(1)};
  std::vector<MethodGroup> groups;

  Options options() {
    return {option("caption", caption, "what is swept; how it was done is added to it"),
            option("over", over, "the number of the runs that is swept, as JSON pointer"),
            option("x_label", x_label, "its name and unit"),
            option("accuracy", accuracy, "class (q, v, a, lambda, y) or component (q3); \"\": q, or y"),
            option("within", within, "largest error at the end time", positive()),
            option("cost", cost, "of: " + cost_names() + "; each with its least run, a panel and a crossover"),
            option("factors", factors, "a crossover for each: the first group may cost so many times the second",
                   positive()),
            option("groups", groups, "two, of which the first turns dearer")};
  }

  void validate(const std::string& where) const {
    for (std::size_t i = 0; i < cost.size(); ++i) cost_by_name(cost[i], fmt::format("{}/cost/{}", where, i));
    if (cost.empty()) throw InputError(where + "/cost", "names nothing");
  }

  void check(const Config& config) const {
    if (groups.size() != 2) throw InputError("/groups", fmt::format("are {}, but two are compared", groups.size()));
    common_classes(config.runs, "/runs");
    for (std::size_t i = 0; i < config.runs.size(); ++i) {
      const Json& spec = config.runs[i];
      if (!over.starts_with("/") || !spec.contains(Json::json_pointer(over)))
        throw InputError("/over", fmt::format("run '{}' has no {}", config.labels[i], over));
      value_of(spec);
      check_reference(config, spec);
      check_components({measure(spec)}, spec, "/accuracy");
    }
    std::vector<std::string> known;
    for (const RunGroup& series : group_runs(config, without_sweep())) known.push_back(series.label);
    for (std::size_t g = 0; g < groups.size(); ++g)
      for (const std::string& wanted : groups[g].series)
        if (std::find(known.begin(), known.end(), wanted) == known.end())
          throw InputError(fmt::format("/groups/{}/series", g),
                           fmt::format("no series '{}'; there are: {}", wanted, fmt::join(known, "; ")));
  }

  Evaluation evaluate(const Config& config, const std::vector<LabelledRun>& runs, const Json& reference_run) const {
    Evaluation evaluation;
    Artifacts& artifacts = evaluation.artifacts;
    if (const std::string failure = reference_failure(reference_run); !failure.empty()) {
      artifacts.notes.push_back(failure);
      return evaluation;
    }
    Figure figure{config.name, lead(config) + conditions(config.runs.front()), {}};
    Table crossings = crossing_table(config);
    for (const std::string& name : cost) {
      const Cost& measured = cost_by_name(name, "");
      const std::vector<SweptSeries> all = sweep(config, runs, reference_run, measured);
      const std::vector<Least> first = least(all, groups[0], measured), second = least(all, groups[1], measured);
      Json& json = evaluation.analysis[name];
      json["series"] = series_json(all, measured);
      for (const MethodGroup& rival : rivals())
        for (const Exact& factor : factors) {
          const Crossover found = crossover_of(first, least(all, rival, measured), factor.as<double>());
          json["crossover"][rival.label][factor.text()] = {{"up_to", found.at ? number(*found.at) : Json()},
                                                           {"beyond_the_sweep", found.beyond}};
          crossings.rows.push_back({measured.label, rival.label, factor.as<double>(), crossing_cell(found)});
        }
      artifacts.tables.push_back(least_table(config, all, first, second, measured));
      figure.panels.push_back(panel(all, measured, crossover_of(first, second, 1)));
      if (name == cost.front()) artifacts.tables.push_back(run_table(config, all));
    }
    artifacts.tables.push_back(std::move(crossings));
    artifacts.figures.push_back(std::move(figure));
    return evaluation;
  }

 private:
  double value_of(const Json& spec) const {
    return exact_from_json(spec[Json::json_pointer(over)], "/over").as<double>();
  }
  std::string measure(const Json& spec) const { return accuracy.empty() ? component_classes(spec).front() : accuracy; }

  std::function<void(Json&)> without_sweep() const {
    return [pointer = Json::json_pointer(over)](Json& spec) {
      leave_out_steps(spec);
      spec[pointer.parent_pointer()].erase(pointer.back());
    };
  }

  // The second group, and each series of it alone.
  std::vector<MethodGroup> rivals() const {
    std::vector<MethodGroup> list{groups[1]};
    for (const std::string& label : groups[1].series) list.push_back({label, {label}});
    return list;
  }

  // ----- numbers -----

  std::vector<SweptSeries> sweep(const Config& config, const std::vector<LabelledRun>& runs, const Json& reference_run,
                                 const Cost& measured) const {
    std::vector<SweptSeries> all;
    for (const RunGroup& group : group_runs(config, without_sweep())) {
      SweptSeries& series = all.emplace_back(SweptSeries{group.spec, group.label, {}});
      for (const std::size_t i : group.runs) {
        const Json& record = runs[i].record;
        const double value = value_of(record["spec"]);
        auto& points = series.points;
        const auto place = std::find_if(points.begin(), points.end(), [&](const Point& p) { return p.value == value; });
        Point& point = place == points.end() ? points.emplace_back(Point{value}) : *place;
        consider(record, reference_run, measured, point);
      }
      std::sort(series.points.begin(), series.points.end(),
                [](const Point& a, const Point& b) { return a.value < b.value; });
    }
    return all;
  }

  void consider(const Json& record, const Json& reference_run, const Cost& measured, Point& point) const {
    ++point.tried;
    if (record["status"] != "ok") return;
    const double error = static_cast<double>(
        error_of(record, reference_solution(record["spec"], reference_run), measure(record["spec"])));
    if (!(error <= within.as<double>())) return;
    if (point.cheapest && measured.of(*point.cheapest) <= measured.of(record)) return;
    point.cheapest = &record, point.error = error;
  }

  static std::vector<Least> least(const std::vector<SweptSeries>& all, const MethodGroup& group, const Cost& measured) {
    std::vector<Least> result;
    for (const SweptSeries& series : all) {
      if (std::find(group.series.begin(), group.series.end(), series.label) == group.series.end()) continue;
      for (const Point& point : series.points) {
        auto place = std::find_if(result.begin(), result.end(), [&](const Least& l) { return l.value == point.value; });
        if (place == result.end()) place = result.insert(result.end(), Least{point.value, HUGE_VAL, ""});
        if (const double spent = point.cheapest ? measured.of(*point.cheapest) : HUGE_VAL; spent < place->cost)
          place->cost = spent, place->by = series.label;
      }
    }
    std::sort(result.begin(), result.end(), [](const Least& a, const Least& b) { return a.value < b.value; });
    return result;
  }

  static Json series_json(const std::vector<SweptSeries>& all, const Cost& measured) {
    Json list = Json::array();
    for (const SweptSeries& series : all) {
      Json points = Json::array();
      for (const Point& point : series.points) {
        Json& json = points.emplace_back(Json{{"value", point.value}, {"tried", point.tried}, {"cost", nullptr}});
        if (!point.cheapest) continue;
        json["cost"] = number(measured.of(*point.cheapest)), json["error"] = number(point.error);
        for (const char* key : {"rtol", "h"}) json[key] = (*point.cheapest)["spec"].value(key, Json());
        json["stats"] = (*point.cheapest)["stats"];
      }
      list.push_back({{"label", series.label}, {"spec", series.spec}, {"points", std::move(points)}});
    }
    return list;
  }

  // ----- tables -----

  std::string lead(const Config& config) const { return caption.empty() ? config.title + "." : caption; }
  std::string conditions(const Json& spec) const {
    return fmt::format(" Cheapest run of each method with an error of {} of at most {} at t = {} s.", measure(spec),
                       tolerance_text(within.text()), spec["t_end"].get<std::string>());
  }
  static Column cost_column(const std::string& label, const Cost& measured) {
    const bool seconds = std::string(measured.name) == "seconds";
    return {label, "", seconds ? CellFormat::seconds : CellFormat::integer, 0};
  }

  // A column for each series; empty where none of its runs reaches the accuracy, or none was made.
  Table least_table(const Config& config, const std::vector<SweptSeries>& all, const std::vector<Least>& first,
                    const std::vector<Least>& second, const Cost& measured) const {
    Table table{fmt::format("{}-{}", config.name, measured.name),
                lead(config) + conditions(config.runs.front()) + " " + capital(measured.label) + ".",
                {{x_label, "", CellFormat::scientific, 2}},
                {}};
    for (const SweptSeries& series : all) table.columns.push_back(cost_column(series.label, measured));
    table.columns.push_back({groups[0].label + " / " + groups[1].label, "", CellFormat::fixed, 2});
    for (const Least& theirs : second) {
      Json row = {theirs.value};
      for (const SweptSeries& series : all) row.push_back(cost_at(series, theirs.value, measured));
      const auto ours =
          std::find_if(first.begin(), first.end(), [&](const Least& l) { return l.value == theirs.value; });
      row.push_back(ours == first.end() ? Json() : number(ours->cost / theirs.cost));
      table.rows.push_back(std::move(row));
    }
    return table;
  }
  static Json cost_at(const SweptSeries& series, double value, const Cost& measured) {
    for (const Point& point : series.points)
      if (point.value == value && point.cheapest) return measured.of(*point.cheapest);
    return nullptr;
  }
  static std::string capital(std::string text) {
    if (text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text;
  }

  Table run_table(const Config& config, const std::vector<SweptSeries>& all) const {
    Table table{config.name + "-runs",
                lead(config) + conditions(config.runs.front()) +
                    " The runs (#f residuals, #Jac Jacobians, #LU "
                    "factorisations).",
                {{"Solver", "", CellFormat::text, 0},
                 {x_label, "", CellFormat::scientific, 2},
                 {"tolerance or h", "", CellFormat::text, 0},
                 {"error", "", CellFormat::scientific, 2}},
                {}};
    for (const char* label : {"steps", "#f", "#Jac", "#LU"})
      table.columns.push_back({label, "", CellFormat::integer, 0});
    table.columns.push_back({"CPU", "", CellFormat::seconds, 0});
    for (const SweptSeries& series : all)
      for (const Point& point : series.points) {
        if (!point.cheapest) continue;
        Json row = {series.label, point.value, steps_text((*point.cheapest)["spec"]), point.error};
        for (const char* key : {"steps", "residuals", "jacobians", "factorizations", "cpu_seconds"})
          row.push_back((*point.cheapest)["stats"][key]);
        table.rows.push_back(std::move(row));
      }
    return table;
  }

  Table crossing_table(const Config& config) const {
    return {config.name + "-crossover",
            fmt::format("{} The largest {} at which the cheapest {} method costs at most the factor times the others.",
                        lead(config), x_label, groups[0].label),
            {{"cost", "", CellFormat::text, 0},
             {"against", "", CellFormat::text, 0},
             {"factor", "", CellFormat::fixed, 0},
             {"up to", "", CellFormat::text, 0}},
            {}};
  }
  static Json crossing_cell(const Crossover& found) {
    if (!found.at) return "never";
    return fmt::format("{}{:.3g}", found.beyond ? "at least " : "", *found.at);
  }

  // ----- figure -----

  Panel panel(const std::vector<SweptSeries>& all, const Cost& measured, const Crossover& crossover) const {
    Panel panel;
    panel.x_label = x_label, panel.y_label = measured.label;
    panel.log_x = panel.log_y = true;
    double low = HUGE_VAL, high = 0;
    for (const SweptSeries& series : all) {
      Series curve;
      curve.label = series.label, curve.style = "line-points";
      for (const Point& point : series.points)
        if (const Json spent = cost_at(series, point.value, measured); !spent.is_null()) {
          curve.x.push_back(point.value), curve.y.push_back(spent.get<double>());
          low = std::min(low, curve.y.back()), high = std::max(high, curve.y.back());
        }
      if (!curve.x.empty()) panel.series.push_back(std::move(curve));
    }
    if (crossover.at && !crossover.beyond) {
      Series line;
      line.label = fmt::format("crossover, {:.3g}", *crossover.at), line.style = "reference";
      line.x = {*crossover.at, *crossover.at}, line.y = {low, high};
      panel.series.push_back(std::move(line));
    }
    return panel;
  }
};
const ExperimentEntry<CrossoverExperiment> crossover_entry;

}  // namespace
}  // namespace daelab
