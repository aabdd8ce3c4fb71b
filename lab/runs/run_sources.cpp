#include "lab/runs/run_sources.hpp"

#include "core/base/coefficient_document.hpp"
#include "core/base/paths.hpp"
#include "core/documents/problem_document.hpp"
#include "core/equations/formulation.hpp"
#include "core/integration/method.hpp"
#include "core/integration/tableau.hpp"
#include "core/mechanism/problem.hpp"
#include "core/solvers/linear_problem.hpp"
#include "core/solvers/multiplier_solver.hpp"
#include "core/start/consistent_start.hpp"

#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace daelab {
namespace {

using Found = std::map<std::string, std::string>;  // source -> hash

// No component is called like a number.
bool is_number(const std::string& text) {
  return !text.empty() && std::string_view("0123456789+-.").find(text[0]) != std::string_view::npos &&
         text.find_first_not_of("0123456789+-.eE") == std::string::npos;
}

// All that the sources of a specification depend on: what it is made of, without its numbers.
void append_names(const Json& spec, std::string& names) {
  if (spec.is_object())
    for (const auto& [key, value] : spec.items()) append_names(value, names.append(key).append("{"));
  else if (spec.is_array())
    for (const Json& value : spec) append_names(value, names.append("["));
  else if (const std::string text = spec.is_string() ? spec.get<std::string>() : ""; !is_number(text))
    names.append(text);
  names.append("\n");
}

}  // namespace

// Many runs name the same components: what a name stands for is looked up once.
struct SourceFinder::Memory {
  Memory(std::string kind_file, const SourceHashes& hashes) : kind(std::move(kind_file)), hashes(hashes) {}

  std::string kind;
  const SourceHashes& hashes;
  std::map<std::pair<const ComponentRegistry*, std::string>, Found> of_names;
  std::unordered_map<std::string, Json> of_specifications;

  void add(const std::string& source, Found& found) const { found[source] = source_hash(source, hashes); }

  void add_component(const ComponentRegistry& registry, const std::string& name, Found& found) const {
    for (const std::string& known : registry.names()) {
      const RegistryEntry& entry = registry.find(known, "");
      if (!entry.is_called(name)) continue;
      if (!entry.file.empty()) add(source_name(entry.file), found);  // else its specification names its version
      for (const std::string& other : entry.makes) add_component(registry, other, found);
    }
    if (&registry != &Registry<Method>::instance()) return;
    for (const std::string& file : json_files_below(project_path("methods")))  // coefficients that an option names
      if (file.ends_with("/" + name + ".json")) add(source_name(file), found);
  }

  const Found& of_name(const ComponentRegistry& registry, const std::string& text) {
    const auto [place, is_new] = of_names.try_emplace({&registry, text});
    if (!is_new) return place->second;
    if (const std::string file = spec_file(text); !file.empty())
      add(source_name(absolute_path(file)), place->second);
    else
      add_component(registry, text.substr(0, text.find(':')), place->second);
    return place->second;
  }

  // The component of this specification and all that its options name.
  void add_named(const ComponentRegistry& registry, const Json& spec, Found& found) {
    if (spec.is_object()) {
      for (const auto& [key, value] : spec.items()) add_named(registry, value, found);
    } else if (spec.is_string() && !is_number(spec.get<std::string>())) {
      const Found& named = of_name(registry, spec.get<std::string>());
      found.insert(named.begin(), named.end());
    }
  }

  Json find(const Json& problem, const Json& method, const Json& formulation, const Json& multiplier_solver) {
    Found found;
    add("engines", found);
    add(source_name(kind), found);
    const auto& solvers = Registry<MultiplierSolver>::instance();
    if (!problem.is_null())
      for (const std::string& name : fitting_multiplier_solvers()) add_named(solvers, Json(name), found);
    if (!is_problem_document(problem)) {
      add_named(Registry<Problem>::instance(), problem, found);
      add_named(Registry<LinearProblem>::instance(), problem, found);
    }
    if (is_tableau(method))
      add_named(Registry<Method>::instance(), Json("runge-kutta"), found);
    else if (!holds_coefficients(method))  // which the specification itself has
      add_named(Registry<Method>::instance(), method, found);
    add_named(Registry<Formulation>::instance(), formulation, found);
    add_named(solvers, multiplier_solver, found);
    return Json(found);
  }
};

SourceFinder::SourceFinder(std::string kind_file, const SourceHashes& hashes)
    : memory_(std::make_unique<Memory>(std::move(kind_file), hashes)) {}
SourceFinder::~SourceFinder() = default;

const Json& SourceFinder::operator()(const Json& resolved) {
  static const Json none;
  std::string names;
  const auto part = [&](const char* key) -> const Json& {
    const Json* found = resolved.find(key);
    const Json& value = found ? *found : none;
    append_names(value, names);
    return value;
  };
  const Json& problem = part("problem");
  const Json& method = part("method");
  const Json& formulation = part("formulation");
  const Json& multiplier_solver = part("multiplier_solver");
  const auto [place, is_new] = memory_->of_specifications.try_emplace(std::move(names));
  if (is_new) place->second = memory_->find(problem, method, formulation, multiplier_solver);
  return place->second;
}

Json run_sources(const Json& resolved, const std::string& kind_file, const SourceHashes& hashes) {
  return SourceFinder(kind_file, hashes)(resolved);
}

}  // namespace daelab
