// The residuals of a mechanical system at several points, four per instruction: those of the stages of a step.
#pragma once

#include <memory>
#include <optional>

#include "core/accelerations/acceleration_solver.hpp"
#include "core/accelerations/form_lanes.hpp"

namespace daelab {

/// System::resolved_residuals() of OneLevelSystem without redundant constraints, with the bits of one point after the
/// other.
class ResidualLanes {
 public:
  /// Null if it would not be faster or cannot be: for large mechanisms on other levels than that of accelerations,
  /// equations of motion that are not linear, discrete-time blocks, and without machine code.
  static std::unique_ptr<ResidualLanes> of(MechanicalModel<double>& model, Level level,
                                           AccelerationSolver<double>& accelerations);

  /// Column i of R (N, r) := the residual at t_i, Y_i and Y'_i. False where points must be evaluated one by one; what
  /// R holds is void then.
  bool evaluate(const Vector<double>& t, const Matrix<double>& Y, const Matrix<double>& Ydot, Matrix<double>& R);

 private:
  ResidualLanes(MechanicalModel<double>& model, Level level, AccelerationSolver<double>& accelerations);
  bool is_ready();
  bool evaluate_four(const Vector<double>& t, const Matrix<double>& Y, const Matrix<double>& Ydot, Index first,
                     Matrix<double>& R);

  MechanicalModel<double>& model_;
  Level level_;
  AccelerationSolver<double>& accelerations_;  // what they are on that level
  Lanes q_, v_, a_, lambda_;
  long calls_ = 0;
  Forms* forms_ = nullptr;  // of the mode that residual_ is for
  std::optional<FormLanes> residual_;
};

}  // namespace daelab
