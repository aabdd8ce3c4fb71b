// Work-precision diagrams: accuracy at the end time against what it costs, of methods over a range of tolerances or of
// step sizes. A series is made of the runs that differ in these only.
//
// scd and mescd are the accuracy measures of the field's test sets: see accuracy.hpp.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "experiments/measures/accuracy.hpp"
#include "experiments/measures/cost.hpp"
#include "experiments/measures/figure_spec.hpp"
#include "experiments/runs/component.hpp"
#include "experiments/runs/steps.hpp"
#include "results/record_values.hpp"

namespace daelab {
namespace {

constexpr const char* cost_over_accuracy = "cost-over-accuracy";
constexpr const char* accuracy_over_cost = "accuracy-over-cost";

bool counts_digits(const std::string& accuracy) { return accuracy == "scd" || accuracy == "mescd"; }

struct WorkFigure {
  std::string id, caption, orientation = cost_over_accuracy;
  std::vector<std::string> accuracy, cost{"steps"}, series;

  Options options() {
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
  bool shows(const std::string& label) const {
    return series.empty() || std::find(series.begin(), series.end(), label) != series.end();
  }
};

struct AccuracyTarget {
  std::string accuracy = "scd";
  std::vector<Exact> at;

  Options options() {
    return {option("accuracy", accuracy, "error of a class or component, or digits: scd, mescd"),
            option("at", at, "errors, or digits, whose cost is sought", positive())};
  }
  // In the analysis: "1E-4" of errors, however they are written, and "4.5" of digits.
  std::string key(const Exact& value) const {
    return counts_digits(accuracy) ? value.text() : tolerance_text(value.text());
  }
};

// One method and formulation over its tolerances or step sizes, loose to tight.
struct SeriesOfRuns {
  Json spec;  // without tolerances and step size; "steps" says which of them
  std::string label;
  std::vector<const Json*> records;
};

Real100 looseness(const Json& record) {
  const Json& spec = record["spec"];
  return exact_from_json(spec[has_error_control(spec) ? "rtol" : "h"], "").value();
}

// `runs` may be left out: the series alone, without records.
std::vector<SeriesOfRuns> group(const Config& config, const std::vector<LabelledRun>& runs) {
  std::vector<SeriesOfRuns> series;
  for (const RunGroup& group : group_runs(config, leave_out_steps)) {
    SeriesOfRuns& s = series.emplace_back(SeriesOfRuns{group.spec, group.label, {}});
    for (const std::size_t i : group.runs)
      if (!runs.empty()) s.records.push_back(&runs[i].record);
    std::stable_sort(s.records.begin(), s.records.end(),
                     [](const Json* a, const Json* b) { return looseness(*a) > looseness(*b); });
  }
  return series;
}

bool succeeded(const Json& record) { return record["status"] == "ok"; }

// What a sequence of runs, loose to tight, costs where it reaches `target` digits for good: between the last two
// neighbours that bracket it, with the logarithm of the cost linear in the digits (the cost itself where one is zero).
// Null when none do.
Json interpolated_cost(const std::vector<double>& digits, const std::vector<double>& cost, double target) {
  for (std::size_t i = digits.size(); i-- > 1;) {
    const double low = digits[i - 1], high = digits[i];
    if (!(low <= target && target <= high)) continue;
    const double s = high > low ? (target - low) / (high - low) : 1;
    if (cost[i - 1] <= 0 || cost[i] <= 0) return (1 - s) * cost[i - 1] + s * cost[i];
    return std::exp((1 - s) * std::log(cost[i - 1]) + s * std::log(cost[i]));
  }
  return nullptr;
}

struct WorkPrecision {
  static constexpr const char* name = "work-precision";
  static constexpr const char* summary =
      "Accuracy at the end time against steps, evaluations, factorisations or time, over tolerances or step sizes.";
  static constexpr const char* source = "Hairer, Wanner, Solving Ordinary Differential Equations II";

  std::string caption;
  std::vector<std::string> scd_components, mescd_components;
  std::vector<WorkFigure> figures;
  std::vector<AccuracyTarget> at_accuracy;

  Options options() {
    return {
        option("caption", caption, "what the tables compare; what their columns are is added to it"),
        option("scd", scd_components, "components and classes whose relative errors scd is made of; empty: q, or y"),
        option("mescd", mescd_components, "components and classes whose mixed errors mescd is made of; empty: all"),
        option("figures", figures, "diagrams; none: steps over the error of q, or y"),
        option("at_accuracy", at_accuracy, "accuracies whose cost is interpolated for every series")};
  }

  void validate(const std::string& where) const {
    for (std::size_t f = 0; f < figures.size(); ++f) {
      const std::string place = fmt::format("{}/figures/{}", where, f);
      if (figures[f].cost.empty()) throw InputError(place + "/cost", "names nothing");
      for (const std::string& cost : figures[f].cost) cost_by_name(cost, place + "/cost");
    }
    for (std::size_t i = 0; i < at_accuracy.size(); ++i)
      if (at_accuracy[i].at.empty())
        throw InputError(fmt::format("{}/at_accuracy/{}/at", where, i), "is missing: errors, or digits");
  }

  void check(const Config& config) const {
    const std::vector<std::string> classes = common_classes(config.runs, "/runs");
    const std::vector<SeriesOfRuns> all = group(config, {});
    for (const SeriesOfRuns& series : all) {
      check_reference(config, series.spec);
      check_components(of_scd(classes), series.spec, "/scd");
      check_components(of_mescd(classes), series.spec, "/mescd");
      for (std::size_t f = 0; f < figures.size(); ++f)
        check_accuracy(figures[f].accuracy, series.spec, fmt::format("/figures/{}/accuracy", f));
      for (std::size_t i = 0; i < at_accuracy.size(); ++i)
        check_accuracy({at_accuracy[i].accuracy}, series.spec, fmt::format("/at_accuracy/{}/accuracy", i));
    }
    std::set<std::string> used;
    std::vector<std::string> known;
    for (const SeriesOfRuns& series : all) known.push_back(series.label);
    for (std::size_t f = 0; f < figures.size(); ++f) {
      const std::string where = fmt::format("/figures/{}", f);
      check_figure_id(figures[f].id, used, where);
      for (const std::string& wanted : figures[f].series)
        if (std::find(known.begin(), known.end(), wanted) == known.end())
          throw InputError(where + "/series",
                           fmt::format("no series '{}'; there are: {}", wanted, fmt::join(known, "; ")));
    }
  }

  Evaluation evaluate(const Config& config, const std::vector<LabelledRun>& runs, const Json& reference_run) const {
    Evaluation evaluation;
    Artifacts& artifacts = evaluation.artifacts;
    Json& list = evaluation.analysis["series"] = Json::array();
    const std::vector<SeriesOfRuns> all = group(config, runs);
    if (Table failed = failed_table(config, all); !failed.rows.empty()) artifacts.tables.push_back(std::move(failed));
    if (const std::string failure = reference_failure(reference_run); !failure.empty()) {
      artifacts.notes.push_back(failure);
      return evaluation;
    }
    std::vector<ReferenceSolution> references;
    for (const SeriesOfRuns& series : all) {
      references.push_back(reference_solution(series.spec, reference_run));
      list.push_back(analyse(series, references.back(), artifacts.notes));
    }
    artifacts.tables.insert(artifacts.tables.begin(), {run_table(config, list), error_table(config, list)});
    if (!at_accuracy.empty()) artifacts.tables.push_back(cost_table(config, list));
    for (const WorkFigure& figure : figures.empty() ? default_figures(config) : figures)
      artifacts.figures.push_back(work_figure(figure, all, references));
    return evaluation;
  }

 private:
  static void check_accuracy(const std::vector<std::string>& accuracy, const Json& spec, const std::string& where) {
    std::vector<std::string> components;
    for (const std::string& measure : accuracy)
      if (!counts_digits(measure)) components.push_back(measure);
    if (!components.empty()) check_components(components, spec, where);
  }

  // What stands for lists that are empty.
  static std::vector<std::string> main_class(const std::vector<std::string>& classes) { return {classes.front()}; }
  std::vector<std::string> of_scd(const std::vector<std::string>& classes) const {
    return scd_components.empty() ? main_class(classes) : scd_components;
  }
  std::vector<std::string> of_mescd(const std::vector<std::string>& classes) const {
    return mescd_components.empty() ? classes : mescd_components;
  }

  // ----- numbers -----

  // An error, or digits.
  double accuracy_of(const Json& record, const ReferenceSolution& reference, const std::string& measure) const {
    const std::vector<std::string> classes = component_classes(record["spec"]);
    if (measure == "scd") return scd(record, reference, of_scd(classes));
    if (measure == "mescd") return mescd(record, reference, of_mescd(classes));
    return static_cast<double>(error_of(record, reference, measure));
  }

  Json analyse(const SeriesOfRuns& series, const ReferenceSolution& reference, std::vector<std::string>& notes) const {
    Json points = Json::array();
    int at_floor = 0;
    for (const Json* record : series.records) {
      points.push_back(point_json(*record, reference));
      at_floor += reference.log10_floor && succeeded(*record) &&
                  accuracy_of(*record, reference, component_classes(series.spec).front()) <=
                      std::pow(10, *reference.log10_floor);
    }
    if (at_floor > 0)
      notes.push_back(fmt::format("{}: {} of {} runs reach the digits trusted of the reference", series.label, at_floor,
                                  series.records.size()));
    Json costs_at = Json::object();
    for (const AccuracyTarget& target : at_accuracy)
      for (const Exact& at : target.at)
        costs_at[target.accuracy][target.key(at)] = costs_json(series, reference, target, at);
    return {{"label", series.label},
            {"spec", series.spec},
            {"reference", reference.source},
            {"points", std::move(points)},
            {"at_accuracy", std::move(costs_at)}};
  }

  Json point_json(const Json& record, const ReferenceSolution& reference) const {
    Json point;
    for (const char* key : {"rtol", "atol", "atol_velocity", "h"}) point[key] = record["spec"].value(key, Json());
    for (const char* key : {"status", "cause", "stats"}) point[key] = record[key];
    if (!succeeded(record)) return point;
    for (const std::string& kind : component_classes(record["spec"]))
      point["errors"][kind] = record[kind].empty() ? Json() : number(accuracy_of(record, reference, kind));
    for (const char* digits : {"scd", "mescd"}) point[digits] = number(accuracy_of(record, reference, digits));
    return point;
  }

  Json costs_json(const SeriesOfRuns& series, const ReferenceSolution& reference, const AccuracyTarget& target,
                  const Exact& at) const {
    const auto digits_of = [&](double accuracy) {
      return counts_digits(target.accuracy) ? accuracy : -std::log10(accuracy);
    };
    std::vector<const Json*> records;
    std::vector<double> digits;
    for (const Json* record : series.records) {
      if (!succeeded(*record)) continue;
      const double reached = digits_of(accuracy_of(*record, reference, target.accuracy));
      if (std::isfinite(reached)) records.push_back(record), digits.push_back(reached);
    }
    Json result = Json::object();
    for (const Cost& cost : all_costs()) {
      std::vector<double> spent;
      for (const Json* record : records) spent.push_back(cost.of(*record));
      result[cost.name] = interpolated_cost(digits, spent, digits_of(at.as<double>()));
    }
    return result;
  }

  // ----- tables -----

  std::string lead(const Config& config) const { return caption.empty() ? config.title + "." : caption; }

  static Json tolerance_cell(const Json& tolerance) {
    return tolerance.is_null() ? Json() : Json(tolerance_text(tolerance));
  }

  static std::vector<Column> step_columns() {
    return {{"Solver", "", CellFormat::text, 0},
            {"rtol", "", CellFormat::text, 0},
            {"atol", "", CellFormat::text, 0},
            {"h0 [s]", "$h_0$ [s]", CellFormat::text, 0}};
  }
  // `point` is a point of the analysis, or the specification of a run.
  static Json step_cells(const Json& label, const Json& point) {
    return {label, tolerance_cell(point["rtol"]), tolerance_cell(point["atol"]), point["h"]};
  }

  Table run_table(const Config& config, const Json& list) const {
    const std::vector<std::string> classes = component_classes(config.runs.front());
    Table table{config.name + "-runs",
                fmt::format("{} scd of {}; mescd of {}; attempts at a step and those accepted (#f residuals, #Jac "
                            "Jacobians, #LU factorisations); CPU time.",
                            lead(config), fmt::join(of_scd(classes), ", "), fmt::join(of_mescd(classes), ", ")),
                step_columns(),
                {}};
    for (const char* label : {"mescd", "scd"}) table.columns.push_back({label, "", CellFormat::fixed, 2});
    for (const char* label : {"steps", "accept", "#f", "#Jac", "#LU"})
      table.columns.push_back({label, "", CellFormat::integer, 0});
    table.columns.push_back({"CPU", "", CellFormat::seconds, 0});
    for (const Json& series : list)
      for (const Json& point : series["points"]) {
        if (!succeeded(point)) continue;
        const Json& stats = point["stats"];
        Json row = step_cells(series["label"], point);
        row.push_back(point["mescd"]), row.push_back(point["scd"]);
        row.push_back(stats["steps"].get<long>() + stats["rejected"].get<long>());
        for (const char* key : {"steps", "residuals", "jacobians", "factorizations", "cpu_seconds"})
          row.push_back(stats[key]);
        table.rows.push_back(std::move(row));
      }
    return table;
  }

  Table error_table(const Config& config, const Json& list) const {
    Table table{config.name + "-errors",
                lead(config) + " Largest absolute error at the end time, per class of components.",
                step_columns(),
                {}};
    const std::vector<std::string> classes = component_classes(config.runs.front());
    for (const std::string& kind : classes)
      table.columns.push_back(
          {kind, kind == "lambda" ? "$\\lambda$" : fmt::format("${}$", kind), CellFormat::scientific, 3});
    for (const Json& series : list)
      for (const Json& point : series["points"]) {
        if (!succeeded(point)) continue;
        Json row = step_cells(series["label"], point);
        for (const std::string& kind : classes) row.push_back(point["errors"][kind]);
        table.rows.push_back(std::move(row));
      }
    return table;
  }

  Table failed_table(const Config& config, const std::vector<SeriesOfRuns>& all) const {
    Table table{
        config.name + "-failed", lead(config) + " Runs that failed, with the time they reached.", step_columns(), {}};
    table.columns.push_back({"t [s]", "$t$ [s]", CellFormat::scientific, 3});
    table.columns.push_back({"steps", "", CellFormat::integer, 0});
    for (const char* label : {"Status", "Cause"}) table.columns.push_back({label, "", CellFormat::text, 0});
    for (const SeriesOfRuns& series : all)
      for (const Json* record : series.records) {
        if (succeeded(*record)) continue;
        Json row = step_cells(series.label, (*record)["spec"]);
        row.push_back((*record)["t"]), row.push_back((*record)["stats"]["steps"]);
        for (const char* key : {"status", "cause"}) row.push_back((*record)[key]);
        table.rows.push_back(std::move(row));
      }
    return table;
  }

  Table cost_table(const Config& config, const Json& list) const {
    Table table{config.name + "-costs",
                lead(config) +
                    " Cost of an accuracy: interpolated (logarithm of the cost over digits) between the two "
                    "neighbouring runs that bracket it; empty where no two do.",
                {{"Solver", "", CellFormat::text, 0}, {"Accuracy", "", CellFormat::text, 0}},
                {}};
    for (const Cost& cost : all_costs()) {
      const bool seconds = std::string(cost.name) == "seconds";
      table.columns.push_back({seconds ? "CPU" : cost.label, "", seconds ? CellFormat::seconds : CellFormat::fixed, 0});
    }
    for (const Json& series : list)
      for (const auto& [measure, targets] : series["at_accuracy"].items())
        for (const auto& [at, spent] : targets.items()) {
          Json row = {series["label"],
                      fmt::format("{} = {}", counts_digits(measure) ? measure : "error of " + measure, at)};
          for (const Cost& cost : all_costs()) row.push_back(spent[cost.name]);
          table.rows.push_back(std::move(row));
        }
    return table;
  }

  // ----- figures -----

  static std::vector<WorkFigure> default_figures(const Config& config) {
    WorkFigure figure;
    figure.id = config.name;
    figure.caption = fmt::format("Accepted steps over the largest error of {} at the end time.",
                                 component_classes(config.runs.front()).front());
    return {figure};
  }

  Figure work_figure(const WorkFigure& spec, const std::vector<SeriesOfRuns>& all,
                     const std::vector<ReferenceSolution>& references) const {
    Figure figure{spec.id, spec.caption, {}};
    if (std::find(spec.cost.begin(), spec.cost.end(), "seconds") != spec.cost.end())
      figure.caption += " Times are processor times of the run's thread.";
    const std::vector<std::string> measures =
        spec.accuracy.empty() ? main_class(component_classes(all.front().spec)) : spec.accuracy;
    for (const std::string& measure : measures)
      for (const std::string& cost : spec.cost) {
        Panel panel = empty_panel(spec, measure, cost_by_name(cost, ""), all);
        for (std::size_t s = 0; s < all.size(); ++s) {
          if (!spec.shows(all[s].label)) continue;
          Series curve = work_curve(spec, all[s], references[s], measure, cost_by_name(cost, ""));
          if (!curve.x.empty()) panel.series.push_back(std::move(curve));
        }
        figure.panels.push_back(std::move(panel));
      }
    return figure;
  }

  static Panel empty_panel(const WorkFigure& spec, const std::string& measure, const Cost& cost,
                           const std::vector<SeriesOfRuns>& all) {
    Panel panel;
    panel.x_label = counts_digits(measure) ? "correct digits (" + measure + ")" : "error of " + measure;
    const Json& t_end = all.front().spec["t_end"];
    const bool beside = spec.orientation == accuracy_over_cost;  // there is no room for a long label
    if (!beside && std::all_of(all.begin(), all.end(), [&](const auto& s) { return s.spec["t_end"] == t_end; }))
      panel.x_label += " at t = " + t_end.get<std::string>() + " s";
    panel.log_x = !counts_digits(measure);
    panel.y_label = cost.label, panel.log_y = true;
    if (beside) std::swap(panel.x_label, panel.y_label), std::swap(panel.log_x, panel.log_y);
    return panel;
  }

  Series work_curve(const WorkFigure& spec, const SeriesOfRuns& series, const ReferenceSolution& reference,
                    const std::string& measure, const Cost& cost) const {
    Series curve;
    curve.label = series.label, curve.style = "line-points";
    for (const Json* record : series.records) {
      if (!succeeded(*record)) continue;
      const double accuracy = accuracy_of(*record, reference, measure), spent = cost.of(*record);
      if (!std::isfinite(accuracy) || spent <= 0) continue;
      curve.x.push_back(accuracy), curve.y.push_back(spent);
    }
    if (spec.orientation == accuracy_over_cost) std::swap(curve.x, curve.y);
    return curve;
  }
};
const ExperimentEntry<WorkPrecision> work_precision_entry;

}  // namespace
}  // namespace daelab
