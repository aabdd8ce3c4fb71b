// The symmetric rank-one iteration with unit steps for A x = b, one pass at a time. [Iv23, algorithm (11)]
//
// A is symmetric positive semidefinite and H close to A^+. With r_k = A x_k - b, s_k = x_(k+1) - x_k and
// y_k = A s_k a pass forms v = H_k r_(k+1), updates H_(k+1) = H_k - v v^T / (v^T y_k) and moves by
// s_(k+1) = -H_(k+1) r_(k+1). Every H has the range and null space of H_0, so x stays in that range: where it
// is not the range of A, the limit is an oblique solution, not the one of least norm.
//
// [Iv23] Ivanov, Vestnik Permskogo Universiteta, Matematika Mekhanika Informatika 1(60), 2023, 30-46.
#pragma once

#include <string>
#include <vector>

#include "core/base/scalar.hpp"

namespace daelab {

/// What |v^T y_k| must exceed for an update of H: eps_abs as printed, its square, or nothing.
enum class SkipTest { eps_abs, eps_abs_squared, never_skip };
inline std::vector<std::string> names_of(SkipTest) { return {"eps-abs", "eps-abs-squared", "never-skip"}; }
template <class T>
T skip_threshold(SkipTest test, const T& eps_abs) {
  if (test == SkipTest::never_skip) return T(0);
  return test == SkipTest::eps_abs ? eps_abs : T(eps_abs * eps_abs);
}

template <class T>
struct Sr1Iteration {
  explicit Sr1Iteration(Index size);

  Matrix<T> H;           // (m, m) the inverse as updated so far
  Vector<T> x, r;        // x_(k+1) and its residual
  Vector<T> s, y;        // the last step s_k and y_k = A s_k
  Vector<T> v;           // H_k r_(k+1) of the last pass
  T curvature{0};        // v^T y_k of the last pass
  bool updated = false;  // the last pass changed H
  long products = 0;     // of H or A with a vector, so far

  /// Line 1: x = s = H b, k = 0.
  void start(const Matrix<T>& A, const Vector<T>& b);
  /// Lines 3 to 11. H is updated when |v^T y_k| > skip_threshold, otherwise the step is plain refinement.
  void pass(const Matrix<T>& A, const Vector<T>& b, const T& skip_threshold);
  /// r^T r.
  T squared_residual() const;
};

}  // namespace daelab
