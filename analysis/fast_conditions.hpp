// Order conditions of Runge-Kutta tableaus in double, for searches that look at thousands of candidates, and one of
// them in full precision, to refine what was found.
#pragma once

#include <vector>

#include "analysis/dae_trees.hpp"
#include "core/integration/tableau.hpp"

namespace daelab {

class FastConditions {
 public:
  /// Conditions of all trees up to an order. `tolerance`: relative to the sizes of the terms.
  FastConditions(int order, double tolerance);

  bool hold(const Matrix<double>& A, const Vector<double>& b) const;
  /// b^T Phi - 1/gamma of the trees up to an order, by increasing order.
  Vector<double> residuals(const Matrix<double>& A, const Vector<double>& b, int up_to) const;
  /// The residual of one condition, in full precision.
  Real100 residual(std::size_t tree, const Matrix<Real100>& A, const Vector<Real100>& b) const;
  /// Residuals of all trees, in full precision. A child without siblings has the weights `alone`, any other `beside`:
  /// beta and alpha of Rosenbrock methods.
  std::vector<Real100> residuals(const Matrix<Real100>& alone, const Matrix<Real100>& beside, const Vector<Real100>& b,
                                 int up_to) const;
  int order() const { return order_; }
  double tolerance() const { return tolerance_; }

 private:
  struct Tree {
    int order;
    double value;  // 1/gamma
    Real100 gamma;
    std::vector<std::size_t> children;
  };
  Vector<Real100> weight(std::size_t tree, const Matrix<Real100>& A) const;

  int order_;
  double tolerance_;
  std::vector<Tree> trees_;
};

}  // namespace daelab
