#include "results/printed_number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/base/number_text.hpp"
#include "results/entry.hpp"

namespace daelab {
namespace {

// The decimals of "7.0007E-5" are 4.
int decimals(const std::string& printed) {
  const std::size_t point = printed.find('.');
  if (point == std::string::npos) return 0;
  const std::size_t end = printed.find_first_of("eE", point);
  return static_cast<int>(std::min(end, printed.size()) - point) - 1;
}

// What a printed number says before its unit, if it has one.
double printed_value(std::string_view printed) { return take_number(printed).value_or(0); }

}  // namespace

int significant_digits(const std::string& printed) {
  int count = 0;
  for (const char c : printed.substr(0, printed.find_first_of("eE"))) {
    if (c < '0' || c > '9') continue;
    if (count > 0 || c != '0') ++count;
  }
  return std::max(count, 1);
}

std::string scientific(double x, int digits) {
  const std::string text = fmt::format("{:.{}E}", x, digits - 1);
  const std::size_t e = text.find('E');
  return fmt::format("{}E{}", text.substr(0, e), std::atoi(text.c_str() + e + 1));
}

std::string print_alike(double ours, const std::string& printed) {
  if (!std::isfinite(ours)) return fmt::format("{}", ours);
  if (printed.find_first_of("eE") != std::string::npos) return scientific(ours, significant_digits(printed));
  const double theirs = printed_value(printed);
  const bool comparable = std::abs(ours) <= 10 * std::abs(theirs) && 10 * std::abs(ours) >= std::abs(theirs);
  return comparable ? fmt::format("{:.{}f}", ours, decimals(printed)) : scientific(ours, significant_digits(printed));
}

std::string judge_number(double ours, const std::string& printed) {
  const double theirs = printed_value(printed);
  const int digits = significant_digits(printed);
  if (!std::isfinite(ours)) return verdict_words(VerdictKind::differs);
  if (fmt::format("{:.{}e}", ours, digits - 1) == fmt::format("{:.{}e}", theirs, digits - 1))
    return verdict_words(VerdictKind::all_digits);
  if (ours == 0 || theirs == 0 || std::signbit(ours) != std::signbit(theirs))
    return verdict_words(VerdictKind::differs);

  const double relative_difference = std::abs(ours - theirs) / std::abs(theirs);
  const double agreeing = std::floor(-std::log10(relative_difference));
  if (const int k = static_cast<int>(std::min<double>(agreeing, digits - 1)); k >= 2) return digits_verdict(k);
  const double ratio = ours / theirs;
  return verdict_words(ratio <= 10 && ratio >= 0.1 ? VerdictKind::same_order : VerdictKind::differs);
}

}  // namespace daelab
