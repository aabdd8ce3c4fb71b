// Consistent start: every run begins with the same analysis of (q0, v0).
#pragma once

#include "core/mechanical_system.hpp"

namespace daelab {

/// What the analysis found. Residuals are infinity norms before any projection.
struct StartReport {
  double position_residual = 0;  // |C(q0)|
  double velocity_residual = 0;  // |C_q v0 + C_t|
  Index constraints = 0;
  Index rank = 0;                // of C_q(q0), column-pivoted QR, relative tolerance 1e-9
  bool projected = false;
  double correction = 0;         // largest change of a component of (q, v) by the projection

  static constexpr double rank_tolerance = 1e-9;
  /// Published start values carry 9 to 10 digits; anything above this is a mistake.
  static constexpr double consistency_tolerance = 1e-8;
  bool consistent() const {
    return position_residual <= consistency_tolerance && velocity_residual <= consistency_tolerance;
  }
};

template <class T>
StartReport analyse_start(MechanicalModel<T>& model, const Vector<T>& q, const Vector<T>& v);

/// The multiplier solver for a model with these constraints: schur-cholesky when they are independent, else
/// complete-orthogonal.
std::string fitting_multiplier_solver(const StartReport& report);

/// (a, lambda) of one state by the fitting multiplier solver.
template <class T>
Status solve_accelerations(MechanicalModel<T>& model, const T& t, const Vector<T>& q, const Vector<T>& v, Vector<T>& a,
                           Vector<T>& lambda);

/// Moves q onto C = 0 (least change, Gauss-Newton) and then v onto C_q v + C_t = 0.
/// Redundant constraints are allowed. Returns newton_diverged with the cause when that fails.
template <class T>
Status project_start(MechanicalModel<T>& model, Vector<T>& q, Vector<T>& v);

}  // namespace daelab
