// Order reduction: the observed order of a method as a problem turns stiff, or as its constraints are imposed at
// another level.
#include "experiments/kinds/order_reduction.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "analysis/stiff_order.hpp"
#include "core/integration/method.hpp"
#include "experiments/measures/observed_orders.hpp"
#include "lab/runs/labels.hpp"
#include "lab/runs/steps.hpp"

namespace daelab {
namespace {

// |L| h up to which the classical order is expected, and from which that of the stiff limit; between them neither.
constexpr double nonstiff = 1, stiff = 10;

using Limits = OrderReductionResult::Limits;

// The series that differ in the varied key only.
struct Family {
  Json spec;  // without it
  std::vector<OrderSeries> series;
};

struct OrderReduction {
  static constexpr const char* name = "order-reduction";
  static constexpr const char* summary =
      "Observed orders against stiffness times step size, or against the formulation, beside those of theory.";
  static constexpr const char* source = "Prothero, Robinson 1974; Hairer, Wanner 1996, Secs. IV.15, VI.1, VII.4-7";
  static MemberUnits units() {
    return {{"/series/*/t_end", "s"}, {"/series/*/points/*/h", "s"}, {"/series/*/points/*/dividing_step", "s"}};
  }

  std::string caption = "Observed orders (95 %) and those of theory", over = "/problem/rate";

  Options options() {
    return {option("caption", caption, "caption of the table"),
            option("over", over,
                   "what the curves differ in: /problem/rate, or any number of an ordinary differential equation that "
                   "is its stiffness L; /formulation; another key of the runs")};
  }

  void check(const Config& config) const {
    require_fixed_steps(config, "/runs", "observed orders need");
    common_classes(config, "/runs");
    for (const OrderSeries& series : series_of(config)) {
      if (!over.starts_with("/") || !series.spec.contains(Json::json_pointer(over)))
        throw InputError("/over", fmt::format("the runs '{}' have no {}", series.label, over));
      check_reference(config, *series.run);
    }
  }

  using Result = OrderReductionResult;

  Result evaluate(const Config& config, const std::vector<FinishedRun>& runs, const FinishedRun* reference_run) const {
    Result result{reference_failure(reference_run), {}, {}};
    if (!result.failure.empty()) return result;
    result.series = observe_orders(config, runs, reference_run, {}, [this](const Run& run) {
      return stiffness(run, run.json()) ? ExpectedOrders{} : expected_orders(run);
    });
    for (OrderSeries& series : result.series) {
      const auto L = stiffness(series);
      result.limits.push_back(L ? std::optional(expect_limit(series, *L)) : std::nullopt);
    }
    return result;
  }

  Artifacts present(const Config& config, const Result& result) const {
    Artifacts artifacts;
    if (!result.failure.empty()) {
      artifacts.notes.push_back(result.failure);
      return artifacts;
    }
    for (const OrderSeries& series : result.series)
      for (std::string& note : order_notes(series)) artifacts.notes.push_back(std::move(note));
    artifacts.tables.push_back(order_table(config.name, caption + ".", result.series));
    const std::vector<Family> families = families_of(result.series);
    for (std::size_t f = 0; f < families.size(); ++f)
      for (const std::string& kind : families[f].series.front().classes)
        artifacts.figures.push_back(figure(fmt::format("{}-{}-{}", config.name, f + 1, kind), families[f], kind));
    return artifacts;
  }

  // Between neighbouring steps, at the geometric mean of both.
  static Series local_orders(const OrderSeries& series, const std::string& kind) {
    Series curve;
    curve.style = CurveStyle::line_points;
    const ErrorPoint* coarse = nullptr;
    for (const ErrorPoint& fine : series.points) {
      if (!fine.shows_order()) continue;
      if (coarse)
        if (const auto order = order_between(*coarse, fine, kind)) {
          curve.x.push_back(std::sqrt(coarse->h.as<double>() * fine.h.as<double>()));
          curve.y.push_back(*order);
        }
      coarse = &fine;
    }
    return curve;
  }

 private:
  // |L|; nothing where the curves differ in something else.
  std::optional<double> stiffness(const OrderSeries& series) const { return stiffness(*series.run, series.spec); }
  std::optional<double> stiffness(const Run& run, const Json& spec) const {
    const Json& value = spec[Json::json_pointer(over)];
    if (!run.is_ode() || (!value.is_number() && !value.is_string())) return {};
    try {
      return std::abs(exact_from_json(value, over).as<double>());
    } catch (const InputError&) {
      return {};  // a name
    }
  }

  static Limits limits_of(const Run& run) {
    Limits limits;
    const ExpectedOrders classical = expected_orders(run);
    if (const auto p = classical.of.find("y"); p != classical.of.end()) limits.classical = p->second;
    const StiffOrder stiff = stiff_order(run.method().form());
    if (stiff.order) limits.stiff = *stiff.order;
    const auto text = [](const std::optional<double>& p) { return p ? fmt::format("{:g}", *p) : std::string("-"); };
    limits.source =
        fmt::format("|L| h → 0: {}; → ∞: {} ({})", text(limits.classical), text(limits.stiff), stiff.source);
    return limits;
  }

  // Theory knows both limits: the one in which all points lie that decide the order is compared with it.
  static Limits expect_limit(OrderSeries& series, double L) {
    const Limits limits = limits_of(*series.run);
    series.expected.source = limits.source;
    OrderEstimate& estimate = series.orders.at("y");
    const std::vector<double> h = error_curve(series, "y").x;
    if (!estimate.used_points.empty()) {
      const double coarse = L * h[estimate.used_points.front()], fine = L * h[estimate.used_points.back()];
      const std::optional<double> theory = coarse <= nonstiff ? limits.classical
                                           : fine >= stiff    ? limits.stiff
                                                              : std::nullopt;
      if (theory) compare_with_theory(estimate, *theory);
    }
    return limits;
  }

  std::vector<Family> families_of(std::vector<OrderSeries> all) const {
    const Json::json_pointer pointer(over);
    std::vector<Family> families;
    for (OrderSeries& series : all) {
      Json spec = series.spec;
      spec.erase(pointer);
      auto place = std::find_if(families.begin(), families.end(), [&](const Family& f) { return f.spec == spec; });
      if (place == families.end()) place = families.insert(place, {std::move(spec), {}});
      place->series.push_back(std::move(series));
    }
    return families;
  }

  std::string curve_label(const OrderSeries& series) const {
    const Json& value = series.spec[Json::json_pointer(over)];
    const std::string key = over.substr(over.rfind('/') + 1);
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    return value.is_string() && !stiffness(series) ? text : key + " = " + text;
  }

  Figure figure(const std::string& id, const Family& family, const std::string& kind) const {
    const Json& spec = family.spec;
    const bool stiff_family = stiffness(family.series.front()).has_value();
    Panel errors, orders;
    errors.x_label = "step size h [s]", errors.log_x = errors.log_y = orders.log_x = true;
    errors.y_label = fmt::format("error of {} at t = {} s", kind, spec["t_end"].get<std::string>());
    orders.x_label = stiff_family ? "stiffness × step size |L| h" : "step size h [s], geometric mean of two runs";
    orders.y_label = "observed order of " + kind;
    for (const OrderSeries& series : family.series) {
      errors.series.push_back(error_curve(series, kind));
      orders.series.push_back(local_orders(series, kind));
      for (double& x : orders.series.back().x) x *= stiffness(series).value_or(1);
      errors.series.back().label = orders.series.back().label = curve_label(series);
    }
    add_limits(orders, family, kind);
    std::vector<const OrderSeries*> shown;
    for (const OrderSeries& series : family.series) shown.push_back(&series);
    for (Series& line : theory_lines(shown, {kind})) errors.series.push_back(std::move(line));
    return {id,
            fmt::format("{} on {}: error of {} at the end time, and the order observed between neighbouring step sizes "
                        "against {}.",
                        method_words(spec["method"]), problem_words(spec["problem"]), kind,
                        stiff_family ? "stiffness times step size" : "the step size"),
            {errors, orders}};
  }

  // Level lines at the orders of theory.
  void add_limits(Panel& panel, const Family& family, const std::string& kind) const {
    std::map<double, std::string> levels;
    for (const OrderSeries& series : family.series)
      if (const auto& theory = series.orders.at(kind).theory)
        levels[*theory] = fmt::format("order {:g} (theory)", *theory);
    double least = HUGE_VAL, largest = 0;
    for (const Series& curve : panel.series)
      for (const double x : curve.x) least = std::min(least, x), largest = std::max(largest, x);
    if (!(least < largest)) return;
    for (const auto& [order, label] : levels) {
      Series line;
      line.label = label, line.style = CurveStyle::reference;
      line.x = {least, largest}, line.y = {order, order};
      panel.series.push_back(std::move(line));
    }
  }
};

const ExperimentEntry<OrderReduction> order_reduction_entry;

// ----- as JSON -----

Json local_orders_json(const OrderSeries& series) {
  Json json = Json::object();
  for (const std::string& kind : series.classes) {
    const Series curve = OrderReduction::local_orders(series, kind);
    json[kind] = {{"h", curve.x}, {"order", curve.y}};
  }
  return json;
}

}  // namespace

void members(JsonMembers& json, OrderReductionResult::Limits& limits) {
  json("classical", limits.classical)("stiff", limits.stiff)("source", limits.source);
}

void members(JsonMembers& json, OrderReductionResult& result) {
  std::size_t s = 0;
  json("failure", result.failure).list("series", result.series, [&](JsonMembers& of, OrderSeries& series) {
    if (of.from()) result.limits.emplace_back();
    members(of, series);
    of("limits", result.limits[s++]).derived("local_orders", [&] { return local_orders_json(series); });
  });
}

}  // namespace daelab
