#include "lab/runs/linear_run.hpp"

#include <algorithm>

#include "lab/runs/run_spec.hpp"
#include "results/record_values.hpp"

namespace daelab {
namespace {

Json decrease_json(const Decrease& decrease) {
  return {{"values", numbers(decrease.values)},
          {"increases", decrease.increases},
          {"standstills", decrease.standstills},
          {"largest_factor", number(decrease.largest_factor)}};
}

Decrease read_decrease(const Json& json) {
  return {record_doubles(json.at("values")), json.at("increases"), json.at("standstills"),
          static_cast<double>(record_number(json.at("largest_factor")))};
}

constexpr std::pair<const char*, double Sr1Properties::*> measured[] = {
    {"rounding", &Sr1Properties::rounding},
    {"perturbation", &Sr1Properties::perturbation},
    {"solution_error", &Sr1Properties::solution_error},
    {"inverse_error", &Sr1Properties::inverse_error},
    {"norm_ratio", &Sr1Properties::norm_ratio},
    {"least_eigenvalue", &Sr1Properties::least_eigenvalue},
    {"independence", &Sr1Properties::independence},
    {"curvature", &Sr1Properties::curvature},
    {"product_asymmetry", &Sr1Properties::product_asymmetry},
    {"product_form", &Sr1Properties::product_form}};

Json classical_json(const ClassicalSr1& classical) {
  return {{"converged", classical.converged}, {"steps", classical.steps}, {"products", classical.products}};
}

Json report_json(const LinearRecord& record) {
  const SolveReport& report = record.report;
  Json x = Json::array();
  for (const Real50& entry : record.x) x.push_back(number_in(record.scalar, entry));
  return {{"outcome", solve_outcome_names[static_cast<std::size_t>(report.outcome)]},
          {"passes", report.passes},
          {"residual", number(report.residual)},
          {"rank", report.rank},
          {"refactorization", refactorization_names[static_cast<std::size_t>(report.refactorization)]},
          {"flops", report.flops},
          {"error", number(record.error)},
          {"x", x}};
}

template <class Enum>
Enum named(const auto& names, const Json& name) {
  const auto place = std::find(names.begin(), names.end(), name.get<std::string>());
  if (place == names.end()) throw Json::exception("a name that no record has");
  return static_cast<Enum>(place - names.begin());
}

SolveReport read_report(const Json& json) {
  SolveReport report;
  report.outcome = named<SolveOutcome>(solve_outcome_names, json.at("outcome"));
  report.passes = json.at("passes"), report.rank = json.at("rank").get<Index>();
  report.residual = static_cast<double>(record_number(json.at("residual"))), report.flops = json.at("flops");
  report.refactorization = named<Refactorization>(refactorization_names, json.at("refactorization"));
  return report;
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

void to_json(Json& json, const Sr1Properties& p) {
  json = {{"converged", p.converged},
          {"passes", p.passes},
          {"skipped", p.skipped},
          {"products", p.products},
          {"singular_at", p.singular_at ? Json(*p.singular_at) : Json()}};
  for (const auto& [key, member] : measured) json[key] = number(p.*member);
  for (const auto& [key, member] : sr1_deviations) json["deviations"][key] = number(p.deviations.*member);
  for (const auto& [key, member] : sr1_decreases) json["decrease"][key] = decrease_json(p.*member);
  json["residuals"] = numbers(p.residuals);
}

void from_json(const Json& json, Sr1Properties& p) {
  const auto read = [](const Json& value) { return static_cast<double>(record_number(value)); };
  p = {};
  p.converged = json.at("converged"), p.passes = json.at("passes"), p.skipped = json.at("skipped");
  p.products = json.at("products");
  if (!json.at("singular_at").is_null()) p.singular_at = json["singular_at"].get<int>();
  for (const auto& [key, member] : measured) p.*member = read(json.at(key));
  for (const auto& [key, member] : sr1_deviations) p.deviations.*member = read(json.at("deviations").at(key));
  for (const auto& [key, member] : sr1_decreases) p.*member = read_decrease(json.at("decrease").at(key));
  p.residuals = record_doubles(json.at("residuals"));
}

void to_json(Json& json, const LinearRecord& record) {
  const Json& spec = record.spec;
  json = {{"problem", {{"name", spec.at("problem").at("name")}, {"parameters", parameters(spec["problem"])}}},
          {"multiplier_solver", spec.at("multiplier_solver")},
          {"scalar", name_of(record.scalar)},
          {"status", to_string(record.status)},
          {"cause", record.cause},
          {"report", report_json(record)},
          {"properties", record.properties},
          {"classical", classical_json(record.classical)},
          {"spec", spec}};
}

void from_json(const Json& json, LinearRecord& record) {
  const Json &report = json.at("report"), &classical = json.at("classical");
  record = {json.at("spec"),
            enumerator<Scalar>(json.at("scalar")),
            enumerator<StatusCode>(json.at("status")),
            json.at("cause"),
            read_report(report),
            static_cast<double>(record_number(report.at("error"))),
            record_vector(report.at("x")),
            json.at("properties").get<Sr1Properties>(),
            {classical.at("converged"), classical.at("steps"), classical.at("products")}};
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
