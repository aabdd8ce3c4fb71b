// Whether the errors of steps that failed fall as they do over a jump.
//
// [GO84] Gear, Østerby, Solving ordinary differential equations with discontinuities, ACM Transactions on Mathematical
// Software 10(1), 1984, 23-44.
#pragma once

#include "core/integration/jump_indicator.hpp"

namespace daelab {

/// Compares the error of a step with that of the last one that failed from the same state, which was larger. Where the
/// motion is smooth, it falls with h^p, p the power in the estimate; over a jump of y' with h. A jump it is where the
/// error falls less than in the middle of these, with h^((1 + p)/2); p is the smaller one where the order has changed,
/// and 2 at least. The idea, to ask whether the error falls as the order says, is that of [GO84]; the rule is ours.
template <class T>
class ErrorJumps final : public JumpIndicator<T> {
 public:
  bool jumps(const State<T>& from, const Attempt<T>& failed) override;

 private:
  T t_{0};             // of the state that the last one failed from
  Attempt<T> last_{};  // h = 0: none
};

}  // namespace daelab
