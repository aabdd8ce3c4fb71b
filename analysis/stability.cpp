#include "analysis/stability.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <tuple>

#include "analysis/polynomial_text.hpp"
#include "methods/runge_kutta/block_coefficients.hpp"

namespace daelab {
namespace {

template <class T>
using Rows = std::vector<std::vector<T>>;

// A B; plain loops, because Eigen's products are not meant for rationals.
template <class T>
Rows<T> matrix_product(const Rows<T>& A, const Rows<T>& B) {
  const std::size_t s = A.size();
  Rows<T> result(s, std::vector<T>(s, T(0)));
  for (std::size_t i = 0; i < s; ++i)
    for (std::size_t m = 0; m < s; ++m) {
      if (A[i][m] == 0) continue;
      stop_where_interrupted();
      for (std::size_t j = 0; j < s; ++j) result[i][j] += A[i][m] * B[m][j];
    }
  return result;
}

// det(I - w A) by Faddeev and LeVerrier: a_k = -tr(A N_(k-1)) / k,  N_k = A N_(k-1) + a_k I.
template <class T>
Poly<T> reciprocal_characteristic(const Rows<T>& A) {
  const std::size_t s = A.size();
  Rows<T> N(s, std::vector<T>(s, T(0)));
  for (std::size_t i = 0; i < s; ++i) N[i][i] = 1;
  Poly<T> result{T(1)};
  for (std::size_t k = 1; k <= s; ++k) {
    N = matrix_product(A, N);
    T trace = 0;
    for (std::size_t i = 0; i < s; ++i) trace += N[i][i];
    const T a = -trace / static_cast<int>(k);
    for (std::size_t i = 0; i < s; ++i) N[i][i] += a;
    result.push_back(a);
  }
  return result;
}

// Whole numbers D x, and D.
std::pair<Rows<Integer>, Integer> over_one_denominator(const Rows<Rational>& rows) {
  Integer D = 1;
  for (const auto& row : rows)
    for (const Rational& x : row) D = lcm(D, denominator(x));
  Rows<Integer> result;
  for (const auto& row : rows) {
    result.emplace_back();
    for (const Rational& x : row) result.back().push_back(numerator(x) * (D / denominator(x)));
  }
  return {std::move(result), std::move(D)};
}

// Coefficient k of D A and D b is D^k times that of A and b.
Poly<Rational> over_powers(const Poly<Integer>& p, const Integer& D) {
  Poly<Rational> result;
  Integer power = 1;
  for (const Integer& a : p) {
    result.emplace_back(a, power);
    power *= D;
  }
  return result;
}

Poly<Rational> reciprocal_characteristic(const Rows<Rational>& A) {
  const auto [whole_A, D] = over_one_denominator(A);
  return over_powers(reciprocal_characteristic(whole_A), D);
}

// A, or A - e b^T for the numerator.
template <class T>
Rows<T> minus_weights(Rows<T> A, const std::vector<T>& b) {
  for (auto& row : A)
    for (std::size_t j = 0; j < b.size(); ++j) row[j] -= b[j];
  return A;
}

// Zero coefficients come out near 1e-98; true ones are above (20!/40!) = 1e-30 for s <= 20.
void remove_round_off(Poly<Real100>& p, const Real100& tolerance) {
  for (Real100& a : p)
    if (abs(a) < tolerance) a = 0;
  while (!p.empty() && p.back() == 0) p.pop_back();
}

void remove_round_off(Poly<Rational>& p, const Real100& /*tolerance*/) { p = trimmed(p); }

template <class T>
std::pair<Poly<T>, Poly<T>> reduced_fraction(Poly<T> P, Poly<T> Q, const Real100& tolerance) {
  remove_round_off(P, tolerance);
  remove_round_off(Q, tolerance);
  const Poly<T> common = greatest_common_divisor(P, Q);
  if (degree(common) > 0) {
    P = divided(P, common).first;
    Q = divided(Q, common).first;
  }
  const T q0 = Q.front();
  for (T& a : P) a /= q0;
  for (T& a : Q) a /= q0;
  return {P, Q};
}

bool negligible(const Real100& x, const Real100& size, const Real100& tolerance) { return abs(x) < tolerance * size; }
bool negligible(const Integer& x, const Integer& /*size*/, const Real100& /*tolerance*/) { return x == 0; }

// x -> A x, or |A| x.
template <class T>
std::vector<T> applied(const Rows<T>& A, const std::vector<T>& x, bool moduli) {
  std::vector<T> result(x.size(), T(0));
  for (std::size_t i = 0; i < x.size(); stop_where_interrupted(), ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (A[i][j] != 0) result[i] += (moduli ? T(abs(A[i][j])) : A[i][j]) * x[j];
  return result;
}

// 1 + sum_k w^k b^T A^(k-1) e, all there is for an explicit method. Coefficients count as zero against the sum of the
// moduli of their terms: those of stabilised methods with many stages are small.
template <class T>
Poly<T> explicit_stability_polynomial(const Rows<T>& A, const std::vector<T>& b, const Real100& tolerance) {
  std::vector<T> x(b.size(), T(1)), size = x;
  Poly<T> result{T(1)};
  for (std::size_t k = 0; k < b.size(); ++k) {
    T sum = 0, of_moduli = 0;
    for (std::size_t j = 0; j < b.size(); ++j) sum += b[j] * x[j], of_moduli += T(abs(b[j])) * size[j];
    result.push_back(negligible(sum, of_moduli, tolerance) ? T(0) : sum);
    x = applied(A, x, false), size = applied(A, size, true);
  }
  while (result.back() == 0) result.pop_back();
  return result;
}

Poly<Rational> explicit_stability_polynomial(const Rows<Rational>& A, const std::vector<Rational>& b,
                                             const Real100& tolerance) {
  Rows<Rational> rows = A;
  rows.push_back(b);
  auto [whole_rows, D] = over_one_denominator(rows);
  const std::vector<Integer> whole_b = whole_rows.back();
  whole_rows.pop_back();
  return over_powers(explicit_stability_polynomial(whole_rows, whole_b, tolerance), D);
}

template <class T>
bool is_explicit(const Rows<T>& A) {
  for (std::size_t i = 0; i < A.size(); ++i)
    for (std::size_t j = i; j < A.size(); ++j)
      if (A[i][j] != 0) return false;
  return true;
}

template <class T>
std::pair<Poly<T>, Poly<T>> stability_fraction(const Rows<T>& A, const std::vector<T>& b, const Real100& tolerance) {
  if (is_explicit(A)) return {explicit_stability_polynomial(A, b, tolerance), {T(1)}};
  return reduced_fraction(reciprocal_characteristic(minus_weights(A, b)), reciprocal_characteristic(A), tolerance);
}

Rows<Real100> rows_of(const Tableau& t) {
  Rows<Real100> A;
  for (Index i = 0; i < t.stages(); ++i) {
    A.emplace_back();
    for (Index j = 0; j < t.stages(); ++j) A.back().push_back(t.A(i, j));
  }
  return A;
}

Rows<Rational> fraction_rows(const Rows<Real100>& rows) {
  Rows<Rational> result;
  for (const auto& row : rows) {
    result.push_back(fractions(row));
    if (result.back().empty()) return {};
  }
  return result;
}

// E as text in y, where p is a polynomial in y^2.
template <class T>
Poly<T> in_y(const Poly<T>& p) {
  Poly<T> result;
  for (const T& a : p) {
    if (!result.empty()) result.push_back(T(0));
    result.push_back(a);
  }
  return result;
}

template <class T>
std::string e_text(const Poly<T>& E) {
  return "E(y) = " + polynomial_text(in_y(E), "y");
}

template <class T>
Property nonnegative_on_axis(const Poly<T>& P, const Poly<T>& Q, const Real100& tolerance) {
  Poly<T> E = difference(squared_modulus(Q), squared_modulus(P));
  remove_round_off(E, tolerance);
  if (E.empty()) return {true, "E(y) = 0, |R(iy)| = 1 for all real y"};
  const auto negative = negative_point(E);
  if (!negative) return {true, e_text(E) + " >= 0 (Sturm sequence: no change of sign for y > 0)"};
  return {false, fmt::format("{} < 0 at y = {}: |R(iy)| > 1 there", e_text(E), to_text(sqrt(decimal(*negative)), 6))};
}

template <class T>
Property poles_on_the_right(Poly<T> Q) {
  if (degree(Q) <= 0) return {true, "no poles"};
  const int poles = degree(Q);
  // Poles with a positive real part are zeros of Q(-s) with a negative one.
  for (std::size_t i = 1; i < Q.size(); i += 2) Q[i] = -Q[i];
  const auto unstable = zeros_in_right_half_plane(Q);
  if (!unstable)
    return {false, "Routh-Hurwitz: a zero in the first column, so not every pole has a positive real part"};
  if (*unstable == 0) return {true, "Routh-Hurwitz: every pole has a positive real part"};
  return {false, fmt::format("Routh-Hurwitz: {} of {} poles have a negative real part", *unstable, poles)};
}

template <class T>
Property a_stable(const Poly<T>& P, const Poly<T>& Q, const Real100& tolerance) {
  if (degree(P) > degree(Q))
    return {false, fmt::format("deg P = {} > deg Q = {}: |R| is unbounded", degree(P), degree(Q))};
  const Property axis = nonnegative_on_axis(P, Q, tolerance);
  const Property poles = poles_on_the_right(Q);
  if (axis.holds == poles.holds) return {axis.holds, axis.proof + "; " + poles.proof};
  return axis.holds ? poles : axis;
}

StabilityFunction computed(const Tableau& tableau) {
  const Rows<Real100> A = rows_of(tableau);
  const std::vector<Real100> b(tableau.b.begin(), tableau.b.end());
  StabilityFunction R;
  R.digits = tableau.digits;
  if (R.digits > 0) {
    std::tie(R.numerator, R.denominator) = stability_fraction(A, b, R.tolerance());
    return R;
  }
  const auto exact_A = fraction_rows(A);
  const auto exact_b = fractions(b);
  R.from_fractions = !exact_A.empty() && !exact_b.empty();
  if (R.from_fractions) {
    std::tie(R.exact_numerator, R.exact_denominator) = stability_fraction(exact_A, exact_b, R.tolerance());
  } else {
    std::tie(R.numerator, R.denominator) = stability_fraction(A, b, R.tolerance());
    R.exact_numerator = fractions(R.numerator);
    R.exact_denominator = fractions(R.denominator);
    if (R.exact_numerator.empty() || R.exact_denominator.empty()) {
      R.exact_numerator.clear();
      R.exact_denominator.clear();
    }
  }
  if (R.is_rational()) {
    // Once more: over the rationals a common factor cannot hide behind a threshold.
    std::tie(R.exact_numerator, R.exact_denominator) =
        reduced_fraction(R.exact_numerator, R.exact_denominator, R.tolerance());
    R.numerator = decimals(R.exact_numerator);
    R.denominator = decimals(R.exact_denominator);
  }
  return R;
}

// The last stability functions: an audit asks again for a tableau and for its embedded weights.
class LastFunctions {
 public:
  const StabilityFunction& of(const Tableau& t) {
    const auto known = std::ranges::find_if(last_, [&](const Entry& entry) {
      return entry.digits == t.digits && entry.A.rows() == t.A.rows() && entry.A == t.A && entry.b == t.b;
    });
    if (known != last_.end()) return known->R;
    if (last_.size() == 2) last_.pop_front();
    last_.push_back({t.A, t.b, t.digits, computed(t)});
    return last_.back().R;
  }

 private:
  struct Entry {
    Matrix<Real100> A;
    Vector<Real100> b;
    int digits;
    StabilityFunction R;
  };
  std::deque<Entry> last_;
};

}  // namespace

StabilityFunction stability_function(const Tableau& tableau) {
  thread_local LastFunctions last;
  return last.of(tableau);
}

Real100 StabilityFunction::tolerance() const { return digits == 0 ? Real100("1e-80") : pow(Real100(10), 2 - digits); }

std::string StabilityFunction::evidence() const {
  if (digits > 0)
    return fmt::format("numerical, of coefficients to {} digits, below 1e-{} taken as zero: ", digits, digits - 2);
  if (from_fractions) return "exact, in rational arithmetic: ";
  if (is_rational()) return "exact, for the fractions that match the coefficients of R to 80 digits: ";
  return "numerical, in 100 digits, below 1e-60 taken as zero: ";
}

std::string StabilityFunction::text(const std::string& variable) const {
  if (is_rational()) return quotient_text(exact_numerator, exact_denominator, variable);
  return quotient_text(numerator, denominator, variable);
}

std::optional<std::pair<int, int>> StabilityFunction::pade_pair() const {
  const int k = degree(numerator), j = degree(denominator);
  const Polynomial P = pade_numerator(k, j), Q = pade_denominator(k, j);
  const auto matches = [this](const Poly<Real100>& p, const Polynomial& expected) {
    for (Index i = 0; i < expected.size(); ++i)
      if (abs(p[static_cast<std::size_t>(i)] - expected[i]) > tolerance()) return false;
    return true;
  };
  if (!matches(numerator, P) || !matches(denominator, Q)) return std::nullopt;
  return std::pair{k, j};
}

Real100 StabilityFunction::at_infinity() const {
  if (degree(numerator) < degree(denominator)) return 0;
  const Real100 ratio = numerator.back() / denominator.back();
  if (degree(numerator) == degree(denominator)) return ratio;
  return ratio < 0 ? -std::numeric_limits<Real100>::infinity() : std::numeric_limits<Real100>::infinity();
}

int StabilityFunction::linear_order() const {
  // Coefficients of Q(w) exp(w) - P(w) up to w^(k+j+1), where at the latest one does not vanish.
  const std::size_t limit = numerator.size() + denominator.size();
  Poly<Real100> series{Real100(1)};
  for (std::size_t i = 1; i < limit; ++i) series.push_back(series.back() / static_cast<int>(i));
  const Poly<Real100> Q_exp = product(denominator, series);
  int order = -1;
  for (std::size_t i = 0; i < limit; ++i, ++order) {
    const Real100 p = i < numerator.size() ? numerator[i] : Real100(0);
    if (abs(Q_exp[i] - p) > tolerance()) break;
  }
  return order;
}

Property poles_on_the_right(const StabilityFunction& R) {
  Property property = R.is_rational() ? poles_on_the_right(R.exact_denominator) : poles_on_the_right(R.denominator);
  property.proof = R.evidence() + property.proof;
  return property;
}

Property a_stable(const StabilityFunction& R) {
  return R.a_stable->get([&R] {
    Property property = R.is_rational() ? a_stable(R.exact_numerator, R.exact_denominator, R.tolerance())
                                        : a_stable(R.numerator, R.denominator, R.tolerance());
    property.proof = R.evidence() + property.proof;
    return property;
  });
}

Property l_stable(const StabilityFunction& R) {
  Property property = a_stable(R);
  const int k = degree(R.numerator), j = degree(R.denominator);
  if (!property.holds) return property;
  property.holds = k < j;
  property.proof += k < j ? fmt::format("; R(infinity) = 0 because deg P = {} < deg Q = {}", k, j)
                          : fmt::format("; but R(infinity) = {}", exact_text(R.at_infinity()));
  return property;
}

Property stiffly_accurate(const Tableau& tableau) {
  const bool holds = tableau.stiffly_accurate();
  Real100 difference = 0;
  for (Index j = 0; j < tableau.stages(); ++j)
    difference = std::max(difference, Real100(abs(tableau.A(tableau.stages() - 1, j) - tableau.b[j])));
  if (!holds)
    return {false,
            fmt::format("numerical, in 100 digits: the last row of A differs from b by {}", exact_text(difference))};
  if (difference == 0) return {true, "exact: the last row of A equals b"};
  return {true, "numerical, to 80 digits: the last row of A equals b"};
}

}  // namespace daelab
