// Events: how far the times at which runs find their events are from the exact ones, over tolerances or step sizes. A
// series is made of the runs that differ in these only.
//
// Exact times are those of the problem, by a route that shares nothing with the integrators, or of the config's
// reference run. The k-th event of a kind is compared with the k-th exact one.
#include "experiments/kinds/events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/mechanism/problem.hpp"
#include "lab/runs/experiment.hpp"
#include "lab/runs/steps.hpp"
#include "results/record_values.hpp"

namespace daelab {
namespace {

/// Times by the name of the event.
using EventTimes = std::map<std::string, std::vector<Real50>>;

constexpr int digits = 40;  // asked for of exact times
// A run that failed, at impacts that accumulate for instance, is compared up to this part of the time it reached.
constexpr const char* part_of_failed_runs = "0.999999";

std::optional<EventTimes> exact_times(const Problem& problem, const Real50& t) {
  const auto exact = problem.exact_events(t, digits);
  if (!exact) return {};
  const std::vector<Event> kinds = problem.model(As<double>{})->events();
  EventTimes times;
  for (const ExactEvent& event : *exact) times[kinds.at(static_cast<std::size_t>(event.event)).name].push_back(event.t);
  return times;
}

EventTimes times_of(const EventsRecord& events) {
  EventTimes times;
  for (const auto& [event, t] : events.list) times[event].push_back(t);
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
struct EventComparison {
  long missed = 0, extra = 0;
  Real50 largest_error = 0;
};

EventComparison compare_events(const EventTimes& found, const EventTimes& exact) {
  EventComparison result;
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
  static constexpr const char* source = "Ren, Zhou 2020, sections 3, after eq. (36), and 5.3";
  static MemberUnits units() {
    return {{"/series/*/points/*/t", "s"}, {"/series/*/points/*/h", "s"}, {"/series/*/points/*/largest_error", "s"}};
  }

  std::string caption;
  bool figure = true;

  Options options() {
    return {option("caption", caption, "what the table compares; what its columns are is added to it"),
            option("figure", figure, "draw the largest error over the tolerance, or over the step size")};
  }

  void check(const Config& config) const {
    for (std::size_t i = 0; i < config.runs.size(); ++i) {
      const Problem& problem = integration(config, i).problem();
      if (problem.model(As<double>{})->events().empty())
        throw InputError("/runs", fmt::format("run '{}': {} has no events", config.labels[i], problem.name()));
      if (!config.reference) {
        if (!problem.exact_events(Real50(0), digits))
          throw InputError("/reference", fmt::format("is missing, and {} has no exact event times", problem.name()));
        if (integration(config, i).start().replaces())
          throw InputError("/reference", fmt::format("is missing, and the exact event times of {} are those of its own "
                                                     "start values",
                                                     problem.name()));
      } else if (const Json& reference = static_cast<const Run&>(*config.reference).json()["problem"];
                 reference != problem.spec()) {
        throw InputError("/reference/problem",
                         fmt::format("{} here, but {} in the runs", spec_text(reference), spec_text(problem.spec())));
      }
    }
  }

  using Result = EventsResult;
  using Point = Result::Point;

  Result evaluate(const Config& config, const std::vector<FinishedRun>& runs, const FinishedRun* reference) const {
    Result result;
    for (const RunGroup& group : group_runs(config, leave_out_steps)) {
      Result::Series& series = result.series.emplace_back();
      series.label = group.label, series.factors = group.factors, series.spec = group.spec;
      series.controlled = runs[group.runs.front()].run->spec().adaptive();
      for (const std::size_t i : group.runs) series.points.push_back(point(runs[i], reference));
      if (!series.controlled) series.order = order(series.points);
    }
    return result;
  }

  Artifacts present(const Config& config, const Result& result) const {
    Artifacts artifacts;
    for (const auto& series : result.series)
      for (const Point& p : series.points)
        if (p.status != StatusCode::ok)
          artifacts.notes.push_back(fmt::format("{}: {} - {}", p.label, to_string(p.status), p.cause));
    artifacts.tables.push_back(table(config, result));
    if (figure)
      if (Figure drawn = error_figure(config, result); !drawn.panels.empty())
        artifacts.figures.push_back(std::move(drawn));
    return artifacts;
  }

 private:
  // ----- numbers -----

  static Point point(const FinishedRun& run, const FinishedRun* reference) {
    const RunRecord& record = run.record;
    const RunSpec& spec = run.run->spec();
    Point point;
    point.label = run.label, point.status = record.status, point.cause = record.cause;
    point.steps_text = steps_text(spec);
    point.rtol = spec.rtol, point.atol = spec.atol, point.atol_velocity = spec.atol_velocity, point.h = spec.h;
    point.t = number_in(record.scalar, record.state.t);
    point.steps = record.stats.steps, point.rejected = record.stats.rejected;
    if (!record.events) return point;  // the method refused the form, or the start failed
    const EventTimes found = times_of(*record.events);
    point.events = count(found);
    if (count(found) > 0)
      point.steps_per_event = static_cast<double>(record.stats.steps) / static_cast<double>(count(found));
    const Real50 part(record.ok() ? "1" : part_of_failed_runs);
    const Real50 horizon = part * record.state.t;
    const auto exact = reference ? std::optional(until(times_of(*reference->record.events), horizon))
                                 : exact_times(run.run->problem(), horizon);
    if (!exact) return point;
    const EventComparison comparison = compare_events(until(found, horizon), *exact);
    point.missed = comparison.missed, point.extra = comparison.extra;
    point.largest_error = static_cast<double>(comparison.largest_error);
    if (spec.adaptive()) point.error_over_tolerance = *point.largest_error / spec.rtol->as<double>();
    return point;
  }

  static OrderEstimate order(const std::vector<Point>& all) {
    std::vector<OrderPoint> points;
    OrderOptions options;
    for (const Point& p : all)
      if (p.status == StatusCode::ok && p.largest_error)
        points.push_back(order_point(p.h->as<double>(), *p.largest_error));
      else
        ++options.failed;
    return estimate_order(points, options);
  }

  // ----- table -----

  Table table(const Config& config, const Result& result) const {
    bool controlled = false;
    for (const auto& series : result.series)
      for (const Point& p : series.points) controlled = controlled || p.error_over_tolerance;
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
    for (const auto& series : result.series)
      for (const Point& p : series.points) {
        TableRow row{series.label, p.steps_text, p.events, p.missed, p.extra, p.largest_error};
        if (controlled) row.push_back(p.error_over_tolerance);
        row.push_back(p.steps), row.push_back(p.steps_per_event), row.push_back(to_string(p.status));
        table.rows.push_back(std::move(row));
      }
    return table;
  }

  // ----- figure -----

  Figure error_figure(const Config& config, const Result& result) const {
    Figure figure{config.name, "Largest error of an event's time.", {}};
    if (Panel panel = error_panel(result, true, "tolerance rtol"); !panel.series.empty()) {
      add_bound(panel);
      figure.caption += " With error control, against the tolerance; thin: ten times the tolerance.";
      figure.panels.push_back(std::move(panel));
    }
    if (Panel panel = error_panel(result, false, "step size h [s]"); !panel.series.empty()) {
      figure.caption += " With fixed steps, against their size.";
      figure.panels.push_back(std::move(panel));
    }
    return figure;
  }

  // Errors of zero are not drawn: the axis is logarithmic.
  static Panel error_panel(const Result& result, bool controlled, const char* label) {
    Panel panel;
    panel.x_label = label, panel.y_label = "error of event times [s]", panel.log_x = panel.log_y = true;
    for (const auto& series : result.series) {
      if (series.controlled != controlled) continue;
      Series curve;
      curve.label = series.label, curve.factors = series.factors, curve.style = CurveStyle::line_points;
      for (const Point& p : series.points) {
        if (!p.largest_error || *p.largest_error == 0) continue;
        curve.x.push_back((controlled ? p.rtol : p.h)->as<double>()), curve.y.push_back(*p.largest_error);
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
    bound.label = "10 rtol", bound.style = CurveStyle::reference;
    bound.x = {least, largest}, bound.y = {10 * least, 10 * largest};
    panel.series.push_back(std::move(bound));
  }
};

const ExperimentEntry<Events> events_entry;

}  // namespace

void members(JsonMembers& json, EventsResult::Point& p) {
  json("label", p.label)("status", p.status)("cause", p.cause)("t", p.t)("steps", p.steps)("rejected", p.rejected);
  json("rtol", p.rtol)("atol", p.atol)("atol_velocity", p.atol_velocity)("h", p.h)("steps_text", p.steps_text);
  json("events", p.events)("missed", p.missed)("extra", p.extra)("largest_error", p.largest_error);
  json("error_over_tolerance", p.error_over_tolerance)("steps_per_event", p.steps_per_event);
}

void members(JsonMembers& json, EventsResult::Series& series) {
  json("label", series.label)("spec", series.spec)("points", series.points);
  json.derived("largest", [&series] {
    Json all = Json::object();
    const Json points(series.points);
    for (const char* key : {"missed", "extra", "largest_error", "error_over_tolerance", "steps_per_event"}) {
      Json& largest = all[key] = nullptr;
      for (const Json& point : points)
        if (!point[key].is_null() && (largest.is_null() || point[key] > largest.get<double>())) largest = point[key];
    }
    return all;
  });
  json.where_given("order", series.order)("factors", series.factors)("controlled", series.controlled);
}

void members(JsonMembers& json, EventsResult& result) { json("series", result.series); }

}  // namespace daelab
