// Nyström and partitioned Runge-Kutta methods: any tableau, on one engine.
#pragma once

#include "core/integration/method.hpp"
#include "core/integration/symmetric_method.hpp"
#include "methods/nystrom/nystrom_document.hpp"

namespace daelab {

/// On second-order systems with accelerations as a function of (t, q, v). Stages that depend on themselves or on later
/// ones, through A_bar or where accelerations depend on velocities through A, are found by fixed-point iteration down
/// to round-off; of `newton`, tolerance and max_iterations apply. Throws NotApplicable for other systems, and where
/// accelerations depend on velocities and the tableau has its order for q'' = f(t, q) alone.
template <class T>
std::unique_ptr<Stepper<T>> make_nystrom(std::shared_ptr<const NystromTableau> tableau, System<T>& system,
                                         const NewtonOptions& newton);

class NystromMethod : public Method, public SymmetricMethod {
 public:
  explicit NystromMethod(NystromTableau tableau) : tableau_(std::make_shared<NystromTableau>(std::move(tableau))) {}
#define DAELAB_DECLARE(T) \
  std::unique_ptr<Stepper<T>> stepper(System<T>& system, const NewtonOptions& newton) const override;
  DAELAB_FOR_SCALARS(DAELAB_DECLARE)
#undef DAELAB_DECLARE
  MethodForm form() const override;
  DenseOrder dense_order() const override;
  std::vector<Coefficient> coefficients() const override;
  bool is_symmetric() const override { return tableau_->is_symmetric; }

 private:
  std::shared_ptr<const NystromTableau> tableau_;  // steppers share it
};

}  // namespace daelab
