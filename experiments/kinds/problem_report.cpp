// Problems as they are: the sketch of a mechanism, and its constants in tables.
#include "experiments/kinds/problem_report.hpp"

#include <fmt/format.h>

namespace daelab {
namespace {

struct ProblemReport {
  static constexpr const char* name = "problem-report";
  static constexpr const char* summary =
      "Sketch of a mechanism at one place, and the constants of problems side by side.";
  static constexpr const char* source = "own; sketches and data tables as papers on mechanisms have them";

  bool sketch = true, data = true;
  std::string caption;

  using Runs = ProblemRuns;
  using FinishedProblem = Finished<ProblemRun, ProblemRecord>;
  using Result = ProblemReportResult;

  Options options() {
    return {option("sketch", sketch, "draw the mechanism of each run"),
            option("data", data, "tabulate options and constants, runs side by side"),
            option("caption", caption, "of the sketches")};
  }

  void check(const Config& config) const {
    for (std::size_t i = 0; sketch && i < config.runs.size(); ++i)
      if (const auto& run = static_cast<const ProblemRun&>(*config.runs[i]); run.sketch().empty())
        throw InputError("/sketch",
                         fmt::format("the problem of run '{}' has no outline; allowed: false", config.labels[i]));
  }

  Result evaluate(const Config&, const std::vector<FinishedProblem>& runs, const FinishedProblem*) const {
    Result result;
    for (const FinishedProblem& run : runs)
      result.cards.push_back({run.label, run.run->json(), run.run->sketch(), data_of(run.run->problem())});
    return result;
  }

  Artifacts present(const Config& config, const Result& result) const {
    Artifacts artifacts;
    std::vector<LabeledData> side_by_side;
    for (const Result::Card& card : result.cards) {
      const bool alone = result.cards.size() == 1;
      if (sketch)
        artifacts.figures.push_back(
            {alone ? config.name : fmt::format("{}-{}", config.name, artifacts.figures.size() + 1),
             caption.empty() ? card.label : caption,
             {},
             card.shapes});
      side_by_side.push_back({card.label, card.data});
    }
    if (data) artifacts.tables = printed_data(side_by_side);
    return artifacts;
  }
};

const ExperimentEntry<ProblemReport> problem_report_entry;

}  // namespace

void members(JsonMembers& json, Datum& datum) {
  json("name", datum.name)("value", datum.value)("meaning", datum.meaning);
}

void members(JsonMembers& json, DataTable& table) { json("title", table.title)("data", table.data); }

void members(JsonMembers& json, ProblemReportResult::Card& card) {
  json("label", card.label)("spec", card.spec);
  json.derived("status", [] { return StatusCode::ok; });
  json.derived("data", [&card] {
    Json data = Json::object();
    for (const DataTable& table : card.data)
      for (const Datum& datum : table.data) data[table.title][datum.name] = datum.value;
    return data;
  });
  json("tables", card.data)("sketch", card.shapes);
}

void members(JsonMembers& json, ProblemReportResult& result) { json("series", result.cards); }

}  // namespace daelab
