// The engine of Nyström and partitioned Runge-Kutta methods (nystrom_tableau.hpp) on y' = (v, a(t, q, v)).
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "core/integration/explicit_stepper.hpp"
#include "core/integration/pi_controller.hpp"
#include "core/solvers/newton.hpp"
#include "methods/nystrom/nystrom_method.hpp"
#include "methods/nystrom/velocity_dependence.hpp"

namespace daelab {
namespace {

// Whether row i has an entry at column `from` or behind.
bool has_entry(const Matrix<Real100>& A, Index i, Index from) {
  for (Index j = from; j < A.cols(); ++j)
    if (A(i, j) != 0) return true;
  return false;
}

// A stage whose slope enters nothing: the first one of a method that begins with a drift.
bool is_idle(const NystromTableau& t, Index i, bool velocities) {
  const bool in_weights =
      t.b[i] != 0 || t.b_bar[i] != 0 || (t.b_embedded.size() > 0 && (t.b_embedded[i] != 0 || t.b_bar_embedded[i] != 0));
  return !in_weights && t.A_bar.col(i).isZero(0) && (!velocities || t.A.col(i).isZero(0));
}

template <class T>
class NystromStepper final : public ExplicitStepper<T>, private NewtonTarget<T> {
 public:
  NystromStepper(std::shared_ptr<const NystromTableau> tableau, System<T>& system, MechanicalModel<T>& model,
                 const NewtonOptions& newton)
      : ExplicitStepper<T>(system, tableau->order),
        tableau_(std::move(tableau)),
        system_(system),
        model_(model),
        settings_(newton),
        n_(system.positions()),
        s_(tableau_->stages()),
        exponent_(tableau_->embedded_order + 1),
        controller_(exponent_, tableau_->order),
        c_(tableau_->c.template cast<T>()),
        b_bar_(tableau_->b_bar.template cast<T>()),
        b_(tableau_->b.template cast<T>()),
        A_bar_(tableau_->A_bar.template cast<T>()),
        A_(tableau_->A.template cast<T>()) {
    settings_.full = true;  // every pass evaluates everything
    settings_.quadratic = false;
    settings_.set_tolerance(epsilon<T>());
    if (!newton.max_iterations) settings_.max_iterations *= 4;  // it gains a digit or two a pass
    F_.setZero(n_, s_), before_ = F_;
    for (Vector<T>* x : {&y_, &ydot_, &increment_, &error_}) x->setZero(system.size());
    if (const std::string refusal = enter_mode(); !refusal.empty()) throw NotApplicable(refusal);
  }

  std::vector<std::string> newton_options() const override {
    if (!is_implicit_) return {};
    return {"tolerance", "max_iterations"};
  }

  Status step(const State<T>& from, const T& h, State<T>& to) override {
    if (mode_ != &model_.forms())
      if (const std::string refusal = enter_mode(); !refusal.empty()) return {StatusCode::not_applicable, refusal};
    if (const Status status = this->start(from, h); !status.ok()) return status;
    from_ = &from, h_ = h, growths_ = 0, last_size_ = T(0);
    if (const Status status = make_stages(); !status.ok()) return status;
    sum(b_bar_, b_);
    increment_.head(2 * n_) += from.compensation.head(2 * n_);
    increment_.head(n_) += h * (from.y.segment(n_, n_) + from.compensation.segment(n_, n_));
    return this->finish(from, h, increment_, to);
  }

  void control(const Tolerances<T>& tolerances) override {
    if (tableau_->embedded_order == 0)
      throw NotApplicable(
          "no error estimate: the tableau has no embedded weights; choose a fixed step, or dormand-prince-rkn-64 or "
          "fine-4");
    error_norm_ = ErrorNorm<T>(tolerances, system_);
    difference_bar_ = Vector<Real100>(tableau_->b_bar - tableau_->b_bar_embedded).cast<T>();
    difference_ = Vector<Real100>(tableau_->b - tableau_->b_embedded).cast<T>();
  }
  T first_step(const State<T>& start, const T& length) const override {
    return starting_step(system_, error_norm_, start, length, exponent_);
  }
  /// The difference to the embedded solution.
  StepDecision<T> judge(const State<T>& from, const T& h, State<T>& to, int failures) override {
    h_ = h;
    sum(difference_bar_, difference_);
    error_ = increment_;
    error_norm_.weigh(from.y);
    return controller_.judge(error_norm_(error_), h, failures, from.control, to.control);
  }

 private:
  static constexpr int patience = 3;  // passes that may grow before it is said not to contract

  // Finds out what is implicit in the present mode; what is refused there.
  std::string enter_mode() {
    mode_ = &model_.forms();
    uses_velocities_ = accelerations_depend_on_velocities(system_, model_);
    if (uses_velocities_ && !tableau_->takes_velocities) return refusal_of_velocities();
    is_implicit_ = false;
    idle_.assign(static_cast<std::size_t>(s_), false);
    for (Index i = 0; i < s_; ++i) {
      idle_[static_cast<std::size_t>(i)] = is_idle(*tableau_, i, uses_velocities_);
      is_implicit_ |= has_entry(tableau_->A_bar, i, i) || (uses_velocities_ && has_entry(tableau_->A, i, i));
    }
    starts_at_start_ = tableau_->c[0] == 0 && !has_entry(tableau_->A_bar, 0, 0) &&
                       (!uses_velocities_ || !has_entry(tableau_->A, 0, 0));
    return "";
  }
  std::string refusal_of_velocities() const {
    const char* why = tableau_->A.size() == 0 ? "has no velocities at its stages"
                                              : "has its order for accelerations that depend on t and q alone";
    return fmt::format(
        "accelerations depend on velocities here, by forces, the mass matrix or constraints, and {} {}: choose "
        "stormer-verlet, lobatto-iiia-iiib-3, nystrom-4-velocities or fine-4, or a Runge-Kutta method",
        tableau_->name, why);
  }

  Status make_stages() {
    F_.col(0) = acceleration(from_->ydot);
    if (!is_implicit_) return sweep();
    for (Index i = 1; i < s_; ++i) F_.col(i) = F_.col(0);
    return newton<T>(settings_, *this, true, this->statistics_);
  }
  auto acceleration(auto& ydot) const { return ydot.segment(n_, n_); }

  // All slopes one after another, each by the slopes known so far.
  Status sweep() {
    for (Index i = starts_at_start_ ? 1 : 0; i < s_; ++i) {
      if (idle_[static_cast<std::size_t>(i)]) continue;
      place_stage(i);
      if (const Status status = this->slope(from_->t + c_[i] * h_, y_, ydot_); !status.ok()) return status;
      F_.col(i) = acceleration(ydot_);
    }
    return {};
  }
  void place_stage(Index i) {
    y_ = from_->y;
    auto q = y_.head(n_), v = y_.segment(n_, n_);
    v += from_->compensation.segment(n_, n_);
    q += from_->compensation.head(n_) + (c_[i] * h_) * v;
    const T square = h_ * h_;
    for (Index j = 0; j < s_; ++j)
      if (A_bar_(i, j) != T(0)) q += (square * A_bar_(i, j)) * F_.col(j);
    if (!uses_velocities_) return;
    for (Index j = 0; j < s_; ++j)
      if (A_(i, j) != T(0)) v += (h_ * A_(i, j)) * F_.col(j);
  }
  // increment_ := what weights make of the slopes.
  void sum(const Vector<T>& b_bar, const Vector<T>& b) {
    increment_.setZero();
    for (Index i = 0; i < s_; ++i) {
      if (b_bar[i] != T(0)) increment_.head(n_) += (h_ * h_ * b_bar[i]) * F_.col(i);
      if (b[i] != T(0)) increment_.segment(n_, n_) += (h_ * b[i]) * F_.col(i);
    }
  }

  // ----- the fixed-point iteration -----

  Status linearize() override { return {}; }  // nothing is
  Status evaluate() override {
    if (growths_ >= patience)
      return {StatusCode::newton_diverged,
              "the fixed-point iteration on the stages does not contract: forces are too stiff for this step; take "
              "smaller steps, or gauss, lobatto-pair or radau-iia"};
    before_ = F_;
    return sweep();
  }
  void correct(const T& /*relaxation*/) override {
    const T size = correction_size();
    if (last_size_ > settings_.floor) growths_ = size >= last_size_ ? growths_ + 1 : 0;
    last_size_ = size;
  }
  T residual_size() override { return correction_size(); }
  T correction_size() override {
    using std::abs;
    NormOf<T> norm;
    for (Index i = 0; i < s_; ++i)
      for (Index k = 0; k < n_; ++k) {
        const T change = h_ * (F_(k, i) - before_(k, i));
        norm.add(T(change / (T(1) + abs(from_->y[n_ + k]))));
        norm.add(T(h_ * change / (T(1) + abs(from_->y[k]))));
      }
    return norm.value();
  }

  std::shared_ptr<const NystromTableau> tableau_;
  System<T>& system_;
  MechanicalModel<T>& model_;
  NewtonSettings<T> settings_;
  Index n_, s_;
  int exponent_;
  PiController<T> controller_;
  ErrorNorm<T> error_norm_;
  Vector<T> c_, b_bar_, b_;
  Matrix<T> A_bar_, A_;
  Vector<T> difference_bar_, difference_;  // of weights, with error control

  const Forms* mode_ = nullptr;  // what follows belongs to
  bool uses_velocities_ = false, is_implicit_ = false, starts_at_start_ = false;
  std::vector<bool> idle_;

  const State<T>* from_ = nullptr;
  T h_{0}, last_size_{0};
  int growths_ = 0;       // of corrections, one after another
  Matrix<T> F_, before_;  // (n, s)
  Vector<T> y_, ydot_;    // (N)
  Vector<T> increment_, error_;
};

}  // namespace

template <class T>
std::unique_ptr<Stepper<T>> make_nystrom(std::shared_ptr<const NystromTableau> tableau, System<T>& system,
                                         const NewtonOptions& newton) {
  MechanicalModel<T>* const model = system.mechanical_model();
  if (model == nullptr || !system.has_plain_velocities() || system.differential() != 2 * system.positions())
    throw NotApplicable(
        "the method is for q' = v, v' = a(t, q, v): it needs a mechanism, on index-1 or projected; of first-order "
        "equations choose a Runge-Kutta method");
  return std::make_unique<NystromStepper<T>>(std::move(tableau), system, *model, newton);
}

#define DAELAB_INSTANTIATE(T)                                                                             \
  template std::unique_ptr<Stepper<T>> make_nystrom<T>(std::shared_ptr<const NystromTableau>, System<T>&, \
                                                       const NewtonOptions&);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
