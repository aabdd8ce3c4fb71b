// A Jacobian that is kept over steps: where it was evaluated, so that a copied state goes on with the same one.
#pragma once

#include "core/equations/system.hpp"
#include "core/integration/state.hpp"

namespace daelab {

/// The Jacobian a stepper has at hand; in State::memory, what it takes to make it again. It stays valid when a step is
/// rejected, and after events.
template <class T>
struct KeptJacobian {
  explicit KeptJacobian(Index N) : y(Vector<T>::Zero(N)), ydot(y) {}

  T t{0}, h{0};       // where it was evaluated; step size it was factorised for, 0: there is none
  T rate{0};          // at which the iteration contracted last
  T round_off{0};     // of its corrections
  Vector<T> y, ydot;  // (N) where it was evaluated

  bool operator==(const KeptJacobian&) const = default;
  void keep(const KeptJacobian& attempt) { *this = attempt; }
  /// Takes over what a state has. True if the Jacobian must be made again: it differs from the one at hand.
  bool load(const KeptJacobian& kept) {
    const bool same = kept.t == t && kept.h == h && kept.y == y && kept.ydot == ydot;
    rate = kept.rate, round_off = kept.round_off;
    if (!same) *this = kept;
    return !same && h != T(0);
  }
};

}  // namespace daelab
