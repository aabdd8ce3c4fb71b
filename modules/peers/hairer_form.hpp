// Equations as the implicit codes of Hairer and Wanner take them: M Y' = f(t, Y), where of the first rows it is known
// that Y_i' = Y_(i + shift), at no cost in linear algebra. [HW96, Sec. IV.8]
//
//   x' = f(t, x)        Y = x; of a mechanism x = (q, v), and q' = v are the first rows
//   F(t, y, y') = 0     Y = (q, v, v', z) where q' = v is an equation of its own, else (x, x', z);  0 = F, M = 0
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer.
#pragma once

#include <array>

#include "modules/peers/peer.hpp"

namespace daelab {

class HairerForm {
 public:
  HairerForm(const PeerTask& task, PeerEquations& equations);

  int size() const { return static_cast<int>(size_); }        // of Y
  int shift() const { return static_cast<int>(shift_); }      // 0: there are no such rows
  int shifted() const { return static_cast<int>(shifted_); }  // so many
  int rows() const { return size() - shifted(); }             // the others: Jacobians are of these
  bool is_residual() const { return task_.is_residual; }      // M = 0 in them
  /// How many components of Y are of index 1, 2 and 3, in this order.
  std::array<int, 3> of_index() const;
  /// (size): of what is a derivative, those of its component.
  std::vector<double> absolute_tolerances() const;

  void pack(const double* y, const double* ydot, double* Y) const;
  /// y alone where `ydot` is null.
  void unpack(const double* Y, double* y, double* ydot) const;

  /// f, (size). Where it cannot be evaluated, or the last Jacobian could not, large numbers of changing sign:
  /// iterations diverge then, and the step is made smaller. These codes know no other way, and NaN passes their first
  /// test.
  void right_side(double t, const double* Y, double* f);
  /// Whether the last one could be evaluated.
  bool is_good() const { return is_good_; }
  /// df/dY without the first rows, column by column, (rows, size) with columns `stride` apart.
  void jacobian(double t, const double* Y, double* J, int stride);

 private:
  bool evaluate(double t, const double* Y, double* f);
  void slope_jacobian(double* J, std::size_t stride) const;
  void residual_jacobian(double* J, std::size_t stride) const;

  PeerTask task_;
  PeerEquations& equations_;
  std::size_t shift_, shifted_, size_;
  bool has_jacobian_ = true, is_good_ = true;
  double too_large_ = 1e200;
  std::vector<double> y_, F_, by_y_, by_ydot_;
};

}  // namespace daelab
