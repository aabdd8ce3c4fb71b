// list and show: what is registered.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/commands.hpp"
#include "app/description.hpp"
#include "app/method_card.hpp"
#include "app/terminal.hpp"
#include "core/base/coefficient_document.hpp"
#include "core/base/paths.hpp"
#include "core/equations/formulation.hpp"
#include "core/integration/method.hpp"
#include "core/integration/tableau.hpp"
#include "core/mechanism/problem.hpp"
#include "core/solvers/linear_problem.hpp"
#include "lab/reproduce.hpp"
#include "lab/runs/experiment.hpp"
#include "results/claims.hpp"
#include "results/entry.hpp"
#include "results/packs.hpp"

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

// Both numbers are understood: `list problem`, `show methods gauss`.
std::string plural(const std::string& kind) { return kind.ends_with("s") || kind.empty() ? kind : kind + "s"; }

std::string singular(const std::string& kind) { return kind.ends_with("s") ? kind.substr(0, kind.size() - 1) : kind; }

// What the build could have: name -> what to do for it.
std::map<std::string, std::string> missing(const std::string& kind) {
  if (singular(kind) != Method::kind) return {};
  return Registry<Method>::instance().missing();
}

void print_entries(const std::string& kind, const Json& list) {
  constexpr std::size_t column = 25;
  fmt::print("{}\n", tinted(Tint::strong, kind));
  for (const Json& entry : list)
    fmt::print("{}", entry_text("  " + entry["name"].get<std::string>(), entry["summary"].get<std::string>(), column,
                                terminal_width()));
  for (const auto& [name, what] : missing(kind))
    fmt::print("{}", entry_text("  " + name, "not in this build: " + what, column, terminal_width()));
}

bool has_component(const std::string& kind, const std::string& name) {
  const std::vector<std::string> names = names_of(kind);
  return std::ranges::find(names, name) != names.end() || missing(kind).contains(name);
}

// `show pendulum`: the kind is that which alone has the name.
ShowArguments with_kind(ShowArguments a) {
  if (!a.spec.empty()) {
    a.kind = singular(a.kind);
    return a;
  }
  const std::vector<std::string> kinds = listed_kinds();
  if (std::ranges::find(kinds, plural(a.kind)) != kinds.end())
    throw InputError(fmt::format("show {0}: the name is missing: show {0} NAME; daelab list {1} has the names",
                                 singular(a.kind), plural(a.kind)));
  if (!spec_file(a.kind).empty()) {  // a problem, or a tableau
    a.spec = a.kind, a.kind = is_problem_document(spec_object(a.kind, "")) ? "problem" : "method";
    return a;
  }
  const std::string name = parse_spec(a.kind, "show")["name"].get<std::string>();
  std::vector<std::string> having;
  for (const std::string& kind : kinds)
    if (has_component(kind, name)) having.push_back(singular(kind));
  if (having.empty())
    throw InputError(fmt::format("show: '{}' is neither a kind nor the name of a component; kinds: {}{}", a.kind,
                                 did_you_mean(a.kind, kinds), fmt::join(kinds, ", ")));
  if (having.size() > 1)
    throw InputError(fmt::format("show: '{}' is the name of several: say show {} {}", name,
                                 fmt::join(having, fmt::format(" {}, or show ", name)), name));
  a.spec = a.kind, a.kind = having.front();
  return a;
}

int show_method(const std::string& spec, bool json) {
  const auto method = Registry<Method>::instance().make(spec, "method");
  const Json& own = method->spec();
  Json result = !spec_file(spec).empty() && holds_coefficients(own)
                    ? Json{{"name", own["name"]},
                           {"summary", own.value("summary", "tableau from a file.")},
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

int show_paper(const std::string& name, bool json) {
  require_paper(name);
  const Json list = paper_entries();
  Json paper = *std::ranges::find_if(list, [&](const Json& entry) { return entry["name"] == name; });
  paper["options"] = Json::object();
  return print(paper, json);
}

int show_experiment(const std::string& spec, bool json) {
  print(description<Experiment>(spec), json);
  if (json) return 0;
  std::vector<std::string> lists;
  for (const EntryKind kind : entry_kinds) lists.push_back(fmt::format("\"{}\"", entry_list(kind)));
  fmt::print("\n");
  print_wrapped(fmt::format("A config may list {}, which its results are judged by: docs/experiments.md",
                            fmt::join(lists, ", ")));
  return 0;
}

}  // namespace

std::vector<std::string> listed_kinds() {
  std::vector<std::string> kinds;
  const Json all = all_entries();
  for (const auto& [name, entries] : all.items()) kinds.push_back(name);
  return kinds;
}

std::vector<std::string> names_of(const std::string& kind) {
  const Json all = all_entries();
  std::vector<std::string> names;
  for (const Json& entry : all.value(plural(kind), Json::array())) {
    names.push_back(entry["name"]);
    for (const Json& alias : entry.value("aliases", Json::array())) names.push_back(alias);
  }
  return names;
}

int list(const std::string& asked, bool json) {
  const std::string kind = plural(asked);
  const Json all = all_entries();
  const std::vector<std::string> kinds = listed_kinds();
  if (!kind.empty() && !all.contains(kind)) {
    throw InputError(
        fmt::format("list: no kind '{}'{} (known: {})", asked, did_you_mean(asked, kinds), fmt::join(kinds, ", ")));
  }
  if (json) {
    fmt::print("{}\n", (kind.empty() ? all : all[kind]).dump(2));
    return 0;
  }
  for (const auto& [name, entries] : all.items())
    if (kind.empty() || kind == name) print_entries(name, entries);
  return 0;
}

int show(const ShowArguments& arguments) {
  const ShowArguments a = with_kind(arguments);
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
  if (a.kind == "paper") return show_paper(a.spec, a.json);
  std::vector<std::string> kinds;
  for (const std::string& kind : listed_kinds()) kinds.push_back(singular(kind));
  throw InputError(fmt::format("show: no kind '{}'{} (known: {})", arguments.kind, did_you_mean(arguments.kind, kinds),
                               fmt::join(kinds, ", ")));
}

}  // namespace daelab::app
