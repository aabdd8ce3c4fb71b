// Convergence: error at the end time, or in a norm over sampled times, against the step size, with the observed order
// per component class and its statement.
#include "experiments/kinds/convergence.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "experiments/measures/chosen_table.hpp"
#include "experiments/measures/figure_spec.hpp"
#include "lab/runs/steps.hpp"

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
                   "curves: a class (q, v, a, lambda, y: largest component) or one component (q1, v3, ...)"),
            option("component_labels", component_labels, "their names in the legend, when not q1, q2, ..."),
            option("series", series, "labels of the series shown; empty: all"),
            option("slopes", slopes, "reference slopes to draw; empty: the orders of theory, where they are few")};
  }
};

struct Theory {
  std::optional<Exact> q, v, a, lambda, y;
  Options options() {
    return {option("q", q, "order of q"), option("v", v, "order of v"), option("a", a, "order of a"),
            option("lambda", lambda, "order of the multipliers"), option("y", y, "order of y")};
  }
  /// In place of what theory says by itself.
  void replace(ExpectedOrders& expected) const {
    const std::pair<const char*, const std::optional<Exact>&> all[] = {
        {"q", q}, {"v", v}, {"a", a}, {"lambda", lambda}, {"y", y}};
    std::vector<std::string> given;
    for (const auto& [kind, order] : all)
      if (order) expected.of[kind] = order->as<double>(), given.push_back(kind);
    if (!given.empty())
      expected.source = fmt::format("{} as the config states; otherwise {}", fmt::join(given, ", "), expected.source);
  }
};

struct Convergence {
  static constexpr const char* name = "convergence";
  static constexpr const char* summary =
      "Error at the end time against the step size; observed orders of q, v, a, lambda.";
  static constexpr const char* source = "Li, Ding, Li 2019, figures 8-13";
  static MemberUnits units() {
    return {{"/series/*/t_end", "s"}, {"/series/*/points/*/h", "s"}, {"/series/*/points/*/dividing_step", "s"}};
  }

  static constexpr const char* usual_caption =
      "Errors at the end time (infinity norm per component class) and observed orders (EOC) between "
      "neighbouring step sizes";
  std::string caption = usual_caption;
  TimeNorm norm;
  Theory theory;
  std::vector<ErrorFigure> figures;
  std::vector<ChosenTable> tables;

  Options options() {
    return {option("caption", caption, "caption of the tables"),
            option("norm", norm.over_time,
                   "errors over time: at the end; or, over the samples of runs and a reference run, the maximum or the "
                   "root mean square (l2)"),
            option("relative", norm.relative, "errors over the same norm of the reference"),
            option("rotations", norm.rotations,
                   "errors of q of rotations: components of rotation vectors; geodesic: the angle to the reference"),
            option("theory", theory, "orders expected; those left out: what theory says of the method on the form"),
            option("figures", figures, "error-against-step figures; none: one of each class"),
            option("tables", tables, "tables of a chosen shape, beside those of each method")};
  }

  void check(const Config& config) const {
    require_fixed_steps(config, "/runs", "observed orders need");
    common_classes(config, "/runs");
    check_norm(norm, config);
    const std::vector<OrderSeries> all = series_of(config);
    for (const OrderSeries& series : all) check_reference(config, *series.run);
    std::set<std::string> used;
    for (std::size_t f = 0; f < figures.size(); ++f) {
      const std::string where = fmt::format("/figures/{}", f);
      check_figure_id(figures[f].id, used, where);
      check_series(figures[f], all, where);
      check_labels(figures[f], where);
      for (const OrderSeries& series : all) check_components(figures[f].components, *series.run, where + "/components");
    }
    for (std::size_t k = 0; k < tables.size(); ++k) check_table(tables[k], config, fmt::format("/tables/{}", k));
  }

  using Result = ConvergenceResult;

  Result evaluate(const Config& config, const std::vector<FinishedRun>& runs, const FinishedRun* reference_run) const {
    if (std::string failure = reference_failure(reference_run); !failure.empty()) return {std::move(failure), {}, {}};
    std::vector<std::string> components = components_of_errors(tables);
    for (const ErrorFigure& figure : figures)
      components.insert(components.end(), figure.components.begin(), figure.components.end());
    const auto expect = [this](const Run& run) {
      ExpectedOrders expected = expected_orders(run);
      theory.replace(expected);
      return expected;
    };
    return {"", norm.is_usual() ? "" : norm.name(),
            observe_orders(config, runs, reference_run, components, expect, norm)};
  }

  Artifacts present(const Config& config, const Result& result) const {
    Artifacts artifacts;
    if (!result.failure.empty()) {
      artifacts.notes.push_back(result.failure);
      return artifacts;
    }
    const std::vector<OrderSeries>& all = result.series;
    artifacts.tables.push_back(
        order_table(config.name + "-orders",
                    "Observed orders (95 %) and those of theory." + (norm.is_usual() ? "" : " " + norm.words()), all));
    for (std::size_t s = 0; s < all.size(); ++s) {
      for (std::string& note : order_notes(all[s])) artifacts.notes.push_back(std::move(note));
      artifacts.tables.push_back(error_table(config.name + "-" + std::to_string(s + 1), all[s], all.front()));
    }
    for (std::size_t k = 0; k < tables.size(); ++k)
      artifacts.tables.push_back(chosen_table(tables[k], fmt::format("{}-table-{}", config.name, k + 1),
                                              measures_of(tables[k]), tabled_runs(tables[k], all)));
    for (const ErrorFigure& figure : figures.empty() ? default_figures(config) : figures)
      artifacts.figures.push_back(error_figure(figure, all));
    if (const std::string remark = shortened_steps_text(all); !remark.empty())
      artifacts.terminal = TerminalText{.faults = {}, .remarks = {remark}};
    return artifacts;
  }

 private:
  static void check_series(const ErrorFigure& figure, const std::vector<OrderSeries>& all, const std::string& where) {
    std::vector<std::string> known;
    for (const OrderSeries& series : all) known.push_back(series.label);
    for (const std::string& wanted : figure.series)
      if (std::find(known.begin(), known.end(), wanted) == known.end())
        throw InputError(where + "/series",
                         fmt::format("no series '{}'; there are: {}", wanted, fmt::join(known, "; ")));
  }

  static void check_labels(const ErrorFigure& figure, const std::string& where) {
    if (!figure.component_labels.empty() && figure.component_labels.size() != figure.components.size())
      throw InputError(
          where + "/component_labels",
          fmt::format("{} names for {} components", figure.component_labels.size(), figure.components.size()));
  }

  // The error whose order a text of `show` is: "q" of "EOC of q", and of "EOC" the error before it. "" of other texts.
  static std::string component_of_order(const std::vector<std::string>& show, std::size_t place) {
    const std::string begin = "EOC of ";
    if (show[place].starts_with(begin)) return show[place].substr(begin.size());
    if (show[place] != "EOC") return "";
    for (std::size_t k = place; k-- > 0;)
      if (const std::string component = component_of_error(show[k]); !component.empty()) return component;
    return "";
  }

  static void check_table(const ChosenTable& table, const Config& config, const std::string& where) {
    const std::vector<RunGroup> groups = group_runs(config, "/h");
    std::vector<TabledRun> runs;
    for (const RunGroup& group : groups)
      for (const std::size_t i : group.runs) {
        const auto& run = dynamic_cast<const Run&>(*config.runs[i]);
        runs.push_back({with_step(group.spec, run.spec().h->text()), group.label, group.factors, {}});
      }
    check_chosen_table(table, runs, where);
    for (std::size_t k = 0; k < table.show.size(); ++k) {
      const std::string place = fmt::format("{}/show/{}", where, k), error = component_of_error(table.show[k]);
      const std::string component = error.empty() ? component_of_order(table.show, k) : error;
      if (component.empty())
        throw InputError(place, fmt::format("expected \"error of q\", \"EOC\" after it, or \"EOC of q\", got \"{}\"",
                                            table.show[k]));
      for (const RunGroup& group : groups)
        check_components({component}, dynamic_cast<const Run&>(*config.runs[group.runs.front()]), place);
    }
  }

  static Json with_step(Json spec, const std::string& h) {
    spec["h"] = h;
    return spec;
  }

  static std::vector<ShownMeasure> measures_of(const ChosenTable& table) {
    std::vector<ShownMeasure> measures;
    for (const std::string& text : table.show)
      measures.push_back(component_of_error(text).empty()
                             ? ShownMeasure{ShownMeasure::Better::neither, CellFormat::fixed, 2}
                             : ShownMeasure{ShownMeasure::Better::less, CellFormat::scientific, 3});
    return measures;
  }

  static std::vector<TabledRun> tabled_runs(const ChosenTable& table, const std::vector<OrderSeries>& all) {
    std::vector<TabledRun> runs;
    for (const OrderSeries& series : all) {
      const ErrorPoint* previous = nullptr;
      for (const ErrorPoint& point : series.points) {
        TabledRun& run =
            runs.emplace_back(TabledRun{with_step(series.spec, point.h.text()), series.label, series.factors, {}});
        for (std::size_t k = 0; k < table.show.size(); ++k) {
          const std::string error = component_of_error(table.show[k]);
          if (!error.empty())
            run.cells.push_back(point.ok() ? TableCell(static_cast<double>(point.error.at(error)))
                                           : TableCell(to_string(point.status)));
          else if (previous != nullptr && point.shows_order())
            run.cells.push_back(order_between(*previous, point, component_of_order(table.show, k)));
          else
            run.cells.emplace_back();
        }
        if (point.shows_order() || !point.ok()) previous = point.ok() ? &point : nullptr;
      }
    }
    return runs;
  }

  // What holds for all tables is in the caption of the first.
  Table error_table(const std::string& id, const OrderSeries& series, const OrderSeries& first) const {
    const std::string text = norm.is_usual() || caption != usual_caption
                                 ? caption
                                 : "Errors and observed orders (EOC) between neighbouring step sizes";
    const std::string lead = text.ends_with(".") ? text.substr(0, text.size() - 1) : text;
    const std::string what =
        fmt::format("{} ({} on {}, t = {} s).", series.label, series.method, series.formulation, series.t_end.text());
    const std::string known = series.known.empty() ? "" : fmt::format(" Reference: {}.", series.known);
    const std::string whole = &series == &first ? fmt::format("{}: {} {}{}", lead, what, norm.words(), known)
                                                : fmt::format("{} Errors as for {}.", what, first.label);
    Table table{id, whole, {{"h [s]", "$h$ [s]", CellFormat::text, 0}}, {}};
    for (const std::string& kind : series.classes) {
      table.columns.push_back({kind, class_tex(kind), CellFormat::scientific, 3});
      table.columns.push_back({"EOC", "", CellFormat::fixed, 2});
    }
    table.columns.push_back({"Status", "", CellFormat::text, 0});
    const ErrorPoint* previous = nullptr;
    for (const ErrorPoint& point : series.points) {
      const bool ok = point.ok(), whole = point.shows_order();
      TableRow row{point.h.text()};
      for (const std::string& kind : series.classes) {
        row.push_back(ok ? TableCell(static_cast<double>(point.error.at(kind))) : TableCell());
        const auto order = whole && previous ? order_between(*previous, point, kind) : std::nullopt;
        row.push_back(order);
      }
      row.push_back(ok && !whole ? "ok, last step shortened" : to_string(point.status));
      table.rows.push_back(std::move(row));
      if (whole || !ok) previous = whole ? &point : nullptr;
    }
    return table;
  }

  std::vector<ErrorFigure> default_figures(const Config& config) const {
    std::vector<ErrorFigure> list;
    for (const std::string& kind : common_classes(config, "/runs")) {
      ErrorFigure figure;
      figure.id = config.name + "-" + kind;
      figure.caption =
          norm.needs_samples()
              ? fmt::format("The {} of {} over the sampled times against the step size.", norm.quantity(), kind)
              : fmt::format("Largest {} of {} at the end time against the step size.", norm.quantity(), kind);
      figure.components = {kind};
      list.push_back(figure);
    }
    return list;
  }

  Figure error_figure(const ErrorFigure& spec, const std::vector<OrderSeries>& all) const {
    Panel panel;
    panel.x_label = "step size h [s]", panel.y_label = y_label(spec, all);
    panel.log_x = panel.log_y = true;
    std::vector<const OrderSeries*> shown;
    for (const OrderSeries& series : all)
      if (is_shown(spec.series, series.label)) shown.push_back(&series);
    for (const OrderSeries* series : shown)
      for (std::size_t c = 0; c < spec.components.size(); ++c) {
        Series curve = error_curve(*series, spec.components[c]);
        const std::string component = spec.component_labels.empty() ? spec.components[c] : spec.component_labels[c];
        name_curve(curve, shown.size() > 1 ? series : nullptr, spec.components.size() > 1 ? component : "");
        panel.series.push_back(std::move(curve));
      }
    const std::vector<Series> curves = panel.series;
    for (const Exact& slope : spec.slopes)
      if (const Series* curve = nearest_curve(curves, slope))
        panel.series.push_back(slope_line(*curve, slope.as<double>(), curve->x.size() - 1, "slope " + slope.text()));
    if (spec.slopes.empty())
      for (Series& line : theory_lines(shown, spec.components)) panel.series.push_back(std::move(line));
    const bool shows_classes = std::ranges::any_of(
        spec.components, [](const std::string& c) { return component_or_class(c, "/components").place < 0; });
    return {spec.id, shows_classes ? fmt::format("{} {}", spec.caption, norm.words()) : spec.caption, {panel}};
  }

  // "error of q at t = 1 s"; of a norm over time "largest error of q up to t = 1 s"
  std::string y_label(const ErrorFigure& spec, const std::vector<OrderSeries>& all) const {
    std::string label = norm.quantity();
    const auto kind_of = [](const std::string& c) { return component_or_class(c, "/components").kind; };
    const std::string kind = kind_of(spec.components.front());
    if (std::all_of(spec.components.begin(), spec.components.end(), [&](const auto& c) { return kind_of(c) == kind; }))
      label += " of " + kind;
    const std::string t_end = all.front().t_end.text();
    if (std::ranges::all_of(all, [&](const OrderSeries& s) { return s.t_end.text() == t_end; }))
      label += (norm.needs_samples() ? " up to t = " : " at t = ") + t_end + " s";
    return label;
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
};
const ExperimentEntry<Convergence> convergence_entry;

}  // namespace

void members(JsonMembers& json, ConvergenceResult& result) {
  json("failure", result.failure).where(!result.norm.empty(), "norm", result.norm)("series", result.series);
}

}  // namespace daelab
