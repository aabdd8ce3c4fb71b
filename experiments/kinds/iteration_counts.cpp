// Iteration counts: mean and histogram of the passes of a multiplier solver, or of Newton iterations, over a grid of
// runs; and the curve on which the mean takes a given value (experiments/measures/level_curve.hpp), of the tolerance
// eps_abs against the step size, say. [Iv23, sec. 4: a mean of 1.994]
//
// [Iv23] Ivanov, Vestnik Permskogo Universiteta, Matematika Mekhanika Informatika 1(60), 2023, 30-46.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "experiments/measures/figure_spec.hpp"
#include "experiments/measures/level_curve.hpp"
#include "experiments/measures/run_times.hpp"
#include "experiments/runs/steps.hpp"
#include "results/record_values.hpp"

namespace daelab {
namespace {

constexpr const char* multiplier_passes = "multiplier-passes";
constexpr const char* newton_iterations = "newton-iterations";
constexpr std::size_t last_bin = 4;  // of the table: 4 passes or more

// The varied key of a run, or nothing where the run has no such key.
std::optional<double> value_at(const BoundRun& run, const std::string& pointer) {
  const Json::json_pointer at(pointer);
  const Json& spec = run.json();
  if (!spec.contains(at) || spec[at].is_null()) return std::nullopt;
  return exact_from_json(spec[at], pointer).as<double>();
}

// What a run counted.
struct RunCounts {
  std::string label;
  Json spec;
  std::string status, cause;
  long solves = 0;                        // or steps
  std::optional<double> mean;             // nothing without any
  std::optional<SolveStatistics> passes;  // where they are what is counted
  RunTime time = {};

  std::optional<double> flops_per_solve() const {
    if (!passes || solves == 0) return {};
    return passes->flops / static_cast<double>(solves);
  }
  // Solves with k passes; in the last bin with that many or more.
  long bin(std::size_t k) const {
    const auto& histogram = passes->histogram;
    long sum = 0;
    for (std::size_t i = k; i < (k == last_bin ? histogram.size() : k + 1); ++i) sum += histogram[i];
    return sum;
  }
  // The most passes of any solve, up to the last bin of the histogram.
  long most() const {
    const auto last = std::find_if(passes->histogram.rbegin(), passes->histogram.rend(), [](long n) { return n > 0; });
    return std::max<long>(0, passes->histogram.rend() - last - 1);
  }
  long outcome(SolveOutcome outcome) const { return passes->outcomes[static_cast<std::size_t>(outcome)]; }
};

// Sweeps of the varied key that differ in the step size only.
struct Family {
  Json spec;  // without both
  std::string label;
  std::vector<Sweep> sweeps;        // coarse to fine
  std::optional<LevelCurve> curve;  // where one is sought
};

struct IterationCounts {
  static constexpr const char* name = "iteration-counts";
  static constexpr const char* summary =
      "Passes of the multiplier solver, or Newton iterations: mean and histogram per run; level curve of the mean.";
  static constexpr const char* source = "Ivanov 2023, sec. 4";

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
    for (const auto& run : config.runs)
      if (const auto value = value_at(*run, vary)) {
        if (!(*value > 0))
          throw InputError("/vary", fmt::format("{} = {:g}: a logarithm needs positive values", vary, *value));
        found = true;
      }
    if (!found) throw InputError("/vary", fmt::format("no run has a {}", vary));
  }

  struct Result {
    std::vector<RunCounts> runs;
    std::vector<Family> families;  // where a key is varied
    double slope = 0;              // expected of the level curves
  };

  Result evaluate(const Config& config, const std::vector<FinishedRun>& runs, const FinishedRun* /*reference*/) const {
    Result result;
    for (const FinishedRun& run : runs) result.runs.push_back(counts_of(run));
    if (vary.empty()) return result;
    result.families = families(config, runs, result.runs), result.slope = slope.as<double>();
    if (level)
      for (Family& family : result.families) family.curve = level_curve(family.sweeps, level->as<double>());
    return result;
  }

  Artifacts present(const Config& config, const Result& result) const {
    Artifacts artifacts;
    artifacts.tables.push_back(count_table(config, result.runs));
    for (const RunCounts& run : result.runs)
      if (run.status != "ok") artifacts.notes.push_back(fmt::format("{}: {} - {}", run.label, run.status, run.cause));
    if (!histograms.empty()) artifacts.figures.push_back(histogram_figure(config, result.runs));
    if (Figure figure = mean_figure(config, result.families); !figure.panels[0].series.empty())
      artifacts.figures.push_back(std::move(figure));
    if (!level) return artifacts;
    for (const Family& family : result.families) add_notes(family, artifacts.notes);
    artifacts.tables.push_back(level_table(config, result.families));
    if (Figure figure = level_figure(config, result.families); !figure.panels[0].series.empty())
      artifacts.figures.push_back(std::move(figure));
    return artifacts;
  }

  static double scaled(const LevelPoint& point, double slope) {
    return point.key / std::pow(point.h.as<double>(), slope);
  }

 private:
  std::string key_name() const { return vary_label.empty() ? vary.substr(vary.rfind('/') + 1) : vary_label; }
  const char* counted() const { return count == multiplier_passes ? "passes per solve" : "Newton iterations per step"; }

  // ----- the counts -----

  RunCounts counts_of(const FinishedRun& run) const {
    const RunRecord& r = run.record;
    RunCounts counts{run.label, run.run->json(), r.status, r.cause, 0, {}, {}, r.stats};
    if (count == newton_iterations) {
      counts.solves = r.stats.steps;
      if (counts.solves > 0)
        counts.mean = static_cast<double>(r.stats.newton_iterations) / static_cast<double>(counts.solves);
    } else {
      counts.passes = r.multipliers, counts.solves = r.multipliers.solves;
      if (counts.solves > 0) counts.mean = r.multipliers.mean_passes();
    }
    return counts;
  }

  Table count_table(const Config& config, const std::vector<RunCounts>& runs) const {
    const bool passes = count == multiplier_passes;
    const std::string lead = caption.empty() ? config.title + "." : caption;
    Table table{config.name, fmt::format("{} Mean {}", lead, counted()), {{"Run", "", CellFormat::text, 0}}, {}};
    RunTimes times;
    for (const RunCounts& run : runs) times.add(run.time);
    if (passes)
      table.caption +=
          ", number of solves by passes k and by outcome, additions and multiplications per solve (without forming A)";
    table.caption += fmt::format("; {}. Failed runs up to their failure.", times.words());
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
    times.add_columns(table);
    table.columns.push_back({"Status", "", CellFormat::text, 0});
    for (const RunCounts& run : runs) table.rows.push_back(count_row(run, times));
    return table;
  }

  static Json count_row(const RunCounts& run, const RunTimes& times) {
    Json row = {run.label, run.solves, number(run.mean)};
    if (run.passes) {
      for (std::size_t k = 0; k <= last_bin; ++k) row.push_back(run.bin(k));
      row.push_back(run.outcome(SolveOutcome::floor)), row.push_back(run.outcome(SolveOutcome::not_converged));
      row.push_back(number(run.flops_per_solve()));
    }
    times.add_cells(row, run.time);
    row.push_back(run.status);
    return row;
  }

  Figure histogram_figure(const Config& config, const std::vector<RunCounts>& runs) const {
    Panel panel;
    panel.x_label = "passes k", panel.y_label = "solves", panel.log_y = true;
    for (const RunCounts& run : runs) {
      if (std::find(histograms.begin(), histograms.end(), run.label) == histograms.end()) continue;
      Series bars;
      bars.label = run.label, bars.style = CurveStyle::line_points;
      const auto& histogram = run.passes->histogram;
      for (std::size_t k = 0; k < histogram.size(); ++k)
        if (histogram[k] > 0)
          bars.x.push_back(static_cast<double>(k)), bars.y.push_back(static_cast<double>(histogram[k]));
      panel.series.push_back(std::move(bars));
    }
    return {config.name + "-histogram", "Number of solves with k passes; empty classes are left out.", {panel}};
  }

  // ----- the mean against the varied key -----

  // Failed runs have no mean.
  Sweep sweep_of(const RunGroup& group, const std::vector<FinishedRun>& runs,
                 const std::vector<RunCounts>& counts) const {
    std::vector<std::pair<double, double>> points;
    for (const std::size_t i : group.runs)
      if (runs[i].record.ok() && counts[i].mean) points.emplace_back(*value_at(*runs[i].run, vary), *counts[i].mean);
    std::sort(points.rbegin(), points.rend());
    Sweep sweep{group.label, *runs[group.runs.front()].run->spec().h, {}, {}};
    for (const auto& [key, mean] : points) sweep.key.push_back(key), sweep.mean.push_back(mean);
    return sweep;
  }

  std::vector<Family> families(const Config& config, const std::vector<FinishedRun>& runs,
                               const std::vector<RunCounts>& counts) const {
    std::vector<Family> list;
    std::vector<Json> specs;
    std::vector<std::string> given;
    for (const RunGroup& group : group_runs(config, vary)) {
      if (!value_at(*runs[group.runs.front()].run, vary)) continue;
      Json spec = group.spec;
      spec.erase("h");
      const auto place = static_cast<std::size_t>(std::find(specs.begin(), specs.end(), spec) - specs.begin());
      if (place == specs.size()) {
        list.push_back({spec, "", {}, {}});
        specs.push_back(std::move(spec)), given.push_back(config.entry_labels[group.runs.front()]);
      }
      list[place].sweeps.push_back(sweep_of(group, runs, counts));
    }
    const std::vector<std::string> labels = complete_labels(given, specs);
    for (std::size_t i = 0; i < list.size(); ++i) {
      list[i].label = labels[i];
      std::stable_sort(list[i].sweeps.begin(), list[i].sweeps.end(),
                       [](const Sweep& a, const Sweep& b) { return a.h.as<double>() > b.h.as<double>(); });
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
        curve.label = sweep.label, curve.style = CurveStyle::line_points;
        curve.x = sweep.key, curve.y = sweep.mean;
        panel.series.push_back(std::move(curve));
        least = std::min(least, sweep.key.back()), largest = std::max(largest, sweep.key.front());
      }
    if (level && largest > 0) {
      Series line;
      line.label = level->text(), line.style = CurveStyle::reference;
      line.x = {least, largest}, line.y = {level->as<double>(), level->as<double>()};
      panel.series.push_back(std::move(line));
    }
    return {config.name + "-mean",
            fmt::format("Mean {} against {}; runs that ended well.", counted(), key_name()),
            {panel}};
  }

  // ----- the level curve -----

  void add_notes(const Family& family, std::vector<std::string>& notes) const {
    const LevelCurve& curve = *family.curve;
    if (!curve.missing.empty())
      notes.push_back(fmt::format("{}: no two neighbouring values of {} bracket the mean {} at h = {}", family.label,
                                  key_name(), level->text(), fmt::join(curve.missing, ", ")));
    if (curve.points.empty()) return;
    notes.push_back(fmt::format("{}: mean {} on {} = {:.3g} h^{} (geometric mean); fitted exponent {}", family.label,
                                level->text(), key_name(), curve.mean_factor(slope.as<double>()), slope.text(),
                                curve.statement()));
  }

  Table level_table(const Config& config, const std::vector<Family>& all) const {
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
    for (const Family& family : all)
      for (const LevelPoint& point : family.curve->points)
        table.rows.push_back({family.label, point.h.text(), point.key, scaled(point, slope.as<double>())});
    return table;
  }

  Figure level_figure(const Config& config, const std::vector<Family>& all) const {
    Panel panel;
    panel.x_label = "step size h [s]", panel.y_label = key_name(), panel.log_x = panel.log_y = true;
    const LevelCurve* longest = nullptr;
    for (const Family& family : all) {
      const LevelCurve& curve = *family.curve;
      if (curve.points.empty()) continue;
      Series line;
      line.label = family.label, line.style = CurveStyle::line_points;
      for (const LevelPoint& point : curve.points) line.x.push_back(point.h.as<double>()), line.y.push_back(point.key);
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
    line.label = "slope " + slope.text(), line.style = CurveStyle::reference;
    const LevelPoint& fine = curve.points.back();
    for (const LevelPoint* point : {&curve.points.front(), &fine}) {
      line.x.push_back(point->h.as<double>());
      line.y.push_back(fine.key / 3 * std::pow(point->h.as<double>() / fine.h.as<double>(), slope.as<double>()));
    }
    return line;
  }
};

void to_json(Json& json, const RunCounts& run) {
  json = {{"label", run.label},
          {"spec", run.spec},
          {"status", run.status},
          {"cause", run.cause},
          {"mean", number(run.mean)},
          {"solves", run.solves},
          {"histogram", run.passes ? histogram_json(*run.passes) : Json()},
          {"outcomes", run.passes ? outcomes_json(*run.passes) : Json()},
          {"flops_per_solve", number(run.flops_per_solve())}};
  if (!run.passes) return;
  json["most"] = run.most();
  json["largest_residual"] = number(run.passes->largest_residual);
  json["largest_floor"] = number(run.passes->largest_floor);
}

// "exponent" as orders are, for claims of this kind.
Json curve_json(const Family& family, double slope) {
  const LevelCurve& curve = *family.curve;
  Json points = Json::array();
  for (const LevelPoint& point : curve.points)
    points.push_back({{"h", point.h.text()}, {"key", point.key}, {"scaled", IterationCounts::scaled(point, slope)}});
  const Json exponent = {{"order", number(curve.law.order)},
                         {"half_width", number(curve.law.half_width)},
                         {"decided", curve.law.decided()},
                         {"statement", curve.statement()}};
  return {{"label", family.label},
          {"spec", family.spec},
          {"points", points},
          {"exponent", exponent},
          {"coefficient", number(curve.law.coefficient)},
          {"coefficient_at_slope", number(curve.mean_factor(slope))}};
}

// "statuses": how many runs ended how; a claim about a failed run points there.
void to_json(Json& json, const IterationCounts::Result& result) {
  std::map<std::string, int> statuses;
  for (const RunCounts& run : result.runs) ++statuses[run.status];
  json = {{"series", result.runs}, {"statuses", statuses}};
  for (const Family& family : result.families)
    if (family.curve) json["level_curves"].push_back(curve_json(family, result.slope));
}

const ExperimentEntry<IterationCounts> iteration_counts_entry;

}  // namespace
}  // namespace daelab
