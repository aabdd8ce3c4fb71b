// Convergence: error at the end time against the step size, with the observed order per component
// class and its verdict.
#include <fmt/format.h>

#include <cmath>

#include "analysis/order_estimate.hpp"
#include "experiments/experiment.hpp"
#include "experiments/run.hpp"
#include "results/reference.hpp"

namespace daelab {
namespace {

constexpr const char* classes[] = {"q", "v", "a", "lambda"};

struct ErrorFigure {
  std::string id, caption;
  std::vector<std::string> components{"q"};
  std::vector<std::string> series;
  std::vector<Exact> slopes;

  Options options() {
    return {option("id", id, "file stem"),
            option("caption", caption, "what is shown, and how it was made"),
            option("components", components,
                   "curves: a class (q, v, a, lambda: largest component) or one component (q1, v3, ...)"),
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

Json without_step(Json spec) {
  spec.erase("h");
  return spec;
}

Exact step_of(const Json& record) { return Exact(record["spec"]["h"].get<std::string>()); }

std::vector<SeriesOfRuns> group(const Config& config, const std::vector<LabelledRun>& runs) {
  std::vector<SeriesOfRuns> series;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Json spec = without_step(config.runs[i]);
    auto place = std::find_if(series.begin(), series.end(), [&](const SeriesOfRuns& s) { return s.spec == spec; });
    if (place == series.end()) place = series.insert(series.end(), {spec, config.entry_labels[i], {}});
    place->records.push_back(&runs[i].record);
  }
  std::vector<Json> specs;
  for (const SeriesOfRuns& s : series) specs.push_back(s.spec);
  const std::vector<std::string> labels = distinguishing_labels(specs);
  for (std::size_t i = 0; i < series.size(); ++i) {
    int uses = 0;
    for (const SeriesOfRuns& other : series) uses += other.label == series[i].label;
    if (series[i].label.empty()) series[i].label = labels[i];
    else if (uses > 1) series[i].label += ", " + labels[i];
    std::stable_sort(series[i].records.begin(), series[i].records.end(), [](const Json* a, const Json* b) {
      return step_of(*a).value() > step_of(*b).value();
    });
  }
  return series;
}

Reference find(const Config& config, const Json& series_spec, const Json& run) {
  if (!run.is_null()) {
    if (run["status"] != "ok")
      throw InputError(config.path, "/reference: the run ended with status " + run["status"].get<std::string>());
    return {record_vector(run["q"]), record_vector(run["v"]), record_vector(run["a"]),
            record_vector(run["lambda"]), {}, "reference run " + spec_text(run["spec"]["method"]) + ", h = " +
            run["spec"]["h"].get<std::string>() + ", " + run["spec"]["formulation"].get<std::string>()};
  }
  const Exact t_end(series_spec["t_end"].get<std::string>());
  const auto stored = find_reference(series_spec["problem"], t_end);
  if (!stored)
    throw InputError(config.path, fmt::format("no stored reference of {} at t = {}; give a \"reference\" run, or "
                                              "compute one with: daelab reference {} --t {}",
                                              spec_text(series_spec["problem"]), t_end.text(),
                                              series_spec["problem"]["name"].get<std::string>(), t_end.text()));
  return {stored->q, stored->v, stored->a, stored->lambda, -static_cast<double>(stored->digits_trusted),
          stored->source};
}

// Infinity norm of the error of a class, or the error of one component such as "q3".
Real50 error_of(const Json& record, const Reference& reference, const std::string& component) {
  const auto digit = component.find_first_of("0123456789");
  const std::string kind = component.substr(0, digit);
  const Vector<Real50> ours = record_vector(record[kind]);
  const Vector<Real50>& exact = reference.of(kind);
  if (digit != std::string::npos) {
    const Index i = std::stol(component.substr(digit)) - 1;
    return abs(ours[i] - exact[i]);
  }
  Real50 largest = 0;
  for (Index i = 0; i < ours.size(); ++i) largest = std::max(largest, Real50(abs(ours[i] - exact[i])));
  return largest;
}


struct Convergence {
  static constexpr const char* name = "convergence";
  static constexpr const char* summary =
      "Error at the end time against the step size; observed orders of q, v, a, lambda.";
  static constexpr const char* source = "Li, Ding, Li 2019, figures 8-13";

  std::string caption = "Error at the end time (infinity norm per component class) and observed order between "
                        "neighbouring step sizes.";
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
        const std::string kind = component.substr(0, component.find_first_of("0123456789"));
        if (std::find(std::begin(classes), std::end(classes), kind) == std::end(classes))
          throw InputError(fmt::format("{}/figures/{}/components", where, f),
                           fmt::format("'{}' is no component; allowed: q, v, a, lambda, or one of them with a "
                                       "number, such as q3", component));
      }
  }

  Evaluation evaluate(const Config& config, const std::vector<LabelledRun>& runs, const Json& reference_run) const {
    Evaluation evaluation;
    evaluation.analysis = {{"series", Json::array()}};
    std::vector<SeriesOfRuns> all = group(config, runs);
    std::vector<Reference> references;
    for (std::size_t s = 0; s < all.size(); ++s) {
      references.push_back(find(config, all[s].spec, reference_run));
      evaluation.analysis["series"].push_back(analyse(all[s], references[s], evaluation.artifacts.notes));
      evaluation.artifacts.tables.push_back(
          error_table(config.name + "-" + std::to_string(s + 1), all[s], references[s]));
    }
    for (const ErrorFigure& figure : figures.empty() ? default_figures(config) : figures)
      evaluation.artifacts.figures.push_back(error_figure(figure, all, references));
    return evaluation;
  }

 private:
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
    Table table{id, series.label + ". " + caption, {{"h", "$h$", CellFormat::text, 0}}, {}};
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
    panel.x_label = "step size h [s]", panel.y_label = "error at the end time";
    panel.log_x = panel.log_y = true;
    for (std::size_t s = 0; s < all.size(); ++s) {
      const bool shown = spec.series.empty() ||
                         std::find(spec.series.begin(), spec.series.end(), all[s].label) != spec.series.end();
      if (!shown) continue;
      for (const std::string& component : spec.components)
        panel.series.push_back(error_curve(all[s], references[s], component, spec.components.size() > 1, all.size() > 1));
    }
    for (const Exact& slope : spec.slopes)
      if (!panel.series.empty() && panel.series[0].x.size() > 1) panel.series.push_back(slope_line(panel.series[0], slope));
    return {spec.id, spec.caption, {panel}};
  }

  static Series error_curve(const SeriesOfRuns& series, const Reference& reference, const std::string& component,
                            bool name_component, bool name_series) {
    Series curve;
    curve.style = "line-points";
    if (name_component || !name_series) curve.label = component;
    if (name_series) curve.label = series.label + (name_component ? ", " + component : "");
    for (const Json* record : series.records) {
      if ((*record)["status"] != "ok") continue;
      curve.x.push_back(step_of(*record).as<double>());
      curve.y.push_back(static_cast<double>(error_of(*record, reference, component)));
    }
    return curve;
  }

  // A line of the given slope, a factor 3 below the fine end of the first curve.
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
