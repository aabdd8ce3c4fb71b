// The functions of a model's events: at states, inside steps, and what round-off makes of them.
#pragma once

#include "core/integration/dense_output.hpp"
#include "core/integration/state.hpp"

namespace daelab {

/// Multipliers and algebraic states in them are solved for wherever a function is looked at: those of a
/// method may be less accurate than its differential components, and dense output has none.
template <class T>
class EventFunctions {
 public:
  EventFunctions(Model<T>& model, System<T>& system);

  /// One of each event at a state, into g. Where they cannot be solved for, g is left as it is, and status() tells.
  void at(const T& t, const Vector<T>& y, Vector<T>& g);
  /// Evaluates at a time within a step, ends included.
  void within(const State<T>& from, const State<T>& to, const T& t, Vector<T>& g);
  /// y of the state looked at last, with the multipliers and algebraic states that were solved for.
  const Vector<T>& y() const { return y_; }
  /// By how much the function of an event, g at the state looked at last, may change where the time and every component
  /// of y change by a part of themselves, divided by that part.
  T sensitivity(Index event, const T& g);
  /// The first failure to solve for what the functions hold.
  const Status& status() const { return status_; }

 private:
  void evaluate(Vector<T>& g);

  Model<T>& model_;
  System<T>& system_;
  DenseOutput<T> dense_output_;
  Status status_;
  T t_{0};
  Vector<T> y_, ydot_, moved_;  // moved_: functions at another state
};

}  // namespace daelab
