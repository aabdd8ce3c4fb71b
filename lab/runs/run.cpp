#include "lab/runs/run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <unordered_map>

#include "core/base/context.hpp"
#include "core/export/equations.hpp"
#include "core/expressions/constant_text.hpp"
#include "core/start/consistent_start.hpp"
#include "core/start/hidden_constraints.hpp"
#include "core/start/over_determined.hpp"
#include "lab/runs/interval_checks.hpp"
#include "results/reference.hpp"

namespace daelab {
namespace {

// Entries of the tables of what a binder has bound before.
constexpr std::size_t most_kept = 1000;

std::vector<NamedValue> read_atol_components(const Json& given, const StateNames& names, const std::string& where) {
  std::vector<NamedValue> tolerances = read_named_values(given, names, "qvy", where);
  for (const NamedValue& x : tolerances)
    if (x.value.value() <= 0)
      throw InputError(where + "/" + x.name, fmt::format("{} is out of range; allowed: above 0", x.value.text()));
  return tolerances;
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

// A solution that is stored starts from the problem's own values.
References references_of(const RunSpec& spec, const StartValues& start) {
  return start.replaces() ? References() : References(spec.problem);
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

Run::Run(RunSpec spec, Json json, std::shared_ptr<const Parts> parts)
    : SpecifiedRun(std::move(json)), spec_(std::move(spec)), parts_(std::move(parts)) {}

// Reading a tableau and checking its order in 100 digits takes longer than a short run.
class Run::MadeMethods {
 public:
  std::shared_ptr<Method> make(const ComponentSpec& spec, const std::string& where) {
    if (methods_.size() > most_kept) methods_.clear();
    std::shared_ptr<Method>& method = methods_[spec.json().dump(-1, Json::Utf8::replace)];
    if (!method) method = Registry<Method>::instance().make(spec, where);
    return method;
  }

 private:
  std::unordered_map<std::string, std::shared_ptr<Method>> methods_;  // by their specifications
};

std::shared_ptr<const Run> Run::of(RunSpec spec, const std::string& where, const Context* context) {
  const Context::Scope scope(context != nullptr ? *context : Context::current());
  spec.check(where);
  MadeMethods methods;
  const auto run = complete(std::move(spec), where, methods);
  run->context_ = context;
  return run;
}

std::shared_ptr<const Run> Run::bind(const Json& json, const std::string& where) {
  MadeMethods methods;
  return complete(read_run_spec(json, where), where, methods);
}

std::shared_ptr<Run> Run::complete(RunSpec spec, const std::string& where, MadeMethods& methods) {
  auto problem = Registry<Problem>::instance().make(spec.problem, where + "/problem");
  if (!spec.t_end) spec.t_end = problem->end_time();
  const auto method = methods.make(spec.method, where + "/method");
  complete_tolerances(spec, *problem, where);
  if (spec.adaptive() && !spec.max_step) spec.max_step = problem->max_step();
  const Real100 t_start = problem->start_time();
  const Interval interval = checked_interval(t_start, *spec.t_end, where);
  check_step(spec, interval, where);
  check_samples(spec, interval, where);
  const auto model = problem->model(As<double>{});
  const bool ordinary = model->ordinary() != nullptr;
  const StateNames names(*problem);
  const StartValues start_values = spec.start.resolve(names, where + "/start");
  std::vector<NamedValue> atol_components =
      read_atol_components(spec.atol_components, names, where + "/atol_components");
  if (!spec.atol_components.is_null()) spec.atol_components = to_json(atol_components);
  start_values.put_into(*model);
  const StartReport start = check_start(spec, *problem, *model, start_values, where);
  auto formulation = make_formulation(spec.formulation, *model, *method, where + "/formulation");
  if (!spec.multiplier_solver) spec.multiplier_solver = default_multiplier_solver(ordinary, start);
  auto solver = Registry<MultiplierSolver>::instance().make(*spec.multiplier_solver, where + "/multiplier_solver");
  check_multiplier_solver(*model, *solver, where + "/multiplier_solver");
  spec.problem = problem->spec(), spec.method = method->spec(), spec.multiplier_solver = solver->spec();
  spec.formulation = spec_text(formulation->spec());
  Json completed = spec.write();
  const std::shared_ptr<const Parts> parts(new Parts{problem, t_start, formulation, formulation->traits_of(*model),
                                                     method, solver, classes_of(*model), start_values,
                                                     std::move(atol_components), references_of(spec, start_values)});
  return std::shared_ptr<Run>(new Run(std::move(spec), std::move(completed), parts));
}

std::shared_ptr<const Run> Run::restored(Json completed, const Run& like) {
  RunSpec spec = read_run_spec(completed, like.spec_, like.json());
  const Parts& known = *like.parts_;
  const auto is_known = [&](const char* part) { return completed.at(part) == like.json().at(part); };
  const auto problem =
      is_known("problem") ? known.problem : Registry<Problem>::instance().make(spec.problem, "/problem");
  const auto method = is_known("method") ? known.method : Registry<Method>::instance().make(spec.method, "/method");
  const auto formulation = is_known("formulation")
                               ? known.formulation
                               : Registry<Formulation>::instance().make(*spec.formulation, "/formulation");
  const auto solver = is_known("multiplier_solver")
                          ? known.multiplier_solver
                          : Registry<MultiplierSolver>::instance().make(*spec.multiplier_solver, "/multiplier_solver");
  const auto model = problem->model(As<double>{});
  const StateNames names(*problem);
  const StartValues start = spec.start.resolve(names, "/start");
  const std::shared_ptr<const Parts> parts(
      new Parts{problem, problem->start_time(), formulation, formulation->traits_of(*model), method, solver,
                classes_of(*model), start, read_atol_components(spec.atol_components, names, "/atol_components"),
                start.replaces() ? References() : References::of_closed_form(spec.problem.json())});
  return std::shared_ptr<const Run>(new Run(std::move(spec), std::move(completed), parts));
}

// Runs that differ only in these share one full binding, that of the first; of the others what
// varies is read and checked.
class Run::Binder final : public RunBinder {
 public:
  std::shared_ptr<const BoundRun> bind(const Json& json, const std::string& where) override {
    Json varied = Json::object();
    std::string rest;
    for (const auto& [key, value] : json.items()) {
      if (varies(key))
        varied[key] = value;
      else
        rest.append(key).append(value.dump(-1, Json::Utf8::replace)).append("\n");
    }
    if (firsts_.size() > most_kept) firsts_.clear();
    std::shared_ptr<const Run>& first = firsts_[rest];
    if (first) return another(first, varied, where);
    try {
      return first = complete(read_run_spec(json, where), where, methods_);
    } catch (const InputError&) {
      firsts_.erase(rest);
      throw;
    }
  }

 private:
  static bool varies(const std::string& key) {
    return key == "h" || key == "rtol" || key == "atol" || key == "atol_velocity" || key == "t_end";
  }

  std::shared_ptr<const Run> another(const std::shared_ptr<const Run>& first, const Json& varied,
                                     const std::string& where) {
    if (first != of_spec_) of_spec_ = first, spec_ = first->spec_;
    for (std::optional<Exact>* value : {&spec_.h, &spec_.rtol, &spec_.atol, &spec_.atol_velocity, &spec_.t_end})
      value->reset();
    options_.read(varied, where);
    if (!spec_.t_end) spec_.t_end = first->problem().end_time();
    complete_tolerances(spec_, first->problem(), where);
    const Interval interval = checked_interval(first->t_start(), *spec_.t_end, where);
    check_step(spec_, interval, where);
    check_samples(spec_, interval, where);
    Json json = first->json();
    for (const Option& option : options_.list())
      if (varies(option.name())) json[option.name()] = option.write();
    return std::shared_ptr<const Run>(new Run(spec_, std::move(json), first->parts_));
  }

  std::unordered_map<std::string, std::shared_ptr<const Run>> firsts_;  // by the rest of their specifications
  MadeMethods methods_;
  std::shared_ptr<const Run> of_spec_;
  RunSpec spec_;  // of the last one
  Options options_ = spec_.options();
};

std::unique_ptr<RunBinder> Run::binder() { return std::make_unique<Binder>(); }

// The stored reference that the error of the record is measured against.
Json Run::inputs() const { return references().stored(t_end()); }

double Run::expected_cost() const {
  // With error control a guess: a step of order 3 for each cube root of the tolerance.
  const double steps = spec_.adaptive() ? 100 / std::cbrt(spec_.rtol->as<double>())
                                        : static_cast<double>(length()) / spec_.h->as<double>();
  return steps * (spec_.scalar == Scalar::binary64 ? 1 : 100);
}

RunOutcome Run::execute() const {
  Outcome outcome = integrate();
  return {outcome.record, std::move(outcome.trajectory), outcome.interrupted};
}

const Run& integration(const Config& config, std::size_t i) { return static_cast<const Run&>(*config.runs[i]); }

const RunKind& Integrations::kind() { return run_kind_of<Run, RunSpec>(); }

}  // namespace daelab
