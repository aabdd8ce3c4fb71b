// Trajectories: components of the motion over time from stored samples, and how far runs are from one another.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/problem.hpp"
#include "experiments/component.hpp"
#include "experiments/figure_spec.hpp"
#include "experiments/run.hpp"

namespace daelab {
namespace {

constexpr const char* config_reference = "reference";

/// What a panel or table shows.
struct Selection {
  std::vector<std::string> components, labels, runs;
  std::string relative_to;

  std::vector<Option> list() {
    return {option("components", components, "entries of the state: q1, v3, a2, lambda4"),
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
  bool log_y = false;
  std::vector<MarkSpec> marks;

  Options options() {
    std::vector<Option> all = list();
    all.push_back(option("y_label", y_label, "axis label with unit"));
    all.push_back(option("log_y", log_y, "absolute values on a logarithmic axis"));
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
    all.push_back(option("until", until, "time limits [s]: the largest difference up to each; empty: all samples",
                         positive()));
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

bool has_samples(const Json& run) { return !run["samples"].empty() || !run["sample_every"].is_null(); }

struct Trajectories {
  static constexpr const char* name = "trajectories";
  static constexpr const char* summary =
      "Components of the motion over time, and the largest differences between runs up to given times.";
  static constexpr const char* source = "Wang, Zhao, Pan, figures 2 and 3";

  std::vector<CurveFigure> figures;
  std::vector<DifferenceTable> tables;

  Options options() {
    return {option("figures", figures, "curves over time, from the runs' samples"),
            option("tables", tables, "largest differences to one of the runs, or to the reference")};
  }

  void check(const Config& config) const {
    std::set<std::string> used;
    for (std::size_t f = 0; f < figures.size(); ++f) {
      const std::string where = fmt::format("/figures/{}", f);
      check_figure_id(figures[f].id, used, where);
      if (figures[f].panels.empty()) throw InputError(where + "/panels", "is missing: a list of axes");
      for (std::size_t p = 0; p < figures[f].panels.size(); ++p)
        check_selection(figures[f].panels[p], config, fmt::format("{}/panels/{}", where, p));
    }
    for (std::size_t i = 0; i < tables.size(); ++i) {
      const std::string where = fmt::format("/tables/{}", i);
      check_figure_id(tables[i].id, used, where);
      if (tables[i].relative_to.empty()) throw InputError(where + "/relative_to", "is missing: a run to compare with");
      check_selection(tables[i], config, where);
    }
  }

  Evaluation evaluate(const Config& config, const std::vector<LabelledRun>& runs, const Json& reference) const {
    Evaluation evaluation;
    Json& series = evaluation.analysis["series"] = Json::array();
    for (const LabelledRun& run : runs) {
      series.push_back({{"label", run.label}, {"spec", run.record["spec"]}, {"status", run.record["status"]},
                        {"differences", Json::object()}});
      if (run.record["status"] != "ok")
        evaluation.artifacts.notes.push_back(fmt::format("{}: {} - {}", run.label,
                                                         run.record["status"].get<std::string>(),
                                                         run.record["cause"].get<std::string>()));
    }
    for (const DifferenceTable& table : tables)
      evaluation.artifacts.tables.push_back(difference_table(table, config, runs, reference, series));
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

  static void check_selection(const Selection& list, const Config& config, const std::string& where) {
    for (const std::string& label : list.runs) resolved_run(label, config, where + "/runs");
    if (list.components.empty()) throw InputError(where + "/components", "names no component");
    if (!list.labels.empty() && list.labels.size() != list.components.size())
      throw InputError(where + "/labels", fmt::format("{} names for {} components", list.labels.size(),
                                                      list.components.size()));
    const Json* from =
        list.relative_to.empty() ? nullptr : &resolved_run(list.relative_to, config, where + "/relative_to");
    for (std::size_t i = 0; i < config.runs.size(); ++i) {
      if (!list.shows(config.labels[i])) continue;
      check_run(config.runs[i], from, config.labels[i], where);
      const auto model = Registry<Problem>::instance().make(config.runs[i]["problem"], "/problem")->model(As<double>{});
      for (const std::string& component : list.components)
        check_component(component, *model, where + "/components");
    }
  }

  static void check_run(const Json& run, const Json* from, const std::string& label, const std::string& where) {
    if (!has_samples(run))
      throw InputError(where, fmt::format("run '{}' stores no samples: set \"sample_every\"", label));
    for (const char* key : {"samples", "sample_every"})
      if (from && (*from)[key] != run[key])
        throw InputError(where + "/relative_to", fmt::format("run '{}' is sampled at other times than the run it is "
                                                             "compared with (\"{}\")", label, key));
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
    Table table{spec.id, fmt::format("{} Largest difference to {} over all samples up to the time given.", caption, to),
                {{"Run", "", CellFormat::text, 0}, {"Component", "", CellFormat::text, 0}}, {}};
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

  // "the reference run gauss:s=5, h = 1/20, real50"
  static std::string method_text(const Json& record) {
    const Json& spec = record["spec"];
    return fmt::format("the reference run {}, h = {}, {}", spec_text(spec["method"]), spec["h"].get<std::string>(),
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
        Sampled path = sampled(run->record, spec.components[c]);
        if (!spec.relative_to.empty())
          path = difference(path, sampled(record_of(spec.relative_to, runs, reference), spec.components[c]));
        Series curve = curve_of(path, spec.log_y);
        if (shown.size() > 1 || !spec.marks.empty()) curve.label = run->label;
        if (spec.components.size() > 1) curve.label += (curve.label.empty() ? "" : ", ") + spec.label(c);
        panel.series.push_back(std::move(curve));
      }
    for (const MarkSpec& mark : spec.marks) panel.series.push_back(mark_point(mark));
    return panel;
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
const ExperimentEntry<Trajectories> entry;

}  // namespace
}  // namespace daelab
