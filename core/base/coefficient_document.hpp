// Methods that are given by their coefficients, as specifications show them.
#pragma once

#include "core/base/json.hpp"

namespace daelab {

/// A list of lists.
inline bool is_matrix(const Json& json) { return json.is_array() && !json.empty() && json[0].is_array(); }

/// The coefficients of commutator-free methods.
inline bool holds_exponentials(const Json& spec) {
  return spec.is_object() && spec.contains("exponentials") && spec["exponentials"].is_array();
}

/// Whether a specification holds coefficients instead of options: the matrix A of Runge-Kutta tableaus, alpha or gamma
/// of Rosenbrock's, or exponentials, whose lists are no grids of options, and which the name stands for.
inline bool holds_coefficients(const Json& spec) {
  if (!spec.is_object()) return false;
  if (holds_exponentials(spec)) return true;
  if (spec.contains("A") && spec["A"].is_array()) return true;
  for (const char* key : {"alpha", "gamma"})
    if (spec.contains(key) && is_matrix(spec[key])) return true;
  return false;
}

}  // namespace daelab
