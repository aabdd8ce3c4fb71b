// What an implicit Runge-Kutta step leaves to the next one in State::memory: its stages, for the guess, and what the
// Jacobian was made of, so that a copied state goes on to the same bits, whatever the stepper has done in between.
#pragma once

#include "core/base/scalar.hpp"

namespace daelab {

/// What the Jacobian was made of, and what the iteration with it has learned.
template <class T>
struct StageJacobianMemory {
  Matrix<T> points;         // (N, 2 points): Y and Y'
  T t{0}, h{0};             // of the step it was evaluated in; h = 0: there is none
  T rate{0}, round_off{0};  // QuasiNewton
  T rate_when_new{0};       // of contraction, in the step it was evaluated in
  bool operator==(const StageJacobianMemory&) const = default;

  void forget() { t = h = rate = round_off = rate_when_new = T(0); }
};

template <class T>
struct StageMemory {
  Matrix<T> stages;  // (N, nodes)
  StageJacobianMemory<T> jacobian;
  bool keeps_jacobian = false;  // when a step is rejected
  bool extrapolation_is_better = false;
  bool operator==(const StageMemory&) const = default;

  void keep(const StageMemory& attempt) {
    if (keeps_jacobian) jacobian = attempt.jacobian;
  }
};

}  // namespace daelab
