// Conditions in the equations that change with time, under error control: steps end where they do, because an error
// estimate does not see what happens between the evaluations of a step.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/integration/enclosed_step.hpp"
#include "core/integration/time_breaks.hpp"

namespace daelab {

/// Conditions of time alone change at times known ahead; changes of conditions that depend on the motion, too, are
/// found in the dense output of each step. Of conditions that do not depend on time it knows nothing: error control
/// meets these. Belongs to one run.
template <class T>
class ConditionWatch {
 public:
  ConditionWatch(Model<T>& model, System<T>& system, const T& start, const T& end);

  /// Latest end of a step from t; infinite: no limit.
  T next_stop(const T& t) { return breaks_.next(t).before; }
  /// The time of a step end: right before the end of the run, where the equations change as well, that end.
  T shown(const T& t) { return breaks_.next(t).before == t && breaks_.next(t).after == end_ ? end_ : t; }
  /// Time right before the first change within a step: the step must be repeated to end there.
  std::optional<T> first_change(const State<T>& from, const State<T>& to);
  /// The state that has come to a change goes over it, whereupon begin_anew() is to follow. False where there is none.
  bool pass(State<T>& state);
  /// Changes at which steps have ended: the first 1000.
  const std::vector<T>& changes() const { return changes_; }
  /// After a change the past is of no use, and derivatives are others.
  Status begin_anew(State<T>& state);
  /// "unwatched"
  std::optional<Warning> warning() const;

 private:
  using Functions = std::vector<std::unique_ptr<EnclosedStep<T>>>;
  Functions& functions_of_mode();
  bool changes_too_often(const T& t);
  double first_change(EnclosedStep<T>& function, double begin, double end);

  Model<T>& model_;
  System<T>& system_;
  T start_, end_;
  MechanicalLayout layout_;
  TimeBreaks<T> breaks_;
  std::map<const Forms*, Functions> known_;
  RootIsolation isolation_;
  T near_;                                                    // what is closer than this is at the same time
  std::optional<typename TimeBreaks<T>::Break> change_ = {};  // found in the step at hand
  std::vector<T> changes_;
  T last_change_;          // of a condition of the motion, where steps were cut or not
  int close_changes_ = 0;  // in succession
  std::string unwatched_;
};

}  // namespace daelab
