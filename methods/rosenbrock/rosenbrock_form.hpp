// What the engine of Rosenbrock methods derives from their tableaus (core/integration/rosenbrock_tableau.hpp), and how
// these are read from JSON.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/base/json.hpp"
#include "core/base/once.hpp"
#include "core/integration/blind_estimate.hpp"
#include "core/integration/rosenbrock_tableau.hpp"

namespace daelab {

/// A further test of tableaus read from JSON; throws InputError under `where` when it fails.
using RosenbrockCheck = void (*)(const RosenbrockTableau& tableau, const std::string& where);
/// Tests that higher floors add (analysis: the claimed orders).
std::vector<RosenbrockCheck>& rosenbrock_checks();

/// Reads {"name", "alpha", "gamma", "weights", "embedded_weights"?, "order"?, "embedded_order"?, "index_1_order"?,
/// "w_order"?, "dense_output"?, "dense_order"?, "summary"?, "source"?, "aliases"?}, entries as exact texts or numbers.
/// Decimals of 14 places and more are rounded to them. Throws InputError with the JSON pointer, which `where` prefixes,
/// for what is malformed, for diagonal entries of gamma that differ or are 0, and for orders that are claimed and not
/// there.
RosenbrockTableau rosenbrock_from_json(const Json& json, const std::string& where);
/// The same, and no order that it claims is asked for. Shorter decimals are taken as exact, or as rounded if that has a
/// higher quality.
RosenbrockTableau rosenbrock_as_printed(const Json& json, const std::string& where,
                                        const std::function<int(const RosenbrockTableau&)>& quality);

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

/// A tableau with what follows from it, each made when it is first asked for. Any number of threads may ask.
class PreparedRosenbrock {
 public:
  explicit PreparedRosenbrock(RosenbrockTableau tableau) : tableau_(std::move(tableau)) {}
  const RosenbrockTableau& tableau() const { return tableau_; }
  const EstimateSight& sight() const {
    return sight_.get([this] { return estimate_sight(tableau_); });
  }
  template <class T>
  const RosenbrockForm<T>& form() const {
    return of(As<T>{}).get([this] { return RosenbrockForm<T>(tableau_); });
  }

 private:
  RosenbrockTableau tableau_;
  Once<EstimateSight> sight_;
#define DAELAB_DECLARE(T)              \
  Once<RosenbrockForm<T>> form_##T##_; \
  const Once<RosenbrockForm<T>>& of(As<T>) const { return form_##T##_; }
  DAELAB_FOR_SCALARS(DAELAB_DECLARE)
#undef DAELAB_DECLARE
};

}  // namespace daelab
