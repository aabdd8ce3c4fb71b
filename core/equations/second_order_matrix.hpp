// What iteration matrices of second-order systems share: one factorisation for both kinds of unknowns.
#pragma once

#include <array>

#include "core/base/plain_arithmetic.hpp"
#include "core/equations/system.hpp"

namespace daelab {

/// kappa stands for the weights (kappa^2, kappa, 1) with the unknowns y' instead of (x, z): q' = velocity x then, v' =
/// z.
template <class S>
class SecondOrderMatrix : public IterationMatrix<S> {
 public:
  Status factorize(const S& kappa) final { return factorize_with({kappa * kappa, kappa, S(1)}, true); }
  Status factorize(const SecondOrderWeights<S>& weights) final { return factorize_with(weights, false); }
  void reuse(const S& kappa) final { weigh({kappa * kappa, kappa, S(1)}); }
  void reuse(const SecondOrderWeights<S>& weights) final { weigh(weights); }

 protected:
  /// Fills and factorises the matrix for the weights w_.
  virtual Status factorize_weighted() = 0;
  /// Unknowns are y'.
  bool first_order() const { return first_order_; }

  SecondOrderWeights<S> w_{S(1), S(1), S(1)};
  S position_by_velocity_{1};  // their quotient
  /// Divides by the weight of a level, with which its constraint rows are scaled.
  const Divisor<S>& by_weight_of(Level level) const { return by_weight_[static_cast<std::size_t>(level)]; }

 private:
  void weigh(const SecondOrderWeights<S>& weights) {
    w_ = weights;
    by_weight_ = {Divisor<S>(w_.position), Divisor<S>(w_.velocity), Divisor<S>(w_.acceleration)};
    position_by_velocity_ = by_weight_of(Level::velocity)(w_.position);
  }
  Status factorize_with(const SecondOrderWeights<S>& weights, bool first_order) {
    weigh(weights), first_order_ = first_order;
    return factorize_weighted();
  }
  bool first_order_ = true;
  std::array<Divisor<S>, 3> by_weight_{Divisor<S>(S(1)), Divisor<S>(S(1)), Divisor<S>(S(1))};  // by level
};

}  // namespace daelab
