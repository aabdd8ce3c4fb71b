// Random numbers that are the same on every machine.
#pragma once

#include <random>

#include "core/base/scalar.hpp"

namespace daelab {

/// Numbers in (-1, 1), the same on every platform: the standard fixes mt19937, but no distribution.
class RandomNumbers {
 public:
  explicit RandomNumbers(unsigned seed) : engine_(seed) {}
  double next() { return (static_cast<double>(engine_()) + 0.5) / 2147483648.0 - 1; }
  template <class T>
  Vector<T> vector(Index size) {
    Vector<T> x(size);
    for (T& entry : x) entry = T(next());
    return x;
  }

 private:
  std::mt19937 engine_;
};

}  // namespace daelab
