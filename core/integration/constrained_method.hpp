// Methods of constrained mechanisms: they work on the blocks of the model, M, Q and C_q, beside the system.
#pragma once

#include "core/integration/method.hpp"
#include "core/mechanism/mechanical_model.hpp"

namespace daelab {

class ConstrainedMethod : public Method {
 public:
  /// Throws NotApplicable for a system that is of no mechanism, or whose equations of motion are not linear, and
  /// where bind() does.
#define DAELAB_DEFINE(T)                                                                            \
  std::unique_ptr<Stepper<T>> stepper(System<T>& system, const NewtonOptions& newton) const final { \
    MechanicalModel<T>* const model = system.mechanical_model();                                    \
    if (model == nullptr) throw NotApplicable(needs());                                             \
    refuse_nonlinear_equations(model->has_linear_equations());                                      \
    return bind(system, *model, newton);                                                            \
  }
  DAELAB_FOR_SCALARS(DAELAB_DEFINE)
#undef DAELAB_DEFINE

 protected:
  /// For a method that imposes all levels of the constraints itself: it has no other form than that which gives it
  /// accelerations.
  static PredictedOrders orders_on_manifold(const FormulationTraits& formulation, int order,
                                            const std::string& source) {
    if (formulation.imposes_only(Level::acceleration) && !formulation.stabilized)
      return PredictedOrders::everywhere(order, source);
    return PredictedOrders::unknown("it imposes all constraint levels itself, on index-1");
  }

 private:
  static void refuse_nonlinear_equations(bool linear) {
    if (!linear)
      throw NotApplicable(
          "the method works on M, Q and C_q: where forces depend on multipliers, or there are algebraic states, choose "
          "a "
          "Runge-Kutta method, bdf or generalized-alpha");
  }
  /// What a system of no mechanism lacks, as a sentence.
  virtual const char* needs() const = 0;
  /// `model` is that of the system.
#define DAELAB_DECLARE(T)                                                                                             \
  virtual std::unique_ptr<Stepper<T>> bind(System<T>& system, MechanicalModel<T>& model, const NewtonOptions& newton) \
      const = 0;
  DAELAB_FOR_SCALARS(DAELAB_DECLARE)
#undef DAELAB_DECLARE
};

/// Binds by bound(system, model, newton) of `Derived`, a template on the scalar.
template <class Derived>
class ConstrainedMethodOf : public ConstrainedMethod {
#define DAELAB_DEFINE(T)                                                                                      \
  std::unique_ptr<Stepper<T>> bind(System<T>& system, MechanicalModel<T>& model, const NewtonOptions& newton) \
      const final {                                                                                           \
    return static_cast<const Derived&>(*this).bound(system, model, newton);                                   \
  }
  DAELAB_FOR_SCALARS(DAELAB_DEFINE)
#undef DAELAB_DEFINE
};

}  // namespace daelab
