// Systems whose slopes are the model's own accelerations, for who evaluates these without the system in between.
#pragma once

#include "core/model/mechanical_model.hpp"

namespace daelab {

/// A system y = (q, v, lambda) whose consistent_derivatives() are (v, a) with a and lambda from
/// MechanicalModel::accelerations() as long as these are trusted; start_step() does nothing.
template <class T>
class WrittenOutSlopes {
 public:
  virtual ~WrittenOutSlopes() = default;
  /// Null where the multiplier solver of the run wants another way.
  virtual MechanicalModel<T>* written_out_model() = 0;
  /// So many slopes were made elsewhere: statistics are those of a system that made them.
  virtual void count_written_out(long slopes) = 0;
};

}  // namespace daelab
