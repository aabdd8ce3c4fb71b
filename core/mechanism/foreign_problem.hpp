// Problems that are functions of double, defined outside of daelab while it runs: by a program that uses the library,
// by functions in Python. They have no expressions: nothing in 50 digits, no generated code, no export of equations.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/exact.hpp"
#include "core/mechanism/function_derivatives.hpp"

namespace daelab {

/// A version of such a problem: a mechanism M(t,q) a + C_q^T lambda = Q(t,q,v), C(t,q) = 0.
struct ForeignProblem {
  std::string name;  // letters, digits, '-', '_' and '.'
  std::string summary, source;
  /// Names all that it computes by, as a hash of its code does: see ForeignMethod.
  std::string version;
  MechanismFunctions functions;
  std::vector<std::string> coordinates;  // names, as many as functions.coordinates
  std::vector<Exact> start_q, start_v;   // as many
  Exact end_time = 1;
  bool conserves_energy = true;
};

/// From here on "name" is this version, wherever problems are named, until another version of the name is registered.
/// Versions stay: a specification with "source" names any of them. Throws InputError for a name that is no name, or
/// that of a problem of daelab, and for numbers of names or start values that do not fit.
void register_problem(ForeignProblem problem);

}  // namespace daelab
