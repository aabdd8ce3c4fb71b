#include "experiments/kinds/trajectories.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/mechanism/problem.hpp"
#include "lab/runs/component.hpp"
#include "lab/runs/steps.hpp"
#include "results/csv.hpp"
#include "results/record_values.hpp"

namespace daelab {
namespace {

constexpr const char* config_reference = "reference";

// ----- checks -----

const Run& run_named(const std::string& label, const Config& config, const std::string& where) {
  if (label == config_reference && config.reference) return static_cast<const Run&>(*config.reference);
  const auto place = std::find(config.labels.begin(), config.labels.end(), label);
  if (place == config.labels.end())
    throw InputError(where, fmt::format("no run '{}'; there are: {}{}", label, fmt::join(config.labels, "; "),
                                        config.reference ? "; reference" : ""));
  return integration(config, static_cast<std::size_t>(place - config.labels.begin()));
}

void check_trajectory(const Run& run, const std::string& label, const std::string& where) {
  if (!run.makes_trajectory())
    throw InputError(where, fmt::format("run '{}' stores no steps: set \"trajectory\": 1", label));
}

void check_run(const Run& run, const Run* from, const std::string& label, const std::string& where) {
  if (run.spec().samples.empty() && !run.spec().sample_every)
    throw InputError(where, fmt::format("run '{}' stores no samples: set \"sample_every\"", label));
  for (const char* key : {"samples", "sample_every"})
    if (from && from->json()[key] != run.json()[key])
      throw InputError(where + "/relative_to", fmt::format("run '{}' is sampled at other times than the run it is "
                                                           "compared with (\"{}\")",
                                                           label, key));
}

// `steps`: of the stored trajectory instead of samples.
void check_selection(const Selection& list, const Config& config, const std::string& where, bool steps = false) {
  for (const std::string& label : list.runs) run_named(label, config, where + "/runs");
  if (list.components.empty()) throw InputError(where + "/components", "names no component");
  if (!list.labels.empty() && list.labels.size() != list.components.size())
    throw InputError(where + "/labels",
                     fmt::format("{} names for {} components", list.labels.size(), list.components.size()));
  const Run* from = list.relative_to.empty() ? nullptr : &run_named(list.relative_to, config, where + "/relative_to");
  for (std::size_t i = 0; i < config.runs.size(); ++i) {
    if (!is_shown(list.runs, config.labels[i])) continue;
    const Run& run = integration(config, i);
    if (steps)
      check_trajectory(run, config.labels[i], where);
    else
      check_run(run, from, config.labels[i], where);
    const auto model = run.problem().model(As<double>{});
    for (const std::string& component : list.components) check_component(component, *model, where + "/components");
  }
}

void check_panel(const CurvePanel& panel, const Config& config, const std::string& where) {
  if (panel.steps && !panel.relative_to.empty())
    throw InputError(where + "/relative_to", "the steps of runs end at different times: take samples");
  if (panel.steps && panel.log_y) throw InputError(where + "/log_y", "shows absolute values of samples, not of steps");
  check_selection(panel, config, where, panel.steps);
}

// ----- numbers -----

// A component over time.
struct Sampled {
  std::vector<Real50> t, x;
};

Sampled sampled(const RunRecord& record, const std::string& component) {
  const ComponentName name = component_name(component, "/components");
  Sampled path;
  if (record.samples)
    for (const StateRecord& state : *record.samples)
      path.t.push_back(state.t), path.x.push_back(state.of(name.kind)[name.place]);
  return path;
}

// The times of both are the same (see check) as far as both go.
Sampled difference(Sampled path, const Sampled& from) {
  const std::size_t common = std::min(path.x.size(), from.x.size());
  path.t.resize(common), path.x.resize(common);
  for (std::size_t i = 0; i < common; ++i) path.x[i] -= from.x[i];
  return path;
}

// The largest |x| up to a time; nothing when the samples end before it.
std::optional<double> largest_until(const Sampled& path, const Real50& limit) {
  const Real50 slack("1e-12");
  if (path.t.empty() || path.t.back() < limit - slack) return {};
  Real50 largest = 0;
  for (std::size_t i = 0; i < path.t.size() && path.t[i] <= limit + slack; ++i)
    largest = std::max(largest, Real50(abs(path.x[i])));
  return static_cast<double>(largest);
}

// Into the largest one so far.
void take(Trajectories::Jump& jump, const std::vector<double>& t, const std::vector<double>& x) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    jump.magnitude = std::fmax(jump.magnitude, std::abs(x[i]));
    const double change = i > 0 ? std::abs(x[i] - x[i - 1]) : NAN;
    if (change > jump.size || std::isnan(jump.size)) jump.size = change, jump.at = t[i];
  }
}

// For a component or of any in a class. All NaN without steps.
Trajectories::Jump largest_jump(const FinishedRun& run, const std::string& component) {
  const ComponentName name = component_or_class(component, "/jumps");
  std::vector<std::string> columns{"t"};
  for (Index i = 0; i < run.record.state.of(name.kind).size(); ++i)
    if (name.place < 0 || name.place == i) columns.push_back(fmt::format("{}{}", name.kind, i + 1));
  const auto values = read_csv_columns(run.folder + "/" + run.trajectory, columns);
  Trajectories::Jump jump;
  for (std::size_t c = 1; c < values.size(); ++c) take(jump, values[0], values[c]);
  return jump;
}

const FinishedRun& finished_run(const std::string& label, const std::vector<FinishedRun>& runs,
                                const FinishedRun* reference) {
  const auto place = std::ranges::find(runs, label, &FinishedRun::label);
  return place == runs.end() ? *reference : *place;
}

// "the reference run gauss:s=5, h = 1/20, real50"
std::string reference_text(const Run& run) {
  return fmt::format("the reference run {}, {}, {}", run.spec().method.text(), steps_text(run.spec()),
                     name_of(run.spec().scalar));
}

Trajectories::Differences differences(const DifferenceTable& table, const Config& config,
                                      const std::vector<FinishedRun>& runs, const FinishedRun* reference) {
  const FinishedRun& from = finished_run(table.relative_to, runs, reference);
  const bool to_reference = table.relative_to == config_reference;
  Trajectories::Differences result{
      table.id, to_reference ? reference_text(*from.run) : "'" + table.relative_to + "'", table.until, {}};
  if (result.limits.empty()) result.limits.push_back(integration(config, 0).t_end());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!is_shown(table.runs, runs[i].label) || runs[i].label == table.relative_to) continue;
    for (std::size_t c = 0; c < table.components.size(); ++c) {
      const std::string& component = table.components[c];
      const Sampled path = difference(sampled(runs[i].record, component), sampled(from.record, component));
      Trajectories::Difference& entry =
          result.list.emplace_back(Trajectories::Difference{i, component, table.label(c), {}});
      for (const Exact& limit : result.limits) entry.largest.push_back(largest_until(path, limit.as<Real50>()));
    }
  }
  return result;
}

std::vector<Trajectories::Curve> curves(const CurvePanel& panel, const std::vector<FinishedRun>& runs,
                                        const FinishedRun* reference) {
  std::vector<Trajectories::Curve> list;
  for (const FinishedRun& run : runs) {
    if (!is_shown(panel.runs, run.label) || run.label == panel.relative_to) continue;
    for (std::size_t c = 0; c < panel.components.size(); ++c) {
      Trajectories::Curve& curve =
          list.emplace_back(Trajectories::Curve{run.label, c, {}, {}, panel.steps ? run.trajectory : ""});
      if (panel.steps) continue;
      Sampled path = sampled(run.record, panel.components[c]);
      if (!panel.relative_to.empty())
        path = difference(std::move(path),
                          sampled(finished_run(panel.relative_to, runs, reference).record, panel.components[c]));
      for (const Real50& t : path.t) curve.t.push_back(static_cast<double>(t));
      for (const Real50& x : path.x) curve.x.push_back(static_cast<double>(x));
    }
  }
  return list;
}

}  // namespace

std::vector<Option> Selection::list() {
  return {option("components", components, "entries of the state: q1, v3, a2, lambda4, or y2"),
          option("labels", labels, "their names, when not q1, q2, ..."),
          option("runs", runs, "labels of the runs shown; empty: all"),
          option("relative_to", relative_to,
                 "label of the run that differences are taken from, or \"reference\" for the config's reference run; "
                 "empty: no differences")};
}

Options CurvePanel::options() {
  std::vector<Option> all = list();
  all.push_back(option("y_label", y_label, "axis label with unit"));
  all.push_back(option("log_y", log_y, "absolute values on a logarithmic axis"));
  all.push_back(option("steps", steps, "values at the stored steps instead of samples: spikes show"));
  all.push_back(option("marks", marks, "points drawn beside the curves, such as printed values"));
  return all;
}

Options CurveFigure::options() {
  return {option("id", id, "file stem"), option("caption", caption, "what is shown, and how it was made"),
          option("panels", panels, "axes, stacked")};
}

Options DifferenceTable::options() {
  std::vector<Option> all = list();
  all.push_back(option("id", id, "file stem, and key in the analysis"));
  all.push_back(option("caption", caption, "what is compared"));
  all.push_back(
      option("until", until, "time limits [s]: the largest difference up to each; empty: all samples", positive()));
  return all;
}

Options Trajectories::options() {
  return {option("figures", figures, "curves over time, from the runs' samples or steps"),
          option("tables", tables, "largest differences to one of the runs, or to the reference"),
          option("jumps", jumps,
                 "classes (lambda) and components (a4, y2) whose largest change from step to step is "
                 "sought; needs trajectories of every step")};
}

void Trajectories::check(const Config& config) const {
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
    check_components(jumps, integration(config, i), "/jumps");
    if (integration(config, i).spec().trajectory != 1)
      throw InputError("/jumps",
                       fmt::format("run '{}' does not store every step: set \"trajectory\": 1", config.labels[i]));
  }
}

Trajectories::Result Trajectories::evaluate(const Config& config, const std::vector<FinishedRun>& runs,
                                            const FinishedRun* reference) const {
  Result result;
  for (const FinishedRun& run : runs) {
    RunRow& row = result.runs.emplace_back(RunRow{run.label, run.record.status, run.record.cause, run.record.spec, {}});
    for (const std::string& component : jumps) row.jumps.emplace_back(component, largest_jump(run, component));
  }
  for (const DifferenceTable& table : tables) result.tables.push_back(differences(table, config, runs, reference));
  for (const CurveFigure& figure : figures) {
    auto& panels = result.figures.emplace_back();
    for (const CurvePanel& panel : figure.panels) panels.push_back(curves(panel, runs, reference));
  }
  return result;
}

const ExperimentEntry<Trajectories> trajectories_entry;

// ----- as JSON -----

void members(JsonMembers& json, Trajectories::RunRow& run) {
  json("label", run.label)("spec", run.spec)("status", run.status)("cause", run.cause);
  if (const Json* from = json.from(); from && from->contains("jumps")) {
    const auto value = [from](const char* key, const std::string& component) {
      return static_cast<double>(record_number(from->at(key).at(component)));
    };
    for (const auto& [component, size] : from->at("jumps").items())
      run.jumps.emplace_back(component, Trajectories::Jump{value("jumps", component), value("jump_times", component),
                                                           value("magnitudes", component)});
  }
  if (run.jumps.empty()) return;
  const auto by_component = [&run](auto of) {
    Json all = Json::object();
    for (const auto& [component, jump] : run.jumps) all[component] = number(of(jump));
    return all;
  };
  using Jump = Trajectories::Jump;
  json.derived("jumps", [&] { return by_component([](const Jump& jump) { return jump.size; }); });
  json.derived("magnitudes", [&] { return by_component([](const Jump& jump) { return jump.magnitude; }); });
  json.derived("relative_jumps", [&] { return by_component([](const Jump& jump) { return jump.relative(); }); });
  json.derived("jump_times", [&] { return by_component([](const Jump& jump) { return jump.at; }); });
}

void members(JsonMembers& json, Trajectories::Difference& difference) {
  json("run", difference.run)("component", difference.component)("label", difference.label);
  json("largest", difference.largest);
}

void members(JsonMembers& json, Trajectories::Differences& table) {
  json("id", table.id)("relative_to", table.relative_to)("limits", table.limits)("list", table.list);
}

void members(JsonMembers& json, Trajectories::Curve& curve) {
  json("run", curve.run)("component", curve.component)("t", curve.t)("x", curve.x)("file", curve.file);
}

void members(JsonMembers& json, TrajectoriesResult& result) {
  if (const Json* from = json.from()) result.runs = from->at("series").get<std::vector<Trajectories::RunRow>>();
  json.derived("series", [&result] {
    Json series(result.runs);
    for (Json& run : series) run["differences"] = Json::object();
    for (const auto& table : result.tables)
      for (const auto& difference : table.list)
        for (std::size_t i = 0; i < table.limits.size(); ++i)
          series[difference.run]["differences"][table.id][difference.component][table.limits[i].text()] =
              number(difference.largest[i]);
    return series;
  });
  json("tables", result.tables)("figures", result.figures);
}

}  // namespace daelab
