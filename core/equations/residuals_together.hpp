// The residuals of a mechanical system at several points together: those of the stages of a step.
#pragma once

#include <memory>
#include <vector>

#include "core/model/forms.hpp"

namespace daelab {

class FourAccelerations;
class FourPoints;

/// System::resolved_residual() of ConstrainedSystem without gains and redundant constraints, four points per
/// instruction, with the bits of one point after the other.
class ResidualsTogether {
 public:
  /// Null where it would not be faster or cannot be: for large mechanisms on other levels than that of accelerations, a
  /// balance that is not linear, discrete-time blocks, and without machine code.
  static std::unique_ptr<ResidualsTogether> of(MechanicalModel<double>& model, Level level);
  ~ResidualsTogether();

  /// Column i of R (N, r) := the residual at t_i, Y_i and Y'_i. False where points must be evaluated one by one: what R
  /// holds is void then.
  bool evaluate(const Vector<double>& t, const Matrix<double>& Y, const Matrix<double>& Ydot, Matrix<double>& R);

 private:
  ResidualsTogether(MechanicalModel<double>& model, Level level);
  FormKey form() const;
  bool is_ready();
  void find_program();
  bool evaluate_four(const Vector<double>& t, const Matrix<double>& Y, const Matrix<double>& Ydot, Index first,
                     Matrix<double>& R);

  MechanicalModel<double>& model_;
  Level level_;
  int calls_ = 0;
  Forms* forms_ = nullptr;  // of the mode that points_ are for
  std::unique_ptr<FourPoints> points_;
  FourAccelerations* accelerations_ = nullptr;  // what they are on that level
};

}  // namespace daelab
