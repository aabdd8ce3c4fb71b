// Elimination of a saddle-point matrix whose constraint rows and columns differ, by pivots of the symmetric one.
#include <algorithm>
#include <map>
#include <tuple>

#include "core/elimination/elimination_steps.hpp"

namespace daelab {
namespace {

// [ alpha beta; gamma delta ] x = r; of one row alpha alone. Where delta is zero, by both divisors instead of the
// determinant.
struct Block {
  Expression alpha, beta, gamma, delta;
  Expression pivot;  // of two rows minus the determinant
  Expression by_pivot, by_beta, by_gamma;

  Block(const Expression& a, const Expression& b, const Expression& c, const Expression& d, bool two)
      : alpha(a), beta(b), gamma(c), delta(d), pivot(two ? b * c - a * d : a) {
    if (two && delta.is_zero())
      by_beta = 1 / beta, by_gamma = 1 / gamma;
    else
      by_pivot = 1 / pivot;
  }
  void solve(const Expression& r_p, const Expression& r_q, Expression& x_p, Expression& x_q) const {
    if (delta.is_zero()) {
      x_p = r_q * by_gamma;
      x_q = (r_p - alpha * x_p) * by_beta;
    } else {
      x_p = (beta * r_q - delta * r_p) * by_pivot;
      x_q = (gamma * r_p - alpha * r_q) * by_pivot;
    }
  }
};

// Rows and columns have the same pattern throughout.
class TwoSidedElimination {
 public:
  TwoSidedElimination(const SaddlePointExpressions& A, const Expressions& upper, const Expressions& b)
      : rows_(A.rows), b_(b) {
    for (std::size_t k = 0; k < A.entries.size(); ++k) {
      const auto& entry = A.entries[k];
      rows_[entry.row][entry.column] = entry.value;
      if (entry.row != entry.column) rows_[entry.column][entry.row] = upper[k];
    }
  }

  Expression eliminate(Pivot pivot) {
    if (pivot.first != pivot.second && !entry(pivot.second, pivot.second).is_zero() &&
        entry(pivot.first, pivot.first).is_zero())
      std::swap(pivot.first, pivot.second);
    const auto [p, q] = pivot;
    const Block block = block_of(pivot);
    EliminationStep<Expression> step{pivot, {}, {}, {}};
    for (const std::uint32_t row : {p, q})
      for (const auto& [column, value] : rows_[row])
        if (column != p && column != q && !std::ranges::binary_search(step.others, column))
          step.others.insert(std::ranges::lower_bound(step.others, column), column);
    for (const std::uint32_t column : step.others) {
      const auto [x_p, x_q] = in_block(block, pivot, entry(p, column), entry(q, column));
      step.first.push_back(x_p), step.second.push_back(x_q);
    }
    std::tie(b_[p], b_[q]) = in_block(block, pivot, b_[p], b_[q]);
    for (const std::uint32_t row : step.others) subtract(row, step);
    steps_.push_back(std::move(step));
    return block.pivot;
  }

  /// After the last pivot.
  Expressions solution() const { return substituted_back(steps_, b_); }

 private:
  Expression entry(std::uint32_t i, std::uint32_t j) const {
    const auto at = rows_[i].find(j);
    return at == rows_[i].end() ? Expression() : at->second;
  }
  Block block_of(const Pivot& pivot) const {
    const auto [p, q] = pivot;
    return {entry(p, p), entry(p, q), entry(q, p), entry(q, q), p != q};
  }
  static std::pair<Expression, Expression> in_block(const Block& block, const Pivot& pivot, const Expression& r_p,
                                                    const Expression& r_q) {
    if (pivot.first == pivot.second) return {r_p * block.by_pivot, r_p * block.by_pivot};
    std::pair<Expression, Expression> x;
    block.solve(r_p, r_q, x.first, x.second);
    return x;
  }
  // The rows of the pivot, times the factors that clear its columns.
  void subtract(std::uint32_t row, const EliminationStep<Expression>& step) {
    const auto [p, q] = step.pivot;
    const Expression l_p = entry(row, p), l_q = p == q ? Expression() : entry(row, q);
    rows_[row].erase(p), rows_[row].erase(q);
    if (l_p.is_zero() && l_q.is_zero()) return;
    for (std::size_t k = 0; k < step.others.size(); ++k) {
      const Expression x = l_p * step.first[k] + l_q * step.second[k];
      if (!x.is_zero()) rows_[row][step.others[k]] -= x;
    }
    b_[row] -= l_p * b_[p] + l_q * b_[q];
  }

  std::vector<std::map<std::uint32_t, Expression>> rows_;
  Expressions b_;
  std::vector<EliminationStep<Expression>> steps_;
};

}  // namespace

SymbolicSolution eliminate(const SaddlePointExpressions& A, const Expressions& upper, const Expressions& b,
                           const ChosenPivots& sequence) {
  TwoSidedElimination elimination(A, upper, b);
  return solved(elimination, A, sequence);
}

}  // namespace daelab
