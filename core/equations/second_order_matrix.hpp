// What iteration matrices of second-order systems share: one factorisation for both kinds of unknowns.
#pragma once

#include "core/equations/system.hpp"

namespace daelab {

/// kappa stands for the weights (kappa^2, kappa, 1) with the unknowns y' instead of (x, z): q' = velocity x then, v' =
/// z.
template <class S>
class SecondOrderMatrix : public IterationMatrix<S> {
 public:
  Status factorize(const S& kappa) final { return factorize_with({kappa * kappa, kappa, S(1)}, true); }
  Status factorize(const SecondOrderWeights<S>& weights) final { return factorize_with(weights, false); }
  void reuse(const S& kappa) final { w_ = {kappa * kappa, kappa, S(1)}; }
  void reuse(const SecondOrderWeights<S>& weights) final { w_ = weights; }

 protected:
  /// Fills and factorises the matrix for the weights w_.
  virtual Status factorize_weighted() = 0;
  /// Unknowns are y'.
  bool first_order() const { return first_order_; }

  SecondOrderWeights<S> w_{S(1), S(1), S(1)};

 private:
  Status factorize_with(const SecondOrderWeights<S>& weights, bool first_order) {
    w_ = weights, first_order_ = first_order;
    return factorize_weighted();
  }
  bool first_order_ = true;
};

}  // namespace daelab
