// Backward differentiation formulas on backward differences, with the step size changing from step to step.
//
// Divided differences on the grid tau_j = t_n - t_(n-j), times what makes them O(h^j):
//
//   nabla^j x_n = tau_1 ... tau_j x[t_n, ..., t_(n-j)]                                        [Ren20, after (58)]
//
// Brought to the grid of a new step h they are the terms of its prediction. With these, nabla* below,
//
//   x_(n+1) = x_n + sum_(j=1)^k nabla*^j + delta,       h x'_(n+1) = sum_(j=1)^k c_j nabla*^j + c_k delta,
//   nabla^(k+1) x_(n+1) = delta,  nabla^(k+2) x_(n+1) = delta - nabla*^(k+1),  nabla^j = nabla*^j + nabla^(j+1),
//   c_j = sum_(i=1)^j h / tau_i,   defect of h x' about c_e^k delta,  c_e^k = h / tau_(k+1)       [eqs. (59)-(64)]
//
// whatever the way to nabla*. The variable formula scales each difference by omega_j and keeps the true grid; the
// quasi-constant one resamples the interpolant on the uniform grid of the new step: c_j and c_e^j are constants then.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#pragma once

#include <array>

#include "core/base/scalar.hpp"

namespace daelab {

constexpr int bdf_highest_order = 6;
/// Where nothing else is said: the formula of order 6 damps oscillations in a sector of 17.84 degrees only.
constexpr int bdf_usual_order = 5;
/// Differences kept: two more than the order, to judge the next higher one.
constexpr int bdf_columns = bdf_highest_order + 2;
/// One number for each j = 1, ..., bdf_columns; entry 0 is not used.
template <class T>
using BdfArray = std::array<T, bdf_columns + 1>;

/// The past of a run.
template <class T>
struct BdfHistory {
  explicit BdfHistory(Index components) : differences(Matrix<T>::Zero(components, bdf_columns)) {}

  Matrix<T> differences;          // (components, bdf_columns)
  BdfArray<T> tau{};              // their grid
  int order = 0, next_order = 0;  // of the step that led here, 0: it was one of another method
  long steps = 0;                 // made; at least so many differences are those of the solution
  long equal_steps = 0;           // the last so many were of one size and one order
  bool operator==(const BdfHistory&) const = default;

  Index components() const { return differences.rows(); }
  /// nabla^j, (components).
  auto difference(int j) { return differences.col(j - 1); }
  auto difference(int j) const { return differences.col(j - 1); }
};

enum class BdfFormula { variable, quasi_constant };
inline std::vector<std::string> names_of(BdfFormula) { return {"variable", "quasi-constant"}; }

/// The largest j with |nabla^1| >= |nabla^2| >= ... >= |nabla^(j+1)| after a step of order k, at most k + 1: up to
/// which order terms of the Taylor series fall. `size`: of nabla^j, unfiltered, as that costs little. [eq. (86)]
int numerical_smoothness(int k, const auto& size) {
  auto before = size(1);
  for (int j = 2; j <= k + 2; ++j) {
    const auto next = size(j);
    if (!(before >= next)) return j - 2;
    before = next;
  }
  return k + 1;
}

/// The fictitious past of a start with slope x', a straight line: nabla*^1 = h x', the others 0, tau_j = j h.
template <class T>
void start_history(const T& h, const Vector<T>& slope, BdfHistory<T>& to);

/// nabla*^1, ..., nabla*^columns and the grid of a step of size h from the differences at its start.
template <class T>
void rescale_history(BdfFormula formula, const BdfHistory<T>& from, const T& h, int columns, BdfHistory<T>& to);

/// D_new = D (R U), entry (i, j) at [i][j]: resamples backward differences for a step zeta times as large.
/// [eqs. (54)-(55)]
template <class T>
std::array<BdfArray<T>, bdf_columns + 1> resampling(const T& zeta, int columns);

/// kappa_k of the numerical differentiation formulas, k = 1 to 5 (0 for 6, which has none): h y' gains kappa_k c_k
/// delta, what is left of the first neglected term, so that steps of orders 1 to 3 may be a quarter longer at the same
/// error. [SR97, Table 1]
///
/// [SR97] Shampine, Reichelt, SIAM J. Sci. Comput. 18(1), 1997, 1-22; Klopfenstein 1971 for orders 1 and 2.
const Real100& numerical_differentiation(int k);

/// c_j and c_e^j of the grid of a step, c_e^j to j = bdf_columns - 1, and the weight of delta in h x' by order: c_k, of
/// numerical differentiation formulas (1 - kappa_k) c_k, whose defect is |c_e^k + kappa_k c_k|.
template <class T>
struct BdfWeights {
  explicit BdfWeights(const BdfHistory<T>& grid, bool numerical = false);
  BdfArray<T> c, error, delta;
};

/// The differences at the end of a step of order k from nabla*, in place.
template <class T>
void advance_history(BdfHistory<T>& history, int k, const Vector<T>& delta);

/// The same after a step of another method: from x_(n+1) - x_n and nabla*^1, ..., nabla*^(known).
template <class T>
void append_to_history(BdfHistory<T>& history, int known, const Vector<T>& increment);

/// Past values in place of differences, x_(n-j) for nabla^j x_n, j = 1, ..., columns, of the components first, ...,
/// first + count - 1 of x_n.
template <class T>
void to_past_values(BdfHistory<T>& history, int columns, Index first, Index count, const Vector<T>& x);
/// The way back.
template <class T>
void to_differences(BdfHistory<T>& history, int columns, Index first, Index count, const Vector<T>& x);

/// p(t_n + s) = x_n + sum_j w_j nabla^j x_n, the polynomial of degree k through x_n, ..., x_(n-k): w. [eq. (47)]
template <class T>
BdfArray<T> interpolation_weights(const BdfHistory<T>& history, int k, const T& s);

}  // namespace daelab
