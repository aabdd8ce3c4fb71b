// Order and step size of the Adams method of changing order, from estimates of neighbouring orders.
//
// [SG75] Shampine, Gordon, Computer Solution of Ordinary Differential Equations, Freeman, 1975, Chap. 7.
#pragma once

#include <limits>

namespace daelab {

/// After a step of order k, in error tolerances. Those of orders that are not known are infinite.
struct AdamsErrors {
  int order = 1;                                                                   // k
  double now = 0;                                                                  // of order k
  double one_less = std::numeric_limits<double>::infinity(), two_less = one_less;  // of orders k - 1 and k - 2
  double one_more = one_less;                                                      // of order k + 1
};

struct AdamsChoice {
  int order;
  double ratio;  // next h / this h
  bool rises;    // the start goes on
};

/// For the step after an accepted one. `rises`: in the start every step is of a higher order and twice as long.
AdamsChoice next_adams_step(const AdamsErrors& errors, int highest, bool rises);
/// For another attempt at a step that was rejected after so many failures before: half the step; from the third one on
/// order 1.
AdamsChoice adams_step_again(const AdamsErrors& errors, int failures);

}  // namespace daelab
