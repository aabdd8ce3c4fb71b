// The implicit stages of a Runge-Kutta tableau and the eigenmodes that decouple them, in 100 digits.
#pragma once

#include <vector>

#include "core/tableau.hpp"

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
};

/// Splits off an explicit first stage and diagonalises the rest.
Stages implicit_stages(const Tableau& tableau);

}  // namespace daelab
