// Iteration counts: mean and histogram of the passes of a multiplier solver, or of Newton iterations, over a grid of
// runs; and the curve on which the mean takes a given value. [Iv23, sec. 5: a mean of 1.994]
//
// Where the mean equals `level` is found for every step size h from the runs that differ in one key only (the
// tolerance eps_abs, say): a monotone cubic in the logarithm of that key. The power law eps = c h^p through these
// places is a least-squares fit of logarithms.
//
// [Iv23] Ivanov, Vestnik Permskogo Universiteta, Matematika Mekhanika Informatika 1(60), 2023, 30-46.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/students_t.hpp"
#include "core/base/interval_text.hpp"
#include "experiments/measures/figure_spec.hpp"
#include "experiments/runs/steps.hpp"

namespace daelab {
namespace {

constexpr const char* multiplier_passes = "multiplier-passes";
constexpr const char* newton_iterations = "newton-iterations";
constexpr std::size_t last_bin = 4;  // of the table: 4 passes or more

// The varied key of a run, or nothing where the run has no such key.
std::optional<double> value_at(const Json& spec, const std::string& pointer) {
  const Json::json_pointer at(pointer);
  if (!spec.contains(at) || spec[at].is_null()) return std::nullopt;
  return exact_from_json(spec[at], pointer).as<double>();
}

// Runs that differ in the varied key only, from its largest value to its smallest.
struct Sweep {
  std::string label;
  Json h;
  std::vector<double> key, mean;
  double h_value() const { return Exact(h.get<std::string>()).as<double>(); }
};

// Sweeps that differ in the step size only.
struct Family {
  Json spec;  // without both
  std::string label;
  std::vector<Sweep> sweeps;  // coarse to fine
};

// Where a sweep meets the level.
struct LevelPoint {
  Json h;
  double h_value = 0, key = 0;
};

// key = c h^p by least squares of logarithms; the half-width is the 95 % confidence of p (Student t).
struct PowerLaw {
  double order = NAN, half_width = NAN, coefficient = NAN;
  bool decided() const { return half_width <= 0.5; }  // one integer exponent is told from the next
};

struct LevelCurve {
  const Family* family = nullptr;
  std::vector<LevelPoint> points;    // coarse to fine
  std::vector<std::string> missing;  // step sizes whose means do not bracket the level
  PowerLaw law;
};

// Geometric mean of key / h^p.
double mean_factor(const std::vector<LevelPoint>& points, double p) {
  double sum = 0;
  for (const LevelPoint& point : points) sum += std::log(point.key) - p * std::log(point.h_value);
  return std::exp(sum / static_cast<double>(points.size()));
}

PowerLaw fit(const std::vector<LevelPoint>& points) {
  PowerLaw law;
  const std::size_t n = points.size();
  if (n < 2) return law;
  double mean = 0, S_xx = 0, S_xy = 0, squares = 0;
  for (const LevelPoint& point : points) mean += std::log(point.h_value) / static_cast<double>(n);
  for (const LevelPoint& point : points) {
    const double x = std::log(point.h_value) - mean;
    S_xx += x * x, S_xy += x * std::log(point.key);
  }
  law.order = S_xy / S_xx, law.coefficient = mean_factor(points, law.order);
  if (n < 3) return law;
  for (const LevelPoint& point : points)
    squares += std::pow(std::log(point.key / law.coefficient) - law.order * std::log(point.h_value), 2);
  const double freedom = static_cast<double>(n - 2);
  law.half_width = students_t_quantile(freedom, 0.975) * std::sqrt(squares / freedom / S_xx);
  return law;
}

std::string statement_of(const LevelCurve& curve) {
  const std::size_t n = curve.points.size();
  if (n < 3) return fmt::format("undecided: {} point{}, at least 3 are needed", n, n == 1 ? "" : "s");
  const std::string order =
      fmt::format("p = {} from {} points", interval_text(curve.law.order, std::max(0.01, curve.law.half_width)), n);
  return curve.law.decided() ? order : "undecided: the points scatter too much, " + order;
}

// Slopes of the monotone cubic through the points: harmonic means of neighbouring secants, zero at extrema
// (Fritsch and Butland 1984). Straight data stay straight.
double slope_at(const std::vector<double>& x, const std::vector<double>& y, std::size_t k) {
  const auto secant = [&](std::size_t i) { return (y[i + 1] - y[i]) / (x[i + 1] - x[i]); };
  if (k == 0) return secant(0);
  if (k + 1 == x.size()) return secant(k - 1);
  const double before = secant(k - 1), after = secant(k);
  return before * after > 0 ? 2 * before * after / (before + after) : 0;
}

// The place between x_i and x_(i+1) where that cubic takes the value `level`, which lies between y_i and y_(i+1).
double crossing(const std::vector<double>& x, const std::vector<double>& y, std::size_t i, double level) {
  const double width = x[i + 1] - x[i], a = width * slope_at(x, y, i), b = width * slope_at(x, y, i + 1);
  const auto cubic = [&](double s) {
    return (1 + 2 * s) * (1 - s) * (1 - s) * y[i] + s * (1 - s) * (1 - s) * a + s * s * (3 - 2 * s) * y[i + 1] -
           s * s * (1 - s) * b;
  };
  double low = 0, high = 1;
  for (int halving = 0; halving < 60; ++halving) {
    const double middle = (low + high) / 2;
    ((cubic(middle) >= level) == (y[i] >= level) ? low : high) = middle;
  }
  return x[i] + width * (low + high) / 2;
}

// The largest value of the key at which the mean passes through the level.
std::optional<double> key_at(const Sweep& sweep, double level) {
  std::vector<double> x;
  for (const double key : sweep.key) x.push_back(std::log(key));
  for (std::size_t i = 0; i + 1 < x.size(); ++i)
    if ((sweep.mean[i] >= level) != (sweep.mean[i + 1] >= level)) return std::exp(crossing(x, sweep.mean, i, level));
  return std::nullopt;
}

// What a run counted; null where there is nothing.
struct Counts {
  Json solves, mean, histogram, outcomes, flops_per_solve;

  Counts(const Json& record, const std::string& count) {
    if (count == newton_iterations) {
      const long steps = record["stats"]["steps"].get<long>();
      solves = steps;
      if (steps > 0) mean = record["stats"]["newton_iterations"].get<double>() / static_cast<double>(steps);
      return;
    }
    const Json& m = record["multipliers"];
    solves = m["solves"], histogram = m["histogram"], outcomes = m["outcomes"];
    if (solves.get<long>() == 0) return;
    mean = m["mean_passes"];
    flops_per_solve = m["flops"].get<double>() / solves.get<double>();
  }

  // Solves with k passes; in the last bin with that many or more.
  long bin(std::size_t k) const {
    long sum = 0;
    const std::size_t end = k == last_bin ? histogram.size() : std::min(k + 1, histogram.size());
    for (std::size_t i = k; i < end; ++i) sum += histogram[i].get<long>();
    return sum;
  }
  long outcome(const char* name) const { return outcomes.is_object() ? outcomes.value(name, 0L) : 0; }
};

struct IterationCounts {
  static constexpr const char* name = "iteration-counts";
  static constexpr const char* summary =
      "Passes of the multiplier solver, or Newton iterations: mean and histogram per run; level curve of the mean.";
  static constexpr const char* source = "Ivanov 2023, sec. 5";

  std::string caption, count = multiplier_passes, vary, vary_label;
  std::optional<Exact> level;
  Exact slope = 2;
  std::vector<std::string> histograms;

  Options options() {
    return {option("caption", caption, "what the table compares; what its columns are is added to it"),
            option("count", count, "passes per solve of the multiplier solver, or Newton iterations per step",
                   one_of({multiplier_passes, newton_iterations})),
            option("vary", vary,
                   "key the mean is drawn against, as a JSON pointer into the run: "
                   "\"/multiplier_solver/eps_abs\""),
            option("vary_label", vary_label, "its name on axes, with unit; empty: the key"),
            option("level", level, "mean whose curve, key against step size, is sought; needs \"vary\"", positive()),
            option("slope", slope, "expected exponent of that curve, drawn and divided out"),
            option("histograms", histograms, "labels of the runs whose histograms are drawn")};
  }

  void validate(const std::string& where) const {
    if (level && vary.empty()) throw InputError(where + "/vary", "is missing: the key on which the level depends");
    if (!histograms.empty() && count != multiplier_passes)
      throw InputError(where + "/histograms", fmt::format("are kept of {} only", multiplier_passes));
    if (vary == "/h") throw InputError(where + "/vary", "must be another key than the step size");
    try {
      Json::json_pointer{vary};
    } catch (const Json::exception&) {
      throw InputError(where + "/vary",
                       fmt::format("must be a JSON pointer such as /multiplier_solver/eps_abs, not '{}'", vary));
    }
  }

  void check(const Config& config) const {
    for (const std::string& wanted : histograms)
      if (std::find(config.labels.begin(), config.labels.end(), wanted) == config.labels.end())
        throw InputError("/histograms",
                         fmt::format("no run '{}'; there are: {}", wanted, fmt::join(config.labels, "; ")));
    if (vary.empty()) return;
    require_fixed_steps(config, "/vary", "a mean against it needs");
    bool found = false;
    for (const Json& run : config.runs)
      if (const auto value = value_at(run, vary)) {
        if (!(*value > 0))
          throw InputError("/vary", fmt::format("{} = {:g}: a logarithm needs positive values", vary, *value));
        found = true;
      }
    if (!found) throw InputError("/vary", fmt::format("no run has a {}", vary));
  }

  Evaluation evaluate(const Config& config, const std::vector<LabelledRun>& runs, const Json& /*reference*/) const {
    Evaluation evaluation;
    Artifacts& artifacts = evaluation.artifacts;
    artifacts.tables.push_back(count_table(config, runs));
    for (const LabelledRun& run : runs)
      if (run.record["status"] != "ok")
        artifacts.notes.push_back(fmt::format("{}: {} - {}", run.label, run.record["status"].get<std::string>(),
                                              run.record["cause"].get<std::string>()));
    if (!histograms.empty()) artifacts.figures.push_back(histogram_figure(config, runs));
    evaluation.analysis = {{"series", series_json(runs)}, {"statuses", statuses_json(runs)}};
    if (!vary.empty()) {
      const std::vector<Family> all = families(config, runs);
      if (Figure figure = mean_figure(config, all); !figure.panels[0].series.empty())
        artifacts.figures.push_back(std::move(figure));
      if (level) add_level_curves(config, all, evaluation);
    }
    return evaluation;
  }

 private:
  std::string key_name() const { return vary_label.empty() ? vary.substr(vary.rfind('/') + 1) : vary_label; }
  const char* counted() const { return count == multiplier_passes ? "passes per solve" : "Newton iterations per step"; }

  // ----- the counts -----

  Table count_table(const Config& config, const std::vector<LabelledRun>& runs) const {
    const bool passes = count == multiplier_passes;
    const std::string lead = caption.empty() ? config.title + "." : caption;
    Table table{config.name, fmt::format("{} Mean {}", lead, counted()), {{"Run", "", CellFormat::text, 0}}, {}};
    table.caption += passes ? ", number of solves by passes k and by outcome, additions and multiplications per solve "
                              "(without forming A); CPU time. Failed runs up to their failure."
                            : "; CPU time. Failed runs up to their failure.";
    const auto integer = [&](const std::string& label, const std::string& tex = "") {
      table.columns.push_back({label, tex, CellFormat::integer, 0});
    };
    integer(passes ? "Solves" : "Steps");
    table.columns.push_back({"Mean", "", CellFormat::fixed, 5});
    if (passes) {
      for (std::size_t k = 0; k < last_bin; ++k) integer(fmt::format("k = {}", k), fmt::format("$k={}$", k));
      integer(fmt::format("k >= {}", last_bin), fmt::format("$k\\ge{}$", last_bin));
      integer("Floor"), integer("Not converged");
      table.columns.push_back({"Flops", "", CellFormat::fixed, 0});
    }
    table.columns.push_back({"CPU", "", CellFormat::seconds, 0});
    table.columns.push_back({"Status", "", CellFormat::text, 0});
    for (const LabelledRun& run : runs) table.rows.push_back(count_row(run));
    return table;
  }

  Json count_row(const LabelledRun& run) const {
    const Counts counts(run.record, count);
    Json row = {run.label, counts.solves, counts.mean};
    if (count == multiplier_passes) {
      for (std::size_t k = 0; k <= last_bin; ++k) row.push_back(counts.bin(k));
      row.push_back(counts.outcome("floor")), row.push_back(counts.outcome("not-converged"));
      row.push_back(counts.flops_per_solve);
    }
    row.push_back(run.record["stats"]["cpu_seconds"]);
    row.push_back(run.record["status"]);
    return row;
  }

  Json series_json(const std::vector<LabelledRun>& runs) const {
    Json list = Json::array();
    for (const LabelledRun& run : runs) {
      const Json& record = run.record;
      const Counts counts(record, count);
      Json entry = {{"label", run.label},
                    {"spec", record["spec"]},
                    {"status", record["status"]},
                    {"cause", record["cause"]},
                    {"mean", counts.mean},
                    {"solves", counts.solves},
                    {"histogram", counts.histogram},
                    {"outcomes", counts.outcomes},
                    {"flops_per_solve", counts.flops_per_solve}};
      if (count == multiplier_passes)
        for (const char* key : {"largest_residual", "largest_floor"}) entry[key] = record["multipliers"][key];
      list.push_back(std::move(entry));
    }
    return list;
  }

  // How many runs ended how: a claim about a failed run points here.
  static Json statuses_json(const std::vector<LabelledRun>& runs) {
    std::map<std::string, int> number;
    for (const LabelledRun& run : runs) ++number[run.record["status"].get<std::string>()];
    return number;
  }

  Figure histogram_figure(const Config& config, const std::vector<LabelledRun>& runs) const {
    Panel panel;
    panel.x_label = "passes k", panel.y_label = "solves", panel.log_y = true;
    for (const LabelledRun& run : runs) {
      if (std::find(histograms.begin(), histograms.end(), run.label) == histograms.end()) continue;
      const Json histogram = Counts(run.record, count).histogram;
      Series bars;
      bars.label = run.label, bars.style = "line-points";
      for (std::size_t k = 0; k < histogram.size(); ++k)
        if (histogram[k] > 0) bars.x.push_back(static_cast<double>(k)), bars.y.push_back(histogram[k]);
      panel.series.push_back(std::move(bars));
    }
    return {config.name + "-histogram", "Number of solves with k passes; empty classes are left out.", {panel}};
  }

  // ----- the mean against the varied key -----

  // Failed runs have no mean.
  Sweep sweep_of(const RunGroup& group, const std::vector<LabelledRun>& runs) const {
    std::vector<std::pair<double, double>> points;
    for (const std::size_t i : group.runs) {
      const Json& record = runs[i].record;
      const Json mean = Counts(record, count).mean;
      if (record["status"] == "ok" && !mean.is_null()) points.emplace_back(*value_at(record["spec"], vary), mean);
    }
    std::sort(points.rbegin(), points.rend());
    Sweep sweep{group.label, group.spec["h"], {}, {}};
    for (const auto& [key, mean] : points) sweep.key.push_back(key), sweep.mean.push_back(mean);
    return sweep;
  }

  std::vector<Family> families(const Config& config, const std::vector<LabelledRun>& runs) const {
    std::vector<Family> list;
    std::vector<Json> specs;
    std::vector<std::string> given;
    for (const RunGroup& group : group_runs(config, vary)) {
      if (!value_at(config.runs[group.runs.front()], vary)) continue;
      Json spec = group.spec;
      spec.erase("h");
      const auto place = static_cast<std::size_t>(std::find(specs.begin(), specs.end(), spec) - specs.begin());
      if (place == specs.size()) {
        list.push_back({spec, "", {}});
        specs.push_back(std::move(spec)), given.push_back(config.entry_labels[group.runs.front()]);
      }
      list[place].sweeps.push_back(sweep_of(group, runs));
    }
    const std::vector<std::string> labels = complete_labels(given, specs);
    for (std::size_t i = 0; i < list.size(); ++i) {
      list[i].label = labels[i];
      std::stable_sort(list[i].sweeps.begin(), list[i].sweeps.end(),
                       [](const Sweep& a, const Sweep& b) { return a.h_value() > b.h_value(); });
    }
    return list;
  }

  Figure mean_figure(const Config& config, const std::vector<Family>& all) const {
    Panel panel;
    panel.x_label = key_name(), panel.y_label = fmt::format("mean {}", counted()), panel.log_x = true;
    double least = HUGE_VAL, largest = 0;
    for (const Family& family : all)
      for (const Sweep& sweep : family.sweeps) {
        if (sweep.key.empty()) continue;
        Series curve;
        curve.label = sweep.label, curve.style = "line-points";
        curve.x = sweep.key, curve.y = sweep.mean;
        panel.series.push_back(std::move(curve));
        least = std::min(least, sweep.key.back()), largest = std::max(largest, sweep.key.front());
      }
    if (level && largest > 0) {
      Series line;
      line.label = level->text(), line.style = "reference";
      line.x = {least, largest}, line.y = {level->as<double>(), level->as<double>()};
      panel.series.push_back(std::move(line));
    }
    return {config.name + "-mean",
            fmt::format("Mean {} against {}; runs that ended well.", counted(), key_name()),
            {panel}};
  }

  // ----- the level curve -----

  void add_level_curves(const Config& config, const std::vector<Family>& all, Evaluation& evaluation) const {
    std::vector<LevelCurve> curves;
    for (const Family& family : all) curves.push_back(level_curve(family));
    Json list = Json::array();
    for (const LevelCurve& curve : curves) {
      add_notes(curve, evaluation.artifacts.notes);
      list.push_back(curve_json(curve));
    }
    evaluation.artifacts.tables.push_back(level_table(config, curves));
    if (Figure figure = level_figure(config, curves); !figure.panels[0].series.empty())
      evaluation.artifacts.figures.push_back(std::move(figure));
    evaluation.analysis["level_curves"] = std::move(list);
  }

  LevelCurve level_curve(const Family& family) const {
    LevelCurve curve;
    curve.family = &family;
    for (const Sweep& sweep : family.sweeps)
      if (const auto key = key_at(sweep, level->as<double>()))
        curve.points.push_back({sweep.h, sweep.h_value(), *key});
      else
        curve.missing.push_back(sweep.h.get<std::string>());
    curve.law = fit(curve.points);
    return curve;
  }

  double scaled(const LevelPoint& point) const { return point.key / std::pow(point.h_value, slope.as<double>()); }

  Json curve_json(const LevelCurve& curve) const {
    Json points = Json::array();
    for (const LevelPoint& point : curve.points)
      points.push_back({{"h", point.h}, {"key", point.key}, {"scaled", scaled(point)}});
    const auto number = [](double x) { return std::isfinite(x) ? Json(x) : Json(); };
    const Json exponent = {{"order", number(curve.law.order)},
                           {"half_width", number(curve.law.half_width)},
                           {"decided", curve.law.decided()},
                           {"statement", statement_of(curve)}};
    return {{"label", curve.family->label},
            {"spec", curve.family->spec},
            {"points", points},
            {"exponent", exponent},
            {"coefficient", number(curve.law.coefficient)},
            {"coefficient_at_slope", number(mean_factor(curve.points, slope.as<double>()))}};
  }

  void add_notes(const LevelCurve& curve, std::vector<std::string>& notes) const {
    if (!curve.missing.empty())
      notes.push_back(fmt::format("{}: no two neighbouring values of {} bracket the mean {} at h = {}",
                                  curve.family->label, key_name(), level->text(), fmt::join(curve.missing, ", ")));
    if (curve.points.empty()) return;
    notes.push_back(fmt::format("{}: mean {} on {} = {:.3g} h^{} (geometric mean); fitted exponent {}",
                                curve.family->label, level->text(), key_name(),
                                mean_factor(curve.points, slope.as<double>()), slope.text(), statement_of(curve)));
  }

  Table level_table(const Config& config, const std::vector<LevelCurve>& curves) const {
    const std::string key = key_name();
    Table table{config.name + "-level",
                fmt::format("Where the mean is {}: {} by monotone interpolation between neighbouring runs, and divided "
                            "by h^{}.",
                            level->text(), key, slope.text()),
                {{"Series", "", CellFormat::text, 0},
                 {"h [s]", "$h$ [s]", CellFormat::text, 0},
                 {key, "", CellFormat::scientific, 3},
                 {fmt::format("{} / h^{}", key, slope.text()), "", CellFormat::scientific, 3}},
                {}};
    for (const LevelCurve& curve : curves)
      for (const LevelPoint& point : curve.points)
        table.rows.push_back({curve.family->label, point.h, point.key, scaled(point)});
    return table;
  }

  Figure level_figure(const Config& config, const std::vector<LevelCurve>& curves) const {
    Panel panel;
    panel.x_label = "step size h [s]", panel.y_label = key_name(), panel.log_x = panel.log_y = true;
    const LevelCurve* longest = nullptr;
    for (const LevelCurve& curve : curves) {
      if (curve.points.empty()) continue;
      Series line;
      line.label = curve.family->label, line.style = "line-points";
      for (const LevelPoint& point : curve.points) line.x.push_back(point.h_value), line.y.push_back(point.key);
      panel.series.push_back(std::move(line));
      if (!longest || curve.points.size() > longest->points.size()) longest = &curve;
    }
    if (longest) panel.series.push_back(slope_line(*longest));
    return {config.name + "-level-curve",
            fmt::format("{} at which the mean is {}, against the step size.", key_name(), level->text()),
            {panel}};
  }

  // A factor 3 below the fine end of a curve.
  Series slope_line(const LevelCurve& curve) const {
    Series line;
    line.label = "slope " + slope.text(), line.style = "reference";
    const LevelPoint& fine = curve.points.back();
    for (const LevelPoint* point : {&curve.points.front(), &fine}) {
      line.x.push_back(point->h_value);
      line.y.push_back(fine.key / 3 * std::pow(point->h_value / fine.h_value, slope.as<double>()));
    }
    return line;
  }
};
const ExperimentEntry<IterationCounts> iteration_counts_entry;

}  // namespace
}  // namespace daelab
