#include "methods/constrained/half_explicit_stepper.hpp"

#include <fmt/format.h>

#include <optional>

#include "core/accelerations/two_point_accelerations.hpp"
#include "core/equations/mechanical_system.hpp"
#include "core/integration/linear_combination.hpp"
#include "core/integration/pi_controller.hpp"
#include "core/integration/stiffness_watch.hpp"
#include "core/start/consistent_start.hpp"

namespace daelab {
namespace {

// Weights of the difference of both solutions, for the slopes of stages and those at both ends.
Vector<Real100> difference(const HalfExplicitScheme& scheme) {
  Vector<Real100> weights = -scheme.embedded;
  weights.head(scheme.tableau.stages()) += scheme.tableau.b;
  return weights;
}

template <class T>
class HalfExplicit final : public Stepper<T> {
 public:
  HalfExplicit(const HalfExplicitScheme& scheme, std::shared_ptr<const Once<double>> stability_limit, System<T>& system,
               MechanicalModel<T>& model)
      : system_(system),
        stability_limit_(std::move(stability_limit)),
        layout_{model.coordinates(), model.constraints()},
        stages_(scheme.tableau.stages()),
        explicit_stages_(scheme.explicit_first_stage() ? 1 : 0),
        exponent_(scheme.estimate_exponent()),
        A_(scheme.tableau.A.template cast<T>()),
        constrained_(scheme.constrained.template cast<T>()),
        b_(scheme.tableau.b.template cast<T>()),
        c_(scheme.tableau.c.template cast<T>()),
        constrained_c_(Vector<Real100>(scheme.constrained.rowwise().sum()).template cast<T>()),
        difference_(difference(scheme).template cast<T>()),
        controller_(exponent_, scheme.tableau.claimed_order),
        accelerations_(model),
        sum_(stages_ + 2),
        slopes_(Matrix<T>::Zero(2 * layout_.n, stages_)),
        increment_(Vector<T>::Zero(system.size())),
        error_(Vector<T>::Zero(system.size())),
        zero_(Vector<T>::Zero(system.size())),
        a_(Vector<T>::Zero(layout_.n)) {}

  Status step(const State<T>& from, const T& h, State<T>& to) override {
    stage_.t = from.t, stage_.q = layout_.q(from.y), stage_.v = layout_.v(from.y);
    if (explicit_stages_ == 1) {
      slopes_.col(0) = from.ydot.head(slopes_.rows());
      begin_stage(from, h, 1);
    }
    for (Index i = explicit_stages_; i < stages_; ++i)
      if (const Status status = stage(from, h, i); !status.ok()) return status;
    to.t = from.t + h;
    add_increment(from, increment_, increment_.size(), to);
    ++this->statistics_.steps;
    count();
    return system_.consistent_derivatives(to.t, to.y, to.ydot);
  }

  void control(const Tolerances<T>& tolerances) override {
    error_norm_ = ErrorNorm<T>(tolerances, system_);
    stiffness_.emplace(system_, stability_limit_->get([this] {
      return real_stability_limit(A_.template cast<double>(), b_.template cast<double>());
    }));
  }

  T first_step(const State<T>& start, const T& length) const override {
    return starting_step(system_, error_norm_, start, length, exponent_);
  }

  StepDecision<T> judge(const State<T>& from, const T& h, State<T>& to, int failures) override {
    sum_.clear();
    for (Index j = 0; j < stages_; ++j) sum_.add(h * difference_[j], slopes_.col(j).data());
    sum_.add(h * difference_[stages_], from.ydot.data());
    sum_.add(h * difference_[stages_ + 1], to.ydot.data());
    sum_.evaluate(zero_.data(), slopes_.rows(), error_.data());
    error_norm_.weigh(from.y);
    const StepDecision<T> decision = controller_.judge(error_norm_(error_), h, failures, from.control, to.control);
    if (decision.accepted) watch_stiffness(h, to);
    return decision;
  }

 private:
  // From (Q_i, V_i) in stage_ to those of the next one. The step end takes in what the sums lost so far.
  Status stage(const State<T>& from, const T& h, Index i) {
    const Index n = layout_.n;
    const bool last = i == stages_ - 1;
    slopes_.col(i).head(n) = stage_.v;
    slopes_.col(i).tail(n).setZero();
    sum_slopes(last ? from.compensation : zero_, h, constrained_, i, i + 1);
    place(from, last ? T(1) : constrained_c_[i], h, target_);
    count();
    const T weight = h * constrained_(i, i);
    if (const Status status = accelerations_.solve(stage_, target_, weight, a_); !status.ok()) return status;
    slopes_.col(i).tail(n) = a_;
    if (last)
      increment_.segment(n, n) += weight * a_;
    else
      begin_stage(from, h, i + 1);
    return {};
  }

  void begin_stage(const State<T>& from, const T& h, Index i) {
    sum_slopes(zero_, h, A_, i, i);
    place(from, c_[i], h, stage_);
  }
  // increment_: to `start`, h times a row of coefficients times the first slopes.
  void sum_slopes(const Vector<T>& start, const T& h, const Matrix<T>& coefficients, Index row, Index count) {
    sum_.clear();
    for (Index j = 0; j < count; ++j) sum_.add(h * coefficients(row, j), slopes_.col(j).data());
    sum_.evaluate(start.data(), slopes_.rows(), increment_.data());
  }
  void place(const State<T>& from, const T& c, const T& h, MotionPoint<T>& point) const {
    point.t = from.t + c * h;
    point.q = layout_.q(from.y) + layout_.q(increment_);
    point.v = layout_.v(from.y) + layout_.v(increment_);
  }

  void watch_stiffness(const T& h, const State<T>& to) {
    long evaluations = 0;
    if (const auto text = stiffness_->see(to, h, evaluations)) this->warn("stiff", *text);
    for (; evaluations > 0; --evaluations) count();
  }
  // One evaluation with its linear system.
  void count() {
    ++this->statistics_.residuals;
    ++this->statistics_.factorizations;
    ++this->statistics_.back_solves;
  }

  System<T>& system_;
  std::shared_ptr<const Once<double>> stability_limit_;
  MechanicalLayout layout_;
  Index stages_, explicit_stages_;
  int exponent_;
  Matrix<T> A_, constrained_;                     // (s, s)
  Vector<T> b_, c_, constrained_c_, difference_;  // (s), the last one (s + 2)
  PiController<T> controller_;
  TwoPointAccelerations<T> accelerations_;
  ErrorNorm<T> error_norm_;
  std::optional<StiffnessWatch<T>> stiffness_;
  LinearCombination<T> sum_;
  MotionPoint<T> stage_, target_;
  Matrix<T> slopes_;                    // (2n, s) V_j over V'_j
  Vector<T> increment_, error_, zero_;  // (N)
  Vector<T> a_;                         // (n)
};

}  // namespace

template <class T>
std::unique_ptr<Stepper<T>> make_half_explicit(const HalfExplicitScheme& scheme,
                                               std::shared_ptr<const Once<double>> stability_limit, System<T>& system,
                                               MechanicalModel<T>& model) {
  if (model.nonholonomic() > 0)
    throw NotApplicable("half-explicit methods need holonomic constraints: a stage is linear in its velocities then");
  const Index n = model.coordinates(), m = model.constraints();
  if (system.size() != 2 * n + m || (m > 0 && system.index() != 2))
    throw NotApplicable(
        "half-explicit methods impose the velocity level of the constraints: use the index-2 "
        "formulation");
  if (const auto rank = analyse_start(model, model.initial_q(), model.initial_v()).rank; rank < m)
    throw NotApplicable(
        fmt::format("half-explicit methods need independent constraints, and C_q has rank {} of {}: choose an explicit "
                    "method on projected, or an implicit one on index-2 or ggl",
                    rank, m));
  return std::make_unique<HalfExplicit<T>>(scheme, std::move(stability_limit), system, model);
}

#define DAELAB_INSTANTIATE(T)                                 \
  template std::unique_ptr<Stepper<T>> make_half_explicit<T>( \
      const HalfExplicitScheme&, std::shared_ptr<const Once<double>>, System<T>&, MechanicalModel<T>&);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
