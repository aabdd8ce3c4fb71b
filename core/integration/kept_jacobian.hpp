// A Jacobian that is kept over steps: where it was evaluated, so that a copied state goes on with the same one.
#pragma once

#include "core/equations/system.hpp"
#include "core/integration/state.hpp"

namespace daelab {

/// The Jacobian a stepper has at hand. What it takes to make it again is at the end of State::memory, in size()
/// values: it stays valid when a step is rejected, and after events.
template <class T>
struct KeptJacobian {
  explicit KeptJacobian(Index N) : y(Vector<T>::Zero(N)), ydot(y) {}

  T t{0}, h{0};       // where it was evaluated; step size it was factorised for, 0: there is none
  T rate{0};          // at which the iteration contracted last
  T round_off{0};     // of its corrections
  Vector<T> y, ydot;  // (N) where it was evaluated

  Index size() const { return 2 * y.size() + 4; }
  void store(Vector<T>& memory) const { memory.tail(size()) << y, ydot, t, h, rate, round_off; }
  /// Takes over what a state has. True if the Jacobian must be made again: it differs from the one at hand.
  bool load(const Vector<T>& memory) {
    const Index N = y.size();
    const auto kept = memory.tail(size());
    const bool same = kept[2 * N] == t && kept[2 * N + 1] == h && kept.head(N) == y && kept.segment(N, N) == ydot;
    t = kept[2 * N], h = kept[2 * N + 1], rate = kept[2 * N + 2], round_off = kept[2 * N + 3];
    if (same || h == T(0)) return false;
    y = kept.head(N), ydot = kept.segment(N, N);
    return true;
  }
};

}  // namespace daelab
