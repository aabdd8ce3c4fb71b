// Nyström tableaus for q'' = f(t, q, v), v = q', in 100 digits. [HNW93, Sec. II.14]
//
//   Q_i = q_n + c_i h v_n + h^2 sum_j a_bar_ij F_j,   V_i = v_n + h sum_j a_ij F_j,   F_i = f(t_n + c_i h, Q_i, V_i),
//   q_(n+1) = q_n + h v_n + h^2 sum_i b_bar_i F_i,    v_(n+1) = v_n + h sum_i b_i F_i.
//
// A partitioned Runge-Kutta method integrates q' = v by (A, b) and v' = f by (A_hat, b_hat). On q'' = f it is the
// Nyström method with c = A 1, A_bar = A A_hat, b_bar = A_hat^T b, and the velocities of its stages have A_hat and
// b_hat. [HLW06, Sec. II.2]
//
// [HLW06] Hairer, Lubich, Wanner, Geometric Numerical Integration, 2nd ed., Springer, 2006.
// [HNW93] Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, 2nd ed., Springer, 1993.
#pragma once

#include <optional>
#include <string>

#include "core/base/scalar.hpp"

namespace daelab {

struct PartitionedPair {
  Matrix<Real100> A, A_hat;  // (s, s)
  Vector<Real100> b, b_hat;  // (s)
};

struct NystromTableau {
  std::string name, source;
  Vector<Real100> c, b_bar, b;                 // (s)
  Matrix<Real100> A_bar;                       // (s, s)
  Matrix<Real100> A;                           // (s, s), of velocities; 0 by 0: it has none of stages
  Vector<Real100> b_bar_embedded, b_embedded;  // (s) a second solution from the same stages; empty: none
  std::optional<PartitionedPair> pair;         // of partitioned methods
  int order = 0;                               // verified, on q'' = f(t, q); 0: none claimed
  int embedded_order = 0;                      // verified; 0: none
  int separable_order = 0;                     // of a pair, verified, on q' = f(p), p' = g(q); 0: none claimed
  bool takes_velocities = false;               // it has the order on q'' = f(t, q, q'), too
  bool is_symmetric = false;                   // found, whether claimed or not
  bool is_symplectic = false;                  // the same
  int digits = 0;                              // to which the weakest coefficient is given; 0: all are exact
  Real100 error{"1e-80"};                      // below which conditions hold

  Index stages() const { return b.size(); }
};

}  // namespace daelab
