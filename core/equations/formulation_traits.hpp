// What the equations of a formulation are: what theory, methods and experiments ask instead of its name.
#pragma once

#include "core/mechanism/level.hpp"

namespace daelab {

/// Levels of the constraints that equations impose at every instant.
struct ImposedLevels {
  bool position = false, velocity = false, acceleration = false;

  static constexpr ImposedLevels only(Level level) {
    return {level == Level::position, level == Level::velocity, level == Level::acceleration};
  }
  bool operator==(const ImposedLevels&) const = default;
  constexpr bool all() const { return position && velocity && acceleration; }
};

struct FormulationTraits {
  /// Equations of a mechanism, y = (q, v, ...); otherwise of an ordinary differential equation.
  bool of_mechanisms = true;
  /// Differentiation index with holonomic constraints, 0 to 3.
  int index = 1;
  ImposedLevels levels = {};
  /// y' and the algebraic components are functions of (t, differential components): explicit methods apply.
  bool state_space = false;
  /// Multipliers belong to the solution.
  bool multipliers = true;
  /// Forces must not depend on multipliers, nor may there be algebraic states: MechanicalModel::has_linear_equations().
  bool needs_linear_equations = false;
  /// The form acts against drift off the constraints, by feedback, penalty or projection.
  bool stabilized = false;
  /// The form of its level that a run gets when it names none. One formulation per level sets it.
  bool standard = false;
  /// Why theory gives methods no orders on these equations; null where it does.
  const char* without_orders = nullptr;

  bool imposes_only(Level level) const { return of_mechanisms && levels == ImposedLevels::only(level); }
};

}  // namespace daelab
