#include "lab/runs/linear_run.hpp"

#include <algorithm>

#include "lab/runs/run_spec.hpp"
#include "results/record_values.hpp"

namespace daelab {
namespace {

template <class Enum>
void named(JsonMembers& json, const char* key, const auto& names, Enum& x) {
  json.by(
      key, [&] { return names[static_cast<std::size_t>(x)]; },
      [&](const Json& name) {
        const auto place = std::find(names.begin(), names.end(), name.get<std::string>());
        if (place == names.end()) throw Json::exception("a name that no record has");
        x = static_cast<Enum>(place - names.begin());
      });
}

Exact skip_threshold(const LinearRunSpec& spec) {
  if (spec.skip == SkipTest::never_skip) return 0;
  return spec.skip == SkipTest::eps_abs ? spec.eps_abs : Exact("(" + spec.eps_abs.text() + ")^2");
}

template <class T>
LinearRecord run(const LinearRunSpec& spec, const LinearProblem& problem, const MultiplierSolver& solver) {
  const LinearSystem<T> system = linear_system<T>(problem.pair());
  const Index n = system.b.size();
  const auto multipliers = solver.bind(As<T>{}, n, n);
  Vector<T> x = Vector<T>::Zero(n);
  Status status = multipliers->solve(system.A0, system.b0, x);
  if (status.ok()) status = multipliers->solve(system.A, system.b, x);
  LinearRecord record;
  record.status = status.code, record.cause = status.cause;
  record.report = multipliers->last(), record.x = x.template cast<Real50>();
  record.error =
      static_cast<double>(Vector<T>(x - system.least_norm).norm()) / static_cast<double>(system.least_norm.norm());
  record.properties = sr1_properties(system, {spec.eps_abs, skip_threshold(spec), spec.max_passes});
  record.classical = classical_sr1(system, spec.eps_abs, spec.max_passes + 1);
  return record;
}

}  // namespace

Options LinearRunSpec::options() {
  return {
      option("problem", problem, "linear problem"),
      option("scalar", scalar, "working precision"),
      option("eps_abs", eps_abs, "the iteration ends when |A x - b| <= eps_abs", positive()),
      option("skip", skip, "H is updated where |v^T y| exceeds eps_abs, its square, or 0"),
      option("max_passes", max_passes, "passes after which the iteration is given up", at_least(1)),
      option("multiplier_solver", multiplier_solver,
             "solver whose outcome stands beside the properties, primed with the known system; null: sr1-paper with "
             "eps_abs, skip and max_passes as given here")};
}

std::shared_ptr<const LinearRun> LinearRun::bind(const Json& json, const std::string& where) {
  LinearRunSpec spec;
  spec.options().read(json, where);
  require_scalar(spec.scalar, where + "/scalar");
  if (!json.contains("problem")) throw InputError(where, "a linear run needs a \"problem\"");
  auto problem = Registry<LinearProblem>::instance().make(spec.problem, where + "/problem");
  if (!spec.multiplier_solver)
    spec.multiplier_solver.emplace(
        "sr1-paper",
        Json{{"eps_abs", spec.eps_abs.text()}, {"skip", name_of(spec.skip)}, {"max_passes", spec.max_passes}});
  auto solver = Registry<MultiplierSolver>::instance().make(*spec.multiplier_solver, where + "/multiplier_solver");
  spec.problem = problem->spec(), spec.multiplier_solver = solver->spec();
  return std::shared_ptr<const LinearRun>(new LinearRun(std::move(spec), std::move(problem), std::move(solver)));
}

void members(JsonMembers& json, Decrease& decrease) {
  json("values", decrease.values)("increases", decrease.increases)("standstills", decrease.standstills);
  json("largest_factor", decrease.largest_factor);
}

void members(JsonMembers& json, ClassicalSr1& classical) {
  json("converged", classical.converged)("steps", classical.steps)("products", classical.products);
}

void members(JsonMembers& json, Sr1Properties& p) {
  json("converged", p.converged)("passes", p.passes)("skipped", p.skipped)("products", p.products);
  json("singular_at", p.singular_at)("rounding", p.rounding)("perturbation", p.perturbation);
  json("solution_error", p.solution_error)("inverse_error", p.inverse_error)("norm_ratio", p.norm_ratio);
  json("least_eigenvalue", p.least_eigenvalue)("independence", p.independence)("curvature", p.curvature);
  json("product_asymmetry", p.product_asymmetry)("product_form", p.product_form);
  json.group("deviations", [&](JsonMembers& of) {
    for (const auto& [key, member] : sr1_deviations) of(key, p.deviations.*member);
  });
  json.group("decrease", [&](JsonMembers& of) {
    for (const auto& [key, member] : sr1_decreases) of(key, p.*member);
  });
  json("residuals", p.residuals);
}

void members(JsonMembers& json, LinearRecord& record) {
  Json& spec = record.spec;
  json.derived("problem", [&]() -> Json {
    return {{"name", spec.at("problem").at("name")}, {"parameters", parameters(spec["problem"])}};
  });
  json.derived("multiplier_solver", [&] { return spec.at("multiplier_solver"); });
  json("scalar", record.scalar).in(record.scalar)("status", record.status)("cause", record.cause);
  json.group("report", [&](JsonMembers& of) {
    SolveReport& report = record.report;
    named(of, "outcome", solve_outcome_names, report.outcome);
    of("passes", report.passes)("residual", report.residual)("rank", report.rank);
    named(of, "refactorization", refactorization_names, report.refactorization);
    of("flops", report.flops)("error", record.error)("x", record.x);
  });
  json("properties", record.properties)("classical", record.classical)("spec", spec);
}

RunOutcome LinearRun::execute() const {
  LinearRecord record;
#define DAELAB_RUN(T) \
  if (spec_.scalar == scalar_of<T>) record = run<T>(spec_, *problem_, *solver_);
  DAELAB_FOR_SCALARS(DAELAB_RUN)
#undef DAELAB_RUN
  record.spec = json(), record.scalar = spec_.scalar;
  return {record};
}

const RunKind& LinearRuns::kind() { return run_kind_of<LinearRun, LinearRunSpec>(); }

}  // namespace daelab
