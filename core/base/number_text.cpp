#include "core/base/number_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

namespace daelab {
namespace {

// The power of ten of a number's first digit that is not zero: which side of the doubles it is on.
long power_of_first_digit(std::string_view number) {
  const std::size_t e = std::min(number.find_first_of("eE"), number.size());
  const std::string_view mantissa = number.substr(0, e);
  const auto point = static_cast<long>(std::min(mantissa.find('.'), mantissa.size()));
  const auto first = static_cast<long>(std::min(mantissa.find_first_of("123456789"), mantissa.size()));
  std::string_view exponent = number.substr(std::min(e + 1, number.size()));
  if (exponent.starts_with('+')) exponent.remove_prefix(1);
  int power = 0;
  const auto [end, error] = std::from_chars(exponent.data(), exponent.data() + exponent.size(), power);
  if (error == std::errc::result_out_of_range)
    return exponent.starts_with('-') ? std::numeric_limits<int>::min() : std::numeric_limits<int>::max();
  return power + point - first;
}

}  // namespace

std::optional<double> take_number(std::string_view& text) {
  std::string_view rest = text.substr(std::min(text.find_first_not_of(" \t\r\n\f\v"), text.size()));
  const bool minus = rest.starts_with('-');
  if (minus || rest.starts_with('+')) rest.remove_prefix(1);
  if (rest.starts_with('-')) return {};  // from_chars takes a sign of its own
  double value = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (error == std::errc::invalid_argument) return {};
  const auto length = static_cast<std::size_t>(end - rest.data());
  if (error == std::errc::result_out_of_range)
    value = power_of_first_digit(rest.substr(0, length)) > 0 ? std::numeric_limits<double>::infinity() : 0;
  text = rest.substr(length);
  return minus ? -value : value;
}

std::optional<double> number_in(std::string_view text) {
  const std::optional<double> number = take_number(text);
  return text.empty() ? number : std::nullopt;
}

}  // namespace daelab
