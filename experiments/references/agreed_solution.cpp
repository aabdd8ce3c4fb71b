#include "experiments/references/agreed_solution.hpp"

#include <fmt/format.h>

#include "core/base/json_file.hpp"
#include "core/base/json_kind.hpp"
#include "core/base/paths.hpp"
#include "core/integration/integrate.hpp"
#include "core/integration/time_breaks.hpp"
#include "core/start/consistent_start.hpp"
#include "experiments/references/mechanism_motion.hpp"
#include "experiments/references/route_and_witness.hpp"
#include "lab/runs/run.hpp"
#include "results/reference.hpp"

namespace daelab {

#ifdef DAELAB_DOUBLE_ONLY

Json agreed_solution(const Json&, const std::vector<Exact>&, StartOptions) {
  throw InputError("reference solutions need the scalar real50, which this build leaves out");
}

#else

namespace {

// The witness: ten-stage Gauss collocation, order 20, on the index-1 form.
constexpr const char* witness_method = "gauss:s=10";
// Where a problem has no independent route: extrapolation of order 40 of y' = (v, a(t, q, v)), an explicit method
// which knows nothing of constraints but that a follows from them.
constexpr const char* extrapolation_route =
    "Gragg-Bulirsch-Stoer extrapolation of order 40 of q' = v, v' = a(t, q, v), not projected";

// Steps from 1/500 s down, halved until two results agree to 25 digits of the largest entry of q, of v, of a and of
// lambda: more than any run to be judged by them has.
constexpr double agreement = 1e-25;
constexpr int coarsest = 500, halvings = 10;

double largest_difference(const FullState& ours, const FullState& theirs) {
  Real50 largest = 0;
  for (std::size_t c = 0; c < ours.size(); ++c)
    for (Index i = 0; i < ours[c].x.size(); ++i)
      largest = std::max(largest, Real50(abs(ours[c].x[i] - theirs[c].x[i])));
  return static_cast<double>(largest);
}

bool agree(const Vector<Real50>& x, const Vector<Real50>& y) {
  Real50 difference = 0, size = 1;
  for (Index i = 0; i < x.size(); ++i) {
    if (!isfinite(x[i]) || !isfinite(y[i])) return false;
    difference = std::max(difference, Real50(abs(x[i] - y[i])));
    size = std::max(size, Real50(abs(x[i])));
  }
  return difference < agreement * size;
}
bool agree(const States& x, const States& y) {
  return std::equal(x.begin(), x.end(), y.begin(), [](const FullState& ours, const FullState& theirs) {
    return std::equal(ours.begin(), ours.end(), theirs.begin(),
                      [](const ClassValues& a, const ClassValues& b) { return agree(a.x, b.x); });
  });
}

// The steps 1/n, n = 500, 1000, ...: all times are multiples of these.
std::vector<int> step_divisors(const std::vector<Exact>& times) {
  std::vector<int> divisors;
  for (int k = 0, n = coarsest; k <= halvings; ++k, n *= 2)
    if (std::all_of(times.begin(), times.end(), [&](const Exact& t) { return floor(t.value() * n) == t.value() * n; }))
      divisors.push_back(n);
  if (divisors.empty()) throw InputError("--t", fmt::format("allowed: multiples of 1/{} s", coarsest << halvings));
  return divisors;
}

// (q, v, a) from the smaller problem's, and lambda: that a is the one that this problem's equations have at (q, v), the
// route's, is part of what the witness confirms.
FullState from_smaller(const Problem& problem, const Exact& t, const FullState& smaller) {
  const Motion motion = problem.from_smaller({smaller[0].x, smaller[1].x, {}, smaller[2].x});
  FullState state = complete(*problem.mechanical_model(As<Real50>{}), t.as<Real50>(), {motion.q, motion.v});
  state[2].x = motion.a;
  return state;
}

// One run to the last time, sampled at step ends on the way; nothing when it fails.
std::optional<States> witness(const Motions& motions, const std::vector<Exact>& times, int divisor) {
  RunSpec spec;
  spec.problem = motions.witness_problem(), spec.start = motions.start, spec.formulation = "index-1",
  spec.method = witness_method;
  spec.h = fmt::format("1/{}", divisor), spec.t_end = times.back(), spec.samples = times, spec.scalar = Scalar::real50;
  spec.newton.iteration = NewtonIteration::modified, spec.newton.guess = NewtonGuess::extrapolated;
  const RunRecord record = Run::of(std::move(spec))->integrate().record;
  if (!record.ok()) return {};
  States states;
  for (const StateRecord& state : *record.samples) {
    FullState& values = states.emplace_back();
    for (const char* kind : {"q", "v", "a", "lambda", "y"})
      if (state.of(kind).size() > 0 || (std::string(kind) != "y" && !state.is_ode))
        values.push_back({kind, state.of(kind)});
  }
  if (!motions.smaller().is_null())
    for (std::size_t i = 0; i < states.size(); ++i) states[i] = from_smaller(motions.problem, times[i], states[i]);
  return states;
}

// Nothing when an acceleration cannot be found on the way, or when interrupted.
std::optional<States> extrapolated(const Motions& motions, const std::vector<Exact>& times, int divisor) {
  States states;
  try {
    Extrapolation motion(motions);
    for (const Exact& time : times) {
      motion.advance(time.as<Real50>(), divisor);
      states.push_back(motion.state());
    }
  } catch (const std::runtime_error&) {
    return {};
  }
  return states;
}

Route independent_route(const Problem& problem, const std::vector<Exact>& times) {
  Route route{problem.independent_route(), {}, {}};
  const auto model = problem.mechanical_model(As<Real50>{});
  for (const Exact& time : times) {
    const Real50 t = time.as<Real50>();
    const auto fine = problem.independent_solution(t, 56), coarse = problem.independent_solution(t, 44);
    if (!fine || !coarse) throw InputError("--t", fmt::format("the independent route does not reach {}", time.text()));
    route.fine.push_back(complete(*model, t, *fine)), route.coarse.push_back(complete(*model, t, *coarse));
  }
  return route;
}

// Its steps are equal: they would go over changes of the equations.
void refuse_changes(const Problem& problem, const Exact& end) {
  const auto model = problem.model(As<Real50>{});
  TimeBreaks<Real50> breaks(*model, model->initial_t(), end.as<Real50>());
  const auto& first = breaks.next(model->initial_t());
  if (first.before < end.as<Real50>())
    throw std::runtime_error(
        fmt::format("reference: a condition in the equations changes at t = {:.10g}: no "
                    "reference of a mechanism is made beyond that",
                    static_cast<double>(first.after)));
  if (!breaks.unwatched().empty()) throw std::runtime_error("reference: " + breaks.unwatched());
}

// With the larger one of its two steps.
std::pair<Route, int> extrapolation(const Motions& motions, const std::vector<Exact>& times) {
  refuse_changes(motions.problem, times.back());
  std::optional<States> coarse;
  for (const int divisor : step_divisors(times)) {
    stop_when_interrupted();
    std::optional<States> fine = extrapolated(motions, times, divisor);
    if (coarse && fine && agree(*fine, *coarse))
      return {{fmt::format("{}, with steps of 1/{} s", extrapolation_route, divisor), *fine, *coarse}, divisor / 2};
    coarse = std::move(fine);
  }
  throw std::runtime_error("reference: extrapolation does not agree with itself at any step size allowed");
}

// The witness of the longest step that agrees with the route, and the one of twice that step. Its order is half that of
// extrapolation, which therefore tells where to begin.
Witness agreeing_witness(const Motions& motions, const std::vector<Exact>& times, const Route& route,
                         int coarsest_divisor) {
  std::optional<States> coarse;
  for (const int divisor : step_divisors(times)) {
    if (divisor < coarsest_divisor) continue;
    stop_when_interrupted();
    std::optional<States> found = witness(motions, times, divisor);
    if (found && agree(*found, route.fine))
      return {fmt::format("{} with h = 1/{} on index 1{}", witness_method, divisor,
                          motions.smaller().is_null()
                              ? ""
                              : fmt::format(" of {}, which moves alike", spec_text(motions.witness_problem()))),
              *found, coarse};
    coarse = std::move(found);
  }
  throw std::runtime_error(fmt::format("reference: the witness {} does not confirm the solution", witness_method));
}

// Accelerations jump at sampling times: there is no such thing as their value.
void check_sampling_times(const Problem& problem, const std::vector<Exact>& times) {
  const Real50 period = problem.model(As<Real50>{})->sampling_period();
  if (period == 0) return;
  for (const Exact& time : times)
    if (const Real50 count = time.as<Real50>() / period; abs(Real50(count - round(count))) < Real50("1e-9"))
      throw InputError("--t", fmt::format("{} is a sampling time, where accelerations jump", time.text()));
}

AgreedSolution agreed_mechanism(const Motions& motions, const std::vector<Exact>& times) {
  const Problem& problem = motions.problem;
  check_sampling_times(problem, times);
  const bool has_route =
      motions.has_own_start() && problem.independent_solution(static_cast<Real50>(problem.start_time()), 40);
  std::pair<Route, int> found =
      has_route ? std::pair(independent_route(problem, times), coarsest) : extrapolation(motions, times);
  Witness witness = agreeing_witness(motions, times, found.first, found.second);
  return {std::move(found.first), std::move(witness)};
}

// The ways of equations without coordinates begin with the problem's values.
void refuse_start(const Motions& motions, Model<double>& model) {
  if (motions.start.analysis == StartAnalysis::zero_acceleration)
    throw InputError("/start", "zero-acceleration has no solution that two routes could agree on");
  if (model.mechanical() == nullptr) {
    if (!motions.has_own_start())
      throw InputError("/start", fmt::format("a start is for mechanisms, and {} has no coordinates: give the values as "
                                             "the problem's own",
                                             motions.problem.name()));
    return;
  }
  motions.values.put_into<double>(model);
  const StartReport report = analyse_start(model);
  if (motions.start.analysis == StartAnalysis::consistent && !report.consistent())
    throw InputError(motions.values.replaces() ? "/start" : "--problem",
                     fmt::format("the initial values violate the constraints: |C| = {:.2e}, |dC/dt| = {:.2e}; correct "
                                 "them, or move them onto the constraints: --start project",
                                 report.position_residual, report.velocity_residual));
}

int digits(double difference) {
  return difference == 0 ? 48 : std::min(48, static_cast<int>(std::floor(-std::log10(difference))));
}

Json texts(const Vector<Real50>& x) {
  Json list = Json::array();
  for (const Real50& value : x) list.push_back(to_text(value));
  return list;
}

// Values that others published, with what they deviate by: relative, or absolute where ours is zero up to round-off.
Json published_json(const Json& problem, const Exact& t, const FullState& ours) {
  Json list = Json::array();
  const std::string path = project_path("results/reference/published-values.json");
  const Json entries = read_json_file(path);
  for (std::size_t k = 0; k < require(JsonKind::list, entries, path).size(); ++k) {
    const std::string where = fmt::format("{}: /{}", path, k);
    Json entry = require(JsonKind::object, entries[k], where);
    require_member(JsonKind::text, entry, "t", where);
    if (!entry.contains("problem")) throw InputError(where + "/problem", "is missing");
    const auto other = Registry<Problem>::instance().make(entry["problem"], where + "/problem");
    if (!same_problem(other->spec(), problem) || exact_from_json(entry["t"], where + "/t").value() != t.value())
      continue;
    entry.erase("problem"), entry.erase("t");
    for (const auto& [kind, exact] : ours) {
      Json deviations = Json::array();
      if (entry.contains(kind) &&
          require_member(JsonKind::list, entry, kind, where).size() != std::size_t(exact.size()))
        throw InputError(where + "/" + kind,
                         fmt::format("has {} entries, must have {}", entry[kind].size(), exact.size()));
      for (Index i = 0; entry.contains(kind) && i < exact.size(); ++i) {
        const std::string place = fmt::format("{}/{}/{}", where, kind, i);
        const Real50 error =
            exact_from_json(require(JsonKind::text, entry[kind][i], place), place).as<Real50>() - exact[i];
        deviations.push_back(static_cast<double>(abs(exact[i]) < agreement ? error : Real50(error / abs(exact[i]))));
      }
      if (!deviations.empty()) entry["deviation"][kind] = deviations;
    }
    list.push_back(entry);
  }
  return list;
}

std::string on_the_way(const std::string& passed) { return "; on the way: " + passed; }

Json state_json(const Json& problem, const Exact& t, const AgreedSolution& solution, std::size_t i) {
  const Route& route = solution.route;
  const Witness& witness = solution.witness;
  const FullState& fine = route.fine[i];
  const double own = largest_difference(fine, route.coarse[i]);
  const double other = largest_difference(fine, witness.states[i]);
  Json json = {{"t", t.text()},
               {"digits_trusted", digits(std::max(own, other))},
               {"agreement", {{"two resolutions of the route", own}, {"witness", other}}}};
  for (const auto& [kind, x] : fine) json[kind] = texts(x);
  if (witness.coarse)
    json["agreement"][fine.front().kind == "y" ? "witness, coarser" : "witness, twice the step"] =
        largest_difference(fine, (*witness.coarse)[i]);
  if (const Json published = published_json(problem, t, fine); !published.empty()) json["published"] = published;
  return json;
}

}  // namespace

Json agreed_solution(const Json& problem_spec, const std::vector<Exact>& times, StartOptions start) {
  const auto problem = Registry<Problem>::instance().make(problem_spec, "--problem");
  const auto model = problem->model(As<double>{});
  const MechanicalModel<double>* const mechanism = model->mechanical();
  const bool is_ode = mechanism == nullptr, has_states = !is_ode && mechanism->integrated_states() > 0;
  const StartValues values = start.resolve(StateNames(*problem), "/start");
  const Json given_start = start.write();
  const Motions motions{*problem, std::move(start), values};
  refuse_start(motions, *model);
  const AgreedSolution found = is_ode ? agreed_ode(*problem, times) : agreed_mechanism(motions, times);
  Json spec = problem->spec();
  spec.erase("end_time");
  const bool redundant = problem->redundant_constraints() > 0;
  const char* choice = redundant ? "; constraints are redundant, lambda is the one of least norm" : "";
  Json solution = {{"problem", spec},
                   {"route", found.route.name},
                   {"certificate",
                    fmt::format("largest difference of any component of {} between two resolutions of "
                                "the route, and to the witness {}, all in 50 digits{}",
                                is_ode       ? "y"
                                : has_states ? "(q, v, a, lambda, y)"
                                             : "(q, v, a, lambda)",
                                found.witness.name, found.passed.empty() ? choice : choice + on_the_way(found.passed))},
                   {"states", Json::array()}};
  if (!motions.has_own_start()) solution["start"] = given_start;
  for (std::size_t i = 0; i < times.size(); ++i) solution["states"].push_back(state_json(spec, times[i], found, i));
  return solution;
}

#endif

// Extrapolation would pass events as if there were none, and the witness not confirm it at any step size.
void refuse_events(const Json& spec) {
  const auto problem = Registry<Problem>::instance().make(spec, "--problem");
  const auto model = problem->model(As<double>{});
  if (model->mechanical() == nullptr || !problem->independent_route().empty()) return;
  for (const Event& event : model->events())
    if (event.consequence != Consequence::observe && event.consequence != Consequence::chart)
      throw InputError("--problem",
                       fmt::format("{} has the event '{}', which changes the motion: references of mechanisms with "
                                   "such events need a route of their own, an independent_solution in C++ "
                                   "(docs/problems.md)",
                                   problem->name(), event.name));
}

}  // namespace daelab
