#include "experiments/kinds/iteration_counts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "lab/runs/steps.hpp"
#include "results/record_values.hpp"

namespace daelab {
namespace {

using RunCounts = IterationCounts::RunCounts;
using Family = IterationCounts::Family;

// The varied key of a run, or nothing where the run has no such key.
std::optional<double> value_at(const BoundRun& run, const std::string& pointer) {
  const Json::json_pointer at(pointer);
  const std::shared_ptr<const Json> spec = run.specification();
  const Json* const value = spec->find(at);
  if (value == nullptr || value->is_null()) return std::nullopt;
  return exact_from_json(*value, pointer).as<double>();
}

RunCounts counts_of(const FinishedRun& run, const std::string& count) {
  const RunRecord& r = run.record;
  RunCounts counts{run.label, run.run->json(), r.status, r.cause, 0, {}, {}, r.stats};
  if (count == IterationCounts::newton_iterations) {
    counts.solves = r.stats.steps;
    if (counts.solves > 0)
      counts.mean = static_cast<double>(r.stats.newton_iterations) / static_cast<double>(counts.solves);
  } else {
    counts.passes = r.multipliers, counts.solves = r.multipliers.solves;
    if (counts.solves > 0) counts.mean = r.multipliers.mean_passes();
  }
  return counts;
}

// Failed runs have no mean.
Sweep sweep_of(const RunGroup& group, const std::vector<FinishedRun>& runs, const std::vector<RunCounts>& counts,
               const std::string& vary) {
  std::vector<std::pair<double, double>> points;
  for (const std::size_t i : group.runs)
    if (runs[i].record.ok() && counts[i].mean) points.emplace_back(*value_at(*runs[i].run, vary), *counts[i].mean);
  std::sort(points.rbegin(), points.rend());
  Sweep sweep{group.label, *runs[group.runs.front()].run->spec().h, {}, {}};
  for (const auto& [key, mean] : points) sweep.key.push_back(key), sweep.mean.push_back(mean);
  return sweep;
}

std::vector<Family> families(const Config& config, const std::vector<FinishedRun>& runs,
                             const std::vector<RunCounts>& counts, const std::string& vary) {
  std::vector<Family> list;
  std::vector<Json> specs;
  std::vector<std::string> given;
  for (const RunGroup& group : group_runs(config, vary)) {
    if (!value_at(*runs[group.runs.front()].run, vary)) continue;
    Json spec = group.spec;
    spec.erase("h");
    std::size_t place = 0;
    while (place < specs.size() && (specs[place] != spec || given[place] != group.entry_label)) ++place;
    if (place == specs.size()) {
      list.push_back({spec, "", {}, {}});
      specs.push_back(std::move(spec)), given.push_back(group.entry_label);
    }
    list[place].sweeps.push_back(sweep_of(group, runs, counts, vary));
  }
  const std::vector<std::string> labels = complete_labels(given, specs);
  for (std::size_t i = 0; i < list.size(); ++i) {
    list[i].label = labels[i];
    std::stable_sort(list[i].sweeps.begin(), list[i].sweeps.end(),
                     [](const Sweep& a, const Sweep& b) { return a.h.as<double>() > b.h.as<double>(); });
  }
  return list;
}

}  // namespace

Options IterationCounts::options() {
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

void IterationCounts::validate(const std::string& where) const {
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

void IterationCounts::check(const Config& config) const {
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

IterationCounts::Result IterationCounts::evaluate(const Config& config, const std::vector<FinishedRun>& runs,
                                                  const FinishedRun* /*reference*/) const {
  Result result;
  for (const FinishedRun& run : runs) result.runs.push_back(counts_of(run, count));
  if (vary.empty()) return result;
  result.families = families(config, runs, result.runs, vary), result.slope = slope.as<double>();
  if (level)
    for (Family& family : result.families) family.curve = level_curve(family.sweeps, level->as<double>());
  return result;
}

double IterationCounts::scaled(const LevelPoint& point, double slope) {
  return point.key / std::pow(point.h.as<double>(), slope);
}

std::optional<double> IterationCounts::RunCounts::flops_per_solve() const {
  if (!passes || solves == 0) return {};
  return passes->flops / static_cast<double>(solves);
}

long IterationCounts::RunCounts::most() const {
  const auto last = std::find_if(passes->histogram.rbegin(), passes->histogram.rend(), [](long n) { return n > 0; });
  return std::max<long>(0, passes->histogram.rend() - last - 1);
}

const ExperimentEntry<IterationCounts> iteration_counts_entry;

// ----- as JSON -----

void members(JsonMembers& json, IterationCounts::RunCounts& run) {
  json("label", run.label)("spec", run.spec)("status", run.status)("cause", run.cause);
  json("mean", run.mean)("solves", run.solves);
  json.derived("histogram", [&run] { return run.passes ? histogram_json(*run.passes) : Json(); });
  json.derived("outcomes", [&run] { return run.passes ? outcomes_json(*run.passes) : Json(); });
  json.derived("flops_per_solve", [&run] { return run.flops_per_solve(); });
  if (run.passes) {
    json.derived("most", [&run] { return run.most(); });
    json.derived("largest_residual", [&run] { return run.passes->largest_residual; });
    json.derived("largest_floor", [&run] { return run.passes->largest_floor; });
  }
  json("passes", run.passes)("time", run.time);
}

void members(JsonMembers& json, Sweep& sweep) {
  json("label", sweep.label)("h", sweep.h)("key", sweep.key)("mean", sweep.mean);
}

void members(JsonMembers& json, LevelPoint& point) { json("h", point.h)("key", point.key); }

void members(JsonMembers& json, LevelCurve& curve) {
  json("points", curve.points)("missing", curve.missing)("order", curve.law.order);
  json("half_width", curve.law.half_width)("coefficient", curve.law.coefficient);
}

void members(JsonMembers& json, IterationCounts::Family& family) {
  json("label", family.label)("spec", family.spec)("sweeps", family.sweeps)("curve", family.curve);
}

namespace {

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

}  // namespace

// "statuses": how many runs ended how; a claim about a failed run points there.
void members(JsonMembers& json, IterationCountsResult& result) {
  json("series", result.runs);
  json.derived("statuses", [&result] {
    std::map<std::string, int> statuses;
    for (const RunCounts& run : result.runs) ++statuses[to_string(run.status)];
    return statuses;
  });
  if (std::ranges::any_of(result.families, [](const Family& family) { return family.curve.has_value(); }))
    json.derived("level_curves", [&result] {
      std::vector<Json> curves;
      for (const Family& family : result.families)
        if (family.curve) curves.push_back(curve_json(family, result.slope));
      return curves;
    });
  json("families", result.families)("slope", result.slope);
}

}  // namespace daelab
