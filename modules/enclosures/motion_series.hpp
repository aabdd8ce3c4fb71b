// Taylor series of a motion, and of its derivatives along directions.
//
// Coefficients k of the unknowns give those of all that the program computes, K w = r gives
// w_k = K_0^-1 (r_k - sum_j K_j w_(k-j)), j >= 1, and x_(k+1) = f_k / (k + 1). Along a direction all is linear.
#pragma once

#include "modules/enclosures/series.hpp"

namespace daelab {

class MotionSeries {
 public:
  MotionSeries(const EnclosureEquations& equations, int order, slong precision);

  /// From balls of the unknowns, to the order of this object. Throws Refusal.
  void expand(arb_srcptr t, const Balls& x);
  /// Along this direction, after expand().
  void expand_along(const Balls& dx);
  /// w and its derivative at the start alone.
  void solve_at(arb_srcptr t, const Balls& x);

  const EnclosureEquations& equations() const { return equations_; }
  const ProgramSeries& program() const { return program_; }
  int order() const { return program_.order(); }
  slong precision() const { return program_.precision(); }
  std::size_t unknowns() const { return equations_.rates.size(); }
  std::size_t solved() const { return equations_.right.size(); }
  /// Coefficients of unknown i, 0 to the order; of w 0 to the order - 1.
  BallSeries unknown(std::size_t i, bool along) const { return part(along ? along_ : unknowns_, i); }
  BallSeries solved(std::size_t i, bool along) const { return part(along ? solved_along_ : solved_, i); }
  /// Middle of the inverse of K_0.
  double inverse(std::size_t i, std::size_t j) const { return middle(inverse_[i * solved() + j]); }

 private:
  BallSeries part(const Balls& all, std::size_t i) const {
    return {const_cast<arb_ptr>(all[i * static_cast<std::size_t>(order() + 1)]), order()};
  }
  void put_inputs(int k, bool along);
  void refuse_uncertain(bool along) const;
  void invert();
  void solve(int k, bool along);
  void integrate(int k, bool along);

  const EnclosureEquations& equations_;
  ProgramSeries program_;
  Balls unknowns_, along_, solved_, solved_along_, inverse_, time_, work_;
};

}  // namespace daelab
