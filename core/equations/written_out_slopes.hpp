// Systems whose slopes are the model's own accelerations, for who evaluates these without the system in between.
#pragma once

#include "core/model/acceleration_solver.hpp"

namespace daelab {

/// A system y = (q, v, lambda) whose consistent_derivatives() are (v, a) with a and lambda from
/// MechanicalModel::accelerations() as long as these are trusted; start_step() does nothing.
template <class T>
class WrittenOutSlopes {
 public:
  explicit WrittenOutSlopes(AccelerationSolver<T>& solver) : solver_(solver) {}
  virtual ~WrittenOutSlopes() = default;
  WrittenOutSlopes(const WrittenOutSlopes&) = delete;
  WrittenOutSlopes& operator=(const WrittenOutSlopes&) = delete;

  /// Null where the multiplier solver of the run wants another way.
  MechanicalModel<T>* written_out_model() { return solver_.tries_written_out() ? &solver_.model() : nullptr; }
  /// So many slopes were made elsewhere: statistics are those of a system that made them.
  void count_written_out(long slopes) { solver_.count_written_out(slopes); }

 private:
  AccelerationSolver<T>& solver_;
};

}  // namespace daelab
