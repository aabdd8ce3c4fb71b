// Explicit methods along the negative real axis: the stability interval against the square of the stages, beside the
// formulas of theory, and the damping that keeps the region from pinching.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098, figure 1.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "analysis/negative_axis.hpp"
#include "core/integration/method.hpp"
#include "experiments/runs/experiment.hpp"
#include "experiments/runs/method_run.hpp"
#include "results/record_values.hpp"

namespace daelab {
namespace {

constexpr const char* unfit = "not an explicit Runge-Kutta method of a given number of stages with a stable interval";

// ----- runs -----

Json resolve_interval_run(const Json& run, const std::string& where) { return method_runs().resolve(run, where); }

RunOutcome carry_out_interval_run(const Json& resolved) {
  const auto found = negative_axis(Registry<Method>::instance().make(resolved["method"], "/method")->form());
  RunOutcome outcome;
  outcome.record = {{"status", to_string(found ? StatusCode::ok : StatusCode::not_applicable)},
                    {"cause", found ? "" : unfit},
                    {"spec", resolved}};
  if (!found) return outcome;
  outcome.record["stages"] = found->stages;
  outcome.record["interval"] = number(found->length);
  outcome.record["per_square"] = number(found->length / (found->stages * found->stages));
  outcome.record["largest"] = number(found->largest);
  outcome.record["neck"] = number(found->neck), outcome.record["lobe"] = number(found->lobe);
  return outcome;
}

Json schema_of_interval_run() { return method_runs().schema(); }
double cost_of_interval_run(const Json& /*spec*/) { return 1; }

// ----- laws -----

struct Law {
  std::string method, label;
  Exact factor = 1, shift = 0;

  Options options() {
    return {option("method", method, "label of the runs that it is of"),
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

  std::string caption;
  std::vector<Law> laws;

  Options options() {
    return {option("caption", caption, "what is compared; what is shown of it is added"),
            option("laws", laws, "lengths of theory, factor (s^2 + shift), to stand beside")};
  }
  static const RunKind& run_kind() {
    static const RunKind kind{resolve_interval_run, carry_out_interval_run, schema_of_interval_run,
                              cost_of_interval_run};
    return kind;
  }

  void check(const Config& config) const {
    for (std::size_t i = 0; i < laws.size(); ++i)
      if (std::find(config.entry_labels.begin(), config.entry_labels.end(), laws[i].method) ==
          config.entry_labels.end())
        throw InputError(fmt::format("/laws/{}/method", i),
                         fmt::format("no runs with the label '{}'; there are: {}", laws[i].method,
                                     fmt::join(names_in(config), "; ")));
  }

  Evaluation evaluate(const Config& config, const std::vector<LabelledRun>& runs, const Json& /*reference*/) const {
    Evaluation evaluation;
    Table intervals = table(config);
    Json& series = evaluation.analysis["series"] = Json::array();
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const Json& record = runs[i].record;
      Json& entry = series.emplace_back(Json{{"label", runs[i].label}});
      entry.update(record);
      if (record["status"] != "ok") {
        evaluation.artifacts.notes.push_back(
            fmt::format("{}: not applicable - {}", runs[i].label, record["cause"].get<std::string>()));
        continue;
      }
      const Law* law = law_of(config.entry_labels[i]);
      if (law) entry["law"] = law->length(record["stages"]), entry["per_law"] = ratio(record["interval"], entry["law"]);
      intervals.rows.push_back({runs[i].label, record["stages"], record["interval"], record["per_square"],
                                law ? entry["law"] : Json(), law ? entry["per_law"] : Json(), record["largest"],
                                record["neck"], record["lobe"]});
    }
    evaluation.artifacts.tables.push_back(std::move(intervals));
    evaluation.artifacts.figures.push_back(figure(config, runs));
    return evaluation;
  }

 private:
  static Json ratio(const Json& a, const Json& b) { return number(a.get<double>() / b.get<double>()); }
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

  Figure figure(const Config& config, const std::vector<LabelledRun>& runs) const {
    Panel lengths, ratios;
    lengths.x_label = ratios.x_label = "stages s";
    lengths.y_label = "real stability interval β", ratios.y_label = "β / s²";
    lengths.log_x = lengths.log_y = ratios.log_x = true;
    for (const std::string& label : names_in(config)) {
      Series length, square;
      length.label = square.label = label, length.style = square.style = "line-points";
      for (std::size_t i = 0; i < runs.size(); ++i) {
        const Json& record = runs[i].record;
        if (config.entry_labels[i] != label || record["status"] != "ok") continue;
        length.x.push_back(record["stages"]), length.y.push_back(record["interval"]);
        square.x.push_back(record["stages"]), square.y.push_back(record["per_square"]);
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
    square.label = law.label, length.style = square.style = "reference";
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
}  // namespace daelab
