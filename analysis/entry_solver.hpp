// One entry of a Runge-Kutta tableau from the order conditions, the others being right: each condition is a polynomial
// in it, and a zero of the one of lowest degree must satisfy all others.
#pragma once

#include <vector>

#include "analysis/fast_conditions.hpp"
#include "core/integration/tableau.hpp"

namespace daelab {

struct EntryPlace {
  enum class List { A, b } list = List::A;
  Index row = 0, column = 0;  // row: of A alone

  Real100& in(Tableau& t) const { return list == List::A ? t.A(row, column) : t.b[column]; }
  const Real100& in(const Tableau& t) const { return list == List::A ? t.A(row, column) : t.b[column]; }
  Real100& error_in(Tableau& t) const { return list == List::A ? t.A_error(row, column) : t.b_error[column]; }
};

/// All that may differ from zero: of an explicit tableau below the diagonal, of a triangular one up to it.
std::vector<EntryPlace> entries_of(const Tableau& t, EntryPlace::List list);

/// The values with which all conditions hold in double, refined in full precision, without the present one.
std::vector<Real100> solved_entry(const Tableau& t, const EntryPlace& place, const FastConditions& conditions);

}  // namespace daelab
