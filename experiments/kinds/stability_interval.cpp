// Explicit methods along the negative real axis: the stability interval against the square of the stages, beside the
// formulas of theory, and the damping that keeps the region from pinching.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098, figure 1.
#include "experiments/kinds/stability_interval.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "lab/runs/method_run.hpp"
#include "results/record_values.hpp"

namespace daelab {
namespace {

constexpr const char* unfit = "not an explicit Runge-Kutta method of a given number of stages with a stable interval";

// ----- runs -----

class IntervalRun final : public SpecifiedRun {
 public:
  static std::shared_ptr<const IntervalRun> bind(const Json& json, const std::string& where) {
    return std::shared_ptr<const IntervalRun>(new IntervalRun(MethodRun::bind(json, where)));
  }
  RunOutcome execute() const override;

 private:
  explicit IntervalRun(std::shared_ptr<const MethodRun> run) : SpecifiedRun(run->json()), run_(std::move(run)) {}
  std::shared_ptr<const MethodRun> run_;  // whose specification it shares
};

double per_square(const NegativeAxis& axis) { return axis.length / (axis.stages * axis.stages); }

RunOutcome IntervalRun::execute() const {
  const auto found = negative_axis(run_->method().form());
  RunOutcome outcome{IntervalRecord{found ? StatusCode::ok : StatusCode::not_applicable, found ? "" : unfit, found}};
  outcome.record["spec"] = json();
  return outcome;
}

struct IntervalRuns {
  using Run = IntervalRun;
  using Record = IntervalRecord;
  static const RunKind& kind() { return run_kind_of<IntervalRun, MethodRunSpec>(); }
};

// ----- laws -----

struct Law {
  std::string method, label;
  Exact factor = 1, shift = 0;

  Options options() {
    return {option("method", method, "label of the runs it belongs to"),
            option("label", label, "the formula, beside its line; \"\": none"),
            option("factor", factor, "of factor (s^2 + shift)", positive()), option("shift", shift, "")};
  }
  double length(double s) const { return factor.as<double>() * (s * s + shift.as<double>()); }
};

struct StabilityInterval {
  static constexpr const char* name = "stability-interval";
  static constexpr const char* summary =
      "Real stability intervals of explicit methods against the square of the stages, and the damping inside.";
  static constexpr const char* source = "Hairer, Wanner 1996, Sec. IV.2; Ren, Zhou 2020, figure 1";
  using Runs = IntervalRuns;

  std::string caption;
  std::vector<Law> laws;

  Options options() {
    return {option("caption", caption, "what is compared; what is shown of it is added"),
            option("laws", laws, "lengths of theory, factor (s^2 + shift), to stand beside")};
  }

  void check(const Config& config) const {
    for (std::size_t i = 0; i < laws.size(); ++i)
      if (std::find(config.entry_labels.begin(), config.entry_labels.end(), laws[i].method) ==
          config.entry_labels.end())
        throw InputError(fmt::format("/laws/{}/method", i),
                         fmt::format("no runs with the label '{}'; there are: {}", laws[i].method,
                                     fmt::join(names_in(config), "; ")));
  }

  using Result = StabilityIntervalResult;

  Result evaluate(const Config& config, const std::vector<Finished<IntervalRun, IntervalRecord>>& runs,
                  const Finished<IntervalRun, IntervalRecord>* /*reference*/) const {
    Result result;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const auto& run = runs[i];
      auto& entry = result.series.emplace_back(
          Result::Entry{run.label, config.entry_labels[i], run.record, run.run->json(), run.key, {}});
      const Law* law = law_of(entry.entry_label);
      if (law && run.record.ok()) entry.law = law->length(run.record.axis->stages);
    }
    return result;
  }

  Artifacts present(const Config& config, const Result& result) const {
    Artifacts artifacts;
    Table intervals = table(config);
    for (const auto& [label, entry_label, record, spec, key, law] : result.series) {
      if (!record.ok()) {
        artifacts.notes.push_back(fmt::format("{}: not applicable - {}", label, record.cause));
        continue;
      }
      const NegativeAxis& axis = *record.axis;
      intervals.rows.push_back({label, axis.stages, axis.length, per_square(axis), law,
                                law ? TableCell(axis.length / *law) : TableCell(), axis.largest, axis.neck, axis.lobe});
    }
    artifacts.tables.push_back(std::move(intervals));
    artifacts.figures.push_back(figure(config, result));
    return artifacts;
  }

 private:
  std::string lead(const Config& config) const { return caption.empty() ? config.title + "." : caption; }

  // Labels of entries, each once.
  static std::vector<std::string> names_in(const Config& config) {
    std::vector<std::string> names;
    for (const std::string& label : config.entry_labels)
      if (std::find(names.begin(), names.end(), label) == names.end()) names.push_back(label);
    return names;
  }
  const Law* law_of(const std::string& label) const {
    const auto place = std::find_if(laws.begin(), laws.end(), [&](const Law& law) { return law.method == label; });
    return place == laws.end() ? nullptr : &*place;
  }

  Table table(const Config& config) const {
    return {config.name,
            lead(config) +
                " Stages s; beta, the largest with stability on [-beta, 0]; its law; the largest |R| at the "
                "maxima inside; half-heights of the region at the narrowest neck and the widest lobe.",
            {{"method", "", CellFormat::text, 0},
             {"s", "$s$", CellFormat::integer, 0},
             {"beta", "$\\beta$", CellFormat::fixed, 3},
             {"beta/s²", "$\\beta/s^2$", CellFormat::fixed, 4},
             {"law", "", CellFormat::fixed, 3},
             {"beta/law", "$\\beta/$law", CellFormat::fixed, 4},
             {"largest |R|", "$\\max |R|$", CellFormat::fixed, 4},
             {"neck", "", CellFormat::fixed, 3},
             {"lobe", "", CellFormat::fixed, 3}},
            {}};
  }

  Figure figure(const Config& config, const Result& result) const {
    Panel lengths, ratios;
    lengths.x_label = ratios.x_label = "stages s";
    lengths.y_label = "real stability interval β", ratios.y_label = "β / s²";
    lengths.log_x = lengths.log_y = ratios.log_x = true;
    for (const std::string& label : names_in(config)) {
      Series length, square;
      length.label = square.label = label, length.style = square.style = CurveStyle::line_points;
      for (const Result::Entry& entry : result.series) {
        if (entry.entry_label != label || !entry.record.ok()) continue;
        const NegativeAxis& axis = *entry.record.axis;
        length.x.push_back(axis.stages), length.y.push_back(axis.length);
        square.x.push_back(axis.stages), square.y.push_back(per_square(axis));
      }
      if (length.x.empty()) continue;
      const auto [least, most] = std::minmax_element(length.x.begin(), length.x.end());
      if (const Law* law = law_of(label); law && *least < *most) add_law(*law, *least, *most, lengths, ratios);
      lengths.series.push_back(std::move(length)), ratios.series.push_back(std::move(square));
    }
    return {config.name + "-intervals",
            lead(config) +
                " Length of the interval of stability on the negative real axis against the stages, and its "
                "ratio to their square; dashed: theory.",
            {lengths, ratios}};
  }

  static void add_law(const Law& law, double least, double most, Panel& lengths, Panel& ratios) {
    Series length, square;
    square.label = law.label, length.style = square.style = CurveStyle::reference;
    constexpr int points = 60;
    for (int i = 0; i < points; ++i) {
      const double s = least * std::pow(most / least, i / (points - 1.0));
      length.x.push_back(s), length.y.push_back(law.length(s));
      square.x.push_back(s), square.y.push_back(law.length(s) / (s * s));
    }
    lengths.series.push_back(std::move(length)), ratios.series.push_back(std::move(square));
  }
};

const ExperimentEntry<StabilityInterval> stability_interval_entry;

}  // namespace

void members(JsonMembers& json, IntervalRecord& record) {
  json("status", record.status)("cause", record.cause);
  if (json.from() && record.ok()) record.axis.emplace();
  if (!record.axis) return;
  NegativeAxis& axis = *record.axis;
  json("stages", axis.stages)("interval", axis.length).derived("per_square", [&] { return per_square(axis); });
  json("largest", axis.largest)("neck", axis.neck)("lobe", axis.lobe);
}

// The specification comes between members of the record.
void members(JsonMembers& json, StabilityIntervalResult::Entry& entry) {
  IntervalRecord& record = entry.record;
  json("label", entry.label)("entry_label", entry.entry_label)("status", record.status)("cause", record.cause);
  json("spec", entry.spec);
  members(json, record);
  json("key", entry.key).where_given("law", entry.law);
  if (entry.law) json.derived("per_law", [&] { return record.axis->length / *entry.law; });
}

void members(JsonMembers& json, StabilityIntervalResult& result) { json("series", result.series); }

}  // namespace daelab
