// Accelerations of a mechanical model, evaluated many times in a row.
#pragma once

#include <vector>

#include "core/base/scalar.hpp"
#include "core/expressions/program.hpp"

namespace daelab {

class Forms;
struct WrittenOutAccelerations;

/// MechanicalModel::accelerations() by the first elimination of a mode, with what each call looks up there looked up
/// once.
template <class T>
class AccelerationProgram {
 public:
  /// The program of a mode whose balance is linear, with the outputs of its discrete-time blocks; false: it has none.
  bool look_up(Forms& forms, const Vector<T>& held);

  /// ydot := (v, a) at y = (q, v, lambda), whose lambda is overwritten. False where a pivot is not trusted: a and
  /// lambda are undefined then.
  bool operator()(const T& t, T* y, T* ydot);

 private:
  const Forms* forms_ = nullptr;                          // of the mode that the rest belongs to
  const WrittenOutAccelerations* elimination_ = nullptr;  // null: there is none
  const Program<T>* program_ = nullptr;
  Index n_ = 0, coordinates_ = 0;  // of q and of v, without first-order states
  const T* held_ = nullptr;
  std::vector<T> work_, pivots_;
};

}  // namespace daelab
