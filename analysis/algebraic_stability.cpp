#include "analysis/algebraic_stability.hpp"

#include <fmt/format.h>

#include "analysis/polynomial_text.hpp"

namespace daelab {
namespace {

template <class T>
using Rows = std::vector<std::vector<T>>;

bool vanishes(const Rational& x) { return x == 0; }
bool vanishes(const Real100& x) { return abs(x) < Real100("1e-70"); }

template <class T>
int sign_of(const T& x) {
  return vanishes(x) ? 0 : x < 0 ? -1 : 1;
}

// A vector x with x^T M x < 0, or nothing if M is positive semidefinite. Columns v of V span the space and S = V^T M V:
// elimination with a positive pivot makes the others orthogonal to it in M.
template <class T>
class Semidefinite {
 public:
  explicit Semidefinite(Rows<T> M)
      : S_(std::move(M)), V_(S_.size(), std::vector<T>(S_.size(), T(0))), open_(S_.size(), true) {
    for (std::size_t i = 0; i < V_.size(); ++i) V_[i][i] = 1;
  }

  std::optional<std::vector<T>> negative_direction() {
    while (true) {
      std::size_t pivot = S_.size();
      for (std::size_t i = 0; i < S_.size(); ++i) {
        if (!open_[i]) continue;
        if (sign_of(S_[i][i]) < 0) return V_[i];
        if (sign_of(S_[i][i]) > 0 && (pivot == S_.size() || S_[i][i] > S_[pivot][pivot])) pivot = i;
      }
      if (pivot == S_.size()) return from_zero_diagonal();
      eliminate(pivot);
    }
  }

 private:
  void eliminate(std::size_t p) {
    open_[p] = false;
    for (std::size_t i = 0; i < S_.size(); ++i) {
      if (!open_[i]) continue;
      const T factor = S_[i][p] / S_[p][p];
      for (std::size_t m = 0; m < V_.size(); ++m) V_[i][m] -= factor * V_[p][m];
      for (std::size_t j = 0; j < S_.size(); ++j)
        if (open_[j]) S_[i][j] -= factor * S_[p][j];
    }
  }

  // All open diagonal entries are zero: (v_i -+ v_j)^T M (v_i -+ v_j) = -+ 2 S_ij.
  std::optional<std::vector<T>> from_zero_diagonal() const {
    for (std::size_t i = 0; i < S_.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        if (!open_[i] || !open_[j] || vanishes(S_[i][j])) continue;
        std::vector<T> x = V_[i];
        for (std::size_t m = 0; m < x.size(); ++m) x[m] += S_[i][j] > 0 ? T(-V_[j][m]) : V_[j][m];
        return x;
      }
    return std::nullopt;
  }

  Rows<T> S_, V_;
  std::vector<bool> open_;
};

template <class T>
Rows<T> algebraic_matrix(const Rows<T>& A, const std::vector<T>& b) {
  Rows<T> M = A;
  for (std::size_t i = 0; i < b.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) M[i][j] = b[i] * A[i][j] + b[j] * A[j][i] - b[i] * b[j];
  return M;
}

std::string number(const Rational& x) { return x.str().size() <= 16 ? x.str() : to_text(decimal(x), 6); }
std::string number(const Real100& x) { return to_text(x, 6); }

template <class T>
std::string vector_text(const std::vector<T>& x) {
  std::string text;
  for (const T& entry : x) text += (text.empty() ? "(" : ", ") + (vanishes(entry) ? "0" : number(entry));
  return text + ")";
}

template <class T>
T quadratic_form(const Rows<T>& M, const std::vector<T>& x) {
  T sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j) sum += x[i] * M[i][j] * x[j];
  return sum;
}

template <class T>
bool all_vanish(const Rows<T>& M) {
  for (const auto& row : M)
    for (const T& entry : row)
      if (!vanishes(entry)) return false;
  return true;
}

template <class T>
Property algebraically_stable(const Rows<T>& A, const std::vector<T>& b) {
  for (std::size_t i = 0; i < b.size(); ++i)
    if (sign_of(b[i]) < 0) return {false, fmt::format("b_{} = {} < 0", i + 1, number(b[i]))};
  const Rows<T> M = algebraic_matrix(A, b);
  if (all_vanish(M)) return {true, "b >= 0 and M = 0"};
  const auto x = Semidefinite<T>(M).negative_direction();
  if (!x) return {true, "b >= 0 and M is positive semidefinite (L D L^T with D >= 0)"};
  return {false, fmt::format("x^T M x = {} < 0 for x = {}", number(quadratic_form(M, *x)), vector_text(*x))};
}

}  // namespace

Property algebraically_stable(const Tableau& tableau) {
  if (tableau.digits > 0)
    return not_applicable(
        "whether M is semidefinite, as a rule with many zero eigenvalues, hangs on digits that rounded "
        "coefficients do not have");
  const std::vector<Real100> b(tableau.b.begin(), tableau.b.end());
  Rows<Real100> A;
  Rows<Rational> exact_A;
  const std::vector<Rational> exact_b = fractions(b);
  bool is_rational = !exact_b.empty();
  for (Index i = 0; i < tableau.stages(); ++i) {
    const auto row = tableau.A.row(i);
    A.emplace_back(row.begin(), row.end());
    if (is_rational) exact_A.push_back(fractions(A.back()));
    is_rational = is_rational && !exact_A.back().empty();
  }
  Property property = is_rational ? algebraically_stable(exact_A, exact_b) : algebraically_stable(A, b);
  property.proof =
      (is_rational ? "exact, in rational arithmetic: " : "numerical, in 100 digits, below 1e-70 taken as zero: ") +
      property.proof;
  return property;
}

Property b_stable(const Tableau& tableau, const Property& algebraic) {
  if (!algebraic.applicable) return algebraic;
  const std::string kind = proof_kind(algebraic.proof);
  if (algebraic.holds) return {true, kind + ": algebraically stable, which implies it"};
  for (Index i = 0; i < tableau.stages(); ++i)
    for (Index j = 0; j < i; ++j)
      if (vanishes(Real100(tableau.c[i] - tableau.c[j])))
        return not_applicable(
            fmt::format("not algebraically stable, but c_{} = c_{}: where nodes are equal that does "
                        "not exclude it",
                        j + 1, i + 1));
  return {false, kind + ": not algebraically stable, which B-stability implies where all nodes differ"};
}

}  // namespace daelab
