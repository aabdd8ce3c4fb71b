#include "experiments/runs/run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <ctime>

#include "core/base/norm.hpp"
#include "core/equations/formulation.hpp"
#include "core/integration/method.hpp"
#include "core/integration/observers.hpp"
#include "core/integration/singularity_watch.hpp"
#include "core/model/consistent_start.hpp"
#include "core/model/equations.hpp"
#include "core/model/problem.hpp"
#include "experiments/runs/component.hpp"
#include "experiments/runs/record.hpp"
#include "results/reference.hpp"

namespace daelab {
namespace {

template <class T>
State<T> initial_state(Model<T>& model, const System<T>& system) {
  State<T> state;
  state.y.setZero(system.size()), state.ydot.setZero(system.size()), state.compensation.setZero(system.size());
  const Vector<T> y = model.initial_y();
  state.y.head(y.size()) = y;
  return state;
}

// Derivatives and algebraic components at the start; where they are not finite, the equation is named.
template <class T>
Status complete_start(Model<T>& model, System<T>& system, State<T>& state) {
  Status status = system.consistent_derivatives(state.t, state.y, state.ydot);
  if (status.ok() && !(max_norm(state.ydot) <= std::numeric_limits<T>::max()))
    status = {StatusCode::non_finite, "the derivatives at the start are not finite"};
  if (status.code != StatusCode::non_finite) return status;
  model.seek_domain_error();
  system.consistent_derivatives(state.t, state.y, state.ydot);
  if (const std::string equation = model.domain_error(); !equation.empty()) status.cause += "; " + equation;
  return status;
}

// Consistent (q, v, a, lambda), or the deliberate exception the spec asks for. What was found goes to `found`. Of an
// ordinary differential equation, y' and the algebraic states, found from those given.
template <class T>
Status start_run(const RunSpec& spec, Model<T>& model, System<T>& system, State<T>& state, Json& found) {
  MechanicalModel<T>* const mechanism = model.mechanical();
  if (mechanism == nullptr) return complete_start(model, system, state);
  const Index n = mechanism->coordinates();
  Vector<T> q = state.y.head(n), v = state.y.segment(n, n);
  const StartReport report = analyse_start(*mechanism, q, v);
  if (spec.start == "project") {
    if (Status status = project_start(*mechanism, q, v); !status.ok()) return status;
    state.y.head(n) = q, state.y.segment(n, n) = v;
  }
  found = {{"position_residual", number(report.position_residual)},
           {"velocity_residual", number(report.velocity_residual)},
           {"rank", report.rank}};
  Status status = complete_start(model, system, state);
  if (!status.ok() && report.rank < report.constraints)
    status.cause = fmt::format(
        "{} (rank {} of {} constraints at the start: redundant constraints or a singular "
        "configuration)",
        status.cause, report.rank, report.constraints);
  if (spec.start == "zero-acceleration") state.ydot.segment(n, n).setZero();
  return status;
}

// Where not a digit of components that matter is asked for.
std::optional<Warning> atol_warning(const RunSpec& spec, const Problem& problem) {
  const Exact size = problem.least_size();
  if (!spec.adaptive() || spec.atol->value() <= size.value()) return {};
  return Warning{"loose-atol",
                 fmt::format("atol = {} is above {}, the size down to which values of {} matter: what is smaller "
                             "is left to errors, and may even have the wrong sign and run away",
                             spec.atol->text(), size.text(), problem.name())};
}

Json warnings_json(const std::vector<Warning>& warnings) {
  Json list = Json::array();
  for (const Warning& warning : warnings) list.push_back({{"kind", warning.kind}, {"text", warning.text}});
  return list;
}

// Of a run, which is one thread: its processor time does not grow while other runs share the machine, the time that
// passes does.
class Stopwatch {
 public:
  double wall_seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
  double cpu_seconds() const { return thread_seconds() - used_before_; }

 private:
  using Clock = std::chrono::steady_clock;
  static double thread_seconds() {
    std::timespec used{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
  }
  Clock::time_point begin_ = Clock::now();
  double used_before_ = thread_seconds();
};

Json statistics_json(const Statistics& s, const Stopwatch& stopwatch) {
  return {{"steps", s.steps},
          {"rejected", s.rejected},
          {"failed", s.failed},
          {"newton_iterations", s.newton_iterations},
          {"residuals", s.residuals},
          {"jacobians", s.jacobians},
          {"factorizations", s.factorizations},
          {"back_solves", s.back_solves},
          {"cpu_seconds", stopwatch.cpu_seconds()},
          {"wall_seconds", stopwatch.wall_seconds()}};
}

// Infinity norms of the absolute error against the stored reference, where there is one.
Json error_json(const RunSpec& spec, const Json& record) {
  const std::optional<ReferenceState> reference = find_reference(spec.problem, *spec.t_end);
  if (!reference) return nullptr;
  Json errors;
  for (const std::string& kind : component_classes({{"problem", spec.problem}, {"formulation", spec.formulation}})) {
    const Vector<Real50> ours = record_vector(record.at(kind)), &exact = reference->of(kind);
    Real50 largest = 0;
    for (Index i = 0; i < ours.size(); ++i) largest = std::max(largest, Real50(abs(ours[i] - exact[i])));
    errors[kind] = static_cast<double>(largest);
  }
  errors["reference"] = reference->source, errors["digits_trusted"] = reference->digits_trusted;
  return errors;
}

struct Execution {
  const RunSpec& spec;
  const Problem& problem;
  const Formulation& formulation;
  const Method& method;
  const MultiplierSolver& multiplier_solver;
  Exact t_end;
};

// First-order states beside coordinates are y, too.
template <class T>
Json state_json(Model<T>& model, const MechanicalLayout& layout, const State<T>& state) {
  const MechanicalModel<T>* const mechanism = model.mechanical();
  if (mechanism == nullptr) return {{"t", number(state.t)}, {"y", numbers(state.y)}};
  const Index states = mechanism->integrated_states(), n = layout.n - states;
  Json json = {{"t", number(state.t)},
               {"q", numbers(layout.q(state.y).head(n))},
               {"v", numbers(layout.v(state.y).head(n))},
               {"a", numbers(layout.accelerations_of(state).head(n))},
               {"lambda", numbers(layout.lambda(state.y))}};
  if (states > 0) json["y"] = numbers(layout.v(state.y).tail(states));
  return json;
}

template <class T>
Json drift_json(Model<T>& model, const DriftObserver<T>& drift) {
  const MechanicalModel<T>* const mechanism = model.mechanical();
  const auto violation = [&](const T& x) { return mechanism != nullptr ? number(x) : Json(); };
  const bool has_energy = mechanism != nullptr && mechanism->has_energy();
  return {{"energy_error", has_energy ? number(drift.energy_error) : Json()},
          {"position_constraint", violation(drift.position)},
          {"velocity_constraint", violation(drift.velocity)},
          {"acceleration_constraint", violation(drift.acceleration)}};
}

// The generalised constraint forces C_q^T lambda + G_v^T mu: unique even where lambda is one of many.
template <class T>
Json reaction_json(Model<T>& model, const MechanicalLayout& layout, const State<T>& state) {
  MechanicalModel<T>* const mechanism = model.mechanical();
  if (mechanism == nullptr) return numbers(Vector<T>());
  SparseData<T> data;
  Vector<T> reaction = Vector<T>::Zero(layout.n);
  if (layout.m > 0) {
    mechanism->data(state.t, layout.q(state.y), layout.v(state.y), data);
    data.J.add_transposed_product(layout.lambda(state.y), reaction, T(1));
  }
  return numbers(reaction.head(layout.n - mechanism->integrated_states()));
}

// What became of each event of the model, and when they took place.
template <class T>
Json events_json(const EventWatch<T>& watch, const std::vector<T>& discontinuities) {
  Json kinds = Json::array(), list = Json::array(), found = Json::array();
  for (const EventTally<T>& tally : watch.tallies()) {
    Json kind = {
        {"name", tally.event.name}, {"count", tally.count}, {"range", {number(tally.least), number(tally.largest)}}};
    if (tally.count == 0)
      kind["cause"] = tally.changed_sign() ? "its function passed zero in the other direction only"
                                           : "its function never changed sign";
    kinds.push_back(kind);
  }
  for (const Occurrence<T>& event : watch.occurrences())
    list.push_back(
        {{"event", watch.tallies()[static_cast<std::size_t>(event.event)].event.name}, {"t", number(event.t)}});
  for (const T& t : discontinuities) found.push_back(number(t));
  return {{"kinds", kinds}, {"list", list}, {"samplings", watch.samplings()}, {"discontinuities", found}};
}

// What a reader of the numbers must know of their multipliers; "" for nothing.
std::string multipliers_note(const SolveStatistics& s, Index constraints) {
  std::string note;
  if (const long floors = s.outcomes[static_cast<std::size_t>(SolveOutcome::floor)]; floors > 0)
    note = fmt::format(
        "residual floor {:.1e} reached in {} of {} solves: the constraints had drifted apart by that much. ",
        s.largest_floor, floors, s.solves);
  if (s.pivot_fallbacks > 0)
    note += fmt::format(
        "fixed pivots were not trusted in {} of {} solves, first at {}: these were solved with pivots "
        "chosen anew. ",
        s.pivot_fallbacks, s.solves, s.first_pivot_fallback);
  if (s.solves > 0 && s.smallest_rank < constraints)
    note += "lambda is one of many: the constraints are redundant; reaction = C_q^T lambda is unique.";
  return note;
}

Json multipliers_json(const SolveStatistics& s, Index constraints) {
  Json outcomes = Json::object(), refactorizations = Json::object(), histogram = Json::array();
  for (std::size_t i = 0; i < s.outcomes.size(); ++i)
    if (s.outcomes[i] > 0) outcomes[solve_outcome_names[i]] = s.outcomes[i];
  for (std::size_t i = 1; i < s.refactorizations.size(); ++i)
    if (s.refactorizations[i] > 0) refactorizations[refactorization_names[i]] = s.refactorizations[i];
  std::size_t bins = s.histogram.size();
  while (bins > 1 && s.histogram[bins - 1] == 0) --bins;
  for (std::size_t k = 0; k < bins; ++k) histogram.push_back(s.histogram[k]);
  return {{"solves", s.solves},
          {"passes", s.passes},
          {"mean_passes", s.mean_passes()},
          {"histogram", histogram},
          {"outcomes", outcomes},
          {"refactorizations", refactorizations},
          {"rank", {s.smallest_rank, s.largest_rank}},
          {"largest_residual", number(s.largest_residual)},
          {"largest_floor", number(s.largest_floor)},
          {"flops", s.flops},
          {"pivot_fallbacks", s.pivot_fallbacks},
          {"note", multipliers_note(s, constraints)}};
}

template <class T>
std::vector<T> sample_times(const RunSpec& spec, const Exact& t_end) {
  std::vector<T> times;
  for (const Exact& t : spec.samples) times.push_back(t.as<T>());
  if (!spec.sample_every) return times;
  // The end belongs to the multiples also where 100 digits round it away, as for 1/10 over 1/50.
  const Real100 every = spec.sample_every->value(), end = t_end.value();
  for (long k = 0; k * every < end - every / 1000; ++k) times.push_back(static_cast<T>(Real100(k * every)));
  if (const Real100 count = end / every; abs(count - round(count)) < Real100("1e-3")) times.push_back(t_end.as<T>());
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

// The attempts of a run with error control, column by column.
Json history_json(const auto& rows) {
  Json columns = Json::object();
  for (const char* name :
       {"t", "h", "error", "order", "outcome", "newton_iterations", "residuals", "jacobians", "factorizations"})
    columns[name] = Json::array();
  for (const auto& row : rows) {
    columns["t"].push_back(number(row.t));
    columns["h"].push_back(number(row.h));
    columns["error"].push_back(number(row.error));
    columns["order"].push_back(row.order);
    columns["outcome"].push_back(row.outcome);
    columns["newton_iterations"].push_back(row.statistics.newton_iterations);
    columns["residuals"].push_back(row.statistics.residuals);
    columns["jacobians"].push_back(row.statistics.jacobians);
    columns["factorizations"].push_back(row.statistics.factorizations);
  }
  return columns;
}

template <class T>
Tolerances<T> tolerances(const RunSpec& spec) {
  return {spec.rtol->as<T>(), spec.atol->as<T>(), spec.atol_velocity->as<T>()};
}

template <class T>
Status advance(const Execution& e, Stepper<T>& stepper, State<T>& state, const std::vector<Observer<T>*>& observers,
               Interruptions<T>& interruptions) {
  if (!e.spec.adaptive())
    return integrate<T>(stepper, state, e.t_end.as<T>(), e.spec.h->as<T>(), observers, &interruptions);
  const T first = e.spec.h ? e.spec.h->as<T>() : T(0);
  return integrate_adaptive<T>(stepper, state, e.t_end.as<T>(), first, observers, &interruptions);
}

template <class T>
void run(const Execution& e, RunOutcome& outcome) {
  Json& record = outcome.record;
  const auto model = e.problem.model(As<T>{});
  MechanicalLayout layout = layout_of(*model);
  const auto multipliers = e.multiplier_solver.bind(As<T>{}, layout.n, layout.m);
  const auto system = e.formulation.system(*model, *multipliers);
  layout.accelerations = system->accelerations();
  State<T> state = initial_state(*model, *system);
  DriftObserver<T> drift(*model, layout.accelerations);
  TrajectoryRecorder<T> trajectory(*model, std::max(1, e.spec.trajectory), layout.accelerations);
  StepHistory<T> history;
  const std::vector<T> times = sample_times<T>(e.spec, e.t_end);
  std::vector<State<T>> samples;
  std::vector<Observer<T>*> observers{&drift};
  if (e.spec.trajectory > 0) observers.push_back(&trajectory);
  if (e.spec.history) observers.push_back(&history);

  Status status;
  Statistics statistics;
  std::vector<Warning> warnings;
  Json found, events, reaction;
  const Stopwatch stopwatch;
  try {
    const auto stepper = e.method.stepper(*system, e.spec.newton);
    if (e.spec.adaptive()) stepper->control(tolerances<T>(e.spec));
    Sampler<T> sampler(*model, *system, times, stepper.get());
    if (!times.empty()) observers.push_back(&sampler);
    status = start_run(e.spec, *model, *system, state, found);
    EventWatch<T> watch(*model, *system, *stepper, e.t_end.as<T>());
    Interruptions<T> interruptions{&watch, e.spec.discontinuities == "detect"};
    interruptions.model = model.get();
    std::optional<SingularityWatch<T>> singularity;
    if (e.spec.singular != "ignore" && layout.m > 0)
      interruptions.guards.push_back(&singularity.emplace(*model->mechanical(), e.spec.singular == "stop"));
    if (status.ok()) status = advance(e, *stepper, state, observers, interruptions);
    if (!watch.idle() || interruptions.detect_discontinuities)
      events = events_json(watch, interruptions.discontinuities);
    statistics = stepper->statistics();
    warnings = stepper->warnings();
    if (const std::string text = e.spec.newton.without_effect(stepper->newton_options()); !text.empty())
      warnings.push_back({"newton", fmt::format("of the Newton options, {} has no effect on this method", text)});
    if (const auto warning = atol_warning(e.spec, e.problem)) warnings.push_back(*warning);
    for (const Guard<T>* guard : interruptions.guards)
      if (const auto warning = guard->warning()) warnings.push_back(*warning);
    samples = sampler.samples();
  } catch (const NotApplicable& refusal) {
    status = {StatusCode::not_applicable, refusal.what()};
  }
  const Json spent = statistics_json(statistics, stopwatch);

  outcome.interrupted = status.code == StatusCode::interrupted;
  record["status"] = to_string(status.code);
  record["cause"] = status.cause;
  record["warnings"] = warnings_json(warnings);
  reaction = reaction_json(*model, layout, state);
  to_first_chart(*model, *system, state);
  record.update(state_json(*model, layout, state));
  record["max"] = drift_json(*model, drift);
  record["error"] = status.ok() && state.t == e.t_end.as<T>() ? error_json(e.spec, record) : Json();
  record["stats"] = spent;
  record["reaction"] = reaction;
  record["multiplier_solver"] = e.spec.multiplier_solver;
  record["multipliers"] = multipliers_json(multipliers->statistics(), layout.m);
  if (!times.empty()) {
    record["samples"] = Json::array();
    for (const State<T>& sample : samples) record["samples"].push_back(state_json(*model, layout, sample));
  }
  record["start"] = found;
  if (!events.is_null()) record["events"] = events;
  if (e.spec.history) record["history"] = history_json(history.rows());
  if (e.spec.trajectory > 0) outcome.trajectory = trajectory.csv();
}

// Fixed ones of a run, which nobody waits for.
constexpr double most_steps = 1e12;

void check_step(const RunSpec& spec, const Exact& t_end, const std::string& where) {
  if (!spec.h && !spec.adaptive())
    throw InputError(where, "a run needs a step size \"h\", or tolerances \"rtol\", \"atol\"");
  if (spec.h && spec.h->value() > t_end.value())
    throw InputError(where + "/h",
                     fmt::format("the step {} is larger than the interval {}", spec.h->text(), t_end.text()));
  if (spec.h && !spec.adaptive() && t_end.value() > most_steps * spec.h->value())
    throw InputError(where + "/h", fmt::format("steps of {} are more than {:g} in the interval {}", spec.h->text(),
                                               most_steps, t_end.text()));
  if (spec.history && !spec.adaptive())
    throw InputError(where + "/history", "is of runs with error control: give \"rtol\", \"atol\"");
  if (spec.discontinuities == "detect" && !spec.adaptive())
    throw InputError(where + "/discontinuities", "are detected by error control: give \"rtol\", \"atol\"");
}

// One tolerance stands for all that are not given, the absolute one in the size that values of the problem matter to;
// below round-off no step would pass.
void complete_tolerances(RunSpec& spec, const Problem& problem, const std::string& where) {
  if (!spec.adaptive()) {
    if (spec.atol_velocity) throw InputError(where + "/atol_velocity", "needs \"rtol\" or \"atol\"");
    return;
  }
  if (!spec.rtol) spec.rtol = spec.atol;
  if (!spec.atol) {
    const Exact size = problem.least_size();
    spec.atol = size.value() == 1 ? *spec.rtol : Exact(fmt::format("{}*({})", size.text(), spec.rtol->text()));
  }
  if (!spec.atol_velocity) spec.atol_velocity = spec.atol;
  double least = 0;
#define DAELAB_LEAST(T) \
  if (spec.scalar == scalar_name<T>()) least = static_cast<double>(T(10 * epsilon<T>()));
  DAELAB_FOR_SCALARS(DAELAB_LEAST)
#undef DAELAB_LEAST
  if (spec.rtol->as<double>() < least)
    throw InputError(where + "/rtol", fmt::format("{} is below round-off of {}; at least {:.0e}", spec.rtol->text(),
                                                  spec.scalar, least));
}

void check_samples(const RunSpec& spec, const Exact& t_end, const std::string& where) {
  for (std::size_t i = 0; i < spec.samples.size(); ++i) {
    const Exact& t = spec.samples[i];
    if (t.value() < 0 || t.value() > t_end.value())
      throw InputError(fmt::format("{}/samples/{}", where, i),
                       fmt::format("{} is outside the interval 0 to {}", t.text(), t_end.text()));
    if (i > 0 && t.value() <= spec.samples[i - 1].value()) throw InputError(where + "/samples", "times must ascend");
  }
}

void check_start(const RunSpec& spec, const Problem& problem, const std::string& where) {
  const auto model = problem.model(As<double>{});
  if (model->ordinary() != nullptr && spec.start == "zero-acceleration")
    throw InputError(where + "/start", "zero-acceleration is of mechanisms, not of ordinary differential equations");
  if (spec.start == "project") return;
  const StartReport report = analyse_start(*model);
  if (report.consistent()) return;
  const std::vector<std::string> constraints = constraint_texts(problem);
  std::vector<std::string> rows;
  for (const Violation& violation : report.violations)
    rows.push_back(fmt::format("row {} by {:.1e} ({}), {} = 0", violation.row + 1, violation.size,
                               violation.level == Level::position ? "position" : "velocity",
                               constraints[static_cast<std::size_t>(violation.row)]));
  throw InputError(where + "/problem",
                   fmt::format("the initial values violate the constraints: |C| = {:.2e}, |dC/dt| = {:.2e} "
                               "(allowed {:.0e}): {}; correct them, or choose the start \"project\"",
                               report.position_residual, report.velocity_residual, StartReport::consistency_tolerance,
                               fmt::join(rows, "; ")));
}

std::string resolve_formulation(const Json& given, const Problem& problem, const Method& method,
                                const std::string& where) {
  const auto model = problem.model(As<double>{});
  const Json natural = model->ordinary() != nullptr ? "ode" : method.natural_formulation();
  const auto formulation = Registry<Formulation>::instance().make(given.is_null() ? natural : given, where);
  const std::string refusal = formulation->refusal(*model);
  if (!refusal.empty()) throw InputError(where, refusal);
  return spec_text(formulation->spec());
}

// Independent constraints have an elimination that is written out, and what fits them is what it falls back on.
Json resolve_multiplier_solver(const Json& given, const Problem& problem, const std::string& where) {
  Json spec = given;
  if (spec.is_null()) {
    const auto model = problem.model(As<double>{});
    const StartReport report = analyse_start(*model);
    spec = fitting_multiplier_solver(report);
    if (model->mechanical() != nullptr && report.rank == report.constraints)
      spec = {{"name", "written-out"}, {"fallback", spec}};
  }
  return Registry<MultiplierSolver>::instance().make(spec, where + "/multiplier_solver")->spec();
}

}  // namespace

Options RunSpec::options() {
  const Json spec_schema = {{"type", {"string", "object"}}};
  return {
      option("problem", problem, "problem: name:key=value, @file.json or an object with \"name\"", spec_schema),
      option("formulation", formulation,
             "how the mechanical model becomes equations: name:key=value or an object with \"name\"; null: the "
             "method's natural one, or ode for ordinary differential equations",
             {{"type", {"string", "object", "null"}}}),
      option("multiplier_solver", multiplier_solver,
             "how (a, lambda) follow from mass, constraint Jacobian and force; null: written-out for independent "
             "constraints, complete-orthogonal for redundant ones",
             {{"type", {"string", "object", "null"}}}),
      option("method", method, "method: name:key=value, @file.json or an object with \"name\"", spec_schema),
      option("h", h, "step size [s]; with tolerances the first one, null: the method's choice", positive()),
      option("rtol", rtol, "relative error tolerated per step: error control instead of fixed steps", positive()),
      option("atol", atol,
             "absolute error tolerated per step; null: rtol times the least size that matters in the "
             "problem, which is 1 unless the problem says otherwise",
             positive()),
      option("atol_velocity", atol_velocity, "the same for velocities; null: atol", positive()),
      option("t_end", t_end, "end time [s]; null: the problem's own", positive()),
      option("scalar", scalar, "working precision", one_of(scalar_names())),
      option("newton", newton, "Newton iteration of implicit methods"),
      option("start", start,
             "consistent: (a, lambda) from the start values; project: move inconsistent start values onto "
             "the constraints first; zero-acceleration: a = 0 on purpose, to show the harm",
             one_of({"consistent", "project", "zero-acceleration"})),
      option("trajectory", trajectory, "store every so many steps as CSV; 0: none", at_least(0)),
      option("history", history,
             "store every attempt at a step (with error control): t, h, order, error, outcome, work"),
      option("discontinuities", discontinuities,
             "detect: a step that failed three times is led up to a discontinuity by bisection, and the run starts "
             "anew there; ignore: the error control alone deals with it",
             one_of({"ignore", "detect"})),
      option("singular", singular,
             "a position on the way where constraints become dependent; warn: a warning names time and rows; stop: the "
             "run ends before it with the status near-singular; ignore: it is not looked for",
             one_of({"warn", "stop", "ignore"})),
      option("samples", samples, "times of dense output [s], ascending", Allowed{}),
      option("sample_every", sample_every, "dense output at all multiples of this time too [s]", positive())};
}

Json resolve_run(const Json& run, const std::string& where) {
  RunSpec spec;
  Json json = run;
  if (json.contains("newton") && json["newton"].is_string())
    json["newton"] = parse_spec(json["newton"], where + "/newton");
  spec.options().read(json, where);
  require_scalar(spec.scalar, where + "/scalar");
  for (const char* key : {"problem", "method"})
    if (!json.contains(key)) throw InputError(where, fmt::format("a run needs a \"{}\"", key));
  const auto problem = Registry<Problem>::instance().make(spec.problem, where + "/problem");
  if (!spec.t_end) spec.t_end = problem->end_time();
  const auto method = Registry<Method>::instance().make(spec.method, where + "/method");
  complete_tolerances(spec, *problem, where);
  check_step(spec, *spec.t_end, where);
  check_samples(spec, *spec.t_end, where);
  check_start(spec, *problem, where);
  spec.problem = problem->spec();
  spec.method = method->spec();
  spec.formulation = resolve_formulation(spec.formulation, *problem, *method, where + "/formulation");
  spec.multiplier_solver = resolve_multiplier_solver(spec.multiplier_solver, *problem, where);
  return spec.options().write();
}

Json error_reference(const Json& resolved) {
  return stored_reference(resolved["problem"], Exact(resolved["t_end"].get<std::string>()));
}

RunOutcome execute(const Json& resolved) {
  RunSpec spec;
  spec.options().read(resolved, "");
  const auto problem = Registry<Problem>::instance().make(spec.problem, "/problem");
  const auto formulation = Registry<Formulation>::instance().make(spec.formulation, "/formulation");
  const auto method = Registry<Method>::instance().make(spec.method, "/method");
  const auto multiplier_solver =
      Registry<MultiplierSolver>::instance().make(spec.multiplier_solver, "/multiplier_solver");
  RunOutcome outcome;
  outcome.record = {{"problem", {{"name", problem->name()}, {"parameters", parameters(problem->spec())}}},
                    {"formulation", spec.formulation},
                    {"method", {{"name", method->name()}, {"options", parameters(method->spec())}}},
                    {"scalar", spec.scalar}};
  const Execution execution{spec, *problem, *formulation, *method, *multiplier_solver, *spec.t_end};
#define DAELAB_RUN(T) \
  if (spec.scalar == scalar_name<T>()) run<T>(execution, outcome);
  DAELAB_FOR_SCALARS(DAELAB_RUN)
#undef DAELAB_RUN
  outcome.record["spec"] = resolved;
  return outcome;
}

Real50 record_number(const Json& value) {
  if (value.is_number()) return Real50(value.get<double>());
  if (value.is_string()) return Real50(value.get<std::string>());
  return std::numeric_limits<Real50>::quiet_NaN();
}

Vector<Real50> record_vector(const Json& values) {
  Vector<Real50> x(static_cast<Index>(values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) x[static_cast<Index>(i)] = record_number(values[i]);
  return x;
}

}  // namespace daelab
