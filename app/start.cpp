// start: the analysis of one start, and nothing else.
#include <fmt/format.h>

#include <fmt/ranges.h>

#include <cmath>

#include "app/commands.hpp"
#include "app/run_arguments.hpp"
#include "app/start_of_states.hpp"
#include "app/terminal.hpp"
#include "core/mechanism/group_charts.hpp"
#include "core/mechanism/problem.hpp"
#include "core/mechanism/state_names.hpp"
#include "core/start/over_determined.hpp"
#include "core/start/start_options.hpp"

namespace daelab::app {
namespace {

double rank_tolerance(const std::string& text) {
  const double tolerance = exact_from_json(text, "--rank-tolerance").as<double>();
  if (!(tolerance > 0 && tolerance <= 1e-6))
    throw InputError("--rank-tolerance", fmt::format("{} is not allowed; allowed: above 0, at most 1e-6", text));
  return tolerance;
}

struct Start {
  StartValues values;
  StartWeights<double> weights;  // all of them
  Vector<double> q, v, a, lambda, reaction;
  StartReport report;
  SingularityReport singular;
  Status status;
};

// (a, lambda) and the reaction C_q^T lambda + G_v^T mu.
Status complete(MechanicalModel<double>& model, Start& start) {
  const Index n = model.coordinates(), m = model.constraints();
  start.a.setZero(n), start.lambda.setZero(model.multipliers());
  const Status status = solve_accelerations(model, model.initial_t(), start.q, start.v, start.a, start.lambda);
  start.reaction.setZero(n);
  if (m == 0) return status;
  SparseMatrix<double> J;
  model.jacobian(model.initial_t(), start.q, start.v, J);
  J.add_transposed_product(start.lambda.head(m), start.reaction, 1.0);
  return status;
}

// Moves inconsistent values onto the constraints; the residuals reported remain those of the values given.
Status project(MechanicalModel<double>& model, double rank_tolerance, Start& start) {
  Vector<double> q = start.q, v = start.v;
  if (const Status status = project_start(model, q, v, start.weights); !status.ok()) return status;
  if (const std::string text = over_determined(model, start.values, start.q, start.v, q, v); !text.empty())
    throw InputError(option_name("fix"), text);
  StartReport& report = start.report;
  report.projected = true;
  report.correction = std::max((q - start.q).cwiseAbs().maxCoeff(), (v - start.v).cwiseAbs().maxCoeff());
  start.q = q, start.v = v;
  report.redundancy = analyse_redundancy(model, q, v, rank_tolerance);
  report.rank = report.redundancy.rank();
  return {};
}

void analyse(MechanicalModel<double>& model, double rank_tolerance, Start& start) {
  start.report = analyse_start(model, start.q, start.v, rank_tolerance);
  if (!start.report.consistent()) start.status = project(model, rank_tolerance, start);
  if (!start.status.ok()) return;
  start.singular = analyse_singularity(model, start.q, start.v, rank_tolerance);
  start.status = complete(model, start);
}

Json list(const Vector<double>& x) { return std::vector<double>(x.begin(), x.end()); }

// Counted from 1, as lambda1 in trajectories.
Json rows(std::vector<Index> rows) {
  for (Index& row : rows) ++row;
  return rows;
}

// The rows not satisfied; G counts as a velocity constraint.
Json violations(const StartReport& report) {
  Json list = Json::array();
  for (const Violation& violation : report.violations)
    list.push_back({{"row", violation.row + 1},
                    {"level", violation.level == Level::position ? "position" : "velocity"},
                    {"residual", violation.size}});
  return list;
}

Json singularity_json(const SingularityReport& singular) {
  Json agreement;
  if (singular.is_singular)
    agreement = {{"configurations", singular.configurations}, {"spread", singular.spread}, {"agree", singular.agree}};
  return {{"is_singular", singular.is_singular},
          {"perturbation", singular.perturbation},
          {"perturbed_rank", singular.perturbed_rank},
          {"nearby_rank", singular.nearby_rank},
          {"agreement", agreement}};
}

Json notes(const StartReport& report, const SingularityReport& singular, Index degrees_of_freedom) {
  Json notes = Json::array();
  if (singular.is_singular)
    notes.push_back(fmt::format(
        "singular configuration: rank {} here, {} nearby; constraints count as redundant that are not. Accelerations "
        "of {} nearby configurations {} (spread {:.1e}){}",
        report.rank, singular.nearby_rank, singular.configurations, singular.agree ? "agree" : "do not agree",
        singular.spread, singular.agree ? "" : ": the motion can branch, give more information"));
  else if (!report.redundancy.redundant_rows.empty())
    notes.push_back("lambda is not unique: the constraints are redundant; reaction = C_q^T lambda is unique");
  if (degrees_of_freedom == 0 && !singular.is_singular)
    notes.push_back(
        "the motion is determined by the constraints: kinematic analysis (method kinematic) gives it "
        "without integration");
  return notes;
}

Json start_json(const Start& start, double rank_tolerance) {
  const StartReport& report = start.report;
  const Index degrees_of_freedom = start.q.size() - report.rank;
  const auto found = [&](const Vector<double>& x) { return start.status.ok() ? list(x) : Json(); };
  return {{"status", to_string(start.status.code)},
          {"cause", start.status.cause},
          {"position_residual", report.position_residual},
          {"velocity_residual", report.velocity_residual},
          {"violations", violations(report)},
          {"constraints", report.constraints},
          {"rank", report.rank},
          {"rank_tolerance", rank_tolerance},
          {"smallest_pivot_kept", report.redundancy.smallest_kept},
          {"largest_pivot_dropped", report.redundancy.largest_dropped},
          {"independent_rows", rows(report.redundancy.independent_rows)},
          {"redundant_rows", rows(report.redundancy.redundant_rows)},
          {"degrees_of_freedom", degrees_of_freedom},
          {"singular", singularity_json(start.singular)},
          {"projected", report.projected},
          {"correction", report.correction},
          {"weights", {{"q", list(start.weights.q)}, {"v", list(start.weights.v)}}},
          {"q", list(start.q)},
          {"v", list(start.v)},
          {"a", found(start.a)},
          {"lambda", found(start.lambda)},
          {"reaction", found(start.reaction)},
          {"notes", notes(report, start.singular, degrees_of_freedom)}};
}

// What one came for first: state, accelerations and multipliers, by the problem's names; then what was found out.
void print_values(const Start& start, const Problem& problem) {
  const StateNames names(problem);
  const std::vector<StateEntry> q = names.of('q');
  const bool solved = start.status.ok();
  fmt::print("  {:<10} {:>17} {:>17} {:>17} {:>13}\n", "", "q", "v", "a", "reaction");
  for (Index i = 0; i < start.q.size(); ++i) {
    const StateEntry& entry = q[static_cast<std::size_t>(i)];
    fmt::print("  {:<10} {:>17.10g} {:>17.10g}", entry.own.empty() ? entry.name : entry.own, start.q[i], start.v[i]);
    if (solved) fmt::print(" {:>17.10g} {:>13.6g}", start.a[i], start.reaction[i]);
    fmt::print("\n");
  }
  for (Index i = 0; solved && i < start.lambda.size(); ++i)
    fmt::print("  {:<10} {:>17.10g}\n", fmt::format("lambda{}", i + 1), start.lambda[i]);
}

std::string list_of(const std::vector<Index>& rows) {
  std::vector<Index> counted = rows;
  for (Index& row : counted) ++row;
  return fmt::format("{}", fmt::join(counted, ", "));
}

void print(const Start& start, const Problem& problem, double rank_tolerance, const Json& notes) {
  const StartReport& report = start.report;
  const auto line = [](const char* what, const std::string& text) {
    fmt::print("{}", entry_text(what, text, 20, terminal_width()));
  };
  std::string spec = spec_text(problem.spec());
  for (std::size_t comma = spec.find(','); comma != std::string::npos; comma = spec.find(',', comma + 1))
    spec.insert(comma + 1, " ");  // where a line may end
  print_wrapped(spec + (report.projected ? "; its start, projected on the constraints" : "; its start"), 2);
  if (!start.status.ok())
    line("status", fmt::format("{}: {}", tinted(Tint::bad, to_string(start.status.code)), start.status.cause));
  fmt::print("\n");
  print_values(start, problem);
  fmt::print("\n");
  line("constraints",
       fmt::format("{} of rank {} (pivots below {:g} count as zero; smallest kept {:.3g}, largest dropped {:.3g})",
                   report.constraints, report.rank, rank_tolerance, report.redundancy.smallest_kept,
                   report.redundancy.largest_dropped));
  if (!report.redundancy.redundant_rows.empty()) line("redundant", list_of(report.redundancy.redundant_rows));
  line("degrees of freedom", std::to_string(start.q.size() - report.rank));
  line("residuals", fmt::format("{:.3g} of positions, {:.3g} of velocities, as given", report.position_residual,
                                report.velocity_residual));
  for (const Violation& violation : report.violations)
    line("", fmt::format("constraint {}, {}: {:.3g}", violation.row + 1,
                         violation.level == Level::position ? "position" : "velocity", violation.size));
  if (report.projected) line("largest correction", fmt::format("{:.6g}", report.correction));
  for (const Json& note : notes) print_wrapped("note: " + note.get<std::string>(), 2);
}

StartValues values_of(const StartArguments& arguments, const Problem& problem) {
  StartValues values;
  with_option_names([&] { values = start_options("project", arguments.start).resolve(StateNames(problem), "/start"); });
  return values;
}

// The problem's own values, with given ones in their places.
Start start_of(const StartArguments& arguments, const Problem& problem, MechanicalModel<double>& model) {
  const Index n = model.coordinates();
  Start start;
  start.values = values_of(arguments, problem);
  start.values.put_into<double>(model);
  start.q = model.initial_q(), start.v = model.initial_v();
  start.weights = start.values.weights<double>(n);
  for (Vector<double>* weights : {&start.weights.q, &start.weights.v})
    if (weights->size() == 0) weights->setOnes(n);
  return start;
}

}  // namespace

int start(const StartArguments& arguments) {
  const auto problem = Registry<Problem>::instance().make(arguments.problem, "--problem");
  const auto owned = problem->model(As<double>{});
  MechanicalModel<double>* const model = owned->mechanical();
  if (OrdinaryModel<double>* const states = owned->ordinary()) {
    if (states->index() == 0)
      throw InputError(
          "--problem",
          fmt::format("{} is an ordinary differential equation: it has no constraints to analyse", problem->name()));
    return start_of_states(*problem, *states, values_of(arguments, *problem), arguments.json);
  }
  Start start = start_of(arguments, *problem, *model);
  const double tolerance = rank_tolerance(arguments.rank_tolerance);
  analyse(*model, tolerance, start);
  if (start.a.size() == 0) start.a.setZero(start.q.size());
  to_reported(model->groups(), model->held(), Vector<double>(start.q), start.q, start.v, start.a);

  Json result = {{"problem", problem->spec()}};
  result.update(start_json(start, tolerance));
  if (arguments.json)
    fmt::print("{}\n", result.dump(2));
  else
    print(start, *problem, tolerance, result["notes"]);
  return start.status.ok() ? 0 : 1;
}

}  // namespace daelab::app
