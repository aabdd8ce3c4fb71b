// Whether a quantity of the model jumps along a step that failed.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098, Sec. 5.3.
#pragma once

#include "core/equations/mechanical_layout.hpp"
#include "core/integration/jump_indicator.hpp"

namespace daelab {

/// The forces Q, or the nonzeros of the constraint Jacobian C_q. C itself and its derivatives say nothing: steps keep
/// them near zero. [Ren20, Sec. 5.3]
enum class WatchedQuantity { force, jacobian };

/// Looks at nine times along the step of size h that is predicted from the state, q + s v + s^2 a/2 and v + s a. An
/// entry jumps where it changes in one of the eight intervals by more than in all others together. Powers s^k to k = 5
/// do not, entries that change by less than the root of the unit of round-off of the largest one neither. How the
/// quantities are tested the review leaves to its references; this rule is ours. Forces are those at lambda = 0.
template <class T>
class QuantityJumps final : public JumpIndicator<T> {
 public:
  /// Accelerations: System::accelerations().
  QuantityJumps(MechanicalModel<T>& model, WatchedQuantity quantity, Index accelerations);

  bool jumps(const State<T>& from, const Attempt<T>& failed) override;

 private:
  static constexpr int intervals = 8;
  void evaluate(const State<T>& from, const T& s, Vector<T>& values);

  MechanicalModel<T>& model_;
  WatchedQuantity quantity_;
  MechanicalLayout layout_;
  SparseData<T> data_;
  Vector<T> q_, v_, a_;
  Vector<T> before_, now_, total_, largest_;  // (entries): variation over all intervals, and over one
};

}  // namespace daelab
