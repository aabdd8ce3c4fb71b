#include "core/integration/step_outcome.hpp"

#include <array>
#include <stdexcept>

namespace daelab {
namespace {

constexpr std::array texts{"accepted", "error", "cut"};  // in the order of the kinds; failures have their status

}  // namespace

std::string to_string(const StepOutcome& outcome) {
  if (outcome.kind == StepOutcome::Kind::failed) return to_string(outcome.failure);
  return texts[static_cast<std::size_t>(outcome.kind)];
}

StepOutcome step_outcome(const std::string& text) {
  for (std::size_t k = 0; k < texts.size(); ++k)
    if (text == texts[k]) return {static_cast<StepOutcome::Kind>(k)};
  const std::optional<StatusCode> failure = status_code(text);
  if (!failure || *failure == StatusCode::ok) throw std::invalid_argument("no step ends as '" + text + "'");
  return {StepOutcome::Kind::failed, *failure};
}

}  // namespace daelab
