// Coefficients of Rosenbrock and W-methods, in 100 digits, and what engine and analysis derive from them.
//
//   k_i = h f(t_n + alpha_i h, y_n + sum_(j<i) alpha_ij k_j) + h J sum_(j<=i) gamma_ij k_j + h^2 gamma_i f_t,
//   y_(n+1) = y_n + sum_i b_i k_i,   alpha_i = sum_j alpha_ij,   gamma_i = sum_j gamma_ij,   gamma_ii = gamma,
//
// with J = f_y and f_t at the start of the step; a W-method keeps its order with other matrices J. [HW96, Sec. IV.7]
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer.
#pragma once

#include <string>
#include <vector>

#include "core/base/json.hpp"
#include "core/base/once.hpp"
#include "core/integration/blind_estimate.hpp"
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
  /// Rows H_2, ..., H_L (L - 1, s); no rows: none. With x = (t - t_n)/h and K_l = sum_i H_li u_i, see RosenbrockForm,
  ///   y(t) = (1 - x) y_n + x (y_(n+1) + (1 - x) (K_2 + x (K_3 + x (K_4 + ...)))).
  Matrix<Real100> dense_output;
  int dense_order = 0;  // of that

  Index stages() const { return b.size(); }
  Matrix<Real100> beta() const { return alpha + gamma; }
  bool stiffly_accurate() const;
  /// The Runge-Kutta tableau beta, b, which is this method on linear equations y' = J y.
  Tableau on_linear_equations() const;
};

/// A further test of tableaus read from JSON; throws InputError under `where` when it fails.
using RosenbrockCheck = void (*)(const RosenbrockTableau& tableau, const std::string& where);
/// Tests that higher floors add (analysis: the claimed orders).
std::vector<RosenbrockCheck>& rosenbrock_checks();

bool is_rosenbrock_tableau(const Json& json);

/// Reads {"name", "alpha", "gamma", "weights", "embedded_weights"?, "order"?, "embedded_order"?, "index_1_order"?,
/// "w_order"?, "dense_output"?, "dense_order"?, "summary"?, "source"?, "aliases"?}, entries as exact texts or numbers.
/// Decimals of 14 places and more are rounded to them. Throws InputError with the JSON pointer, which `where` prefixes,
/// for what is malformed, for diagonal entries of gamma that differ or are 0, and for orders that are claimed and not
/// there.
RosenbrockTableau rosenbrock_from_json(const Json& json, const std::string& where);

/// The inverse of a lower triangular matrix without zeros on its diagonal.
Matrix<Real100> lower_inverse(const Matrix<Real100>& L);

/// What the embedded estimate sees, of y' = f(t) with f_t in the stages, too.
EstimateSight estimate_sight(const RosenbrockTableau& tableau);

/// Coefficients of the form without products with J, u = (gamma_ij) k, in the scalar of a run.
///
/// Equations F(t, y, y') = 0 are y' = z, 0 = F(t, y, z), an index-1 system in (y, z), z = (y' of differential, y of
/// algebraic components): l_i are the increments of z, k_i = h (z_n + sum_j beta_ij l_j). In terms of u,
///
///   y_n + sum_j alpha_ij k_j = y_n + sum_j a_ij u_j,
///   z_n + sum_j alpha_ij l_j = omega_i z_n + (1/h) sum_j slope_ij u_j,
///   sum_j gamma_ij l_j = (1/h) (u_i/gamma + sum_(j<i) rest_ij u_j) - omega_i z_n.
template <class T>
struct RosenbrockForm {
  explicit RosenbrockForm(const RosenbrockTableau& tableau);
  T gamma{0};
  Matrix<T> a;              // (s, s) alpha Gamma^-1, strictly lower triangular
  Matrix<T> gamma_inverse;  // (s, s) Gamma^-1, lower triangular: slope + rest below the diagonal
  Matrix<T> slope, rest;    // (s, s) alpha W Gamma^-1 and Gamma W Gamma^-1 below the diagonal, W = beta^-1
  Vector<T> omega;          // (s) (I - alpha W) 1
  Vector<T> c, d;           // (s) row sums of alpha and of Gamma
  Vector<T> m, e;           // (s) b and b - b_embedded, each times Gamma^-1; e is empty without an estimate
  Matrix<T> output;         // (L - 1, s) rows of dense output
};

/// A tableau with its forms, each made when it is first asked for. Any number of threads may ask.
class PreparedRosenbrock {
 public:
  explicit PreparedRosenbrock(RosenbrockTableau tableau) : tableau_(std::move(tableau)) {}
  const RosenbrockTableau& tableau() const { return tableau_; }
  template <class T>
  const RosenbrockForm<T>& form() const {
    return of(As<T>{}).get([this] { return RosenbrockForm<T>(tableau_); });
  }

 private:
  RosenbrockTableau tableau_;
#define DAELAB_DECLARE(T)              \
  Once<RosenbrockForm<T>> form_##T##_; \
  const Once<RosenbrockForm<T>>& of(As<T>) const { return form_##T##_; }
  DAELAB_FOR_SCALARS(DAELAB_DECLARE)
#undef DAELAB_DECLARE
};

}  // namespace daelab
