// What an implicit Runge-Kutta step leaves to the next one in State::memory: its stages, for the guess, and what the
// Jacobian was made of, so that a copied state goes on to the same bits, whatever the stepper has done in between.
#pragma once

#include <type_traits>

#include "core/base/scalar.hpp"

namespace daelab {

/// A view of the memory; T may be const.
template <class T>
struct StageMemory {
  using Scalar = std::remove_const_t<T>;
  using Columns = Eigen::Map<std::conditional_t<std::is_const_v<T>, const Matrix<Scalar>, Matrix<Scalar>>>;

  static Index size(Index N, Index nodes, Index points) { return N * nodes + 1 + jacobian_size(N, points); }
  /// For the last values, which the Jacobian and the iteration with it take.
  static Index jacobian_size(Index N, Index points) { return 2 * N * points + 5; }
  StageMemory(T* x, Index N, Index nodes, Index points)
      : StageMemory(x, x + N * nodes + 1, x + N * (nodes + 2 * points) + 1, N, nodes, points) {}

  Columns stages;              // (N, nodes)
  T& extrapolation_is_better;  // 1 or 0
  Columns points;              // (N, 2 points): Y and Y'
  T &jacobian_t, &jacobian_h;  // of the step it was evaluated in; h = 0: there is none
  T &rate, &round_off;         // QuasiNewton
  T& rate_when_new;            // of contraction, in the step it was evaluated in

 private:
  StageMemory(T* stages_at, T* points_at, T* last, Index N, Index nodes, Index points)
      : stages(stages_at, N, nodes),
        extrapolation_is_better(*(points_at - 1)),
        points(points_at, N, 2 * points),
        jacobian_t(last[0]),
        jacobian_h(last[1]),
        rate(last[2]),
        round_off(last[3]),
        rate_when_new(last[4]) {}
};

}  // namespace daelab
