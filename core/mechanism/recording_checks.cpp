#include "core/mechanism/recording_checks.hpp"

#include <algorithm>
#include <stdexcept>

namespace daelab {

bool depends_on_multipliers(const Recording& r, std::span<const Expression> list) {
  const int differential = static_cast<int>(r.s.size()) - r.algebraic_states;
  return std::ranges::any_of(dependencies(r.graph(), list), [&](const Node node) {
    if (r.graph()[node].operation != Operation::input) return false;
    const Input& input = r.graph().input_of(node);
    return input.block == static_cast<int>(InputBlock::lambda) ||
           (input.block == static_cast<int>(InputBlock::s) && input.index >= differential);
  });
}

bool depends_on_time(const Recording& r) {
  Expressions all;
  for (const Expressions* list : {&r.force, &r.constraints, &r.nonholonomic_constraints, &r.rates})
    all.insert(all.end(), list->begin(), list->end());
  for (const Expressions& matrix : {r.mass.ingredients(), r.rates_mass.ingredients()})
    all.insert(all.end(), matrix.begin(), matrix.end());
  for (const std::optional<Expression>& energy : {r.kinetic_energy, r.potential_energy})
    if (energy) all.push_back(*energy);
  return std::ranges::any_of(dependencies(r.graph(), all), [&](const Node node) {
    return r.graph()[node].operation == Operation::input &&
           r.graph().input_of(node).block == static_cast<int>(InputBlock::time);
  });
}

Level level_of(const Recording& r, std::span<const Expression> list) {
  const int differential = static_cast<int>(r.s.size()) - r.algebraic_states;
  Level level = Level::position;
  for (const Node node : dependencies(r.graph(), list)) {
    if (r.graph()[node].operation != Operation::input) continue;
    const Input& input = r.graph().input_of(node);
    const auto block = static_cast<InputBlock>(input.block);
    if (block == InputBlock::lambda)
      level = Level::acceleration;
    else if (block == InputBlock::v || (block == InputBlock::s && input.index < differential))
      level = std::max(level, Level::velocity);
  }
  return level;
}

Expressions without_algebraic(Expressions states, const Recording& r) {
  states.resize(states.size() - static_cast<std::size_t>(r.algebraic_states));
  return states;
}

Expressions event_expressions(const Recording& r) {
  Expressions list;
  const auto add = [&](const Expressions& more) { list.insert(list.end(), more.begin(), more.end()); };
  for (const RecordedEvent& event : r.events) {
    add({event.function, event.after.mode});
    add(event.after.q), add(event.after.v), add(event.after.held), add(without_algebraic(event.after.s, r));
  }
  return list;
}

namespace {

void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(std::string("a recording: ") + what);
}

// Everything beside forces, rates, algebraic equations, observables and events is evaluated where multipliers are not
// known.
void check_independence_of_multipliers(const Recording& r) {
  Expressions list = r.constraints;
  const auto add = [&](const Expressions& more) { list.insert(list.end(), more.begin(), more.end()); };
  add(r.mass.ingredients());
  for (const Expressions* more : {&r.nonholonomic_constraints, &r.sampled}) add(*more);
  for (const auto& energy : {r.kinetic_energy, r.potential_energy}) list.push_back(energy.value_or(Expression()));
  require(!depends_on_multipliers(r, list),
          "multipliers and algebraic states beside coordinates in forces, rates, algebraic equations, observables and "
          "events alone");
  for (const Expression& g : Expressions(r.rates.end() - r.algebraic_states, r.rates.end()))
    require(depends_on_multipliers(r, {&g, 1}),
            "algebraic equations beside coordinates that hold an algebraic state or a multiplier");
}

}  // namespace

void check_recording(const Recording& r) {
  const auto as_many = [](const Expressions& x, const Expressions& y) { return x.size() == y.size(); };
  const auto constant = [](const Expressions& list) { return std::ranges::all_of(list, is_constant); };
  require(
      as_many(r.start_q, r.q) && as_many(r.start_v, r.v) && as_many(r.start_s, r.s) && as_many(r.start_held, r.held),
      "a start value for each coordinate, velocity, state and held output");
  require(constant(r.start_q) && constant(r.start_v) && constant(r.start_s) && constant(r.start_held) &&
              is_constant(r.sampling_period) && is_constant(r.start_t),
          "the start time, start values and the sampling period are constants");
  require(as_many(r.force, r.q), "a force for each coordinate");
  require(as_many(r.rates, r.s), "a rate for each state");
  require(r.rates_mass.empty() || (r.q.empty() && r.algebraic_states == 0),
          "a matrix of the rates for states alone, whose algebraic equations are rows of zeros");
  for (const auto& entry : r.rates_mass.entries())
    require(std::max(entry.row, entry.column) < static_cast<int>(r.s.size()), "a matrix of the rates of the states");
  require(as_many(r.sampled, r.held), "a sampled value for each held output");
  require(r.algebraic_states <= static_cast<int>(r.s.size()), "no more algebraic states than states");
  require(!r.printed_curvature || as_many(*r.printed_curvature, r.constraints),
          "a printed curvature for each constraint");
  for (const RecordedEvent& event : r.events)
    require(as_many(event.after.q, r.q) && as_many(event.after.v, r.v) && as_many(event.after.s, r.s) &&
                as_many(event.after.held, r.held),
            "after an event as many coordinates, velocities, states and held outputs as before");
  for (const RecordedEvent& event : r.events)
    require(event.event.consequence != Consequence::chart || is_constant(event.after.mode),
            "the chart after an event is a constant");
  require(!r.mass_inverse ||
              (!r.mass.empty() && as_many(r.mass_inverse->pivots, r.q) && as_many(r.mass_inverse->diagonal, r.q)),
          "an inverse of a mass matrix that is given, with a pivot and an entry of the diagonal for each coordinate");
  if (!r.q.empty()) check_independence_of_multipliers(r);
}

}  // namespace daelab
