// Semi-implicit Euler, the symplectic Euler method of second-order systems q' = v, v' = a(t, q, v):
//
//   v_(n+1) = v_n + h a(t_n, q_n, v_n),   q_(n+1) = q_n + h v_(n+1).
//
// Order 1, one evaluation a step. Symplectic where the force is a gradient: the energy error stays bounded, where
// that of the explicit Euler method grows.
//
// [HLW06] Hairer, Lubich, Wanner, Geometric Numerical Integration, 2nd ed., Springer, 2006, Sec. I.1.2.
#include "core/integration/explicit_stepper.hpp"

namespace daelab {
namespace {

template <class T>
class SemiImplicitEulerStepper final : public ExplicitStepper<T> {
 public:
  explicit SemiImplicitEulerStepper(System<T>& system)
      : ExplicitStepper<T>(system, 1), n_(system.positions()), increment_(Vector<T>::Zero(system.size())) {
    if (n_ == 0)
      throw NotApplicable(
          "the semi-implicit Euler method needs positions and their velocities, y = (q, v, ...) "
          "with q' = v: this system is not of second order");
  }

  Status step(const State<T>& from, const T& h, State<T>& to) override {
    if (const Status status = this->start(from, h); !status.ok()) return status;
    increment_ = from.compensation;
    increment_ += h * from.ydot;
    for (Index i = 0; i < n_; ++i) increment_[i] = from.compensation[i] + h * (from.y[n_ + i] + increment_[n_ + i]);
    return this->finish(from, h, increment_, to);
  }

 private:
  Index n_;
  Vector<T> increment_;
};

struct SemiImplicitEuler {
  static constexpr const char* name = "semi-implicit-euler";
  static constexpr const char* summary =
      "Symplectic Euler method: velocities first, then positions with them; order 1.";
  static constexpr const char* source = "Hairer, Lubich, Wanner 2006, Sec. I.1.2";
  Options options() { return {}; }
};

class SemiImplicitEulerMethod final : public Method {
 public:
  SemiImplicitEulerMethod(const SemiImplicitEuler& /*definition*/, const std::string& /*where*/) {}
#define DAELAB_DEFINE(T)                                                                                   \
  std::unique_ptr<Stepper<T>> stepper(System<T>& system, const NewtonOptions& /*newton*/) const override { \
    return std::make_unique<SemiImplicitEulerStepper<T>>(system);                                          \
  }
  DAELAB_FOR_SCALARS(DAELAB_DEFINE)
#undef DAELAB_DEFINE

  MethodForm form() const override {
    OscillatorForm form;
    for (int i = 0; i < 3; ++i) form.next[i] = form.now[i] = Matrix<Real100>::Zero(2, 2);
    form.next[0] << 1, -1, 0, 1;
    form.now[0] = Matrix<Real100>::Identity(2, 2);
    form.now[1](1, 1) = form.now[2](1, 0) = -1;
    return form;
  }
  PredictedOrders predicted_orders(const FormulationTraits& formulation, const FormOrders& orders) const override {
    if (!formulation.of_mechanisms) return Method::predicted_orders(formulation, orders);
    if (!formulation.state_space) return PredictedOrders::only_with_state_space();
    return PredictedOrders::everywhere(orders.order, "Hairer, Lubich, Wanner 2006, Sec. I.1.2");
  }
};

const MethodEntry<SemiImplicitEuler, SemiImplicitEulerMethod> semi_implicit_euler_entry;

}  // namespace
}  // namespace daelab
