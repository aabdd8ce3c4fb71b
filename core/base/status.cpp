#include "core/base/status.hpp"

#include <algorithm>
#include <array>

namespace daelab {
namespace {

constexpr std::array texts{"ok",
                           "newton-diverged",
                           "singular",
                           "not-converged",
                           "inconsistent",
                           "non-finite",
                           "diverged",
                           "step-limit",
                           "step-too-small",
                           "chattering",
                           "near-singular",
                           "not-applicable",
                           "interrupted"};  // in the order of the enumeration
static_assert(texts.size() == static_cast<std::size_t>(StatusCode::interrupted) + 1);

}  // namespace

const char* to_string(StatusCode code) { return texts[static_cast<std::size_t>(code)]; }

std::optional<StatusCode> status_code(const std::string& text) {
  const auto place = std::find(texts.begin(), texts.end(), text);
  if (place == texts.end()) return {};
  return static_cast<StatusCode>(place - texts.begin());
}

}  // namespace daelab
