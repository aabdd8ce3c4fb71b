// Accelerations by symbolic elimination: which pivots, and where they are looked at before they are chosen.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/elimination/elimination.hpp"
#include "core/mechanism/mechanical_forms.hpp"

namespace daelab {

/// M a + C_q^T lambda + G_v^T mu = Q with the constraints at the level of accelerations, solved by fixed pivots.
struct GeneratedAccelerations {
  Expressions a, lambda;  // (n), (m)
  PivotRule rule;
  Expressions pivots;             // the variable ones
  std::vector<double> least;      // their thresholds, in size; of rule `definite` they are positive, too
  std::vector<std::string> rows;  // and whose they are: names of coordinates and multipliers
  std::size_t operations;         // multiplications and divisions of the factorisation

  /// False for NaN and infinity: no step can go on from these.
  template <class T>
  bool is_above_threshold(std::size_t i, const T& pivot) const {
    using std::abs;
    const T size = rule == PivotRule::definite ? pivot : T(abs(pivot));
    return size >= T(least[i]) && size <= std::numeric_limits<T>::max();
  }
  template <class T>
  bool are_above_thresholds(const T* values) const {
    bool all = true;
    for (std::size_t i = 0; i < least.size(); ++i) all &= is_above_threshold(i, values[i]);
    return all;
  }
};

/// The inputs of another point (t*, q*, v*) of accelerations_between, in a block of their own: h, t*, q*, v*, without
/// first-order states.
inline constexpr int other_point_block = static_cast<int>(InputBlock::lambda) + 1;

/// The eliminations, to be tried one after the other if pivots fail. None if constraints are dependent at the start, or
/// if the factors are too full to be worth it.
std::vector<GeneratedAccelerations> generated_accelerations(const MechanicalForms& forms);
/// Eliminations of accelerations whose multipliers satisfy the velocity constraints at another point: see
/// core/accelerations/two_point_accelerations.hpp. lambda is left out. None if constraints are nonholonomic, if there
/// are discrete-time blocks or if a recording has its own way to M^-1.
std::vector<GeneratedAccelerations> generated_accelerations_between(const MechanicalForms& forms);

}  // namespace daelab
