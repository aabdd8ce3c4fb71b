#include "core/base/exact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

#include "core/base/limits.hpp"
#include "core/base/message.hpp"
#include "core/base/rational.hpp"

namespace daelab {
namespace {

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
    const long most = limits().number_characters;
    if (const long size = static_cast<long>(text_.size()); size > most)
      fail(fmt::format("{} characters {}", size, limit_hint("number-characters")), 0);
    const Real100 result = sum();
    if (at_ < text_.size() || peek() != '\0') fail_unexpected();
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
    throw InputError(fmt::format("cannot read \"{}\" as a number: {} at position {}",
                                 readable_message(without_middle(text_)), what, at + 1));
  }

  // Names the whole character: one byte of "π" would make the message invalid UTF-8.
  [[noreturn]] void fail_unexpected() {
    peek();
    std::size_t end = at_ + 1;
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0) == 0x80) ++end;
    fail(fmt::format("unexpected '{}'", text_.substr(at_, end - at_)));
  }

  // What is larger or smaller than any datum may cost hours in the next function.
  Real100 checked(const Real100& x, std::size_t start) const {
    if (x != 0 && !has_allowed_size(x))
      fail(fmt::format("a value whose power of ten is too large {}", limit_hint("exponent")), start);
    return x;
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
    peek();
    const std::size_t start = at_;
    Real100 result = power();
    bool divided = false;
    while (true) {
      if (take('*')) {
        result = checked(result * power(), start);
        divided = false;
      } else if (take('/')) {
        result = checked(result / divisor(), start);
        divided = true;
      } else if (is_letter(peek())) {
        if (divided) fail("write * or parentheses for the product in a quotient");
        if (!is_digit(text_[end_of_atom_ - 1])) fail_unexpected();
        result = checked(result * power(), start);
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
    return checked(pow(base, static_cast<int>(exponent)), start);
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
    if (const long length = static_cast<long>(at_ - start); length > limits().digits)
      fail(fmt::format("a number of {} digits {}", length, limit_hint("digits")), start);
    return checked(Real100(text_.substr(start, at_ - start)), start);
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
    if (name == "pi") return pi<Real100>();
    const auto& names = known_names();
    if (std::find(names.begin(), names.end(), name) == names.end()) fail_unknown(name, start);
    if (!take('(')) fail("missing '(' after " + name);
    return checked(apply(name, rest_of_parenthesis(), start), start);
  }

  [[noreturn]] void fail_unknown(const std::string& name, std::size_t start) const {
    fail(fmt::format("unknown name '{}'{} (known: {})", name, did_you_mean(name, known_names()),
                     fmt::join(known_names(), ", ")),
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
      if (++parser.depth_ > limits().nesting) parser.fail("nested too deeply " + limit_hint("nesting"));
    }
    ~Nesting() { --parser.depth_; }
    Parser& parser;
  };

  const std::string& text_;
  std::size_t at_ = 0;
  std::size_t end_of_atom_ = 0;
  int depth_ = 0;
};

}  // namespace

Exact::Exact(const char* text) : Exact(std::string(text)) {}
Exact::Exact(std::string text) : text_(std::move(text)), value_(Parser(text_).value()) {}
Exact::Exact(int value) : text_(std::to_string(value)), value_(value) {}

std::optional<int> decimal_places(const std::string& text) {
  const std::size_t sign = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  const std::size_t end = std::min(text.find_first_of("eE"), text.size());
  if (end == sign || text.find_first_not_of("0123456789.", sign) < end) return {};
  if (end < text.size() && text.find_first_not_of("0123456789+-", end + 1) != std::string::npos) return {};
  const std::size_t point = std::min(text.find('.'), end);
  const int power = end == text.size() ? 0 : std::atoi(text.c_str() + end + 1);
  return std::max(0, static_cast<int>(end - std::min(point + 1, end)) - power);
}

namespace {

// What double cannot hold is no datum of a problem: it would turn up as an infinity or a zero where nobody looks for
// it.
Exact require_range(Exact x) {
  const double rounded = x.as<double>();
  const bool vanishes = rounded == 0 && x.value() != 0;
  if (!std::isfinite(rounded) || vanishes)
    throw InputError(
        fmt::format("{} is {} the range of double", without_middle(x.text()), vanishes ? "below" : "beyond"));
  return x;
}

}  // namespace

Exact exact_from_json(const Json& json, const std::string& pointer) {
  if (json.is_number_integer()) return Exact(json.dump());
  if (json.is_number() && std::isfinite(json.get<double>())) return Exact(to_text(json.get<double>()));
  if (!json.is_string())
    throw InputError(pointer, fmt::format("expected a number, or text such as \"1/3\" or "
                                          "\"sqrt(2)\", found {}",
                                          json.type_name()));
  try {
    return require_range(Exact(json.get<std::string>()));
  } catch (const InputError& error) {
    throw InputError(pointer, error.what());
  }
}

std::string fraction_or_decimal(const Real100& x) {
  const auto fraction = recover_fraction(x);
  return fraction ? fraction->str() : to_text(x, 40);
}

std::string exact_text(const Real100& x) {
  if (const auto fraction = recover_fraction(x)) return fraction->str();
  if (const auto surd = recover_surd(x)) return surd->text();
  return to_text(x, 40);
}

}  // namespace daelab
