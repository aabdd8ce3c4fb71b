#include "lab/runs/run_builder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/base/registry.hpp"
#include "core/export/equations.hpp"
#include "core/expressions/constant_text.hpp"
#include "core/integration/invariant_watch.hpp"
#include "core/mechanism/given_forms.hpp"
#include "core/start/consistent_start.hpp"
#include "core/start/hidden_constraints.hpp"
#include "core/start/over_determined.hpp"
#include "lab/runs/interval_checks.hpp"
#include "results/reference.hpp"

namespace daelab {
namespace {

// What may differ between runs that share all components.
bool varies(const std::string& key) {
  return key == "h" || key == "rtol" || key == "atol" || key == "atol_velocity" || key == "t_end";
}

// As the problem has it where nothing is said.
void complete_interval(RunSpec& spec, const Problem& problem, const std::string& where) {
  if (!spec.t_end) spec.t_end = problem.end_time();
  complete_tolerances(spec, problem, where);
  if (spec.adaptive() && !spec.max_step) spec.max_step = problem.max_step();
  const Interval interval = checked_interval(problem.start_time(), *spec.t_end, where);
  check_step(spec, interval, where);
  check_samples(spec, interval, where);
}

// Fixed values are looked at before the run: whoever fixes too many made a mistake.
void check_fixed(MechanicalModel<double>& model, const StartValues& start, const Vector<double>& y0,
                 const std::string& where) {
  const Index n = model.coordinates();
  if (start.fixed.empty()) return;
  const Vector<double> q0 = y0.head(n), v0 = y0.segment(n, n);
  Vector<double> q = q0, v = v0;
  if (!project_start(model, q, v, start.weights<double>(n)).ok()) return;  // the run will say why
  if (const std::string text = over_determined(model, start, q0, v0, q, v); !text.empty())
    throw InputError(where + "/start/fix", text);
}
void check_fixed(OrdinaryModel<double>& model, const StartValues& start, const std::string& where) {
  if (start.fixed.empty()) return;
  const Vector<double> s0 = model.initial_y();
  Vector<double> s = s0;
  if (!project_onto_hidden_constraints(model, s, start.weights_of_states<double>(s.size())).ok()) return;
  if (const std::string text = over_determined(model, start, s0, s); !text.empty())
    throw InputError(where + "/start/fix", text);
}

std::string violated_rows(const Problem& problem, const StartReport& report) {
  const std::vector<std::string> constraints = constraint_texts(problem);
  std::vector<std::string> rows;
  for (const Violation& violation : report.violations)
    rows.push_back(fmt::format("row {} by {:.1e} ({}), {} = 0", violation.row + 1, violation.size,
                               violation.level == Level::position ? "position" : "velocity",
                               constraints[static_cast<std::size_t>(violation.row)]));
  return fmt::format("{}", fmt::join(rows, "; "));
}

void check_hidden_constraints(const RunSpec& spec, OrdinaryModel<double>& model, const StartValues& start,
                              const std::string& where) {
  if (model.hidden_constraints() == 0) return;
  if (spec.start.analysis == StartAnalysis::project) return check_fixed(model, start, where);
  const Vector<double> residuals = hidden_residuals(model, model.initial_y());
  std::vector<std::string> violated;
  for (Index i = 0; i < residuals.size(); ++i)
    if (const double size = std::abs(residuals[i]); !(size <= StartReport::consistency_tolerance))
      violated.push_back(fmt::format("{} by {:.2e}", model.hidden_constraint(i), size));
  if (violated.empty()) return;
  throw InputError(where + (start.replaces() ? "/start" : "/problem"),
                   fmt::format("the initial values violate the hidden constraints of index {}: {} (allowed {:.0e}); "
                               "correct them, or choose the start \"project\"",
                               model.index(), fmt::join(violated, ", "), StartReport::consistency_tolerance));
}

void check_scalar(const RunSpec& spec, const Problem& problem, const std::string& where) {
  if (spec.scalar == Scalar::binary64 || dynamic_cast<const HasGivenForms*>(&problem) == nullptr) return;
  throw InputError(where + "/scalar", fmt::format("'{}' is given by functions, which compute in double, not in {}; "
                                                  "\"scalar\": \"double\" here makes the run in double",
                                                  problem.name(), name_of(spec.scalar)));
}

// The analysis of the start values, those of the run in place of the problem's. Throws InputError for values that no
// run starts from.
StartReport check_start(const RunSpec& spec, const Problem& problem, Model<double>& model, const StartValues& start,
                        const std::string& where) {
  MechanicalModel<double>* const mechanism = model.mechanical();
  if (mechanism == nullptr) {
    if (spec.start.analysis == StartAnalysis::zero_acceleration)
      throw InputError(where + "/start",
                       "zero-acceleration applies to mechanisms, not to ordinary differential equations");
    check_hidden_constraints(spec, *model.ordinary(), start, where);
    return {};
  }
  const Index n = mechanism->coordinates();
  const Vector<double> y = model.initial_y();
  const StartReport report = analyse_start(*mechanism, Vector<double>(y.head(n)), Vector<double>(y.segment(n, n)));
  if (spec.start.analysis == StartAnalysis::project)
    check_fixed(*mechanism, start, y, where);
  else if (!report.consistent())
    throw InputError(where + (start.replaces() ? "/start" : "/problem"),
                     fmt::format("the initial values violate the constraints: |C| = {:.2e}, |dC/dt| = {:.2e} "
                                 "(allowed {:.0e}): {}; correct them, or choose the start \"project\"",
                                 report.position_residual, report.velocity_residual, StartReport::consistency_tolerance,
                                 violated_rows(problem, report)));
  return report;
}

// Throws InputError for a name that the model does not have, and for one that is there twice. `kind`: "invariant".
void check_names(const std::vector<std::string>& names, const std::string& kind, const auto& known_names,
                 const std::string& where) {
  if (names.empty()) return;
  const std::vector<std::string> known = known_names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string &name = names[i], place = fmt::format("{}/{}s/{}", where, kind, i);
    if (std::ranges::find(known, name) == known.end())
      throw InputError(place, fmt::format("the problem has no {} '{}'; it has {}{}", kind, name,
                                          known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", ")),
                                          did_you_mean(name, known)));
    const auto end = names.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::find(names.begin(), end, name) != end) throw InputError(place, fmt::format("'{}' is given twice", name));
  }
}

std::shared_ptr<Formulation> make_formulation(const std::optional<ComponentSpec>& given, Model<double>& model,
                                              const Method& method, const std::string& where) {
  const auto& registry = Registry<Formulation>::instance();
  const auto natural = [&] {
    for (const std::string& name : method.formulations())
      if (registry.make(name, where)->refusal(model).empty()) return name;
    return model.ordinary() != nullptr ? standard_ordinary_formulation() : standard_formulation(method.natural_level());
  };
  auto formulation = registry.make(given ? *given : ComponentSpec(natural()), where);
  if (const std::string refusal = formulation->refusal(model); !refusal.empty()) throw InputError(where, refusal);
  return formulation;
}

// Independent constraints have generated code, and what fits them is what it falls back on.
ComponentSpec default_multiplier_solver(bool ordinary, const StartReport& report) {
  const std::string fitting = fitting_multiplier_solver(report);
  if (ordinary || report.rank < report.constraints) return fitting;
  return {"written-out", {{"fallback", fitting}}};
}

// With redundant constraints multipliers are not unique, nor is what depends on them.
void check_multiplier_solver(Model<double>& model, const MultiplierSolver& solver, const std::string& where) {
  MechanicalModel<double>* const mechanism = model.mechanical();
  if (mechanism == nullptr || mechanism->has_linear_equations() || !solver.facts().redundant_constraints) return;
  throw InputError(
      where,
      "forces depend on multipliers, or there are algebraic states: this needs independent constraints and "
      "a solver for these, such as schur-cholesky, because multipliers of redundant ones are not unique");
}

std::vector<std::string> classes_of(Model<double>& model) {
  if (model.ordinary() != nullptr) return {"y"};
  std::vector<std::string> classes{"q", "v", "a", "lambda"};
  if (model.mechanical()->integrated_states() > 0) classes.push_back("y");
  return classes;
}

}  // namespace

std::shared_ptr<Run> RunBuilder::build(RunSpec spec, const std::string& where) {
  Run::Components made;
  made.problem = Registry<Problem>::instance().make(spec.problem, where + "/problem");
  made.method = Registry<Method>::instance().make(spec.method, where + "/method");
  check_scalar(spec, *made.problem, where);
  complete_interval(spec, *made.problem, where);
  const auto model = made.problem->model(As<double>{});
  Run::NamedParts named = resolve_names(spec, *made.problem, where);
  named.start.put_into(*model);
  check_names(
      spec.invariants, "invariant", [&] { return known_invariants(*model); }, where);
  check_names(
      spec.observables, "observable", [&] { return model->observable_names(); }, where);
  const StartReport start = check_start(spec, *made.problem, *model, named.start, where);
  made.formulation = make_formulation(spec.formulation, *model, *made.method, where + "/formulation");
  if (!spec.multiplier_solver) spec.multiplier_solver = default_multiplier_solver(model->ordinary() != nullptr, start);
  made.multiplier_solver =
      Registry<MultiplierSolver>::instance().make(*spec.multiplier_solver, where + "/multiplier_solver");
  check_multiplier_solver(*model, *made.multiplier_solver, where + "/multiplier_solver");
  const Json given = spec.problem.json();
  spec.problem = made.problem->spec(), spec.method = made.method->spec();
  spec.multiplier_solver = made.multiplier_solver->spec(), spec.formulation = spec_text(made.formulation->spec());
  Json json = spec.write();
  return assemble(std::move(spec), std::move(json), std::move(made), std::move(named), *model, given);
}

std::shared_ptr<const BoundRun> RunBuilder::bind(const Json& json, const std::string& where) {
  Json varied = Json::object();
  std::string rest;
  for (const auto& [key, value] : json.items()) {
    if (varies(key))
      varied[key] = value;
    else
      rest.append(key).append(value.dump(-1, Json::Utf8::replace)).append("\n");
  }
  // Only runs with error control have the largest step of the problem.
  const auto gives = [&](const char* key) { return varied.contains(key) && !varied[key].is_null(); };
  if (gives("rtol") || gives("atol")) rest += "adaptive";
  if (const auto first = firsts_.find(rest); first != firsts_.end()) return vary(first->second, varied, where);
  if (firsts_.size() >= most_kept_) firsts_.clear();
  return firsts_[rest] = build(read_run_spec(json, where), where);
}

// A run that differs from the first one in these members alone.
std::shared_ptr<const Run> RunBuilder::vary(const std::shared_ptr<const Run>& first, const Json& varied,
                                            const std::string& where) {
  if (first != of_spec_) of_spec_ = first, spec_ = first->spec_;
  for (std::optional<Exact>* value : {&spec_.h, &spec_.rtol, &spec_.atol, &spec_.atol_velocity, &spec_.t_end})
    value->reset();
  options_.read(varied, where);
  complete_interval(spec_, first->problem(), where);
  Json json = first->json();
  for (const Option& option : options_.list())
    if (varies(option.name())) json[option.name()] = option.write();
  return std::shared_ptr<const Run>(new Run(spec_, std::move(json), first->parts_));
}

std::shared_ptr<const Run> RunBuilder::rebuild(Json completed, const Run& like) {
  RunSpec spec = read_run_spec(completed, like.spec_, like.json());
  Run::Components made = *like.parts_;
  const auto make_anew = [&]<class Kind>(const char* key, const ComponentSpec& component, std::shared_ptr<Kind>& part) {
    if (completed.at(key) != like.json().at(key))
      part = Registry<Kind>::instance().make(component, std::string("/") + key);
  };
  make_anew("problem", spec.problem, made.problem);
  make_anew("method", spec.method, made.method);
  make_anew("formulation", *spec.formulation, made.formulation);
  make_anew("multiplier_solver", *spec.multiplier_solver, made.multiplier_solver);
  const auto model = made.problem->model(As<double>{});
  Run::NamedParts named = resolve_names(spec, *made.problem, "");
  return assemble(std::move(spec), std::move(completed), std::move(made), std::move(named), *model, std::nullopt);
}

Run::NamedParts RunBuilder::resolve_names(RunSpec& spec, const Problem& problem, const std::string& where) {
  const StateNames names(problem);
  Run::NamedParts named{spec.start.resolve(names, where + "/start"),
                        read_named_values(spec.atol_components, names, "qvy", where + "/atol_components")};
  for (const NamedValue& x : named.atol_components)
    if (x.value.value() <= 0)
      throw InputError(where + "/atol_components/" + x.name,
                       fmt::format("{} is out of range; allowed: above 0", x.value.text()));
  if (!spec.atol_components.is_null()) spec.atol_components = to_json(named.atol_components);
  return named;
}

std::shared_ptr<Run> RunBuilder::assemble(RunSpec spec, Json json, Run::Components made, Run::NamedParts named,
                                          Model<double>& model, const std::optional<Json>& given) {
  const Real100 t_start = made.problem->start_time();
  const FormulationTraits equations = made.formulation->traits_of(model);
  const auto references = [&, own_start = named.start.replaces()] {
    if (given) return References(spec.problem.json(), spec.start.write(), *given);
    return own_start ? References() : References::of_closed_form(spec.problem.json());
  };
  const std::shared_ptr<const Run::Parts> parts(
      new Run::Parts{std::move(made), std::move(named), t_start, equations, classes_of(model), references()});
  return std::shared_ptr<Run>(new Run(std::move(spec), std::move(json), parts));
}

}  // namespace daelab
