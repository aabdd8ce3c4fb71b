// Which entries are pivots, by their values at sample points.
#include <algorithm>
#include <array>
#include <cmath>
#include <queue>

#include "core/elimination/elimination_steps.hpp"

namespace daelab {
namespace {

/// Values of an entry at all sample points, counted as one operation.
struct Sampled {
  static constexpr std::size_t points = 8;
  std::array<double, points> at{};
  bool structural_zero = true;
  static inline thread_local std::size_t products = 0;

  bool is_zero() const { return structural_zero; }
  double least() const {
    double x = std::abs(at[0]);
    for (const double value : at) x = std::min(x, std::abs(value));
    return x;
  }
  double largest() const {
    double x = 0;
    for (const double value : at) x = std::max(x, std::abs(value));
    return x;
  }
};

template <class Combine>
Sampled pointwise(const Sampled& a, const Sampled& b, bool zero, const Combine& combine) {
  Sampled result;
  result.structural_zero = zero;
  if (!zero)
    for (std::size_t k = 0; k < Sampled::points; ++k) result.at[k] = combine(a.at[k], b.at[k]);
  return result;
}
Sampled operator+(const Sampled& a, const Sampled& b) {
  return pointwise(a, b, a.is_zero() && b.is_zero(), [](double x, double y) { return x + y; });
}
Sampled operator-(const Sampled& a, const Sampled& b) {
  return pointwise(a, b, a.is_zero() && b.is_zero(), [](double x, double y) { return x - y; });
}
Sampled operator-(const Sampled& a) { return Sampled{} - a; }
Sampled operator*(const Sampled& a, const Sampled& b) {
  const bool zero = a.is_zero() || b.is_zero();
  if (!zero) ++Sampled::products;
  return pointwise(a, b, zero, [](double x, double y) { return x * y; });
}
Sampled inverse(const Sampled& a) {
  ++Sampled::products;
  return pointwise(a, a, false, [](double x, double) { return 1 / x; });
}

// s_i with s_i |A_ij| s_j near 1 in every row, at the largest of the points.   [Ruiz, report RAL-TR-2001-034]
std::vector<double> equilibration(const SaddlePointExpressions& A, const std::vector<Sampled>& entries) {
  std::vector<double> scale(A.rows, 1), largest(A.rows);
  for (int pass = 0; pass < 6; ++pass) {
    std::ranges::fill(largest, 0);
    for (std::size_t k = 0; k < entries.size(); ++k) {
      const auto& entry = A.entries[k];
      const double size = entries[k].largest() * scale[entry.row] * scale[entry.column];
      for (const std::uint32_t i : {entry.row, entry.column}) largest[i] = std::max(largest[i], size);
    }
    for (std::size_t i = 0; i < A.rows; ++i)
      if (largest[i] > 0) scale[i] /= std::sqrt(largest[i]);
  }
  return scale;
}

struct Demands {
  double growth;     // largest factor of an elimination, of entries that are scaled to 1
  double variation;  // least size of a pivot, relative to the largest at any point
  double trust;      // the threshold of a pivot, as part of its least size
};
constexpr Demands demands_of(PivotRule rule) {
  if (rule == PivotRule::stable) return {10, 0.05, 0.3};
  if (rule == PivotRule::tolerable) return {100, 0, 0.3};
  return {0, 0, 1e-8};
}
// Smaller than this, scaled, is round-off of dependent rows.
constexpr double least_definite_pivot = 1e-10;

/// The search: of all pivots allowed the one with the fewest operations for each row that it eliminates, then the one
/// that waits for the fewest others, then the first.
class PivotSearch {
 public:
  PivotSearch(const SaddlePointExpressions& A, std::vector<Sampled> entries, std::vector<double> scale, PivotRule rule)
      : scale_(std::move(scale)),
        definite_(A.definite),
        rule_(rule),
        demands_(demands_of(rule)),
        matrix_(A, std::move(entries), std::vector<Sampled>(A.rows)),
        is_open_(A.rows, true),
        waits_for_(A.rows, 0),
        level_(A.rows, 0) {
    for (const auto& entry : A.entries)
      if (entry.row >= definite_ && entry.column < definite_) ++waits_for_[entry.row];
    directions_.resize(definite_);
    for (const auto& entry : A.entries)
      if (entry.row >= definite_ && entry.column < definite_) directions_[entry.column].push_back(entry.row);
  }

  std::optional<ChosenPivots> run(std::size_t most_operations) {
    ChosenPivots sequence{rule_, {}, {}, 0};
    for (std::uint32_t i = 0; i < matrix_.size(); ++i) offer(i);
    std::size_t open = matrix_.size();
    while (open > 0) {
      const std::optional<Pivot> pivot = next();
      if (!pivot) return {};
      Sampled::products = 0;
      take(*pivot, sequence);
      open -= pivot->first == pivot->second ? 1 : 2;
      sequence.operations += Sampled::products;
      if (sequence.operations > most_operations) return {};
    }
    return sequence;
  }

 private:
  struct Candidate {
    double cost;
    int level;
    std::uint32_t row, partner;
    friend bool operator>(const Candidate& a, const Candidate& b) {
      return std::tie(a.cost, a.level, a.row) > std::tie(b.cost, b.level, b.row);
    }
  };

  // Candidates become stale; the cheapest is looked at again before it is taken.
  std::optional<Pivot> next() {
    while (!queue_.empty()) {
      const Candidate top = queue_.top();
      queue_.pop();
      if (!is_open_[top.row]) continue;
      const std::optional<Candidate> now = best(top.row);
      if (!now) continue;
      if (*now > top) {
        queue_.push(*now);
        continue;
      }
      return Pivot{now->row, now->partner};
    }
    return {};
  }

  void take(const Pivot& pivot, ChosenPivots& sequence) {
    const auto [p, q] = pivot;
    std::vector<std::uint32_t> changed;
    int level = 0;
    for (const std::uint32_t r : {p, q}) {
      for (const auto& link : matrix_.row(r))
        if (link.column != p && link.column != q) changed.push_back(link.column);
      level = std::max(level, level_[r] + 1);
      is_open_[r] = false;
      if (p == q) break;
    }
    const double unit = demands_.trust / (scale_[p] * scale_[q]);
    sequence.pivots.push_back(pivot);
    sequence.least.push_back(matrix_.eliminate(pivot).least() * (p == q ? unit : unit * unit));
    for (const std::uint32_t r : {p, q}) {
      if (r < definite_)
        for (const std::uint32_t row : directions_[r])
          if (--waits_for_[row] == 0 && is_open_[row]) changed.push_back(row);
      if (p == q) break;
    }
    std::ranges::sort(changed);
    changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
    for (const std::uint32_t row : changed) level_[row] = std::max(level_[row], level);
    for (const std::uint32_t row : changed) offer(row);
  }

  void offer(std::uint32_t row) {
    if (const std::optional<Candidate> candidate = best(row)) queue_.push(*candidate);
  }

  // The cheapest that is allowed and has this row.
  std::optional<Candidate> best(std::uint32_t i) const {
    const Sampled diagonal = matrix_.entry(i, i);
    const double degree = static_cast<double>(matrix_.row(i).size()) - (diagonal.is_zero() ? 0 : 1);
    std::optional<Candidate> result;
    if (is_allowed(i, diagonal)) result = {degree * (degree + 7) / 2 + 2, level_[i], i, i};
    if (rule_ == PivotRule::definite) return result;
    for (const auto& link : matrix_.row(i)) {
      const std::uint32_t j = link.column;
      if (j == i || matrix_.value(link).is_zero()) continue;
      const Sampled other = matrix_.entry(j, j);
      const double degree_of_other = static_cast<double>(matrix_.row(j).size()) - (other.is_zero() ? 0 : 1);
      const Candidate candidate{cost_of_two(degree - 1, degree_of_other - 1, diagonal.is_zero(), other.is_zero()) / 2,
                                std::max(level_[i], level_[j]), i, j};
      if (result && !(*result > candidate)) continue;
      if (is_allowed(i, j, diagonal, matrix_.value(link), other)) result = candidate;
    }
    return result;
  }

  // d entries in the first row beside the block, e in the second. An entry beside a zero of the diagonal meets only
  // those of the other row.
  static double cost_of_two(double d, double e, bool first_is_zero, bool second_is_zero) {
    if (first_is_zero && second_is_zero) return d * e + 3 * (d + e) + 4;
    if (first_is_zero || second_is_zero) {
      if (first_is_zero) std::swap(d, e);
      return d * e + e * (e + 1) / 2 + 3 * (d + 2 * e) + 5;
    }
    return (d + e) * (d + e + 1) + 6 * (d + e) + 9;
  }

  bool is_allowed(std::uint32_t i, const Sampled& d) const {
    if (d.is_zero()) return false;
    if (rule_ == PivotRule::definite) {
      if (i >= definite_ && waits_for_[i] > 0) return false;
      const double sign = i < definite_ ? 1 : -1;
      return std::ranges::all_of(d.at, [&](double x) { return sign * x > least_definite_pivot; });
    }
    if (!(d.least() > demands_.variation * d.largest())) return false;
    for (std::size_t k = 0; k < Sampled::points; ++k)
      if (!(largest_beside(i, i, k) <= demands_.growth * std::abs(d.at[k]))) return false;
    return true;
  }

  bool is_allowed(std::uint32_t i, std::uint32_t j, const Sampled& alpha, const Sampled& beta,
                  const Sampled& gamma) const {
    if (!(beta.least() > demands_.variation * beta.largest())) return false;
    for (std::size_t k = 0; k < Sampled::points; ++k) {
      const double a = std::abs(alpha.at[k]), b = std::abs(beta.at[k]), c = std::abs(gamma.at[k]),
                   determinant = b * b - alpha.at[k] * gamma.at[k];
      const double u = largest_beside(i, j, k), w = largest_beside(j, i, k);
      // Not the difference of large products: the block is beta before all.
      if (!(std::abs(determinant) >= b * b / 2)) return false;
      if (!(std::max(c * u + b * w, b * u + a * w) <= demands_.growth * std::abs(determinant))) return false;
    }
    return true;
  }
  double largest_beside(std::uint32_t i, std::uint32_t j, std::size_t k) const {
    double x = 0;
    for (const auto& link : matrix_.row(i))
      if (link.column != i && link.column != j) x = std::max(x, std::abs(matrix_.value(link).at[k]));
    return x;
  }

  std::vector<double> scale_;
  std::size_t definite_;
  PivotRule rule_;
  Demands demands_;
  Elimination<Sampled> matrix_;
  std::vector<bool> is_open_;
  std::vector<int> waits_for_;                          // x that a row of y has, and that are not eliminated yet
  std::vector<std::vector<std::uint32_t>> directions_;  // rows of y that have an x
  std::vector<int> level_;                              // how many pivots, one after the other, a row waits for
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue_;
};

}  // namespace

std::optional<ChosenPivots> choose_pivots(const SaddlePointExpressions& A, std::span<const std::vector<double>> samples,
                                          PivotRule rule, std::size_t most_operations) {
  if (samples.empty()) return {};
  std::vector<Sampled> entries(A.entries.size());
  for (std::size_t k = 0; k < entries.size(); ++k) {
    entries[k].structural_zero = A.entries[k].value.is_zero();
    for (std::size_t point = 0; point < Sampled::points; ++point)
      entries[k].at[point] = samples[std::min(point, samples.size() - 1)][k];
  }
  const std::vector<double> scale = equilibration(A, entries);
  for (std::size_t k = 0; k < entries.size(); ++k)
    for (double& value : entries[k].at) value *= scale[A.entries[k].row] * scale[A.entries[k].column];
  return PivotSearch(A, std::move(entries), scale, rule).run(most_operations);
}

}  // namespace daelab
