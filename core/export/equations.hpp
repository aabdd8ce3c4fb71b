// The equations of a problem as people read them: text, or LaTeX.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/expressions/text.hpp"
#include "core/mechanism/problem.hpp"

namespace daelab {

class Forms;

struct Equation {
  std::string left, right;
};

struct EquationGroup {
  std::string title;  // "Constraints"
  std::vector<Equation> equations;
};

/// What a problem records of the mode it starts in, not what follows from it: M and Q or the energies, constraints,
/// rates, events, observables, start values. Options are numbers in it. What is large and used often is written once,
/// in the first group.
std::vector<EquationGroup> equations_of(const Problem& problem, Notation notation);
/// Overload for a problem that is recorded in another way, such as with parameters as names.
std::vector<EquationGroup> equations_of(const Problem& problem, Notation notation,
                                        const std::function<void(Recording&)>& recorder);

/// The groups as a page: titles and lines, or align* environments.
std::string page_of(const std::vector<EquationGroup>& groups, Notation notation);

/// "Index 2, by the equations of u (differentiated 1 time)", of first-order equations.
std::string index_text(const Forms& forms);

/// The holonomic, then the nonholonomic constraints, as text.
std::vector<std::string> constraint_texts(const Problem& problem);

}  // namespace daelab
