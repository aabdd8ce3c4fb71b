// The events of a run: found by dense output, reached by a step that ends there, carried out, recorded.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/dense_output.hpp"

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
  EventWatch(MechanicalModel<T>& model, System<T>& system, Stepper<T>& stepper, const T& length);

  /// Nothing to watch: steps go on as if there were no watch.
  bool idle() const { return tallies_.empty() && period_ == T(0); }
  /// Samples the discrete-time blocks at the start, so that accelerations may change.
  Status start(State<T>& state);
  /// The first sampling time after t; infinite where there is none.
  T next_sampling(const T& t) const;

  /// The first event within a step, by dense output; not later than it takes place by more than round-off.
  std::optional<Occurrence<T>> locate(const State<T>& from, const State<T>& to);
  /// How much later than the state the event takes place, by the last slope of its function: what a step that was to
  /// end at the event is still to be changed by.
  T distance(const Occurrence<T>& event, const State<T>& state);
  /// Round-off of a time.
  T resolution(const T& t) const;

  /// What follows at the end of a step for the run.
  struct Sequel {
    Status status;
    bool stop = false;
    bool restart = false;  // the right-hand side is another: the past was forgotten
  };
  /// Carries out the event that the state has reached. Returns inconsistent, with the rows named, for velocities or
  /// positions that violate the constraints, chattering for events whose times accumulate.
  Sequel carry_out(const Occurrence<T>& event, State<T>& state);
  /// Samples the discrete-time blocks if it is time.
  Sequel sample(State<T>& state);

  const std::vector<EventTally<T>>& tallies() const { return tallies_; }
  /// In order of time; at most the first 100 000.
  const std::vector<Occurrence<T>>& occurrences() const { return occurrences_; }
  long samplings() const { return samplings_; }

 private:
  void evaluate(const T& t, const Vector<T>& y, Vector<T>& g);
  T function(Index event, const State<T>& from, const State<T>& to, const T& t);
  T root(Index event, const State<T>& from, const State<T>& to, T a, T b);
  T last_positive(Index event, const State<T>& from, const State<T>& to, const T& before, const T& now);
  std::optional<T> crossing(Index i, const State<T>& from, const State<T>& to, const T& before, const T& now, int next);
  bool crossed(Index event, int before, int now) const;
  void find_slope(const Occurrence<T>& event, const State<T>& from, const State<T>& to);
  void update_signs(const State<T>& state, bool keep_pending);
  Sequel consequence(const Event& event, Index number, State<T>& state);
  Status check_constraints(const Event& event, const State<T>& state);
  Status check_interval(const Occurrence<T>& event);
  Sequel switch_chart(State<T>& state);
  Status forget(State<T>& state);

  MechanicalModel<T>& model_;
  System<T>& system_;
  Stepper<T>& stepper_;
  DenseOutput<T> dense_output_;
  MechanicalLayout layout_;
  T period_, length_;
  std::vector<EventTally<T>> tallies_;
  std::vector<Occurrence<T>> occurrences_;
  std::vector<int> signs_;       // of each function at the end of the last step; 0: just passed zero
  std::vector<char> pending_;    // functions that passed zero together with the event at hand
  std::vector<T> last_;          // time each event took place last
  T slope_{0};                   // of the function of the event found last
  long samplings_ = 0;
  Vector<T> y_, q_, v_, a_, g_, values_;
};

}  // namespace daelab
