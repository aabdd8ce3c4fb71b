#include "experiments/runs/linear_run.hpp"

#include "analysis/sr1_properties.hpp"
#include "experiments/runs/run_spec.hpp"
#include "results/record_values.hpp"

namespace daelab {
namespace {

Json decrease_json(const Decrease& decrease) {
  return {{"values", numbers(decrease.values)},
          {"increases", decrease.increases},
          {"standstills", decrease.standstills},
          {"largest_factor", number(decrease.largest_factor)}};
}

Json properties_json(const Sr1Properties& p) {
  Json deviations = Json::object();
  for (const auto& [name, value] : p.deviations.list()) deviations[name] = number(value);
  return {{"converged", p.converged},
          {"passes", p.passes},
          {"skipped", p.skipped},
          {"singular_at", p.singular_at ? Json(*p.singular_at) : Json()},
          {"rounding", number(p.rounding)},
          {"perturbation", number(p.perturbation)},
          {"solution_error", number(p.solution_error)},
          {"inverse_error", number(p.inverse_error)},
          {"norm_ratio", number(p.norm_ratio)},
          {"least_eigenvalue", number(p.least_eigenvalue)},
          {"deviations", deviations},
          {"decrease",
           {{"perturbation", decrease_json(p.perturbations)},
            {"inverse", decrease_json(p.inverse_errors)},
            {"solution", decrease_json(p.solution_errors)}}},
          {"residuals", numbers(p.residuals)}};
}

Exact skip_threshold(const LinearRunSpec& spec) {
  if (spec.skip == "never-skip") return 0;
  return spec.skip == "eps-abs" ? spec.eps_abs : Exact("(" + spec.eps_abs.text() + ")^2");
}

template <class T>
Json report_json(const SolveReport& report, const Vector<T>& x, const LinearSystem<T>& system) {
  const double error = static_cast<double>(Vector<T>(x - system.least_norm).norm());
  const double size = static_cast<double>(system.least_norm.norm());
  return {{"outcome", solve_outcome_names[static_cast<std::size_t>(report.outcome)]},
          {"passes", report.passes},
          {"residual", number(report.residual)},
          {"rank", report.rank},
          {"refactorization", refactorization_names[static_cast<std::size_t>(report.refactorization)]},
          {"flops", report.flops},
          {"error", number(error / size)},
          {"x", numbers(x)}};
}

template <class T>
void run(const LinearRunSpec& spec, const LinearProblem& problem, const MultiplierSolver& solver, Json& record) {
  const LinearSystem<T> system = linear_system<T>(problem.pair());
  const Index n = system.b.size();
  const auto multipliers = solver.bind(As<T>{}, n, n);
  Vector<T> x = Vector<T>::Zero(n);
  Status status = multipliers->solve(system.A0, system.b0, x);
  if (status.ok()) status = multipliers->solve(system.A, system.b, x);
  record["status"] = to_string(status.code);
  record["cause"] = status.cause;
  record["report"] = report_json(multipliers->last(), x, system);
  record["properties"] = properties_json(sr1_properties(system, {spec.eps_abs, skip_threshold(spec), spec.max_passes}));
}

}  // namespace

Options LinearRunSpec::options() {
  return {
      option("problem", problem, "linear problem: name:key=value, @file.json or an object with \"name\"",
             {{"type", {"string", "object"}}}),
      option("scalar", scalar, "working precision", one_of(scalar_names())),
      option("eps_abs", eps_abs, "the iteration ends when |A x - b| <= eps_abs", positive()),
      option("skip", skip, "H is updated where |v^T y| exceeds eps_abs, its square, or 0",
             one_of({"eps-abs", "eps-abs-squared", "never-skip"})),
      option("max_passes", max_passes, "passes after which the iteration is given up", at_least(1)),
      option("multiplier_solver", multiplier_solver,
             "solver whose outcome stands beside the properties, primed with the known system; null: sr1-paper with "
             "eps_abs, skip and max_passes as given here",
             {{"type", {"string", "object", "null"}}})};
}

std::shared_ptr<const LinearRun> LinearRun::bind(const Json& json, const std::string& where) {
  LinearRunSpec spec;
  spec.options().read(json, where);
  require_scalar(spec.scalar, where + "/scalar");
  if (!json.contains("problem")) throw InputError(where, "a linear run needs a \"problem\"");
  auto problem = Registry<LinearProblem>::instance().make(spec.problem, where + "/problem");
  if (spec.multiplier_solver.is_null())
    spec.multiplier_solver = {
        {"name", "sr1-paper"}, {"eps_abs", spec.eps_abs.text()}, {"skip", spec.skip}, {"max_passes", spec.max_passes}};
  auto solver = Registry<MultiplierSolver>::instance().make(spec.multiplier_solver, where + "/multiplier_solver");
  spec.problem = problem->spec(), spec.multiplier_solver = solver->spec();
  return std::shared_ptr<const LinearRun>(new LinearRun(std::move(spec), std::move(problem), std::move(solver)));
}

RunOutcome LinearRun::execute() const {
  RunOutcome outcome{{{"problem", {{"name", problem_->name()}, {"parameters", parameters(problem_->spec())}}},
                      {"multiplier_solver", spec_.multiplier_solver},
                      {"scalar", spec_.scalar}}};
#define DAELAB_RUN(T) \
  if (spec_.scalar == scalar_name<T>()) run<T>(spec_, *problem_, *solver_, outcome.record);
  DAELAB_FOR_SCALARS(DAELAB_RUN)
#undef DAELAB_RUN
  outcome.record["spec"] = json();
  return outcome;
}

const RunKind& LinearRuns::kind() { return run_kind_of<LinearRun, LinearRunSpec>(); }

}  // namespace daelab
