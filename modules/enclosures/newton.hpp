// Unknowns that equations determine: Newton's method, and proofs by Krawczyk's operator.
//
// F(m) at a point m and the derivative J over a box X around it give
//
//   N(X) = m - Y F(m) + (1 - Y J(X)) (X - m),   Y close to J(m)^-1.
//
// N(X) in the interior of X: there is exactly one solution in X, and it is in N(X). [Krawczyk, Computing 4, 1969]
#pragma once

#include <vector>

#include "modules/enclosures/series.hpp"

namespace daelab {

class Conditions {
 public:
  Conditions(const EnclosureConditions& conditions, std::vector<int> columns, slong precision);

  bool empty() const { return conditions_.residuals.empty(); }
  enum class Guess { near, included };
  /// The unknowns of these columns, from where they are; the others are as they are. There is exactly one solution
  /// near, or, beyond that, in a box that includes the balls it begins with. Throws Refusal.
  void determine(arb_srcptr t, Balls& x, Guess guess = Guess::near);
  /// Directions of the same unknowns from those of the others, at what was determined. Throws Refusal.
  void determine_along(arb_srcptr t, const Balls& x, Balls& dx);
  /// The name of a residual that is not zero there; "": none.
  std::string violated(arb_srcptr t, const Balls& x);

 private:
  void evaluate(arb_srcptr t, const Balls& x);
  void jacobian(BallMatrix& J);
  double newton(arb_srcptr t, Balls& x);

  const EnclosureConditions& conditions_;
  std::vector<int> columns_;
  ProgramSeries program_;
};

}  // namespace daelab
