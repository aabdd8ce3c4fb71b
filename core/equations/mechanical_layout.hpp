// Places of positions, velocities and multipliers in y and y'. Multipliers are those of constraints, and algebraic
// states behind them.
#pragma once

#include "core/equations/system.hpp"
#include "core/mechanism/mechanical_model.hpp"

namespace daelab {

/// Segments of y and y' of a mechanical system.
struct MechanicalLayout {
  Index n = 0, m = 0;       // coordinates, multipliers
  Index accelerations = 0;  // System::accelerations()
  auto q(const auto& y) const { return y.head(n); }
  auto v(const auto& y) const { return y.segment(n, n); }
  auto a(const auto& ydot) const { return ydot.segment(n, n); }
  /// The accelerations of a state (y, ydot): v', or the algebraic components that stand for them.
  auto accelerations_of(const auto& state) const {
    return accelerations > 0 ? state.y.segment(accelerations, n) : state.ydot.segment(n, n);
  }
  auto lambda(const auto& y) const { return y.segment(2 * n, m); }
};

/// Those of a model of either kind: what a multiplier solver solves for. Algebraic states, behind their multipliers in
/// y, are not among them.
template <class T>
Index constraints_of(Model<T>& model) {
  const MechanicalModel<T>* const mechanism = model.mechanical();
  return mechanism == nullptr ? 0 : mechanism->constraints();
}

/// For a model of either kind: an ordinary one has neither coordinates nor constraints.
template <class T>
MechanicalLayout layout_of(Model<T>& model, Index accelerations = 0) {
  const MechanicalModel<T>* const mechanism = model.mechanical();
  if (mechanism == nullptr) return {};
  return {mechanism->coordinates(), mechanism->multipliers(), accelerations};
}

}  // namespace daelab
