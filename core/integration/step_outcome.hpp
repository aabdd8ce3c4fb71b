// What became of an attempt at a step.
#pragma once

#include <string>

#include "core/base/status.hpp"

namespace daelab {

struct StepOutcome {
  enum class Kind {
    accepted,
    error,  // rejected: its error was too large
    cut,    // made again, shorter, to end at an event
    failed  // its status says why
  };
  Kind kind = Kind::accepted;
  StatusCode failure = StatusCode::ok;

  bool accepted() const { return kind == Kind::accepted; }
  bool operator==(const StepOutcome&) const = default;
};

/// "accepted", "error", "cut", or the text of the failure's status.
std::string to_string(const StepOutcome& outcome);
/// From such a text. Throws std::invalid_argument for others.
StepOutcome step_outcome(const std::string& text);

}  // namespace daelab
