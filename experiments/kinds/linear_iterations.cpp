// Linear iterations: the symmetric rank-one iteration on linear problems, many of a kind at a time. What the theory
// says is measured on each (analysis/sr1_properties.hpp) and summarised over the seeds.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "experiments/measures/figure_spec.hpp"
#include "experiments/runs/linear_run.hpp"
#include "results/record_values.hpp"

namespace daelab {
namespace {

// The runs that differ in the seed only.
struct Group {
  Json spec;
  std::string label, entry_label;
  std::vector<const Json*> records;

  std::vector<double> values(const std::string& pointer) const {
    std::vector<double> list;
    for (const Json* record : records)
      list.push_back(static_cast<double>(record_number(record->at(Json::json_pointer(pointer)))));
    return list;
  }
};

struct DeviationColumn {
  const char *key, *label, *tex;
};
constexpr DeviationColumn deviation_columns[] = {{"quasi_newton", "(12) H y = s", "(12) $Hy = s$"},
                                                 {"recurrence", "(14) recurrence", ""},
                                                 {"conjugacy", "(15) conjugacy", ""},
                                                 {"residual", "(18) residual", ""},
                                                 {"update", "(20) update of A", "(20) update of $A$"},
                                                 {"secant", "(21) A s = y", "(21) $As = y$"},
                                                 {"vectors_range", "range: vectors", ""},
                                                 {"inverse_range", "range: H", "range: $H$"}};

struct DecreaseColumn {
  const char *key, *label, *tex;
};
constexpr DecreaseColumn decrease_columns[] = {{"perturbation", "|eps F|", "$|\\epsilon F|$"},
                                               {"inverse", "|H - A+|", "$|H - A^+|$"},
                                               {"solution", "|x - x0|", "$|x - x^0|$"}};

// Not a number when one of them is not.
double largest(const std::vector<double>& values) {
  double result = -INFINITY;
  for (const double x : values)
    if (!(x <= result)) result = x;
  return result;
}
double smallest(std::vector<double> values) {
  for (double& x : values) x = -x;
  return -largest(values);
}
double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }
std::vector<double> quotients(std::vector<double> values, const std::vector<double>& divisors) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] /= divisors[i];
  return values;
}
long count(const std::vector<double>& values, const auto& is_counted) {
  return std::count_if(values.begin(), values.end(), is_counted);
}

Json spread(const std::vector<double>& values) {
  return {
      {"min", smallest(values)}, {"mean", sum(values) / static_cast<double>(values.size())}, {"max", largest(values)}};
}

// "ok", or "ok 18, not-converged 2"
std::string status_text(const Json& statuses) {
  if (statuses.size() == 1) return statuses.begin().key();
  std::vector<std::string> parts;
  for (const auto& [status, number] : statuses.items()) parts.push_back(fmt::format("{} {}", status, number.dump()));
  return fmt::format("{}", fmt::join(parts, ", "));
}

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
  static constexpr const char* source = "Ivanov 2023, sections 3 and 4";
  static const RunKind& run_kind() { return linear_runs(); }

  std::string caption;
  std::vector<IterationFigure> figures;

  Options options() {
    return {option("caption", caption, "what the tables compare; what their columns are is added to it"),
            option("figures", figures, "figures; none: k against the rank of the perturbation, where there is one")};
  }

  void check(const Config& config) const {
    if (config.reference) throw InputError("/reference", "linear problems bring their own solution; leave it out");
    const std::vector<Group> groups = grouped(config, {});
    std::set<std::string> used;
    for (std::size_t f = 0; f < figures.size(); ++f) {
      const std::string where = fmt::format("/figures/{}", f);
      check_figure_id(figures[f].id, used, where);
      check_series(figures[f], groups, where);
    }
  }

  Evaluation evaluate(const Config& config, const std::vector<LabelledRun>& runs, const Json& /*reference*/) const {
    Evaluation evaluation;
    const std::vector<Group> groups = grouped(config, runs);
    Json& series = evaluation.analysis["series"] = Json::array();
    for (const Group& group : groups) series.push_back(analyse(group));
    evaluation.artifacts.tables = {passes_table(config, series), deviations_table(config, series),
                                   decrease_table(config, series)};
    for (const IterationFigure& figure : figures.empty() ? default_figures(config, groups) : figures)
      evaluation.artifacts.figures.push_back(draw(figure, groups, series));
    for (const LabelledRun& run : runs)
      if (run.record["status"] != "ok")
        evaluation.artifacts.notes.push_back(fmt::format(
            "{}: {} - {}", run.label, run.record["status"].get<std::string>(), run.record["cause"].get<std::string>()));
    return evaluation;
  }

 private:
  // `runs` may be left out: the groups alone, without records.
  static std::vector<Group> grouped(const Config& config, const std::vector<LabelledRun>& runs) {
    std::vector<Group> groups;
    for (const RunGroup& group : group_runs(config, "/problem/seed")) {
      groups.push_back({group.spec, group.label, group.entry_label, {}});
      if (runs.empty()) continue;
      for (const std::size_t i : group.runs) groups.back().records.push_back(&runs[i].record);
    }
    return groups;
  }

  static bool has_rank(const Group& group) { return group.spec["problem"].contains("perturbation_rank"); }

  static bool is_shown(const IterationFigure& figure, const Group& group) {
    return figure.series.empty() ||
           std::find(figure.series.begin(), figure.series.end(), group.label) != figure.series.end();
  }

  static void check_series(const IterationFigure& figure, const std::vector<Group>& groups, const std::string& where) {
    std::vector<std::string> known;
    for (const Group& group : groups) {
      known.push_back(group.label);
      if (figure.show == "passes" && is_shown(figure, group) && !has_rank(group))
        throw InputError(where + "/show", fmt::format("the problems of '{}' have no perturbation_rank", group.label));
    }
    for (const std::string& wanted : figure.series)
      if (std::find(known.begin(), known.end(), wanted) == known.end())
        throw InputError(where + "/series",
                         fmt::format("no series '{}'; there are: {}", wanted, fmt::join(known, "; ")));
  }

  // ----- analysis -----

  static Json analyse(const Group& group) {
    Json statuses = Json::object(), deviations = Json::object(), roundings = Json::object(), monotone = Json::object();
    for (const Json* record : group.records) {
      Json& number = statuses[(*record)["status"].get<std::string>()];
      number = number.is_null() ? 1 : number.get<int>() + 1;
    }
    for (const DeviationColumn& column : deviation_columns) {
      const std::vector<double> values = group.values(fmt::format("/properties/deviations/{}", column.key));
      deviations[column.key] = number(largest(values));
      roundings[column.key] = number(largest(quotients(values, group.values("/properties/rounding"))));
    }
    for (const char* key : {"solution_error", "inverse_error", "perturbation", "norm_ratio"})
      deviations[key] = number(largest(group.values(fmt::format("/properties/{}", key))));
    for (const DecreaseColumn& column : decrease_columns) monotone[column.key] = decrease(group, column.key);
    const std::vector<double> least = group.values("/properties/least_eigenvalue");
    return {{"label", group.label},
            {"spec", group.spec},
            {"problems", group.records.size()},
            {"statuses", statuses},
            {"k", spread(group.values("/properties/passes"))},
            {"unconverged", std::count_if(group.records.begin(), group.records.end(),
                                          [](const Json* r) { return !(*r)["properties"]["converged"].get<bool>(); })},
            {"skipped", largest(group.values("/properties/skipped"))},
            {"largest", deviations},
            {"roundings", roundings},
            {"monotone", monotone},
            {"contraction_over_bound", number(largest(contractions_over_bound(group)))},
            {"least_eigenvalue", number(smallest(least))},
            {"not_positive_definite", count(least, [](double x) { return !(x > 0); })},
            {"solver",
             {{"passes", spread(group.values("/report/passes"))},
              {"residual", number(largest(group.values("/report/residual")))},
              {"error", number(largest(group.values("/report/error")))}}}};
  }

  // Over the problems: how many saw an increase or a standstill, and the largest ratio of neighbours.
  static Json decrease(const Group& group, const char* key) {
    const auto values = [&](const char* what) {
      return group.values(fmt::format("/properties/decrease/{}/{}", key, what));
    };
    const auto positive = [](double x) { return x > 0; };
    const std::vector<double> increases = values("increases");
    const long increasing = count(increases, positive);
    return {{"increasing", increasing},
            {"share", static_cast<double>(increasing) / static_cast<double>(group.records.size())},
            {"share_of_passes", number(sum(increases) / sum(group.values("/properties/passes")))},
            {"standing_still", count(values("standstills"), positive)},
            {"largest_factor", number(largest(values("largest_factor")))}};
  }

  // |x_(k+1) - x^0| / |x_k - x^0| relative to |eps F_0| / lambda_r(A0): at most 1 where the theorem's bound holds.
  static std::vector<double> contractions_over_bound(const Group& group) {
    return quotients(group.values("/properties/decrease/solution/largest_factor"),
                     group.values("/properties/perturbation"));
  }

  // ----- tables -----

  std::string heading(const Config& config) const { return caption.empty() ? config.title + "." : caption; }

  Table passes_table(const Config& config, const Json& series) const {
    Table table{config.name,
                heading(config) +
                    " Passes k of the iteration on exit, over the problems of a kind; largest errors on exit "
                    "of x and of H as A^+ (relative); beside it the multiplier solver of the runs.",
                {{"Problems", "", CellFormat::text, 0},
                 {"Number", "", CellFormat::integer, 0},
                 {"k min", "$k_{\\min}$", CellFormat::integer, 0},
                 {"k mean", "$\\bar k$", CellFormat::fixed, 3},
                 {"k max", "$k_{\\max}$", CellFormat::integer, 0},
                 {"Gave up", "", CellFormat::integer, 0},
                 {"Error of x", "error of $x$", CellFormat::scientific, 3},
                 {"Error of H", "error of $H$", CellFormat::scientific, 3},
                 {"Solver: mean k", "solver: $\\bar k$", CellFormat::fixed, 3},
                 {"Error", "", CellFormat::scientific, 3},
                 {"Status", "", CellFormat::text, 0}},
                {}};
    for (const Json& s : series)
      table.rows.push_back({s["label"], s["problems"], s["k"]["min"], s["k"]["mean"], s["k"]["max"], s["unconverged"],
                            s["largest"]["solution_error"], s["largest"]["inverse_error"],
                            s["solver"]["passes"]["mean"], s["solver"]["error"], status_text(s["statuses"])});
    return table;
  }

  Table deviations_table(const Config& config, const Json& series) const {
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
    for (const Json& s : series) {
      Json row = Json::array({s["label"]});
      std::vector<double> roundings;
      for (const DeviationColumn& column : deviation_columns) {
        row.push_back(s["largest"][column.key]);
        roundings.push_back(static_cast<double>(record_number(s["roundings"][column.key])));
      }
      row.push_back(number(largest(roundings)));
      table.rows.push_back(std::move(row));
    }
    return table;
  }

  Table decrease_table(const Config& config, const Json& series) const {
    Table table{config.name + "-decrease",
                heading(config) +
                    " Three norms that should not grow from pass to pass: problems in which one did (beyond "
                    "rounding), and the largest ratio of neighbours; problems whose H lost positive "
                    "definiteness on the range of A0.",
                {{"Problems", "", CellFormat::text, 0},
                 {"Number", "", CellFormat::integer, 0},
                 {"|eps F0| / lambda_r", "$|\\epsilon F_0|/\\lambda_r$", CellFormat::fixed, 3}},
                {}};
    for (const DecreaseColumn& column : decrease_columns) {
      table.columns.push_back(
          {std::string(column.label) + " grew", std::string(column.tex) + " grew", CellFormat::integer, 0});
      table.columns.push_back({"ratio", "", CellFormat::fixed, 3});
    }
    table.columns.push_back({"Not definite", "", CellFormat::integer, 0});
    for (const Json& s : series) {
      Json row = Json::array({s["label"], s["problems"], s["largest"]["perturbation"]});
      for (const DecreaseColumn& column : decrease_columns)
        for (const char* key : {"increasing", "largest_factor"}) row.push_back(s["monotone"][column.key][key]);
      row.push_back(s["not_positive_definite"]);
      table.rows.push_back(std::move(row));
    }
    return table;
  }

  // ----- figures -----

  static std::vector<IterationFigure> default_figures(const Config& config, const std::vector<Group>& groups) {
    if (!std::all_of(groups.begin(), groups.end(), has_rank)) return {};
    IterationFigure figure;
    figure.id = config.name + "-passes";
    figure.caption = "Mean number of passes k on exit against the rank of the perturbation.";
    return {figure};
  }

  static Figure draw(const IterationFigure& figure, const std::vector<Group>& groups, const Json& series) {
    return {figure.id,
            figure.caption,
            {figure.show == "passes" ? passes_panel(figure, groups, series) : sequence_panel(figure, groups)}};
  }

  // One curve over the ranks for the groups that differ in nothing else.
  static Panel passes_panel(const IterationFigure& figure, const std::vector<Group>& groups, const Json& series) {
    Panel panel;
    panel.x_label = "rank of the perturbation", panel.y_label = "passes k on exit (mean)";
    std::vector<Json> families;
    std::vector<std::string> entry_labels;
    double last = 1;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      if (!is_shown(figure, groups[g])) continue;
      Json family = groups[g].spec;
      const double rank = family["problem"]["perturbation_rank"].get<double>();
      family["problem"].erase("perturbation_rank");
      std::size_t place =
          static_cast<std::size_t>(std::find(families.begin(), families.end(), family) - families.begin());
      if (place == families.size()) {
        families.push_back(family);
        entry_labels.push_back(groups[g].entry_label);
        panel.series.emplace_back().style = "line-points";
      }
      panel.series[place].x.push_back(rank);
      panel.series[place].y.push_back(series[g]["k"]["mean"].get<double>());
      last = std::max(last, rank);
    }
    const std::vector<std::string> labels = complete_labels(entry_labels, families);
    for (std::size_t i = 0; i < labels.size(); ++i) panel.series[i].label = labels[i];
    Series line;
    line.label = "k = rank", line.style = "reference", line.x = {1, last}, line.y = {1, last};
    panel.series.push_back(std::move(line));
    return panel;
  }

  static Panel sequence_panel(const IterationFigure& figure, const std::vector<Group>& groups) {
    Panel panel;
    const bool residual = figure.show == "residual";
    panel.x_label = "pass k", panel.log_y = true;
    panel.y_label = residual                    ? "|A x - b|"
                    : figure.show == "solution" ? "|x - x0|"
                    : figure.show == "inverse"  ? "|H - A+|"
                                                : "|eps F|";
    for (const Group& group : groups) {
      if (!is_shown(figure, group)) continue;
      const Json& properties = (*group.records.front())["properties"];
      const Json& values = residual ? properties["residuals"] : properties["decrease"][figure.show]["values"];
      Series curve;
      curve.label = group.label, curve.style = "line-points";
      for (std::size_t k = 0; k < values.size(); ++k) {
        if (!values[k].is_number() || !(values[k].get<double>() > 0)) continue;
        curve.x.push_back(static_cast<double>(k));
        curve.y.push_back(values[k].get<double>());
      }
      panel.series.push_back(std::move(curve));
    }
    return panel;
  }
};
const ExperimentEntry<LinearIterations> linear_iterations_entry;

}  // namespace
}  // namespace daelab
