#include "methods/geometric/symmetric_projection_stepper.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/equations/mechanical_layout.hpp"
#include "core/integration/large_mechanism.hpp"
#include "core/solvers/linear_solver.hpp"
#include "core/start/consistent_start.hpp"
#include "methods/geometric/symmetric_base.hpp"

namespace daelab {
namespace {

template <class T>
class SymmetricProjection final : public DerivedStepper<T>, private NewtonTarget<T> {
 public:
  SymmetricProjection(std::unique_ptr<Stepper<T>> base, System<T>& system, MechanicalModel<T>& model,
                      const NewtonOptions& newton)
      : DerivedStepper<T>(std::move(base)),
        system_(system),
        model_(model),
        settings_(newton),
        n_(model.coordinates()),
        m_(model.constraints()),
        holonomic_(m_ - model.nonholonomic()),
        mass_(n_),
        of_positions_(holonomic_),
        of_velocities_(m_) {
    settings_.full = true;  // every pass evaluates everything
    settings_.quadratic = false;
    settings_.set_tolerance(epsilon<T>());
    if (!newton.max_iterations) settings_.max_iterations *= 4;
    for (Matrix<T>* x : {&W_start_, &W_end_}) x->setZero(n_, m_);
    J_.setZero(m_, n_), product_.setZero(m_, m_);
    for (Vector<T>* x : {&C_, &G_, &nu_}) x->setZero(m_);
    for (Vector<T>* x : {&mu_, &d_mu_}) x->setZero(holonomic_);
    for (Vector<T>* x : {&q_, &v_, &dq_, &dv_, &column_}) x->setZero(n_);
    d_nu_.setZero(m_), increment_.setZero(system.size());
  }

  std::vector<std::string> newton_options() const override {
    std::vector<std::string> names = this->base_->newton_options();
    for (const char* own : {"tolerance", "max_iterations"})
      if (m_ > 0 && std::ranges::find(names, own) == names.end()) names.emplace_back(own);
    return names;
  }

  Status step(const State<T>& from, const T& h, State<T>& to) override {
    from_ = &from, h_ = h, to_ = &to;
    const Status status = iterate();
    this->take_counts(own_), this->take_warnings();
    if (!status.ok()) return status;
    add_increment(end_, increment_, 2 * n_, to);
    to.t = from.t + h;
    ++this->statistics_.steps;
    return m_ == 0 ? Status{} : system_.consistent_derivatives(to.t, to.y, to.ydot);
  }

 private:
  Status iterate() {
    mu_.setZero(), nu_.setZero(), increment_.setZero();
    q_ = from_->y.head(n_), v_ = from_->y.segment(n_, n_);
    start_ = *from_, end_ = *from_, *to_ = *from_;  // for the sizes, and for what the base keeps
    if (m_ > 0)
      if (const Status status = directions(from_->t, W_start_); !status.ok()) return status;
    W_end_ = W_start_;
    if (const Status status = newton<T>(settings_, *this, true, own_); !status.ok()) return status;
    *to_ = end_;
    return {};
  }

  // W, and J_ with C_ and, in C_q v + C_t, G_ at (q_, v_).
  Status directions(const T& t, Matrix<T>& W) {
    model_.constraints_and_jacobian(t, q_, v_, C_, J_);
    model_.constraint_level(Level::velocity, t, q_, v_, v_, G_);
    model_.mass(t, q_, mass_.matrix());
    ++own_.residuals, ++own_.factorizations, own_.back_solves += m_;
    if (const Status status = mass_.factorize(); !status.ok())
      return {status.code,
              "the mass matrix is singular, and the projection weighs by its inverse: choose rattle, or "
              "radau-iia on ggl"};
    for (Index i = 0; i < m_; ++i) {
      column_ = J_.row(i).transpose();
      mass_.solve(column_);
      W.col(i) = column_;
    }
    return {};
  }

  Status linearize() override { return {}; }  // nothing is

  // A step of the base from the perturbed start, and the constraints at the perturbed end.
  Status evaluate() override {
    start_.y.head(n_) = from_->y.head(n_) + W_start_.leftCols(holonomic_) * mu_;
    start_.y.segment(n_, n_) = from_->y.segment(n_, n_) + W_start_ * nu_;
    if (m_ > 0) {
      ++own_.residuals;
      if (const Status status = system_.consistent_derivatives(start_.t, start_.y, start_.ydot); !status.ok())
        return status;
    }
    if (const Status status = this->base_->step(start_, h_, end_); !status.ok()) return status;
    if (m_ == 0) return {};
    // W at the end is that of the position it leads to: once more where that has moved.
    for (int pass = 0; pass < 2; ++pass) {
      place_end();
      if (const Status status = directions(from_->t + h_, W_end_); !status.ok()) return status;
    }
    return factorize();
  }
  void place_end() {
    q_ = end_.y.head(n_) + W_end_.leftCols(holonomic_) * mu_;
    v_ = end_.y.segment(n_, n_) + W_end_ * nu_;
  }
  // What the constraints at the end change by mu and nu, to the first order in h: J (W_n + W_(n+1)).
  Status factorize() {
    product_ = J_ * (W_start_ + W_end_);
    of_positions_.matrix() = product_.topLeftCorner(holonomic_, holonomic_);
    of_velocities_.matrix() = product_;
    own_.factorizations += 2;
    for (DenseLu<T>* lu : {&of_positions_, &of_velocities_})
      if (const Status status = lu->factorize(); !status.ok())
        return {status.code, "constraints are dependent here: no multipliers lead onto them"};
    return {};
  }

  void correct(const T& /*relaxation*/) override {
    own_.back_solves += 2;
    if (m_ == 0) return;
    d_mu_ = C_.head(holonomic_);
    of_positions_.solve(d_mu_);
    mu_ -= d_mu_;
    dq_ = W_end_.leftCols(holonomic_) * d_mu_;
    // The velocities at the end belong to the position before this correction; the next pass knows better.
    d_nu_ = G_;
    of_velocities_.solve(d_nu_);
    nu_ -= d_nu_;
    dv_ = W_end_ * d_nu_;
    increment_.head(n_) = end_.compensation.head(n_) + W_end_.leftCols(holonomic_) * mu_;
    increment_.segment(n_, n_) = end_.compensation.segment(n_, n_) + W_end_ * nu_;
  }
  T residual_size() override { return correction_size(); }
  T correction_size() override {
    using std::abs;
    NormOf<T> norm;
    for (Index i = 0; i < n_; ++i) {
      norm.add(T(dq_[i] / (T(1) + abs(q_[i]))));
      norm.add(T(dv_[i] / (T(1) + abs(v_[i]))));
    }
    return norm.value();
  }

  System<T>& system_;
  MechanicalModel<T>& model_;
  NewtonSettings<T> settings_;
  Index n_, m_, holonomic_;
  DenseLu<T> mass_, of_positions_, of_velocities_;
  Statistics own_;
  const State<T>* from_ = nullptr;
  State<T>* to_ = nullptr;
  T h_{0};
  State<T> start_, end_;                     // of the step of the base
  Matrix<T> W_start_, W_end_, J_, product_;  // (n, m), (n, m), (m, n), (m, m)
  Vector<T> C_, G_, mu_, nu_, d_mu_, d_nu_;
  Vector<T> q_, v_, dq_, dv_, column_;  // (n)
  Vector<T> increment_;                 // (N), from the end of the base's step
};

}  // namespace

template <class T>
std::unique_ptr<Stepper<T>> make_symmetric_projection(std::unique_ptr<Stepper<T>> base, System<T>& system,
                                                      MechanicalModel<T>& model, const NewtonOptions& newton) {
  const Index n = model.coordinates(), m = model.constraints();
  if (system.size() != 2 * n + m || (m > 0 && system.index() != 1) || system.facts().stabilizes)
    throw NotApplicable(
        "the method imposes positions and velocities of constraints itself: use the index-1 formulation");
  refuse_large("symmetric-projection", n);
  if (const auto rank = analyse_start(model, model.initial_q(), model.initial_v()).rank; rank < m)
    throw NotApplicable(
        fmt::format("the method needs independent constraints, and C_q has rank {} of {}: choose an explicit method on "
                    "projected, or an implicit one on index-2 or ggl",
                    rank, m));
  return std::make_unique<SymmetricProjection<T>>(std::move(base), system, model, newton);
}

#define DAELAB_INSTANTIATE(T)                                                                                \
  template std::unique_ptr<Stepper<T>> make_symmetric_projection<T>(std::unique_ptr<Stepper<T>>, System<T>&, \
                                                                    MechanicalModel<T>&, const NewtonOptions&);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
