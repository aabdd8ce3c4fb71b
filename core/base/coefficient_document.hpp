// Methods that are given by their coefficients, as specifications show them.
#pragma once

#include "core/base/json.hpp"

namespace daelab {

/// A list of lists.
inline bool is_matrix(const Json& json) { return json.is_array() && !json.empty() && json[0].is_array(); }

/// Coefficients that a document holds, by its keys.
enum class CoefficientKind { none, runge_kutta, rosenbrock, nystrom, partitioned, exponentials };

/// The kind: the matrix A of Runge-Kutta tableaus, alpha or gamma of Rosenbrock's, A_bar or b_bar of Nyström's, two
/// tableaus or kicks and drifts of partitioned ones, exponentials of commutator-free ones.
inline CoefficientKind coefficient_kind(const Json& json) {
  if (!json.is_object()) return CoefficientKind::none;
  const auto list = [&](const char* key) { return json.contains(key) && json[key].is_array(); };
  const auto tableau = [&](const char* key) {
    return json.contains(key) && json[key].is_object() && json[key].contains("A") && json[key].contains("b");
  };
  if (list("exponentials")) return CoefficientKind::exponentials;
  if (list("A_bar") || list("b_bar")) return CoefficientKind::nystrom;
  if (list("kicks") || list("drifts") || tableau("positions") || tableau("velocities"))
    return CoefficientKind::partitioned;
  if (list("A")) return CoefficientKind::runge_kutta;
  for (const char* key : {"alpha", "gamma"})
    if (json.contains(key) && is_matrix(json[key])) return CoefficientKind::rosenbrock;
  return CoefficientKind::none;
}

template <CoefficientKind kind>
bool holds(const Json& json) {
  return coefficient_kind(json) == kind;
}

/// Whether a specification holds coefficients instead of options: their lists are no grids of options, and the name
/// stands for them.
inline bool holds_coefficients(const Json& spec) { return coefficient_kind(spec) != CoefficientKind::none; }

}  // namespace daelab
