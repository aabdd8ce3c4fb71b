// Runge-Kutta coefficients, in 100 digits: exact, or rounded decimals as tables print them.
#pragma once

#include <string>
#include <vector>

#include "core/base/json.hpp"
#include "core/base/scalar.hpp"

namespace daelab {

/// Y_i = y_n + h sum_j A_ij f(Y_j),  y_(n+1) = y_n + h sum_i b_i f(Y_i),  c = row sums of A.
struct Tableau {
  std::string name;
  Matrix<Real100> A;           // (s, s)
  Vector<Real100> b;           // (s)
  Vector<Real100> c;           // (s)
  int claimed_order = 0;       // 0: none claimed
  Vector<Real100> b_embedded;  // (s) weights of a second solution from the same stages; empty: none
  int embedded_order = 0;      // claimed for b_embedded; 0: none claimed
  // Round-off of tableaus with rounded coefficients: how far each may be off, zeros for exact ones, and the digits to
  // which the weakest of them are given. 0, and nothing in these: all are exact.
  int digits = 0;
  Matrix<Real100> A_error;
  Vector<Real100> b_error, c_error, b_embedded_error;
  std::string source;

  Index stages() const { return b.size(); }
  /// A is strictly lower triangular.
  bool is_explicit() const;
  /// A is lower triangular with two or more implicit stages, and none but the first stage is explicit.
  bool is_diagonally_implicit() const;
  /// The first row of A is zero: stage 1 is the start of the step.
  bool explicit_first_stage() const;
  /// The last row of A equals b: the last stage is the new value.
  bool stiffly_accurate() const;
};

/// What a run in that many digits must know of rounded coefficients; "" for nothing.
std::string coefficient_warning(const Tableau& tableau, int working_digits);

/// A further test of tableaus read from JSON; throws InputError under `where` when it fails.
using TableauCheck = void (*)(const Tableau& tableau, const std::string& where);
/// Tests that higher floors add (analysis: the claimed order), run by tableau_from_json.
std::vector<TableauCheck>& tableau_checks();

/// Whether a method's document is its coefficients; tableau_from_json reads them.
bool is_tableau(const Json& json);

/// Reads {"name", "A", "b", "c"?, "order"?, "b_embedded"?, "embedded_order"?, "source"?}, entries as
/// exact strings or numbers; c defaults to the row sums. Throws InputError with the JSON pointer for
/// malformed files: rows of different length, text that is no number, missing b, row sums that differ
/// from c (with the residual), sum b != 1, embedded_order without b_embedded. `where` prefixes the
/// pointers.
///
/// Each coefficient is asked by its own places. Plain decimals of 14 places and more are rounded to them, with those of
/// most for a few less: zeros at the end are often left out; decimals that are shorter still are exact where their row
/// sums hold to the rounding of the others. Where the conditions do not hold otherwise, fractions with denominators of
/// ten digits and more are approximations, then those of eight and of six, within 10 over the square of the
/// denominator; and decimals of 8 to 13 places are rounded, if there are more of them than of longer ones. All other
/// text is exact. Row sums, weights and claimed orders must hold within what this rounding can do.
Tableau tableau_from_json(const Json& json, const std::string& where);

/// The tableau of the project's file NAME.json below methods/, or of any file given as "@file.json". Throws
/// InputError under `where` with the known names and the nearest one.
Tableau tableau_by_name(const std::string& name, const std::string& where);

}  // namespace daelab
