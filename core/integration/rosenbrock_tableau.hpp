// Coefficients of Rosenbrock and W-methods, in 100 digits.
//
//   k_i = h f(t_n + alpha_i h, y_n + sum_(j<i) alpha_ij k_j) + h J sum_(j<=i) gamma_ij k_j + h^2 gamma_i f_t,
//   y_(n+1) = y_n + sum_i b_i k_i,   alpha_i = sum_j alpha_ij,   gamma_i = sum_j gamma_ij,   gamma_ii = gamma,
//
// with J = f_y and f_t at the start of the step; a W-method keeps its order with other matrices J. [HW96, Sec. IV.7]
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer.
#pragma once

#include <string>

#include "core/integration/tableau.hpp"

namespace daelab {

struct RosenbrockTableau {
  std::string name, source;
  Matrix<Real100> alpha;       // (s, s), strictly lower triangular
  Matrix<Real100> gamma;       // (s, s), lower triangular with equal diagonal entries
  Vector<Real100> b;           // (s)
  Vector<Real100> b_embedded;  // (s), or empty: no error estimate
  // Claimed, and checked when the tableau is read; 0: none claimed.
  int order = 0, embedded_order = 0, index_1_order = 0, w_order = 0;
  int digits = 0;  // to which the weakest rounded coefficient is given; 0: all are exact
  /// Rows H_2, ..., H_L (L - 1, s); no rows: none. With x = (t - t_n)/h and K_l = sum_i H_li u_i, u = (gamma_ij) k,
  ///   y(t) = (1 - x) y_n + x (y_(n+1) + (1 - x) (K_2 + x (K_3 + x (K_4 + ...)))).
  Matrix<Real100> dense_output;
  int dense_order = 0;  // of that

  Index stages() const { return b.size(); }
  Matrix<Real100> beta() const { return alpha + gamma; }
  /// What combinations of coefficients are zero below.
  Real100 size_of_zero() const;
  bool stiffly_accurate() const;
  /// The Runge-Kutta tableau beta, b, which is this method on linear equations y' = J y.
  Tableau on_linear_equations() const;
};

}  // namespace daelab
