// list and show: what is registered.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/commands.hpp"
#include "app/method_card.hpp"
#include "core/base/paths.hpp"
#include "core/equations/formulation.hpp"
#include "core/integration/method.hpp"
#include "core/integration/tableau.hpp"
#include "core/model/equations.hpp"
#include "core/model/problem.hpp"
#include "core/model/problem_document.hpp"
#include "core/solvers/linear_problem.hpp"
#include "experiments/runs/experiment.hpp"
#include "results/claims.hpp"

namespace daelab::app {
namespace {

template <class Kind>
Json entries() {
  Json list = Json::array();
  for (const std::string& name : Registry<Kind>::instance().names()) {
    const auto& entry = Registry<Kind>::instance().find(name, "");
    list.push_back({{"name", name}, {"summary", entry.summary}, {"source", entry.source}});
  }
  return list;
}

Json paper_entries() {
  Json list = Json::array();
  for (const std::string& paper : papers()) {
    const Json claims = read_claims(paper);
    list.push_back({{"name", paper}, {"summary", claims["title"]}, {"source", claims["reference"]}});
  }
  return list;
}

Json all_entries() {
  return {{"problems", entries<Problem>()},
          {"linear-problems", entries<LinearProblem>()},
          {"formulations", entries<Formulation>()},
          {"methods", entries<Method>()},
          {"multiplier-solvers", entries<MultiplierSolver>()},
          {"experiments", entries<Experiment>()},
          {"papers", paper_entries()}};
}

template <class Kind>
Json description(const std::string& spec) {
  const std::string name = Registry<Kind>::instance().make(spec, Kind::kind)->name();  // checks the options given
  const auto& entry = Registry<Kind>::instance().find(name, Kind::kind);
  return {{"name", entry.name}, {"summary", entry.summary}, {"source", entry.source}, {"options", entry.options()}};
}

void print_entries(const std::string& kind, const Json& list) {
  fmt::print("{}\n", kind);
  for (const Json& entry : list)
    fmt::print("  {:<22} {}\n", entry["name"].get<std::string>(), entry["summary"].get<std::string>());
}

std::string text(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

void print_description(const Json& d) {
  fmt::print("{}\n{}\nSource: {}\n", text(d["name"]), text(d["summary"]), text(d["source"]));
  if (!d["options"].empty()) fmt::print("\nOptions\n");
  for (const auto& [name, schema] : d["options"].items()) {
    std::string range;
    const Json& type = schema.contains("anyOf") ? schema["anyOf"][0] : schema;
    if (type.contains("enum"))
      range = fmt::format(" ({})", fmt::join(type["enum"].get<std::vector<std::string>>(), ", "));
    if (type.contains("exclusiveMinimum"))
      range = fmt::format(" (above {}{})", type["exclusiveMinimum"].dump(),
                          type.contains("maximum") ? " to " + type["maximum"].dump() : "");
    if (type.contains("minimum") && type.contains("maximum"))
      range = fmt::format(" ({} to {})", type["minimum"].dump(), type["maximum"].dump());
    else if (type.contains("minimum"))
      range = " (at least " + type["minimum"].dump() + ")";
    fmt::print("  {:<16} default {:<18} {}{}\n", name, text(schema["default"]), text(schema["description"]), range);
  }
}

int show_method(const std::string& spec, bool json) {
  const auto method = Registry<Method>::instance().make(spec, "method");
  const Json& own = method->spec();
  Json result = spec.starts_with("@") && is_tableau(own)
                    ? Json{{"name", own["name"]},
                           {"summary", own.value("summary", "Runge-Kutta tableau from a file.")},
                           {"source", own.value("source", "")},
                           {"options", Json::object()}}
                    : description<Method>(spec);
  const MethodReport report = method_report(*method);
  const ExactCoefficients coefficients = exact_coefficients(*method);
  if (json) {
    result.update(report);
    result["coefficients"] = coefficients;
    fmt::print("{}\n", result.dump(2));
    return 0;
  }
  print_description(result);
  print_method_card(report, coefficients);
  return 0;
}

// A name that only a linear problem has.
bool names_linear_problem(const std::string& spec) {
  const std::string name = parse_spec(spec, "problem")["name"];
  const auto has = [&](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  return has(Registry<LinearProblem>::instance().names()) && !has(Registry<Problem>::instance().names());
}

// Of a file, its own words; of a name, those it is registered with.
Json problem_description(const Problem& problem, const std::string& spec) {
  const Json& own = problem.spec();
  if (!spec.starts_with("@") || !is_problem_document(own)) return description<Problem>(spec);
  Json options = Json::object();
  const Json parameters = own.value("parameters", Json::object());
  for (const auto& [name, value] : parameters.items()) options[name] = {{"default", value}, {"description", ""}};
  options["end_time"] = {{"default", own["end_time"]}, {"description", "[s]"}};
  return {{"name", own["name"]},
          {"summary", own.value("summary", "Problem from a file.")},
          {"source", own.value("source", "")},
          {"options", options}};
}

Notation notation_of(const std::string& name) {
  if (name == "text") return Notation::text;
  if (name == "latex") return Notation::latex;
  throw InputError("--equations", fmt::format("'{}' is not allowed; allowed: text, latex{}", name,
                                              did_you_mean(name, {"text", "latex"})));
}

int show_problem(const std::string& spec, const std::string& equations, bool json) {
  const auto problem = Registry<Problem>::instance().make(spec, "problem");
  Json result = problem_description(*problem, spec);
  if (equations.empty()) {
    if (json)
      fmt::print("{}\n", result.dump(2));
    else
      print_description(result);
    return 0;
  }
  const Notation notation = notation_of(equations);
  const std::vector<EquationGroup> groups = equations_of(*problem, notation);
  if (!json) {
    fmt::print("{}", page_of(groups, notation));
    return 0;
  }
  result["equations"] = Json::array();
  for (const EquationGroup& group : groups) {
    Json list = Json::array();
    for (const auto& [left, right] : group.equations) list.push_back(Json{{"left", left}, {"right", right}});
    result["equations"].push_back(Json{{"title", group.title}, {"equations", list}});
  }
  fmt::print("{}\n", result.dump(2));
  return 0;
}

int print(const Json& result, bool json) {
  if (json)
    fmt::print("{}\n", result.dump(2));
  else
    print_description(result);
  return 0;
}

}  // namespace

int list(const std::string& kind, bool json) {
  const Json all = all_entries();
  std::vector<std::string> kinds;
  for (const auto& [name, entries] : all.items()) kinds.push_back(name);
  if (!kind.empty() && !all.contains(kind)) {
    throw InputError(
        fmt::format("list: no kind '{}'; known: {}{}", kind, fmt::join(kinds, ", "), did_you_mean(kind, kinds)));
  }
  if (json) {
    fmt::print("{}\n", (kind.empty() ? all : all[kind]).dump(2));
    return 0;
  }
  for (const auto& [name, entries] : all.items())
    if (kind.empty() || kind == name) print_entries(name, entries);
  return 0;
}

int show(const std::string& kind, const std::string& spec, const std::string& equations, bool json) {
  if (!equations.empty() && (kind != "problem" || names_linear_problem(spec)))
    throw InputError("--equations", "applies to mechanisms and differential equations: show problem NAME --equations");
  if (kind == "method") return show_method(spec, json);
  if (kind == "linear-problem" || (kind == "problem" && names_linear_problem(spec)))
    return print(description<LinearProblem>(spec), json);
  if (kind == "problem") return show_problem(spec, equations, json);
  if (kind == "formulation") return print(description<Formulation>(spec), json);
  if (kind == "multiplier-solver") return print(description<MultiplierSolver>(spec), json);
  if (kind == "experiment") return print(description<Experiment>(spec), json);
  throw InputError(
      fmt::format("show: no kind '{}'; known: problem, formulation, method, multiplier-solver, experiment, "
                  "linear-problem",
                  kind));
}

}  // namespace daelab::app
