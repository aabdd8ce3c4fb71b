#include "experiments/runs/run_sources.hpp"

#include "core/equations/formulation.hpp"
#include "core/integration/method.hpp"
#include "core/integration/tableau.hpp"
#include "core/model/problem.hpp"
#include "core/model/problem_document.hpp"
#include "core/solvers/linear_problem.hpp"
#include "core/solvers/multiplier_solver.hpp"

namespace daelab {
namespace {

// What the core makes by name where it is given a problem: the accelerations of its start.
constexpr const char* solvers_of_the_core[] = {"complete-orthogonal", "kkt-lu", "schur-cholesky", "sparse-lu"};

class Sources {
 public:
  explicit Sources(const SourceHashes& hashes) : hashes_(hashes) {}

  void add(const std::string& source) { json_[source] = source_hash(source, hashes_); }

  void add_component(const ComponentRegistry& registry, const std::string& name) {
    for (const std::string& known : registry.names()) {
      const RegistryEntry& entry = registry.find(known, "");
      if (known != name && !entry.file.ends_with("/" + name + ".json")) continue;  // tableaus go by their files, too
      add(source_name(entry.file));
      for (const std::string& other : entry.makes) add_component(registry, other);
    }
  }

  // The component of this specification and those that its options name.
  void add_named(const ComponentRegistry& registry, const Json& spec) {
    if (spec.is_object()) {
      for (const auto& [key, value] : spec.items()) add_named(registry, value);
    } else if (spec.is_string()) {
      const std::string text = spec;
      if (const std::string file = spec_file(text); !file.empty())
        add(source_name(file));
      else
        add_component(registry, text.substr(0, text.find(':')));
    }
  }

  const Json& json() const { return json_; }

 private:
  const SourceHashes& hashes_;
  Json json_ = Json::object();
};

}  // namespace

Json run_sources(const Json& resolved, const std::string& kind_file, const SourceHashes& hashes) {
  Sources sources(hashes);
  sources.add("engines");
  sources.add(source_name(kind_file));
  const auto part = [&](const char* key) { return resolved.contains(key) ? resolved[key] : Json(); };
  const Json problem = part("problem"), method = part("method");
  const auto& solvers = Registry<MultiplierSolver>::instance();
  if (!problem.is_null())
    for (const char* name : solvers_of_the_core) sources.add_component(solvers, name);
  if (!is_problem_document(problem)) {
    sources.add_named(Registry<Problem>::instance(), problem);
    sources.add_named(Registry<LinearProblem>::instance(), problem);
  }
  sources.add_named(Registry<Method>::instance(), is_tableau(method) ? Json("runge-kutta") : method);
  sources.add_named(Registry<Formulation>::instance(), part("formulation"));
  sources.add_named(solvers, part("multiplier_solver"));
  return sources.json();
}

}  // namespace daelab
