#include "core/model/elimination.hpp"

#include "core/model/elimination_steps.hpp"

namespace daelab {

WrittenOutSolution eliminate(const SaddlePointExpressions& A, const Expressions& b, const PivotSequence& sequence) {
  Expressions entries;
  for (const auto& entry : A.entries) entries.push_back(entry.value);
  Elimination<Expression> elimination(A, std::move(entries), b);
  WrittenOutSolution result;
  for (const Pivot& pivot : sequence.pivots) {
    const Expression value = elimination.eliminate(pivot);
    result.pivots.push_back(sequence.rule == PivotRule::definite && pivot.first >= A.definite ? -value : value);
  }
  result.x = elimination.solution();
  return result;
}

}  // namespace daelab
