#include "app/argument_checks.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>

#include "experiments/runs/config.hpp"

namespace daelab::app {

std::string not_negative(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return *end == '\0' && !text.empty() && value >= 0 ? "" : "must be a number, 0 or above, not '" + text + "'";
}

std::string job_number(const std::string& text) {
  constexpr double most = 1024;
  if (const std::string refusal = not_negative(text); !refusal.empty()) return refusal;
  return std::strtod(text.c_str(), nullptr) <= most ? "" : fmt::format("must be at most {}, not '{}'", most, text);
}

std::string repeat_number(const std::string& text) {
  int repeat = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), repeat);
  const bool whole = error == std::errc() && rest == text.data() + text.size();
  return whole && repeat >= 0 && repeat <= most_repeats
             ? ""
             : fmt::format("must be a whole number from 0 to {}, not '{}'", most_repeats, text);
}

}  // namespace daelab::app
