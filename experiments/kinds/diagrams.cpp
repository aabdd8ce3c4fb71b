// Diagrams: a work-precision diagram of each problem of a list, drawn with the methods that apply to it.
#include "experiments/kinds/diagrams.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/mechanism/drawn_outline.hpp"
#include "experiments/measures/cost.hpp"
#include "experiments/measures/diagram_runs.hpp"
#include "lab/runs/steps.hpp"
#include "results/value_format.hpp"

namespace daelab {
namespace {

using Diagram = DiagramsResult::Diagram;

// "1 constraint", "2 constraints"
std::string counted(Index n, const std::string& what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

std::string equations_of(const Problem& problem) {
  const auto model = problem.model(As<double>{});
  if (const MechanicalModel<double>* mechanism = model->mechanical())
    return "mechanism: " + counted(mechanism->coordinates(), "coordinate") +
           (mechanism->constraints() > 0 ? ", " + counted(mechanism->constraints(), "constraint") : "");
  const int index = model->ordinary()->index();
  return counted(model->size(), "equation") + (index > 0 ? fmt::format(", index {}", index) : "");
}

// Runs of a problem, in the order of the config, and its reference runs.
struct RunsOfProblem {
  std::string label;
  std::vector<std::size_t> runs, references;
};

std::vector<RunsOfProblem> by_problem(const Config& config) {
  std::vector<RunsOfProblem> all;
  std::map<std::string, std::size_t> places, of_references;  // by label
  for (std::size_t i = 0; i < config.runs.size(); ++i) {
    const std::string& label = config.entry_labels[i];
    if (const auto found = of_references.find(label); found != of_references.end()) {
      all[found->second].references.push_back(i);
      continue;
    }
    const auto [place, is_new] = places.try_emplace(label, all.size());
    if (is_new) of_references[reference_label(label)] = all.size(), all.push_back({label, {}, {}});
    all[place->second].runs.push_back(i);
  }
  return all;
}

// What WorkPrecision is told of one problem.
Config part_of(const Config& config, const RunsOfProblem& of, const std::vector<NamedMethod>& methods) {
  Config part;
  part.path = config.path, part.name = "diagram-" + of.label, part.title = of.label;
  for (const std::size_t i : of.runs) {
    const auto method = std::ranges::find_if(methods, [&](const auto& m) { return m.is_of(integration(config, i)); });
    part.runs.push_back(config.runs[i]);
    part.entry_labels.push_back(method == methods.end() ? "" : method->name);
  }
  return part;
}

// Decimals in which two runs of different methods agree at the end; nothing where they do not, or one failed.
std::optional<int> agreed_decimals(const FinishedRun& one, const FinishedRun& other) {
  if (!one.record.ok() || !other.record.ok()) return {};
  const ReferenceSolution reference = reference_solution(*one.run, &other);
  const double difference = static_cast<double>(error_of(one.record, reference, one.run->classes().front()));
  if (!(difference < 1)) return {};
  return difference == 0 ? 15 : static_cast<int>(-std::log10(difference));
}

// Problems that others run, by their names: a table of what there is of each.
struct Collection {
  struct Entry {
    std::string name, label;  // theirs; of the runs, "": the problem is not here

    Options options() {
      return {option("name", name, "as others call it"),
              option("label", label, "of the runs of the problem; \"\": it is not here")};
    }
  };
  std::string id, caption;
  std::vector<Entry> problems;

  Options options() {
    return {option("id", id, "file stem of the table"),
            option("caption", caption, "who runs these problems, and where"),
            option("problems", problems, "in their order")};
  }
};

struct Diagrams {
  static constexpr const char* name = "diagrams";
  static constexpr const char* summary =
      "Work-precision diagrams of many problems, each by the methods that apply to it, with an index.";
  static constexpr const char* source = "Hairer, Wanner, Solving Ordinary Differential Equations II";
  static MemberUnits units() { return {{"/seconds", "s"}, {"/diagrams/*/seconds", "s"}, {"/diagrams/*/t_end", "s"}}; }

  std::vector<DiagramMethod> methods;
  std::vector<LeftOutRuns> left_out;
  std::vector<Collection> collections;
  std::string cost = "seconds";
  Exact accuracy{"1e-6"};

  Options options() {
    return {option("methods", methods, "each on its form; every problem has those that apply to it"),
            option("left_out", left_out, "runs that are not made, and why"),
            option("collections", collections, "tables of problems that others run"),
            option("cost", cost, "what is drawn over the error of q, or y: " + cost_names()),
            option("accuracy", accuracy, "error whose cost the table compares", positive())};
  }

  void validate(const std::string& where) const {
    for (std::size_t i = 0; i < methods.size(); ++i) {
      const std::string place = fmt::format("{}/methods/{}", where, i);
      Registry<Formulation>::instance().make(methods[i].formulation, place + "/formulation");
      Registry<Method>::instance().make(methods[i].method, place + "/method");
    }
    for (std::size_t i = 0; i < left_out.size(); ++i) left_out[i].check(fmt::format("{}/left_out/{}", where, i));
    cost_by_name(cost, where + "/cost");
  }

  void check(const Config& config) const {
    for (std::size_t i = 0; i < left_out.size(); ++i)
      for (std::size_t k = 0; k < left_out[i].problems.size(); ++k)
        require_problem(left_out[i].problems[k], config, fmt::format("/left_out/{}/problems/{}", i, k));
    for (std::size_t c = 0; c < collections.size(); ++c)
      for (std::size_t i = 0; i < collections[c].problems.size(); ++i) {
        const std::string& label = collections[c].problems[i].label;
        if (!label.empty()) require_problem(label, config, fmt::format("/collections/{}/problems/{}/label", c, i));
      }
  }

  std::vector<Json> entries(const Json& entry, const std::string& where) const {
    return diagram_entries(entry, methods, left_out, where);
  }

  using Result = DiagramsResult;

  Result evaluate(const Config& config, const std::vector<FinishedRun>& runs, const FinishedRun*) const {
    Result result;
    const std::vector<NamedMethod> known = named(methods);
    for (const RunsOfProblem& of : by_problem(config)) result.diagrams.push_back(diagram_of(config, of, known, runs));
    std::ranges::sort(result.diagrams, {}, &Diagram::label);
    return result;
  }

  Artifacts present(const Config& config, const Result& result) const {
    Artifacts artifacts;
    artifacts.tables = {overview(config, result), failures(config, result), left_out_table(config)};
    for (const Collection& collection : collections) artifacts.tables.push_back(table_of(collection, result));
    std::erase_if(artifacts.tables, [](const Table& table) { return table.rows.empty(); });
    for (const Diagram& diagram : result.diagrams) {
      add_long_runs(diagram, artifacts.notes);
      add_card(diagram, artifacts);
    }
    return artifacts;
  }

 private:
  static void require_problem(const std::string& label, const Config& config, const std::string& where) {
    if (std::ranges::find(config.entry_labels, label) == config.entry_labels.end())
      throw InputError(where, fmt::format("no runs of '{}'{}", label, did_you_mean(label, config.entry_labels)));
  }

  WorkPrecision measure_of(const Diagram& diagram, const std::string& kind) const {
    WorkPrecision measure;
    WorkFigure figure;
    figure.id = "diagram-" + diagram.label;
    figure.caption = fmt::format("{}: work over the error of {} at the end time.", diagram.label, kind);
    figure.cost = {cost};
    measure.figures = {figure};
    return measure;
  }

  Diagram diagram_of(const Config& config, const RunsOfProblem& of, const std::vector<NamedMethod>& known,
                     const std::vector<FinishedRun>& all) const {
    const Run& first = *all[of.runs.front()].run;
    Diagram diagram;
    diagram.label = of.label, diagram.problem = first.spec().problem.name();
    diagram.spec = first.spec().problem.json(), diagram.t_end = first.t_end();
    diagram.equations = equations_of(first.problem());
    if (const OutlineMotion outline(first.problem()); !outline.is_empty()) diagram.sketch = outline.at_start();
    std::vector<FinishedRun> runs;
    for (const std::size_t i : of.runs) runs.push_back(all[i]);
    const FinishedRun* const own = of.references.empty() ? nullptr : &all[of.references.back()];
    describe_reference(first, of, all, own, diagram);
    diagram.work = measure_of(diagram, first.classes().front()).evaluate(part_of(config, of, known), runs, own);
    for (const FinishedRun& run : runs) {
      ++diagram.runs, diagram.ok += run.record.ok() ? 1 : 0;
      diagram.seconds += run.record.stats.cpu_seconds;
    }
    find_cheapest(first.classes().front(), diagram);
    for (const NamedMethod& one : known)
      if (one.of_mechanisms == first.equations().of_mechanisms &&
          std::ranges::none_of(runs, [&](const FinishedRun& run) { return one.is_of(*run.run); }))
        diagram.without.push_back(one.name);
    return diagram;
  }

  static void describe_reference(const Run& first, const RunsOfProblem& of, const std::vector<FinishedRun>& all,
                                 const FinishedRun* own, Diagram& diagram) {
    if (own != nullptr) {
      const FinishedRun& other = all[of.references.front()];
      diagram.reference =
          fmt::format("runs of {} and {} on {}, {}", other.run->spec().method.text(), own->run->spec().method.text(),
                      own->run->formulation_text(), steps_text(own->run->spec()));
      if (const auto decimals = agreed_decimals(other, *own))
        diagram.known = fmt::format("agreed by these runs to {} digits", *decimals);
      return;
    }
    const ReferenceSolution stored = reference_solution(first, nullptr);
    diagram.reference = stored.source, diagram.known = stored.known, diagram.is_proved = stored.is_proved;
  }

  void find_cheapest(const std::string& kind, Diagram& diagram) const {
    for (const WorkPrecision::RunSeries& series : diagram.work.series)
      for (const WorkPrecision::Point& point : series.points) {
        const auto error = point.reached(kind);
        if (!error || !(*error <= accuracy.as<double>())) continue;
        const double spent = point.cost.at(cost);
        if (!diagram.least_cost || spent < *diagram.least_cost)
          diagram.least_cost = spent, diagram.cheapest = series.label;
      }
  }

  Table empty_table(const std::string& id, const std::string& caption) const {
    const Cost& spent = cost_by_name(cost, "");
    return {id,
            fmt::format("{}. How well the reference is known, runs that end ok, the method with the cheapest run whose "
                        "error is at most {}, and the processor time of all runs of the diagram.",
                        caption, tolerance_text(accuracy)),
            {{"Problem", "", CellFormat::text, 0},
             {"Equations", "", CellFormat::text, 0},
             {"t [s]", "$t$ [s]", CellFormat::text, 0},
             {"Reference", "", CellFormat::text, 0},
             {"Ok", "", CellFormat::integer, 0},
             {"Runs", "", CellFormat::integer, 0},
             {tolerance_text(accuracy) + " by", "", CellFormat::text, 0},
             {spent.is_time ? "[s]" : spent.label, "", spent.is_time ? CellFormat::seconds : CellFormat::fixed,
              spent.is_time ? 2 : 0},
             {"Diagram [s]", "", CellFormat::seconds, 2}},
            {}};
  }

  static TableRow row_of(const Diagram& d) {
    return {d.label, d.equations, d.t_end.text(), d.known, d.ok, d.runs, d.cheapest, d.least_cost, d.seconds};
  }

  Table overview(const Config& config, const Result& result) const {
    Table table = empty_table(config.name, config.title);
    for (const Diagram& diagram : result.diagrams) table.rows.push_back(row_of(diagram));
    return table;
  }

  // Their names come first; cells of a problem that is not here are empty.
  Table table_of(const Collection& collection, const Result& result) const {
    Table table = empty_table(collection.id, collection.caption);
    table.columns.insert(table.columns.begin(), {"Theirs", "", CellFormat::text, 0});
    for (const Collection::Entry& entry : collection.problems) {
      const auto found = std::ranges::find(result.diagrams, entry.label, &Diagram::label);
      TableRow row = found == result.diagrams.end() ? TableRow(table.columns.size() - 1) : row_of(*found);
      row.insert(row.begin(), entry.name);
      table.rows.push_back(std::move(row));
    }
    return table;
  }

  // A row for the runs of a series that end alike.
  static Table failures(const Config& config, const Result& result) {
    Table table{config.name + "-ends",
                "Runs that do not end ok, by problem, series and status, with the cause that the first of them states.",
                {{"Problem", "", CellFormat::text, 0},
                 {"Series", "", CellFormat::text, 0},
                 {"Status", "", CellFormat::text, 0},
                 {"Runs", "", CellFormat::integer, 0},
                 {"Cause of the first", "", CellFormat::text, 0}},
                {}};
    for (const Diagram& diagram : result.diagrams)
      for (const WorkPrecision::RunSeries& series : diagram.work.series) {
        std::map<StatusCode, std::vector<const WorkPrecision::Point*>> ends;
        for (const WorkPrecision::Point& point : series.points)
          if (!point.ok()) ends[point.status].push_back(&point);
        for (const auto& [status, points] : ends)
          table.rows.push_back({diagram.label, series.label, to_string(status), points.size(), points.front()->cause});
      }
    return table;
  }

  Table left_out_table(const Config& config) const {
    Table table{
        config.name + "-left-out",
        "Runs that are not made, and why.",
        {{"Problems", "", CellFormat::text, 0}, {"Runs", "", CellFormat::text, 0}, {"Why", "", CellFormat::text, 0}},
        {}};
    for (const LeftOutRuns& one : left_out)
      table.rows.push_back({one.problems.empty() ? "all" : fmt::format("{}", fmt::join(one.problems, ", ")),
                            selector_text(one.runs), one.reason});
    return table;
  }

  // What to leave out first, so that the whole set stays short.
  static void add_long_runs(const Diagram& diagram, std::vector<std::string>& notes) {
    constexpr double is_long = 1;  // [s]
    for (const WorkPrecision::RunSeries& series : diagram.work.series)
      for (const WorkPrecision::Point& point : series.points)
        if (point.stats.cpu_seconds > is_long)
          notes.push_back(fmt::format("{}, {}, rtol = {}: {:.1f} s, {}", diagram.label, series.label,
                                      tolerance_text(*point.spec.rtol), point.stats.cpu_seconds,
                                      to_string(point.status)));
  }

  void add_card(const Diagram& diagram, Artifacts& artifacts) const {
    Card card{diagram.label, diagram.problem, diagram.equations, {}, {}};
    const auto fact = [&](const char* what, const std::string& text) {
      if (!text.empty()) card.facts.push_back({what, text});
    };
    fact("end", diagram.t_end.text() + " s");
    fact("reference", diagram.reference + (diagram.known.empty() ? "" : ", " + diagram.known));
    fact("runs", fmt::format("{} of {} end ok, {:.2g} s", diagram.ok, diagram.runs, diagram.seconds));
    fact("not drawn", fmt::format("{}", fmt::join(diagram.without, "; ")));
    for (const LeftOutRuns& one : left_out)
      if (std::ranges::find(one.problems, diagram.label) != one.problems.end())
        fact("left out", fmt::format("{}: {}", selector_text(one.runs), one.reason));
    if (!diagram.work.failure.empty()) fact("no diagram", diagram.work.failure);
    if (!diagram.sketch.empty()) {
      card.figures.push_back("sketch-" + diagram.label);
      artifacts.figures.push_back({card.figures.back(), diagram.label, {}, diagram.sketch});
    }
    if (!diagram.work.series.empty()) {
      const WorkPrecision measure = measure_of(diagram, diagram.work.series.front().classes.front());
      Config part;
      part.name = "diagram-" + diagram.label, part.title = diagram.label;
      for (Figure& figure : measure.present(part, diagram.work).figures) {
        std::erase_if(figure.panels, [](const Panel& panel) { return panel.series.empty(); });
        if (figure.panels.empty()) continue;
        card.figures.push_back(figure.id);
        artifacts.figures.push_back(std::move(figure));
      }
    }
    artifacts.cards.push_back(std::move(card));
  }
};

const ExperimentEntry<Diagrams> diagrams_entry;

}  // namespace

void members(JsonMembers& json, DiagramsResult::Diagram& d) {
  json("label", d.label)("problem", d.problem)("spec", d.spec)("t_end", d.t_end)("equations", d.equations);
  json("reference", d.reference)("known", d.known)("is_proved", d.is_proved)("without", d.without);
  json("sketch", d.sketch)("runs", d.runs)("ok", d.ok)("seconds", d.seconds)("cheapest", d.cheapest);
  json("least_cost", d.least_cost)("work", d.work);
}

void members(JsonMembers& json, DiagramsResult& result) {
  const auto count = [&](const char* key, auto what) {
    json.derived(key, [&] { return std::ranges::count_if(result.diagrams, what); });
  };
  count("problems", [](const Diagram&) { return true; });
  count("proved", [](const Diagram& d) { return d.is_proved; });
  count("without_curve", [](const Diagram& d) { return !d.has_curve(); });
  json.derived("seconds", [&] {
    double sum = 0;
    for (const Diagram& diagram : result.diagrams) sum += diagram.seconds;
    return sum;
  });
  json("diagrams", result.diagrams);
}

}  // namespace daelab
