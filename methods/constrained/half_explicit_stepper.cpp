#include "methods/constrained/half_explicit_stepper.hpp"

#include "core/equations/mechanical_system.hpp"
#include "core/integration/large_mechanism.hpp"

namespace daelab {
namespace {

template <class T>
class HalfExplicit final : public Stepper<T> {
 public:
  HalfExplicit(const Tableau& tableau, System<T>& system, MechanicalModel<T>& model)
      : system_(system),
        model_(model),
        layout_{model_.coordinates(), model_.constraints()},
        stages_(tableau.stages()),
        A_(stages_, stages_),
        c_(stages_),
        lu_(layout_.n + layout_.m),
        unknowns_(Vector<T>::Zero(layout_.n + layout_.m)),
        slopes_(Matrix<T>::Zero(2 * layout_.n, stages_)),
        increment_(Vector<T>::Zero(system.size())) {
    const Index n = layout_.n, m = layout_.m;
    A_.topRows(stages_ - 1) = tableau.A.bottomRows(stages_ - 1).template cast<T>();
    A_.row(stages_ - 1) = tableau.b.transpose().template cast<T>();
    c_.head(stages_ - 1) = tableau.c.tail(stages_ - 1).template cast<T>();
    c_[stages_ - 1] = T(1);
    M_.setZero(n, n), J_.setZero(m, n), next_J_.setZero(m, n);
    for (Vector<T>* x : {&q_, &v_, &force_, &zero_}) x->setZero(n);
    for (Vector<T>* x : {&C_, &row_}) x->setZero(m);
  }

  Status step(const State<T>& from, const T& h, State<T>& to) override {
    q_ = layout_.q(from.y), v_ = layout_.v(from.y);
    model_.constraint(from.t, q_, C_, J_);
    for (Index i = 0; i < stages_; ++i)
      if (const Status status = stage(from, h, i); !status.ok()) return status;
    to.t = from.t + h;
    add_increment(from, increment_, increment_.size(), to);
    ++this->statistics_.steps;
    count();
    return system_.consistent_derivatives(to.t, to.y, to.ydot);
  }

 private:
  // From (Q_i, V_i) in q_ and v_, with J_ there, to the next ones. The step end takes in what the sums lost so far.
  Status stage(const State<T>& from, const T& h, Index i) {
    const Index n = layout_.n;
    const T t = i == 0 ? from.t : T(from.t + c_[i - 1] * h), next_t = from.t + c_[i] * h, own = h * A_(i, i);
    model_.mass(t, q_, M_);
    model_.force(t, q_, v_, force_);
    slopes_.col(i).head(n) = v_;
    slopes_.col(i).tail(n).setZero();
    increment_.setZero();
    if (i == stages_ - 1) increment_ = from.compensation;
    for (Index j = 0; j <= i; ++j)
      if (A_(i, j) != T(0)) increment_.head(2 * n) += (h * A_(i, j)) * slopes_.col(j);
    q_ = layout_.q(from.y) + layout_.q(increment_);
    v_ = layout_.v(from.y) + layout_.v(increment_);
    model_.constraint(next_t, q_, C_, next_J_);
    model_.constraint_level(Level::velocity, next_t, q_, v_, zero_, row_);
    row_ /= own;
    if (const Status status = solve(); !status.ok()) return status;
    slopes_.col(i).tail(n) = unknowns_.head(n);
    increment_.segment(n, n) += own * unknowns_.head(n);
    v_ = layout_.v(from.y) + layout_.v(increment_);
    J_.swap(next_J_);
    return {};
  }

  // [ M J^T ; next_J 0 ] (V', L) = (force, -row)
  Status solve() {
    const Index n = layout_.n, m = layout_.m;
    Matrix<T>& K = lu_.matrix();
    K.topLeftCorner(n, n) = M_;
    K.topRightCorner(n, m) = J_.transpose();
    K.bottomLeftCorner(m, n) = next_J_;
    unknowns_.head(n) = force_;
    unknowns_.tail(m) = -row_;
    count();
    Status status = lu_.factorize();
    if (status.code == StatusCode::singular)
      status.cause =
          "the matrix of a stage is singular: dependent constraints, or a step so long that the constraints "
          "at its ends have nothing in common";
    if (status.ok()) lu_.solve(unknowns_);
    return status;
  }

  // One evaluation with its linear system.
  void count() {
    ++this->statistics_.residuals;
    ++this->statistics_.factorizations;
    ++this->statistics_.back_solves;
  }

  System<T>& system_;
  MechanicalModel<T>& model_;
  MechanicalLayout layout_;
  Index stages_;
  Matrix<T> A_;  // (s, s) rows 2 to s + 1 of the tableau, b the last
  Vector<T> c_;  // (s) of the same rows
  DenseLu<T> lu_;
  Vector<T> unknowns_;   // (n + m)
  Matrix<T> slopes_;     // (2n, s) V_j over V'_j
  Vector<T> increment_;  // (N)
  Matrix<T> M_, J_, next_J_;
  Vector<T> q_, v_, force_, zero_, C_, row_;
};

}  // namespace

template <class T>
std::unique_ptr<Stepper<T>> make_half_explicit(const Tableau& tableau, System<T>& system, MechanicalModel<T>& model) {
  if (model.nonholonomic() > 0)
    throw NotApplicable("half-explicit methods need holonomic constraints: a stage is linear in its velocities then");
  const Index n = model.coordinates(), m = model.constraints();
  refuse_large("half-explicit", n + m);
  if (system.size() != 2 * n + m || (m > 0 && system.index() != 2))
    throw NotApplicable(
        "half-explicit methods impose the velocity level of the constraints: use the index-2 "
        "formulation");
  return std::make_unique<HalfExplicit<T>>(tableau, system, model);
}

#define DAELAB_INSTANTIATE(T) \
  template std::unique_ptr<Stepper<T>> make_half_explicit<T>(const Tableau&, System<T>&, MechanicalModel<T>&);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
