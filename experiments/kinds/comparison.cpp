// Comparison: the same runs carried out in several ways, side by side: errors of each way, what it costs, and the order
// in the step size by which two ways differ.
#include "experiments/kinds/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "experiments/measures/accuracy.hpp"
#include "experiments/measures/cost.hpp"
#include "lab/runs/component.hpp"
#include "lab/runs/experiment.hpp"
#include "results/record_values.hpp"

namespace daelab {
namespace {

struct Comparison {
  static constexpr const char* name = "comparison";
  static constexpr const char* summary =
      "The same runs carried out in several ways, the entries of \"runs\", side by side: errors, and work relative to "
      "the first.";
  static constexpr const char* source = "experiments/kinds/comparison.cpp";

  std::string caption, component = "q", cost = "evaluations";
  std::vector<std::string> over = {"/newton", "/scalar"};
  bool differences = false;

  Options options() {
    return {option("caption", caption, "what the table compares; what its columns are is added to it"),
            option("over", over, "keys in which the ways differ; runs that agree in all others make a row"),
            option("component", component, "class of components whose error is shown: q, v, a, lambda or y"),
            option("cost", cost, "what work is counted in: " + cost_names()),
            option("differences", differences,
                   "true: the order in the step size by which each way differs from the first at the end time, over "
                   "rows that differ in h alone")};
  }

  void check(const Config& config) const {
    cost_by_name(cost, "/cost");
    const std::vector<std::string> classes = common_classes(config, "/runs");
    if (std::find(classes.begin(), classes.end(), component) == classes.end())
      throw InputError("/component", fmt::format("the runs have no class '{}'", component));
    if (ways(config).size() < 2)
      throw InputError("/runs", "a comparison needs two ways: give two entries, each with a \"label\"");
    for (std::size_t i = 0; i < config.runs.size(); ++i) check_reference(config, integration(config, i));
    for (const RunGroup& group : rows(config))
      for (std::size_t i = 0; i < group.runs.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
          if (config.entry_labels[group.runs[i]] == config.entry_labels[group.runs[k]])
            throw InputError("/over",
                             fmt::format("two runs are '{}' of '{}'", config.entry_labels[group.runs[i]], group.label));
  }

  using Result = ComparisonResult;
  using Outcome = Result::Outcome;
  using Row = Result::Row;
  using Relative = Result::Relative;
  using Difference = Result::Difference;

  Result evaluate(const Config& config, const std::vector<FinishedRun>& runs, const FinishedRun* reference) const {
    Result result{ways(config), {}, {}, {}};
    for (const RunGroup& group : rows(config)) {
      Row& row = result.rows.emplace_back(Row{group.label, group.spec, {}});
      for (const std::size_t i : group.runs) row.ways[config.entry_labels[i]] = outcome(runs[i].record, reference);
    }
    for (std::size_t i = 1; i < result.ways.size(); ++i)
      if (const auto relative = summarise(result.rows, result.ways[i], result.ways[0]))
        result.relative.push_back(*relative);
    if (differences)
      for (std::size_t i = 1; i < result.ways.size(); ++i)
        for (Difference& difference : differences_of(config, runs, result.ways[i], result.ways[0]))
          result.differences.push_back(std::move(difference));
    return result;
  }

  Artifacts present(const Config& config, const Result& result) const {
    Artifacts artifacts;
    artifacts.tables.push_back(table(config, result));
    artifacts.notes = notes(result);
    return artifacts;
  }

 private:
  static std::vector<std::string> ways(const Config& config) {
    std::vector<std::string> names;
    for (const std::string& label : config.entry_labels)
      if (std::find(names.begin(), names.end(), label) == names.end()) names.push_back(label);
    return names;
  }

  // Runs of all ways that agree in the rest, labelled by what tells the rows apart: the entries' labels are those of
  // the columns.
  std::vector<RunGroup> rows(const Config& config) const {
    std::vector<RunGroup> list;
    std::unordered_map<std::string, std::size_t> places;  // by the text of the rest
    for (RunGroup& group : groups_of_one_way(config)) {
      const auto [place, is_new] = places.try_emplace(group.spec.dump(-1, Json::Utf8::replace), list.size());
      if (is_new) {
        list.push_back(std::move(group));
      } else {
        std::vector<std::size_t>& runs = list[place->second].runs;
        runs.insert(runs.end(), group.runs.begin(), group.runs.end());
      }
    }
    std::vector<Json> specs;
    for (const RunGroup& row : list) specs.push_back(row.spec);
    const std::vector<std::string> labels = distinguishing_labels(specs);
    for (std::size_t i = 0; i < list.size(); ++i) list[i].label = labels[i];
    return list;
  }

  std::vector<RunGroup> groups_of_one_way(const Config& config) const {
    return group_runs(config, [&](Json& spec) {
      for (const std::string& key : over)
        if (const Json::json_pointer pointer(key); spec.contains(pointer)) spec.erase(pointer);
    });
  }

  // Against the config's reference run; without one against the stored reference, which runs were compared with.
  std::optional<double> error(const RunRecord& record, const FinishedRun* reference) const {
    if (!reference) return record.error ? std::optional(record.error->of.at(component)) : std::nullopt;
    if (!reference->record.ok()) return std::nullopt;
    return static_cast<double>(error_of(record, reference_solution(*reference->run, reference), component));
  }

  Outcome outcome(const RunRecord& record, const FinishedRun* reference) const {
    Outcome outcome{record.status, record.cause, record.scalar, {}, {}};
    if (!record.ok()) return outcome;
    outcome.error = error(record, reference);
    outcome.cost = cost_by_name(cost, "").of(record);
    return outcome;
  }

  // Nothing where this way is not compared with the first: in another precision work is another thing.
  static std::optional<Relative> summarise(const std::vector<Row>& rows, const std::string& way,
                                           const std::string& first) {
    Relative relative{way};
    double logarithms = 0;
    for (const Row& row : rows) {
      if (!row.ways.contains(way) || !row.ways.contains(first)) continue;
      const Outcome &ours = row.ways.at(way), &theirs = row.ways.at(first);
      if (ours.scalar != theirs.scalar) return {};
      relative.lost += theirs.error && !ours.error, relative.gained += ours.error && !theirs.error;
      if (!ours.error || !theirs.error) continue;
      ++relative.pairs;
      relative.largest_error = std::max(relative.largest_error, *ours.error / *theirs.error);
      logarithms += std::log(*ours.cost / *theirs.cost);
    }
    if (relative.pairs == 0) return {};
    relative.mean_cost = std::exp(logarithms / relative.pairs);
    return relative;
  }

  // The run of a way in a row; null where there is none that succeeded.
  static const FinishedRun* run_of(const Config& config, const std::vector<FinishedRun>& runs, const RunGroup& row,
                                   const std::string& way) {
    for (const std::size_t i : row.runs)
      if (config.entry_labels[i] == way && runs[i].record.ok()) return &runs[i];
    return nullptr;
  }

  std::vector<Difference> differences_of(const Config& config, const std::vector<FinishedRun>& runs,
                                         const std::string& way, const std::string& first) const {
    std::vector<Difference> list;
    std::vector<std::vector<OrderPoint>> points;
    for (const RunGroup& row : rows(config)) {
      const FinishedRun *ours = run_of(config, runs, row, way), *theirs = run_of(config, runs, row, first);
      if (!ours || !theirs || !ours->run->spec().h) continue;
      Json spec = row.spec;
      spec.erase("h");
      const auto place = static_cast<std::size_t>(std::ranges::find(list, spec, &Difference::spec) - list.begin());
      if (place == list.size()) list.push_back({way, std::move(spec), {}}), points.emplace_back();
      const Vector<Real50> gap = ours->record.state.of(component) - theirs->record.state.of(component);
      points[place].push_back(order_point(ours->run->spec().h->as<Real50>(), Real50(gap.cwiseAbs().maxCoeff())));
    }
    for (std::size_t i = 0; i < list.size(); ++i) list[i].order = estimate_order(points[i]);
    return list;
  }

  static const Outcome* find(const Row& row, const std::string& way) {
    const auto place = row.ways.find(way);
    return place == row.ways.end() ? nullptr : &place->second;
  }

  Table table(const Config& config, const Result& result) const {
    const std::string label = cost_by_name(cost, "").label;
    Table table{config.name,
                fmt::format("{} Errors of {} at the end time (infinity norm); {} relative to {}.",
                            caption.empty() ? config.title + "." : caption, component, label, result.ways[0]),
                {{"Run", "", CellFormat::text, 0}},
                {}};
    for (const std::string& way : result.ways) table.columns.push_back({way, "", CellFormat::scientific, 3});
    for (const Relative& relative : result.relative)
      table.columns.push_back({fmt::format("{}, {}", label, relative.way), "", CellFormat::fixed, 2});
    for (const Row& row : result.rows) {
      TableRow cells{row.label};
      for (const std::string& way : result.ways) {
        const Outcome* outcome = find(row, way);
        cells.push_back(outcome && outcome->error ? TableCell(*outcome->error) : TableCell());
      }
      for (const Relative& relative : result.relative) {
        const Outcome *ours = find(row, relative.way), *first = find(row, result.ways[0]);
        cells.push_back(ours && first && ours->cost && first->cost ? TableCell(*ours->cost / *first->cost)
                                                                   : TableCell());
      }
      table.rows.push_back(std::move(cells));
    }
    return table;
  }

  std::vector<std::string> notes(const Result& result) const {
    std::vector<std::string> sentences;
    for (const Relative& r : result.relative)
      sentences.push_back(
          fmt::format("{} beside {}: {} pairs, error at most {:.3g} times as large, {} times {:.2f} (geometric mean); "
                      "{} fail here only, {} there only.",
                      r.way, result.ways[0], r.pairs, r.largest_error, cost_by_name(cost, "").label, r.mean_cost,
                      r.lost, r.gained));
    for (const Difference& difference : result.differences)
      sentences.push_back(fmt::format("{} beside {}: difference of {} ~ h^p, {}", difference.way, result.ways[0],
                                      component, difference.order.statement));
    for (const Row& row : result.rows)
      for (const std::string& way : result.ways)
        if (const Outcome* run = find(row, way); run && run->status != StatusCode::ok)
          sentences.push_back(fmt::format("{}, {}: {} - {}", row.label, way, to_string(run->status), run->cause));
    return sentences;
  }
};

const ExperimentEntry<Comparison> comparison_entry;

}  // namespace

void members(JsonMembers& json, ComparisonResult::Outcome& run) {
  json("status", run.status)("cause", run.cause)("scalar", run.scalar)("error", run.error)("cost", run.cost);
}

void members(JsonMembers& json, ComparisonResult::Row& row) {
  json("label", row.label)("spec", row.spec)("ways", row.ways);
}

void members(JsonMembers& json, ComparisonResult::Relative& relative) {
  json("pairs", relative.pairs)("lost", relative.lost)("gained", relative.gained);
  json("largest_error", relative.largest_error)("mean_cost", relative.mean_cost);
}

void members(JsonMembers& json, ComparisonResult::Difference& difference) {
  json("label", difference.way)("spec", difference.spec)("difference", difference.order);
}

void members(JsonMembers& json, ComparisonResult& result) {
  json("rows", result.rows);
  json.derived("relative", [&result] {
    Json all = Json::object();
    for (const auto& relative : result.relative) all[relative.way] = relative;
    return all;
  });
  if (const Json* from = json.from())
    for (const auto& [way, relative] : from->at("relative").items())
      result.relative.emplace_back(relative.get<ComparisonResult::Relative>()).way = way;
  json("ways", result.ways);
  if (json.from() ? json.from()->contains("series") : !result.differences.empty()) json("series", result.differences);
}

}  // namespace daelab
