// The implicit stages of a Runge-Kutta tableau and the eigenmodes that decouple them, in 100 digits.
#pragma once

#include <vector>

#include "core/integration/tableau.hpp"

namespace daelab {

/// One eigenvalue of B, real or standing for a complex pair.
struct Eigenmode {
  bool real;
  std::complex<Real100> beta;
  Vector<std::complex<Real100>> left;   // row of S^-1
  Vector<std::complex<Real100>> right;  // column of S, times 2 for a pair: Re(right w) sums both
};

/// Coefficients of the implicit stages, in 100 digits.
struct Stages {
  bool explicit_first, stiffly_accurate, singular = false;
  Matrix<Real100> B, extrapolation;  // (r, r); (r, r or r + 1)
  Vector<Real100> d, c, b;           // (r)
  Real100 b0 = 0;                    // weight of the explicit first stage
  std::vector<Eigenmode> modes;      // empty when B has no basis of eigenvectors
  Real100 gamma = 0;                 // the largest real eigenvalue of B, else the mean one
  /// The slope at the start of a step by the polynomial through the slopes of the stages after the start, as weights of
  /// these. The defect gamma h (y'_n - sum_i start_slope_i Y'_i) is of order h^defect_exponent; 0: there is none, as
  /// where nodes coincide.
  Vector<Real100> start_slope;  // (r)
  int defect_exponent = 0;
  /// Where no node is at the end of a step, nothing of the equations behind the last one enters it: the slope at the
  /// end by the polynomial through those of the stages, as weights of these. Empty where a node is, or nodes coincide.
  Vector<Real100> end_slope;
};

/// An estimate of the error of a step, gamma h (start_weight y'_n + sum_i weights_i Y'_i), of order h^exponent.
struct ErrorFormula {
  Real100 start_weight;
  Vector<Real100> weights;  // (r) of the implicit stages
  Real100 gamma;            // of the matrix F_y' + gamma h F_y that filters it
  int exponent;
  /// The error of a step is this times estimate^((order + 1)/exponent), by the leading terms of both for linear
  /// equations and quadratures: large where the embedded solution is close to that of the method. 1: nothing is known.
  double amplification = 1;
  /// The implicit stage that is the embedded solution; -1: none. It satisfies the constraints as the step end does.
  Index embedded_stage = -1;
};

/// The defect at the start of the step. Throws NotApplicable where there is none.
ErrorFormula defect_formula(const Stages& stages);
/// The difference to the embedded solution of a tableau, which must have one that claims an order.
ErrorFormula embedded_formula(const Tableau& tableau, const Stages& stages);

/// Splits off an explicit first stage and diagonalises the rest.
Stages implicit_stages(const Tableau& tableau);

}  // namespace daelab
