// One-step methods of second-order systems with an auxiliary acceleration: Newmark, HHT, generalized-alpha.
//
//   v_(n+1) = v_n + h [(1 - gamma) a_n + gamma a_(n+1)],
//   q_(n+1) = q_n + h v_n + h^2 [(1/2 - beta) a_n + beta a_(n+1)],
//   (1 - alpha_m) a_(n+1) + alpha_m a_n = (1 - alpha_f) q''_(n+1) + alpha_f q''_n,     [Ren20, eqs. (17), (22), (26)]
//
// and all rows of F(t, y, y') = 0 at t_(n+1), whatever form the constraints have. a_n stands for q'' at t_n - D h,
// D = alpha_f - alpha_m; order 2 asks for gamma = 1/2 + D. Newmark has alpha_m = alpha_f = 0, so a = q''; HHT has
// alpha_m = 0. Whoever takes q''_n for a_n at every step loses an order wherever D is not zero. [Arnold, Bruls 2007]
//
// The unknowns beside the algebraic components, x and z, are a_(n+1) - q''_n in the positions and in the velocities:
//   q = q^0 + beta h^2 x,  q' = v^0 + gamma h x,  v = v^0 + gamma h z,  v' = q''^0 + eta z,
//   eta = (1 - alpha_m)/(1 - alpha_f).                                      [Ren20, eqs. (27), (29)-(33), (37)-(39)]
// They are equal unless the form lets q' differ from v, as ggl does.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#pragma once

#include <memory>

#include "core/integration/kept_jacobian.hpp"
#include "core/integration/method.hpp"
#include "methods/newmark/generalized_alpha_scheme.hpp"

namespace daelab {

template <class T>
struct GeneralizedAlphaMemory {
  Vector<T> a;  // (n) a_n
  KeptJacobian<T> jacobian;
  bool operator==(const GeneralizedAlphaMemory&) const = default;
  void keep(const GeneralizedAlphaMemory& attempt) { jacobian.keep(attempt.jacobian); }
};

/// The first step has a_0 = q''_0. Of `newton`, quasi (for automatic and reused Jacobians too) keeps a Jacobian over
/// steps; all others but full have one a step. The guess is always x = z = 0 and the last multipliers; the default
/// tolerance on index 3 is round-off. Throws NotApplicable for systems that are not of second order.
///
/// Error control tests |c| h^2 |x| in the positions, of third order. Where x and z differ it tests |c| h |z| in the
/// velocities too and takes the larger of both for one of second order. [Ren20, (34), and after (39)]
/// For D > 1/2 q''_(n+1) - q''_n, which does not vanish with 1 - D, is taken for x/(1 - D).
template <class T>
std::unique_ptr<Stepper<T>> make_generalized_alpha(const GeneralizedAlphaScheme& scheme, System<T>& system,
                                                   const NewtonOptions& newton);

/// What the scheme does to the oscillator: on X = (q, h v, h^2 a), and on (q, h v) where a is not carried.
OscillatorForm form_on_oscillator(const GeneralizedAlphaScheme& scheme);

/// From an options struct with `GeneralizedAlphaScheme scheme(const std::string& where) const` (throws InputError).
class GeneralizedAlphaMethod final : public Method {
 public:
  template <class Definition>
  GeneralizedAlphaMethod(const Definition& definition, const std::string& where) : scheme_(definition.scheme(where)) {}
#define DAELAB_DECLARE(T) \
  std::unique_ptr<Stepper<T>> stepper(System<T>& system, const NewtonOptions& newton) const override;
  DAELAB_FOR_SCALARS(DAELAB_DECLARE)
#undef DAELAB_DECLARE
  Level natural_level() const override { return Level::position; }
  MethodForm form() const override { return form_on_oscillator(scheme_); }
  std::vector<Coefficient> coefficients() const override;
  const GeneralizedAlphaScheme& scheme() const { return scheme_; }
  /// Order 2 for gamma = 1/2 + D, otherwise 1: on the oscillator as on all forms.
  PredictedOrders predicted_orders(const FormulationTraits& formulation, const FormOrders& orders) const override;

 private:
  GeneralizedAlphaScheme scheme_;
};

}  // namespace daelab
