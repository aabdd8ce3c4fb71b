// What a Runge-Kutta tableau keeps of the structure of equations, decided from its coefficients.
//
// A method is known by the numbers b^T Phi(t) of all rooted trees t. Their vectors Phi(t) span a space of at most s
// dimensions, and few trees are a basis:
//
//   symplectic:  Phi(u)^T M Phi(v) = 0 for all trees u, v,  M = (b_i a_ij + b_j a_ji - b_i b_j); so M = 0 is enough
//   symmetric:   b^T Phi(t) is the same for the adjoint method, A* = 1 b^T - A, b* = b, for all trees t; so it is
//   enough
//                that some order of the stages turns one tableau into the other
//
// [HLW06] Hairer, Lubich, Wanner, Geometric Numerical Integration, 2nd ed., Springer, 2006, Secs. II.4, V.2, VI.4,
// VI.7.
#pragma once

#include "analysis/property.hpp"
#include "core/integration/tableau.hpp"

namespace daelab {

Property symmetric(const Tableau& tableau);
Property symplectic(const Tableau& tableau);
/// "First same as last": the last slope of a step is the first one of the next.
Property first_same_as_last(const Tableau& tableau);

}  // namespace daelab
