#include "core/elimination/elimination.hpp"

#include "core/elimination/elimination_steps.hpp"

namespace daelab {

SymbolicSolution eliminate(const SaddlePointExpressions& A, const Expressions& b, const ChosenPivots& sequence) {
  Expressions entries;
  for (const auto& entry : A.entries) entries.push_back(entry.value);
  Elimination<Expression> elimination(A, std::move(entries), b);
  return solved(elimination, A, sequence);
}

}  // namespace daelab
