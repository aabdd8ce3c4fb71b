// What a search for discontinuities may begin with before steps have failed three times at one place.
#pragma once

#include "core/integration/passage.hpp"

namespace daelab {

template <class T>
class JumpIndicator {
 public:
  virtual ~JumpIndicator() = default;
  /// Told of steps that failed, while they are looked at. Whether this one goes over a jump.
  virtual bool jumps(const State<T>& from, const Attempt<T>& failed) = 0;
};

}  // namespace daelab
