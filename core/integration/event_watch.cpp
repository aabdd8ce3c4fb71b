#include "core/integration/event_watch.hpp"

#include <boost/math/tools/roots.hpp>
#include <cmath>

#include "core/integration/event_failures.hpp"

namespace daelab {
namespace {

constexpr std::size_t most_occurrences = 100'000;
// A step is looked at in so many parts, and where a function comes back to zero within one of them.
constexpr int parts = 4;
constexpr int most_parts = 1024;
// An event accumulates whose last so many intervals were shorter than this part of the run. Fewer: at one moment some
// impacts of a chain take place several times, and that is the end of it.
constexpr double shortest_interval = 1e-9;
constexpr int most_close = 10;
// A jump that came back within this part of the run is not asked by its velocity whether it turns back.
constexpr double fast_return = 1e-4;
// Steps made to end at an event.
constexpr int most_attempts = 8;

template <class T>
int sign_of(const T& x) {
  return (x > T(0)) - (x < T(0));
}

}  // namespace

template <class T>
EventWatch<T>::EventWatch(Model<T>& model, System<T>& system, Stepper<T>& stepper, const T& length)
    : model_(model),
      system_(system),
      stepper_(stepper),
      functions_(model, system),
      layout_(layout_of(model, system.accelerations())),
      hidden_(model, layout_),
      period_(model.sampling_period()),
      length_(length) {
  for (const Event& event : model.events()) tallies_.push_back({event});
  watched_.resize(tallies_.size()), looks_.resize(tallies_.size());
  for (Vector<T>* x : {&g_, &values_, &before_}) x->setZero(static_cast<Index>(tallies_.size()));
  y_.setZero(system.size());
}

template <class T>
Status EventWatch<T>::start(State<T>& state) {
  if (period_ > T(0)) {
    const Sequel sampled = sample(state);
    if (!sampled.status.ok()) return sampled.status;
  }
  if (tallies_.empty()) return {};
  evaluate(state.t, state.y);
  // Assume the starting chart is regular; if it is not, the first step leaves it.
  for (Index i = 0; i < g_.size(); ++i) {
    watched(i).sign = is(i, Consequence::chart) ? 1 : sign_of(g_[i]);
    watched(i).contact = is(i, Consequence::impact), watched(i).side = watched(i).contact ? 1 : 0;
    if (!is(i, Consequence::chart)) settle(i, state);
  }
  return status();
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

// Events no farther apart take place together: a step from one to the other would be all round-off.
template <class T>
T EventWatch<T>::together(const T& t) const {
  return T(1000) * resolution(t);
}

// Its sign is looked at where steps end alone.
template <class T>
bool EventWatch<T>::waits(Index event) const {
  return is(event, Consequence::chart) || watched_[static_cast<std::size_t>(event)].round_off > T(0);
}

template <class T>
int EventWatch<T>::sign(Index event, const T& g) const {
  using std::abs;
  return abs(g) <= watched_[static_cast<std::size_t>(event)].round_off ? 0 : sign_of(g);
}

template <class T>
void EventWatch<T>::evaluate(const T& t, const Vector<T>& y) {
  functions_.at(t, y, g_);
  take_note();
}

template <class T>
T EventWatch<T>::function(Index event, const State<T>& from, const State<T>& to, const T& t) {
  functions_.within(from, to, t, g_);
  take_note();
  return g_[event];
}

// Notes the values of the functions at the state looked at last, and takes off where a contact rests.
template <class T>
void EventWatch<T>::take_note() {
  for (Index i = 0; i < g_.size(); ++i) {
    tally(i).least = std::min(tally(i).least, g_[i]), tally(i).largest = std::max(tally(i).largest, g_[i]);
    g_[i] -= watched(i).zero;
  }
}

template <class T>
bool EventWatch<T>::crossed(Index event, int now) const {
  const auto i = static_cast<std::size_t>(event);
  const int before = watched_[i].sign;
  const Crossing wanted = tallies_[i].event.crossing;
  return before != 0 && now != before && (wanted == Crossing::either || (wanted == Crossing::falling) == (before > 0));
}

template <class T>
T EventWatch<T>::root(Index event, const State<T>& from, const State<T>& to, T a, T b) {
  const T ga = function(event, from, to, a), gb = function(event, from, to, b);
  if (gb == T(0)) return b;
  if (sign_of(ga) == sign_of(gb) || ga == T(0)) return a;  // passed at the very start
  std::uintmax_t iterations = 100;
  const auto tolerance = [&](const T& x, const T& y) {
    using std::abs;
    return abs(T(x - y)) <= resolution(from.t);
  };
  const auto bracket = boost::math::tools::toms748_solve([&](const T& t) { return function(event, from, to, t); }, a, b,
                                                         ga, gb, tolerance, iterations);
  return bracket.second;
}

// A function that just passed zero, on its way away from the side it came from: where it was back on that side before
// `now`, or `before`.
template <class T>
T EventWatch<T>::last_return(Index event, const State<T>& from, const State<T>& to, const T& before, const T& now) {
  for (T width = (now - before) / T(2); width > resolution(now); width /= T(2))
    if (T(watched(event).side) * function(event, from, to, T(before + width)) > T(0)) return before + width;
  return before;
}

// By how much the function is about to change, along the slopes of the state.
template <class T>
T EventWatch<T>::change_ahead(Index event, const State<T>& state) {
  constexpr double part = 1e-6;
  const T ahead = T(part) * length_;
  y_ = state.y + ahead * state.ydot;
  values_ = g_;
  functions_.at(T(state.t + ahead), y_, values_);
  return values_[event] - watched(event).zero - g_[event];
}

// The time at which an event takes place between two times, the values at the later one at hand; infinite: it does not.
// Another chart is the same motion: it takes over at the end of a step, wherever that is, and no step is cut for it.
template <class T>
T EventWatch<T>::crossing(Index event, const State<T>& from, const State<T>& to, const T& before, const T& now) {
  const T none(std::numeric_limits<double>::infinity());
  const int next = sign(event, values_[event]);
  if (waits(event) && now != to.t) return none;
  if (is(event, Consequence::chart)) return crossed(event, next) ? now : none;
  if (crossed(event, next)) return root(event, from, to, before, now);
  const Watched& w = watched(event);
  if (w.sign != 0 || !w.contact || w.side * next >= 0) return none;
  const T back = last_return(event, from, to, before, now);
  return back == before ? before : root(event, from, to, back, now);
}

// For a function that has not crossed zero, or has been dealt with.
template <class T>
void EventWatch<T>::adopt_sign(Index event, const T& g) {
  if (const int now = sign(event, g); now != 0) watched(event).sign = now, watched(event).round_off = T(0);
  if (T(watched(event).side) * (g + watched(event).zero) > T(0)) watched(event).zero = T(0);
}

// Whether a function has been left at zero, to the round-off of the state and of the values it has had. It has no sign
// then: not until a step ends beyond that, unless it goes beyond it at once. Dense output between two steps of a low
// order may have another sign than both.
template <class T>
bool EventWatch<T>::settle(Index event, const State<T>& state) {
  using std::abs;
  Watched& w = watched(event);
  functions_.at(state.t, state.y, values_);
  const T round_off = T(round_offs) * epsilon<T>() * (range(event) + functions_.sensitivity(event, values_[event]));
  if (abs(g_[event]) > round_off) return false;
  w.sign = 0;
  w.round_off = abs(change_ahead(event, state)) > round_off ? T(0) : round_off;
  return true;
}

template <class T>
std::optional<Occurrence<T>> EventWatch<T>::locate(const State<T>& from, const State<T>& to) {
  if (tallies_.empty()) return {};
  T before = from.t;
  for (const T& now : times_to_look_at(from, to)) {
    if (const std::optional<Occurrence<T>> event = search(from, to, before, now)) return event;
    for (Index i = 0; i < values_.size(); ++i)
      if (now == to.t || !waits(i)) adopt_sign(i, values_[i]);
    before = now;
  }
  return {};
}

// A function that waits is looked at where steps end, a contact that has not left zero by its own rule.
template <class T>
const std::vector<T>& EventWatch<T>::times_to_look_at(const State<T>& from, const State<T>& to) {
  for (std::size_t i = 0; i < looks_.size(); ++i) {
    const Watched& w = watched_[i];
    looks_[i] = {!waits(static_cast<Index>(i)) && (w.sign != 0 || !w.contact), w.sign};
  }
  return hidden_.times(from, to, hidden_.encloses_all() ? parts : resolving_parts(from, to), looks_, together(from.t));
}

// Number of parts for functions that nothing bounds: as many as show them smooth. lambda may turn while the motion
// rests and steps are as long as the run.
template <class T>
int EventWatch<T>::resolving_parts(const State<T>& from, const State<T>& to) {
  for (int n = 2 * parts; n <= most_parts; n *= 2)
    if (are_smooth(from, to, n)) return n;
  hidden_.give_up(from.t);
  return most_parts;
}

// On a grid of n parts, each second value is that of the cubic polynomial through its four neighbours, within an eighth
// of what the function ranges over, or round-off.
template <class T>
bool EventWatch<T>::are_smooth(const State<T>& from, const State<T>& to, int n) {
  using std::abs;
  samples_.resize(g_.size(), std::max<Index>(samples_.cols(), n + 1));
  for (int k = 0; k <= n; ++k) {
    function(0, from, to, T(from.t + (to.t - from.t) * k / n));
    samples_.col(k) = g_;
  }
  for (Index i = 0; i < g_.size(); ++i) {
    const auto g = samples_.row(i).head(n + 1);
    const T largest = g.cwiseAbs().maxCoeff();
    const T allowed = (g.maxCoeff() - g.minCoeff()) / T(8) + T(1e-9) * (T(1) + largest);
    for (int k = 3; k + 3 <= n; k += 2)
      if (abs(T(g[k] - (T(9) * (g[k - 1] + g[k + 1]) - g[k - 3] - g[k + 3]) / T(16))) > allowed) return false;
  }
  return true;
}

// Searches a part of the step. Leaves the functions at its end in values_.
template <class T>
std::optional<Occurrence<T>> EventWatch<T>::search(const State<T>& from, const State<T>& to, const T& before,
                                                   const T& now) {
  function(0, from, to, now);
  values_ = g_;
  for (Index i = 0; i < values_.size(); ++i) watched(i).crossing = crossing(i, from, to, before, now);
  while (true) {
    const auto first = std::min_element(watched_.begin(), watched_.end(),
                                        [](const Watched& a, const Watched& b) { return a.crossing < b.crossing; });
    Occurrence<T> event{static_cast<Index>(first - watched_.begin()), first->crossing};
    if (event.t > now) return {};
    find_slope(event, from, to);
    if (event.t >= to.t - together(to.t)) event.t = to.t;
    if (event.t <= from.t + together(from.t)) event.t = from.t;
    if (!is(event.event, Consequence::observe)) {
      for (Watched& other : watched_) other.due = other.crossing <= first->crossing + together(event.t);
      return event;
    }
    observe(event, from, to);
    first->sign = sign(event.event, values_[event.event]);
    first->crossing = T(std::numeric_limits<double>::infinity());
  }
}

// The run goes on as if nothing had been there: the step to the event is made for its time alone.
template <class T>
void EventWatch<T>::observe(Occurrence<T> event, const State<T>& from, const State<T>& to) {
  if (event.t > from.t && event.t < to.t) {
    trial_ = to;
    if (land(event, from, trial_).ok()) event.t = trial_.t;
  }
  record(event);
}

template <class T>
void EventWatch<T>::find_slope(const Occurrence<T>& event, const State<T>& from, const State<T>& to) {
  const T width = (to.t - from.t) / T(1 << 10), left = std::max(from.t, T(event.t - width)),
          right = std::min(to.t, T(event.t + width));
  slope_ = (function(event.event, from, to, right) - function(event.event, from, to, left)) / (right - left);
}

// How much later than the state the event takes place, by the slope of its function.
template <class T>
T EventWatch<T>::distance(const Occurrence<T>& event, const State<T>& state) {
  evaluate(state.t, state.y);
  return slope_ == T(0) ? T(0) : T(-g_[event.event] / slope_);
}

template <class T>
Status EventWatch<T>::land(const Occurrence<T>& event, const State<T>& from, State<T>& to) {
  using std::abs;
  const T end = to.t;
  T t = event.t, change = end - from.t;
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    stepper_.count_rejection(true);
    if (Status status = stepper_.step(from, T(t - from.t), to); !status.ok()) return status;
    to.t = t;
    const T last = change;
    change = distance(event, to);
    const bool at_round_off = abs(change) <= resolution(t) || T(2) * abs(change) > abs(last);
    if (at_round_off || t + change <= from.t || t == end) break;
    t = std::min(end, T(t + change));
  }
  return status();
}

template <class T>
Status EventWatch<T>::forget(State<T>& state) {
  state.forget();
  return system_.consistent_start(state.t, state.y, state.ydot);
}

// The times of a geometric series end at t + interval ratio/(1 - ratio).
template <class T>
Status EventWatch<T>::check_interval(Index event, const T& t) {
  Watched& w = watched(event);
  const T interval = t - w.last, ratio = w.interval > T(0) ? T(interval / w.interval) : T(0);
  w.last = t, w.interval = interval;
  w.close = interval <= T(shortest_interval) * length_ ? w.close + 1 : 0;
  if (w.close < most_close) return {};
  const T end = ratio < T(1) ? T(t + interval * ratio / (T(1) - ratio)) : t;
  return chattering(tally(event).event, tally(event).count, most_close,
                    static_cast<double>(T(shortest_interval) * length_), static_cast<double>(end));
}

template <class T>
void EventWatch<T>::record(const Occurrence<T>& event) {
  ++tally(event.event).count;
  if (occurrences_.size() < most_occurrences) occurrences_.push_back(event);
}

// One event. Its function is zero now, and whatever sign it has next is no event, unless what followed changed it. Nor
// is the next sign of a function that it leaves at zero. Those of events that took place at the same time are left
// alone.
template <class T>
typename EventWatch<T>::Sequel EventWatch<T>::take_place(Index event, State<T>& state) {
  Watched& w = watched(event);
  record({event, state.t});
  w.due = false;
  const Status interval = check_interval(event, state.t);
  if (!interval.ok() && !is(event, Consequence::observe)) return {interval};
  w.zero = T(0);
  evaluate(state.t, state.y);
  before_ = g_;
  if (w.sign != 0 && is(event, Consequence::jump)) w.side = w.sign;
  const Sequel sequel = consequence(event, state);
  if (!sequel.status.ok()) return sequel;
  evaluate(state.t, state.y);
  for (Index i = 0; i < g_.size(); ++i)
    if (watched(i).last != state.t && !watched(i).due) take_over(i, state);
  w.sign = g_[event] == before_[event] ? 0 : sign_of(g_[event]);
  // A contact whose velocity is round-off, or the error of a tolerance, by the time it comes back that fast, stays one.
  const bool comes_fast = w.contact && w.interval <= T(fast_return) * length_;
  if (is(event, Consequence::jump)) w.contact = w.sign == 0 && (comes_fast || turns_back(event, state));
  if (w.contact && T(w.side) * g_[event] <= T(0)) w.sign = 0, w.zero = g_[event];
  if (!w.contact && is(event, Consequence::jump)) settle(event, state);
  return sequel;
}

#define DAELAB_INSTANTIATE(T) template class EventWatch<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
