// Dense output of high order by bootstrapping, for methods whose steps end with the slope y' = f(t, y):
//
//   u_4 is the cubic Hermite polynomial, through y and y' at both ends of the step;
//   u_k, k > 4, of degree k - 1, has the same four values and at k - 4 times between the slopes f(t, u_(k-1)).
//
// A slope errs by O(h^(k-1)), what it adds to u_k by one power more: u_k - y = O(h^k), after (p - 4) (p - 3)/2
// evaluations for u_p. Unlike the interpolants that come with single tableaus, this serves a method of any order.
//
// [EJNT86] Enright, Jackson, Nørsett, Thomsen, Interpolants for Runge-Kutta formulas, ACM Transactions on Mathematical
// Software 12, 1986, 193-218.
#pragma once

#include <functional>
#include <vector>

#include "core/integration/method.hpp"

namespace daelab {

/// Whether the Hermite polynomials of DenseOutput are of an order below that of the method.
bool needs_bootstrapping(int order, bool is_second_order);

/// For a method of order p: that of Hermite polynomials, raised to p where it is lower.
DenseOrder bootstrapped_order(int p);

template <class T>
class BootstrappedOutput {
 public:
  /// ydot = f(t, y) of the differential components of y; shapes (N).
  using Slope = std::function<Status(const T& t, Vector<T>& y, Vector<T>& ydot)>;

  /// u_order of systems with `differential` of `size` components, order > 4.
  BootstrappedOutput(int order, Index size, Index differential);

  /// The differential components of y at t. Slopes are evaluated once for each step. False where one of them does not
  /// exist: y is left as it is.
  bool operator()(const State<T>& from, const State<T>& to, const T& t, const Slope& slope, Vector<T>& y);

 private:
  struct Level {
    Vector<T> nodes;    // (k - 4) in (0, 1)
    Matrix<T> weights;  // (k, k) Legendre coefficients of u_k for each of its k values
  };

  bool has(const State<T>& from, const State<T>& to) const;
  Status raise(const State<T>& from, const State<T>& to, const Slope& slope);
  void evaluate(const Level& level, const T& x, Vector<T>& y);

  Index differential_;
  std::vector<Level> levels_;  // u_4, u_5, ...
  bool has_step_ = false;
  T begin_{0}, end_{0};  // the step
  Vector<T> last_;       // and y at its end
  Matrix<T> data_;       // (differential, order) y_n, y_(n+1), h y'_n, h y'_(n+1), h f at the nodes
  Matrix<T> raised_;     // (differential, order - 4) the slopes of the next level
  Vector<T> legendre_, factors_, y_, ydot_;
};

}  // namespace daelab
