#include "core/expressions/parse.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/exact.hpp"
#include "core/base/limits.hpp"
#include "core/base/message.hpp"
#include "core/expressions/graph.hpp"
#include "core/expressions/text_cursor.hpp"

namespace daelab {
namespace {

struct Function {
  const char* name;
  Expression (*of_one)(const Expression&);
  Expression (*of_two)(const Expression&, const Expression&);
};

const std::vector<Function>& functions() {
  static const std::vector<Function> list{
      {"sqrt", sqrt, nullptr}, {"exp", exp, nullptr},     {"log", log, nullptr},        {"sin", sin, nullptr},
      {"cos", cos, nullptr},   {"tan", tan, nullptr},     {"asin", asin, nullptr},      {"acos", acos, nullptr},
      {"atan", atan, nullptr}, {"atan2", nullptr, atan2}, {"sinh", sinh, nullptr},      {"cosh", cosh, nullptr},
      {"tanh", tanh, nullptr}, {"abs", abs, nullptr},     {"sign", sign, nullptr},      {"floor", floor, nullptr},
      {"min", nullptr, min},   {"max", nullptr, max},     {"select", nullptr, nullptr}, {"truth", nullptr, nullptr}};
  return list;
}

const Function* find_function(const std::string& name) {
  const auto found = std::ranges::find_if(functions(), [&](const Function& f) { return name == f.name; });
  return found == functions().end() ? nullptr : &*found;
}

bool is_operator_name(const std::string& name) { return name == "and" || name == "or" || name == "not"; }

// "; did you mean 'x'?", or the first of those known.
std::string hint(const std::string& name, const std::vector<std::string>& known) {
  if (const std::string near = did_you_mean(name, known); !near.empty()) return near;
  constexpr std::size_t listed = 20;
  if (known.empty()) return "; known: none";
  const std::vector<std::string> first(known.begin(), known.begin() + std::min(listed, known.size()));
  return fmt::format("; known: {}{}", fmt::join(first, ", "), known.size() > listed ? ", ..." : "");
}

class ExpressionParser : TextCursor {
 public:
  ExpressionParser(const std::string& text, const Names& names) : TextCursor(text), names_(names) {}

  Expression expression() {
    const Value value = condition();
    if (peek() != '\0') fail_unexpected();
    return number(value);
  }

  Expression equation() {
    const Value left = condition();
    if (peek() == '=') {
      ++at_;
      const Value right = condition();
      if (peek() != '\0') fail_unexpected();
      return number(left) - number(right);
    }
    if (peek() != '\0') fail_unexpected();
    return number(left);
  }

 private:
  struct Value {
    Expression x;
    std::size_t begin;
    bool is_condition = false;
  };

  Expression number(const Value& value) const {
    if (value.is_condition) fail("a condition is not a number; use select(condition, a, b)", value.begin);
    return value.x;
  }
  Condition truth(const Value& value) const {
    if (!value.is_condition) fail("expected a condition such as x < 0", value.begin);
    return Condition(value.x);
  }
  [[noreturn]] void fail_without_value(const std::string& what, std::size_t at) const {
    throw NoValue(message(what, at));
  }
  // What has left the real numbers is an error where it was written.
  Value finite(const Expression& x, std::size_t begin) const {
    if (is_constant(x) && !isfinite(constant_value(x))) fail_without_value("the value is not finite", begin);
    if (is_constant(x) && constant_value(x) != 0 && !has_allowed_size(constant_value(x)))
      fail(fmt::format("a value whose power of ten is too large {}", limit_hint("exponent")), begin);
    return {x, begin};
  }

  // Text from a file must not be able to exhaust the stack.
  struct Nesting {
    explicit Nesting(ExpressionParser& p) : parser(p) {
      const long deepest = limits().nesting;
      if (++parser.depth_ > deepest)
        parser.fail(fmt::format("nested more than {} levels deep {}", deepest, limit_hint("nesting")));
    }
    ~Nesting() { --parser.depth_; }
    ExpressionParser& parser;
  };

  // ----- grammar -----
  Value condition() {
    Value left = conjunction();
    while (take_word("or")) {
      const Value right = conjunction();
      left = {(truth(left) || truth(right)).truth(), left.begin, true};
    }
    return left;
  }
  Value conjunction() {
    Value left = negation();
    while (take_word("and")) {
      const Value right = negation();
      left = {(truth(left) && truth(right)).truth(), left.begin, true};
    }
    return left;
  }
  Value negation() {
    peek();
    const std::size_t begin = at_;
    if (!take_word("not")) return comparison();
    const Nesting guard(*this);
    return {(!truth(negation())).truth(), begin, true};
  }
  Value comparison() {
    const Value left = sum();
    const char first = peek();
    const bool doubled = at_ + 1 < text_.size() && text_[at_ + 1] == '=';
    if (first != '<' && first != '>' && !(first == '=' && doubled)) return left;
    at_ += doubled ? 2 : 1;
    const Value right = sum();
    return {compared(first, doubled, number(left), number(right)).truth(), left.begin, true};
  }
  static Condition compared(char first, bool doubled, const Expression& a, const Expression& b) {
    if (first == '=') return equal(a, b);
    if (first == '<') return doubled ? a <= b : a < b;
    return doubled ? a >= b : a > b;
  }

  Value sum() {
    Value left = product();
    while (true) {
      if (take('+')) {
        const Value right = product();
        left = finite(number(left) + number(right), left.begin);
      } else if (take('-')) {
        const Value right = product();
        left = finite(number(left) - number(right), left.begin);
      } else {
        return left;
      }
    }
  }
  Value product() {
    Value left = signed_power();
    while (true) {
      if (take('*')) {
        if (peek() == '*') fail("no operator '**'; the power is ^");
        const Value right = signed_power();
        left = finite(number(left) * number(right), left.begin);
      } else if (take('/')) {
        const Value right = signed_power();
        if (number(right).is_zero()) fail_without_value("division by zero", right.begin);
        left = finite(number(left) / number(right), left.begin);
      } else {
        return left;
      }
    }
  }
  Value signed_power() {
    const Nesting guard(*this);
    peek();
    const std::size_t begin = at_;
    if (take('-')) return {-number(signed_power()), begin};
    if (take('+')) return {number(signed_power()), begin};
    return power();
  }
  Value power() {
    const Value base = atom();
    if (!take('^')) return base;
    const Value exponent = signed_power();
    const Expression x = number(base), n = number(exponent);
    if (!is_constant(n)) fail("an exponent must be a constant; for x > 0, x^y is exp(y*log(x))", exponent.begin);
    const Real100 &value = constant_value(n), limit = 100000;
    if (abs(value) > limit) fail(fmt::format("an exponent must be within +-{}", to_text(limit, 6)), exponent.begin);
    if (x.is_zero() && value < 0) fail_without_value("division by zero", base.begin);
    if (is_constant(x) && constant_value(x) < 0 && value != floor(value))
      fail_without_value("a negative number raised to a power that is not an integer", base.begin);
    return finite(pow(x, n), base.begin);
  }
  Value atom() {
    const char next = peek();
    const std::size_t begin = at_;
    if (take('(')) {
      Value inner = condition();
      close("')'", begin);
      inner.begin = begin;
      return atom_is(inner);
    }
    if (is_digit(next) || next == '.') return atom_is(literal());
    if (is_letter(next)) return atom_is(named());
    if (is_at_end()) fail("a number, a name or '(' is missing");
    fail(fmt::format("expected a number, a name or '(', found '{}'", character_at(at_)));
  }
  Value atom_is(const Value& value) {
    set_operand(value.begin);
    return value;
  }
  void close(const char* expected, std::size_t opened) {
    if (take(')')) return;
    if (is_at_end()) fail(fmt::format("missing ')' for the '(' at position {}", position(opened)));
    const char c = text_[at_];
    if (c == ',' && text_[opened] != '(') fail(fmt::format("expected {}, found ','", expected));
    fail_unexpected();
  }

  Value literal() {
    const std::size_t begin = at_;
    at_ = end_of_number(text_, at_);
    const std::string digits = text_.substr(begin, at_ - begin);
    const std::size_t e = digits.find_first_of("eE");
    if (digits.substr(0, e) == ".") fail("a lone '.'", begin);
    if (e != std::string::npos && digits.size() - e > 7) fail("the exponent is out of range", begin + e);
    if (const long length = static_cast<long>(digits.size()); length > limits().digits)
      fail(fmt::format("a number of {} digits {}", length, limit_hint("digits")), begin);
    const Real100 value(digits);
    const double rounded = static_cast<double>(value);
    if (!std::isfinite(rounded) || (rounded == 0 && value != 0)) fail("a number out of the range of double", begin);
    return {Expression(value), begin};
  }

  Value named() {
    const std::size_t begin = at_;
    at_ = end_of_name(text_, at_);
    const std::string name = text_.substr(begin, at_ - begin);
    if (is_operator_name(name)) fail(fmt::format("'{}' where a number or a name is expected", name), begin);
    const Function* function = find_function(name);
    if (peek() == '(' && !function && !names_.contains(name) && name != "pi") fail_unknown_function(name, begin);
    if (function) return call(*function, begin);
    if (name == "pi") return {Expression(pi<Real100>()), begin};
    const auto found = names_.find(name);
    if (found == names_.end()) fail_unknown_name(name, begin);
    return {found->second, begin};
  }
  [[noreturn]] void fail_unknown_name(const std::string& name, std::size_t begin) const {
    std::vector<std::string> known;
    for (const auto& [other, x] : names_) known.push_back(other);
    fail(fmt::format("unknown name '{}'{}", without_middle(name), hint(name, known)), begin);
  }
  [[noreturn]] void fail_unknown_function(const std::string& name, std::size_t begin) const {
    fail(fmt::format("unknown function '{}'{}", without_middle(name), hint(name, function_names())), begin);
  }

  std::vector<Value> arguments(const Function& function, std::size_t begin) {
    const std::size_t opened = (peek(), at_);
    if (!take('(')) fail(fmt::format("{} needs its arguments in parentheses", function.name), begin);
    std::vector<Value> list;
    if (take(')')) return list;
    do list.push_back(condition());
    while (take(','));
    close("',' or ')'", opened);
    return list;
  }
  Value call(const Function& function, std::size_t begin) {
    const std::vector<Value> list = arguments(function, begin);
    const std::string name = function.name;
    const bool any_number = name == "min" || name == "max";
    const std::size_t wanted = name == "select" ? 3 : function.of_two ? 2 : 1;
    if (any_number ? list.size() < wanted : list.size() != wanted)
      fail(fmt::format("{} takes {}{} argument{}, not {}", name, any_number ? "at least " : "", wanted,
                       wanted == 1 ? "" : "s", list.size()),
           begin);
    if (name == "select") return select_of(list, begin);
    if (name == "truth") return {truth(list[0]).truth(), begin};
    if (function.of_one) {
      check_domain(name, number(list[0]), list[0].begin);
      return finite(function.of_one(number(list[0])), begin);
    }
    if (name == "atan2" && number(list[0]).is_zero() && number(list[1]).is_zero())
      fail_without_value("atan2(0, 0) has no value", begin);
    Expression result = number(list[0]);
    for (std::size_t i = 1; i < list.size(); ++i) result = function.of_two(result, number(list[i]));
    return finite(result, begin);
  }
  Value select_of(const std::vector<Value>& list, std::size_t begin) const {
    return {select(truth(list[0]), number(list[1]), number(list[2])), begin};
  }
  void check_domain(const std::string& name, const Expression& x, std::size_t begin) const {
    if (!is_constant(x)) return;
    const Real100& value = constant_value(x);
    if (name == "sqrt" && value < 0) fail_without_value("square root of a negative number", begin);
    if (name == "log" && value <= 0) fail_without_value("logarithm of a number that is not positive", begin);
    if ((name == "asin" || name == "acos") && abs(value) > 1)
      fail_without_value(name + " of a number outside -1 to 1", begin);
  }

  const Names& names_;
  int depth_ = 0;
};

}  // namespace

Expression parse_expression(const std::string& text, const Names& names) {
  return ExpressionParser(text, names).expression();
}

Expression parse_equation(const std::string& text, const Names& names) {
  return ExpressionParser(text, names).equation();
}

std::vector<std::string> names_in(const std::string& text) {
  std::vector<std::string> names;
  std::set<std::string> known;
  for (std::size_t at = 0; at < text.size();) {
    if (is_digit(text[at])) {
      at = end_of_number(text, at);
    } else if (is_letter(text[at])) {
      const std::size_t end = end_of_name(text, at);
      const std::string name = text.substr(at, end - at);
      if (!find_function(name) && !is_operator_name(name) && name != "pi" && known.insert(name).second)
        names.push_back(name);
      at = end;
    } else {
      ++at;
    }
  }
  return names;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const Function& function : functions()) names.emplace_back(function.name);
  return names;
}

std::string name_refusal(const std::string& name) {
  const bool is_word = !name.empty() && is_letter(name[0]) && name[0] != '_' &&
                       std::ranges::all_of(name, [](char c) { return is_letter(c) || is_digit(c); });
  if (!is_word) return "names are letters, digits and _, beginning with a letter";
  if (find_function(name)) return "it is the name of a function";
  if (is_operator_name(name)) return "it is an operator of conditions";
  return name == "pi" ? "it is the circle constant" : "";
}

}  // namespace daelab
