// The steps of an elimination, on expressions or on their values at sample points.
#pragma once

#include <algorithm>
#include <array>

#include "core/elimination/elimination.hpp"

namespace daelab {

inline Expression inverse(const Expression& a) { return 1 / a; }

/// The rows that are left and their factors: x_p = b_p - sum_i first_i x_i, and the same of the second row.
template <class Value>
struct EliminationStep {
  Pivot pivot;
  std::vector<std::uint32_t> others;
  std::vector<Value> first, second;
};

/// After the last pivot; b as the steps have left it.
template <class Value>
std::vector<Value> substituted_back(const std::vector<EliminationStep<Value>>& steps, const std::vector<Value>& b) {
  std::vector<Value> x(b.size());
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    const auto [p, q] = step->pivot;
    Value x_p = b[p], x_q = b[q];
    for (std::size_t i = 0; i < step->others.size(); ++i) {
      x_p = x_p - step->first[i] * x[step->others[i]];
      if (p != q) x_q = x_q - step->second[i] * x[step->others[i]];
    }
    x[p] = x_p;
    if (p != q) x[q] = x_q;
  }
  return x;
}

/// By all pivots of the sequence, which were chosen for A.
SymbolicSolution solved(auto& elimination, const SaddlePointExpressions& A, const ChosenPivots& sequence) {
  SymbolicSolution result;
  for (const Pivot& pivot : sequence.pivots) {
    const Expression value = elimination.eliminate(pivot);
    result.pivots.push_back(sequence.rule == PivotRule::definite && pivot.first >= A.definite ? -value : value);
  }
  result.x = elimination.solution();
  return result;
}

/// A symmetric matrix whose rows and columns are eliminated, and a right-hand side with it. Value: Expression or
/// Sampled.
template <class Value>
class Elimination {
 public:
  struct Link {
    std::uint32_t column, place;
  };

  Elimination(const SaddlePointExpressions& A, std::vector<Value> entries, std::vector<Value> b)
      : rows_(A.rows), values_(std::move(entries)), b_(std::move(b)) {
    for (std::uint32_t k = 0; k < A.entries.size(); ++k) {
      const auto& entry = A.entries[k];
      rows_[entry.row].push_back({entry.column, k});
      if (entry.row != entry.column) rows_[entry.column].push_back({entry.row, k});
    }
    for (auto& row : rows_) std::ranges::sort(row, {}, &Link::column);
  }

  std::size_t size() const { return rows_.size(); }
  const std::vector<Link>& row(std::uint32_t i) const { return rows_[i]; }
  const Value& value(const Link& link) const { return values_[link.place]; }
  Value entry(std::uint32_t i, std::uint32_t j) const {
    const auto at = std::ranges::lower_bound(rows_[i], j, {}, &Link::column);
    return at != rows_[i].end() && at->column == j ? values_[at->place] : Value();
  }

  /// Its pivot: the entry, or of two rows minus the determinant of their block.
  Value eliminate(const Pivot& pivot) {
    steps_.push_back({pivot, {}, {}, {}});
    return pivot.first == pivot.second ? eliminate_one(pivot.first) : eliminate_two(pivot.first, pivot.second);
  }

  /// After the last pivot.
  std::vector<Value> solution() const { return substituted_back(steps_, b_); }

 private:
  using Step = EliminationStep<Value>;

  Value eliminate_one(std::uint32_t p) {
    Step& step = steps_.back();
    const Value d = entry(p, p), reciprocal = inverse(d);
    b_[p] = b_[p] * reciprocal;
    std::vector<Value> u;
    for (const Link& link : rows_[p]) {
      if (link.column == p || values_[link.place].is_zero()) continue;
      step.others.push_back(link.column), u.push_back(values_[link.place]);
    }
    for (std::size_t i = 0; i < u.size(); ++i) {
      step.first.push_back(u[i] * reciprocal);
      const std::uint32_t row = step.others[i];
      for (std::size_t j = 0; j <= i; ++j) subtract(row, step.others[j], step.first[i] * u[j]);
      b_[row] = b_[row] - u[i] * b_[p];
    }
    for (const Link& link : rows_[p])
      if (link.column != p) unlink(link.column, p);
    return d;
  }

  // P = [ alpha beta; beta gamma ], its inverse [ A B; B C ]; rows u of p and w of q.
  Value eliminate_two(std::uint32_t p, std::uint32_t q) {
    if (!entry(q, q).is_zero() && entry(p, p).is_zero()) std::swap(p, q);
    Step& step = steps_.back();
    step.pivot = {p, q};
    const Value alpha = entry(p, p), beta = entry(p, q), gamma = entry(q, q);
    const bool hollow = gamma.is_zero();
    const Value pivot = beta * beta - alpha * gamma, reciprocal = inverse(hollow ? beta : pivot);
    const auto solve = [&](const Value& r_p, const Value& r_q, Value& x_p, Value& x_q) {
      if (hollow) {
        x_p = r_q * reciprocal;
        x_q = (r_p - alpha * x_p) * reciprocal;
      } else {
        x_p = (beta * r_q - gamma * r_p) * reciprocal;
        x_q = (beta * r_p - alpha * r_q) * reciprocal;
      }
    };
    std::vector<Value> u, w;
    gather(p, q, step.others, u, w);
    step.first.resize(u.size()), step.second.resize(u.size());
    const Value b_p = b_[p], b_q = b_[q];
    solve(b_p, b_q, b_[p], b_[q]);
    for (std::size_t i = 0; i < u.size(); ++i) {
      solve(u[i], w[i], step.first[i], step.second[i]);
      const std::uint32_t row = step.others[i];
      for (std::size_t j = 0; j <= i; ++j) subtract(row, step.others[j], step.first[i] * u[j] + step.second[i] * w[j]);
      b_[row] = b_[row] - (u[i] * b_[p] + w[i] * b_[q]);
    }
    for (const std::uint32_t r : {p, q})
      for (const Link& link : rows_[r])
        if (link.column != p && link.column != q) unlink(link.column, r);
    return pivot;
  }

  // The columns of rows p and q without these, and the values in both.
  void gather(std::uint32_t p, std::uint32_t q, std::vector<std::uint32_t>& columns, std::vector<Value>& u,
              std::vector<Value>& w) const {
    auto i = rows_[p].begin(), j = rows_[q].begin();
    while (i != rows_[p].end() || j != rows_[q].end()) {
      const bool of_p = j == rows_[q].end() || (i != rows_[p].end() && i->column <= j->column),
                 of_q = i == rows_[p].end() || (j != rows_[q].end() && j->column <= i->column);
      const std::uint32_t column = of_p ? i->column : j->column;
      const Value x = of_p ? values_[i++->place] : Value(), y = of_q ? values_[j++->place] : Value();
      if (column == p || column == q || (x.is_zero() && y.is_zero())) continue;
      columns.push_back(column), u.push_back(x), w.push_back(y);
    }
  }

  void subtract(std::uint32_t i, std::uint32_t j, const Value& x) {
    if (x.is_zero()) return;
    const auto at = std::ranges::lower_bound(rows_[i], j, {}, &Link::column);
    if (at != rows_[i].end() && at->column == j) {
      values_[at->place] = values_[at->place] - x;
      return;
    }
    const Link link{j, static_cast<std::uint32_t>(values_.size())};
    rows_[i].insert(at, link);
    if (i != j) rows_[j].insert(std::ranges::lower_bound(rows_[j], i, {}, &Link::column), {i, link.place});
    values_.push_back(-x);
  }
  void unlink(std::uint32_t i, std::uint32_t j) {
    const auto at = std::ranges::lower_bound(rows_[i], j, {}, &Link::column);
    if (at != rows_[i].end() && at->column == j) rows_[i].erase(at);
  }

  std::vector<std::vector<Link>> rows_;  // columns ascending
  std::vector<Value> values_, b_;
  std::vector<Step> steps_;
};

}  // namespace daelab
