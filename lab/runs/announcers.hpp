// The observers that tell the listener of a run.
#pragma once

#include <type_traits>

#include "core/integration/observers.hpp"
#include "lab/runs/recorded.hpp"
#include "lab/runs/run.hpp"

namespace daelab {

// Hands the states of a run to a listener.
template <class T>
class StateAnnouncer final : public Observer<T> {
 public:
  StateAnnouncer(Model<T>& model, const System<T>& system, const MechanicalLayout& layout, RunListener& listener)
      : model_(model), system_(system), layout_(layout), listener_(listener) {}
  void start(const State<T>& state) override { tell(state); }
  void step(const State<T>& /*from*/, const State<T>& to) override { tell(to); }
  /// A state in the first chart.
  void pass_on(const State<T>& state) {
    if constexpr (std::is_same_v<T, double>)
      listener_.stepped(viewed(model_, layout_, state));
    else
      listener_.stepped(recorded(model_, layout_, state));
  }

 private:
  void tell(const State<T>& state) {
    if (model_.charted() == nullptr) return pass_on(state);
    State<T> moved = state;
    to_first_chart(model_, system_, moved);
    pass_on(moved);
  }

  Model<T>& model_;
  const System<T>& system_;
  const MechanicalLayout& layout_;
  RunListener& listener_;
};

// Tells a listener where the run is, and what its stepper warns of.
template <class T>
class Announcer final : public Observer<T> {
 public:
  Announcer(const Stepper<T>& stepper, const Run& run, RunListener& listener)
      : stepper_(stepper),
        t_start_(static_cast<double>(run.t_start())),
        t_end_(run.t_end().as<double>()),
        listener_(listener) {}
  void start(const State<T>& state) override { tell(state.t); }
  void step(const State<T>& /*from*/, const State<T>& to) override { tell(to.t); }
  void attempt(const StepAttempt<T>& attempt) override { tell(attempt.t); }

 private:
  void tell(const T& t) {
    for (; told_ < stepper_.warnings().size(); ++told_) listener_.warned(stepper_.warnings()[told_]);
    listener_.reached(static_cast<double>(t), t_start_, t_end_);
  }
  const Stepper<T>& stepper_;
  double t_start_, t_end_;
  RunListener& listener_;
  std::size_t told_ = 0;
};

}  // namespace daelab
