// show problem: description, equations, data, sketch.
#include <fmt/format.h>

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <variant>

#include "app/description.hpp"
#include "app/sketch_outline.hpp"
#include "app/terminal.hpp"
#include "core/base/norm.hpp"
#include "core/base/write_file.hpp"
#include "core/documents/document_recorder.hpp"
#include "core/documents/problem_document.hpp"
#include "core/equations/linearly_implicit_system.hpp"
#include "core/export/equations.hpp"
#include "core/export/exported_problem.hpp"
#include "core/expressions/constant_text.hpp"
#include "core/expressions/latex.hpp"
#include "core/mechanism/drawn_outline.hpp"
#include "core/mechanism/group_charts.hpp"
#include "core/mechanism/state_names.hpp"
#include "core/start/consistent_start.hpp"
#include "core/start/hidden_constraints.hpp"
#include "lab/runs/problem_run.hpp"
#include "report/figures/figure.hpp"
#include "report/tables/table.hpp"
#include "results/reference.hpp"

namespace daelab::app {
namespace {

// For a file, its own words; of a name, those it is registered with.
Json problem_description(const Problem& problem, const std::string& spec) {
  const Json& own = problem.spec();
  if (spec_file(spec).empty() || !is_problem_document(own)) return description<Problem>(spec);
  Json options = Json::object();
  const Json parameters = own.value("parameters", Json::object());
  for (const auto& [name, value] : parameters.items()) options[name] = {{"default", value}, {"description", ""}};
  for (const char* key : {"start_time", "end_time"})
    if (own.contains(key)) options[key] = {{"default", own[key]}, {"description", "[s]"}};
  return {{"name", own["name"]},
          {"summary", own.value("summary", "Problem from a file.")},
          {"source", own.value("source", "")},
          {"options", options}};
}

// Equations of a problem are for readers, or code.
using Written = std::variant<Notation, Language>;

Written written_in(const std::string& name) {
  std::map<std::string, Written> known{{"text", Notation::text}, {"latex", Notation::latex}};
  const std::vector<std::string> languages = names_of(Language{});
  for (std::size_t i = 0; i < languages.size(); ++i) known[languages[i]] = static_cast<Language>(i);
  if (const auto found = known.find(name); found != known.end()) return found->second;
  std::vector<std::string> names{"text", "latex"};
  names.insert(names.end(), languages.begin(), languages.end());
  throw InputError("--equations", fmt::format("'{}' is not allowed{} (allowed: {})", name, did_you_mean(name, names),
                                              fmt::join(names, ", ")));
}

// The stored state at the end time, if there is one.
std::optional<ExportedReference> exported_reference(const Problem& problem) {
  const std::optional<ReferenceState> state = find_reference(problem.spec(), problem.end_time());
  if (!state) return {};
  ExportedReference reference{{}, state->digits_text()};
  for (const Vector<Real50>* part : {&state->q, &state->v, &state->y})
    reference.y.insert(reference.y.end(), part->begin(), part->end());
  return reference;
}

// Where runs begin, if not at the values recorded: with algebraic parts that satisfy their equations. Empty where these
// do, and where no run would begin.
Vector<double> start_of_runs(const Problem& problem) {
  const auto model = problem.model(As<double>{});
  OrdinaryModel<double>* const ordinary = model->ordinary();
  if (ordinary == nullptr || ordinary->index() == 0) return {};
  const Vector<double> recorded = ordinary->initial_y();
  Vector<double> y = recorded, ydot = Vector<double>::Zero(y.size());
  if (max_norm(hidden_residuals(*ordinary, y)) > StartReport::consistency_tolerance &&
      !project_onto_hidden_constraints(*ordinary, y).ok())
    return {};
  const auto system = make_ordinary_system(*ordinary, ordinary->index());
  if (!system->consistent_start(ordinary->initial_t(), y, ydot).ok()) return {};
  return max_norm(Vector<double>(y - recorded)) > StartReport::consistency_tolerance ? y : Vector<double>();
}

// What runs begin with in the place of what is recorded.
void add_start_of_runs(const Problem& problem, Notation notation, std::vector<EquationGroup>& groups) {
  const Vector<double> start = start_of_runs(problem);
  if (start.size() == 0) return;
  const Vector<double> recorded = problem.model(As<double>{})->initial_y();
  EquationGroup group{"Start of runs, if it differs: on the equations", {}};
  for (const StateEntry& entry : StateNames(problem).of('y'))
    if (start[entry.place] != recorded[entry.place]) {
      const std::string name = entry.own.empty() ? entry.name : entry.own;
      group.equations.push_back(
          {notation == Notation::latex ? latex_name(name) : name, fmt::format("{:.17g}", start[entry.place])});
    }
  groups.push_back(std::move(group));
}

// What a stranger must know of the file: what it is of, and where it comes from.
std::string heading_of(const Problem& problem, const Json& description) {
  return fmt::format("{}: {} Source: {}. Written by daelab.", spec_text(problem.spec()),
                     description["summary"].get<std::string>(), description["source"].get<std::string>());
}

// Options and constants, into the description or as tables.
void add_data(const Problem& problem, Json& result) {
  for (const DataTable& table : data_of(problem))
    for (const Datum& datum : table.data)
      result["data"][table.title].push_back(
          Json{{"name", datum.name}, {"value", datum.value}, {"meaning", datum.meaning}});
}
void print_data(const Problem& problem) {
  for (const Table& table : printed_data({{"value", data_of(problem)}})) fmt::print("{}\n", table_to_text(table));
}

// The format is that of the file's name. Script and data of the drawing are not kept.
void draw_sketch(const Problem& problem, const std::string& file) {
  const std::string extension = std::filesystem::path(file).extension().string();
  if (extension != ".svg" && extension != ".pdf")
    throw InputError("--sketch", fmt::format("'{}' is not allowed; allowed: a file that ends with .svg or .pdf", file));
  const std::string drawing = sketch_of(problem, extension.substr(1));
  if (drawing.empty()) throw InputError("--sketch", "'" + problem.name() + "' has no outline to draw");
  write_named_file(file, drawing);
}

// A paper has the parameters by name, where the problem is a document in which they may be more than numbers.
std::vector<EquationGroup> equations_for_a_paper(const Problem& problem) {
  if (!is_problem_document(problem.spec())) return equations_of(problem, Notation::latex);
  const ProblemDocument document = read_problem_document(problem.spec(), "");
  try {
    std::vector<EquationGroup> groups = equations_of(
        problem, Notation::latex, [&](Recording& recording) { record_with_parameter_names(document, recording); });
    EquationGroup parameters{"Parameters", {}};
    for (const auto& [name, value] : document.parameters)
      parameters.equations.push_back({latex_name(name), latex_constant(value.text())});
    if (!parameters.equations.empty()) groups.insert(groups.begin(), std::move(parameters));
    return groups;
  } catch (const InputError&) {  // joints and bounds of loops need numbers
    return equations_of(problem, Notation::latex);
  }
}

void print_equations(const Problem& problem, const std::string& notation_name, Json result, bool json) {
  const Written written = written_in(notation_name);
  if (const Language* language = std::get_if<Language>(&written)) {
    const std::string code = exported_problem(problem, *language, exported_reference(problem),
                                              heading_of(problem, result), start_of_runs(problem));
    if (!json) fmt::print("{}", code);
    if (json) result["code"] = code, fmt::print("{}\n", result.dump(2));
    return;
  }
  const Notation notation = std::get<Notation>(written);
  std::vector<EquationGroup> groups =
      notation == Notation::latex ? equations_for_a_paper(problem) : equations_of(problem, notation);
  add_start_of_runs(problem, notation, groups);
  if (!json) {
    fmt::print("{}", page_of(groups, notation));
    return;
  }
  result["equations"] = Json::array();
  for (const EquationGroup& group : groups) {
    Json list = Json::array();
    for (const auto& [left, right] : group.equations) list.push_back(Json{{"left", left}, {"right", right}});
    result["equations"].push_back(Json{{"title", group.title}, {"equations", list}});
  }
  fmt::print("{}\n", result.dump(2));
}

// Of long lists the beginning.
std::string names_text(const std::vector<std::string>& names) {
  constexpr std::size_t most = 24;
  std::vector<std::string> shown(names.begin(), names.begin() + std::min(most, names.size()));
  if (names.size() > most) shown.push_back(fmt::format("... ({} in all)", names.size()));
  return fmt::format("{}", fmt::join(shown, ", "));
}

// "x = -1, y = 0", or "all zero".
std::string start_text(const std::vector<StateEntry>& entries, const Vector<double>& y) {
  std::vector<std::string> values;
  bool zero = true;
  for (const StateEntry& entry : entries) {
    values.push_back(fmt::format("{} = {:.6g}", entry.own.empty() ? entry.name : entry.own, y[entry.place]));
    zero = zero && y[entry.place] == 0;
  }
  return zero && entries.size() > 1 ? "all zero" : names_text(values);
}

// What results/reference/<problem>.json has for the end time, and how well it is known.
std::string reference_text(const Problem& problem) {
  if (!std::filesystem::exists(reference_path(problem.name())))
    return problem.independent_route().empty() ? "none stored" : "none stored; route: " + problem.independent_route();
  const Exact end = problem.end_time();
  const std::optional<ReferenceState> state = find_reference(problem.spec(), end);
  if (!state) return fmt::format("stored for other parameters or times than t = {}", end.text());
  const std::string certificate =
      state->proof && !state->proof->certificate.empty() ? fmt::format(" ({})", state->proof->certificate) : "";
  return fmt::format("{}{} at t = {} s: {}", state->digits_text(), certificate, end.text(), state->source);
}

// What a user of the problem asks first: its unknowns, where they start, what can be watched, how well it is known.
void print_facts(const Problem& problem) {
  const auto line = [](const std::string& what, const std::string& text) {
    if (!text.empty()) fmt::print("{}", entry_text("  " + what, text, 22, terminal_width()));
  };
  const auto model = problem.model(As<double>{});
  Vector<double> y = model->initial_y();
  const StateNames names(problem);
  fmt::print("\n{}\n", tinted(Tint::strong, "Problem"));
  if (MechanicalModel<double>* mechanism = model->mechanical()) {
    const StartReport start =
        analyse_start(*mechanism, mechanism->initial_q(), mechanism->initial_v(), StartReport::rank_tolerance);
    to_reported(*mechanism, y);
    std::vector<std::string> coordinates;
    for (const StateEntry& entry : names.of('q')) coordinates.push_back(entry.own.empty() ? entry.name : entry.own);
    line("coordinates", fmt::format("{}: {}", coordinates.size(), names_text(coordinates)));
    line("constraints",
         fmt::format(
             "{}{}, rank {} at the start", mechanism->constraints(),
             mechanism->nonholonomic() > 0 ? fmt::format(" ({} of velocities alone)", mechanism->nonholonomic()) : "",
             start.rank));
    line("degrees of freedom", std::to_string(mechanism->coordinates() - start.rank));
    line("start, positions", start_text(names.of('q'), y));
    line("start, velocities", start_text(names.of('v'), y));
    line("energy", problem.conserves_energy() ? "conserved" : "not conserved");
  }
  if (const auto states = names.of('y'); !states.empty()) {
    line("states", std::to_string(states.size()));
    if (const OrdinaryModel<double>* ordinary = model->ordinary(); ordinary && ordinary->index() > 0)
      line("index", fmt::format("{}, by the equations of {}", ordinary->index(), ordinary->algebraic_equations()));
    line("start", start_text(states, y));
  }
  if (const Real100 t = problem.start_time(); t != 0) line("start time", constant_text(t) + " s");
  line("end time", problem.end_time().text() + " s");
  line("observables", names_text(model->observable_names()));
  std::vector<std::string> events;
  for (const Event& event : model->events()) events.push_back(event.name);
  line("events", names_text(events));
  line("reference", reference_text(problem));
}

}  // namespace

int show_problem(const ShowArguments& a) {
  const auto problem = Registry<Problem>::instance().make(a.spec, "problem");
  Json result = problem_description(*problem, a.spec);
  if (!a.sketch.empty()) draw_sketch(*problem, a.sketch);
  if (a.json && a.data) add_data(*problem, result);
  if (!a.json && a.data) print_data(*problem);
  if (!a.equations.empty())
    print_equations(*problem, a.equations, result, a.json);
  else if (a.json)
    fmt::print("{}\n", result.dump(2));
  else if (!a.data && a.sketch.empty()) {
    print_description(result);
    print_facts(*problem);
  }
  return 0;
}

}  // namespace daelab::app
