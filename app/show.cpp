// list and show: what is registered.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/commands.hpp"
#include "app/description.hpp"
#include "app/method_card.hpp"
#include "core/base/paths.hpp"
#include "core/equations/formulation.hpp"
#include "core/integration/method.hpp"
#include "core/integration/tableau.hpp"
#include "core/model/problem.hpp"
#include "core/solvers/linear_problem.hpp"
#include "experiments/runs/experiment.hpp"
#include "results/claims.hpp"
#include "results/entry.hpp"

namespace daelab::app {
namespace {

template <class Kind>
Json entries() {
  Json list = Json::array();
  for (const std::string& name : Registry<Kind>::instance().names()) {
    const auto& entry = Registry<Kind>::instance().find(name, "");
    list.push_back({{"name", name}, {"summary", entry.summary}, {"source", entry.source}});
    if (!entry.aliases.empty()) list.back()["aliases"] = entry.aliases;
  }
  return list;
}

Json paper_entries() {
  Json list = Json::array();
  for (const std::string& paper : papers()) {
    const Json file = read_entries(paper);
    list.push_back({{"name", paper}, {"summary", file["title"]}, {"source", file["reference"]}});
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

void print_entries(const std::string& kind, const Json& list) {
  fmt::print("{}\n", kind);
  for (const Json& entry : list)
    fmt::print("  {:<22} {}\n", entry["name"].get<std::string>(), entry["summary"].get<std::string>());
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
  return Registry<LinearProblem>::instance().look_up(name) && !Registry<Problem>::instance().look_up(name);
}

int print(const Json& result, bool json) {
  if (json)
    fmt::print("{}\n", result.dump(2));
  else
    print_description(result);
  return 0;
}

int show_experiment(const std::string& spec, bool json) {
  print(description<Experiment>(spec), json);
  if (json) return 0;
  std::vector<std::string> lists;
  for (const EntryKind kind : entry_kinds) lists.push_back(fmt::format("\"{}\"", entry_list(kind)));
  fmt::print("\nA config may list {}, which its results are judged by: docs/experiments.md\n", fmt::join(lists, ", "));
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

int show(const ShowArguments& a) {
  const bool is_problem = a.kind == "problem" && !names_linear_problem(a.spec);
  for (const auto& [option, given] :
       {std::pair("--equations", !a.equations.empty()), {"--sketch", !a.sketch.empty()}, {"--data", a.data}})
    if (given && !is_problem)
      throw InputError(option,
                       fmt::format("applies to mechanisms and differential equations: show problem NAME {}", option));
  if (is_problem) return show_problem(a);
  if (a.kind == "method") return show_method(a.spec, a.json);
  if (a.kind == "linear-problem" || a.kind == "problem") return print(description<LinearProblem>(a.spec), a.json);
  if (a.kind == "formulation") return print(description<Formulation>(a.spec), a.json);
  if (a.kind == "multiplier-solver") return print(description<MultiplierSolver>(a.spec), a.json);
  if (a.kind == "experiment") return show_experiment(a.spec, a.json);
  throw InputError(
      fmt::format("show: no kind '{}'; known: problem, formulation, method, multiplier-solver, experiment, "
                  "linear-problem",
                  a.kind));
}

}  // namespace daelab::app
