// Runge-Kutta-Chebyshev methods of order 2: explicit, stable along the negative real axis over a length that grows with
// the square of the number of stages.
//
//   Y_0 = y_n,  Y_1 = Y_0 + mu~_1 h F_0,
//   Y_j = (1 - mu_j - nu_j) Y_0 + mu_j Y_(j-1) + nu_j Y_(j-2) + mu~_j h F_(j-1) + gamma~_j h F_0,  y_(n+1) = Y_s,
//   w_0 = 1 + eps/s^2,  w_1 = T_s'(w_0)/T_s''(w_0),  b_j = T_j''(w_0)/T_j'(w_0)^2,  b_0 = b_1 = b_2,
//   mu~_1 = b_1 w_1,  mu_j = 2 b_j w_0/b_(j-1),  nu_j = -b_j/b_(j-2),  mu~_j = 2 b_j w_1/b_(j-1),
//   gamma~_j = -(1 - b_(j-1) T_(j-1)(w_0)) mu~_j.
//
// R(w) = 1 - b_s T_s(w_0) + b_s T_s(w_0 + w_1 w) lies between 1 - b_s (T_s(w_0) +- 1) for -beta <= w <= -(w_0 - 1)/w_1,
// beta = (w_0 + 1)/w_1 = (2/3) (s^2 - 1) (1 - 2 eps/15 + O(eps^2 + eps/s^2)). [SSV98, eqs. (2.1)-(2.8)]
//
// [SSV98] Sommeijer, Shampine, Verwer, RKC: an explicit solver for parabolic PDEs, J. Comput. Appl. Math. 88, 1998,
// 315-326.
#pragma once

#include "methods/stabilized/stabilized_explicit.hpp"

namespace daelab {

struct RkcSettings : StabilizedSettings {
  Exact damping;  // eps
};

/// In 100 digits; stages >= 2, 0 <= damping <= 1.
Tableau rkc_tableau(int stages, const Real100& damping);
/// The least number of stages, at least 2, with (2/3) (s^2 - 1) (1 - 2 eps/15) >= length.
double rkc_stages(double length, double damping);

/// As many evaluations a step as stages. Error control takes 4/5 (y_n - y_(n+1)) + 2/5 h (f_n + f_(n+1)), of order h^3
/// [SSV98, eq. (2.10)]. stepper() throws NotApplicable for forms without a state-space form. From an options
/// struct with `RkcSettings settings() const`.
class RungeKuttaChebyshev final : public Method {
 public:
  template <class Definition>
  RungeKuttaChebyshev(const Definition& definition, const std::string& /*where*/) : settings_(definition.settings()) {}
#define DAELAB_DECLARE(T) \
  std::unique_ptr<Stepper<T>> stepper(System<T>& system, const NewtonOptions& newton) const override;
  DAELAB_FOR_SCALARS(DAELAB_DECLARE)
#undef DAELAB_DECLARE
  MethodForm form() const override;
  /// mu, nu, mu~, gamma~ of the stages, where their number is given.
  std::vector<Coefficient> coefficients() const override;

 private:
  RkcSettings settings_;
};

}  // namespace daelab
