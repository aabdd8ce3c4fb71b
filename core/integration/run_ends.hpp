// What ends a run early whatever its steps are.
#pragma once

#include <fmt/format.h>

#include <string>

#include "core/base/context.hpp"
#include "core/base/status.hpp"

namespace daelab {

inline Status check_interrupt(const Interrupt& interrupt) {
  if (!interrupt.is_requested()) return {};
  return {StatusCode::interrupted, "stopped by the user"};
}

/// "100 million", "2500"
inline std::string count_text(long count) {
  return count % 1'000'000 == 0 ? fmt::format("{} million", count / 1'000'000) : fmt::format("{}", count);
}

}  // namespace daelab
