// Accelerations and multipliers of a model at one state.
#pragma once

#include <memory>
#include <optional>

#include "core/accelerations/generated_solve.hpp"
#include "core/base/status.hpp"
#include "core/mechanism/mechanical_model.hpp"
#include "core/solvers/multiplier_solver.hpp"

namespace daelab {

/// Baumgarte stabilisation: C'' is replaced by C'' + velocity C' + position C.
template <class T>
struct BaumgarteGains {
  T velocity{0}, position{0};  // [1/s], [1/s^2]
  bool zero() const { return velocity == T(0) && position == T(0); }
};

template <class T>
class ImplicitAccelerations;

/// Accelerations and multipliers of the acceleration level, through a multiplier solver:
///   M a + C_q^T lambda = Q,  C_q a - gamma + (gains) = 0.
/// Without gains generated code comes first if the multiplier solver prefers it. If the equations of motion are not
/// linear Newton's method solves it, without the multiplier solver.
template <class T>
class AccelerationSolver {
 public:
  AccelerationSolver(MechanicalModel<T>& model, Multipliers<T>& multipliers, BaumgarteGains<T> gains = {});
  ~AccelerationSolver();
  /// lambda: all multipliers (l). Of equations of motion that are not linear they are sought from what comes in.
  Status solve(const T& t, const Vector<T>& q, const Vector<T>& v, Vector<T>& a, Vector<T>& lambda);
  /// By generated code alone, (n) numbers in a row and (m) of lambda: whether that applies and its pivots are above
  /// their thresholds. Otherwise `a` and `lambda` are undefined.
  bool generated(const T& t, const T* q, const T* v, T* a, T* lambda) {
    if (!generated_) return false;
    const GeneratedOutcome outcome = (*generated_)(t, q, v, a, lambda);
    if (outcome == GeneratedOutcome::solved) multipliers_.count_generated(constraints_, 1);
    if (outcome == GeneratedOutcome::weak_pivot)
      multipliers_.count_pivot_fallback([&] { return "t = " + to_text(t) + ": " + generated_->weak_pivot(); });
    return outcome == GeneratedOutcome::solved;
  }
  /// Solves at lane_count points, counted as lane_count solves.
  bool generated_at_lanes(const T* t, const T* q, const T* v, T* a, T* lambda, Index count);

 private:
  void allocate();  // dense matrices, which large models never ask for

  MechanicalModel<T>& model_;
  Multipliers<T>& multipliers_;
  BaumgarteGains<T> gains_;
  Index constraints_;
  std::unique_ptr<ImplicitAccelerations<T>> implicit_;  // null where the equations of motion are linear
  std::optional<GeneratedSolve<T>> generated_;          // where it comes first
  Matrix<T> M_, J_;                                     // for multiplier solvers that take dense matrices,
  SparseData<T> data_;                                  // and for the others
  Vector<T> C_, rate_, h_, Q_, zero_;
};

}  // namespace daelab
