// Rates of linearly implicit equations M(t, s) s' = f(t, s).
//
// If M is singular some equations, or sums of them, have no derivatives, 0 = f_i(t, s). On index 1 their time
// derivatives f_is s' + f_it = 0 determine s' together with the other equations. [HW96, Sec. VI.1]
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, Springer 1996.
#pragma once

#include <memory>

#include "core/base/status.hpp"
#include "core/mechanism/ordinary_model.hpp"
#include "core/solvers/sparse_lu.hpp"

namespace daelab {

/// The model must outlive it.
template <class T>
class ImplicitRates {
 public:
  explicit ImplicitRates(OrdinaryModel<T>& model) : model_(model) {}

  /// sdot := s' (k). singular where the equations do not determine it, with the cause and what to do; non_finite.
  Status solve(const T& t, const Vector<T>& s, Vector<T>& sdot);
  /// The Newton step ds (k) onto the equations without derivatives along which M s does not change. Fails as solve().
  Status to_constraints(const T& t, const Vector<T>& s, Vector<T>& ds);
  /// Moves s onto the equations without derivatives, by Newton's method from where it is, and leaves M s alone. Else s
  /// stays as it is: singular, newton_diverged.
  Status meet_constraints(const T& t, Vector<T>& s);

 private:
  Status factorize(const T& t, const Vector<T>& s, Vector<T>& rates);

  OrdinaryModel<T>& model_;
  SparseMatrix<T> W_;
  Vector<T> factorized_;  // the values of W_ that lu_ has; empty: none
  std::unique_ptr<BlockLu<T>> lu_;
  Vector<T> moved_, f_, step_;
};

}  // namespace daelab
