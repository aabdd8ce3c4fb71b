// Symmetric projection: any symmetric method on index 1, with positions and velocities on their constraints.
// methods/geometric/symmetric_projection_stepper.hpp has equations and sources.
#include "methods/geometric/symmetric_projection_stepper.hpp"

#include "core/base/component_spec.hpp"
#include "core/integration/constrained_method.hpp"
#include "core/integration/symmetric_method.hpp"
#include "methods/geometric/symmetric_base.hpp"

namespace daelab {
namespace {

struct SymmetricProjectionOptions {
  static constexpr const char* name = "symmetric-projection";
  static constexpr const char* summary =
      "A symmetric method with both levels of the constraints to round-off: perturbed alike before and after a step.";
  static constexpr const char* source = "Hairer 2000; Hairer, Lubich, Wanner 2006, Sec. V.4.1";

  ComponentSpec base = "gauss:s=2";

  Options options() { return {option("base", base, "a symmetric one-step method")}; }
};

class SymmetricProjectionMethod final : public ConstrainedMethod, public SymmetricMethod {
 public:
  SymmetricProjectionMethod(const SymmetricProjectionOptions& definition, const std::string& where)
      : base_(symmetric_base(definition.base.json(), SymmetricProjectionOptions::name,
                             "a projection is symmetric only around a symmetric step", where + "/base")) {}

  bool is_symmetric() const override { return true; }
  /// Without constraints it is its base.
  MethodForm form() const override { return base_->form(); }
  std::vector<Coefficient> coefficients() const override { return base_->coefficients(); }
  PredictedOrders predicted_orders(const FormulationTraits& formulation, const FormOrders& orders) const override {
    if (!formulation.imposes_only(Level::acceleration) || formulation.stabilized)
      return PredictedOrders::unknown("it imposes positions and velocities itself, on index-1");
    PredictedOrders found = base_->predicted_orders(formulation, orders);
    if (found.q) found.source = "Hairer 2000, that of the base: " + found.source;
    return found;
  }

 private:
  const char* needs() const override { return "the method needs mass and constraints of a mechanical system"; }
#define DAELAB_DEFINE(T)                                                                                      \
  std::unique_ptr<Stepper<T>> bind(System<T>& system, MechanicalModel<T>& model, const NewtonOptions& newton) \
      const override {                                                                                        \
    return make_symmetric_projection<T>(base_->stepper(system, newton), system, model, newton);               \
  }
  DAELAB_FOR_SCALARS(DAELAB_DEFINE)
#undef DAELAB_DEFINE

  std::shared_ptr<Method> base_;
};

const MethodEntry<SymmetricProjectionOptions, SymmetricProjectionMethod> symmetric_projection_entry;

}  // namespace
}  // namespace daelab
