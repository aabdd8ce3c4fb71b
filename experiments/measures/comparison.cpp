// Comparison: the same runs carried out in several ways, side by side: errors of each way and what it costs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/measures/accuracy.hpp"
#include "experiments/measures/cost.hpp"
#include "experiments/runs/component.hpp"
#include "experiments/runs/experiment.hpp"

namespace daelab {
namespace {

struct Comparison {
  static constexpr const char* name = "comparison";
  static constexpr const char* summary =
      "The same runs carried out in several ways, the entries of \"runs\", side by side: errors, and work relative to "
      "the first.";
  static constexpr const char* source = "experiments/measures/comparison.cpp";

  std::string caption, component = "q", cost = "evaluations";
  std::vector<std::string> over = {"/newton", "/scalar"};

  Options options() {
    return {option("caption", caption, "what the table compares; what its columns are is added to it"),
            option("over", over, "keys in which the ways differ; runs that agree in all others make a row"),
            option("component", component, "class of components whose error is shown: q, v, a, lambda or y"),
            option("cost", cost, "what work is counted in: " + cost_names())};
  }

  void check(const Config& config) const {
    cost_by_name(cost, "/cost");
    const std::vector<std::string> classes = common_classes(config.runs, "/runs");
    if (std::find(classes.begin(), classes.end(), component) == classes.end())
      throw InputError("/component", fmt::format("the runs have no class '{}'", component));
    if (ways(config).size() < 2)
      throw InputError("/runs", "one way has nothing to be compared with: give two entries, each with a \"label\"");
    for (const Json& run : config.runs) check_reference(config, run);
    for (const RunGroup& group : rows(config))
      for (std::size_t i = 0; i < group.runs.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
          if (config.entry_labels[group.runs[i]] == config.entry_labels[group.runs[k]])
            throw InputError("/over",
                             fmt::format("two runs are '{}' of '{}'", config.entry_labels[group.runs[i]], group.label));
  }

  Evaluation evaluate(const Config& config, const std::vector<LabelledRun>& runs, const Json& /*reference*/) const {
    const std::vector<std::string> names = ways(config);
    Evaluation evaluation;
    Json list = Json::array();
    for (const RunGroup& group : rows(config)) {
      Json row = {{"label", group.label}, {"spec", group.spec}, {"ways", Json::object()}};
      for (const std::size_t i : group.runs) row["ways"][config.entry_labels[i]] = outcome(runs[i].record);
      list.push_back(std::move(row));
    }
    evaluation.analysis = {{"rows", list}, {"relative", Json::object()}};
    for (std::size_t i = 1; i < names.size(); ++i)
      if (const Json summary = summarise(list, names[i], names[0]); !summary.is_null())
        evaluation.analysis["relative"][names[i]] = summary;
    evaluation.artifacts.tables.push_back(table(config, evaluation.analysis, names));
    evaluation.artifacts.notes = notes(evaluation.analysis, names);
    return evaluation;
  }

 private:
  static std::vector<std::string> ways(const Config& config) {
    std::vector<std::string> names;
    for (const std::string& label : config.entry_labels)
      if (std::find(names.begin(), names.end(), label) == names.end()) names.push_back(label);
    return names;
  }

  // Labelled by what tells the rows apart: the entries' labels are those of the columns.
  std::vector<RunGroup> rows(const Config& config) const {
    std::vector<RunGroup> groups = group_runs(config, [&](Json& spec) {
      for (const std::string& key : over)
        if (const Json::json_pointer pointer(key); spec.contains(pointer))
          spec[pointer.parent_pointer()].erase(pointer.back());
    });
    std::vector<Json> specs;
    for (const RunGroup& group : groups) specs.push_back(group.spec);
    const std::vector<std::string> labels = distinguishing_labels(specs);
    for (std::size_t i = 0; i < groups.size(); ++i) groups[i].label = labels[i];
    return groups;
  }

  Json outcome(const Json& record) const {
    const bool ok = record["status"] == "ok";
    return {{"status", record["status"]},
            {"cause", record["cause"]},
            {"scalar", record["scalar"]},
            {"error", ok && !record["error"].is_null() ? record["error"][component] : Json()},
            {"cost", ok ? Json(cost_by_name(cost, "").of(record)) : Json()}};
  }

  // Null where this way is not compared with the first: in another precision work is another thing.
  static Json summarise(const Json& list, const std::string& way, const std::string& first) {
    double largest = 0, logarithms = 0;
    int both = 0, lost = 0, gained = 0;
    for (const Json& row : list) {
      if (!row["ways"].contains(way) || !row["ways"].contains(first)) continue;
      const Json &ours = row["ways"][way], &theirs = row["ways"][first];
      if (ours["scalar"] != theirs["scalar"]) return nullptr;
      const bool we = !ours["error"].is_null(), they = !theirs["error"].is_null();
      lost += they && !we, gained += we && !they;
      if (!we || !they) continue;
      ++both;
      largest = std::max(largest, ours["error"].get<double>() / theirs["error"].get<double>());
      logarithms += std::log(ours["cost"].get<double>() / theirs["cost"].get<double>());
    }
    if (both == 0) return nullptr;
    return {{"pairs", both},
            {"lost", lost},
            {"gained", gained},
            {"largest_error", largest},
            {"mean_cost", std::exp(logarithms / both)}};
  }

  Table table(const Config& config, const Json& analysis, const std::vector<std::string>& names) const {
    const std::string label = cost_by_name(cost, "").label;
    Table table{config.name,
                fmt::format("{} Errors of {} at the end time (infinity norm); {} relative to {}.",
                            caption.empty() ? config.title + "." : caption, component, label, names[0]),
                {{"Run", "", CellFormat::text, 0}},
                {}};
    for (const std::string& way : names) table.columns.push_back({way, "", CellFormat::scientific, 3});
    for (const auto& [way, summary] : analysis["relative"].items())
      table.columns.push_back({fmt::format("{}, {}", label, way), "", CellFormat::fixed, 2});
    for (const Json& row : analysis["rows"]) {
      Json cells = Json::array({row["label"]});
      const auto of = [&row](const std::string& way, const char* key) {
        return row["ways"].contains(way) ? row["ways"][way][key] : Json();
      };
      for (const std::string& way : names) cells.push_back(of(way, "error"));
      for (const auto& [way, summary] : analysis["relative"].items()) {
        const Json ours = of(way, "cost"), first = of(names[0], "cost");
        cells.push_back(ours.is_null() || first.is_null() ? Json() : Json(ours.get<double>() / first.get<double>()));
      }
      table.rows.push_back(std::move(cells));
    }
    return table;
  }

  std::vector<std::string> notes(const Json& analysis, const std::vector<std::string>& names) const {
    std::vector<std::string> sentences;
    for (const auto& [way, summary] : analysis["relative"].items())
      sentences.push_back(
          fmt::format("{} beside {}: {} pairs, error at most {:.3g} times as large, {} times {:.2f} (geometric mean); "
                      "{} fail here only, {} there only.",
                      way, names[0], summary["pairs"].get<int>(), summary["largest_error"].get<double>(),
                      cost_by_name(cost, "").label, summary["mean_cost"].get<double>(), summary["lost"].get<int>(),
                      summary["gained"].get<int>()));
    for (const Json& row : analysis["rows"])
      for (const auto& [way, run] : row["ways"].items())
        if (run["status"] != "ok")
          sentences.push_back(fmt::format("{}, {}: {} - {}", row["label"].get<std::string>(), way,
                                          run["status"].get<std::string>(), run["cause"].get<std::string>()));
    return sentences;
  }
};
const ExperimentEntry<Comparison> comparison_entry;

}  // namespace
}  // namespace daelab
