// What the engines of explicit methods share: slopes y' = f(t, y) from System::consistent_derivatives(), which also
// sets the algebraic components, the end of a step with compensated summation, and dense output.
#pragma once

#include <optional>

#include "core/integration/bootstrapped_output.hpp"
#include "core/integration/state.hpp"
#include "core/integration/stiffness_watch.hpp"

namespace daelab {

/// A step ends with the slope at its end: State::ydot is the first slope of the next step and costs nothing.
template <class T>
class ExplicitStepper : public Stepper<T> {
 public:
  /// For the order of the method, where Hermite polynomials are not.
  bool interpolate(const State<T>& from, const State<T>& to, const T& t, Vector<T>& y) override {
    if (!needs_bootstrapping(order_, system_.positions() > 0)) return false;
    if (!dense_output_) dense_output_.emplace(order_, system_.size(), system_.differential());
    return (*dense_output_)(
        from, to, t, [this](const T& at, Vector<T>& x, Vector<T>& f) { return slope(at, x, f); }, y);
  }

 protected:
  /// `order`: that of the step ends; 0: unknown. Throws NotApplicable for forms without a state-space form.
  ExplicitStepper(System<T>& system, int order, const StepperFacts& facts = {})
      : Stepper<T>(facts),
        system_(system),
        order_(order),
        solves_saddle_points_(system.index() != 0 || system.positions() != 0) {
    const std::string refusal = system.facts().explicit_form_refusal;
    if (!refusal.empty()) throw NotApplicable(refusal);
  }

  /// Call at the beginning of a step.
  Status start(const State<T>& from, const T& h) { return system_.start_step(from.t, h, from.y); }

  /// ydot = f(t, y), and the algebraic components of y, which are sought from what they are.
  Status slope(const T& t, Vector<T>& y, Vector<T>& ydot) {
    count_evaluations(1);
    return system_.consistent_derivatives(t, y, ydot);
  }
  /// Slopes at four points, see System::derivatives_at_lanes().
  Status slopes(const Vector<T>& t, Matrix<T>& Y, Matrix<T>& Ydot, Index count) {
    count_evaluations(count);
    return system_.derivatives_at_lanes(t, Y, Ydot, count);
  }

  /// y_(n+1) = y_n + increment, which contains from.compensation, projected where the form asks for it, and the slope
  /// there. Entries of algebraic components are overwritten.
  Status finish(const State<T>& from, const T& h, const Vector<T>& increment, State<T>& to) {
    advance(from, h, increment, to);
    if (const Status status = system_.project(to.t, to.y); !status.ok()) return status;
    return slope(to.t, to.y, to.ydot);
  }
  /// Finishes a step whose end is a stage: to.ydot is left to the caller, unless projection has moved that. `stage`
  /// has the algebraic components there.
  Status finish_at_stage(const State<T>& from, const T& h, const Vector<T>& increment, const Vector<T>& stage,
                         State<T>& to) {
    if (system_.projects()) return finish(from, h, increment, to);
    advance(from, h, increment, to);
    const Index algebraic = system_.size() - system_.differential();
    to.y.tail(algebraic) = stage.tail(algebraic);
    return {};
  }
  /// Finishes a step that will be rejected: without projection, and with the slope at its start.
  Status give_up(const State<T>& from, const T& h, const Vector<T>& increment, State<T>& to) {
    advance(from, h, increment, to);
    to.ydot = from.ydot;
    return {};
  }

  /// From here on steps are watched for steps that stability limits: real_stability_limit() of the method.
  void watch_stiffness(double stability_limit) { stiffness_.emplace(system_, stability_limit); }
  /// The limit of the formula of the step at hand, where it is not always the same.
  void limit_stability(double limit) { stiffness_->limit_stability(limit); }
  /// The decision on a step of size h to this state, as it is.
  StepDecision<T> watched(const StepDecision<T>& decision, const T& h, const State<T>& to) {
    if (!decision.accepted || !stiffness_) return decision;
    long evaluations = 0;
    if (const auto text = stiffness_->see(to, h, evaluations)) this->warn("stiff", *text);
    count_evaluations(evaluations);
    return decision;
  }

  /// A step of another method, counted as one of this: the first ones of a multistep method.
  Status step_by(Stepper<T>& other, const State<T>& from, const T& h, State<T>& to) {
    const long before = other.statistics().residuals;
    const Status status = other.step(from, h, to);
    count_evaluations(other.statistics().residuals - before);
    ++this->statistics_.steps;
    return status;
  }

  /// Each evaluation solves one saddle-point system; of an ordinary differential equation, none.
  void count_evaluations(long count) {
    this->statistics_.residuals += count;
    if (!solves_saddle_points_) return;
    this->statistics_.factorizations += count;
    this->statistics_.back_solves += count;
  }

 private:
  void advance(const State<T>& from, const T& h, const Vector<T>& increment, State<T>& to) {
    add_increment(from, increment, increment.size(), to);
    to.t = from.t + h;
    ++this->statistics_.steps;
  }

  System<T>& system_;
  int order_;
  bool solves_saddle_points_;
  std::optional<BootstrappedOutput<T>> dense_output_;
  std::optional<StiffnessWatch<T>> stiffness_;
};

}  // namespace daelab
