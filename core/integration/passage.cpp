#include "core/integration/passage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/integration/condition_watch.hpp"

namespace daelab {
namespace {

template <class T>
bool all_finite(const Vector<T>& y) {
  using std::abs;
  T sum(0);
  for (const T& x : y) sum += abs(x);
  return sum <= std::numeric_limits<T>::max();
}

}  // namespace

template <class T>
Status at_time(Status status, const T& t) {
  status.cause += fmt::format(" (step from t = {:.6g})", static_cast<double>(t));
  return status;
}

template <class T>
Passage<T>::Passage(Stepper<T>& stepper, State<T>& state, const std::vector<Observer<T>*>& observers,
                    Interruptions<T>& interruptions)
    : stepper_(stepper), state_(state), observers_(observers), interruptions_(interruptions), watch_(nullptr) {
  if (interruptions.watch != nullptr && !interruptions.watch->idle()) watch_ = interruptions.watch;
}

template <class T>
Status Passage<T>::begin() {
  if (!interruptions_.resumes) {
    state_.memory = stepper_.make_memory();
    state_.memory_step = T(0);
    state_.control = {};
  }
  if (watch_ != nullptr)
    if (Status status = watch_->start(state_); !status.ok()) return status;
  for (Guard<T>* guard : interruptions_.guards) guard->start(state_);
  for (Observer<T>* observer : observers_) observer->start(state_);
  const Status status = pass_change();
  next_ = state_;
  return status;
}

template <class T>
T Passage<T>::next_stop(const T& end) const {
  T stop = watch_ != nullptr ? std::min(end, watch_->next_sampling(state_.t)) : end;
  if (interruptions_.conditions != nullptr) stop = std::min(stop, interruptions_.conditions->next_stop(state_.t));
  return stop;
}

template <class T>
Status Passage<T>::step(const T& h, const T& end) {
  const Status status = stepper_.step(state_, h, next_);
  state_.memory.keep(next_.memory);
  return status.ok() ? reach(end) : status;
}

template <class T>
Status Passage<T>::reach(const T& end) {
  next_.t = end;
  if (all_finite(next_.y) && all_finite(next_.ydot)) return {};
  return {StatusCode::non_finite, "the state is not finite"};
}

template <class T>
Attempt<T> Passage<T>::attempt(const T& h, const T& end, int failures) {
  Attempt<T> attempt{h, state_.control.order, stepper_.attempt(state_, h, next_)};
  attempt.completed = attempt.status.ok();
  if (attempt.completed) attempt.status = reach(end);
  if (attempt.status.ok()) {
    attempt.decision = stepper_.judge(state_, h, next_, failures);
    state_.control = next_.control;
    if (!(attempt.decision.error <= std::numeric_limits<T>::max()))
      attempt.status = {StatusCode::non_finite, "the error estimate is not finite"};
  }
  state_.memory.keep(next_.memory);
  return attempt;
}

template <class T>
Attempt<T> Passage<T>::own_step(const T& stop) {
  Attempt<T> attempt{T(stop - state_.t), 0, stepper_.step_towards(state_, stop, next_)};
  attempt.completed = attempt.status.ok();
  if (!attempt.completed) return attempt;
  attempt.status = reach(std::min(next_.t, stop));
  attempt.h = next_.t - state_.t;
  attempt.decision = stepper_.judge(state_, attempt.h, next_, 0);
  return attempt;
}

template <class T>
void Passage<T>::tell(const Attempt<T>& attempt) {
  for (Observer<T>* observer : observers_)
    observer->attempt({state_.t, attempt.h, attempt.status, attempt.decision, stepper_.statistics()});
}

template <class T>
void Passage<T>::drop(const Attempt<T>& attempt) {
  stepper_.count_rejection(attempt.completed);
  tell(attempt);
}

template <class T>
typename Passage<T>::Ending Passage<T>::end_at_event() {
  Ending ending;
  if (interruptions_.conditions != nullptr) cut_at_change(ending);
  if (!ending.status.ok() || watch_ == nullptr) return ending;
  ending.event = watch_->locate(state_, next_);
  ending.status = watch_->status();
  if (!ending.status.ok() || !ending.event) return ending;
  ending.at_change = false;
  if (ending.event->t == state_.t || !(ending.event->t < next_.t)) return ending;
  ending.shortened = true;
  ending.status = watch_->land(*ending.event, state_, next_);
  return ending;
}

template <class T>
void Passage<T>::cut_at_change(Ending& ending) {
  const std::optional<T> change = interruptions_.conditions->first_change(state_, next_);
  if (!change) return;
  stepper_.count_rejection(true);
  next_.t = *change;
  ending.status = step(T(*change - state_.t), *change);
  ending.shortened = ending.at_change = true;
}

template <class T>
typename Passage<T>::Sequel Passage<T>::accept(const Ending& ending) {
  if (interruptions_.conditions != nullptr) next_.t = interruptions_.conditions->shown(next_.t);
  const bool at_start = ending.event && ending.event->t == state_.t;
  const Status status = at_start ? Status{} : move_on();
  if (at_start || !status.ok()) stepper_.count_rejection(true);
  if (!status.ok()) return {status};
  const Sequel sequel = follow(ending);
  stopped_ = sequel.stop;
  return sequel;
}

// Unless a guard objects.
template <class T>
Status Passage<T>::move_on() {
  for (Guard<T>* guard : interruptions_.guards)
    if (Status status = guard->check(state_, next_); !status.ok()) return status;
  for (Observer<T>* observer : observers_) observer->step(state_, next_);
  std::swap(state_, next_);
  return {};
}

// What follows at the end of a step: from the event it ends at, from a change of the equations, from a sampling time.
template <class T>
typename Passage<T>::Sequel Passage<T>::follow(const Ending& ending) {
  Sequel sequel;
  if (ending.event) sequel = watch_->carry_out(*ending.event, state_);
  if (!sequel.status.ok() || sequel.stop) return sequel;
  sequel.status = pass_change(), sequel.restart |= changed_;
  if (!sequel.status.ok() || interruptions_.watch == nullptr) return sequel;
  const Sequel moved = interruptions_.watch->follow_bases(state_);
  if (sequel.restart |= moved.restart; !moved.status.ok() || watch_ == nullptr)
    return {moved.status, false, sequel.restart};
  const Sequel sampled = watch_->sample(state_);
  return {sampled.status, false, sequel.restart || sampled.restart};
}

template <class T>
Status Passage<T>::pass_change() {
  ConditionWatch<T>* const conditions = interruptions_.conditions;
  changed_ = conditions != nullptr && conditions->pass(state_);
  return changed_ ? conditions->begin_anew(state_) : Status{};
}

template <class T>
Status Passage<T>::explained(Status status, const T& h) {
  Model<T>* model = interruptions_.model;
  if (status.code != StatusCode::non_finite || model == nullptr) return status;
  State<T> next = state_;
  model->seek_domain_error();
  stepper_.step(state_, h, next);
  if (const std::string equation = model->domain_error(); !equation.empty()) status.cause += "; " + equation;
  return status;
}

#define DAELAB_INSTANTIATE(T)                   \
  template Status at_time<T>(Status, const T&); \
  template class Passage<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
