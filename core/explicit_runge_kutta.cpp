// Explicit Runge-Kutta methods on y' = f(t, y). The slope at the step end is evaluated once and is the next first
// stage. Where the last stage is the step end itself (first same as last), it is not evaluated apart: its slope
// has no weight, b_s = a_ss = 0.
#include "core/explicit_stepper.hpp"
#include "core/runge_kutta.hpp"

namespace daelab {
namespace {

template <class T>
class ExplicitRungeKutta final : public ExplicitStepper<T> {
 public:
  ExplicitRungeKutta(const Tableau& tableau, System<T>& system)
      : ExplicitStepper<T>(system),
        stages_(tableau.stages() - (tableau.stiffly_accurate() ? 1 : 0)),
        A_(tableau.A.template cast<T>()),
        b_(tableau.b.template cast<T>()),
        c_(tableau.c.template cast<T>()),
        slopes_(Matrix<T>::Zero(system.size(), stages_)),
        y_(Vector<T>::Zero(system.size())),
        slope_(Vector<T>::Zero(system.size())) {}

  Status step(const State<T>& from, const T& h, State<T>& to) override {
    slopes_.col(0) = from.ydot;
    for (Index i = 1; i < stages_; ++i) {
      y_ = from.y;
      for (Index j = 0; j < i; ++j)
        if (A_(i, j) != T(0)) y_ += (h * A_(i, j)) * slopes_.col(j);
      const Status status = this->slope(from.t + c_[i] * h, y_, slope_);
      if (!status.ok()) return status;
      slopes_.col(i) = slope_;
    }
    slope_ = from.carry;
    for (Index j = 0; j < stages_; ++j) slope_ += (h * b_[j]) * slopes_.col(j);
    return this->finish(from, h, slope_, to);
  }

 private:
  Index stages_;  // evaluated, the first one at the end of the step before
  Matrix<T> A_;
  Vector<T> b_, c_;
  Matrix<T> slopes_;  // (N, stages)
  Vector<T> y_, slope_;
};

}  // namespace

template <class T>
std::unique_ptr<Stepper<T>> make_explicit_runge_kutta(const Tableau& tableau, System<T>& system) {
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
