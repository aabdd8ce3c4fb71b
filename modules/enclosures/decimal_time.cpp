#include "modules/enclosures/decimal_time.hpp"

#include <array>
#include <charconv>
#include <cstdlib>

#include "modules/enclosures/refusal.hpp"

namespace daelab {

DecimalTime::DecimalTime(const std::string& text) : DecimalTime() {
  std::string digits;
  long point = -1, exponent = 0;
  std::size_t i = 0;
  const bool is_negative = !text.empty() && text[0] == '-';
  for (i = is_negative ? 1 : 0; i < text.size() && text[i] != 'e' && text[i] != 'E'; ++i)
    if (text[i] == '.')
      point = static_cast<long>(digits.size());
    else
      digits += text[i];
  if (i < text.size()) {
    i += text[i + 1] == '+' ? 2 : 1;
    std::from_chars(text.data() + i, text.data() + text.size(), exponent);
  }
  const long decimals = (point < 0 ? 0 : static_cast<long>(digits.size()) - point) - exponent;
  const long missing = static_cast<long>(places) - decimals;
  if (digits.empty() || missing < 0 || fmpz_set_str(units_, digits.c_str(), 10) != 0)
    throw Refusal("'" + text + "' is no time with at most 60 decimals", "", true);
  fmpz_t power;
  fmpz_init(power);
  fmpz_ui_pow_ui(power, 10, static_cast<ulong>(missing));
  fmpz_mul(units_, units_, power);
  fmpz_clear(power);
  if (is_negative) fmpz_neg(units_, units_);
}

DecimalTime DecimalTime::below(double x) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), x * 0.994, std::chars_format::scientific, 2);
  return DecimalTime(std::string(text.data(), end.ptr));
}

DecimalTime DecimalTime::operator+(const DecimalTime& other) const {
  DecimalTime sum;
  fmpz_add(sum.units_, units_, other.units_);
  return sum;
}

DecimalTime DecimalTime::operator-(const DecimalTime& other) const {
  DecimalTime difference;
  fmpz_sub(difference.units_, units_, other.units_);
  return difference;
}

double DecimalTime::value() const {
  Balls x(1);
  put_into(x[0], 64);
  return middle(x[0]);
}

void DecimalTime::put_into(arb_ptr x, slong precision) const {
  fmpz_t power;
  fmpz_init(power);
  fmpz_ui_pow_ui(power, 10, places);
  arb_fmpz_div_fmpz(x, units_, power, precision);
  fmpz_clear(power);
}

std::string DecimalTime::text() const { return decimal_text(units_, places); }

}  // namespace daelab
