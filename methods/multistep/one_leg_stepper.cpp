// Steps of one-leg methods. With increments d_i = y_(n+1-i) - y_(n-i) of the past, i = 1, ..., k - 1, and x = y'* to be
// found,
//
//   y* = y_n + m + kappa x,   kappa = h beta_0/alpha_0,   m = -sum_i (B_i + (beta_0/alpha_0) A_i) d_i,
//   y_(n+1) = y_n + (h x - sum_i A_i d_i) / alpha_0,      A_i = sum_(j<=i) alpha_j,  B_i = sum_(j>i) beta_j,
//
// as sum_j alpha_j = 0 and sum_j beta_j = 1: one implicit stage, whatever k.
#include <fmt/format.h>

#include "methods/multistep/bdf_start.hpp"
#include "methods/multistep/one_leg.hpp"

namespace daelab {
namespace {

template <class T>
struct OneLegPast {
  Matrix<T> increments;  // (differential, k - 1), the newest first
  Index known = 0;       // how many of them there are
  bool operator==(const OneLegPast&) const = default;
};

template <class T>
class OneLegStepper final : public TypedStepper<T, OneLegPast<T>>, private NewtonTarget<T> {
 public:
  OneLegStepper(const OneLegScheme& scheme, System<T>& system, const NewtonOptions& options)
      : TypedStepper<T, OneLegPast<T>>({.is_multistep = true}),
        system_(system),
        N_(system.size()),
        d_(system.differential()),
        past_(scheme.formula.steps() - 1),
        ends_at_leg_(scheme.formula.beta.tail(past_ + 1).isZero(0)),
        form_(system),
        start_(scheme.start().stepper(form_, {})),
        settings_(options),
        renews_if_it_fails_(options.iteration == NewtonIteration::automatic),
        norm_(options.norm),
        linearization_(system.linearization()),
        matrix_(linearization_->real_matrix()) {
    take(scheme.formula);
    for (Vector<T>* x : {&x_, &y_, &ydot_, &F_, &weights_}) x->setZero(N_);
    for (Vector<T>* x : {&mean_, &explicit_part_, &increment_}) x->setZero(d_);
    settings_.set_tolerance(epsilon<T>());
  }

  std::vector<std::string> newton_options() const override {
    return {"name", "test", "norm", "tolerance", "max_iterations"};
  }
  HeldMemory make_memory() const override { return HeldMemory::of(OneLegPast<T>{Matrix<T>::Zero(d_, past_)}); }

  Status step(const State<T>& from, const T& h, State<T>& to) override {
    if (const Status status = system_.start_step(from.t, h, from.y); !status.ok()) return status;
    const Index known = from.memory_step == h ? this->past(from).known : 0;
    const Status status =
        known < past_ ? counted_step(*start_, from, h, to, this->statistics_) : make_step(from, h, to);
    if (status.ok()) remember(from, h, std::min(known + 1, past_), to);
    return status;
  }

 private:
  void take(const MultistepFormula& formula) {
    const Vector<Real100>&alpha = formula.alpha, &beta = formula.beta;
    Vector<Real100> slopes(past_), means(past_);
    for (Index i = 1; i <= past_; ++i) {
      slopes[i - 1] = alpha.head(i + 1).sum();
      means[i - 1] = -beta.tail(past_ + 1 - i).sum() - beta[0] / alpha[0] * slopes[i - 1];
    }
    Real100 node = 1;
    for (Index j = 1; j < beta.size(); ++j) node -= beta[j] * j;
    slopes_ = slopes.template cast<T>(), means_ = means.template cast<T>();
    node_ = static_cast<T>(node), alpha_ = static_cast<T>(alpha[0]), kappa_ = static_cast<T>(beta[0] / alpha[0]);
  }

  Status make_step(const State<T>& from, const T& h, State<T>& to) {
    from_ = &from, h_ = h, t_ = from.t + node_ * h;
    const Matrix<T>& past = this->past(from).increments;
    mean_ = from.compensation.head(d_);
    explicit_part_.setZero();
    for (Index i = past_ - 1; i >= 0; --i) {
      mean_ += means_[i] * past.col(i);
      explicit_part_ += slopes_[i] * past.col(i);
    }
    system_.correction_weights(T(kappa_ * h), from.y, weights_);
    if (const Status status = iterate(); !status.ok()) return status;
    ++this->statistics_.steps;
    return finish(to);
  }

  Status iterate() {
    start_iteration();
    const Status status = newton(settings_, *this, false, this->statistics_);
    if (status.ok() || settings_.full || !renews_if_it_fails_) return status;
    start_iteration();
    NewtonSettings<T> full = settings_;
    full.full = full.quadratic = true;
    return newton(full, *this, false, this->statistics_);
  }
  void start_iteration() {
    x_.head(d_) = from_->ydot.head(d_);
    x_.tail(N_ - d_) = from_->y.tail(N_ - d_);
  }

  // y* and y'* of the iterate.
  void load() {
    y_.head(d_) = from_->y.head(d_) + (mean_ + T(kappa_ * h_) * x_.head(d_));
    y_.tail(N_ - d_) = x_.tail(N_ - d_);
    ydot_.head(d_) = x_.head(d_);
  }
  Status linearize() override {
    load();
    linearization_->evaluate(t_, y_, ydot_);
    ++this->statistics_.jacobians;
    ++this->statistics_.factorizations;
    return matrix_->factorize(T(kappa_ * h_));
  }
  Status evaluate() override {
    load();
    ++this->statistics_.residuals;
    return system_.resolved_residual(t_, y_, ydot_, F_);
  }
  void correct(const T& relaxation) override {
    matrix_->solve(F_);
    ++this->statistics_.back_solves;
    x_ -= relaxation * F_;
  }
  T residual_size() override { return size(F_, false); }
  T correction_size() override { return size(F_, norm_ == Norm::scaled); }
  T size(const Vector<T>& x, bool scale) const {
    NormOf<T> norm(norm_);
    scale ? norm.add_all(weights_.cwiseProduct(x)) : norm.add_all(x);
    return norm.value();
  }

  Status finish(State<T>& to) {
    to.t = from_->t + h_;
    increment_ = from_->compensation.head(d_) + (h_ * x_.head(d_) - explicit_part_) / alpha_;
    to.compensation.tail(N_ - d_).setZero();
    add_increment(*from_, increment_, d_, to);
    to.y.tail(N_ - d_) = x_.tail(N_ - d_);
    to.ydot.head(d_) = x_.head(d_);
    if (ends_at_leg_) return system_.end_step(to.t, to.y, to.ydot);
    if (const Status status = system_.project(to.t, to.y); !status.ok()) return status;
    ++this->statistics_.residuals;
    return system_.consistent_derivatives(to.t, to.y, to.ydot);
  }

  void remember(const State<T>& from, const T& h, Index known, State<T>& to) const {
    OneLegPast<T>& memory = this->past(to);
    if (past_ > 0) {
      memory.increments.rightCols(past_ - 1) = this->past(from).increments.leftCols(past_ - 1);
      memory.increments.col(0) =
          (to.y.head(d_) - from.y.head(d_)) + (to.compensation.head(d_) - from.compensation.head(d_));
    }
    memory.known = known;
    to.memory_step = h;
  }

  System<T>& system_;
  Index N_, d_, past_;
  bool ends_at_leg_;  // y* is y_(n+1), as with BDF
  StateSpaceForm<T> form_;
  std::unique_ptr<Stepper<T>> start_;
  NewtonSettings<T> settings_;
  bool renews_if_it_fails_;
  Norm norm_;
  std::unique_ptr<Linearization<T>> linearization_;
  std::unique_ptr<IterationMatrix<T>> matrix_;
  Vector<T> slopes_, means_;         // (k - 1)
  T node_{0}, alpha_{1}, kappa_{1};  // t* = t_n + node h; alpha_0; beta_0/alpha_0
  const State<T>* from_ = nullptr;
  T h_{0}, t_{0};
  Vector<T> x_, y_, ydot_, F_, weights_;        // (N): y'* and z*, y*, y'*
  Vector<T> mean_, explicit_part_, increment_;  // (differential)
};

void refuse_growing_violations(const MultistepFormula& formula, int index) {
  if (index < 2) return;
  if (const double carried = carried_violation(formula); carried > 1)
    throw NotApplicable(fmt::format(
        "sigma of this formula has a zero of modulus {:.3g}: on index {} each step multiplies what is off the "
        "constraints by it. Take formula = bdf or two-step, or a form of index 1",
        carried, index));
}

}  // namespace

#define DAELAB_INSTANTIATE(T)                                                                               \
  std::unique_ptr<Stepper<T>> OneLegMethod::stepper(System<T>& system, const NewtonOptions& newton) const { \
    refuse_growing_violations(scheme_.formula, system.index());                                             \
    return std::make_unique<OneLegStepper<T>>(scheme_, system, newton);                                     \
  }
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
