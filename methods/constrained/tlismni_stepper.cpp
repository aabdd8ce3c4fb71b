#include "methods/constrained/tlismni_stepper.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/equations/local_coordinates.hpp"
#include "core/equations/mechanical_system.hpp"
#include "core/integration/large_mechanism.hpp"
#include "core/integration/pi_controller.hpp"

namespace daelab {
namespace {

// The past in State::memory: of the last step's start a, q and v, and s at its end. Each (n).
template <class T>
struct TwoLoopMemory {
  Vector<T> a, s, q, v;
  bool operator==(const TwoLoopMemory&) const = default;
};

// Coefficients of h^3 a' and h^3 a'' in what a step of the formula leaves of q and v, for step ratio w.
template <class T>
struct LeadingErrors {
  T q, v;
};

// q = q* + c_q a, v = v* + c_v a.
template <class T>
class StepFormula {
 public:
  StepFormula(const TwoLoopScheme& scheme, Index n)
      : multistep_(scheme.formula == TwoLoopFormula::bdf2),
        alpha_(static_cast<T>(scheme.alpha)),
        gamma_(T(1) / T(2) + alpha_),
        beta_((T(1) + alpha_) * (T(1) + alpha_) / T(4)) {
    for (Vector<T>* x : {&q_, &v_, &s_}) x->setZero(n);
  }

  const Vector<T>& q() const { return q_; }
  const Vector<T>& v() const { return v_; }
  const T& c_q() const { return c_q_; }
  const T& c_v() const { return c_v_; }
  const LeadingErrors<T>& errors() const { return errors_; }

  /// For a step of size h from (q, v, a); w: its ratio to the one before, 0: there is none.
  void start(const auto& q, const auto& v, const auto& a, const TwoLoopMemory<T>& past, const T& h, const T& w) {
    if (multistep_ && w > T(0))
      start_bdf2(q, v, past, h, w);
    else
      start_hht(q, v, a, past, h, w);
  }
  /// s at the end of a step from a_n to a.
  void lagging(const auto& a_n, const Vector<T>& a, auto&& s) const { s = (T(1) - alpha_) * a + alpha_ * a_n; }

 private:
  void start_hht(const auto& q, const auto& v, const auto& a, const TwoLoopMemory<T>& past, const T& h, const T& w) {
    s_ = a;
    if (w > T(0)) s_ += w * (past.s - a);
    c_v_ = h * gamma_ * (T(1) - alpha_), c_q_ = h * h * beta_ * (T(1) - alpha_);
    v_ = v + h * ((T(1) - gamma_) * s_ + (gamma_ * alpha_) * a);
    q_ = q + h * v + (h * h) * ((T(1) / T(2) - beta_) * s_ + (beta_ * alpha_) * a);
    errors_ = {beta_ - alpha_ / T(2) - T(1) / T(6), gamma_ / T(2) - gamma_ * alpha_ + alpha_ / T(2) - T(1) / T(6)};
  }
  void start_bdf2(const auto& q, const auto& v, const TwoLoopMemory<T>& past, const T& h, const T& w) {
    const T whole = T(1) + T(2) * w, now = (T(1) + w) * (T(1) + w) / whole, before = w * w / whole;
    const T theta = (T(1) + w) / whole;
    c_v_ = theta * h, c_q_ = c_v_ * c_v_;
    v_ = now * v - before * past.v;
    q_ = now * q - before * past.q + c_v_ * v_;
    errors_.q = errors_.v = (T(1) + w) * (T(1) + w) / (T(6) * w * whole);
  }

  bool multistep_;
  T alpha_, gamma_, beta_;
  T c_q_{0}, c_v_{0};
  LeadingErrors<T> errors_{T(0), T(0)};
  Vector<T> q_, v_, s_;
};

template <class T>
class TwoLoop final : public TypedStepper<T, TwoLoopMemory<T>>, private NewtonTarget<T> {
 public:
  TwoLoop(const TwoLoopScheme& scheme, System<T>& system, MechanicalModel<T>& model, const NewtonOptions& newton)
      : TypedStepper<T, TwoLoopMemory<T>>({.is_multistep = scheme.formula == TwoLoopFormula::bdf2}),
        system_(system),
        settings_(newton),
        norm_(newton.norm),
        layout_{model.coordinates(), model.constraints()},
        coordinates_(model, LocalBasis::partition),
        formula_(scheme, layout_.n) {
    settings_.full = true;  // every pass evaluates everything
    settings_.quadratic = false;
    if (!newton.max_iterations) settings_.max_iterations *= 4;  // it gains less than a digit a pass
    for (Vector<T>* x : {&y_, &ydot_, &error_}) x->setZero(system.size());
    for (Vector<T>* x : {&q_, &v_, &a_, &dq_, &dv_, &bend_}) x->setZero(layout_.n);
  }

  std::vector<std::string> newton_options() const override {
    std::vector<std::string> names = {"tolerance", "max_iterations"};
    if (!controlled_) names.push_back("norm");
    return names;
  }
  HeldMemory make_memory() const override {
    const Vector<T> zero = Vector<T>::Zero(layout_.n);
    return HeldMemory::of(TwoLoopMemory<T>{zero, zero, zero, zero});
  }

  Status step(const State<T>& from, const T& h, State<T>& to) override {
    from_ = &from, h_ = h, t_ = from.t + h, growths_ = 0, last_size_ = T(0);
    if (controlled_) error_norm_.weigh(from.y);
    q_ = layout_.q(from.y), v_ = layout_.v(from.y);
    if (const Status status = choose_coordinates(); !status.ok()) return status;
    const TwoLoopMemory<T>& past = this->past(from);
    formula_.start(layout_.q(from.y), layout_.v(from.y), layout_.a(from.ydot), past, h, ratio());
    a_ = layout_.a(from.ydot);
    if (ratio() > T(0)) a_ += ratio() * (layout_.a(from.ydot) - past.a);
    if (const Status status = newton<T>(settings_, *this, true, this->statistics_); !status.ok()) return status;
    ++this->statistics_.steps;
    finish(to);
    return {};
  }

  void control(const Tolerances<T>& tolerances) override {
    controlled_ = true;
    settings_.use_error_tolerances();
    error_norm_ = ErrorNorm<T>(tolerances, system_);
  }
  T first_step(const State<T>& start, const T& length) const override {
    return starting_step(system_, error_norm_, start, length, 3);
  }

  // By differences of accelerations: h a' and h^2 a''; without a past the second one is taken as large as the first.
  StepDecision<T> judge(const State<T>& from, const T& h, State<T>& to, int failures) override {
    const T w = ratio();
    dq_ = layout_.a(to.ydot) - layout_.a(from.ydot);
    bend_ = dq_;
    if (w > T(0)) bend_ = (T(2) * w / (T(1) + w)) * (dq_ - w * (layout_.a(from.ydot) - this->past(from).a));
    error_.head(layout_.n) = (formula_.errors().q * h * h) * dq_;
    error_.segment(layout_.n, layout_.n) = (formula_.errors().v * h) * bend_;
    StepDecision<T> decision = controller_.judge(error_norm_(error_), h, failures, from.control, to.control);
    // Where the outer loop contracts slowly a longer step would fail: its rate grows like h at least.
    if (decision.accepted && decision.h * rate_ > h / T(2)) decision.h = h / (T(2) * rate_);
    return decision;
  }

 private:
  static constexpr int patience = 3;  // passes that may grow before it is said not to contract

  T ratio() const { return from_->memory_step > T(0) ? T(h_ / from_->memory_step) : T(0); }

  Status choose_coordinates() { return layout_.m == 0 ? Status{} : coordinates_.choose(from_->t, q_, v_); }

  Status linearize() override { return {}; }  // nothing is

  // A pass of the outer loop, with the accelerations of the last one.
  Status evaluate() override {
    if (growths_ >= patience)
      return {StatusCode::newton_diverged,
              "the outer loop does not contract: forces are too stiff for this step, for it takes no derivatives of "
              "them; take smaller steps, or local-trapezoidal:iteration=newton, bdf or radau-iia"};
    q_ = formula_.q() + formula_.c_q() * a_;
    v_ = formula_.v() + formula_.c_v() * a_;
    if (layout_.m > 0) {
      if (const Status status = coordinates_.lift(t_, q_, v_); !status.ok()) return status;
    }
    y_ = from_->y;
    y_.head(layout_.n) = q_, y_.segment(layout_.n, layout_.n) = v_;
    ++this->statistics_.residuals, ++this->statistics_.factorizations, ++this->statistics_.back_solves;
    return system_.consistent_derivatives(t_, y_, ydot_);
  }

  void correct(const T& /*relaxation*/) override {
    dq_ = formula_.c_q() * (layout_.a(ydot_) - a_), dv_ = formula_.c_v() * (layout_.a(ydot_) - a_);
    a_ = layout_.a(ydot_);
    const T size = correction_size();
    const bool shows_rate = last_size_ > settings_.floor && size > T(0);
    if (shows_rate) {
      rate_ = size / last_size_;
      growths_ = rate_ >= T(1) ? growths_ + 1 : 0;
    } else if (last_size_ == T(0)) {
      rate_ = T(0);
    }
    last_size_ = size;
  }

  T residual_size() override { return correction_size(); }
  T correction_size() override {
    using std::abs;
    if (controlled_) {
      error_.head(layout_.n) = dq_, error_.segment(layout_.n, layout_.n) = dv_;
      return error_norm_(error_);
    }
    const bool scaled = norm_ == Norm::scaled;
    NormOf<T> norm(norm_);
    for (Index i = 0; i < layout_.n; ++i) {
      norm.add(scaled ? T(dq_[i] / (T(1) + abs(q_[i]))) : dq_[i]);
      norm.add(scaled ? T(dv_[i] / (T(1) + abs(v_[i]))) : dv_[i]);
    }
    return norm.value();
  }

  // The last pass is the end of the step: what its accelerations still miss of the formula is below the tolerance.
  void finish(State<T>& to) {
    const State<T>& from = *from_;
    to.t = t_, to.y = y_, to.ydot = ydot_;
    to.compensation.setZero();
    TwoLoopMemory<T>& memory = this->past(to);
    memory.a = layout_.a(from.ydot);
    memory.q = layout_.q(from.y), memory.v = layout_.v(from.y);
    formula_.lagging(layout_.a(from.ydot), a_, memory.s);
    to.memory_step = h_;
  }

  System<T>& system_;
  NewtonSettings<T> settings_;
  Norm norm_;
  MechanicalLayout layout_;
  LocalCoordinates<T> coordinates_;
  StepFormula<T> formula_;
  bool controlled_ = false;
  ErrorNorm<T> error_norm_;
  PiController<T> controller_{3, 2};

  const State<T>* from_ = nullptr;
  T h_{0}, t_{0};
  T rate_{0}, last_size_{0};              // of corrections
  int growths_ = 0;                       // of them, one after another
  Vector<T> y_, ydot_, error_;            // (N)
  Vector<T> q_, v_, a_, dq_, dv_, bend_;  // (n)
};

}  // namespace

template <class T>
std::unique_ptr<Stepper<T>> make_two_loop(const TwoLoopScheme& scheme, System<T>& system, MechanicalModel<T>& model,
                                          const NewtonOptions& newton) {
  refuse_large("tlismni", model.coordinates());
  if (!system.facts().explicit_form_refusal.empty() || system.facts().stabilizes)
    throw NotApplicable(
        "tlismni imposes all constraint levels itself, with accelerations as a function of (q, v): use the index-1 "
        "formulation");
  return std::make_unique<TwoLoop<T>>(scheme, system, model, newton);
}

#define DAELAB_INSTANTIATE(T)                                                                                  \
  template std::unique_ptr<Stepper<T>> make_two_loop<T>(const TwoLoopScheme&, System<T>&, MechanicalModel<T>&, \
                                                        const NewtonOptions&);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
