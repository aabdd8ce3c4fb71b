// The forms of a mechanism as expressions: all that is derived from its recording.
#pragma once

#include <vector>

#include "core/expressions/derivative.hpp"
#include "core/mechanism/form_facts.hpp"
#include "core/mechanism/form_parts.hpp"

namespace daelab {

/// Adds to the graph of the recording: used while that graph is the current one, by one thread at a time. The recording
/// and the facts outlive it.
class MechanicalForms {
 public:
  /// Completes the facts.
  MechanicalForms(Recording& recording, FormFacts& facts);

  /// `kind`: one that mechanisms alone have.
  FormParts parts(FormKind kind, int detail) const;

  const Recording& recording() const { return recording_; }
  const FormFacts& facts() const { return facts_; }
  std::vector<ExpressionMatrix::Entry> mass() const;   // M (n, n)
  const Expressions& force() const { return force_; }  // Q (n)
  Expressions level(Level level) const;                // constraints at a level (m)
  Expressions curvature() const;                       // h (m)
  SparseExpressions constraint_jacobian() const;       // C_q, G_v (m, n)

 private:
  Expressions relative_pivots() const;
  Expressions energy() const;
  Expressions equations_of_motion() const;
  Expressions algebraic_rows() const;
  FormPart by_q(const Expressions& f, int first_row = 0, int rows = -1) const;
  FormPart by_v(const Expressions& f, int first_row = 0, int rows = -1) const;
  FormParts blocks(Level level) const;
  FormParts to_chart(int chart) const;

  const Recording& recording_;
  const FormFacts& facts_;
  Expressions v_and_s_, a_, lambda_;                       // inputs; s: the differential ones
  Expressions multipliers_;                                // inputs: lambda_, algebraic states
  std::vector<ExpressionMatrix::Entry> mass_of_energies_;  // of a recording that gives no M
  Expressions force_;
};

}  // namespace daelab
