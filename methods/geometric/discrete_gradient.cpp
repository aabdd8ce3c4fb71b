// Discrete gradient methods, which balance the energy of each step exactly.
// methods/geometric/discrete_gradient_stepper.hpp has equations and sources.
#include "core/integration/constrained_method.hpp"
#include "core/integration/symmetric_method.hpp"
#include "methods/geometric/discrete_gradient_stepper.hpp"

namespace daelab {
namespace {

struct DiscreteGradientOptions {
  static constexpr const char* name = "discrete-gradient";
  static constexpr const char* summary =
      "Discrete gradients, an energy-momentum method: the energy of a mechanism is kept to round-off, and what dampers "
      "take is exact.";
  static constexpr const char* source = "Gonzalez 1996; Gonzalez 1999; Kinon, Morandin, Schulze 2025";

  DiscreteGradient gradient = DiscreteGradient::decomposed;
  StepMultipliers multipliers = StepMultipliers::consistent;

  Options options() {
    return {option("gradient", gradient,
                   "of the energy: decomposed: of Gonzalez, for the potential over q, for the kinetic energy over "
                   "(q, v); joint: of Gonzalez, for the sum over (q, v); chain-rule: operation by operation, keeps "
                   "angular momentum, too, where forces hang on distances; midpoint-rule: at the midpoint, without "
                   "exact balance"),
            option("multipliers", multipliers,
                   "at the end of a step: consistent with (q, v) there, or those that the step has used, which are "
                   "of order 1")};
  }
};

class DiscreteGradientMethod final : public ConstrainedMethod, public SymmetricMethod {
 public:
  DiscreteGradientMethod(const DiscreteGradientOptions& options, const std::string& /*where*/) : options_(options) {}

  Level natural_level() const override { return Level::position; }
  bool is_symmetric() const override { return true; }
  bool leaves_constraints() const override { return true; }

  // On the oscillator, whose energy is quadratic, the implicit midpoint rule. w = h v:
  // q_(n+1) - w_(n+1)/2 = q_n + w_n/2, (1 + delta/2) w_(n+1) + kappa/2 q_(n+1) = (1 - delta/2) w_n - kappa/2 q_n.
  MethodForm form() const override {
    const Real100 half = Real100(1) / 2;
    OscillatorForm form;
    for (int i = 0; i < 3; ++i) form.next[i] = form.now[i] = Matrix<Real100>::Zero(2, 2);
    form.next[0] << 1, -half, 0, 1;
    form.now[0] << 1, half, 0, 1;
    form.next[1](1, 1) = form.next[2](1, 0) = half;
    form.now[1](1, 1) = form.now[2](1, 0) = -half;
    return form;
  }

  PredictedOrders predicted_orders(const FormulationTraits& formulation, const FormOrders& /*orders*/) const override {
    const bool is_of_one_level = formulation.imposes_only(Level::position) || formulation.imposes_only(Level::velocity);
    if (!is_of_one_level || formulation.stabilized)
      return PredictedOrders::unknown("it imposes one level of the constraints itself, on index-3 or index-2");
    PredictedOrders orders = PredictedOrders::everywhere(2, "Gonzalez 1999; a and lambda as functions of (q, v)");
    if (options_.multipliers == StepMultipliers::step) orders.lambda = 1;
    return orders;
  }

 private:
  const char* needs() const override { return "the method needs the energy of a mechanical system"; }
#define DAELAB_DEFINE(T)                                                                                      \
  std::unique_ptr<Stepper<T>> bind(System<T>& system, MechanicalModel<T>& model, const NewtonOptions& newton) \
      const override {                                                                                        \
    return make_discrete_gradient<T>(options_.gradient, options_.multipliers, system, model, newton);         \
  }
  DAELAB_FOR_SCALARS(DAELAB_DEFINE)
#undef DAELAB_DEFINE

  DiscreteGradientOptions options_;
};
const MethodEntry<DiscreteGradientOptions, DiscreteGradientMethod> discrete_gradient_entry;

}  // namespace
}  // namespace daelab
