#include "core/event_watch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <boost/math/tools/roots.hpp>
#include <cmath>

#include "core/consistent_start.hpp"

namespace daelab {
namespace {

constexpr std::size_t most_occurrences = 100'000;
// A step is looked at in so many parts: a function that comes back to zero within one of them is missed.
constexpr int parts = 4;
// Times of the same event closer than this part of the run accumulate.
constexpr double shortest_interval = 1e-9;

template <class T>
int sign_of(const T& x) {
  return (x > T(0)) - (x < T(0));
}

// Coordinates of the model's present chart in the next one.
template <class T>
class ToChart final : public CoordinateChange<T> {
 public:
  ToChart(MechanicalModel<T>& model, Index chart) : model_(model), chart_(chart) {}
  void apply(const Vector<T>& near, Vector<T>& q, Vector<T>& v, Vector<T>& a) override {
    model_.to_chart(chart_, near, q, v, a);
  }

 private:
  MechanicalModel<T>& model_;
  Index chart_;
};

}  // namespace

template <class T>
EventWatch<T>::EventWatch(MechanicalModel<T>& model, System<T>& system, Stepper<T>& stepper, const T& length)
    : model_(model),
      system_(system),
      stepper_(stepper),
      dense_output_(model, system, &stepper),
      layout_{model.coordinates(), model.constraints(), system.accelerations()},
      period_(model.sampling_period()),
      length_(length) {
  for (const Event& event : model.events()) tallies_.push_back({event});
  signs_.assign(tallies_.size(), 0), pending_.assign(tallies_.size(), 0);
  last_.assign(tallies_.size(), T(-std::numeric_limits<double>::infinity()));
  for (Vector<T>* x : {&g_, &values_}) x->setZero(static_cast<Index>(tallies_.size()));
  y_.setZero(system.size());
  for (Vector<T>* x : {&q_, &v_, &a_}) x->setZero(layout_.n);
}

template <class T>
Status EventWatch<T>::start(State<T>& state) {
  if (period_ > T(0)) {
    const Sequel sampled = sample(state);
    if (!sampled.status.ok()) return sampled.status;
  }
  if (tallies_.empty()) return {};
  evaluate(state.t, state.y, g_);
  for (std::size_t i = 0; i < tallies_.size(); ++i) signs_[i] = sign_of(g_[static_cast<Index>(i)]);
  return {};
}

template <class T>
T EventWatch<T>::next_sampling(const T& t) const {
  using std::floor;
  if (period_ == T(0)) return T(std::numeric_limits<double>::infinity());
  const T k = floor(T((t + resolution(t)) / period_)) + T(1);
  return k * period_;
}

template <class T>
T EventWatch<T>::resolution(const T& t) const {
  using std::abs;
  return T(4) * epsilon<T>() * std::max(T(abs(t)), length_);
}

template <class T>
void EventWatch<T>::evaluate(const T& t, const Vector<T>& y, Vector<T>& g) {
  q_ = layout_.q(y), v_ = layout_.v(y);
  g.setZero();
  model_.event_functions(t, q_, v_, g);
  for (Index i = 0; i < g.size(); ++i) {
    EventTally<T>& tally = tallies_[static_cast<std::size_t>(i)];
    tally.least = std::min(tally.least, g[i]), tally.largest = std::max(tally.largest, g[i]);
  }
}

template <class T>
T EventWatch<T>::function(Index event, const State<T>& from, const State<T>& to, const T& t) {
  if (t == from.t)
    y_ = from.y;
  else if (t == to.t)
    y_ = to.y;
  else
    dense_output_(from, to, t, y_);
  evaluate(t, y_, g_);
  return g_[event];
}

template <class T>
bool EventWatch<T>::crossed(Index event, int before, int now) const {
  const Crossing wanted = tallies_[static_cast<std::size_t>(event)].event.crossing;
  return before != 0 && now != before && (wanted == Crossing::either || (wanted == Crossing::falling) == (before > 0));
}

template <class T>
T EventWatch<T>::root(Index event, const State<T>& from, const State<T>& to, T a, T b) {
  const T ga = function(event, from, to, a), gb = function(event, from, to, b);
  if (gb == T(0)) return b;
  if (sign_of(ga) == sign_of(gb) || ga == T(0)) return a;  // passed at the very start of the step
  std::uintmax_t iterations = 100;
  const auto tolerance = [&](const T& x, const T& y) {
    using std::abs;
    return abs(T(x - y)) <= resolution(from.t);
  };
  const auto bracket = boost::math::tools::toms748_solve(
      [&](const T& t) { return function(event, from, to, t); }, a, b, ga, gb, tolerance, iterations);
  return bracket.second;
}

// A function that just passed zero, on its way back before `now`: where it was positive in between, or `before`.
template <class T>
T EventWatch<T>::last_positive(Index event, const State<T>& from, const State<T>& to, const T& before, const T& now) {
  for (T width = (now - before) / T(2); width > resolution(now); width /= T(2))
    if (function(event, from, to, T(before + width)) > T(0)) return before + width;
  return before;
}

// The time at which event i takes place between two times, if it does.
template <class T>
std::optional<T> EventWatch<T>::crossing(Index i, const State<T>& from, const State<T>& to, const T& before,
                                         const T& now, int next) {
  const int sign = signs_[static_cast<std::size_t>(i)];
  if (crossed(i, sign, next)) return root(i, from, to, before, now);
  const bool unilateral = tallies_[static_cast<std::size_t>(i)].event.consequence == Consequence::impact;
  if (!unilateral || sign != 0 || next >= 0) return {};
  const T positive = last_positive(i, from, to, before, now);
  return positive == before ? before : root(i, from, to, positive, now);
}

template <class T>
std::optional<Occurrence<T>> EventWatch<T>::locate(const State<T>& from, const State<T>& to) {
  if (tallies_.empty()) return {};
  T before = from.t;
  for (int part = 1; part <= parts; ++part) {
    const T now = part == parts ? to.t : T(from.t + (to.t - from.t) * part / parts);
    function(0, from, to, now);
    values_ = g_;
    std::optional<Occurrence<T>> first;
    for (Index i = 0; i < values_.size(); ++i)
      if (const std::optional<T> t = crossing(i, from, to, before, now, sign_of(values_[i])); t && (!first || *t < first->t))
        first = Occurrence<T>{i, *t};
    if (first) {
      find_slope(*first, from, to);
      return first;
    }
    for (Index i = 0; i < values_.size(); ++i)
      if (const int next = sign_of(values_[i]); next != 0) signs_[static_cast<std::size_t>(i)] = next;
    before = now;
  }
  return {};
}

template <class T>
void EventWatch<T>::find_slope(const Occurrence<T>& event, const State<T>& from, const State<T>& to) {
  const T width = (to.t - from.t) / T(1 << 10), left = std::max(from.t, T(event.t - width)),
          right = std::min(to.t, T(event.t + width));
  slope_ = (function(event.event, from, to, right) - function(event.event, from, to, left)) / (right - left);
}

template <class T>
T EventWatch<T>::distance(const Occurrence<T>& event, const State<T>& state) {
  evaluate(state.t, state.y, g_);
  return slope_ == T(0) ? T(0) : T(-g_[event.event] / slope_);
}

template <class T>
Status EventWatch<T>::forget(State<T>& state) {
  state.memory.setZero(), state.carry.setZero();
  state.memory_step = T(0);
  return system_.complete(state.t, state.y, state.ydot);
}

// Positions as consistent as a start has to be, and no less so than before the event.
template <class T>
Status EventWatch<T>::check_constraints(const Event& event, const State<T>& state) {
  using std::abs;
  std::vector<std::string> rows;
  Vector<T> before(layout_.m), after(layout_.m);
  for (const Level level : {Level::position, Level::velocity}) {
    model_.constraint_level(level, state.t, layout_.q(state.y), layout_.v(state.y), a_, before);
    model_.constraint_level(level, state.t, q_, v_, a_, after);
    for (Index i = 0; i < layout_.m; ++i)
      if (const T size = abs(after[i]); !(size <= T(StartReport::consistency_tolerance) + T(2) * abs(before[i])))
        rows.push_back(fmt::format("{} of row {} is {:.2e}", level == Level::position ? "C" : "dC/dt", i + 1,
                                   static_cast<double>(after[i])));
  }
  if (rows.empty()) return {};
  return {StatusCode::inconsistent, fmt::format("the jump at event '{}', t = {:.10g}, violates the constraints: {}",
                                                event.name, static_cast<double>(state.t), fmt::join(rows, ", "))};
}

template <class T>
Status EventWatch<T>::check_interval(const Occurrence<T>& event) {
  const T since = event.t - last_[static_cast<std::size_t>(event.event)];
  last_[static_cast<std::size_t>(event.event)] = event.t;
  if (since > T(shortest_interval) * length_) return {};
  const EventTally<T>& tally = tallies_[static_cast<std::size_t>(event.event)];
  return {StatusCode::chattering,
          fmt::format("event '{}' took place {} times, the last two {:.1e} s apart: its times accumulate at t = {:.10g}",
                      tally.event.name, tally.count, static_cast<double>(since), static_cast<double>(event.t))};
}

// The signs of the functions at a state that has changed. Those that passed zero at the same moment as the event at hand
// keep their old one (`pending`): their events follow.
template <class T>
void EventWatch<T>::update_signs(const State<T>& state, bool keep_pending) {
  evaluate(state.t, state.y, g_);
  for (Index i = 0; i < g_.size(); ++i) {
    int& sign = signs_[static_cast<std::size_t>(i)];
    char& pending = pending_[static_cast<std::size_t>(i)];
    const int next = sign_of(g_[i]);
    if (!keep_pending) pending = crossed(i, sign, next);
    if (!pending && next != 0) sign = next;
  }
}

template <class T>
typename EventWatch<T>::Sequel EventWatch<T>::carry_out(const Occurrence<T>& event, State<T>& state) {
  EventTally<T>& tally = tallies_[static_cast<std::size_t>(event.event)];
  ++tally.count;
  if (occurrences_.size() < most_occurrences) occurrences_.push_back({event.event, state.t});
  update_signs(state, false);
  if (Status status = check_interval({event.event, state.t}); !status.ok()) return {status};
  const Sequel sequel = consequence(tally.event, event.event, state);
  if (sequel.status.ok()) update_signs(state, true);
  signs_[static_cast<std::size_t>(event.event)] = 0;
  return sequel;
}

template <class T>
typename EventWatch<T>::Sequel EventWatch<T>::consequence(const Event& event, Index number, State<T>& state) {
  if (event.consequence == Consequence::observe) return {};
  if (event.consequence == Consequence::stop) return {{}, true};
  if (event.consequence == Consequence::chart) return switch_chart(state);
  q_ = layout_.q(state.y), v_ = layout_.v(state.y);
  model_.carry_out(number, state.t, q_, v_);
  if (Status status = check_constraints(event, state); !status.ok()) return {status};
  state.y.head(layout_.n) = q_;
  state.y.segment(layout_.n, layout_.n) = v_;
  return {forget(state), false, true};
}

template <class T>
typename EventWatch<T>::Sequel EventWatch<T>::switch_chart(State<T>& state) {
  const Index next = (model_.chart() + 1) % model_.charts();
  ToChart<T> change(model_, next);
  q_ = layout_.q(state.y), v_ = layout_.v(state.y), a_ = layout_.accelerations_of(state);
  change.apply(q_, q_, v_, a_);
  state.y.head(layout_.n) = q_;
  state.y.segment(layout_.n, layout_.n) = v_;
  state.ydot.head(layout_.n) = v_;
  state.ydot.segment(layout_.n, layout_.n) = a_;
  state.carry.setZero();
  const bool kept = stepper_.change_coordinates(state, change);
  model_.set_chart(next);
  if (!kept) return {forget(state), false, true};
  return {system_.complete(state.t, state.y, state.ydot)};
}

template <class T>
typename EventWatch<T>::Sequel EventWatch<T>::sample(State<T>& state) {
  using std::abs;
  using std::round;
  if (period_ == T(0) || abs(T(state.t - round(T(state.t / period_)) * period_)) > resolution(state.t)) return {};
  q_ = layout_.q(state.y), v_ = layout_.v(state.y);
  model_.sample(state.t, q_, v_);
  ++samplings_;
  return {forget(state), false, true};
}

#define DAELAB_INSTANTIATE(T) template class EventWatch<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
