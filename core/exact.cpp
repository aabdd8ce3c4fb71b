#include "core/exact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/math/constants/constants.hpp>
#include <cctype>
#include <cmath>
#include <utility>
#include <vector>

namespace daelab {
namespace {

using Integer = mp::cpp_int;

const std::vector<std::string>& known_names() {
  static const std::vector<std::string> names{"sqrt", "cos", "sin", "tan", "exp", "log", "pi"};
  return names;
}

// sum     = product (("+" | "-") product)*
// product = power (("*" | "/") power | name)*    the last: "2 sqrt(3)"
// power   = ("+" | "-") power | atom ["^" power]    so that -2^2 = -4 and 2^3^2 = 2^9
// atom    = number | "pi" | name "(" sum ")" | "(" sum ")"
class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text) {}

  Real100 value() {
    const Real100 result = sum();
    if (peek() != '\0') fail_unexpected();
    if (!isfinite(result)) fail("the value is not finite");
    return result;
  }

 private:
  // Spaces separate, and '\0' stands for the end.
  char peek() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char wanted) {
    if (peek() != wanted) return false;
    ++at_;
    return true;
  }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  bool digit_at(std::size_t i) const { return i < text_.size() && is_digit(text_[i]); }
  static bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }

  [[noreturn]] void fail(const std::string& what) const { fail(what, at_); }
  [[noreturn]] void fail(const std::string& what, std::size_t at) const {
    throw InputError(
        fmt::format("cannot read \"{}\" as a number: {} at position {}", text_, what, at + 1));
  }

  // Names the whole character: one byte of "π" would make the message invalid UTF-8.
  [[noreturn]] void fail_unexpected() {
    peek();
    std::size_t end = at_ + 1;
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0) == 0x80) ++end;
    fail(fmt::format("unexpected '{}'", text_.substr(at_, end - at_)));
  }

  Real100 sum() {
    Real100 result = product();
    while (true) {
      if (take('+'))
        result += product();
      else if (take('-'))
        result -= product();
      else
        return result;
    }
  }

  Real100 product() {
    Real100 result = power();
    bool divided = false;
    while (true) {
      if (take('*')) {
        result *= power();
        divided = false;
      } else if (take('/')) {
        result /= divisor();
        divided = true;
      } else if (is_letter(peek())) {
        if (divided) fail("write * or parentheses for the product in a quotient");
        if (!is_digit(text_[end_of_atom_ - 1])) fail_unexpected();
        result *= power();
      } else {
        return result;
      }
    }
  }

  Real100 divisor() {
    peek();
    const std::size_t start = at_;
    const Real100 result = power();
    if (result == 0) fail("division by zero", start);
    return result;
  }

  Real100 power() {
    const Nesting guard(*this);
    if (take('-')) return -power();
    if (take('+')) return power();
    const std::size_t start = at_;
    const Real100 base = atom();
    if (!take('^')) return base;
    peek();
    const std::size_t exponent_start = at_;
    const Real100 exponent = power();
    if (exponent != floor(exponent) || abs(exponent) > 100000)
      fail("the power must be a whole number up to 100000", exponent_start);
    if (base == 0 && exponent < 0) fail("division by zero", start);
    return pow(base, static_cast<int>(exponent));
  }

  Real100 atom() {
    const char next = peek();
    Real100 result;
    if (take('('))
      result = rest_of_parenthesis();
    else if (is_digit(next) || next == '.')
      result = number();
    else if (is_letter(next))
      result = named();
    else if (next == '\0')
      fail("a number is missing");
    else
      fail_unexpected();
    end_of_atom_ = at_;
    return result;
  }

  Real100 rest_of_parenthesis() {
    const Real100 result = sum();
    if (!take(')')) fail("missing ')'");
    return result;
  }

  Real100 number() {
    const std::size_t start = at_;
    while (digit_at(at_)) ++at_;
    if (at_ < text_.size() && text_[at_] == '.') ++at_;
    while (digit_at(at_)) ++at_;
    if (at_ == start + 1 && text_[start] == '.') fail("a lone '.'", start);
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      std::size_t digits = at_ + 1;
      if (digits < text_.size() && (text_[digits] == '+' || text_[digits] == '-')) ++digits;
      if (digit_at(digits)) skip_exponent(digits);
    }
    return Real100(text_.substr(start, at_ - start));
  }

  void skip_exponent(std::size_t digits) {
    at_ = digits;
    while (digit_at(at_)) ++at_;
    if (at_ - digits > 5) fail("the exponent is out of range", digits);
  }

  Real100 named() {
    const std::size_t start = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || digit_at(at_))) ++at_;
    const std::string name = text_.substr(start, at_ - start);
    if (name == "pi") return boost::math::constants::pi<Real100>();
    const auto& names = known_names();
    if (std::find(names.begin(), names.end(), name) == names.end()) fail_unknown(name, start);
    if (!take('(')) fail("missing '(' after " + name);
    return apply(name, rest_of_parenthesis(), start);
  }

  [[noreturn]] void fail_unknown(const std::string& name, std::size_t start) const {
    const std::string nearest = nearest_name(name, known_names());
    fail(fmt::format("unknown name '{}' (known: {}{})", name, fmt::join(known_names(), ", "),
                     nearest.empty() ? "" : "; nearest: " + nearest),
         start);
  }

  Real100 apply(const std::string& name, const Real100& x, std::size_t start) const {
    if (name == "sqrt" && x < 0) fail("square root of a negative number", start);
    if (name == "log" && x <= 0) fail("logarithm of a number that is not positive", start);
    if (name == "sqrt") return sqrt(x);
    if (name == "cos") return cos(x);
    if (name == "sin") return sin(x);
    if (name == "tan") return tan(x);
    if (name == "exp") return exp(x);
    return log(x);
  }

  // Text from a file must not be able to exhaust the stack.
  struct Nesting {
    explicit Nesting(Parser& p) : parser(p) {
      if (++parser.depth_ > 500) parser.fail("nested too deeply");
    }
    ~Nesting() { --parser.depth_; }
    Parser& parser;
  };

  const std::string& text_;
  std::size_t at_ = 0;
  std::size_t end_of_atom_ = 0;
  int depth_ = 0;
};

Integer rounded(const Real100& x) { return static_cast<Integer>(round(x)); }

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
    std::sort(basis.begin(), basis.end(),
              [](const auto& x, const auto& y) { return dot(x, x) < dot(y, y); });
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
  const LatticeVector p = shortest_vector({LatticeVector{1, 0, 0, rounded(scale)},
                                           LatticeVector{0, 1, 0, rounded(scale * x)},
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

Real100 value_of(const QuadraticSurd& s) {
  return (Real100(s.a) + Real100(s.b) * sqrt(Real100(s.D))) / Real100(s.c);
}

QuadraticSurd reduced(const Integer& a, const Integer& b, const Integer& c, int D) {
  Integer divisor = gcd(gcd(a, b), c);
  if (c < 0) divisor = -divisor;
  return {a / divisor, b / divisor, c / divisor, D};
}

}  // namespace

Exact::Exact(const char* text) : Exact(std::string(text)) {}
Exact::Exact(std::string text) : text_(std::move(text)), value_(Parser(text_).value()) {}
Exact::Exact(int value) : text_(std::to_string(value)), value_(value) {}

Exact exact_from_json(const Json& json, const std::string& pointer) {
  if (json.is_number_integer()) return Exact(json.dump());
  if (json.is_number() && std::isfinite(json.get<double>()))
    return Exact(to_text(json.get<double>()));
  if (!json.is_string())
    throw InputError(pointer, fmt::format("expected a number, or text such as \"1/3\" or "
                                          "\"sqrt(2)\", found {}",
                                          json.type_name()));
  try {
    return Exact(json.get<std::string>());
  } catch (const InputError& error) {
    throw InputError(pointer, error.what());
  }
}

std::optional<Rational> recover_fraction(const Real100& x) {
  if (!isfinite(x)) return std::nullopt;
  // Any number is within 1e-80 of a fraction p/q with p q = 10^80: smaller ones mean something.
  const Integer largest_denominator = pow(Integer(10), 30), largest_product = pow(Integer(10), 70);
  Integer p = 1, p_last = 0, q = 0, q_last = 1;
  Real100 rest = abs(x);
  while (true) {
    const Integer digit = static_cast<Integer>(floor(rest));
    p_last = std::exchange(p, Integer(digit * p + p_last));
    q_last = std::exchange(q, Integer(digit * q + q_last));
    if (q >= largest_denominator || p * q > largest_product) return std::nullopt;
    if (abs(Real100(p) / Real100(q) - abs(x)) <= Real100("1e-80") * abs(x))
      return Rational(x < 0 ? Integer(-p) : p, q);
    rest -= Real100(digit);
    if (rest == 0) return std::nullopt;
    rest = 1 / rest;
  }
}

std::string fraction_or_decimal(const Real100& x) {
  const auto fraction = recover_fraction(x);
  return fraction ? fraction->str() : to_text(x, 40);
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

std::string exact_text(const Real100& x) {
  if (const auto fraction = recover_fraction(x)) return fraction->str();
  if (const auto surd = recover_surd(x)) return surd->text();
  return to_text(x, 40);
}

}  // namespace daelab
