// The events of a run: found by dense output, reached by a step that ends there, carried out, recorded.
// How it is done, and what it misses: docs/events.md.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/integration/event_functions.hpp"
#include "core/integration/hidden_crossings.hpp"
#include "core/integration/state.hpp"

namespace daelab {

/// What became of one kind of event in a run.
template <class T>
struct EventTally {
  Event event;
  long count = 0;
  T least{std::numeric_limits<double>::infinity()}, largest{-std::numeric_limits<double>::infinity()};  // of g seen
  bool changed_sign() const { return least < T(0) && largest > T(0); }
};

template <class T>
struct Occurrence {
  Index event;
  T t;
};

/// Watches the events of a model and its sampling times. One object belongs to one run.
template <class T>
class EventWatch {
 public:
  /// length: of the run, to tell events that come ever faster.
  EventWatch(Model<T>& model, System<T>& system, Stepper<T>& stepper, const T& length);

  /// Nothing to watch: steps go on as if there were no watch.
  bool idle() const { return tallies_.empty() && period_ == T(0); }
  /// Samples the discrete-time blocks at the start, so that accelerations may change.
  Status start(State<T>& state);
  /// The first sampling time after t; infinite where there is none.
  T next_sampling(const T& t) const;

  /// The first event within a step that the run has to end a step at, by dense output: at from.t or to.t exactly where
  /// it cannot be told from them. Observed events before it are recorded.
  std::optional<Occurrence<T>> locate(const State<T>& from, const State<T>& to);
  /// Makes the step from `from` to `to` again, shorter, until it ends at the event itself instead of where dense output
  /// has it: to round-off, or as well as the method's iteration lets it.
  Status land(const Occurrence<T>& event, const State<T>& from, State<T>& to);
  /// Round-off of a time.
  T resolution(const T& t) const;
  /// Not ok where event functions could not be evaluated.
  const Status& status() const { return functions_.status(); }

  /// What follows at the end of a step for the run.
  struct Sequel {
    Status status;
    bool stop = false;
    bool restart = false;  // the right-hand side is another: the past was forgotten
  };
  /// Carries out the event that the state has reached, and all that happen together with it. Returns
  /// inconsistent, with the rows named, for velocities or positions that violate the constraints, chattering for events
  /// whose times accumulate.
  Sequel carry_out(const Occurrence<T>& event, State<T>& state);
  /// Samples the discrete-time blocks if it is time.
  Sequel sample(State<T>& state);
  /// Bases of coordinates on Lie groups follow a state that is far from them.
  Sequel follow_bases(State<T>& state);

  const std::vector<EventTally<T>>& tallies() const { return tallies_; }
  /// In order of time; at most the first 100 000.
  const std::vector<Occurrence<T>>& occurrences() const { return occurrences_; }
  long samplings() const { return samplings_; }
  /// "unwatched": what may have been missed.
  std::optional<Warning> warning() const {
    if (hidden_.unwatched().empty()) return {};
    return Warning{"unwatched", hidden_.unwatched()};
  }

 private:
  // What iterations and dense output leave of a function that does not change, in round-offs of it.
  static constexpr double round_offs = 100;
  // What the watch keeps of one event.
  struct Watched {
    int sign = 0;          // of its function at the end of the last step; 0: just passed zero
    int side = 0;          // the sign from which it came when it took place last; 0: none
    bool due = false;      // takes place together with the event at hand
    bool contact = false;  // of an impact, and of a jump that turned its function back: it must come back or rests
    T zero{0};             // of a contact: where its function is, not beyond zero, since it took place last
    T round_off{0};        // of a function that was left at zero: until it is beyond this it has no sign
    T crossing{0};         // in the part of a step at hand; infinite: none
    T last{-std::numeric_limits<double>::infinity()}, interval{0};  // time it took place last, and since the one before
    int close = 0;                                                  // the last so many intervals were too short
  };

  Watched& watched(Index event) { return watched_[static_cast<std::size_t>(event)]; }
  EventTally<T>& tally(Index event) { return tallies_[static_cast<std::size_t>(event)]; }
  bool is(Index event, Consequence consequence) const {
    return tallies_[static_cast<std::size_t>(event)].event.consequence == consequence;
  }
  T together(const T& t) const;
  T range(Index event) { return std::max(T(-tally(event).least), tally(event).largest); }
  int sign(Index event, const T& g) const;
  bool waits(Index event) const;
  void evaluate(const T& t, const Vector<T>& y);
  void take_note();
  T function(Index event, const State<T>& from, const State<T>& to, const T& t);
  T root(Index event, const State<T>& from, const State<T>& to, T a, T b);
  T last_return(Index event, const State<T>& from, const State<T>& to, const T& before, const T& now);
  T change_ahead(Index event, const State<T>& state);
  bool turns_back(Index event, const State<T>& state) {
    return T(watched(event).side) * change_ahead(event, state) > T(round_offs) * epsilon<T>() * range(event);
  }
  T crossing(Index event, const State<T>& from, const State<T>& to, const T& before, const T& now);
  bool crossed(Index event, int now) const;
  const std::vector<T>& times_to_look_at(const State<T>& from, const State<T>& to);
  int resolving_parts(const State<T>& from, const State<T>& to);
  bool are_smooth(const State<T>& from, const State<T>& to, int n);
  std::optional<Occurrence<T>> search(const State<T>& from, const State<T>& to, const T& before, const T& now);
  void observe(Occurrence<T> event, const State<T>& from, const State<T>& to);
  void find_slope(const Occurrence<T>& event, const State<T>& from, const State<T>& to);
  T distance(const Occurrence<T>& event, const State<T>& state);
  void adopt_sign(Index event, const T& g);
  bool settle(Index event, const State<T>& state);
  void record(const Occurrence<T>& event);
  Index next_due() const;
  Sequel take_place(Index event, State<T>& state);
  Sequel changed_coordinates(bool kept, State<T>& state);
  void take_over(Index event, const State<T>& state);
  Sequel consequence(Index event, State<T>& state);
  Status check_interval(Index event, const T& t);
  Status forget(State<T>& state);

  Model<T>& model_;
  System<T>& system_;
  Stepper<T>& stepper_;
  EventFunctions<T> functions_;
  MechanicalLayout layout_;
  HiddenCrossings<T> hidden_;
  Matrix<T> samples_;                                     // values of the functions (rows) over a step
  std::vector<typename HiddenCrossings<T>::Look> looks_;  // by the events
  T period_, length_;
  std::vector<EventTally<T>> tallies_;
  std::vector<Occurrence<T>> occurrences_;
  std::vector<Watched> watched_;
  T slope_{0};  // of the function of the event found last
  long samplings_ = 0;
  T sampled_{-std::numeric_limits<double>::infinity()};  // time of the last one
  State<T> trial_;                                       // of a step to an event that is only observed
  Vector<T> y_, g_, values_, before_;
};

}  // namespace daelab
