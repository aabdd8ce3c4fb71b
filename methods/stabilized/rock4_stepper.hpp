// ROCK4: explicit, order 4, stable along the negative real axis over 0.35 s^2
// (methods/stabilized/rock4_coefficients.hpp).
#pragma once

#include "methods/stabilized/rock4_coefficients.hpp"
#include "methods/stabilized/stabilized_explicit.hpp"

namespace daelab {

/// The number of stages whose stability interval contains [-length, 0], by the bound l >= 0.35 s^2 - 2.8: the least one
/// to 19, then one of about ten per doubling, so that few members are computed. More than `most` when these do not
/// suffice.
double rock4_stages(double length, int most);

/// As many evaluations a step as stages; error control by the embedded method of order 3. The first step with a number
/// of stages computes its coefficients. stepper() throws NotApplicable for forms without a state-space form. From an
/// options struct with `StabilizedSettings settings() const`.
class Rock4 final : public Method {
 public:
  template <class Definition>
  Rock4(const Definition& definition, const std::string& /*where*/) : settings_(definition.settings()) {}
#define DAELAB_DECLARE(T) \
  std::unique_ptr<Stepper<T>> stepper(System<T>& system, const NewtonOptions& newton) const override;
  DAELAB_FOR_SCALARS(DAELAB_DECLARE)
#undef DAELAB_DECLARE
  MethodForm form() const override;
  /// mu, gamma of the recurrence and a, b of the finishing method, where the number of stages is given.
  std::vector<Coefficient> coefficients() const override;

 private:
  StabilizedSettings settings_;
};

}  // namespace daelab
