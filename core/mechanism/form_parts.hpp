// Forms: what is derived from a recording and evaluated together. Their names, and their parts as expressions.
#pragma once

#include <compare>
#include <memory>
#include <vector>

#include "core/expressions/derivative.hpp"
#include "core/expressions/tape.hpp"
#include "core/mechanism/recording.hpp"
#include "core/solvers/sparse_matrix.hpp"

namespace daelab {

/// A matrix of a form by its entries that are not zero by structure; a vector is a matrix of one column.
struct FormPart {
  int rows = 0, columns = 1;
  std::vector<SparseExpressions::Entry> entries;  // column by column, rows ascending
};
using FormParts = std::vector<FormPart>;

/// Order of the parts of a form: part k is block k of the outputs of its program.
enum class PartLayout {
  dense,  // entry (i, j) at i + rows j; zeros by structure are not written
  sparse  // the entries, one after the other
};

enum class FormKind {
  mass,                   // M
  mass_pivots,            // of a MassInverse over the diagonal of M (n); empty for other recordings
  force,                  // Q
  constraint,             // C (m), C_q (m, n): rows of nonholonomic constraints have no entries
  velocity_constraint,    // G (m), G_v (m, n): the others
  level,                  // constraints at a level (m)
  curvature,              // h (m)
  jacobian,               // C_q with G_v (m, n)
  level_q,                // their derivative by q (m, n)
  acceleration_level_v,   // (m, n)
  motion_jacobians,       // K, D (n, n)
  data,                   // M, Q, C_q with G_v, h: what accelerations are solved from
  accelerations,          // a (n), lambda and mu (m), the pivots that are watched: see
                          // core/mechanism/generated_accelerations.hpp
  accelerations_between,  // a (n) and the pivots, of the same
  residual,               // M a + C_q^T lambda + G_v^T mu - Q (n), constraints at a level and g (l)
  levels,                 // these (n), constraints at the level of positions with g (l), of velocities (m) and, if
                          // this is `detail`, of accelerations (m), C_q with G_v (m, n)
  blocks,                 // M, K, D (n, n), J = C_q with G_v, R_q, R_v, R_a (m, n) of the constraints at a level, and
                          // what follows where the equations of motion are not linear, see MechanicalBlocks
  rates,           // (k), algebraic equations differentiated `detail` times, see core/mechanism/first_order_forms.hpp
  rates_s,         // (k, k) of the same
  rates_mass,      // M of linearly implicit equations (k, k)
  rates_mass_s,    // (M s')_s (k, k)
  implicit_rates,  // W (k, k), b (k): W s' = b, M s' = f with the equations without derivatives differentiated
  hidden_constraints,  // what the differential states satisfy, and its derivative by all states, see
                       // core/mechanism/first_order_forms.hpp
  event_functions,
  jump,  // of an event: q, v with s, held, mode
  sampled,
  to_chart,    // q, v, a in another chart
  energy,      // kinetic, potential
  invariants,  // that (2 or 0), constraints at the levels of positions, velocities and accelerations (m)
  observables
};

/// `detail`: a Level, an event, a chart, which of generated_accelerations() or generated_accelerations_between(), or
/// how often algebraic equations are differentiated.
struct FormKey {
  FormKind kind{};
  int detail = 0;
  PartLayout layout = PartLayout::dense;
  friend auto operator<=>(const FormKey&, const FormKey&) = default;
};

/// Puts a vector into a column of `rows` rows, from `first_row` on; -1: as many as the vector has.
FormPart column(const Expressions& values, int first_row = 0, int rows = -1);
FormPart matrix(const SparseExpressions& entries, int rows, int columns, int first_row = 0, int first_column = 0);
FormPart square(const std::vector<ExpressionMatrix::Entry>& entries, int size);
/// The entries of both, column by column.
FormPart stacked(FormPart a, const FormPart& b);

/// Places that the entries of the parts go to, part k to block k.
std::vector<Output> outputs_of(const FormParts& parts, PartLayout layout);
std::shared_ptr<const SparsePattern> pattern_of(const FormPart& part);

}  // namespace daelab
