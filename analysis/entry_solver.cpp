#include "analysis/entry_solver.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <optional>

#include "analysis/roots.hpp"

namespace daelab {
namespace {

// The tableau in double, with one entry to be varied.
struct Varied {
  Matrix<double> A;
  Vector<double> b;
  EntryPlace place;

  Varied(const Tableau& t, const EntryPlace& varied) : A(t.A.cast<double>()), b(t.b.cast<double>()), place(varied) {}
  double& entry() { return place.list == EntryPlace::List::A ? A(place.row, place.column) : b[place.column]; }
};

// p(u) of a condition, u = (x - x_0)/scale.
struct Condition {
  std::size_t tree = 0;
  std::vector<std::complex<double>> coefficients;
};

// From values at u = 0, 1, 2, ...: Newton's formula with differences, which are zero where round-off explains them.
std::vector<double> polynomial_through(std::vector<double> values, double tolerance) {
  const std::size_t n = values.size();
  double size = 1;
  for (const double value : values) size = std::max(size, std::abs(value));
  std::vector<double> differences;
  for (std::size_t k = 0; k < n; ++k) {
    differences.push_back(values[0]);
    for (std::size_t i = 0; i + 1 < values.size(); ++i) values[i] = values[i + 1] - values[i];
    values.pop_back();
  }
  while (!differences.empty() && std::abs(differences.back()) <= tolerance * size) differences.pop_back();
  std::vector<double> p;  // by Horner's rule in the factors (u - k)/(k + 1)
  for (std::size_t k = differences.size(); k-- > 0;) {
    std::vector<double> next(p.size() + (p.empty() ? 0 : 1), 0);
    for (std::size_t i = 0; i < p.size(); ++i) {
      next[i + 1] += p[i] / static_cast<double>(k + 1);
      next[i] -= p[i] * static_cast<double>(k) / static_cast<double>(k + 1);
    }
    if (next.empty()) next.push_back(0);
    next[0] += differences[k];
    p = std::move(next);
  }
  return p;
}

// The condition of lowest degree among those up to this order that depend on the entry.
std::optional<Condition> simplest_condition(Varied varied, double start, double scale, int up_to,
                                            const FastConditions& conditions) {
  const int points = up_to + 1;
  std::vector<Vector<double>> samples;
  for (int m = 0; m < points; ++m) {
    varied.entry() = start + m * scale;
    samples.push_back(conditions.residuals(varied.A, varied.b, up_to));
  }
  std::optional<Condition> simplest;
  for (Index k = 0; k < samples[0].size(); ++k) {
    std::vector<double> values;
    for (const Vector<double>& sample : samples) values.push_back(sample[k]);
    const std::vector<double> p = polynomial_through(values, 1e-10);
    if (p.size() < 2 || (simplest && simplest->coefficients.size() <= p.size())) continue;
    simplest = Condition{static_cast<std::size_t>(k), {p.begin(), p.end()}};
    if (p.size() == 2) break;
  }
  return simplest;
}

// By the secant rule.
Real100 refined(const Tableau& t, const EntryPlace& place, const FastConditions& conditions, std::size_t tree,
                double x) {
  Tableau moved = t;
  const auto residual = [&](const Real100& value) {
    place.in(moved) = value;
    return conditions.residual(tree, moved.A, moved.b);
  };
  Real100 x0 = x, x1 = Real100(x) + Real100("1e-8"), f0 = residual(x0), f1 = residual(x1);
  for (int i = 0; i < 12 && f1 != f0 && abs(x1 - x0) > Real100("1e-95"); ++i) {
    const Real100 x2 = x1 - f1 * (x1 - x0) / (f1 - f0);
    x0 = x1, f0 = f1, x1 = x2, f1 = residual(x2);
  }
  return x1;
}

}  // namespace

std::vector<EntryPlace> entries_of(const Tableau& t, EntryPlace::List list) {
  const Index s = t.stages();
  std::vector<EntryPlace> places;
  if (list != EntryPlace::List::A) {
    for (Index j = 0; j < s; ++j) places.push_back({list, 0, j});
    return places;
  }
  const bool is_explicit = t.is_explicit();
  bool is_triangular = true;
  for (Index i = 0; i < s; ++i)
    for (Index j = i + 1; j < s; ++j) is_triangular = is_triangular && t.A(i, j) == 0;
  for (Index i = 0; i < s; ++i)
    for (Index j = 0; j < (is_explicit ? i : is_triangular ? i + 1 : s); ++j) places.push_back({list, i, j});
  return places;
}

std::vector<Real100> solved_entry(const Tableau& t, const EntryPlace& place, const FastConditions& conditions) {
  constexpr int few_trees = 5;  // 17
  Varied varied(t, place);
  const double start = varied.entry(), scale = std::max(0.5, std::abs(start));
  std::optional<Condition> condition =
      simplest_condition(varied, start, scale, std::min(few_trees, conditions.order()), conditions);
  if (!condition && conditions.order() > few_trees)
    condition = simplest_condition(varied, start, scale, conditions.order(), conditions);
  std::vector<Real100> found;
  if (!condition) return found;
  for (const std::complex<double>& u : zeros(condition->coefficients)) {
    const double x = start + scale * u.real();
    if (std::abs(u.imag()) > 1e-6 * (1 + std::abs(u)) || std::abs(x - start) < 1e-7 * scale) continue;
    varied.entry() = x;
    if (conditions.hold(varied.A, varied.b)) found.push_back(refined(t, place, conditions, condition->tree, x));
  }
  return found;
}

}  // namespace daelab
