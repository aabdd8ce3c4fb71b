// Convergence: error at the end time against the step size, with the observed order per component
// class and its verdict.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "analysis/order_estimate.hpp"
#include "experiments/accuracy.hpp"
#include "experiments/component.hpp"
#include "experiments/figure_spec.hpp"
#include "experiments/steps.hpp"

namespace daelab {
namespace {

struct ErrorFigure {
  std::string id, caption;
  std::vector<std::string> components{"q"};
  std::vector<std::string> component_labels;
  std::vector<std::string> series;
  std::vector<Exact> slopes;

  Options options() {
    return {option("id", id, "file stem"),
            option("caption", caption, "what is shown, and how it was made"),
            option("components", components,
                   "curves: a class (q, v, a, lambda: largest component) or one component (q1, v3, ...)"),
            option("component_labels", component_labels, "their names in the legend, when not q1, q2, ..."),
            option("series", series, "labels of the series shown; empty: all"),
            option("slopes", slopes, "reference slopes to draw")};
  }
};

struct Theory {
  std::optional<Exact> q, v, a, lambda;
  Options options() {
    return {option("q", q, "order of q"), option("v", v, "order of v"), option("a", a, "order of a"),
            option("lambda", lambda, "order of the multipliers")};
  }
};

// One method and formulation over all its step sizes, coarse to fine.
struct SeriesOfRuns {
  Json spec;  // without h
  std::string label;
  std::vector<const Json*> records;
};

Exact step_of(const Json& record) { return Exact(record["spec"]["h"].get<std::string>()); }

// `runs` may be left out: the series alone, without records.
std::vector<SeriesOfRuns> group(const Config& config, const std::vector<LabelledRun>& runs) {
  std::vector<SeriesOfRuns> series;
  for (const RunGroup& group : group_runs(config, "/h")) {
    SeriesOfRuns& s = series.emplace_back(SeriesOfRuns{group.spec, group.label, {}});
    for (const std::size_t i : group.runs)
      if (!runs.empty()) s.records.push_back(&runs[i].record);
    std::stable_sort(s.records.begin(), s.records.end(), [](const Json* a, const Json* b) {
      return step_of(*a).value() > step_of(*b).value();
    });
  }
  return series;
}

struct Convergence {
  static constexpr const char* name = "convergence";
  static constexpr const char* summary =
      "Error at the end time against the step size; observed orders of q, v, a, lambda.";
  static constexpr const char* source = "Li, Ding, Li 2019, figures 8-13";

  std::string caption = "Errors at the end time (infinity norm per component class) and observed orders (EOC) between "
                        "neighbouring step sizes";
  Theory theory;
  std::vector<ErrorFigure> figures;

  Options options() {
    return {option("caption", caption, "caption of the tables"),
            option("theory", theory, "orders expected, shown beside the measured ones"),
            option("figures", figures, "error-against-step figures; none: one of q, v, a and lambda")};
  }

  void check(const Config& config) const {
    require_fixed_steps(config, "/runs", "observed orders need");
    const std::vector<SeriesOfRuns> all = group(config, {});
    for (const SeriesOfRuns& series : all) check_reference(config, series.spec);
    std::set<std::string> used;
    for (std::size_t f = 0; f < figures.size(); ++f) {
      const std::string where = fmt::format("/figures/{}", f);
      check_figure_id(figures[f].id, used, where);
      check_series(figures[f], all, where);
      check_labels(figures[f], where);
      for (const SeriesOfRuns& series : all)
        check_components(figures[f].components, series.spec, where + "/components");
    }
  }

  Evaluation evaluate(const Config& config, const std::vector<LabelledRun>& runs, const Json& reference_run) const {
    Evaluation evaluation;
    evaluation.analysis = {{"series", Json::array()}};
    if (const std::string failure = reference_failure(reference_run); !failure.empty()) {
      evaluation.artifacts.notes.push_back(failure);
      return evaluation;
    }
    std::vector<SeriesOfRuns> all = group(config, runs);
    std::vector<ReferenceSolution> references;
    for (std::size_t s = 0; s < all.size(); ++s) {
      references.push_back(reference_solution(all[s].spec, reference_run));
      evaluation.analysis["series"].push_back(analyse(all[s], references[s], evaluation.artifacts.notes));
      evaluation.artifacts.tables.push_back(
          error_table(config.name + "-" + std::to_string(s + 1), all[s], references[s]));
    }
    for (const ErrorFigure& figure : figures.empty() ? default_figures(config) : figures)
      evaluation.artifacts.figures.push_back(error_figure(figure, all, references));
    return evaluation;
  }

 private:
  static void check_series(const ErrorFigure& figure, const std::vector<SeriesOfRuns>& all, const std::string& where) {
    std::vector<std::string> known;
    for (const SeriesOfRuns& series : all) known.push_back(series.label);
    for (const std::string& wanted : figure.series)
      if (std::find(known.begin(), known.end(), wanted) == known.end())
        throw InputError(where + "/series", fmt::format("no series '{}'; there are: {}", wanted, fmt::join(known, "; ")));
  }

  static void check_labels(const ErrorFigure& figure, const std::string& where) {
    if (!figure.component_labels.empty() && figure.component_labels.size() != figure.components.size())
      throw InputError(where + "/component_labels", fmt::format("{} names for {} components", figure.component_labels.size(),
                                                                figure.components.size()));
  }

  std::optional<Exact> theoretical(const std::string& kind) const {
    return kind == "q" ? theory.q : kind == "v" ? theory.v : kind == "a" ? theory.a : theory.lambda;
  }

  Json analyse(const SeriesOfRuns& series, const ReferenceSolution& reference, std::vector<std::string>& notes) const {
    Json orders = Json::object(), points = Json::array();
    for (const Json* record : series.records) {
      Json point = {{"h", (*record)["spec"]["h"]}, {"status", (*record)["status"]}};
      if ((*record)["status"] == "ok")
        for (const char* kind : component_classes) point[kind] = static_cast<double>(error_of(*record, reference, kind));
      else
        notes.push_back(fmt::format("{}, h = {}: {} - {}", series.label, (*record)["spec"]["h"].get<std::string>(),
                                    (*record)["status"].get<std::string>(), (*record)["cause"].get<std::string>()));
      points.push_back(std::move(point));
    }
    for (const char* kind : component_classes) {
      const OrderEstimate estimate = observed(series, reference, kind);
      orders[kind] = estimate;
      notes.push_back(fmt::format("{}, {}: {}", series.label, kind, estimate.verdict));
    }
    return {{"label", series.label}, {"spec", series.spec}, {"reference", reference.source},
            {"orders", std::move(orders)}, {"points", std::move(points)}};
  }

  OrderEstimate observed(const SeriesOfRuns& series, const ReferenceSolution& reference, const std::string& kind) const {
    std::vector<OrderPoint> points;
    OrderOptions options;
    options.log10_floor = reference.log10_floor;
    if (const auto p = theoretical(kind)) options.theory = p->as<double>();
    for (const Json* record : series.records)
      if ((*record)["status"] == "ok")
        points.push_back(order_point(step_of(*record).as<Real50>(), error_of(*record, reference, kind)));
      else
        ++options.failed;
    return estimate_order(points, options);
  }

  Table error_table(const std::string& id, const SeriesOfRuns& series, const ReferenceSolution& reference) const {
    const Json& spec = series.spec;
    const std::string what = fmt::format("{}: {} ({} on {}, t = {} s).", caption, series.label,
                                         spec["method"].contains("A") ? spec["method"]["name"].get<std::string>()
                                                                      : spec_text(spec["method"]),
                                         spec["formulation"].get<std::string>(), spec["t_end"].get<std::string>());
    Table table{id, what, {{"h [s]", "$h$ [s]", CellFormat::text, 0}}, {}};
    for (const char* kind : component_classes) {
      const std::string tex = std::string(kind) == "lambda" ? "$\\lambda$" : fmt::format("${}$", kind);
      table.columns.push_back({kind, tex, CellFormat::scientific, 3});
      table.columns.push_back({"EOC", "", CellFormat::fixed, 2});
    }
    table.columns.push_back({"Status", "", CellFormat::text, 0});
    const Json* previous = nullptr;
    for (const Json* record : series.records) {
      const bool ok = (*record)["status"] == "ok";
      Json row = Json::array({(*record)["spec"]["h"]});
      for (const char* kind : component_classes) {
        row.push_back(ok ? Json(static_cast<double>(error_of(*record, reference, kind))) : Json());
        row.push_back(ok && previous ? observed_order(*previous, *record, reference, kind) : Json());
      }
      row.push_back((*record)["status"]);
      table.rows.push_back(std::move(row));
      previous = ok ? record : nullptr;
    }
    return table;
  }

  static Json observed_order(const Json& coarse, const Json& fine, const ReferenceSolution& reference,
                             const std::string& kind) {
    const Real50 ratio = error_of(coarse, reference, kind) / error_of(fine, reference, kind);
    const Real50 steps = step_of(coarse).as<Real50>() / step_of(fine).as<Real50>();
    const double order = static_cast<double>(Real50(log(ratio) / log(steps)));
    return std::isfinite(order) ? Json(order) : Json();
  }

  static std::vector<ErrorFigure> default_figures(const Config& config) {
    std::vector<ErrorFigure> list;
    for (const char* kind : component_classes) {
      ErrorFigure figure;
      figure.id = config.name + "-" + kind;
      figure.caption = fmt::format("Largest error of {} at the end time against the step size.", kind);
      figure.components = {kind};
      list.push_back(figure);
    }
    return list;
  }

  Figure error_figure(const ErrorFigure& spec, const std::vector<SeriesOfRuns>& all,
                      const std::vector<ReferenceSolution>& references) const {
    Panel panel;
    panel.x_label = "step size h [s]", panel.y_label = y_label(spec, all);
    panel.log_x = panel.log_y = true;
    std::vector<std::size_t> shown;
    for (std::size_t s = 0; s < all.size(); ++s)
      if (spec.series.empty() || std::find(spec.series.begin(), spec.series.end(), all[s].label) != spec.series.end())
        shown.push_back(s);
    for (const std::size_t s : shown)
      for (std::size_t c = 0; c < spec.components.size(); ++c) {
        Series curve = error_curve(all[s], references[s], spec.components[c]);
        const std::string component = spec.component_labels.empty() ? spec.components[c] : spec.component_labels[c];
        if (spec.components.size() > 1) curve.label = component;
        if (shown.size() > 1) curve.label = all[s].label + (curve.label.empty() ? "" : ", " + curve.label);
        panel.series.push_back(std::move(curve));
      }
    const std::vector<Series> curves = panel.series;
    for (const Exact& slope : spec.slopes)
      if (const Series* curve = nearest_curve(curves, slope)) panel.series.push_back(slope_line(*curve, slope));
    return {spec.id, spec.caption, {panel}};
  }

  // "error of q at t = 1 s"
  static std::string y_label(const ErrorFigure& spec, const std::vector<SeriesOfRuns>& all) {
    std::string label = "error";
    const auto kind_of = [](const std::string& c) { return component_or_class(c, "/components").kind; };
    const std::string kind = kind_of(spec.components.front());
    if (std::all_of(spec.components.begin(), spec.components.end(), [&](const auto& c) { return kind_of(c) == kind; }))
      label += " of " + kind;
    const Json& t_end = all.front().spec["t_end"];
    if (std::all_of(all.begin(), all.end(), [&](const SeriesOfRuns& s) { return s.spec["t_end"] == t_end; }))
      label += " at t = " + t_end.get<std::string>() + " s";
    return label;
  }

  static Series error_curve(const SeriesOfRuns& series, const ReferenceSolution& reference, const std::string& component) {
    Series curve;
    curve.style = "line-points";
    for (const Json* record : series.records) {
      if ((*record)["status"] != "ok") continue;
      curve.x.push_back(step_of(*record).as<double>());
      curve.y.push_back(static_cast<double>(error_of(*record, reference, component)));
    }
    return curve;
  }

  // The curve whose slope at its fine end is nearest; the first of equals. Null when none has two points.
  static const Series* nearest_curve(const std::vector<Series>& curves, const Exact& slope) {
    const Series* nearest = nullptr;
    double least = 0;
    for (const Series& curve : curves) {
      const std::size_t n = curve.x.size();
      if (n < 2) continue;
      const double p = std::log(curve.y[n - 2] / curve.y[n - 1]) / std::log(curve.x[n - 2] / curve.x[n - 1]);
      const double distance = std::abs(p - slope.as<double>());
      if (nearest && !(distance < 0.9 * least)) continue;
      nearest = &curve, least = distance;
    }
    return nearest;
  }

  // A line of the given slope, a factor 3 below the fine end of a curve.
  static Series slope_line(const Series& curve, const Exact& slope) {
    Series line;
    line.label = "slope " + slope.text();
    line.style = "reference";
    const double p = slope.as<double>();
    const double h = curve.x.back(), error = curve.y.back() / 3;
    for (const double x : {curve.x.front(), h}) {
      line.x.push_back(x);
      line.y.push_back(error * std::pow(x / h, p));
    }
    return line;
  }
};
const ExperimentEntry<Convergence> entry;

}  // namespace
}  // namespace daelab
