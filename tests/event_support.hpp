// Runs of models made for tests, with their events watched.
#pragma once

#include <gmock/gmock.h>

#include "core/integrate.hpp"
#include "core/tableau_method.hpp"
#include "tests/numeric_support.hpp"

namespace daelab {

// Methods that are data, as the registry has them without their files.
inline constexpr const char* dormand_prince = "runge-kutta:tableau=dormand-prince";
inline constexpr const char* verner_87 = "runge-kutta:tableau=verner-87";
inline constexpr const char* rk4_classical = "runge-kutta:tableau=rk4-classical";
inline constexpr const char* heun = "runge-kutta:tableau=heun";

/// Fixed steps h, or error control with rtol for all tolerances.
struct StepChoiceOf {
  double h = 0, rtol = 0;
};
inline StepChoiceOf fixed(double h) { return {h, 0}; }
inline StepChoiceOf controlled(double rtol) { return {0, rtol}; }

template <class T>
struct WatchedRun {
  Status status;
  std::vector<EventTally<T>> kinds;
  std::vector<Occurrence<T>> events;
  State<T> end;
  Statistics statistics;

  std::vector<double> times(Index event = 0) const {
    std::vector<double> list;
    for (const Occurrence<T>& occurrence : events)
      if (occurrence.event == event) list.push_back(static_cast<double>(occurrence.t));
    return list;
  }
};

/// From the start of the model; `watching` false: as if it had no events.
template <class T, class Model>
WatchedRun<T> watched_run(Model description, const std::string& method, const std::string& formulation, const T& t_end,
                          StepChoiceOf steps, bool watching = true) {
  DifferentiatedModel<Model, T> model(std::move(description));
  const auto multipliers = multipliers_for(model);
  const auto system = Registry<Formulation>::instance().make(formulation, "")->system(model, *multipliers);
  const Index n = model.coordinates();
  WatchedRun<T> run;
  State<T>& state = run.end;
  state.y.setZero(system->size()), state.ydot.setZero(system->size()), state.carry.setZero(system->size());
  state.y.head(n) = model.initial_q(), state.y.segment(n, n) = model.initial_v();
  EXPECT_TRUE(system->complete(state.t, state.y, state.ydot).ok());
  const auto stepper = make_method(method, "")->stepper(*system, {});
  if (steps.rtol > 0) stepper->control({T(steps.rtol), T(steps.rtol), T(steps.rtol)});
  EventWatch<T> watch(model, *system, *stepper, t_end);
  Interruptions<T> interruptions;
  if (watching) interruptions.watch = &watch;
  run.status = steps.rtol > 0 ? integrate_adaptive<T>(*stepper, state, t_end, T(0), {}, &interruptions)
                              : integrate<T>(*stepper, state, t_end, T(steps.h), {}, &interruptions);
  run.kinds = watch.tallies(), run.events = watch.occurrences(), run.statistics = stepper->statistics();
  return run;
}

/// One coordinate x, unit mass, no constraints: x'' = -stiffness x - gravity, from (x0, v0).
/// Spec: static std::vector<Event> events(); static void functions(x, v, g); static void carry_out(event, x, v).
template <class Spec, class T>
struct OneMass {
  static constexpr int directions = 1;
  static constexpr bool constant_mass = true;
  T stiffness, gravity, x0, v0;

  Index coordinates() const { return 1; }
  Index constraints() const { return 0; }
  Vector<T> initial_q() const { return Vector<T>::Constant(1, x0); }
  Vector<T> initial_v() const { return Vector<T>::Constant(1, v0); }
  template <class S>
  void mass(const S& /*t*/, const Vector<S>& /*q*/, Matrix<S>& M) const {
    M(0, 0) = S(T(1));
  }
  template <class S>
  void force(const S& /*t*/, const Vector<S>& q, const Vector<S>& /*v*/, Vector<S>& Q) const {
    Q[0] = q[0] * (-stiffness) - S(gravity);
  }
  template <class S>
  void constraint(const S& /*t*/, const Vector<S>& /*q*/, Vector<S>& /*C*/) const {}

  std::vector<Event> events() const { return Spec::events(); }
  void event_functions(const T& /*t*/, const Vector<T>& q, const Vector<T>& v, Vector<T>& g) const {
    Spec::functions(q[0], v[0], g);
  }
  void carry_out(Index event, const T& /*t*/, Vector<T>& q, Vector<T>& v) const {
    if constexpr (requires { Spec::carry_out(event, q[0], v[0]); }) Spec::carry_out(event, q[0], v[0]);
  }
};

/// cos(t).
template <class Spec, class T = double>
OneMass<Spec, T> oscillator() {
  return {T(1), T(0), T(1), T(0)};
}

}  // namespace daelab
