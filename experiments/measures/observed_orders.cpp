#include "experiments/measures/observed_orders.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "analysis/predicted_order.hpp"
#include "core/integration/method.hpp"
#include "experiments/measures/fastest_mode.hpp"
#include "lab/runs/labels.hpp"
#include "lab/runs/steps.hpp"
#include "results/record_values.hpp"

namespace daelab {
namespace {

// More reference lines than this hide the curves.
constexpr std::size_t most_lines = 3;

ErrorPoint error_point(const FinishedRun& run, const ReferenceSolution& reference,
                       const std::vector<std::string>& components, const TimeNorm& norm) {
  const RunRecord& record = run.record;
  const RunSpec& spec = run.run->spec();
  ErrorPoint point{*spec.h, record.status, record.cause, nearest_dividing_step(spec, run.run->length()), {}};
  if (record.ok())
    for (const std::string& component : components)
      point.error[component] = error_of(record, reference, component, norm);
  return point;
}

bool stands_out(const OrderEstimate& estimate) {
  return !estimate.agreement.empty() && estimate.agreement != agreement::agrees;
}

// "4", "4, differs", "4, above theory"; "-" where theory is silent.
std::string theory_text(const OrderEstimate& estimate) {
  if (!estimate.theory) return "-";
  return fmt::format("{:g}{}", *estimate.theory, stands_out(estimate) ? ", " + estimate.agreement : "");
}

// What the words beside theory mean; only where there is one.
std::string words_explained(const std::vector<OrderSeries>& all) {
  constexpr std::pair<const char*, const char*> meanings[] = {
      {agreement::differs, " Differs: the orders between neighbouring steps have settled below theory."},
      {agreement::above,
       " Above theory: the orders between neighbouring steps have settled above it, which is no evidence against a "
       "lower "
       "bound."},
      {agreement::not_settled,
       " Not settled: theory lies outside the interval, but orders between neighbouring steps still move, or are too "
       "few, "
       "to say more."},
      {agreement::stiff_window,
       " Stiff window: the steps are too long for the fastest mode of the equations, so that the errors show other "
       "orders than smaller steps do."},
      {agreement::does_not_converge, " Does not converge: the errors are large and stand still."}};
  const auto is_used = [&](const std::string& word) {
    return std::ranges::any_of(all, [&](const OrderSeries& series) {
      return std::ranges::any_of(series.orders, [&](const auto& order) { return order.second.agreement == word; });
    });
  };
  std::string text;
  for (const auto& [word, meaning] : meanings)
    if (is_used(word)) text += meaning;
  return text;
}

// Algebraic states are states like the others: the lowest order is that of their class.
ExpectedOrders of_states(const PredictedOrders& predicted, int index) {
  if (!predicted.q) return {{}, predicted.source};
  if (index <= 1) return {{{"y", *predicted.q}}, "classical order"};
  int lowest = *predicted.q;
  for (const std::optional<int>& order : {predicted.v, predicted.a, predicted.lambda})
    if (order) lowest = std::min(lowest, *order);
  return {{{"y", lowest}}, fmt::format("index {}: {}", index, predicted.source)};
}

// Points finer than those of the fit are at the floor.
void add_fit(Series& curve, const OrderEstimate& estimate) {
  if (!estimate.decided) return;
  curve.fit = {estimate.order, estimate.half_width, estimate.used_points};
  if (estimate.at_floor == 0) return;
  double floor = 0;
  for (std::size_t i = estimate.used_points.back() + 1; i < curve.y.size(); ++i) floor = std::max(floor, curve.y[i]);
  if (floor > 0) curve.floor = floor;
}

}  // namespace

ExpectedOrders expected_orders(const Run& run) {
  const PredictedOrders predicted = predicted_orders(run.method(), run.equations());
  if (run.is_ode()) return of_states(predicted, run.equations().index);
  ExpectedOrders expected{{}, predicted.source};
  const std::pair<const char*, std::optional<int>> all[] = {
      {"q", predicted.q}, {"v", predicted.v}, {"a", predicted.a}, {"lambda", predicted.lambda}};
  for (const auto& [kind, order] : all)
    if (order) expected.of[kind] = *order;
  if (predicted.v) expected.of["y"] = *predicted.v;  // first-order states are integrated as velocities are
  return expected;
}

namespace {

// Runs that failed, or whose last step is shortened, have no point; options count them.
std::vector<OrderPoint> order_points(const OrderSeries& series, const std::string& kind, OrderOptions& options) {
  std::vector<OrderPoint> points;
  for (const ErrorPoint& point : series.points)
    if (point.shows_order())
      points.push_back(order_point(point.h.as<Real50>(), point.error.at(kind)));
    else
      ++(point.ok() ? options.shortened : options.failed);
  return points;
}

// Made when it is first asked for: most series contradict no theory.
class FastestModeOf {
 public:
  explicit FastestModeOf(const OrderSeries& series) : series_(series) {}
  const std::optional<FastestMode>& operator()() {
    if (!asked_ && series_.run) mode_ = fastest_mode(*series_.run, series_.end);
    asked_ = true;
    return mode_;
  }

 private:
  const OrderSeries& series_;
  bool asked_ = false;
  std::optional<FastestMode> mode_;
};

// The order that the points of a class show, compared with the theory that the series expects.
OrderEstimate observed_order(const OrderSeries& series, const std::string& kind, FastestModeOf& mode) {
  OrderOptions options;
  options.log10_floor = series.log10_floor;
  if (const auto theory = series.expected.of.find(kind); theory != series.expected.of.end())
    options.theory = theory->second;
  const std::vector<OrderPoint> points = order_points(series, kind, options);
  OrderEstimate estimate = estimate_order(points, options);
  if (contradicts_theory(estimate) && mode()) doubt_stiff_window(estimate, points, *mode());
  return estimate;
}

}  // namespace

void fit_orders(OrderSeries& series) {
  std::ranges::stable_sort(series.points,
                           [](const ErrorPoint& a, const ErrorPoint& b) { return a.h.value() > b.h.value(); });
  FastestModeOf mode(series);
  for (const std::string& kind : series.classes) series.orders[kind] = observed_order(series, kind, mode);
}

std::vector<OrderSeries> series_of(const Config& config) {
  std::vector<OrderSeries> all;
  for (const RunGroup& group : group_runs(config, "/h")) {
    OrderSeries& series = all.emplace_back();
    series.spec = group.spec, series.label = group.label, series.factors = group.factors;
    series.run = std::static_pointer_cast<const Run>(config.runs[group.runs.front()]);
    series.method = series.run->method().name(), series.formulation = series.run->formulation_text();
    series.t_end = series.run->t_end(), series.classes = series.run->classes();
  }
  return all;
}

std::vector<OrderSeries> observe_orders(const Config& config, const std::vector<FinishedRun>& runs,
                                        const FinishedRun* reference_run, const std::vector<std::string>& components,
                                        const std::function<ExpectedOrders(const Run& run)>& expect,
                                        const TimeNorm& norm) {
  const auto reference_of = [&](const Run& run) { return reference_solution(run, reference_run); };
  return observe_orders(config, runs, reference_of, components, expect, norm);
}

std::vector<OrderSeries> observe_orders(const Config& config, const std::vector<FinishedRun>& runs,
                                        const std::function<ReferenceSolution(const Run& run)>& reference_of,
                                        const std::vector<std::string>& components,
                                        const std::function<ExpectedOrders(const Run& run)>& expect,
                                        const TimeNorm& norm) {
  std::vector<OrderSeries> all = series_of(config);
  const std::vector<RunGroup> groups = group_runs(config, "/h");
  for (std::size_t g = 0; g < all.size(); ++g) {
    OrderSeries& series = all[g];
    const ReferenceSolution reference = reference_of(*series.run);
    std::vector<std::string> measured = series.classes;
    measured.insert(measured.end(), components.begin(), components.end());
    for (const std::size_t i : groups[g].runs) {
      series.points.push_back(error_point(runs[i], reference, measured, norm));
      if (runs[i].record.ok()) series.end = runs[i].record.state;
    }
    series.reference = reference.source, series.known = reference.known;
    if (!norm.relative) series.log10_floor = reference.log10_floor;  // an absolute one
    series.expected = expect(*series.run);
    fit_orders(series);
  }
  return all;
}

std::optional<double> order_between(const ErrorPoint& coarse, const ErrorPoint& fine, const std::string& component) {
  const Real50 errors = coarse.error.at(component) / fine.error.at(component);
  const Real50 steps = coarse.h.as<Real50>() / fine.h.as<Real50>();
  const double order = static_cast<double>(Real50(log(errors) / log(steps)));
  return std::isfinite(order) ? std::optional(order) : std::nullopt;
}

void members(JsonMembers& json, OrderSeries& series) {
  json("label", series.label)("spec", series.spec)("factors", series.factors)("method", series.method);
  json("formulation", series.formulation)("t_end", series.t_end)("classes", series.classes);
  json("reference", series.reference)("known", series.known)("log10_floor", series.log10_floor)("expected",
                                                                                                series.expected.source);
  json("theory", series.expected.of).group("orders", [&](JsonMembers& of) {
    for (const std::string& kind : series.classes) of(kind.c_str(), series.orders[kind]);
  });
  json.list("points", series.points, [&](JsonMembers& of, ErrorPoint& p) {
    of("h", p.h)("status", p.status)("cause", p.cause)("dividing_step", p.dividing_step);
    if (!p.ok()) return;
    of.derived("shows_order", [&] { return p.shows_order(); });
    for (const std::string& kind : series.classes)
      of.derived(kind.c_str(), [&] { return static_cast<double>(p.error.at(kind)); });
    of("errors", p.error);
  });
}

std::vector<std::string> order_notes(const OrderSeries& series) {
  std::vector<std::string> notes;
  for (const ErrorPoint& p : series.points)
    if (!p.ok())
      notes.push_back(fmt::format("{}, h = {}: {} - {}", series.label, p.h.text(), to_string(p.status), p.cause));
    else if (!p.shows_order())
      notes.push_back(
          fmt::format("{}, h = {}: left out of the orders, the last step is shortened: h does not divide "
                      "t_end = {}; {} does",
                      series.label, p.h.text(), series.t_end.text(), p.dividing_step));
  for (const std::string& kind : series.classes)
    notes.push_back(fmt::format("{}, {}: {}", series.label, kind, series.orders.at(kind).statement));
  return notes;
}

std::string shortened_steps_text(const std::vector<OrderSeries>& all) {
  std::vector<std::string> steps;
  int runs = 0;
  for (const OrderSeries& series : all)
    for (const ErrorPoint& p : series.points) {
      if (!p.ok() || p.shows_order()) continue;
      ++runs;
      const std::string text = fmt::format("{} (use {})", p.h.text(), p.dividing_step);
      if (std::ranges::find(steps, text) == steps.end()) steps.push_back(text);
    }
  if (runs == 0) return "";
  return fmt::format("{} left out of the orders, because the last step is shorter; h does not divide the interval: {}",
                     runs == 1 ? "1 run is" : fmt::format("{} runs are", runs), fmt::join(steps, ", "));
}

Table order_table(const std::string& id, const std::string& caption, const std::vector<OrderSeries>& all) {
  Table table{id, caption + words_explained(all), {{"Series", "", CellFormat::text, 0}}, {}};
  std::vector<std::string> kinds;  // of all: a table of another program need not give all
  for (const OrderSeries& series : all)
    for (const std::string& kind : series.classes)
      if (std::ranges::find(kinds, kind) == kinds.end()) kinds.push_back(kind);
  for (const std::string& kind : kinds) {
    table.columns.push_back({kind, class_tex(kind), CellFormat::text, 0});
    table.columns.push_back({"theory", "", CellFormat::text, 0});
  }
  table.columns.push_back({"Source", "", CellFormat::text, 0});
  for (const OrderSeries& series : all) {
    TableRow row{series.label};
    for (const std::string& kind : kinds) {
      const auto found = series.orders.find(kind);
      row.push_back(found != series.orders.end() ? TableCell(order_text(found->second)) : TableCell());
      row.push_back(found != series.orders.end() ? TableCell(theory_text(found->second)) : TableCell());
    }
    row.push_back(series.expected.source);
    table.rows.push_back(std::move(row));
  }
  return table;
}

Series error_curve(const OrderSeries& series, const std::string& component) {
  Series curve;
  curve.style = CurveStyle::line_points;
  for (const ErrorPoint& point : series.points) {
    if (!point.shows_order()) continue;
    curve.x.push_back(point.h.as<double>());
    curve.y.push_back(static_cast<double>(point.error.at(component)));
  }
  if (const auto order = series.orders.find(component); order != series.orders.end()) add_fit(curve, order->second);
  return curve;
}

void name_curve(Series& curve, const OrderSeries* series, const std::string& component) {
  if (series) curve.label = series->label, curve.factors = series->factors;
  if (!component.empty()) add_component(curve, component);
}

Series slope_line(const Series& curve, double slope, std::size_t anchor, const std::string& label) {
  Series line;
  line.label = label, line.style = CurveStyle::reference;
  for (const double x : {curve.x.front(), curve.x.back()}) {
    line.x.push_back(x);
    line.y.push_back(curve.y[anchor] / 3 * std::pow(x / curve.x[anchor], slope));
  }
  return line;
}

std::vector<Series> theory_lines(const std::vector<const OrderSeries*>& shown,
                                 const std::vector<std::string>& components) {
  std::map<double, Series> lines;  // by order; the first curve of each has it
  for (const OrderSeries* series : shown)
    for (const std::string& component : components) {
      const OrderEstimate& estimate = series->orders.at(component_or_class(component, "/components").kind);
      if (!estimate.theory || estimate.used_points.empty() || lines.contains(*estimate.theory)) continue;
      const std::string label = fmt::format("order {:g} (theory)", *estimate.theory);
      lines[*estimate.theory] =
          slope_line(error_curve(*series, component), *estimate.theory, estimate.used_points.back(), label);
    }
  std::vector<Series> list;
  if (lines.size() <= most_lines)
    for (auto& [order, line] : lines) list.push_back(std::move(line));
  return list;
}

}  // namespace daelab
