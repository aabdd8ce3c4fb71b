// Factorisation and solution by one sequence of pivots as straight-line machine code.
#pragma once

#include <memory>

#include "core/expressions/program.hpp"
#include "core/solvers/pivot_sequence.hpp"

namespace daelab {

/// The operations of SparseLu for one pattern and one sequence, written out: the same bits, except signs of
/// zeros. An operation on complex numbers is several on their parts. Any number of threads may run them.
struct WrittenOutLu {
  /// (values) to (L, U, F, pivots, their inverses). It divides by whatever the pivots are.
  std::unique_ptr<Program<double>> factorize;
  /// (right-hand side, L, U, F, inverses) to (solution).
  std::unique_ptr<Program<double>> solve;
};

/// Multiplications of real numbers in a factorisation by this sequence.
std::size_t real_products(const PivotSequence& sequence, bool complex);

/// That of all matrices with this sequence and this number of entries, made when it is asked for a second time: many
/// runs are over before it pays. Null the first time, where programs are interpreted, where the code would be too long
/// to stay in a cache, and after many different sequences.
std::shared_ptr<const WrittenOutLu> written_out_lu(const PivotSequence& sequence, Index entries, bool complex);

}  // namespace daelab
