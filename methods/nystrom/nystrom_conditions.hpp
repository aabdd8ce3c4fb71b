// Order conditions of Nyström and partitioned Runge-Kutta methods, by trees. [HNW93, Sec. II.14], [HLW06, Sec. III.2]
//
// A tree is f with branches: t, or the derivative of q in the direction of v; q in the direction of another f, two
// integrals away; v in the direction of another f, one integral away. Its weights at the stages are products over its
// branches, c, A_bar x and A x with x those of the branch, and its exact value in the same way, theta, and the
// integrals of powers of theta. On q' = f(p), p' = g(q) the two matrices alternate from branch to branch.
//
// [HLW06] Hairer, Lubich, Wanner, Geometric Numerical Integration, 2nd ed., Springer, 2006.
// [HNW93] Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, 2nd ed., Springer, 1993.
#pragma once

#include <string>
#include <vector>

#include "core/integration/nystrom_tableau.hpp"

namespace daelab {

/// The condition of the lowest order that does not hold, of these that which is farthest off.
struct NystromDefect {
  int order = 0;          // 0: there is none
  std::string condition;  // "b^T (c (A_bar c)) = 1/30"
  Real100 residual{0};
};

/// Beyond this there are too many trees with velocities.
constexpr int highest_nystrom_order = 8;

enum class NystromWeights { main, embedded };
/// Up to an order, on q'' = f(t, q), or, with `velocities`, on q'' = f(t, q, q').
NystromDefect nystrom_defect(const NystromTableau& tableau, int highest, bool velocities,
                             NystromWeights weights = NystromWeights::main);
/// On q' = f(p), p' = g(q); of a tableau that has a pair.
NystromDefect separable_defect(const NystromTableau& tableau, int highest);
/// Residuals of all conditions of both up to an order: polynomials in each coefficient.
std::vector<Real100> nystrom_residuals(const NystromTableau& tableau, int highest, bool velocities,
                                       NystromWeights weights = NystromWeights::main);
std::vector<Real100> separable_residuals(const NystromTableau& tableau, int highest);
/// The order that a defect leaves.
inline int order_before(const NystromDefect& defect, int highest) {
  return defect.order == 0 ? highest : defect.order - 1;
}

/// It is for q'' = f(t, q, q'): its document has velocities of stages. A pair always has them, and need not.
inline bool has_stage_velocities(const NystromTableau& tableau) {
  return tableau.takes_velocities || (tableau.A.size() > 0 && !tableau.pair);
}
/// What the weights of positions of a pair lack to the sum 1, as far as it is not rounding; 0 of Nyström tableaus.
Real100 positions_off(const NystromTableau& tableau);
/// Sets what the method is on q'' = f.
void take_pair(const PartitionedPair& pair, NystromTableau& tableau);

/// "" where it holds, else the entry that is off and its residual. Symplectic: of a pair on q' = f(p), p' = g(q) with
/// two gradients, otherwise on q'' = f(q) with a gradient [HLW06, Theorems VI.4.6, VI.4.8]. Symmetric: [HLW06, Sec.
/// V.2], with the velocities of stages where the tableau takes velocities.
std::string symplectic_defect(const NystromTableau& tableau);
std::string symmetry_defect(const NystromTableau& tableau);

}  // namespace daelab
