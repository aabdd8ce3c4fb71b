// Trajectories: components of the motion over time from stored samples or steps, how far runs are from one another, and
// how far they jump from step to step.
//
// Accelerations and multipliers of samples follow from their positions and velocities; what a method itself makes of
// them, spikes on index 3 above all [Ren20, sec. 3], stands in the trajectory of its steps.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/model/problem.hpp"
#include "experiments/measures/figure_spec.hpp"
#include "experiments/runs/component.hpp"
#include "experiments/runs/steps.hpp"
#include "results/csv.hpp"
#include "results/record_values.hpp"

namespace daelab {
namespace {

constexpr const char* config_reference = "reference";

/// What a panel or table shows.
struct Selection {
  std::vector<std::string> components, labels, runs;
  std::string relative_to;

  std::vector<Option> list() {
    return {option("components", components, "entries of the state: q1, v3, a2, lambda4, or y2"),
            option("labels", labels, "their names, when not q1, q2, ..."),
            option("runs", runs, "labels of the runs shown; empty: all"),
            option("relative_to", relative_to,
                   "label of the run that differences are taken from, or \"reference\" for the config's reference run; "
                   "empty: no differences")};
  }
  const std::string& label(std::size_t c) const { return labels.empty() ? components[c] : labels[c]; }
  bool shows(const std::string& run) const {
    return runs.empty() || std::find(runs.begin(), runs.end(), run) != runs.end();
  }
};

struct CurvePanel : Selection {
  std::string y_label;
  bool log_y = false, steps = false;
  std::vector<MarkSpec> marks;

  Options options() {
    std::vector<Option> all = list();
    all.push_back(option("y_label", y_label, "axis label with unit"));
    all.push_back(option("log_y", log_y, "absolute values on a logarithmic axis"));
    all.push_back(option("steps", steps, "values at the stored steps instead of samples: spikes show"));
    all.push_back(option("marks", marks, "points drawn beside the curves, such as printed values"));
    return all;
  }
};

struct CurveFigure {
  std::string id, caption;
  std::vector<CurvePanel> panels;

  Options options() {
    return {option("id", id, "file stem"), option("caption", caption, "what is shown, and how it was made"),
            option("panels", panels, "axes, stacked")};
  }
};

struct DifferenceTable : Selection {
  std::string id, caption;
  std::vector<Exact> until;

  Options options() {
    std::vector<Option> all = list();
    all.push_back(option("id", id, "file stem, and key in the analysis"));
    all.push_back(option("caption", caption, "what is compared"));
    all.push_back(
        option("until", until, "time limits [s]: the largest difference up to each; empty: all samples", positive()));
    return all;
  }
};

struct Sampled {
  std::vector<Real50> t, x;
};

Sampled sampled(const Json& record, const std::string& component) {
  const ComponentName name = component_name(component, "/components");
  Sampled path;
  for (const Json& state : record.value("samples", Json::array())) {
    path.t.push_back(record_number(state["t"]));
    path.x.push_back(record_number(state[name.kind][static_cast<std::size_t>(name.place)]));
  }
  return path;
}

// The times of both are the same (see check) as far as both go.
Sampled difference(Sampled path, const Sampled& from) {
  const std::size_t common = std::min(path.x.size(), from.x.size());
  path.t.resize(common), path.x.resize(common);
  for (std::size_t i = 0; i < common; ++i) path.x[i] -= from.x[i];
  return path;
}

// The largest |x| up to a time; null when the samples end before it.
Json largest_until(const Sampled& path, const Real50& limit) {
  const Real50 slack("1e-12");
  if (path.t.empty() || path.t.back() < limit - slack) return nullptr;
  Real50 largest = 0;
  for (std::size_t i = 0; i < path.t.size() && path.t[i] <= limit + slack; ++i)
    largest = std::max(largest, Real50(abs(path.x[i])));
  return static_cast<double>(largest);
}

// The largest change from one step to the next.
struct Jump {
  double size = NAN, at = NAN;  // `at`: the end of the step [s]
  double magnitude = NAN;       // largest |x|

  void take(const std::vector<double>& t, const std::vector<double>& x) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      magnitude = std::fmax(magnitude, std::abs(x[i]));
      const double change = i > 0 ? std::abs(x[i] - x[i - 1]) : NAN;
      if (change > size || std::isnan(size)) size = change, at = t[i];
    }
  }
};

// Of a component or of any in a class. Nothing but NaN without steps.
Jump largest_jump(const LabelledRun& run, const std::string& component) {
  const ComponentName name = component_or_class(component, "/jumps");
  std::vector<std::string> columns{"t"};
  for (std::size_t i = 1; i <= run.record[name.kind].size(); ++i)
    if (name.place < 0 || static_cast<std::size_t>(name.place) + 1 == i)
      columns.push_back(fmt::format("{}{}", name.kind, i));
  const auto values = read_csv_columns(run.folder + "/" + run.trajectory, columns);
  Jump jump;
  for (std::size_t c = 1; c < values.size(); ++c) jump.take(values[0], values[c]);
  return jump;
}

bool has_samples(const Json& run) { return !run["samples"].empty() || !run["sample_every"].is_null(); }

struct Trajectories {
  static constexpr const char* name = "trajectories";
  static constexpr const char* summary =
      "Components of the motion over time, the largest differences between runs, and jumps from step to step.";
  static constexpr const char* source = "Wang, Zhao, Pan, figures 2 and 3; Ren, Zhou 2020, figures 3 and 6";

  std::vector<CurveFigure> figures;
  std::vector<DifferenceTable> tables;
  std::vector<std::string> jumps;

  Options options() {
    return {option("figures", figures, "curves over time, from the runs' samples or steps"),
            option("tables", tables, "largest differences to one of the runs, or to the reference"),
            option("jumps", jumps,
                   "classes (lambda) and components (a4, y2) whose largest change from step to step is "
                   "sought; needs trajectories of every step")};
  }

  void check(const Config& config) const {
    std::set<std::string> used;
    for (std::size_t f = 0; f < figures.size(); ++f) {
      const std::string where = fmt::format("/figures/{}", f);
      check_figure_id(figures[f].id, used, where);
      if (figures[f].panels.empty()) throw InputError(where + "/panels", "is missing: a list of axes");
      for (std::size_t p = 0; p < figures[f].panels.size(); ++p)
        check_panel(figures[f].panels[p], config, fmt::format("{}/panels/{}", where, p));
    }
    for (std::size_t i = 0; i < tables.size(); ++i) {
      const std::string where = fmt::format("/tables/{}", i);
      check_figure_id(tables[i].id, used, where);
      if (tables[i].relative_to.empty()) throw InputError(where + "/relative_to", "is missing: a run to compare with");
      check_selection(tables[i], config, where);
    }
    for (std::size_t i = 0; i < config.runs.size() && !jumps.empty(); ++i) {
      check_components(jumps, config.runs[i], "/jumps");
      if (config.runs[i]["trajectory"] != 1)
        throw InputError("/jumps",
                         fmt::format("run '{}' does not store every step: set \"trajectory\": 1", config.labels[i]));
    }
  }

  Evaluation evaluate(const Config& config, const std::vector<LabelledRun>& runs, const Json& reference) const {
    Evaluation evaluation;
    Json& series = evaluation.analysis["series"] = Json::array();
    for (const LabelledRun& run : runs) {
      series.push_back({{"label", run.label},
                        {"spec", run.record["spec"]},
                        {"status", run.record["status"]},
                        {"differences", Json::object()}});
      if (run.record["status"] != "ok")
        evaluation.artifacts.notes.push_back(fmt::format(
            "{}: {} - {}", run.label, run.record["status"].get<std::string>(), run.record["cause"].get<std::string>()));
    }
    for (const DifferenceTable& table : tables)
      evaluation.artifacts.tables.push_back(difference_table(table, config, runs, reference, series));
    if (!jumps.empty()) evaluation.artifacts.tables.push_back(jump_table(config, runs, series));
    for (const CurveFigure& figure : figures)
      evaluation.artifacts.figures.push_back(curve_figure(figure, runs, reference));
    return evaluation;
  }

 private:
  // ----- checks -----

  static const Json& resolved_run(const std::string& label, const Config& config, const std::string& where) {
    if (label == config_reference && config.reference) return *config.reference;
    const auto place = std::find(config.labels.begin(), config.labels.end(), label);
    if (place == config.labels.end())
      throw InputError(where, fmt::format("no run '{}'; there are: {}{}", label, fmt::join(config.labels, "; "),
                                          config.reference ? "; reference" : ""));
    return config.runs[static_cast<std::size_t>(place - config.labels.begin())];
  }

  static void check_panel(const CurvePanel& panel, const Config& config, const std::string& where) {
    if (panel.steps && !panel.relative_to.empty())
      throw InputError(where + "/relative_to", "the steps of runs end at different times: take samples");
    if (panel.steps && panel.log_y)
      throw InputError(where + "/log_y", "shows absolute values of samples, not of steps");
    check_selection(panel, config, where, panel.steps);
  }

  // `steps`: of the stored trajectory instead of samples.
  static void check_selection(const Selection& list, const Config& config, const std::string& where,
                              bool steps = false) {
    for (const std::string& label : list.runs) resolved_run(label, config, where + "/runs");
    if (list.components.empty()) throw InputError(where + "/components", "names no component");
    if (!list.labels.empty() && list.labels.size() != list.components.size())
      throw InputError(where + "/labels",
                       fmt::format("{} names for {} components", list.labels.size(), list.components.size()));
    const Json* from =
        list.relative_to.empty() ? nullptr : &resolved_run(list.relative_to, config, where + "/relative_to");
    for (std::size_t i = 0; i < config.runs.size(); ++i) {
      if (!list.shows(config.labels[i])) continue;
      if (steps)
        check_trajectory(config.runs[i], config.labels[i], where);
      else
        check_run(config.runs[i], from, config.labels[i], where);
      const auto model = Registry<Problem>::instance().make(config.runs[i]["problem"], "/problem")->model(As<double>{});
      for (const std::string& component : list.components) check_component(component, *model, where + "/components");
    }
  }

  static void check_trajectory(const Json& run, const std::string& label, const std::string& where) {
    if (run["trajectory"] == 0)
      throw InputError(where, fmt::format("run '{}' stores no steps: set \"trajectory\": 1", label));
  }

  static void check_run(const Json& run, const Json* from, const std::string& label, const std::string& where) {
    if (!has_samples(run))
      throw InputError(where, fmt::format("run '{}' stores no samples: set \"sample_every\"", label));
    for (const char* key : {"samples", "sample_every"})
      if (from && (*from)[key] != run[key])
        throw InputError(where + "/relative_to", fmt::format("run '{}' is sampled at other times than the run it is "
                                                             "compared with (\"{}\")",
                                                             label, key));
  }

  // ----- evaluation -----

  static const Json& record_of(const std::string& label, const std::vector<LabelledRun>& runs, const Json& reference) {
    for (const LabelledRun& run : runs)
      if (run.label == label) return run.record;
    return reference;
  }

  static Table difference_table(const DifferenceTable& spec, const Config& config, const std::vector<LabelledRun>& runs,
                                const Json& reference, Json& series) {
    const Json& from = record_of(spec.relative_to, runs, reference);
    const std::string caption = spec.caption.empty() ? config.title + "." : spec.caption;
    const std::string to = spec.relative_to == config_reference ? method_text(from) : "'" + spec.relative_to + "'";
    Table table{spec.id,
                fmt::format("{} Largest difference to {} over all samples up to the time given.", caption, to),
                {{"Run", "", CellFormat::text, 0}, {"Component", "", CellFormat::text, 0}},
                {}};
    std::vector<Exact> limits = spec.until;
    if (limits.empty()) limits.push_back(config.runs.front()["t_end"].get<std::string>());
    for (const Exact& limit : limits)
      table.columns.push_back({fmt::format("t ≤ {} s", limit.text()), fmt::format("$t \\le {}$ s", limit.text()),
                               CellFormat::scientific, 3});
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (!spec.shows(runs[i].label) || runs[i].label == spec.relative_to) continue;
      Json& differences = series[i]["differences"][spec.id] = Json::object();
      for (std::size_t c = 0; c < spec.components.size(); ++c) {
        const std::string& component = spec.components[c];
        const Sampled path = difference(sampled(runs[i].record, component), sampled(from, component));
        Json row = Json::array({runs[i].label, spec.label(c)});
        for (const Exact& limit : limits) {
          row.push_back(largest_until(path, limit.as<Real50>()));
          differences[component][limit.text()] = row.back();
        }
        table.rows.push_back(std::move(row));
      }
    }
    return table;
  }

  Table jump_table(const Config& config, const std::vector<LabelledRun>& runs, Json& series) const {
    Table table{config.name + "-spikes",
                config.title +
                    ". Largest change from one step to the next, where it happens, and relative to the "
                    "largest value of the same components.",
                {{"Run", "", CellFormat::text, 0},
                 {"Component", "", CellFormat::text, 0},
                 {"Largest jump", "", CellFormat::scientific, 4},
                 {"t [s]", "$t$ [s]", CellFormat::scientific, 4},
                 {"Largest value", "", CellFormat::scientific, 4},
                 {"Jump / value", "", CellFormat::fixed, 3}},
                {}};
    for (std::size_t i = 0; i < runs.size(); ++i)
      for (const std::string& component : jumps) {
        const Jump jump = largest_jump(runs[i], component);
        series[i]["jumps"][component] = number(jump.size);
        series[i]["magnitudes"][component] = number(jump.magnitude);
        series[i]["relative_jumps"][component] = number(jump.size / jump.magnitude);
        table.rows.push_back({runs[i].label, component, number(jump.size), number(jump.at), number(jump.magnitude),
                              number(jump.size / jump.magnitude)});
      }
    return table;
  }

  // "the reference run gauss:s=5, h = 1/20, real50"
  static std::string method_text(const Json& record) {
    const Json& spec = record["spec"];
    return fmt::format("the reference run {}, {}, {}", spec_text(spec["method"]), steps_text(spec),
                       spec["scalar"].get<std::string>());
  }

  static Figure curve_figure(const CurveFigure& spec, const std::vector<LabelledRun>& runs, const Json& reference) {
    Figure figure{spec.id, spec.caption, {}};
    for (const CurvePanel& panel : spec.panels) figure.panels.push_back(curve_panel(panel, runs, reference));
    return figure;
  }

  static Panel curve_panel(const CurvePanel& spec, const std::vector<LabelledRun>& runs, const Json& reference) {
    Panel panel;
    panel.x_label = "time [s]", panel.y_label = spec.y_label, panel.log_y = spec.log_y;
    std::vector<const LabelledRun*> shown;
    for (const LabelledRun& run : runs)
      if (spec.shows(run.label) && run.label != spec.relative_to) shown.push_back(&run);
    for (const LabelledRun* run : shown)
      for (std::size_t c = 0; c < spec.components.size(); ++c) {
        Series curve = spec.steps ? curve_of_steps(*run, spec.components[c])
                                  : curve_of(path_of(*run, spec, c, runs, reference), spec.log_y);
        if (shown.size() > 1 || !spec.marks.empty()) curve.label = run->label;
        if (spec.components.size() > 1) curve.label += (curve.label.empty() ? "" : ", ") + spec.label(c);
        panel.series.push_back(std::move(curve));
      }
    for (const MarkSpec& mark : spec.marks) panel.series.push_back(mark_point(mark));
    return panel;
  }

  static Sampled path_of(const LabelledRun& run, const CurvePanel& spec, std::size_t c,
                         const std::vector<LabelledRun>& runs, const Json& reference) {
    const Sampled path = sampled(run.record, spec.components[c]);
    if (spec.relative_to.empty()) return path;
    return difference(path, sampled(record_of(spec.relative_to, runs, reference), spec.components[c]));
  }

  static Series curve_of_steps(const LabelledRun& run, const std::string& component) {
    Series curve;
    curve.file = run.trajectory, curve.x_column = "t", curve.y_column = component;
    return curve;
  }

  static Series curve_of(const Sampled& path, bool log_y) {
    Series curve;
    for (std::size_t i = 0; i < path.t.size(); ++i) {
      const double y = static_cast<double>(path.x[i]);
      if (log_y && y == 0) continue;
      curve.x.push_back(static_cast<double>(path.t[i]));
      curve.y.push_back(log_y ? std::abs(y) : y);
    }
    return curve;
  }
};
const ExperimentEntry<Trajectories> trajectories_entry;

}  // namespace
}  // namespace daelab
