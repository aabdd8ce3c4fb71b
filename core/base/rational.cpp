#include "core/base/rational.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/boost_real.hpp"

namespace daelab {
namespace {

// Towards zero.
Integer whole_part(const Real100& x) {
  Integer whole;
  mpfr_get_z(whole.backend().data(), MpfrArgument(x), MPFR_RNDZ);
  return whole;
}
Integer rounded(const Real100& x) { return whole_part(round(x)); }
Real100 decimal(const Integer& n) { return from_boost(BoostReal<100>(n)); }

// round(a / b) for b > 0.
Integer rounded_quotient(const Integer& a, const Integer& b) {
  const Integer twice = 2 * a + b;
  Integer quotient = twice / (2 * b);
  if (twice < 0 && quotient * 2 * b != twice) --quotient;
  return quotient;
}

using LatticeVector = std::array<Integer, 4>;

Integer dot(const LatticeVector& a, const LatticeVector& b) {
  Integer sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void subtract_multiple(LatticeVector& a, const Integer& factor, const LatticeVector& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] -= factor * b[i];
}

// Replaces `target` by target - combination when that is shorter.
bool shorten(LatticeVector& target, const Integer& factor, const LatticeVector& combination) {
  if (factor == 0) return false;
  LatticeVector candidate = target;
  subtract_multiple(candidate, factor, combination);
  if (dot(candidate, candidate) >= dot(target, target)) return false;
  target = candidate;
  return true;
}

// In three dimensions a basis is Minkowski reduced, its first vector a shortest one of the lattice,
// once no vector becomes shorter by whole multiples of one other or by +- both others.
LatticeVector shortest_vector(std::array<LatticeVector, 3> basis) {
  bool changed = true;
  while (changed) {
    changed = false;
    std::sort(basis.begin(), basis.end(), [](const auto& x, const auto& y) { return dot(x, x) < dot(y, y); });
    for (int i = 2; i > 0; --i)
      for (int j = 0; j < i; ++j) {
        const Integer factor = rounded_quotient(dot(basis[i], basis[j]), dot(basis[j], basis[j]));
        changed |= shorten(basis[i], factor, basis[j]);
      }
    for (const int sign : {1, -1}) {
      LatticeVector both = basis[0];
      subtract_multiple(both, sign, basis[1]);
      changed |= shorten(basis[2], 1, both) || shorten(basis[2], -1, both);
    }
  }
  return basis[0];
}

// Whole numbers with p[0] + p[1] x + p[2] x^2 = 0 to about 1e-80, if there are small ones. Three
// unrelated numbers have a relation with coefficients near 10^(80/3); 10^20 is far below that.
std::optional<LatticeVector> quadratic_relation(const Real100& x) {
  const Real100 scale("1e80");
  const LatticeVector p =
      shortest_vector({LatticeVector{1, 0, 0, rounded(scale)}, LatticeVector{0, 1, 0, rounded(scale * x)},
                       LatticeVector{0, 0, 1, rounded(scale * x * x)}});
  const Integer bound = pow(Integer(10), 20);
  for (const Integer& entry : p)
    if (abs(entry) > bound) return std::nullopt;
  return p;
}

bool has_square_factor(int D) {
  for (int f = 2; f * f <= D; ++f)
    if (D % (f * f) == 0) return true;
  return false;
}

// D <= 200 without square factor and f with f^2 D = n; D = 0 if there is none.
std::pair<int, Integer> split_square(const Integer& n) {
  for (int D = 2; D <= 200; ++D) {
    if (has_square_factor(D) || n % D != 0) continue;
    const Integer f = sqrt(Integer(n / D));
    if (f * f * D == n) return {D, f};
  }
  return {0, 0};
}

Real100 value_of(const QuadraticSurd& s) { return (decimal(s.a) + decimal(s.b) * sqrt(Real100(s.D))) / decimal(s.c); }

QuadraticSurd reduced(const Integer& a, const Integer& b, const Integer& c, int D) {
  Integer divisor = gcd(gcd(a, b), c);
  if (c < 0) divisor = -divisor;
  return {a / divisor, b / divisor, c / divisor, D};
}

}  // namespace

Real100 decimal(const Rational& x) { return decimal(Integer(numerator(x))) / decimal(Integer(denominator(x))); }

std::optional<Rational> recover_fraction(const Real100& x) {
  if (!isfinite(x)) return std::nullopt;
  // Any number is within 1e-80 of a fraction p/q with p q = 10^80: smaller ones mean something.
  const Integer largest_denominator = pow(Integer(10), 30), largest_product = pow(Integer(10), 70);
  Integer p = 1, p_last = 0, q = 0, q_last = 1;
  Real100 rest = abs(x);
  while (true) {
    const Integer digit = whole_part(floor(rest));
    p_last = std::exchange(p, Integer(digit * p + p_last));
    q_last = std::exchange(q, Integer(digit * q + q_last));
    if (q >= largest_denominator || p * q > largest_product) return std::nullopt;
    if (abs(decimal(p) / decimal(q) - abs(x)) <= Real100("1e-80") * abs(x)) return Rational(x < 0 ? Integer(-p) : p, q);
    rest -= decimal(digit);
    if (rest == 0) return std::nullopt;
    rest = 1 / rest;
  }
}

std::string QuadraticSurd::text() const {
  const Integer size = abs(b);
  const std::string root = (size == 1 ? "" : size.str() + " ") + fmt::format("sqrt({})", D);
  std::string numerator = (b < 0 ? "-" : "") + root;
  if (a != 0) numerator = a.str() + (b < 0 ? " - " : " + ") + root;
  if (c == 1) return numerator;
  return (a != 0 ? "(" + numerator + ")" : numerator) + "/" + c.str();
}

std::optional<QuadraticSurd> recover_surd(const Real100& x) {
  if (!isfinite(x) || abs(x) > Real100("1e15") || abs(x) < Real100("1e-15")) return std::nullopt;
  const auto p = quadratic_relation(x);
  if (!p || (*p)[2] == 0) return std::nullopt;
  const auto [D, f] = split_square((*p)[1] * (*p)[1] - 4 * (*p)[0] * (*p)[2]);
  if (D == 0) return std::nullopt;
  for (const int sign : {1, -1}) {
    const QuadraticSurd candidate = reduced(-(*p)[1], sign * f, 2 * (*p)[2], D);
    const Real100 tolerance = Real100("1e-80") * std::max(Real100(1), Real100(abs(x)));
    if (abs(value_of(candidate) - x) <= tolerance) return candidate;
  }
  return std::nullopt;
}

}  // namespace daelab
