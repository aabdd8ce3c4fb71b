// Symmetric methods: a step of h and one of -h return to the start. Their compositions have orders that follow from the
// sizes of the steps alone.
//
// [HLW06] Hairer, Lubich, Wanner, Geometric Numerical Integration, 2nd ed., Springer, 2006, Secs. II.4, V.2, V.3.
#pragma once

#include "core/integration/tableau.hpp"

namespace daelab {

/// What a method says that can be symmetric: on every form that it takes, as far as its equations are solved.
class SymmetricMethod {
 public:
  virtual ~SymmetricMethod() = default;
  virtual bool is_symmetric() const = 0;
  /// A step does not end on all levels of the constraints. What it leaves changes its sign from step to step, so that
  /// the orders of compositions follow without constraints only.
  virtual bool leaves_constraints() const { return false; }
};

/// a_ij + a_(s+1-i, s+1-j) = b_j = b_(s+1-j), as far as rounded coefficients have it; stages in the order of their
/// nodes. [HLW06, Theorem V.2.3]
inline bool is_symmetric(const Tableau& t) {
  const Matrix<Real100> defect = t.A + t.A.reverse() - t.b.transpose().replicate(t.stages(), 1);
  const Real100 largest = std::max<Real100>(defect.cwiseAbs().maxCoeff(), (t.b - t.b.reverse()).cwiseAbs().maxCoeff());
  return largest <= pow(Real100(10), t.digits > 0 ? 1 - t.digits : -80);
}

}  // namespace daelab
