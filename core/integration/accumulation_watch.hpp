// What the errors of all steps come to.
#pragma once

#include <algorithm>

#include "core/integration/integrate.hpp"
#include "core/integration/state.hpp"

namespace daelab {

/// Adds up the errors of the steps of a run with error control. A step of a formula of order p is off by the order
/// p + 1 of h. Where the estimate has the exponent p + 1 too, it is the error of the very solution the run goes on
/// with. Where its exponent e is lower, as of pairs that go on with the better solution, h goes like the e-th root of
/// the tolerance r, and the error is r^((p + 1)/e - 1) of the estimate, times the amplification where one is known.
template <class T>
class AccumulationWatch final : public Observer<T> {
 public:
  explicit AccumulationWatch(double relative_tolerance) : relative_tolerance_(relative_tolerance) {}
  void start(const State<T>& /*state*/) override {}
  void step(const State<T>& /*from*/, const State<T>& /*to*/) override {}
  void attempt(const StepAttempt<T>& attempt) override;

  /// In tolerances, as if nothing of the errors faded or grew.
  double sum() const;
  /// Whether the formula is off by a higher power of h than its estimate, and the warning hangs on that.
  bool hangs_on_order() const { return estimates_ > bearable() && sum() <= bearable(); }
  /// The form of the equations leaves it no more than this order.
  void limit_order(int order) { order_ = std::min(order_, order); }
  /// "accumulation", where the sum exceeds 100 tolerances, 50 for order 2 and less: what share of runs is far off from
  /// there on is in docs/trust.md.
  std::optional<Warning> warning() const;

 private:
  double bearable() const { return order_ <= 2 ? 50 : 100; }

  double relative_tolerance_;
  double estimates_ = 0;  // their sum
  long steps_ = 0;
  int order_ = 0, exponent_ = 0;  // the largest order, and the exponent with it
  double amplification_ = 1;
};

}  // namespace daelab
