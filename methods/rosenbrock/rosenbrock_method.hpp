// Rosenbrock and W-methods: any tableau, on one engine.
#pragma once

#include "core/integration/method.hpp"
#include "methods/rosenbrock/rosenbrock_form.hpp"

namespace daelab {

/// One Jacobian, one derivative by time where the equations have t in them, and one factorisation a step; a residual
/// and a solution a stage. On mechanisms of index 0 and 1 the method is that for y' = f(t, y), with accelerations and
/// multipliers at the step end as functions of it; on first-order equations with algebraic states these are part of the
/// method, as on M y' = f. On index 2 stages meet the linearised constraints, and step ends have the accelerations and
/// multipliers that belong to (q, v). Throws NotApplicable for index 3, and where the derivative by time is not known.
template <class T>
std::unique_ptr<Stepper<T>> make_rosenbrock_stepper(std::shared_ptr<const PreparedRosenbrock> tableau,
                                                    System<T>& system);

class RosenbrockMethod final : public Method {
 public:
  explicit RosenbrockMethod(RosenbrockTableau tableau)
      : tableau_(std::make_shared<PreparedRosenbrock>(std::move(tableau))) {}
  const RosenbrockTableau& tableau() const { return tableau_->tableau(); }
#define DAELAB_DECLARE(T) \
  std::unique_ptr<Stepper<T>> stepper(System<T>& system, const NewtonOptions& newton) const override;
  DAELAB_FOR_SCALARS(DAELAB_DECLARE)
#undef DAELAB_DECLARE
  MethodForm form() const override;
  DenseOrder dense_order() const override;
  std::vector<Coefficient> coefficients() const override;

 private:
  std::shared_ptr<const PreparedRosenbrock> tableau_;  // steppers share it
};

}  // namespace daelab
