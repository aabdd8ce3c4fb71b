#include "core/mechanism/foreign_problem.hpp"

#include <fmt/format.h>

#include "core/base/foreign_versions.hpp"
#include "core/mechanism/function_forms.hpp"
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

struct Held : ForeignProblem {
  explicit Held(ForeignProblem problem) : ForeignProblem(std::move(problem)), forms(forms_of_functions(functions)) {}
  std::shared_ptr<const GivenForms> forms;
};
using Definitions = ForeignVersions<Held>;

// What depends on what: no formula that is evaluated.
void record_dependence(const MechanismFunctions& f, Recording& r) {
  Expression place = r.t;
  for (const Expression& q : r.q) place += q;
  Expression motion = place;
  for (const Expression& v : r.v) motion += v;
  for (int i = 0; i < static_cast<int>(r.q.size()); ++i) {
    r.mass(i, i) = f.has_constant_mass ? Expression(1) : place;
    r.force[static_cast<std::size_t>(i)] = motion;
  }
  r.constraints.assign(static_cast<std::size_t>(f.constraints), place);
  if (f.energy) r.kinetic_energy = motion, r.potential_energy = place;
}

class FunctionProblem final : public Problem, public HasGivenForms {
 public:
  explicit FunctionProblem(Definitions::Held definition) : definition_(std::move(definition)) {}

  std::shared_ptr<const GivenForms> given_forms() const override { return definition_->forms; }
  std::function<void(Recording&)> recorder() const override {
    return [definition = definition_](Recording& r) {
      r.coordinates(definition->coordinates);
      for (std::size_t i = 0; i < r.q.size(); ++i)
        r.start_q[i] = definition->start_q[i], r.start_v[i] = definition->start_v[i];
      record_dependence(definition->functions, r);
    };
  }
  std::string recording_key() const override { return spec_text(spec()); }
  void draw(Recording& /*recording*/, Outline& /*outline*/) const override {}
  std::vector<ConstantTable> constants() const override { return {}; }
  Exact end_time() const override { return definition_->end_time; }
  std::optional<Exact> max_step() const override { return {}; }
  Exact least_size() const override { return 1; }
  std::optional<Motion> independent_solution(const Real50& /*t*/, int /*digits*/) const override { return {}; }
  std::optional<std::vector<ExactEvent>> exact_events(const Real50& /*t*/, int /*digits*/) const override { return {}; }
  std::string independent_route() const override { return ""; }
  Json smaller_problem() const override { return {}; }
  Motion from_smaller(const Motion& motion) const override { return motion; }
  bool conserves_energy() const override { return definition_->conserves_energy; }
  Index redundant_constraints() const override { return 0; }

 private:
  Definitions::Held definition_;
};

// The version is its only option.
Options options_of(std::string& version) {
  return {option(foreign_version_key, version, "the version, by a hash of its code")};
}

std::shared_ptr<Component> make_problem(const RegistryEntry& entry, const Json& given, const std::string& where) {
  Json spec = given;
  const Definitions::Held definition = Definitions::instance().find(entry.name, spec, where);
  std::string version = definition->version;
  options_of(version).read(spec, where, {"name"});
  auto problem = std::make_shared<FunctionProblem>(definition);
  problem->set_spec(canonical_spec(entry.name.c_str(), options_of(version)));
  return problem;
}

Json schema_of_latest(const RegistryEntry& entry) {
  std::string version = Definitions::instance().latest(entry.name)->version;
  return options_of(version).schema();
}

void check_count(const char* what, std::size_t count, const ForeignProblem& problem) {
  if (static_cast<Index>(count) == problem.functions.coordinates) return;
  throw InputError(fmt::format("/{}", what),
                   fmt::format("has {} entries for {} coordinates", count, problem.functions.coordinates));
}

}  // namespace

void require_expressions(const Problem& problem, const std::string& purpose) {
  if (dynamic_cast<const HasGivenForms*>(&problem) == nullptr) return;
  throw InputError("", fmt::format("'{}' is given by functions: there are no expressions to {}; a problem document or "
                                   "a file in C++ has some",
                                   problem.name(), purpose));
}

void register_problem(ForeignProblem problem) {
  check_count("coordinates", problem.coordinates.size(), problem);
  check_count("start_q", problem.start_q.size(), problem);
  check_count("start_v", problem.start_v.size(), problem);
  check_count("sizes", static_cast<std::size_t>(problem.functions.sizes.size()), problem);
  Definitions::instance().add<Problem>(std::make_shared<const Held>(std::move(problem)), schema_of_latest,
                                       make_problem);
}

}  // namespace daelab
