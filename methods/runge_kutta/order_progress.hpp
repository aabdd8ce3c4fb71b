// Which of several collocation methods of one family, with s = 1, 3, 5, ... stages, makes the most progress for its
// work.
//
// The estimate of a step with s stages is kappa_s |h^(s+1) y^(s+1)|, kappa_s = gamma prod c_i / s!, and the polynomial
// through the slopes of the stages says how fast h^k |y^(k)| falls with k: by the factor r. So its neighbours would
// find
//
//   e_(s +- p) = e_s (kappa_(s +- p) / kappa_s) r^(+-p),
//
// and could make steps (0.6 / e)^(1/(s + 1)) as long. The work of a step was measured to go like s^2.5: s evaluations
// and back-substitutions an iteration, and the more iterations, the longer it is. RADAU raises the order where Newton's
// method contracts fast [HW99]; here its Jacobian is kept over steps, so that the rate says more of its age than of the
// motion.
//
// [HW99] Hairer, Wanner, Stiff differential equations solved by Radau methods, J. Comput. Appl. Math. 111, 1999,
// 93-111.
#pragma once

#include <vector>

#include "methods/runge_kutta/implicit_stages.hpp"

namespace daelab {

/// What the choice takes from the coefficients of one method, in double.
struct OrderFacts {
  explicit OrderFacts(const Stages& stages);
  int stages;
  double kappa;          // of the estimate
  Vector<double> upper;  // (s) weights of slopes: h^(s - 1) y^(s)
  Vector<double> lower;  // (s) the same `apart` orders below
  int apart;             // 2 where there are enough stages, for even and odd orders differ in oscillations; 0: none
};

/// What a step that passed has shown.
struct ShownDecay {
  double error;      // the estimate, 1 is as large as tolerated
  double h_y_upper;  // sizes of h upper^T Y' and h lower^T Y', in tolerances
  double h_y_lower;
};

/// The order to go on with, and its step over that of the present one.
struct OrderChoice {
  std::size_t place;
  double ratio;
};

/// Among the neighbours of an order; upwards if it `may_rise`.
OrderChoice choose_order(const std::vector<OrderFacts>& orders, std::size_t place, const ShownDecay& shown,
                         bool may_rise);

}  // namespace daelab
