// A mechanism by functions of double, and what follows from them by differences.
//
// What equations hold is differenced as accurately as can be, by steps of the size of the coordinates: C_q and C_t by
// central differences of fourth order, to about 3e-13; the second derivative of C along a motion by sixth order, to
// about 3e-12, or from C_q that is given, to 1e-12. What only the matrices of Newton's method hold (K, D, derivatives
// of levels) is accurate to about 1e-8: second order, fewer calls. Differences of what does not change are zero.
#pragma once

#include <functional>

#include "core/base/scalar.hpp"

namespace daelab {

/// Functions write to their last argument, matrices column by column. They are called by several threads at a time.
struct MechanismFunctions {
  using OfPosition = std::function<void(double t, const double* q, double* out)>;
  using OfMotion = std::function<void(double t, const double* q, const double* v, double* out)>;

  Index coordinates = 0, constraints = 0;  // n, m
  bool has_constant_mass = false;          // called once
  OfPosition mass;                         // M (n, n)
  OfMotion forces;                         // Q (n)
  OfPosition constraints_at;               // C (m); not called where m is 0
  // Null: by differences.
  OfPosition constraint_jacobian;  // C_q (m, n)
  OfMotion gamma;                  // (m), in C_q a = gamma
  OfMotion force_jacobians;        // Q_q, Q_v (n, 2n)
  OfMotion energy;                 // kinetic, potential (2); null: none
  /// The functions are smooth over a few hundredths of these: steps of differences are parts of them.
  Vector<double> sizes;  // (n)
  double time_size = 1;  // [s]
};

class FunctionDerivatives {
 public:
  explicit FunctionDerivatives(MechanismFunctions functions);

  const MechanismFunctions& functions() const { return f_; }
  Index n() const { return f_.coordinates; }
  Index m() const { return f_.constraints; }

  Matrix<double> mass(double t, const Vector<double>& q) const;
  Vector<double> forces(double t, const Vector<double>& q, const Vector<double>& v) const;
  Vector<double> constraints(double t, const Vector<double>& q) const;
  Matrix<double> jacobian(double t, const Vector<double>& q) const;  // C_q

  /// C_q v + C_t
  Vector<double> velocity_level(double t, const Vector<double>& q, const Vector<double>& v) const;
  /// h in C_q a + h = 0
  Vector<double> curvature(double t, const Vector<double>& q, const Vector<double>& v) const;
  /// Their derivatives by q, and that of C_q a + h.
  Matrix<double> velocity_level_q(double t, const Vector<double>& q, const Vector<double>& v) const;
  Matrix<double> acceleration_level_q(double t, const Vector<double>& q, const Vector<double>& v,
                                      const Vector<double>& a) const;

  /// K and D, the derivatives of M a + C_q^T lambda - Q by q and v.
  void motion_jacobians(double t, const Vector<double>& q, const Vector<double>& v, const Vector<double>& a,
                        const Vector<double>& lambda, Matrix<double>& K, Matrix<double>& D) const;

 private:
  Matrix<double> jacobian_along(double t, double rate_of_t, const Vector<double>& q, const Vector<double>& v) const;
  Matrix<double> force_pull_q(double t, const Vector<double>& q, const Vector<double>& lambda) const;
  double step_along(double part, const Vector<double>& v) const;

  MechanismFunctions f_;
  Matrix<double> constant_mass_;
};

}  // namespace daelab
