#include "modules/enclosures/balls.hpp"

#include <array>
#include <charconv>
#include <functional>
#include <string_view>

#include "modules/enclosures/refusal.hpp"

namespace daelab {
namespace {

// Reads one constant from left to right.
class ConstantReader {
 public:
  ConstantReader(const std::string& text, slong precision) : text_(text), precision_(precision) {}

  void read(arb_ptr x) {
    sum(x);
    if (place_ != text_.size()) fail();
  }

 private:
  [[noreturn]] void fail() const { throw Refusal("the constant '" + text_ + "' cannot be read", "", true); }
  bool takes(char c) {
    while (place_ < text_.size() && text_[place_] == ' ') ++place_;
    if (place_ == text_.size() || text_[place_] != c) return false;
    ++place_;
    return true;
  }
  bool takes_word(std::string_view word) {
    while (place_ < text_.size() && text_[place_] == ' ') ++place_;
    if (text_.compare(place_, word.size(), word) != 0) return false;
    place_ += word.size();
    return true;
  }

  void sum(arb_ptr x) {
    product(x);
    Balls y(1);
    while (true) {
      if (takes('+'))
        product(y[0]), arb_add(x, x, y[0], precision_);
      else if (takes('-'))
        product(y[0]), arb_sub(x, x, y[0], precision_);
      else
        return;
    }
  }
  void product(arb_ptr x) {
    factor(x);
    Balls y(1);
    while (true) {
      if (takes('*'))
        factor(y[0]), arb_mul(x, x, y[0], precision_);
      else if (takes('/'))
        factor(y[0]), arb_div(x, x, y[0], precision_);
      else
        return;
    }
  }
  void factor(arb_ptr x) {
    if (takes('-')) {
      factor(x);
      arb_neg(x, x);
      return;
    }
    atom(x);
    if (!takes('^')) return;
    Balls exponent(1);
    factor(exponent[0]);
    arb_pow(x, x, exponent[0], precision_);
  }
  void atom(arb_ptr x) {
    if (takes('(')) {
      sum(x);
      if (!takes(')')) fail();
      return;
    }
    using Function = void (*)(arb_t, const arb_t, slong);
    static constexpr std::array<std::pair<std::string_view, Function>, 6> functions{
        {{"sqrt", arb_sqrt}, {"exp", arb_exp}, {"log", arb_log}, {"sin", arb_sin}, {"cos", arb_cos}, {"tan", arb_tan}}};
    for (const auto& [name, function] : functions)
      if (takes_word(name)) {
        if (!takes('(')) fail();
        sum(x);
        if (!takes(')')) fail();
        function(x, x, precision_);
        return;
      }
    if (takes_word("pi")) return arb_const_pi(x, precision_);
    number(x);
  }
  void number(arb_ptr x) {
    const auto is_digit = [&](std::size_t i) { return i < text_.size() && text_[i] >= '0' && text_[i] <= '9'; };
    const std::size_t begin = place_;
    while (is_digit(place_) || (place_ < text_.size() && text_[place_] == '.')) ++place_;
    if (place_ < text_.size() && (text_[place_] == 'e' || text_[place_] == 'E')) {
      const std::size_t sign = place_ + 1 < text_.size() && (text_[place_ + 1] == '-' || text_[place_ + 1] == '+');
      if (is_digit(place_ + 1 + sign)) {
        place_ += 1 + sign;
        while (is_digit(place_)) ++place_;
      }
    }
    if (begin == place_) fail();
    read_decimal(x, text_.substr(begin, place_ - begin), precision_);
  }

  const std::string& text_;
  slong precision_;
  std::size_t place_ = 0;
};

}  // namespace

void read_decimal(arb_ptr x, const std::string& text, slong precision) {
  if (arb_set_str(x, text.c_str(), precision) != 0) throw Refusal("'" + text + "' is no decimal number", "", true);
}

void read_constant(arb_ptr x, const std::string& text, slong precision) { ConstantReader(text, precision).read(x); }

std::string decimal_text(const fmpz_t units, std::size_t decimals) {
  char* const digits = fmpz_get_str(nullptr, 10, units);
  std::string text = digits;
  flint_free(digits);
  const bool is_negative = text[0] == '-';
  if (is_negative) text.erase(0, 1);
  if (text.size() <= decimals) text.insert(0, decimals + 1 - text.size(), '0');
  text.insert(text.size() - decimals, 1, '.');
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  if (is_negative) text.insert(0, 1, '-');
  return text;
}

std::string decimal_text(arb_srcptr x, long decimals, double& error, slong precision) {
  Balls ball(2);
  arb_set_ui(ball[0], 10);
  arb_pow_ui(ball[0], ball[0], static_cast<ulong>(decimals), precision + 64);
  arb_set_arf(ball[1], arb_midref(x));
  arb_mul(ball[1], ball[1], ball[0], precision + 64);
  fmpz_t whole;
  fmpz_init(whole);
  arf_get_fmpz(whole, arb_midref(ball[1]), ARF_RND_NEAR);
  const std::string text = decimal_text(whole, static_cast<std::size_t>(decimals));
  fmpz_clear(whole);
  read_decimal(ball[0], text, precision + 64);
  arb_sub(ball[0], ball[0], x, precision + 64);
  error = above(error + upper_bound(ball[0]));
  return text;
}

std::string radius_text(double& radius) {
  if (radius == 0) return "0";
  std::array<char, 32> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), radius * 1.01, std::chars_format::scientific, 2);
  std::string result(text.data(), end.ptr);
  std::from_chars(text.data(), end.ptr, radius);
  radius = above(radius);
  return result;
}

std::string short_text(double x) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), x, std::chars_format::general, 6);
  return {text.data(), end.ptr};
}

}  // namespace daelab
