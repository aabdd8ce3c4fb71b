// Explicit Runge-Kutta methods on y' = f(t, y), with f and the algebraic components from
// System::complete. The derivative at the step end is evaluated once and is the next first stage.
#include "core/runge_kutta.hpp"

namespace daelab {
namespace {

template <class T>
class ExplicitRungeKutta final : public Stepper<T> {
 public:
  ExplicitRungeKutta(const Tableau& tableau, System<T>& system)
      : system_(system),
        A_(tableau.A.template cast<T>()),
        b_(tableau.b.template cast<T>()),
        c_(tableau.c.template cast<T>()),
        slopes_(Matrix<T>::Zero(system.size(), tableau.stages())),
        y_(Vector<T>::Zero(system.size())),
        slope_(Vector<T>::Zero(system.size())) {}

  Status step(const State<T>& from, const T& h, State<T>& to) override {
    slopes_.col(0) = from.ydot;
    for (Index i = 1; i < b_.size(); ++i) {
      y_ = from.y;
      for (Index j = 0; j < i; ++j)
        if (A_(i, j) != T(0)) y_ += (h * A_(i, j)) * slopes_.col(j);
      const Status status = system_.complete(from.t + c_[i] * h, y_, slope_);
      count_evaluation();
      if (!status.ok()) return status;
      slopes_.col(i) = slope_;
    }
    slope_ = from.carry;
    for (Index j = 0; j < b_.size(); ++j) slope_ += (h * b_[j]) * slopes_.col(j);
    to.y = from.y + slope_;
    to.carry = slope_ - (to.y - from.y);
    to.t = from.t + h;
    count_evaluation();
    ++this->statistics_.steps;
    return system_.complete(to.t, to.y, to.ydot);
  }

 private:
  void count_evaluation() {
    ++this->statistics_.residuals;
    ++this->statistics_.factorizations;
    ++this->statistics_.back_solves;
  }

  System<T>& system_;
  Matrix<T> A_;
  Vector<T> b_, c_;
  Matrix<T> slopes_;  // (N, s)
  Vector<T> y_, slope_;
};

}  // namespace

template <class T>
std::unique_ptr<Stepper<T>> make_explicit_runge_kutta(const Tableau& tableau, System<T>& system) {
  const std::string refusal = system.explicit_form_refusal();
  if (!refusal.empty()) throw NotApplicable(refusal);
  return std::make_unique<ExplicitRungeKutta<T>>(tableau, system);
}

#define DAELAB_INSTANTIATE(T)                                                                      \
  template std::unique_ptr<Stepper<T>> make_explicit_runge_kutta<T>(const Tableau&, System<T>&);  \
  std::unique_ptr<Stepper<T>> RungeKuttaMethod::stepper(System<T>& system,                         \
                                                        const NewtonOptions& newton) const {       \
    if (tableau_.is_explicit()) return make_explicit_runge_kutta<T>(tableau_, system);             \
    return make_fully_implicit_runge_kutta<T>(tableau_, system, newton);                           \
  }
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
