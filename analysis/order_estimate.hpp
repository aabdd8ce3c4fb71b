// The observed order p of error = C h^p: least squares on log h, with a statement in words.
//
// The fit uses the actual step sizes and only the asymptotic window: points finer than it are at
// the floor (round-off, reference, Newton), points coarser than it are pre-asymptotic (their local
// slopes still move). A floor is known or is seen where the errors stop decreasing; everything
// within a factor 10 of it goes. Of the windows left, the one with the smallest half-width wins; of
// nearly equal ones the longest. The half-width is the largest of
//   - the 95 % confidence of the slope (Student t), which knows scatter, but no drift,
//   - twice the change of p when the next term joins the fit, log error = c + p log h + b h,
//   - 1.25 times the way from p to the limit of the local (two-point) orders that this term predicts from the finer
//   half
//     of the window, where it explains them; the factor of safety is that of the grid convergence index
//     [Roache 1998, Verification and Validation in Computational Science and Engineering],
//   - 0.01 (four points 0.02, three 0.05): the statement shows two decimals.
//
// Theory agrees when it lies within the interval as printed. Where it does not, the local orders must have settled for
// more to be said: it is further from p than three times their spread (at least three of them), and than 1/4, orders
// being whole numbers or halves. Then theory differs where it promises more than p, and more than the local orders may
// still rise to: where they rise as h shrinks, as far as their last moves lead, and at least by 1/2 where they are
// three. Where it promises less, p is above theory, which is no evidence against it: orders are limits and mostly lower
// bounds, and a term of higher order may rule the errors down to round-off. Otherwise the orders are not settled.
// Errors that stand still far above round-off do not converge.
//
// Neither is said where the steps of the window are too long for the fastest mode of the equations, of the eigenvalue
// mu: where |mu| h > 1 methods show other orders, which no step that is as long leads beyond; and where the error of
// that mode at the end of the interval, |mu| T (|mu| h)^p with the constant of the method, exceeds 1, it is as large as
// the mode, and grows no more with h. Sums of such modes can look like any order.
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.hpp"

namespace daelab {

/// Below this slope errors are taken to stand still: the slowest rates seen in practice are 1/2.
inline constexpr double standstill = 0.3;

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
  const double log_error =
      error == 0 ? -std::numeric_limits<double>::infinity() : static_cast<double>(log(T(abs(error))));
  return {static_cast<double>(log(h)), log_error};
}

struct OrderOptions {
  std::optional<double> theory = {};       // judged and shown in the statement, never used in the fit
  std::optional<double> log10_floor = {};  // known floor: reference, Newton or round-off level
  int failed = 0;                          // runs without a point
  int shortened = 0;                       // runs left out because their step does not divide the time
};

/// The fastest mode of the equations: its |eigenvalue| [1/s], times the interval of the runs.
struct FastestMode {
  double rate = 0, turns = 0;
};

/// How an order compares with theory.
namespace agreement {
inline constexpr const char* agrees = "agrees";
inline constexpr const char* above = "above theory";
inline constexpr const char* differs = "differs";
inline constexpr const char* not_settled = "not settled";
inline constexpr const char* stiff_window = "not settled (stiff window)";
inline constexpr const char* does_not_converge = "does not converge";
}  // namespace agreement

struct OrderEstimate {
  bool decided = false;  // half_width <= 1/2, so that one integer order is told from the next
  double order = std::numeric_limits<double>::quiet_NaN();       // sign kept; NaN: nothing to fit
  double half_width = std::numeric_limits<double>::quiet_NaN();  // 95 %, see above
  // A theory differs from this distance of p on; infinite with less than three local orders.
  double differs_beyond = std::numeric_limits<double>::quiet_NaN();
  // What the local orders may still rise to; p where they do not rise and are more than three.
  double rises_to = std::numeric_limits<double>::quiet_NaN();
  int used = 0, pre_asymptotic = 0, at_floor = 0, failed = 0, shortened = 0;
  int total = 0;                         // the sum of these when an order was fitted
  double residual = 0;                   // root mean square of log error - fit: 0.02 is 2 % scatter
  std::vector<std::size_t> used_points;  // indices into the input, coarse to fine
  std::optional<double> theory;
  bool stands_still = false;  // all errors are large and of one size
  std::string agreement;      // with theory, one of the above; empty without one, and while undecided
  std::string statement;      // "p = 3.98 ± 0.02 from 6 of 9 points (2 pre-asymptotic, 1 at the floor);
                              // theory 4: agrees", or "undecided: " and the reason
};

/// The statement in words gains "; theory 4: agrees" or another of the words above, of an undecided order only the
/// theory.
void compare_with_theory(OrderEstimate& estimate, double theory);
/// Whether theory is contradicted: the estimate differs, or does not converge.
bool contradicts_theory(const OrderEstimate& estimate);
/// Takes that back where the window, of these points, is stiff.
void doubt_stiff_window(OrderEstimate& estimate, const std::vector<OrderPoint>& points, const FastestMode& mode);

/// "4.99 ± 0.08"; "undecided" where it is.
std::string order_text(const OrderEstimate& estimate);

/// The points may come in any order; of two with the same h the first counts.
OrderEstimate estimate_order(const std::vector<OrderPoint>& points, const OrderOptions& options = {});

/// NaN and infinity become null, and null NaN.
void to_json(Json& json, const OrderEstimate& estimate);
/// Reads only what to_json writes; otherwise throws Json::exception.
void from_json(const Json& json, OrderEstimate& estimate);

}  // namespace daelab
