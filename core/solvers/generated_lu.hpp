// Factorisation and solution by one sequence of pivots as straight-line machine code.
#pragma once

#include <atomic>
#include <memory>

#include "core/base/context.hpp"
#include "core/base/once.hpp"
#include "core/expressions/program.hpp"
#include "core/solvers/pivot_sequence.hpp"

namespace daelab {

/// The operations of SparseLu for one pattern and one sequence as generated code: the same bits, except signs of
/// zeros. An operation on complex numbers is several on their parts. Any number of threads may run them.
struct GeneratedLu {
  /// (values) to (L, U, F, pivots, their inverses). It divides by whatever the pivots are.
  std::unique_ptr<Program<double>> factorize;
  /// (right-hand side, L, U, F, inverses) to (solution).
  std::unique_ptr<Program<double>> solve;
};

/// Multiplications of real numbers in a factorisation by this sequence.
std::size_t real_products(const PivotSequence& sequence, bool complex);

/// Code of all matrices with one sequence of pivots and one number of entries, kept while the process lives. It is made
/// once their solutions by loops have lost about the time that it takes to make. Any number of threads may use it.
class SequenceCode {
 public:
  /// Null where programs are interpreted, where the code would be too long, and after many or long other sequences.
  static SequenceCode* of(const PivotSequence& sequence, Index entries, bool complex);
  SequenceCode(const PivotSequence& sequence, Index entries, bool complex, Evaluator evaluator);

  /// Null where so few solutions are not worth it.
  const GeneratedLu* at_hand() const;
  /// Counts a solution by loops.
  const GeneratedLu* after_a_solution();

 private:
  PivotSequence sequence_;
  Index entries_;
  bool complex_;
  Evaluator evaluator_;
  std::atomic<long> solutions_ = 0;
  Once<GeneratedLu> code_;
};

}  // namespace daelab
