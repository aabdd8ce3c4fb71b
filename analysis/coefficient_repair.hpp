// The nearest repair of coefficients that have not the order they claim: one slip of a copyist that explains it.
//
// What a family of methods tells of itself are its coefficients in lists, each with its place in a document, residuals
// of the conditions of what is claimed, and a proof. Tried are one entry, whose value follows from the condition of the
// lowest degree in it, two entries of a list exchanged, and two lists exchanged.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/scalar.hpp"

namespace daelab {

/// How likely a slip is: the smaller, the likelier.
namespace slip {
inline constexpr int whole_list = 0, sign = 1, exchange = 2, digit = 3, factor = 4, entry = 6, not_all = 10;
}

struct EntryChange {
  int likelihood = slip::entry;
  double size = 0;   // relative
  std::string text;  // "/A/3/1: -212/729 in the place of 212/729, the other sign"
};
/// What a copyist did who wrote `before` for `after`; digits: of rounded coefficients, 0 for exact ones.
EntryChange entry_change(const std::string& pointer, const Real100& before, const Real100& after, int digits);
/// As text, exact or to its digits.
std::string coefficient_text(const Real100& x, int digits);
/// What two values may differ by that are meant to be the same.
Real100 coefficient_tolerance(int digits);

struct CoefficientList {
  std::string pointer;  // "/alpha/2"; entries are "/alpha/2/0", "/alpha/2/1", ...
  std::vector<Real100> entries;
};
using NamedCoefficients = std::vector<CoefficientList>;

struct RepairProblem {
  NamedCoefficients lists;
  int digits = 0;  // to which coefficients are rounded; 0: all are exact
  int order = 1;   // up to which there are conditions: none exceeds its own in one entry
  std::vector<std::pair<std::size_t, std::size_t>> exchangeable;  // lists
  /// Residuals of the conditions of what is claimed up to an order, polynomials in each entry. They may lack some: what
  /// they leave is proved.
  std::function<std::vector<Real100>(const NamedCoefficients&, int up_to)> residuals;
  /// "order 4, embedded order 3" where all that is claimed is true, "" otherwise.
  std::function<std::string(const NamedCoefficients&)> proved;
};

/// The likeliest ones, at most three: "/gamma/1/0: 1/2 in the place of -1/2, the other sign: order 4". None where no
/// single slip explains the claims.
std::vector<std::string> nearest_changes(const RepairProblem& problem);

}  // namespace daelab
