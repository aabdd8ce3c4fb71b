// The observed order p of error = C h^p: least squares on log h, with a verdict in words.
//
// The fit uses the actual step sizes and only the asymptotic window: points finer than it are at
// the floor (round-off, reference, Newton), points coarser than it are pre-asymptotic (their local
// slopes still move). A floor is known or is seen where the errors stop decreasing; everything
// within a factor 10 of it goes. Of the windows left, the one with the smallest half-width wins; of
// nearly equal ones the longest. The half-width is the largest of
//   - the 95 % confidence of the slope (Student t),
//   - twice the change of p when the next term joins the fit, log error = c + p log h + b h, also of the finer half,
//   - 0.01 (four points 0.02, three 0.05): the verdict shows two decimals.
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/json.hpp"

namespace daelab {

/// Natural logarithms, so that 50-digit errors such as 1e-400 survive. An error of zero is -inf; a
/// point that is NaN or +inf counts as a failed run.
struct OrderPoint {
  double log_h = 0, log_error = 0;
};

/// The point of one run, for any scalar; the sign of the error is dropped. Needs h > 0.
template <class T>
OrderPoint order_point(const T& h, const T& error) {
  using std::abs;
  using std::log;
  if (!(h > 0)) throw InputError("order estimate: a step size must be positive");
  const double log_error = error == 0 ? -std::numeric_limits<double>::infinity()
                                      : static_cast<double>(log(T(abs(error))));
  return {static_cast<double>(log(h)), log_error};
}

struct OrderOptions {
  std::optional<double> theory = {};       // judged and shown in the verdict, never used in the fit
  std::optional<double> log10_floor = {};  // known floor: reference, Newton or round-off level
  int failed = 0;                          // runs without a point
};

struct OrderEstimate {
  bool decided = false;  // half_width <= 1/2, so that one integer order is told from the next
  double order = std::numeric_limits<double>::quiet_NaN();       // sign kept; NaN: nothing to fit
  double half_width = std::numeric_limits<double>::quiet_NaN();  // 95 %, see above
  int used = 0, pre_asymptotic = 0, at_floor = 0, failed = 0;
  int total = 0;                         // the sum of these when an order was fitted
  double residual = 0;                   // root mean square of log error - fit: 0.02 is 2 % scatter
  std::vector<std::size_t> used_points;  // indices into the input, coarse to fine
  std::optional<double> theory;
  std::optional<bool> agrees;  // with theory; nothing without one, and while undecided
  std::string verdict;  // "p = 3.98 ± 0.02 from 6 of 9 points (2 pre-asymptotic, 1 at the floor);
                        // theory 4: agrees", or "undecided: " and the reason
};

/// |p - theory| <= max(half_width, 0.15): claims of orders are judged by the same rule. The verdict in words gains
/// "; theory 4: agrees" or ": differs", of an undecided order only the theory.
void compare_with_theory(OrderEstimate& estimate, double theory);

/// "4.99 ± 0.08", the width rounded up: it never claims more than the estimate. "undecided" where it is.
std::string order_text(const OrderEstimate& estimate);

/// The points may come in any order; of two with the same h the first counts.
OrderEstimate estimate_order(const std::vector<OrderPoint>& points,
                             const OrderOptions& options = {});

/// NaN becomes null.
void to_json(Json& json, const OrderEstimate& estimate);

}  // namespace daelab
