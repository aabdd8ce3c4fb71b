// Symbolic elimination: the solution of a sparse symmetric saddle-point system as expressions, by pivots chosen
// once.
//
//   [ M  J^T ] [ x ]   [ f ]
//   [ J   0  ] [ y ] = [ g ],      M (n, n) symmetric, J (m, n).
//
// L D L^T, with D of blocks 1x1 and 2x2. Which entries are pivots is decided from their values at sample points, by the
// smallest number of operations among the safe ones there [DER17, ch. 7]; the search eliminates these values as
// it goes, so that it costs as much as the operations it finds. Elsewhere a pivot may become small: pivots are results,
// too, and whoever evaluates them watches them.
//
// [DER17] Duff, Erisman, Reid, Direct Methods for Sparse Matrices, 2nd ed., Oxford 2017.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/expressions/derivative.hpp"

namespace daelab {

/// For a saddle-point matrix: `definite` rows (n) with M come first. Entries of the lower triangle.
struct SaddlePointExpressions {
  std::size_t rows = 0, definite = 0;
  std::vector<SparseExpressions::Entry> entries;  // row >= column, each once
};

/// One row and column, or two of them together.
struct Pivot {
  std::uint32_t first, second;  // equal for one
};

enum class PivotRule {
  /// Single pivots, those of y only after all the x of their rows. With M positive definite and independent rows of J
  /// none of them vanishes, wherever the system is evaluated: they are positive in rows of x, negative in rows of y.
  definite,
  /// Any that multiplies no entry by more than 10 at any of the points, and varies by less than 20 from point to point.
  stable,
  /// Weaker demands, used if no pivot meets the others.
  tolerable
};

struct ChosenPivots {
  PivotRule rule = PivotRule::definite;
  std::vector<Pivot> pivots;
  std::vector<double> least;   // of each: its threshold in size, in the units of the pivot
  std::size_t operations = 0;  // multiplications and divisions of the factorisation
};

/// samples: values of the entries at one point each, in the order of A.entries; the first eight count. Nothing where
/// the rule finds no sequence, or where it needs more than `most_operations`.
std::optional<ChosenPivots> choose_pivots(const SaddlePointExpressions& A, std::span<const std::vector<double>> samples,
                                          PivotRule rule, std::size_t most_operations);

struct SymbolicSolution {
  Expressions x;       // (n + m)
  Expressions pivots;  // of each its value, of two rows minus the determinant; with the sign turned where `definite`
                       // has it negative
};
SymbolicSolution eliminate(const SaddlePointExpressions& A, const Expressions& b, const ChosenPivots& sequence);
/// Overload in which `upper` has what is above the diagonal, in the order of A.entries: a matrix of the same pattern
/// that is not symmetric, as where constraints are imposed at another point than they act at.
SymbolicSolution eliminate(const SaddlePointExpressions& A, const Expressions& upper, const Expressions& b,
                           const ChosenPivots& sequence);

}  // namespace daelab
