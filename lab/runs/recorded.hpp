// What integrations measured, as members of their record: wide numbers, by classes of components.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/equations/mechanical_layout.hpp"
#include "core/integration/event_watch.hpp"
#include "core/integration/observers.hpp"
#include "core/mechanism/group_charts.hpp"
#include "core/mechanism/mechanical_model.hpp"
#include "lab/runs/run.hpp"
#include "results/run_record.hpp"

namespace daelab {

template <class X>
std::optional<Real50> finite(const X& x) {
  using std::isfinite;
  return isfinite(x) ? std::optional(Real50(x)) : std::nullopt;
}

template <class T>
Vector<Real50> widened(const auto& x) {
  return x.template cast<Real50>();
}

// First-order states beside coordinates are y, too.
template <class T>
StateRecord recorded(Model<T>& model, const MechanicalLayout& layout, const State<T>& state) {
  StateRecord record;
  record.t = Real50(state.t);
  const MechanicalModel<T>* const mechanism = model.mechanical();
  record.is_ode = mechanism == nullptr;
  if (record.is_ode) {
    record.y = widened<T>(state.y);
    return record;
  }
  const Index states = mechanism->integrated_states(), n = layout.n - states;
  record.q = widened<T>(layout.q(state.y).head(n)), record.v = widened<T>(layout.v(state.y).head(n));
  record.a = widened<T>(layout.accelerations_of(state).head(n)), record.lambda = widened<T>(layout.lambda(state.y));
  record.y = widened<T>(layout.v(state.y).tail(states));
  return record;
}

// Views of the recorded parts, without copies.
inline StateView viewed(Model<double>& model, const MechanicalLayout& layout, const State<double>& state) {
  const double* const y = state.y.data();
  const auto at = [](const double* first, Index count) { return std::span(first, static_cast<std::size_t>(count)); };
  const MechanicalModel<double>* const mechanism = model.mechanical();
  if (mechanism == nullptr) return {.t = state.t, .q = {}, .v = {}, .a = {}, .lambda = {}, .y = at(y, state.y.size())};
  const Index states = mechanism->integrated_states(), n = layout.n - states;
  const double* const a = layout.accelerations > 0 ? y + layout.accelerations : state.ydot.data() + layout.n;
  return {
      state.t, at(y, n), at(y + layout.n, n), at(a, n), at(y + 2 * layout.n, layout.m), at(y + layout.n + n, states)};
}

// Of these names, in the coordinates that the state is in.
template <class T>
std::map<std::string, Real50> observed(Model<T>& model, const State<T>& state, const std::vector<std::string>& names) {
  const std::vector<std::string> all = model.observable_names();
  Vector<T> values = Vector<T>::Zero(static_cast<Index>(all.size()));
  model.observables(state.t, state.y, values);
  std::map<std::string, Real50> kept;
  for (const std::string& name : names) kept[name] = Real50(values[std::ranges::find(all, name) - all.begin()]);
  return kept;
}

// Where forces dissipate or drive, the change of the energy is no error: `conserves_energy` is a fact of the problem.
template <class T>
Maxima maxima(Model<T>& model, const DriftObserver<T>& drift, bool conserves_energy) {
  const MechanicalModel<T>* const mechanism = model.mechanical();
  Maxima max;
  if (mechanism == nullptr) return max;
  if (conserves_energy && mechanism->has_energy()) max.energy_error = finite(drift.energy_error);
  max.position_constraint = finite(drift.position), max.velocity_constraint = finite(drift.velocity);
  max.acceleration_constraint = finite(drift.acceleration);
  return max;
}

template <class T>
Vector<Real50> reaction(Model<T>& model, const MechanicalLayout& layout, const State<T>& state) {
  MechanicalModel<T>* const mechanism = model.mechanical();
  if (mechanism == nullptr) return {};
  Vector<T> reaction = Vector<T>::Zero(layout.n);
  if (const Index m = mechanism->constraints(); m > 0) {
    const Vector<T> held = mechanism->held();
    Vector<T> q = layout.q(state.y), v = layout.v(state.y), a = Vector<T>::Zero(layout.n);
    if (!mechanism->groups().empty()) {  // in body axes
      mechanism->hold(bases_at(mechanism->groups(), held, q));
      change_bases(mechanism->groups(), held, mechanism->held(), q, v, a);
    }
    SparseMatrix<T> J;
    mechanism->jacobian(state.t, q, v, J);
    mechanism->hold(held);
    J.add_transposed_product(layout.lambda(state.y).head(m), reaction, T(1));
  }
  return widened<T>(reaction.head(layout.n - mechanism->integrated_states()));
}

template <class T>
EventsRecord recorded(const EventWatch<T>& watch, const std::vector<T>& discontinuities) {
  EventsRecord events;
  for (const EventTally<T>& tally : watch.tallies()) {
    EventsRecord::Kind kind{tally.event.name, tally.count, finite(tally.least), finite(tally.largest)};
    if (tally.count == 0)
      kind.cause = tally.changed_sign() ? "its function crossed zero in the other direction only"
                                        : "its function never changed sign";
    events.kinds.push_back(std::move(kind));
  }
  for (const Occurrence<T>& event : watch.occurrences())
    events.list.push_back({watch.tallies()[static_cast<std::size_t>(event.event)].event.name, Real50(event.t)});
  events.samplings = watch.samplings();
  for (const T& t : discontinuities) events.discontinuities.push_back(Real50(t));
  return events;
}

inline StepHistoryRecord recorded(const auto& rows) {
  StepHistoryRecord history;
  for (const auto& row : rows) {
    history.t.push_back(row.t), history.h.push_back(row.h), history.error.push_back(row.error);
    history.order.push_back(row.order), history.outcome.push_back(row.outcome);
    history.smoothness.push_back(row.smoothness);
    history.newton_iterations.push_back(row.statistics.newton_iterations);
    history.residuals.push_back(row.statistics.residuals);
    history.jacobians.push_back(row.statistics.jacobians);
    history.factorizations.push_back(row.statistics.factorizations);
  }
  if (std::ranges::all_of(history.smoothness, [](int order) { return order < 0; })) history.smoothness.clear();
  return history;
}

}  // namespace daelab
