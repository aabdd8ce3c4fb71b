// Half-explicit Runge-Kutta methods for index 2, of order 1 to 5, with error control: methods/constrained/
// half_explicit_scheme.hpp. Order 1 is the half-explicit Euler method, order 2 the explicit midpoint rule, order 3 that
// of 3 stages with c_3 = 1, order 4 the HEM4 of 5 stages, with the nodes and weights of Radau IIA of order 5, order 5
// the pair of Dormand and Prince with an explicit first stage, 5 systems a step. HEM5 (8 systems) is left out: order 5
// takes fewer.
#include "core/base/options.hpp"
#include "core/integration/constrained_method.hpp"
#include "methods/constrained/half_explicit_stepper.hpp"

namespace daelab {
namespace {

struct HalfExplicitOptions {
  static constexpr const char* name = "half-explicit";
  static constexpr const char* summary =
      "Half-explicit Runge-Kutta methods for index 2: velocities on their constraints, one linear system a stage.";
  static constexpr const char* source =
      "Hairer, Lubich, Roche 1989; Brasey, Hairer 1993, Sec. 2 and 4; order 5: Murua 1997, Arnold 1998, coefficients "
      "and "
      "all embedded weights derived here";

  int order = 5;

  Options options() {
    return {option("order", order, "order of q, v, a and lambda; 1, 2, 3, 5 or 6 stages", between(1, 5))};
  }
};

class HalfExplicitMethod final : public ConstrainedMethodOf<HalfExplicitMethod> {
 public:
  HalfExplicitMethod(const HalfExplicitOptions& definition, const std::string& /*where*/)
      : scheme_(half_explicit_scheme(definition.order)) {
    scheme_.tableau.source = HalfExplicitOptions::source;
  }
  Level natural_level() const override { return Level::velocity; }
  MethodForm form() const override { return scheme_.tableau; }
  std::vector<Coefficient> coefficients() const override {
    return {{"D", "rows of the points where the constraints hold", scheme_.constrained},
            {"b_embedded", "embedded weights of the stages, then of the slopes at both step ends", scheme_.embedded}};
  }
  PredictedOrders predicted_orders(const FormulationTraits& formulation, const FormOrders& orders) const override {
    if (formulation.imposes_only(Level::velocity))
      return PredictedOrders::everywhere(orders.order,
                                         scheme_.explicit_first_stage() ? "Murua 1997" : "Brasey, Hairer 1993");
    return PredictedOrders::unknown("it imposes velocity constraints, on index-2");
  }

 private:
  const char* needs() const override { return "half-explicit methods need the blocks of a mechanical system"; }
  friend ConstrainedMethodOf<HalfExplicitMethod>;
  template <class T>
  std::unique_ptr<Stepper<T>> bound(System<T>& system, MechanicalModel<T>& model,
                                    const NewtonOptions& /*newton*/) const {
    return make_half_explicit<T>(scheme_, stability_limit_, system, model);
  }

  HalfExplicitScheme scheme_;
  std::shared_ptr<const Once<double>> stability_limit_ = std::make_shared<Once<double>>();  // steppers share it
};

const MethodEntry<HalfExplicitOptions, HalfExplicitMethod> half_explicit_entry;

}  // namespace
}  // namespace daelab
