// Lobatto IIIA-IIIB pairs as methods.
#pragma once

#include "core/integration/constrained_method.hpp"
#include "core/integration/symmetric_method.hpp"
#include "methods/geometric/lobatto_pair_stepper.hpp"

namespace daelab {

class LobattoPairMethod : public ConstrainedMethodOf<LobattoPairMethod>, public SymmetricMethod {
 public:
  /// `source`: of the order.
  LobattoPairMethod(LobattoPair pair, std::string source) : pair_(std::move(pair)), source_(std::move(source)) {}

  Level natural_level() const override { return Level::position; }
  MethodForm form() const override;
  std::vector<Coefficient> coefficients() const override;
  PredictedOrders predicted_orders(const FormulationTraits& formulation, const FormOrders& orders) const override;
  /// SHAKE is not: the velocity that it makes of the next positions hangs on the size of the step.
  bool is_symmetric() const override { return pair_.last == LastConstraint::velocities; }

 private:
  const char* needs() const override { return "the method needs mass, force and constraints of a mechanical system"; }
  friend ConstrainedMethodOf<LobattoPairMethod>;
  template <class T>
  std::unique_ptr<Stepper<T>> bound(System<T>& system, MechanicalModel<T>& model, const NewtonOptions& newton) const {
    return make_lobatto_pair<T>(pair_, system, model, newton);
  }

  LobattoPair pair_;
  std::string source_;
};

}  // namespace daelab
