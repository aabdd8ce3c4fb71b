#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/base/context.hpp"
#include "core/equations/linearly_implicit_system.hpp"
#include "core/integration/condition_watch.hpp"
#include "core/integration/extrapolation.hpp"
#include "core/integration/integrate.hpp"
#include "experiments/references/route_and_witness.hpp"
#include "methods/runge_kutta/collocation.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"

#ifndef DAELAB_DOUBLE_ONLY

namespace daelab {
namespace {

using T = Real50;

// Of stiff problems: methods of high order, because 20 digits and more are wanted, with one real eigenvalue and five
// complex pairs.
struct StiffMethod {
  const char* name;
  std::shared_ptr<const PreparedTableau> tableau;
};
const StiffMethod& stiff_route() {
  static const StiffMethod method{"Radau IIA of order 21", std::make_shared<PreparedTableau>(radau_iia(11))};
  return method;
}
const StiffMethod& stiff_witness() {
  static const StiffMethod method{"Lobatto IIIC of order 20", std::make_shared<PreparedTableau>(lobatto_iiic(11))};
  return method;
}
constexpr int ode_columns = 20;  // of extrapolation, whose order is twice as many

// Tolerances from 1e-12 down until two results agree to 20 digits of every component, or to 25 with an independent
// route. Components below 1e-50 count as zero.
constexpr int first_exponent = 12, last_exponent = 33, exponent_step = 3;
constexpr double ode_agreement = 1e-20, agreement_with_route = 1e-25, zero = 1e-50;
constexpr double first_step = 1e-25;  // of the interval: components start at zero, and grow by stiff transients

bool agree(const States& x, const States& y, double agreement) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Vector<T>&ours = x[i].front().x, &theirs = y[i].front().x;
    for (Index k = 0; k < ours.size(); ++k) {
      const T size = std::max(T(abs(ours[k])), T(zero / agreement));
      if (!(abs(ours[k] - theirs[k]) <= agreement * size)) return false;
    }
  }
  return true;
}

// Relative, of the component that differs most.
double distance(const States& x, const States& y) {
  double largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Vector<T>&ours = x[i].front().x, &theirs = y[i].front().x;
    for (Index k = 0; k < ours.size(); ++k)
      largest =
          std::max(largest, static_cast<double>(T(abs(ours[k] - theirs[k]) / std::max(T(abs(ours[k])), T(zero)))));
  }
  return largest;
}

// A model as its equations, differentiated down to index 1, and the state at the start.
struct Equations {
  explicit Equations(const Problem& problem)
      : model(problem.ordinary_model(As<T>{})), system(make_ordinary_system(*model, std::min(1, model->index()))) {
    start.t = model->initial_t(), start.y = model->initial_y();
    start.ydot.setZero(system->size()), start.compensation.setZero(system->size());
    complete(start);
  }
  void complete(State<T>& state) {
    if (const Status status = system->consistent_derivatives(state.t, state.y, state.ydot); !status.ok())
      throw std::runtime_error("reference: " + status.cause);
  }
  FullState at(const T& t, const Vector<T>& y) {
    State<T> state = start;
    state.t = t, state.y = y;
    complete(state);
    return {{"y", state.y}};
  }

  std::unique_ptr<OrdinaryModel<T>> model;
  std::unique_ptr<System<T>> system;
  State<T> start;
};

// What a solution went over: events by their names, changes of conditions by time.
using Passed = std::vector<std::pair<std::string, T>>;

struct Controlled {
  States states;
  Passed passed;
  long steps = 0;
};

// By a method from one time to another, with error control or equal steps. Steps end at events and where time changes
// the equations.
class Advance {
 public:
  Advance(Equations& equations, const StiffMethod& method, Controlled& result)
      : equations_(equations), result_(result) {
    NewtonOptions newton;
    newton.iteration = NewtonIteration::simplified;
    stepper_ = make_fully_implicit_runge_kutta<T>(method.tableau, *equations.system, newton);
  }

  /// longest: the largest step; 0: there is no limit.
  Status control(State<T>& state, const T& end, int exponent, const T& longest) {
    const T rtol = pow(T(10), -exponent), atol = rtol * T(zero), first = (end - state.t) * T(first_step);
    stepper_->control({rtol, atol, atol});
    return watched(state, end, [&](Interruptions<T>& all) {
      all.max_step = longest;
      return integrate_adaptive<T>(*stepper_, state, end, first, {}, &all);
    });
  }
  Status equal_steps(State<T>& state, const T& end, long steps) {
    const T h = (end - state.t) / steps;
    return watched(state, end, [&](Interruptions<T>& all) { return integrate<T>(*stepper_, state, end, h, {}, &all); });
  }

 private:
  Status watched(State<T>& state, const T& end, const auto& run) {
    EventWatch<T> events(*equations_.model, *equations_.system, *stepper_, T(end - state.t));
    ConditionWatch<T> conditions(*equations_.model, *equations_.system, state.t, end);
    Interruptions<T> all;
    all.watch = &events, all.conditions = &conditions;
    const Status status = run(all);
    result_.steps += stepper_->statistics().steps;
    for (const Occurrence<T>& event : events.occurrences())
      result_.passed.emplace_back(events.tallies()[static_cast<std::size_t>(event.event)].event.name, event.t);
    for (const T& t : conditions.changes()) result_.passed.emplace_back("", t);
    if (events.warning() || conditions.warning())
      throw std::runtime_error("reference: not all events and conditions can be watched: " +
                               (events.warning() ? events.warning() : conditions.warning())->text);
    if (status.ok() && state.t < end)
      throw std::runtime_error(fmt::format("reference: event '{}' ends the motion at t = {:.10g}",
                                           result_.passed.back().first, static_cast<double>(state.t)));
    return status;
  }

  Equations& equations_;
  Controlled& result_;
  std::unique_ptr<Stepper<T>> stepper_;
};

// By a method under error control, from time to time; nothing where it fails.
std::optional<Controlled> controlled(const Problem& problem, const StiffMethod& method, int exponent, const T& longest,
                                     const std::vector<Exact>& times) {
  Equations equations(problem);
  State<T> state = equations.start;
  Controlled result;
  for (const Exact& time : times) {
    const T t = time.as<T>();
    if (t > state.t && !Advance(equations, method, result).control(state, t, exponent, longest).ok()) return {};
    result.states.push_back(equations.at(t, state.y));
  }
  return result;
}

// The part of so many steps to the last time that belongs to one of the times.
int steps_between(const Real100& from, const Real100& to, const Real100& length, long steps) {
  return length > 0 ? static_cast<int>(ceil(Real100(steps * (to - from) / length))) : 0;
}

// The same with equal steps, so many to the last time.
std::optional<Controlled> with_equal_steps(const Problem& problem, const StiffMethod& method,
                                           const std::vector<Exact>& times, long steps) {
  Equations equations(problem);
  State<T> state = equations.start;
  Controlled result;
  Real100 t = problem.start_time();
  const Real100 length = times.back().value() - t;
  for (const Exact& time : times) {
    stop_when_interrupted();
    const int part = steps_between(t, time.value(), length, steps);
    if (part > 0 && !Advance(equations, method, result).equal_steps(state, time.as<T>(), part).ok()) return {};
    t = time.value();
    result.states.push_back(equations.at(time.as<T>(), state.y));
  }
  return result;
}

bool pass_alike(const Passed& ours, const Passed& theirs) {
  return std::ranges::equal(
      ours, theirs, {}, [](const auto& x) { return x.first; }, [](const auto& x) { return x.first; });
}

// "slip at t = 21.04735221"
std::string text_of(const Passed& passed) {
  constexpr std::size_t most_named = 20;
  std::string text;
  for (std::size_t i = 0; i < std::min(passed.size(), most_named); ++i)
    text += fmt::format("{}{} at t = {:.10g}", i > 0 ? ", " : "",
                        passed[i].first.empty() ? "a condition" : "event '" + passed[i].first + "'",
                        static_cast<double>(passed[i].second));
  return passed.size() > most_named ? fmt::format("{}, {} in all", text, passed.size()) : text;
}

// By extrapolation with so many steps to the last time; nothing where it is unstable: |y| grows far beyond `size`.
std::optional<States> extrapolated(const Problem& problem, const std::vector<Exact>& times, long steps, const T& size) {
  Equations equations(problem);
  Vector<T> y = equations.start.y, now = y;
  const auto slope = [&](const T& t, const Vector<T>& at, Vector<T>& f) {
    stop_when_interrupted();
    now.head(equations.system->differential()) = at.head(equations.system->differential());
    for (const T& entry : now)
      if (!(abs(entry) < T(1000) * size)) throw std::domain_error("unstable");
    f.setZero();
    if (!equations.system->consistent_derivatives(t, now, f).ok()) throw std::domain_error("unstable");
  };
  States states;
  Real100 t = problem.start_time();
  const Real100 length = times.back().value() - t;
  try {
    for (const Exact& time : times) {
      const int part = steps_between(t, time.value(), length, steps);
      if (part > 0) y = extrapolate<T>(slope, static_cast<T>(t), y, time.as<T>(), part, ode_columns);
      t = time.value();
      states.push_back(equations.at(time.as<T>(), y));
    }
  } catch (const std::domain_error&) {
    return {};
  }
  return states;
}

// The method at the first tolerance where `enough` of the result and the one before holds.
struct Converged {
  Controlled fine, coarse;
  int exponent;
};
Converged refine(const Problem& problem, const StiffMethod& method, const T& longest, const std::vector<Exact>& times,
                 const auto& enough) {
  std::optional<Controlled> coarse;
  for (int exponent = first_exponent; exponent <= last_exponent; exponent += exponent_step) {
    stop_when_interrupted();
    std::optional<Controlled> fine = controlled(problem, method, exponent, longest, times);
    if (coarse && fine && enough(fine->states, coarse->states)) return {*fine, *coarse, exponent};
    coarse = std::move(fine);
  }
  throw std::runtime_error(fmt::format("reference: {} does not confirm the solution at any tolerance", method.name));
}

std::string described(const StiffMethod& method, int exponent) {
  return fmt::format("{} under error control, rtol = 1E-{} and 1E-{}", method.name, exponent - exponent_step, exponent);
}

Route ode_route(const Problem& problem, const std::vector<Exact>& times) {
  Equations equations(problem);
  Route route{problem.independent_route(), {}, {}};
  for (const Exact& time : times) {
    const T t = time.as<T>();
    const auto fine = problem.independent_solution(t, 56), coarse = problem.independent_solution(t, 44);
    if (!fine || !coarse) throw InputError("--t", fmt::format("the independent route does not reach {}", time.text()));
    route.fine.push_back(equations.at(t, fine->s)), route.coarse.push_back(equations.at(t, coarse->s));
  }
  return route;
}

// Least number of steps of a witness under error control, whose errors are those of the route.
constexpr int least_steps = 2000, least_equal_steps = 256;
// What half the steps must gain, of order 20, or it is not worth while: the equations are too stiff for equal steps, or
// have kinks that no condition of time tells.
constexpr double least_gain = 100;

Witness controlled_witness(const Problem& problem, const StiffMethod& method, const std::vector<Exact>& times,
                           const Route& route, double agreement, const Passed* passed = nullptr) {
  const T longest = static_cast<T>(Real100((times.back().value() - problem.start_time()) / least_steps));
  const Converged found = refine(problem, method, longest, times, [&](const States& fine, const States& /*coarse*/) {
    return agree(fine, route.fine, agreement);
  });
  if (passed != nullptr && !pass_alike(found.fine.passed, *passed))
    throw std::runtime_error(fmt::format("reference: on the way there are {}; by {} there are {}", text_of(*passed),
                                         method.name, text_of(found.fine.passed)));
  return {fmt::format("{}, steps of 1/{} of the time at most", described(method, found.exponent), least_steps),
          found.fine.states, found.coarse.states};
}

// Steps that are chosen by the same errors step over the same things: equal ones are not. Both of two numbers of steps
// have to confirm the route and what it passed. Nothing for stiff problems: there short steps have to do that.
std::optional<Witness> equal_steps_witness(const Problem& problem, const std::vector<Exact>& times, const Route& route,
                                           const Controlled& found) {
  std::optional<Controlled> coarse;
  double before = std::numeric_limits<double>::infinity();
  for (const int factor : {1, 2, 4, 8, 16}) {
    const long steps = factor * std::max<long>(found.steps, least_equal_steps);
    std::optional<Controlled> fine = with_equal_steps(problem, stiff_witness(), times, steps);
    const auto confirms = [&](const std::optional<Controlled>& x) {
      return x && pass_alike(x->passed, found.passed) && agree(x->states, route.fine, ode_agreement);
    };
    if (confirms(coarse) && confirms(fine))
      return Witness{fmt::format("{} with {} and {} equal steps", stiff_witness().name, steps / 2, steps), fine->states,
                     coarse->states};
    const double now = fine ? distance(fine->states, route.fine) : std::numeric_limits<double>::infinity();
    if (factor > 2 && now > std::max(ode_agreement, before / least_gain)) return {};
    before = now;
    coarse = std::move(fine);
  }
  return {};
}

// Nothing for stiff problems.
std::optional<Witness> extrapolation_witness(const Problem& problem, const std::vector<Exact>& times,
                                             const Route& route, long steps_of_route) {
  const long steps = std::max<long>(steps_of_route, least_equal_steps);
  T size = 1;
  for (const FullState& state : route.fine)
    for (const T& entry : state.front().x) size = std::max(size, T(abs(entry)));
  std::optional<States> coarse;
  const auto confirms = [&](const std::optional<States>& x) { return x && agree(*x, route.fine, ode_agreement); };
  for (const int factor : {1, 2, 4, 8}) {
    std::optional<States> fine = extrapolated(problem, times, factor * steps, size);
    if (confirms(coarse) && confirms(fine))
      return Witness{fmt::format("Gragg-Bulirsch-Stoer extrapolation of order 40 with {} and {} equal steps",
                                 factor * steps / 2, factor * steps),
                     *fine, coarse};
    coarse = std::move(fine);
  }
  return {};
}

}  // namespace

void stop_when_interrupted() {
  if (interrupt_requested()) throw std::runtime_error("reference: interrupted");
}

AgreedSolution agreed_ode(const Problem& problem, const std::vector<Exact>& times) {
  if (problem.independent_solution(static_cast<T>(problem.start_time()), 40)) {
    Route route = ode_route(problem, times);
    Witness witness = controlled_witness(problem, stiff_route(), times, route, agreement_with_route);
    return {std::move(route), std::move(witness), ""};
  }
  const T longest = problem.max_step() ? problem.max_step()->as<T>() : T(0);
  const Converged found = refine(problem, stiff_route(), longest, times, [](const States& fine, const States& coarse) {
    return agree(fine, coarse, ode_agreement);
  });
  Route route{described(stiff_route(), found.exponent), found.fine.states, found.coarse.states};
  const Passed& passed = found.fine.passed;
  if (!passed.empty()) {
    std::optional<Witness> witness = equal_steps_witness(problem, times, route, found.fine);
    if (!witness) witness = controlled_witness(problem, stiff_witness(), times, route, ode_agreement, &passed);
    return {std::move(route), std::move(*witness), text_of(passed)};
  }
  std::optional<Witness> witness = extrapolation_witness(problem, times, route, found.fine.steps);
  if (!witness) witness = controlled_witness(problem, stiff_witness(), times, route, ode_agreement);
  return {std::move(route), std::move(*witness), ""};
}

}  // namespace daelab

#endif
