#include "experiments/measures/observed_orders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/predicted_order.hpp"
#include "core/integration/method.hpp"
#include "experiments/runs/steps.hpp"

namespace daelab {
namespace {

// More reference lines than this hide the curves.
constexpr std::size_t most_lines = 3;

OrderEstimate observed(const OrderSeries& series, const std::string& kind) {
  std::vector<OrderPoint> points;
  OrderOptions options;
  options.log10_floor = series.reference.log10_floor;
  if (const auto theory = series.expected.of.find(kind); theory != series.expected.of.end())
    options.theory = theory->second;
  for (const Json* record : series.records)
    if (shows_order(*record))
      points.push_back(order_point(step_of(*record).as<Real50>(), error_of(*record, series.reference, kind)));
    else
      ++(succeeded(*record) ? options.shortened : options.failed);
  return estimate_order(points, options);
}

std::string class_tex(const std::string& kind) { return kind == "lambda" ? "$\\lambda$" : fmt::format("${}$", kind); }

bool stands_out(const OrderEstimate& estimate) {
  return !estimate.agreement.empty() && estimate.agreement != agreement::agrees;
}

// "4", "4, differs", "4, not settled"; "-" where theory is silent.
std::string theory_text(const OrderEstimate& estimate) {
  if (!estimate.theory) return "-";
  return fmt::format("{:g}{}", *estimate.theory, stands_out(estimate) ? ", " + estimate.agreement : "");
}

// What the words beside theory mean; only where one stands.
std::string words_explained(const std::vector<OrderSeries>& all) {
  for (const OrderSeries& series : all)
    for (const auto& [kind, estimate] : series.orders)
      if (stands_out(estimate))
        return " Differs: the orders between neighbouring steps have settled elsewhere. Not settled: theory lies "
               "outside "
               "the interval, but these orders still move, or are too few, to say that it differs.";
  return "";
}

}  // namespace

ExpectedOrders expected_orders(const Json& spec) {
  const auto method = Registry<Method>::instance().make(spec["method"], "/method");
  const std::string formulation = spec["formulation"];
  const PredictedOrders predicted = predicted_orders(*method, formulation);
  if (formulation == "ode" && predicted.q) return {{{"y", *predicted.q}}, "classical order"};
  ExpectedOrders expected{{}, predicted.source};
  const std::pair<const char*, std::optional<int>> all[] = {
      {"q", predicted.q}, {"v", predicted.v}, {"a", predicted.a}, {"lambda", predicted.lambda}};
  for (const auto& [kind, order] : all)
    if (order) expected.of[kind] = *order;
  if (predicted.v) expected.of["y"] = *predicted.v;  // first-order states are integrated as velocities are
  return expected;
}

Exact step_of(const Json& record) { return Exact(record["spec"]["h"].get<std::string>()); }
bool succeeded(const Json& record) { return record["status"] == "ok"; }
bool shows_order(const Json& record) { return succeeded(record) && nearest_dividing_step(record["spec"]).empty(); }

std::vector<OrderSeries> series_of(const Config& config) {
  std::vector<OrderSeries> all;
  for (const RunGroup& group : group_runs(config, "/h")) all.push_back({group.spec, group.label, {}, {}, {}, {}});
  return all;
}

std::vector<OrderSeries> observe_orders(const Config& config, const std::vector<LabelledRun>& runs,
                                        const Json& reference_run,
                                        const std::function<ExpectedOrders(const Json& spec)>& expect) {
  std::vector<OrderSeries> all;
  for (const RunGroup& group : group_runs(config, "/h")) {
    OrderSeries& series = all.emplace_back(OrderSeries{group.spec, group.label, {}, {}, {}, {}});
    for (const std::size_t i : group.runs) series.records.push_back(&runs[i].record);
    std::stable_sort(series.records.begin(), series.records.end(),
                     [](const Json* a, const Json* b) { return step_of(*a).value() > step_of(*b).value(); });
    series.reference = reference_solution(series.spec, reference_run);
    series.expected = expect(series.spec);
    for (const std::string& kind : series.classes()) series.orders[kind] = observed(series, kind);
  }
  return all;
}

Json order_between(const Json& coarse, const Json& fine, const ReferenceSolution& reference,
                   const std::string& component) {
  const Real50 errors = error_of(coarse, reference, component) / error_of(fine, reference, component);
  const Real50 steps = step_of(coarse).as<Real50>() / step_of(fine).as<Real50>();
  const double order = static_cast<double>(Real50(log(errors) / log(steps)));
  return std::isfinite(order) ? Json(order) : Json();
}

Json orders_json(const OrderSeries& series) {
  Json orders = Json::object(), points = Json::array();
  for (const Json* record : series.records) {
    Json point = {{"h", (*record)["spec"]["h"]}, {"status", (*record)["status"]}};
    if (succeeded(*record)) {
      point["shows_order"] = shows_order(*record);
      for (const std::string& kind : series.classes())
        point[kind] = static_cast<double>(error_of(*record, series.reference, kind));
    }
    points.push_back(std::move(point));
  }
  for (const std::string& kind : series.classes()) orders[kind] = series.orders.at(kind);
  return {{"label", series.label},
          {"spec", series.spec},
          {"reference", series.reference.source},
          {"expected", series.expected.source},
          {"orders", std::move(orders)},
          {"points", std::move(points)}};
}

std::vector<std::string> order_notes(const OrderSeries& series) {
  std::vector<std::string> notes;
  for (const Json* record : series.records)
    if (!succeeded(*record))
      notes.push_back(fmt::format("{}, {}: {} - {}", series.label, steps_text((*record)["spec"]),
                                  (*record)["status"].get<std::string>(), (*record)["cause"].get<std::string>()));
    else if (const std::string near = nearest_dividing_step((*record)["spec"]); !near.empty())
      notes.push_back(fmt::format(
          "{}, {}: left out of the orders, the last step is shortened: h does not divide "
          "t_end = {}; {} does",
          series.label, steps_text((*record)["spec"]), (*record)["spec"]["t_end"].get<std::string>(), near));
  for (const std::string& kind : series.classes())
    notes.push_back(fmt::format("{}, {}: {}", series.label, kind, series.orders.at(kind).statement));
  return notes;
}

Table order_table(const std::string& id, const std::string& caption, const std::vector<OrderSeries>& all) {
  Table table{id, caption + words_explained(all), {{"Series", "", CellFormat::text, 0}}, {}};
  for (const std::string& kind : all.front().classes()) {
    table.columns.push_back({kind, class_tex(kind), CellFormat::text, 0});
    table.columns.push_back({"theory", "", CellFormat::text, 0});
  }
  table.columns.push_back({"Source", "", CellFormat::text, 0});
  for (const OrderSeries& series : all) {
    Json row = Json::array({series.label});
    for (const std::string& kind : series.classes()) {
      const OrderEstimate& estimate = series.orders.at(kind);
      row.push_back(order_text(estimate));
      row.push_back(theory_text(estimate));
    }
    row.push_back(series.expected.source);
    table.rows.push_back(std::move(row));
  }
  return table;
}

Series error_curve(const OrderSeries& series, const std::string& component) {
  Series curve;
  curve.style = "line-points";
  for (const Json* record : series.records) {
    if (!shows_order(*record)) continue;
    curve.x.push_back(step_of(*record).as<double>());
    curve.y.push_back(static_cast<double>(error_of(*record, series.reference, component)));
  }
  return curve;
}

Series slope_line(const Series& curve, double slope, std::size_t anchor, const std::string& label) {
  Series line;
  line.label = label, line.style = "reference";
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
