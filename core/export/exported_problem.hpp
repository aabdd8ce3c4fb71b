// A problem as source code of another language: for methods that live in other programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/expressions/code.hpp"
#include "core/mechanism/problem.hpp"

namespace daelab {

/// The state at the end time, in the order of the exported y.
struct ExportedReference {
  std::vector<Real50> y;
  std::string known;  // "proved to 47 digits"
};

/// A mechanism:                                       y = (q, v) of the explicit form, (q, v, lambda) of residuals
///   model(t, q, v) -> M, Q, J, h                     M a + J^T lambda = Q, J a + h = 0; J is C_q, below it G_v
///   constraints(t, q, v) -> C, D                     C and G, and C_q v + C_t and G
///   linearization(t, q, v, a, lambda) -> K, D        derivatives of M a + J^T lambda - Q by q and v
///   energy(t, q, v) -> E                             kinetic and potential, where the problem has them
///   observables(t, q, v, lambda) -> values           where the problem has them; lambda where it has multipliers
///   rhs(t, y)                                        y' of the explicit form, what explicit methods and SciPy take
///   residual(level, t, y, yp)                        for DASSL, IDA, ode15i: level 0 position, 1 velocity, 2
///   acceleration
/// Where forces depend on lambda, or there are algebraic states z, which code has at the end of lambda, in place of
/// model() equations(t, q, v, a, lambda) -> balance, rows: M a + J^T lambda - Q; J a + h, and g below; and its
/// derivative by (a, lambda); accelerations by Newton's method, from what lambda was last. Equations without
/// coordinates: rates(t, y) -> f and jacobian(t, y) -> its derivative; where states are algebraic, their rows of f are
/// the equations, and `differential` tells which are not. Linearly implicit ones, M y' = f, have mass(t, y) -> matrix,
/// M, beside them and no rhs. Start, its time, end time and reference are constants. Doubles throughout. `heading`, a
/// line, comes first; `start` replaces what is recorded, unless it is empty.
///
/// Throws InputError for problems that code cannot hold: first-order states beside coordinates, sampled controllers.
/// Events and charts are left out, which the code says.
std::string exported_problem(const Problem& problem, Language language,
                             const std::optional<ExportedReference>& reference, const std::string& heading,
                             const Vector<double>& start = {});

}  // namespace daelab
