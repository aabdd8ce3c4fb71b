// Nyström and partitioned Runge-Kutta tableaus as JSON documents: read, and verified by their conditions.
#pragma once

#include <optional>
#include <string>

#include "core/base/json.hpp"
#include "core/integration/nystrom_tableau.hpp"

namespace daelab {

/// Sets what is found, and verifies what is claimed. Throws InputError under `where` with the condition that fails and
/// its residual.
struct NystromClaims {
  std::optional<bool> symplectic, symmetric;
};
void verify(NystromTableau& tableau, const NystromClaims& claims, const std::string& where);

/// {"name", "order", "c", "A_bar", "b_bar", "b", "A"?, "b_bar_embedded"?, "b_embedded"?, "embedded_order"?,
/// "symplectic"?, "symmetric"?, ...}. With A, the order is that on q'' = f(t, q, q').
NystromTableau nystrom_from_json(const Json& json, const std::string& where);

/// {"name", "order", "separable_order"?, "symplectic"?, "symmetric"?, ...} and either "positions" and "velocities",
/// each {"A", "b"}, or "kicks" and "drifts": v += h kicks_i f(q), then q += h drifts_i v, for i = 1, 2, ...
NystromTableau partitioned_from_json(const Json& json, const std::string& where);

/// Either of them, and no order or property that it claims is asked for.
NystromTableau nystrom_as_printed(const Json& json, const std::string& where);

}  // namespace daelab
