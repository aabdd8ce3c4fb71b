// Linear iterations: the symmetric rank-one iteration on linear problems, many of a kind at a time. What the theory
// says is measured on each and summarised over the seeds (experiments/measures/linear_series.hpp).
#include "experiments/kinds/linear_iterations.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "experiments/measures/figure_spec.hpp"
#include "results/record_values.hpp"

namespace daelab {
namespace {

struct DeviationColumn {
  double Sr1Deviations::*value;
  const char *label, *tex;
};
constexpr DeviationColumn deviation_columns[] = {
    {&Sr1Deviations::quasi_newton, "(12) H y = s", "(12) $Hy = s$"},
    {&Sr1Deviations::recurrence, "(14) recurrence", ""},
    {&Sr1Deviations::conjugacy, "(15) conjugacy", ""},
    {&Sr1Deviations::inverse_change, "(17) change of H", "(17) change of $H$"},
    {&Sr1Deviations::residual, "(18) residual", ""},
    {&Sr1Deviations::inverse_update, "(19) update of H", "(19) update of $H$"},
    {&Sr1Deviations::update, "(20) update of A", "(20) update of $A$"},
    {&Sr1Deviations::secant, "(21) A s = y", "(21) $As = y$"},
    {&Sr1Deviations::vectors_range, "range: vectors", ""},
    {&Sr1Deviations::inverse_range, "range: H", "range: $H$"}};

// In the order of sr1_decreases.
struct DecreaseColumn {
  const char *label, *tex;
};
constexpr DecreaseColumn decrease_columns[std::size(sr1_decreases)] = {{"|eps F|", "$|\\epsilon F|$"},
                                                                       {"|H - A+|", "$|H - A^+|$"},
                                                                       {"|x - x0|", "$|x - x^0|$"},
                                                                       {"|eps H F|", "$|\\epsilon HF|$"}};

struct IterationFigure {
  std::string id, caption, show = "passes";
  std::vector<std::string> series;

  Options options() {
    return {
        option("id", id, "file stem"), option("caption", caption, "what is shown, and how it was made"),
        option("show", show,
               "passes: k on exit against the rank of the perturbation; the others against k, for the first problem of "
               "each series: residual |A x - b|, solution |x - x^0|, inverse |H - A^+|, perturbation |eps F|",
               one_of({"passes", "residual", "solution", "inverse", "perturbation"})),
        option("series", series, "labels of the series shown; empty: all")};
  }
};

struct LinearIterations {
  static constexpr const char* name = "linear-iterations";
  static constexpr const char* summary =
      "Properties of the symmetric rank-one iteration on linear problems, over many seeds of each kind.";
  static constexpr const char* source = "Ivanov 2023, formulas (11) to (26), lemmas 1 to 6, theorem";
  using Runs = LinearRuns;

  std::string caption;
  std::vector<IterationFigure> figures;

  Options options() {
    return {option("caption", caption, "what the tables compare; what their columns are is added to it"),
            option("figures", figures, "figures; none: k against the rank of the perturbation, where there is one")};
  }

  void check(const Config& config) const {
    if (config.reference) throw InputError("/reference", "linear problems bring their own solution; leave it out");
    const std::vector<LinearSeries> all = linear_series(config);
    std::set<std::string> used;
    for (std::size_t f = 0; f < figures.size(); ++f) {
      const std::string where = fmt::format("/figures/{}", f);
      check_figure_id(figures[f].id, used, where);
      check_series(figures[f], all, where);
    }
  }

  using Result = LinearIterationsResult;

  Result evaluate(const Config& config, const std::vector<FinishedLinearRun>& runs,
                  const FinishedLinearRun* /*reference*/) const {
    Result result{linear_series(config, runs), {}};
    for (const FinishedLinearRun& run : runs)
      if (run.record.status != StatusCode::ok)
        result.failures.push_back({run.label, run.record.status, run.record.cause});
    return result;
  }

  Artifacts present(const Config& config, const Result& result) const {
    const std::vector<LinearSeries>& all = result.series;
    Artifacts artifacts;
    artifacts.tables = {passes_table(config, all), deviations_table(config, all), decrease_table(config, all),
                        definiteness_table(config, all)};
    for (const IterationFigure& figure : figures.empty() ? default_figures(config, all) : figures)
      artifacts.figures.push_back(
          {figure.id,
           figure.caption,
           {figure.show == "passes" ? passes_panel(figure, all) : sequence_panel(figure, all)}});
    for (const auto& [label, status, cause] : result.failures)
      artifacts.notes.push_back(fmt::format("{}: {} - {}", label, to_string(status), cause));
    return artifacts;
  }

 private:
  static bool has_rank(const LinearSeries& series) { return series.spec["problem"].contains("perturbation_rank"); }

  static void check_series(const IterationFigure& figure, const std::vector<LinearSeries>& all,
                           const std::string& where) {
    std::vector<std::string> known;
    for (const LinearSeries& series : all) {
      known.push_back(series.label);
      if (figure.show == "passes" && is_shown(figure.series, series.label) && !has_rank(series))
        throw InputError(where + "/show", fmt::format("the problems of '{}' have no perturbation_rank", series.label));
    }
    for (const std::string& wanted : figure.series)
      if (std::find(known.begin(), known.end(), wanted) == known.end())
        throw InputError(where + "/series",
                         fmt::format("no series '{}'; there are: {}", wanted, fmt::join(known, "; ")));
  }

  // ----- tables -----

  std::string heading(const Config& config) const { return caption.empty() ? config.title + "." : caption; }

  Table passes_table(const Config& config, const std::vector<LinearSeries>& all) const {
    Table table{config.name,
                heading(config) +
                    " Passes k of the iteration on exit, over the problems of a kind; largest errors on exit "
                    "of x and of H as A^+ (relative); beside it the method with line search, whose steps compare with "
                    "k + 1, and the multiplier solver of the runs.",
                {{"Problems", "", CellFormat::text, 0},
                 {"Number", "", CellFormat::integer, 0},
                 {"k min", "$k_{\\min}$", CellFormat::integer, 0},
                 {"k mean", "$\\bar k$", CellFormat::fixed, 3},
                 {"k max", "$k_{\\max}$", CellFormat::integer, 0},
                 {"Gave up", "", CellFormat::integer, 0},
                 {"Error of x", "error of $x$", CellFormat::scientific, 3},
                 {"Error of H", "error of $H$", CellFormat::scientific, 3},
                 {"Line search: mean steps", "", CellFormat::fixed, 3},
                 {"Solver: mean k", "solver: $\\bar k$", CellFormat::fixed, 3},
                 {"Error", "", CellFormat::scientific, 3},
                 {"Status", "", CellFormat::text, 0}},
                {}};
    for (const LinearSeries& s : all)
      table.rows.push_back({s.label, s.problems, s.passes.min, s.passes.mean, s.passes.max, s.unconverged,
                            s.solution_error, s.inverse_error, s.classical.steps.mean, s.solver.passes.mean,
                            s.solver.error, s.status_text()});
    return table;
  }

  Table deviations_table(const Config& config, const std::vector<LinearSeries>& all) const {
    Table table{config.name + "-properties",
                heading(config) +
                    " Largest relative deviation from each property over all passes and problems, zero in "
                    "exact arithmetic; the largest of them in roundings: multiples of ε|b|/|r|, r the last "
                    "residual that H was updated with.",
                {{"Problems", "", CellFormat::text, 0}},
                {}};
    for (const DeviationColumn& column : deviation_columns)
      table.columns.push_back({column.label, column.tex, CellFormat::scientific, 2});
    table.columns.push_back({"Roundings", "", CellFormat::scientific, 2});
    for (const LinearSeries& s : all) {
      TableRow row{s.label};
      std::vector<double> roundings;
      for (const DeviationColumn& column : deviation_columns) {
        row.push_back(s.deviations.*column.value);
        roundings.push_back(s.roundings.*column.value);
      }
      row.push_back(largest_of(roundings));
      table.rows.push_back(std::move(row));
    }
    return table;
  }

  Table decrease_table(const Config& config, const std::vector<LinearSeries>& all) const {
    Table table{config.name + "-decrease",
                heading(config) +
                    " Four norms that should not grow from pass to pass: problems in which one did (beyond "
                    "rounding), and the largest ratio of neighbours.",
                {{"Problems", "", CellFormat::text, 0},
                 {"Number", "", CellFormat::integer, 0},
                 {"|eps F0| / lambda_r", "$|\\epsilon F_0|/\\lambda_r$", CellFormat::fixed, 3}},
                {}};
    for (const DecreaseColumn& column : decrease_columns) {
      table.columns.push_back(
          {std::string(column.label) + " grew", std::string(column.tex) + " grew", CellFormat::integer, 0});
      table.columns.push_back({"ratio", "", CellFormat::fixed, 3});
    }
    for (const LinearSeries& s : all) {
      TableRow row{s.label, s.problems, s.perturbation};
      for (const DecreaseSummary& decrease : s.decreases)
        row.push_back(decrease.increasing), row.push_back(decrease.largest_factor);
      table.rows.push_back(std::move(row));
    }
    return table;
  }

  Table definiteness_table(const Config& config, const std::vector<LinearSeries>& all) const {
    Table table{config.name + "-definiteness",
                heading(config) +
                    " Problems whose H lost positive definiteness on the range of A0; least sine of the angle between "
                    "neighbouring steps s; least cosine of the angle between v and y, whose product divides; "
                    "P = H_0 (A - A0): its asymmetry |P - P^T|/|P| and the least eigenvalue of its symmetric part "
                    "over |P|, the largest and the least of all problems.",
                {{"Problems", "", CellFormat::text, 0},
                 {"Not definite", "", CellFormat::integer, 0},
                 {"sin(s, s')", "$\\sin(s_k, s_{k+1})$", CellFormat::scientific, 2},
                 {"cos(v, y)", "$\\cos(v, y_k)$", CellFormat::scientific, 2},
                 {"Asymmetry of P", "asymmetry of $P$", CellFormat::scientific, 2},
                 {"Least of P", "least of $P$", CellFormat::scientific, 2}},
                {}};
    for (const LinearSeries& s : all)
      table.rows.push_back(
          {s.label, s.not_positive_definite, s.independence, s.curvature, s.product_asymmetry, s.product_form});
    return table;
  }

  // ----- figures -----

  static std::vector<IterationFigure> default_figures(const Config& config, const std::vector<LinearSeries>& all) {
    if (!std::all_of(all.begin(), all.end(), has_rank)) return {};
    IterationFigure figure;
    figure.id = config.name + "-passes";
    figure.caption = "Mean number of passes k on exit against the rank of the perturbation.";
    return {figure};
  }

  // One curve over the ranks for the groups that differ in nothing else.
  static Panel passes_panel(const IterationFigure& figure, const std::vector<LinearSeries>& all) {
    Panel panel;
    panel.x_label = "rank of the perturbation", panel.y_label = "passes k on exit (mean)";
    std::vector<Json> families;
    std::vector<std::string> entry_labels;
    double last = 1;
    for (const LinearSeries& series : all) {
      if (!is_shown(figure.series, series.label)) continue;
      Json family = series.spec;
      const double rank = family["problem"]["perturbation_rank"].get<double>();
      family["problem"].erase("perturbation_rank");
      std::size_t place =
          static_cast<std::size_t>(std::find(families.begin(), families.end(), family) - families.begin());
      if (place == families.size()) {
        families.push_back(family);
        entry_labels.push_back(series.entry_label);
        panel.series.emplace_back().style = CurveStyle::line_points;
      }
      panel.series[place].x.push_back(rank);
      panel.series[place].y.push_back(series.passes.mean);
      last = std::max(last, rank);
    }
    const std::vector<std::string> labels = complete_labels(entry_labels, families);
    for (std::size_t i = 0; i < labels.size(); ++i) panel.series[i].label = labels[i];
    Series line;
    line.label = "k = rank", line.style = CurveStyle::reference, line.x = {1, last}, line.y = {1, last};
    panel.series.push_back(std::move(line));
    return panel;
  }

  static const Decrease& norm(const Sr1Properties& properties, const std::string& name) {
    const auto* place = std::ranges::find_if(sr1_decreases, [&](const auto& norm) { return norm.first == name; });
    return properties.*(place->second);
  }

  static Panel sequence_panel(const IterationFigure& figure, const std::vector<LinearSeries>& all) {
    Panel panel;
    const bool residual = figure.show == "residual";
    panel.x_label = "pass k", panel.log_y = true;
    panel.y_label = residual                    ? "|A x - b|"
                    : figure.show == "solution" ? "|x - x0|"
                    : figure.show == "inverse"  ? "|H - A+|"
                                                : "|eps F|";
    for (const LinearSeries& series : all) {
      if (!is_shown(figure.series, series.label)) continue;
      const std::vector<double>& values = residual ? series.first.residuals : norm(series.first, figure.show).values;
      Series curve;
      curve.label = series.label, curve.style = CurveStyle::line_points;
      for (std::size_t k = 0; k < values.size(); ++k)
        if (values[k] > 0) curve.x.push_back(static_cast<double>(k)), curve.y.push_back(values[k]);
      panel.series.push_back(std::move(curve));
    }
    return panel;
  }
};

const ExperimentEntry<LinearIterations> linear_iterations_entry;

}  // namespace

void members(JsonMembers& json, LinearIterationsResult::Failure& failure) {
  json("label", failure.label)("status", failure.status)("cause", failure.cause);
}

void members(JsonMembers& json, LinearIterationsResult& result) {
  json("series", result.series)("failures", result.failures);
}

}  // namespace daelab
