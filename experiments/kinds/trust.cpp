// Trust: whether a run that ends "ok" is right. Runs with error control, their errors at the end time in units of the
// tolerance, and how the others end.
//
//   ratio = max |y_i - y*_i| / (atol_i + rtol |y*_i|)      y*: the reference; y: q, v and first-order states
//
// a and lambda, which no method controls, are measured alike in a column of their own.
#include "experiments/kinds/trust.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/base/coefficient_document.hpp"
#include "core/integration/tableau.hpp"
#include "experiments/measures/accuracy.hpp"
#include "experiments/measures/figure_spec.hpp"
#include "experiments/measures/run_times.hpp"
#include "lab/runs/steps.hpp"
#include "results/claim_format.hpp"
#include "results/record_values.hpp"

namespace daelab {
namespace {

/// Why some runs are far off, and how far that may be.
struct Explanation {
  Json runs = Json::object();
  std::string reason;
  std::optional<Exact> up_to;

  Options options() {
    return {
        option("runs", runs, "selectors of the runs, as of claims: {\"/method/name\": \"hht\"}", {{"type", "object"}}),
        option("reason", reason, "why they are that far off, with the evidence"),
        option("up_to", up_to, "how many tolerances off the reason makes a run at most; null: as many as there are",
               positive())};
  }

  bool explains(const Run& run, double ratio) const {
    return selects(runs, run.json()) && (!up_to || ratio <= up_to->as<double>());
  }
};

// Says something of the error of differential states at the end.
bool speaks_of_accuracy(const std::string& warning) {
  return warning != "stiff" && warning != "newton" && warning != "coefficient-digits" && warning != "algebraic";
}

struct Trust {
  static constexpr const char* name = "trust";
  static constexpr const char* summary =
      "Achieved error over tolerance of runs with error control: which end ok and are wrong, which fail and how.";
  static constexpr const char* source = "";
  static MemberUnits units() { return {{"/rows/*/cpu_seconds", "s"}}; }

  std::string caption;
  Exact limit = 1000;
  int rows = 20;
  std::vector<Explanation> explained;

  Options options() {
    return {option("caption", caption, "what the runs are; what the tables show is added to it"),
            option("limit", limit, "a run that ends ok and is more tolerances off must be explained", positive()),
            option("rows", rows, "how many of the worst runs the table shows", at_least(1)),
            option("explained", explained, "why runs are beyond the limit; a warning of the run explains it, too")};
  }

  void validate(const std::string& where) const {
    for (std::size_t i = 0; i < explained.size(); ++i) {
      const std::string place = fmt::format("{}/explained/{}", where, i);
      if (explained[i].reason.empty()) throw InputError(place + "/reason", "is missing: a sentence");
      for (const auto& [pointer, value] : explained[i].runs.items())
        if (!pointer.starts_with("/"))
          throw InputError(place + "/runs", fmt::format("'{}' is no JSON pointer such as /method/name", pointer));
    }
  }

  void check(const Config& config) const {
    std::set<std::string> known;  // problems and end times
    for (std::size_t i = 0; i < config.runs.size(); ++i) {
      const Run& run = integration(config, i);
      if (!run.spec().adaptive())
        throw InputError("/runs", fmt::format("run '{}' has fixed steps: trust needs error control; give \"rtol\"",
                                              config.labels[i]));
      if (known.insert(solution_key(run)).second) check_reference(config, run);
    }
    for (std::size_t i = 0; i < explained.size(); ++i)
      if (std::ranges::none_of(config.runs,
                               [&](const auto& run) { return selects(explained[i].runs, *run->specification()); }))
        throw InputError(fmt::format("/explained/{}/runs", i), "selects no run: " + selector_text(explained[i].runs));
  }

  using Result = TrustResult;

  Result evaluate(const Config& config, const std::vector<FinishedRun>& runs, const FinishedRun* reference_run) const {
    Result result{reference_failure(reference_run), limit.as<double>(), {}, {}};
    std::map<std::string, ReferenceSolution> solutions;
    std::vector<bool> needed(explained.size(), false);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      Result::Row& row = result.rows.emplace_back(row_of(runs[i], config.entry_labels[i]));
      if (!result.failure.empty() || !row.ok()) continue;
      const std::string key = solution_key(*runs[i].run);
      auto solution = solutions.find(key);
      if (solution == solutions.end())
        solution = solutions.emplace(key, reference_solution(*runs[i].run, reference_run)).first;
      measure(runs[i], solution->second, row);
      if (!result.beyond(row)) continue;
      for (std::size_t e = 0; e < explained.size(); ++e)
        if (explained[e].explains(*runs[i].run, *row.ratio))
          row.reasons.push_back(explained[e].reason), needed[e] = true;
    }
    for (std::size_t e = 0; e < explained.size(); ++e)
      if (!needed[e]) result.idle.push_back(selector_text(explained[e].runs));
    return result;
  }

  Artifacts present(const Config& config, const Result& result) const {
    Artifacts artifacts;
    artifacts.tables = {worst_table(config, result), method_table(config, result), status_table(config, result),
                        warning_table(config, result)};
    artifacts.figures.push_back(distribution(config, result));
    if (!result.failure.empty()) artifacts.notes.push_back(result.failure);
    for (const std::string& idle : result.idle)
      artifacts.notes.push_back("Explained, but no run of it is beyond the limit any more: " + idle);
    return artifacts;
  }

  // A tableau has a name; otherwise the options that set the method's size.
  static std::string method_text(const RunSpec& spec) {
    Json shown = {{"name", spec.method.name()}};
    const Json options = spec.method.options();
    for (const char* size : {"s", "k", "r"})
      if (options.contains(size) && !holds_coefficients(options)) shown[size] = options[size];
    return spec_text(shown);
  }

 private:
  static std::string solution_key(const Run& run) { return run.spec().problem.json().dump() + run.t_end().text(); }

  static Result::Row row_of(const FinishedRun& run, const std::string& group) {
    const RunRecord& r = run.record;
    const RunSpec& spec = run.run->spec();
    return {.label = run.label,
            .group = group,
            .problem = spec.problem.name(),
            .method = method_text(spec),
            .method_name = spec.method.name(),
            .formulation = run.run->formulation_text(),
            .rtol = *spec.rtol,
            .status = r.status,
            .cause = r.cause,
            .ratio = {},
            .ratio_of_a = {},
            .warnings = r.warnings,
            .reasons = {},
            .cpu_seconds = r.stats.cpu_seconds,
            .is_proved = false};
  }

  static void measure(const FinishedRun& run, const ReferenceSolution& reference, Result::Row& row) {
    std::vector<std::string> controlled, others;
    for (const std::string& kind : run.run->classes())
      (kind == "a" || kind == "lambda" ? others : controlled).push_back(kind);
    row.ratio = error_in_tolerances(run.run->spec(), run.record, reference, controlled);
    row.is_proved = reference.is_proved;
    if (!others.empty()) row.ratio_of_a = error_in_tolerances(run.run->spec(), run.record, reference, others);
  }

  static std::string explanation(const Result::Row& row, bool beyond) {
    std::vector<std::string> parts;
    for (const Warning& warning : row.warnings)
      if (speaks_of_accuracy(warning.kind)) parts.push_back("warning " + warning.kind);
    parts.insert(parts.end(), row.reasons.begin(), row.reasons.end());
    return parts.empty() && beyond ? "NOT EXPLAINED" : fmt::format("{}", fmt::join(parts, "; "));
  }

  std::string heading(const Config& config) const { return caption.empty() ? config.title + "." : caption; }

  // By what errors are measured: an agreement of two routes is no proof.
  static std::string references_text(const Result& result) {
    std::set<std::string> all, proved;
    for (const Result::Row& row : result.rows) {
      if (row.ratio) all.insert(row.problem);
      if (row.ratio && row.is_proved) proved.insert(row.problem);
    }
    if (proved.empty()) return "";
    return fmt::format(" The references of {} of {} problems are proved.", proved.size(), all.size());
  }

  Table worst_table(const Config& config, const Result& result) const {
    Table table{config.name + "-worst",
                heading(config) +
                    " The runs that end ok and are farthest off: largest error of q, v and first-order states at the "
                    "end time over atol + rtol |reference|, the same of a and lambda, and why." +
                    references_text(result),
                {{"Error / tolerance", "", CellFormat::scientific, 2},
                 {"of a, lambda", "of $a$, $\\lambda$", CellFormat::scientific, 2},
                 {"Problem", "", CellFormat::text, 0},
                 {"Formulation", "", CellFormat::text, 0},
                 {"Method", "", CellFormat::text, 0},
                 {"rtol", "", CellFormat::text, 0},
                 {"Why", "", CellFormat::text, 0}},
                {}};
    for (const Result::Row* row : result.worst()) {
      if (table.rows.size() == static_cast<std::size_t>(rows)) break;
      table.rows.push_back({*row->ratio, row->ratio_of_a, row->problem, row->formulation, row->method,
                            tolerance_text(row->rtol), explanation(*row, result.beyond(*row))});
    }
    return table;
  }

  static Table method_table(const Config& config, const Result& result) {
    Table table{
        config.name + "-methods",
        fmt::format("Runs by method: how many end ok, in another way, and ok but more than {:g} tolerances off; "
                    "quantiles of error / tolerance of those that are ok; the longest run.",
                    result.limit),
        {{"Method", "", CellFormat::text, 0},
         {"Ok", "", CellFormat::integer, 0},
         {"Otherwise", "", CellFormat::integer, 0},
         {"Beyond", "", CellFormat::integer, 0},
         {"Median", "", CellFormat::scientific, 2},
         {"90 %", "90 \\%", CellFormat::scientific, 2},
         {"Largest", "", CellFormat::scientific, 2},
         time_column("Longest")},
        {}};
    std::map<std::string, std::vector<const Result::Row*>> groups;
    for (const Result::Row& row : result.rows) groups[row.method].push_back(&row);
    for (const auto& [method, group] : groups) {
      std::vector<double> ratios;
      double longest = 0;
      for (const Result::Row* row : group) {
        if (row->ratio) ratios.push_back(*row->ratio);
        longest = std::max(longest, row->cpu_seconds);
      }
      std::ranges::sort(ratios);
      const auto at = [&](double share) {
        return ratios.empty() ? Json()
                              : Json(ratios[static_cast<std::size_t>(share * static_cast<double>(ratios.size() - 1))]);
      };
      const auto ok = std::ranges::count_if(group, [](const auto* row) { return row->ok(); });
      const auto beyond = std::ranges::count_if(group, [&](const auto* row) { return result.beyond(*row); });
      table.rows.push_back(
          {method, ok, static_cast<long>(group.size()) - ok, beyond, at(0.5), at(0.9), at(1), longest});
    }
    return table;
  }

  static Table status_table(const Config& config, const Result& result) {
    Table table{config.name + "-statuses",
                "Runs that do not end ok, by status and method, with the cause that the first of them states.",
                {{"Status", "", CellFormat::text, 0},
                 {"Method", "", CellFormat::text, 0},
                 {"Runs", "", CellFormat::integer, 0},
                 {"First", "", CellFormat::text, 0},
                 {"Its cause", "", CellFormat::text, 0}},
                {}};
    std::map<std::pair<std::string, std::string>, std::vector<const Result::Row*>> groups;
    for (const Result::Row& row : result.rows)
      if (!row.ok()) groups[{to_string(row.status), row.method_name}].push_back(&row);
    for (const auto& [key, group] : groups)
      table.rows.push_back({key.first, key.second, group.size(), group.front()->label, group.front()->cause});
    return table;
  }

  // Whether a warning that speaks of accuracy is right: of the runs that carry it, how many are off.
  static Table warning_table(const Config& config, const Result& result) {
    Table table{
        config.name + "-warnings",
        "Runs that end ok, by the warnings they carry: how many, and how many of them are more than 10, 100 and "
        "1000 tolerances off.",
        {{"Warning", "", CellFormat::text, 0},
         {"Runs", "", CellFormat::integer, 0},
         {"> 10", "$> 10$", CellFormat::integer, 0},
         {"> 100", "$> 100$", CellFormat::integer, 0},
         {"> 1000", "$> 1000$", CellFormat::integer, 0}},
        {}};
    std::map<std::string, std::vector<double>> ratios;
    for (const Result::Row& row : result.rows) {
      if (!row.ratio) continue;
      if (row.warnings.empty()) ratios["none"].push_back(*row.ratio);
      for (const Warning& warning : row.warnings) ratios[warning.kind].push_back(*row.ratio);
    }
    for (const auto& [kind, of_kind] : ratios) {
      const auto& their = of_kind;  // clang 14 does not capture parts of a structured binding
      const auto above = [&](double bound) {
        return std::ranges::count_if(their, [&](double ratio) { return !(ratio <= bound); });
      };
      table.rows.push_back({kind, of_kind.size(), above(10), above(100), above(1000)});
    }
    return table;
  }

  // The share of the runs of a group that are more than so many tolerances off.
  static Figure distribution(const Config& config, const Result& result) {
    Panel panel;
    panel.x_label = "error / tolerance", panel.y_label = "share of the runs that are more off";
    panel.log_x = panel.log_y = true;
    std::map<std::string, std::vector<double>> groups;
    for (const Result::Row& row : result.rows)
      if (row.ratio && std::isfinite(*row.ratio) && *row.ratio > 0)
        groups[row.group.empty() ? row.method_name : row.group].push_back(*row.ratio);
    for (auto& [label, ratios] : groups) {
      Series series{label, {}, {}, "", "", ""};
      std::ranges::sort(ratios);
      const double count = static_cast<double>(ratios.size());
      for (std::size_t i = 0; i < ratios.size(); ++i)
        series.x.push_back(ratios[i]), series.y.push_back((count - static_cast<double>(i)) / count);
      panel.series.push_back(std::move(series));
    }
    return {config.name + "-distribution",
            "Share of the runs that end ok and are more than so many tolerances off at the end time.",
            {panel}};
  }
};

const ExperimentEntry<Trust> trust_entry;

}  // namespace

bool TrustResult::Row::warned() const {
  return std::ranges::any_of(warnings, [](const Warning& w) { return speaks_of_accuracy(w.kind); });
}

std::vector<const TrustResult::Row*> TrustResult::worst() const {
  std::vector<const Row*> worst;
  for (const Row& row : rows)
    if (row.ratio) worst.push_back(&row);
  // NaN is worst of all.
  const auto size = [](const Row* row) { return std::isnan(*row->ratio) ? HUGE_VAL : *row->ratio; };
  std::ranges::stable_sort(worst, [&](const auto* a, const auto* b) { return size(a) > size(b); });
  return worst;
}

// ----- as JSON -----

void members(JsonMembers& json, TrustResult::Row& row) {
  json("label", row.label)("group", row.group)("problem", row.problem)("method", row.method);
  json("method_name", row.method_name)("formulation", row.formulation)("rtol", row.rtol);
  json("status", row.status)("cause", row.cause)("ratio", row.ratio)("ratio_of_a", row.ratio_of_a);
  json("warnings", row.warnings)("reasons", row.reasons)("cpu_seconds", row.cpu_seconds);
  json("is_proved", row.is_proved);
}

namespace {

Json worst_json(const TrustResult& result) {
  Json list = Json::array();
  for (const TrustResult::Row* row : result.worst()) {
    if (!result.beyond(*row)) break;
    Json warnings = Json::array();
    for (const Warning& warning : row->warnings) warnings.push_back(warning.kind);
    list.push_back({{"label", row->label},
                    {"ratio", number(row->ratio)},
                    {"ratio_of_a", number(row->ratio_of_a)},
                    {"status", to_string(row->status)},
                    {"warnings", std::move(warnings)},
                    {"explained", row->is_explained()}});
  }
  return list;
}

}  // namespace

void members(JsonMembers& json, TrustResult& result) {
  using Row = TrustResult::Row;
  const auto count = [&](const char* key, auto what) {
    json.derived(key, [&] { return std::ranges::count_if(result.rows, what); });
  };
  json.derived("runs", [&] { return result.rows.size(); });
  count("ok", [](const Row& row) { return row.ok(); });
  count("beyond", [&](const Row& row) { return result.beyond(row); });
  if (result.failure.empty())
    count("unexplained", [&](const Row& row) { return result.beyond(row) && !row.is_explained(); });
  else
    json.derived("unexplained", [] { return nullptr; });  // nothing is known
  json.derived("idle_explanations", [&] { return result.idle.size(); });
  json.derived("statuses", [&] {
    std::map<std::string, long> statuses;
    for (const Row& row : result.rows) ++statuses[to_string(row.status)];
    return statuses;
  });
  json.derived("worst", [&] { return worst_json(result); });
  json("failure", result.failure)("limit", result.limit)("idle", result.idle)("rows", result.rows);
  if (!json.from() || !result.failure.empty()) return;
  for (Row& row : result.rows)  // null is no number where a run was measured
    if (row.ok() && !row.ratio) row.ratio = NAN;
}

}  // namespace daelab
