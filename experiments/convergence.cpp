// Convergence: error at the end time against the step size, with the observed order per component
// class and its verdict.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "analysis/order_estimate.hpp"
#include "core/problem.hpp"
#include "experiments/figure_spec.hpp"
#include "experiments/run.hpp"
#include "results/reference.hpp"

namespace daelab {
namespace {

constexpr const char* classes[] = {"q", "v", "a", "lambda"};

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

// The states compared with: stored, or the config's own reference run.
struct Reference {
  Vector<Real50> q, v, a, lambda;
  std::optional<double> log10_floor;
  std::string source;

  const Vector<Real50>& of(const std::string& kind) const {
    return kind == "q" ? q : kind == "v" ? v : kind == "a" ? a : lambda;
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

std::string kind_of(const std::string& component) { return component.substr(0, component.find_first_of("0123456789")); }

// 2 for q3, -1 for a whole class.
Index place_of(const std::string& component) {
  const auto digit = component.find_first_of("0123456789");
  return digit == std::string::npos ? -1 : std::atol(component.c_str() + digit) - 1;
}

std::string problem_text(Json spec) {
  spec.erase("end_time");
  return spec_text(spec);
}

Reference find(const Json& series_spec, const Json& run) {
  if (!run.is_null()) {
    return {record_vector(run["q"]), record_vector(run["v"]), record_vector(run["a"]),
            record_vector(run["lambda"]), {}, "reference run " + spec_text(run["spec"]["method"]) + ", h = " +
            run["spec"]["h"].get<std::string>() + ", " + run["spec"]["formulation"].get<std::string>()};
  }
  const Exact t_end(series_spec["t_end"].get<std::string>());
  const auto stored = find_reference(series_spec["problem"], t_end);
  if (!stored)
    throw InputError("/reference",
                     fmt::format("is missing, and no reference of {0} at t = {1} is stored; give a \"reference\" run, or "
                                 "store one with: daelab reference '{0}' --t {1} --store",
                                 problem_text(series_spec["problem"]), t_end.text()));
  return {stored->q, stored->v, stored->a, stored->lambda, -static_cast<double>(stored->digits_trusted),
          stored->source};
}

// Infinity norm of the error of a class, or the error of one component such as "q3".
Real50 error_of(const Json& record, const Reference& reference, const std::string& component) {
  const Vector<Real50> ours = record_vector(record[kind_of(component)]);
  const Vector<Real50>& exact = reference.of(kind_of(component));
  if (const Index i = place_of(component); i >= 0) return abs(ours[i] - exact[i]);
  Real50 largest = 0;
  for (Index i = 0; i < ours.size(); ++i) largest = std::max(largest, Real50(abs(ours[i] - exact[i])));
  return largest;
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

  void validate(const std::string& where) const {
    for (std::size_t f = 0; f < figures.size(); ++f)
      for (const std::string& component : figures[f].components) {
        const std::string kind = kind_of(component);
        if (std::find(std::begin(classes), std::end(classes), kind) == std::end(classes))
          throw InputError(fmt::format("{}/figures/{}/components", where, f),
                           fmt::format("'{}' is no component; allowed: q, v, a, lambda, or one of them with a "
                                       "number, such as q3", component));
      }
  }

  void check(const Config& config) const {
    const std::vector<SeriesOfRuns> all = group(config, {});
    for (const SeriesOfRuns& series : all) check_reference(config, series.spec);
    std::set<std::string> used;
    for (std::size_t f = 0; f < figures.size(); ++f) {
      const std::string where = fmt::format("/figures/{}", f);
      check_figure_id(figures[f].id, used, where);
      check_series(figures[f], all, where);
      for (const SeriesOfRuns& series : all) check_components(figures[f], series.spec, where);
    }
  }

  Evaluation evaluate(const Config& config, const std::vector<LabelledRun>& runs, const Json& reference_run) const {
    Evaluation evaluation;
    evaluation.analysis = {{"series", Json::array()}};
    if (!reference_run.is_null() && reference_run["status"] != "ok") {
      evaluation.artifacts.notes.push_back(fmt::format("no errors: the reference run ended with {} - {}",
                                                       reference_run["status"].get<std::string>(),
                                                       reference_run["cause"].get<std::string>()));
      return evaluation;
    }
    std::vector<SeriesOfRuns> all = group(config, runs);
    std::vector<Reference> references;
    for (std::size_t s = 0; s < all.size(); ++s) {
      references.push_back(find(all[s].spec, reference_run));
      evaluation.analysis["series"].push_back(analyse(all[s], references[s], evaluation.artifacts.notes));
      evaluation.artifacts.tables.push_back(
          error_table(config.name + "-" + std::to_string(s + 1), all[s], references[s]));
    }
    for (const ErrorFigure& figure : figures.empty() ? default_figures(config) : figures)
      evaluation.artifacts.figures.push_back(error_figure(figure, all, references));
    return evaluation;
  }

 private:
  static void check_reference(const Config& config, const Json& series) {
    if (!config.reference) {
      find(series, nullptr);
      return;
    }
    const Json& reference = *config.reference;
    for (const char* key : {"problem", "t_end"})
      if (reference[key] != series[key])
        throw InputError(fmt::format("/reference/{}", key),
                         fmt::format("{} here, but {} in the runs", reference[key].dump(), series[key].dump()));
  }

  static void check_series(const ErrorFigure& figure, const std::vector<SeriesOfRuns>& all, const std::string& where) {
    std::vector<std::string> known;
    for (const SeriesOfRuns& series : all) known.push_back(series.label);
    for (const std::string& wanted : figure.series)
      if (std::find(known.begin(), known.end(), wanted) == known.end())
        throw InputError(where + "/series", fmt::format("no series '{}'; there are: {}", wanted, fmt::join(known, "; ")));
  }

  static void check_components(const ErrorFigure& figure, const Json& series, const std::string& where) {
    const auto model = Registry<Problem>::instance().make(series["problem"], "/problem")->model(As<double>{});
    if (figure.components.empty()) throw InputError(where + "/components", "names no component");
    for (const std::string& component : figure.components) {
      const Index size = kind_of(component) == "lambda" ? model->constraints() : model->coordinates();
      if (place_of(component) >= size || component.ends_with("0"))
        throw InputError(where + "/components",
                         fmt::format("there is no {}: {} has {} components", component, kind_of(component), size));
    }
    if (!figure.component_labels.empty() && figure.component_labels.size() != figure.components.size())
      throw InputError(where + "/component_labels", fmt::format("{} names for {} components", figure.component_labels.size(),
                                                                figure.components.size()));
  }

  std::optional<Exact> theoretical(const std::string& kind) const {
    return kind == "q" ? theory.q : kind == "v" ? theory.v : kind == "a" ? theory.a : theory.lambda;
  }

  Json analyse(const SeriesOfRuns& series, const Reference& reference, std::vector<std::string>& notes) const {
    Json orders = Json::object(), points = Json::array();
    for (const Json* record : series.records) {
      Json point = {{"h", (*record)["spec"]["h"]}, {"status", (*record)["status"]}};
      if ((*record)["status"] == "ok")
        for (const char* kind : classes) point[kind] = static_cast<double>(error_of(*record, reference, kind));
      else
        notes.push_back(fmt::format("{}, h = {}: {} - {}", series.label, (*record)["spec"]["h"].get<std::string>(),
                                    (*record)["status"].get<std::string>(), (*record)["cause"].get<std::string>()));
      points.push_back(std::move(point));
    }
    for (const char* kind : classes) {
      const OrderEstimate estimate = observed(series, reference, kind);
      orders[kind] = estimate;
      notes.push_back(fmt::format("{}, {}: {}", series.label, kind, estimate.verdict));
    }
    return {{"label", series.label}, {"spec", series.spec}, {"reference", reference.source},
            {"orders", std::move(orders)}, {"points", std::move(points)}};
  }

  OrderEstimate observed(const SeriesOfRuns& series, const Reference& reference, const std::string& kind) const {
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

  Table error_table(const std::string& id, const SeriesOfRuns& series, const Reference& reference) const {
    const Json& spec = series.spec;
    const std::string what = fmt::format("{}: {} ({} on {}, t = {} s).", caption, series.label,
                                         spec["method"].contains("A") ? spec["method"]["name"].get<std::string>()
                                                                      : spec_text(spec["method"]),
                                         spec["formulation"].get<std::string>(), spec["t_end"].get<std::string>());
    Table table{id, what, {{"h [s]", "$h$ [s]", CellFormat::text, 0}}, {}};
    for (const char* kind : classes) {
      const std::string tex = std::string(kind) == "lambda" ? "$\\lambda$" : fmt::format("${}$", kind);
      table.columns.push_back({kind, tex, CellFormat::scientific, 3});
      table.columns.push_back({"EOC", "", CellFormat::fixed, 2});
    }
    table.columns.push_back({"Status", "", CellFormat::text, 0});
    const Json* previous = nullptr;
    for (const Json* record : series.records) {
      const bool ok = (*record)["status"] == "ok";
      Json row = Json::array({(*record)["spec"]["h"]});
      for (const char* kind : classes) {
        row.push_back(ok ? Json(static_cast<double>(error_of(*record, reference, kind))) : Json());
        row.push_back(ok && previous ? observed_order(*previous, *record, reference, kind) : Json());
      }
      row.push_back((*record)["status"]);
      table.rows.push_back(std::move(row));
      previous = ok ? record : nullptr;
    }
    return table;
  }

  static Json observed_order(const Json& coarse, const Json& fine, const Reference& reference,
                             const std::string& kind) {
    const Real50 ratio = error_of(coarse, reference, kind) / error_of(fine, reference, kind);
    const Real50 steps = step_of(coarse).as<Real50>() / step_of(fine).as<Real50>();
    const double order = static_cast<double>(Real50(log(ratio) / log(steps)));
    return std::isfinite(order) ? Json(order) : Json();
  }

  static std::vector<ErrorFigure> default_figures(const Config& config) {
    std::vector<ErrorFigure> list;
    for (const char* kind : classes) {
      ErrorFigure figure;
      figure.id = config.name + "-" + kind;
      figure.caption = fmt::format("Largest error of {} at the end time against the step size.", kind);
      figure.components = {kind};
      list.push_back(figure);
    }
    return list;
  }

  Figure error_figure(const ErrorFigure& spec, const std::vector<SeriesOfRuns>& all,
                      const std::vector<Reference>& references) const {
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
    const std::string kind = kind_of(spec.components.front());
    if (std::all_of(spec.components.begin(), spec.components.end(), [&](const auto& c) { return kind_of(c) == kind; }))
      label += " of " + kind;
    const Json& t_end = all.front().spec["t_end"];
    if (std::all_of(all.begin(), all.end(), [&](const SeriesOfRuns& s) { return s.spec["t_end"] == t_end; }))
      label += " at t = " + t_end.get<std::string>() + " s";
    return label;
  }

  static Series error_curve(const SeriesOfRuns& series, const Reference& reference, const std::string& component) {
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
