#include "lab/runs/problem_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/json_kind.hpp"
#include "core/documents/problem_document.hpp"
#include "core/expressions/constant_text.hpp"
#include "results/record_values.hpp"

namespace daelab {

Options ProblemRunSpec::options() {
  return {
      option("problem", problem, "problem"),
      option("q", q, "coordinates by name that are not those of the start, {\"phi\": \"pi/4\"}", {{"type", "object"}}),
      option("t", t, "time [s]; null: the start time of the problem")};
}

std::shared_ptr<const ProblemRun> ProblemRun::bind(const Json& json, const std::string& where) {
  ProblemRunSpec spec;
  spec.options().read(json, where);
  require(JsonKind::object, spec.q, where + "/q");
  if (!json.contains("problem")) throw InputError(where, "a problem run needs a \"problem\"");
  auto problem = Registry<Problem>::instance().make(spec.problem, where + "/problem");
  spec.problem = problem->spec();
  if (!spec.t) spec.t = Exact(constant_text(problem->start_time()));
  const OutlineMotion outline(*problem);
  Vector<double> q = outline.start_q();
  for (const auto& [name, value] : spec.q.items()) {
    const auto& names = outline.coordinate_names();
    const auto place = std::ranges::find(names, name);
    if (place == names.end())
      throw InputError(where + "/q/" + name, fmt::format("no coordinate '{}'{} (known: {})", name,
                                                         did_you_mean(name, names), fmt::join(names, ", ")));
    q[place - names.begin()] = exact_from_json(value, where + "/q/" + name).as<double>();
  }
  std::vector<DrawnShape> sketch = outline.at(spec.t->as<double>(), q, outline.start_s());
  return std::shared_ptr<const ProblemRun>(
      new ProblemRun(spec.options().write(), std::move(problem), std::move(sketch)));
}

RunOutcome ProblemRun::execute() const {
  return {{{"status", to_string(StatusCode::ok)}, {"cause", ""}, {"spec", json()}}};
}

void from_json(const Json& json, ProblemRecord& record) { record = {enumerator<StatusCode>(json.at("status"))}; }

const RunKind& ProblemRuns::kind() { return run_kind_of<ProblemRun, ProblemRunSpec>(); }

namespace {

// An option as it is in a specification.
std::string value_text(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

DataTable options_of(const Problem& problem) {
  DataTable table{"Options", {}};
  const Json& spec = problem.spec();
  if (is_problem_document(spec)) {
    const Json parameters = spec.value("parameters", Json::object());
    for (const auto& [name, value] : parameters.items()) table.data.push_back({name, value_text(value), ""});
    for (const char* key : {"start_time", "end_time"})
      if (spec.contains(key)) table.data.push_back({key, value_text(spec.at(key)), "[s]"});
    return table;
  }
  const Json options = Registry<Problem>::instance().find(problem.name(), "").options();
  for (const auto& [name, schema] : options.items())
    table.data.push_back({name, value_text(spec.at(name)), schema.at("description").get<std::string>()});
  return table;
}

// Null where the problem of this label has no such value.
TableCell value_of(const LabeledData& problem, const std::string& title, const std::string& name) {
  const auto table = std::ranges::find(problem.tables, title, &DataTable::title);
  if (table == problem.tables.end()) return nullptr;
  const auto datum = std::ranges::find(table->data, name, &Datum::name);
  return datum == table->data.end() ? TableCell() : TableCell(datum->value);
}

}  // namespace

std::vector<DataTable> data_of(const Problem& problem) {
  std::vector<DataTable> tables{options_of(problem)};
  for (const ConstantTable& table : problem.constants()) {
    DataTable& written = tables.emplace_back(DataTable{table.title, {}});
    for (const Constant& x : table.constants) written.data.push_back({x.name, x.value.text(), x.meaning});
  }
  return tables;
}

std::vector<Table> printed_data(const std::vector<LabeledData>& problems) {
  std::vector<Table> printed;
  for (const LabeledData& problem : problems)
    for (const DataTable& table : problem.tables) {
      if (std::ranges::find(printed, table.title, &Table::caption) != printed.end()) continue;
      Table& result = printed.emplace_back(Table{table.title, table.title, {{"name", "", CellFormat::text, 0}}, {}});
      for (const LabeledData& each : problems) result.columns.push_back({each.label, "", CellFormat::text, 0});
      result.columns.push_back({"meaning", "", CellFormat::text, 0});
      for (const Datum& datum : table.data) {
        TableRow row{datum.name};
        for (const LabeledData& each : problems) row.push_back(value_of(each, table.title, datum.name));
        row.push_back(datum.meaning);
        result.rows.push_back(std::move(row));
      }
    }
  return printed;
}

}  // namespace daelab
