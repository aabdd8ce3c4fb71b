// Polynomials over the rationals, computed with whole numbers: fractions of many digits would spend their time on
// common divisors.
#include "analysis/polynomial.hpp"

#include <cstdint>

#include "analysis/whole_polynomial.hpp"

namespace daelab {
namespace {

using Whole = Poly<Integer>;

void make_primitive(Whole& p) {
  Integer common = 0;
  for (const Integer& a : p) {
    common = gcd(common, a);
    if (common == 1) return;
  }
  if (common != 0)
    for (Integer& a : p) a /= common;
}

void trim(Whole& p) {
  while (!p.empty() && p.back() == 0) p.pop_back();
}

// ----- common divisors -----

constexpr std::uint64_t primes[] = {(std::uint64_t{1} << 61) - 1, 4611686018427387847};

std::uint64_t times(std::uint64_t a, std::uint64_t b, std::uint64_t prime) {
  return static_cast<std::uint64_t>(static_cast<unsigned __int128>(a) * b % prime);
}

std::uint64_t inverse(std::uint64_t a, std::uint64_t prime) {
  std::uint64_t result = 1;
  for (std::uint64_t e = prime - 2; e > 0; e >>= 1, a = times(a, a, prime))
    if (e & 1) result = times(result, a, prime);
  return result;
}

using Residues = std::vector<std::uint64_t>;

Residues residues(const Whole& p, std::uint64_t prime) {
  Residues result;
  for (const Integer& a : p) {
    Integer rest = a % prime;
    if (rest < 0) rest += prime;
    result.push_back(rest.convert_to<std::uint64_t>());
  }
  return result;
}

// Degree of the common divisor modulo a prime.
std::size_t common_degree(Residues p, Residues q, std::uint64_t prime) {
  while (!q.empty()) {
    const std::uint64_t factor = inverse(q.back(), prime);
    while (p.size() >= q.size()) {
      const std::uint64_t lead = times(p.back(), factor, prime);
      const std::size_t shift = p.size() - q.size();
      for (std::size_t j = 0; j < q.size(); ++j)
        p[shift + j] = (p[shift + j] + prime - times(lead, q[j], prime)) % prime;
      while (!p.empty() && p.back() == 0) p.pop_back();
    }
    std::swap(p, q);
  }
  return p.size() - 1;
}

// True is a proof: where the leading coefficients stay, a common divisor does, too.
bool are_coprime(const Whole& p, const Whole& q) {
  for (const std::uint64_t prime : primes) {
    const Residues a = residues(p, prime), b = residues(q, prime);
    if (a.back() != 0 && b.back() != 0 && common_degree(a, b, prime) == 0) return true;
  }
  return false;
}

// A multiple of the remainder of p by q.
Whole remainder(Whole p, const Whole& q) {
  while (p.size() >= q.size()) {
    stop_where_interrupted();
    const Integer lead = p.back();
    const std::size_t shift = p.size() - q.size();
    for (Integer& a : p) a *= q.back();
    for (std::size_t j = 0; j < q.size(); ++j) p[shift + j] -= lead * q[j];
    trim(p);
  }
  make_primitive(p);
  return p;
}

Whole common_divisor(Whole p, Whole q) {
  while (!q.empty()) p = std::exchange(q, remainder(p, q));
  return p;
}

Poly<Rational> fractions_of(const Whole& p) { return {p.begin(), p.end()}; }

// ----- real zeros, by Descartes' rule -----

// p(x + 1).
void shift_by_one(Whole& p) {
  for (std::size_t i = 0; i + 1 < p.size(); ++i)
    for (std::size_t j = p.size() - 1; j-- > i;) p[j] += p[j + 1];
}

// 2^n p(x/2).
void halve(Whole& p) {
  for (std::size_t i = 0; i < p.size(); ++i) p[i] <<= static_cast<unsigned>(p.size() - 1 - i);
}

int sign_of(const Integer& x) { return x.sign(); }

Integer value_at_one(const Whole& p) {
  Integer sum = 0;
  for (const Integer& a : p) sum += a;
  return sum;
}

// Zeros in (0, 1), and an even number more: those of (1 + x)^n p(1/(1 + x)) on x > 0.
int descartes_bound(const Whole& p) {
  Whole q(p.rbegin(), p.rend());
  shift_by_one(q);
  std::vector<int> signs;
  for (const Integer& a : q) signs.push_back(sign_of(a));
  return sign_changes(signs);
}

// Of p without repeated zeros: whether one is in (0, 1].
bool has_zero_in_unit(Whole p) {
  if (value_at_one(p) == 0) return true;
  const int bound = descartes_bound(p);
  if (bound < 2) return bound == 1;
  if (bound % 2 == 1) return true;
  stop_where_interrupted();
  halve(p);
  if (has_zero_in_unit(p)) return true;
  shift_by_one(p);
  return has_zero_in_unit(std::move(p));
}

// A power of two above every real zero of p: by Cauchy's bound.
unsigned zero_bound_bits(const Whole& p) {
  Integer largest = 0;
  for (const Integer& a : p) largest = std::max(largest, Integer(abs(a)));
  const Integer bound = largest / abs(p.back()) + 2;
  return static_cast<unsigned>(msb(bound)) + 1;
}

// p(2^bits x).
Whole stretched(Whole p, unsigned bits) {
  for (std::size_t i = 0; i < p.size(); ++i) p[i] <<= static_cast<unsigned>(i) * bits;
  return p;
}

// Sign of p at place/2^bits of its unit.
int sign_at(const Whole& p, const Integer& place, unsigned bits) {
  Integer sum = 0;
  for (std::size_t i = p.size(); i-- > 0;) sum = sum * place + (p[i] << static_cast<unsigned>(p.size() - 1 - i) * bits);
  return sign_of(sum);
}

bool has_no_sign_but(const Whole& p, int sign) {
  return std::all_of(p.begin(), p.end(), [&](const Integer& a) { return sign_of(a) != -sign; });
}

// With p > 0 or p < 0 right of 0, and a unit above every place where p changes sign.
class SignChanges {
 public:
  explicit SignChanges(Whole p) : odd_(odd_part(p)), bits_(zero_bound_bits(odd_)), p_(std::move(p)) {
    odd_ = stretched(std::move(odd_), bits_), p_ = stretched(std::move(p_), bits_);
  }

  /// Where p < 0, by bisection.
  std::optional<Rational> negative_point() const {
    Integer low = 0;
    unsigned bits = 0;  // low/2^bits of the unit
    if (sign_at(p_, 1, 0) < 0) return place(1, 0);
    Whole q = odd_;  // on the interval from there to (low + 1)/2^bits
    if (!has_zero_in_unit(q)) return std::nullopt;
    while (true) {  // p changes sign in the interval, and is positive at its end
      low *= 2, ++bits;
      const Integer middle = low + 1;
      if (sign_at(p_, middle, bits) < 0) return place(middle, bits);
      halve(q);
      Whole above = q;
      shift_by_one(above);
      if (has_zero_in_unit(above)) low = middle, q = std::move(above);
    }
  }

  /// The first one, from below, to 15 digits.
  Rational first() const {
    Integer low = 0;
    unsigned bits = 0;
    const Integer digits = 10000000000000000;
    for (Whole q = odd_; low < digits;) {
      low *= 2, ++bits;
      halve(q);
      if (has_zero_in_unit(q)) continue;
      ++low;
      shift_by_one(q);
    }
    return place(low, bits);
  }

 private:
  static Whole odd_part(const Whole& p) {
    const Whole slope = derivative(p);
    if (slope.empty() || are_coprime(p, slope)) return p;
    return whole(daelab::odd_part(fractions_of(p)));
  }
  Rational place(const Integer& low, unsigned bits) const {
    return {Integer(low << bits_), Integer(Integer(1) << bits)};
  }

  Whole odd_;
  unsigned bits_;
  Whole p_;
};

// Without zeros at 0.
Whole off_zero(const Poly<Rational>& p) {
  Whole q = whole(trimmed(p));
  q.erase(q.begin(), std::find_if(q.begin(), q.end(), [](const Integer& a) { return a != 0; }));
  return q;
}

}  // namespace

std::pair<Whole, Integer> over_one_denominator(const Poly<Rational>& p) {
  Integer least = 1;
  for (const Rational& a : p) least = lcm(least, denominator(a));
  Whole result;
  for (const Rational& a : p) result.push_back(numerator(a) * (least / denominator(a)));
  return {std::move(result), std::move(least)};
}

Whole whole(const Poly<Rational>& p) {
  Whole result = over_one_denominator(p).first;
  make_primitive(result);
  return result;
}

Poly<Rational> product(const Poly<Rational>& p, const Poly<Rational>& q) {
  const auto [above_p, below_p] = over_one_denominator(p);
  const auto [above_q, below_q] = over_one_denominator(q);
  const Integer below = below_p * below_q;
  Poly<Rational> result;
  for (const Integer& a : product(above_p, above_q)) result.emplace_back(a, below);
  return result;
}

Poly<Rational> greatest_common_divisor(const Poly<Rational>& p, const Poly<Rational>& q) {
  const Whole a = whole(trimmed(p)), b = whole(trimmed(q));
  if (a.empty() || b.empty()) return scaled(fractions_of(a.empty() ? b : a));
  if (are_coprime(a, b)) return {Rational(1)};
  return scaled(fractions_of(common_divisor(a, b)));
}

std::optional<Rational> negative_point(const Poly<Rational>& p) {
  const Whole q = off_zero(p);
  if (has_no_sign_but(q, 1)) return std::nullopt;
  return SignChanges(q).negative_point();
}

std::optional<Rational> first_fall_below_zero(const Poly<Rational>& p) {
  const Whole q = off_zero(p);
  if (has_no_sign_but(q, 1)) return std::nullopt;
  if (sign_of(q.front()) < 0) return Rational(0);
  const SignChanges changes(q);
  if (!changes.negative_point()) return std::nullopt;
  return changes.first();
}

// Row k of Routh's array times the product D_(k-1) of the first entries of rows 1 to k - 1, a Hurwitz determinant, is
// whole: D_k F_(k-1) - D_(k-1) F_k, divided by D_(k-2), is the next one.
std::optional<int> zeros_in_right_half_plane(const Poly<Rational>& p) {
  const Whole q = whole(p);
  Whole above, row;
  for (std::size_t i = q.size(); i-- > 0;) ((q.size() - 1 - i) % 2 == 0 ? above : row).push_back(q[i]);
  std::vector<int> column{sign_of(q.back())};
  Integer before = 1, last = 0;  // D_(k-2), of the first row not needed; D_(k-1)
  for (int k = 1; k <= degree(q); ++k) {
    stop_where_interrupted();
    if (row.empty() || row[0] == 0) return std::nullopt;
    const int sign_of_last = k == 1 ? 1 : sign_of(last);
    column.push_back(sign_of(row[0]) * sign_of_last);
    const Integer &D = row[0], factor = k == 1 ? above[0] : last;
    Whole next;
    for (std::size_t m = 1; m < above.size(); ++m) {
      next.push_back(D * above[m]);
      if (m < row.size()) next.back() -= factor * row[m];
      if (k > 2) next.back() /= before;
    }
    before = k == 1 ? Integer(1) : last;
    last = D;
    above = std::exchange(row, std::move(next));
  }
  return sign_changes(column);
}

}  // namespace daelab
