// The explicit steps that BDF starts with: a past of the full order from the first step on, and after an event.
#pragma once

#include "core/base/makes.hpp"
#include "core/integration/method.hpp"
#include "methods/multistep/bdf_stepper.hpp"
#include "methods/multistep/counted_step.hpp"

namespace daelab {

/// Of fixed steps: of a higher order than the formulas.
inline constexpr SpecText bdf_start{"runge-kutta:tableau=cooper-verner"};
/// Of restarts with error control: with an estimate, and no more stages than it takes.
inline constexpr SpecText bdf_restart{"runge-kutta:tableau=dormand-prince"};

/// What an explicit start integrates: (y' differential, y algebraic) as functions of the differential components, which
/// every form can tell.
template <class T>
class StateSpaceForm final : public System<T> {
 public:
  explicit StateSpaceForm(System<T>& system) : System<T>(facts_of(system)), system_(system) {}
  void residual(const T& t, const Vector<T>& y, const Vector<T>& ydot, Vector<T>& F) override {
    system_.residual(t, y, ydot, F);
  }
  std::unique_ptr<Linearization<T>> linearization() override { return system_.linearization(); }
  Status consistent_derivatives(const T& t, Vector<T>& y, Vector<T>& ydot) override {
    return system_.consistent_derivatives(t, y, ydot);
  }
  Status start_step(const T& t, const T& h, const Vector<T>& y) override { return system_.start_step(t, h, y); }
  Status project(const T& t, Vector<T>& y) override { return system_.project(t, y); }
  Forms* forms() override { return system_.forms(); }
  void correction_weights(const T& h, const Vector<T>& y, Vector<T>& w) const override {
    system_.correction_weights(h, y, w);
  }

 private:
  static SystemFacts facts_of(const System<T>& system) {
    return {.size = system.size(),
            .differential = system.differential(),
            .index = system.index(),
            .positions = system.positions(),
            .projects = system.projects()};
  }
  System<T>& system_;
};

/// The steps themselves. A run with error control that goes on by them after an event takes as many as the order to go
/// on with: the first implicit one can be judged then. Not where they failed twice, as they do where the equations are
/// stiff.
template <class T>
class BdfStart {
 public:
  BdfStart(const BdfSettings& settings, System<T>& system)
      : form_(system), settings_(settings), resumes_(settings.restart == BdfRestart::runge_kutta) {}

  void control(const Tolerances<T>& tolerances) {
    if (!resumes_) return;
    restart_ = settings_.restart_method().stepper(form_, {});
    restart_->control(tolerances);
  }
  /// Whether a restart goes on as it was before: the past was forgotten in the middle of a run.
  bool resumes(const State<T>& start) const { return resumes_ && start.control.pace.order > 0; }
  /// Whether the step from here is one of a restart.
  bool restarts(const State<T>& from, const BdfHistory<T>& past) const {
    if (!resumes(from) || from.control.order == 1) return false;
    return from.memory_step == T(0) || (past.order == 0 && past.steps < past.next_order);
  }

  /// A step with fixed steps, or one of a restart.
  Status step(bool restarts, const State<T>& from, const T& h, State<T>& to, Statistics& statistics) {
    if (!restarts && !start_) start_ = settings_.start().stepper(form_, {});  // error control does without it
    return counted_step(restarts ? *restart_ : *start_, from, h, to, statistics);
  }
  /// The decision on one of a restart, by the embedded estimate. The steps are equal unless one fails.
  StepDecision<T> judge(const State<T>& from, const T& h, State<T>& to, int failures) {
    StepDecision<T> decision = restart_->judge(from, h, to, failures);
    if (decision.accepted) decision.h = h;
    to.control.order = decision.accepted || failures == 0 ? 0 : 1;
    return decision;
  }

 private:
  StateSpaceForm<T> form_;
  BdfSettings settings_;
  bool resumes_;
  std::unique_ptr<Stepper<T>> start_, restart_;
};

}  // namespace daelab
