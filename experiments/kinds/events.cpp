// Events: how far the times at which runs find their events are from the exact ones, over tolerances or step sizes. A
// series is made of the runs that differ in these only.
//
// Exact times are those of the problem, by a route that shares nothing with the integrators, or of the config's
// reference run. The k-th event of a kind is compared with the k-th exact one.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/order_estimate.hpp"
#include "core/model/problem.hpp"
#include "experiments/runs/experiment.hpp"
#include "experiments/runs/record.hpp"
#include "experiments/runs/steps.hpp"

namespace daelab {
namespace {

/// Times by the name of the event.
using EventTimes = std::map<std::string, std::vector<Real50>>;

constexpr int digits = 40;  // asked for of exact times
// A run that failed, at impacts that accumulate for instance, is compared up to this part of the time it reached.
constexpr const char* part_of_failed_runs = "0.999999";

std::optional<EventTimes> exact_times(const Json& problem_spec, const Real50& t) {
  const auto problem = Registry<Problem>::instance().make(problem_spec, "/problem");
  const auto exact = problem->exact_events(t, digits);
  if (!exact) return {};
  const std::vector<Event> kinds = problem->model(As<double>{})->events();
  EventTimes times;
  for (const ExactEvent& event : *exact) times[kinds.at(static_cast<std::size_t>(event.event)).name].push_back(event.t);
  return times;
}

EventTimes times_of(const Json& record) {
  EventTimes times;
  for (const Json& event : record.at("events").at("list")) times[event["event"]].push_back(record_number(event["t"]));
  return times;
}

std::size_t count(const EventTimes& times) {
  std::size_t sum = 0;
  for (const auto& [name, list] : times) sum += list.size();
  return sum;
}

// Only those up to a time.
EventTimes until(EventTimes times, const Real50& t) {
  for (auto& [name, list] : times) std::erase_if(list, [&t](const Real50& x) { return x > t; });
  return times;
}

/// Events of one run against the exact ones.
struct Comparison {
  long missed = 0, extra = 0;
  Real50 largest_error = 0;
};

Comparison compare(const EventTimes& found, const EventTimes& exact) {
  Comparison result;
  EventTimes all = exact;
  for (const auto& [name, list] : found) all[name];
  for (const auto& [name, list] : all) {
    const std::vector<Real50> ours = found.contains(name) ? found.at(name) : std::vector<Real50>{};
    const long difference = static_cast<long>(ours.size()) - static_cast<long>(list.size());
    result.missed += std::max(0L, -difference), result.extra += std::max(0L, difference);
    for (std::size_t i = 0; i < std::min(ours.size(), list.size()); ++i)
      result.largest_error = std::max(result.largest_error, Real50(abs(ours[i] - list[i])));
  }
  return result;
}

struct Events {
  static constexpr const char* name = "events";
  static constexpr const char* summary = "Error of located event times against the tolerance or the step size.";
  static constexpr const char* source = "Ren, Zhou 2020, Sec. 5.3";

  std::string caption;
  bool figure = true;

  Options options() {
    return {option("caption", caption, "what the table compares; what its columns are is added to it"),
            option("figure", figure, "draw the largest error over the tolerance, or over the step size")};
  }

  void check(const Config& config) const {
    for (std::size_t i = 0; i < config.runs.size(); ++i) {
      const Json& spec = config.runs[i]["problem"];
      const auto problem = Registry<Problem>::instance().make(spec, "/problem");
      if (problem->model(As<double>{})->events().empty())
        throw InputError("/runs", fmt::format("run '{}': {} has no events", config.labels[i], problem->name()));
      if (config.reference && spec != (*config.reference)["problem"])
        throw InputError("/reference/problem", fmt::format("{} here, but {} in the runs",
                                                           spec_text((*config.reference)["problem"]), spec_text(spec)));
      if (!config.reference && !problem->exact_events(Real50(0), digits))
        throw InputError("/reference", fmt::format("is missing, and {} has no exact event times", problem->name()));
    }
  }

  Evaluation evaluate(const Config& config, const std::vector<LabelledRun>& runs, const Json& reference) const {
    Evaluation evaluation;
    Json& list = evaluation.analysis["series"] = Json::array();
    for (const RunGroup& group : group_runs(config, leave_out_steps)) {
      Json series = {{"label", group.label}, {"spec", group.spec}, {"points", Json::array()}};
      for (const std::size_t i : group.runs) {
        series["points"].push_back(point(runs[i].record, reference));
        if (const Json& r = runs[i].record; r["status"] != "ok")
          evaluation.artifacts.notes.push_back(
              fmt::format("{}: {} - {}", runs[i].label, r["status"].get<std::string>(), r["cause"].get<std::string>()));
      }
      summarise(series);
      list.push_back(std::move(series));
    }
    evaluation.artifacts.tables.push_back(table(config, list));
    if (figure)
      if (Figure drawn = error_figure(config, list); !drawn.panels.empty())
        evaluation.artifacts.figures.push_back(std::move(drawn));
    return evaluation;
  }

 private:
  // ----- numbers -----

  static Json point(const Json& record, const Json& reference) {
    const Json& spec = record["spec"];
    Json point = {{"status", record["status"]},
                  {"cause", record["cause"]},
                  {"t", record["t"]},
                  {"steps", record["stats"]["steps"]},
                  {"rejected", record["stats"]["rejected"]}};
    for (const char* key : {"rtol", "atol", "atol_velocity", "h"}) point[key] = spec.value(key, Json());
    for (const char* key : {"events", "missed", "extra", "largest_error", "error_over_tolerance", "steps_per_event"})
      point[key] = nullptr;
    if (!record.contains("events")) return point;  // the method refused the form, or the start failed
    const EventTimes found = times_of(record);
    point["events"] = count(found);
    if (count(found) > 0)
      point["steps_per_event"] = record["stats"]["steps"].get<double>() / static_cast<double>(count(found));
    const Real50 part(record["status"] == "ok" ? "1" : part_of_failed_runs);
    const Real50 horizon = part * record_number(record["t"]);
    const auto exact = reference.is_null() ? exact_times(spec["problem"], horizon)
                                           : std::optional(until(times_of(reference), horizon));
    if (!exact) return point;
    const Comparison comparison = compare(until(found, horizon), *exact);
    point["missed"] = comparison.missed, point["extra"] = comparison.extra;
    point["largest_error"] = static_cast<double>(comparison.largest_error);
    if (has_error_control(spec))
      point["error_over_tolerance"] = static_cast<double>(comparison.largest_error) / value_of(spec["rtol"]);
    return point;
  }

  static double value_of(const Json& text) { return exact_from_json(text, "").as<double>(); }

  // The largest over the points, and the order where steps are fixed.
  static void summarise(Json& series) {
    for (const char* key : {"missed", "extra", "largest_error", "error_over_tolerance", "steps_per_event"}) {
      Json& largest = series["largest"][key] = nullptr;
      for (const Json& point : series["points"])
        if (!point[key].is_null() && (largest.is_null() || point[key] > largest)) largest = point[key];
    }
    if (series["spec"]["steps"] != "fixed steps") return;
    std::vector<OrderPoint> points;
    OrderOptions options;
    for (const Json& point : series["points"])
      if (point["status"] == "ok" && !point["largest_error"].is_null())
        points.push_back(order_point(value_of(point["h"]), point["largest_error"].get<double>()));
      else
        ++options.failed;
    series["order"] = estimate_order(points, options);
  }

  // ----- table -----

  Table table(const Config& config, const Json& list) const {
    const bool controlled = any(list, "error_over_tolerance");
    Table table{config.name,
                (caption.empty() ? config.title + "." : caption) +
                    " Events found, exact ones missed and found beyond them; largest error of their times" +
                    (controlled ? ", also over rtol" : "") + "; steps.",
                {{"Run", "", CellFormat::text, 0}, {"Steps of", "", CellFormat::text, 0}},
                {}};
    for (const char* label : {"Events", "Missed", "Extra"})
      table.columns.push_back({label, "", CellFormat::integer, 0});
    table.columns.push_back({"Time error [s]", "time error [s]", CellFormat::scientific, 3});
    if (controlled) table.columns.push_back({"Error / rtol", "error / rtol", CellFormat::scientific, 3});
    table.columns.push_back({"Steps", "", CellFormat::integer, 0});
    table.columns.push_back({"Per event", "", CellFormat::fixed, 1});
    table.columns.push_back({"Status", "", CellFormat::text, 0});
    for (const Json& series : list)
      for (const Json& point : series["points"]) {
        Json row = {series["label"], steps_text(point)};
        for (const char* key : {"events", "missed", "extra", "largest_error"}) row.push_back(point[key]);
        if (controlled) row.push_back(point["error_over_tolerance"]);
        for (const char* key : {"steps", "steps_per_event", "status"}) row.push_back(point[key]);
        table.rows.push_back(std::move(row));
      }
    return table;
  }

  static bool any(const Json& list, const char* key) {
    return std::any_of(list.begin(), list.end(),
                       [key](const Json& series) { return !series["largest"][key].is_null(); });
  }

  // ----- figure -----

  Figure error_figure(const Config& config, const Json& list) const {
    Figure figure{config.name, "Largest error of an event's time.", {}};
    if (Panel panel = error_panel(list, "error control", "rtol", "tolerance rtol"); !panel.series.empty()) {
      add_bound(panel);
      figure.caption += " With error control, against the tolerance; thin: ten times the tolerance.";
      figure.panels.push_back(std::move(panel));
    }
    if (Panel panel = error_panel(list, "fixed steps", "h", "step size h [s]"); !panel.series.empty()) {
      figure.caption += " With fixed steps, against their size.";
      figure.panels.push_back(std::move(panel));
    }
    return figure;
  }

  // Errors of zero are not drawn: the axis is logarithmic.
  static Panel error_panel(const Json& list, const char* steps, const char* key, const char* label) {
    Panel panel;
    panel.x_label = label, panel.y_label = "error of event times [s]", panel.log_x = panel.log_y = true;
    for (const Json& series : list) {
      if (series["spec"]["steps"] != steps) continue;
      Series curve;
      curve.label = series["label"], curve.style = "line-points";
      for (const Json& point : series["points"]) {
        if (point["largest_error"].is_null() || point["largest_error"] == 0.0) continue;
        curve.x.push_back(value_of(point[key])), curve.y.push_back(point["largest_error"]);
      }
      if (!curve.x.empty()) panel.series.push_back(std::move(curve));
    }
    return panel;
  }

  static void add_bound(Panel& panel) {
    double least = HUGE_VAL, largest = 0;
    for (const Series& curve : panel.series)
      for (const double x : curve.x) least = std::min(least, x), largest = std::max(largest, x);
    Series bound;
    bound.label = "10 rtol", bound.style = "reference";
    bound.x = {least, largest}, bound.y = {10 * least, 10 * largest};
    panel.series.push_back(std::move(bound));
  }
};
const ExperimentEntry<Events> events_entry;

}  // namespace
}  // namespace daelab
