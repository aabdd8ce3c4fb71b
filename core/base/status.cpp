#include "core/base/status.hpp"

#include <algorithm>

namespace daelab {

const std::vector<std::string>& names_of(StatusCode) {
  static const std::vector<std::string> names{
      "ok",         "newton-diverged", "singular",       "not-converged",  "inconsistent",
      "non-finite", "diverged",        "step-limit",     "step-too-small", "accuracy-floor",
      "chattering", "near-singular",   "not-applicable", "method-failed",  "interrupted"};
  return names;
}

const std::string& to_string(StatusCode code) { return names_of(code)[static_cast<std::size_t>(code)]; }

std::optional<StatusCode> status_code(const std::string& text) {
  const std::vector<std::string>& names = names_of(StatusCode{});
  const auto place = std::ranges::find(names, text);
  if (place == names.end()) return {};
  return static_cast<StatusCode>(place - names.begin());
}

}  // namespace daelab
