// A step of another method, which a multistep method counts as one of its own: the first ones.
#pragma once

#include "core/integration/method.hpp"

namespace daelab {

template <class T>
Status counted_step(Stepper<T>& other, const State<T>& from, const T& h, State<T>& to, Statistics& statistics) {
  const Statistics before = other.statistics();
  const Status status = other.step(from, h, to);
  statistics.residuals += other.statistics().residuals - before.residuals;
  statistics.factorizations += other.statistics().factorizations - before.factorizations;
  statistics.back_solves += other.statistics().back_solves - before.back_solves;
  ++statistics.steps;
  return status;
}

}  // namespace daelab
