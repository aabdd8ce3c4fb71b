#include "experiments/runs/linear_run.hpp"

#include "analysis/sr1_properties.hpp"
#include "core/solvers/linear_problem.hpp"
#include "core/solvers/multiplier_solver.hpp"
#include "experiments/runs/record.hpp"

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

Json resolve_linear_run(const Json& run, const std::string& where) {
  LinearRunSpec spec;
  spec.options().read(run, where);
  require_scalar(spec.scalar, where + "/scalar");
  if (!run.contains("problem")) throw InputError(where, "a linear run needs a \"problem\"");
  spec.problem = Registry<LinearProblem>::instance().make(spec.problem, where + "/problem")->spec();
  if (spec.multiplier_solver.is_null())
    spec.multiplier_solver = {
        {"name", "sr1-paper"}, {"eps_abs", spec.eps_abs.text()}, {"skip", spec.skip}, {"max_passes", spec.max_passes}};
  spec.multiplier_solver =
      Registry<MultiplierSolver>::instance().make(spec.multiplier_solver, where + "/multiplier_solver")->spec();
  return spec.options().write();
}

RunOutcome carry_out_linear_run(const Json& resolved) {
  LinearRunSpec spec;
  spec.options().read(resolved, "");
  const auto problem = Registry<LinearProblem>::instance().make(spec.problem, "/problem");
  const auto solver = Registry<MultiplierSolver>::instance().make(spec.multiplier_solver, "/multiplier_solver");
  RunOutcome outcome;
  outcome.record = {{"problem", {{"name", problem->name()}, {"parameters", parameters(problem->spec())}}},
                    {"multiplier_solver", spec.multiplier_solver},
                    {"scalar", spec.scalar}};
#define DAELAB_RUN(T) \
  if (spec.scalar == scalar_name<T>()) run<T>(spec, *problem, *solver, outcome.record);
  DAELAB_FOR_SCALARS(DAELAB_RUN)
#undef DAELAB_RUN
  outcome.record["spec"] = resolved;
  return outcome;
}

Json schema_of_linear_run() { return LinearRunSpec{}.options().schema(); }

double cost_of_linear_run(const Json& spec) { return spec["scalar"] == "real50" ? 100 : 1; }

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

const RunKind& linear_runs() {
  static const RunKind kind{resolve_linear_run, carry_out_linear_run, schema_of_linear_run, cost_of_linear_run};
  return kind;
}

}  // namespace daelab
