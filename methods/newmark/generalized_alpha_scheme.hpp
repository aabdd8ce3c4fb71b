// The coefficients of a method of the generalized-alpha family and the options that its methods share.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#pragma once

#include <string>
#include <vector>

#include "core/base/options.hpp"

namespace daelab {

enum class ErrorConstant { theory, printed };
enum class Rescaling { automatic, always, never };
std::vector<std::string> names_of(ErrorConstant);
std::vector<std::string> names_of(Rescaling);

struct GeneralizedAlphaScheme {
  /// Where M a + C_q^T lambda = Q holds. Collocated, it is M a_(n+1) + (1 - alpha_f) R_(n+1) + alpha_f R_n = 0,
  /// R = C_q^T lambda - Q, and M has to be that of the same place, (1 - alpha_f) q_(n+1) + alpha_f q_n: with M(q_(n+1))
  /// the method loses an order where M is not constant. Where it is, all three are the same method. [Ren20, eq. (24)]
  enum class Balance { at_the_end, collocated, collocated_with_mass_of_the_end };

  Real100 alpha_m = 0, alpha_f = 0, gamma, beta;
  Balance balance = Balance::at_the_end;
  ErrorConstant error_constant = ErrorConstant::theory;
  Rescaling rescale = Rescaling::automatic;
  Real100 deadband = 0;
  bool carries_acceleration = true;  // otherwise a_n := q''_n at every step

  Real100 eta() const { return (1 - alpha_m) / (1 - alpha_f); }
  /// D: how far a_n lags behind t_n, in steps.
  Real100 lag() const { return alpha_f - alpha_m; }
  /// The local error of the position is e h^3 q''' = c h^2 x as h -> 0, e = c (1 - D). For D = 1, x = O(h^2): no c.
  Real100 position_error() const { return Real100(1) / 6 + lag() / 2 - beta; }
  Real100 position_error_constant() const { return position_error() / (1 - lag()); }
};

/// (1/2 + gamma)^2/4, which damps high frequencies most. [Ren20, eq. (18)]
Real100 newmark_beta(const Real100& gamma);

/// Options that several methods of the family have.
Option error_constant_option(ErrorConstant& member);
Option rescale_option(Rescaling& member);
Option deadband_option(Exact& member);

}  // namespace daelab
