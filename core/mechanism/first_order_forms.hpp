// The forms of first-order equations as expressions: the derivatives of algebraic ones, and M(t, s) s' = f(t, s).
//
// The differentiation index of equations in Hessenberg form is 0 without algebraic states, 1 if the algebraic equations
// determine them. An equation without algebraic states is differentiated along s' = f until it has some. The index is
// 1 + the most derivatives taken; all but the last derivative are hidden constraints. Whether the last derivatives
// determine the algebraic states is a matter of numbers.
//
// Linearly implicit equations have index 0, or 1 if there are some without derivatives, which then are the hidden
// constraints, and whose time derivatives determine s' together with the others.
#pragma once

#include <string>
#include <vector>

#include "core/expressions/derivative.hpp"
#include "core/mechanism/form_facts.hpp"
#include "core/mechanism/form_parts.hpp"

namespace daelab {

/// Adds to the graph of the recording: used while that graph is the current one, by one thread at a time. The recording
/// and the facts outlive it.
class FirstOrderForms {
 public:
  /// Completes the facts.
  FirstOrderForms(const Recording& recording, FormFacts& facts);

  /// `kind`: one that models without coordinates alone have.
  FormParts parts(FormKind kind, int detail) const;

  /// "the first derivative of the equation of u": what one of the hidden constraints is.
  std::string hidden_constraint(Index i) const;
  /// "u (differentiated 2 times), w": the algebraic equations by the names of their states, for messages.
  std::string algebraic_equations() const;

 private:
  void differentiate_algebraic_equations();
  void derive_implicit_rates();
  Expressions rates(int differentiations) const;
  Expressions constraint_rates() const;
  Expressions hidden() const;
  FormPart rates_mass_s() const;
  FormParts implicit_rates() const;

  const Recording& recording_;
  FormFacts& facts_;
  Expressions rates_;                     // (k) as recorded, or sums of them: see derive_implicit_rates()
  std::vector<Expressions> derivatives_;  // of each algebraic equation g, g', g'', ...
  std::vector<ExpressionMatrix::Entry> mass_;
  Expressions sdot_;  // inputs of linearly implicit equations
};

}  // namespace daelab
