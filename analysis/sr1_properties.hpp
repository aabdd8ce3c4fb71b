// What the theory says of the symmetric rank-one iteration, measured: the iteration is followed pass by pass on a
// linear problem from the exact H_0 = A0^+, and every property becomes a number that is zero, or a comparison that
// holds, in exact arithmetic. [Iv23, lemmas 1 to 6, theorem and remark]
//
// With A_k = H_k^+ and eps F_k = A - A_k:
//
//   (12)  H_(k+1) y_i = s_i, i <= k            quasi-Newton conditions
//   (14)  s_(k+1) = a_k (E - H_k A) s_k        recurrence of the directions
//   (15)  s_k^T A s_i = 0, i <= k - 2          conjugacy
//   (17)  eps DH_k = (E + eps H_k F_k)^-1 eps H_k F_k H_k,  eps DH_k = H_k - A^+
//   (18)  r_(k+1) = eps F_k s_k                residual
//   (19)  H_(k+1) = H_k - eps (DH_k A s_k) (DH_k A s_k)^T / (s_k^T A DH_k A s_k)
//   (20)  A_(k+1) = A_k + r_(k+1) r_(k+1)^T / (r_(k+1)^T s_k)
//   (21)  A_(k+1) s_i = y_i, i <= k
//   |eps F_0| < lambda_r(A0)                   (22), the condition of the theorem: every H_k is positive definite on
//         the range of A0, and |eps F_k|, |H_k - A^+|, |x_k - x^0| decrease. Its proof has |eps H_k F_k| decrease, too,
//         which it need not
//   lemma 4: s_k and s_(k+1) are independent; remark: v^T y_k does not vanish
//   lemma 6, as the theorem uses it: H_0 eps F_0 is symmetric positive semidefinite
//
// Where A and A0 have different ranges, A^+, x^0 and A in these formulas are those restricted to the range of A0:
// LinearSystem::inverse, x and A_on_range. All norms are spectral or Euclidean.
//
// [Iv23] Ivanov, Vestnik Permskogo Universiteta, Matematika Mekhanika Informatika 1(60), 2023, 30-46.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "core/base/exact.hpp"
#include "core/solvers/linear_problem.hpp"

namespace daelab {

/// How algorithm (11) is run.
struct Sr1Settings {
  Exact eps_abs = "1e-10";     // it ends when |A x - b| <= eps_abs
  Exact skip_threshold = "0";  // H is updated where |v^T y_k| is larger
  int max_passes = 100;        // the paper has no limit
};

/// Largest deviations over all passes. Rounding leaves some multiples of Sr1Properties::rounding.
struct Sr1Deviations {
  double quasi_newton = 0;    // (12), relative to |s_i|
  double recurrence = 0;      // (14), relative to |s_(k+1)|
  double conjugacy = 0;       // (15), cosine of the angle in the metric of A
  double inverse_change = 0;  // (17) times E + eps H_k F_k, relative to |A^+|
  double residual = 0;        // (18), relative to |b|
  double inverse_update = 0;  // (19), relative to |A^+|
  double update = 0;          // (20), relative to |A|
  double secant = 0;          // (21), relative to |y_i|
  double vectors_range = 0;   // distance of x_k, s_k (r_k, y_k) from the range of A0, relative to |x^0| (|b|)
  double inverse_range = 0;   // |H_k - H_k P|, P the projector onto the range of A0, relative to |H_k|
};
/// Their names, in the order of the paper.
inline constexpr std::pair<const char*, double Sr1Deviations::*> sr1_deviations[] = {
    {"quasi_newton", &Sr1Deviations::quasi_newton},
    {"recurrence", &Sr1Deviations::recurrence},
    {"conjugacy", &Sr1Deviations::conjugacy},
    {"inverse_change", &Sr1Deviations::inverse_change},
    {"residual", &Sr1Deviations::residual},
    {"inverse_update", &Sr1Deviations::inverse_update},
    {"update", &Sr1Deviations::update},
    {"secant", &Sr1Deviations::secant},
    {"vectors_range", &Sr1Deviations::vectors_range},
    {"inverse_range", &Sr1Deviations::inverse_range}};

/// A norm over the passes that should not grow.
struct Decrease {
  std::vector<double> values;  // k = 0, 1, ...
  int increases = 0;           // beyond rounding
  int standstills = 0;         // neighbours equal to rounding, both above it
  double largest_factor = 0;   // value(k+1) / value(k), over values above rounding

  /// Appends a value known to +- `rounding`.
  void add(double value, double rounding);
};

struct Sr1Properties {
  bool converged = false;          // the residual fell below eps_abs
  int passes = 0;                  // k on exit: x_(k+1) is the last iterate
  int skipped = 0;                 // passes without an update of H
  long products = 0;               // of a matrix and a vector in all passes
  std::optional<int> singular_at;  // the first k whose H_k is singular on the range of A0; A_k is not followed beyond

  double rounding = 0;          // relative uncertainty of the last v = H r: epsilon |b| / |r|, r the last residual used
  double perturbation = 0;      // |eps F_0| / lambda_r(A0): below 1 is (22)
  double solution_error = 0;    // |x - x^0| / |x^0| on exit
  double inverse_error = 0;     // |H_k - A^+| / |A^+| on exit
  double norm_ratio = 0;        // |x| / |A^+ b| on exit: 1 where x is the solution of least norm
  double least_eigenvalue = 0;  // of all H_k on the range of A0, relative to that of H_0: positive where (a) holds
  double independence = 1;      // least sine of the angle between s_k and s_(k+1)
  double curvature = 1;         // least |v^T y_k| / (|v| |y_k|)
  double product_asymmetry = 0;  // |P - P^T| / |P|, P = H_0 (A - A0), Frobenius norms
  double product_form = 0;       // least eigenvalue of (P + P^T)/2 over |P|: negative where P is indefinite
  Sr1Deviations deviations;
  Decrease perturbations;         // |eps F_k|
  Decrease inverse_errors;        // |H_k - A^+|
  Decrease relative_changes;      // |eps H_k F_k|
  Decrease solution_errors;       // |x_k - x^0|, from x_0 = 0
  std::vector<double> residuals;  // |A x_(k+1) - b|
};

/// The norms that should not grow, by name.
inline constexpr std::pair<const char*, Decrease Sr1Properties::*> sr1_decreases[] = {
    {"perturbation", &Sr1Properties::perturbations},
    {"inverse", &Sr1Properties::inverse_errors},
    {"solution", &Sr1Properties::solution_errors},
    {"relative_change", &Sr1Properties::relative_changes}};

/// Follows algorithm (11) in the arithmetic of T.
template <class T>
Sr1Properties sr1_properties(const LinearSystem<T>& system, const Sr1Settings& settings);

}  // namespace daelab
