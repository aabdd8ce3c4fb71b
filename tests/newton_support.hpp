// Newton options as runs name them.
#pragma once

#include "core/base/options.hpp"
#include "core/solvers/newton.hpp"

namespace daelab {

/// From "quasi", "modified:guess=extrapolated", ...
inline NewtonOptions newton_options(const std::string& spec) {
  NewtonOptions newton;
  newton.options().read(parse_spec(spec, ""), "");
  return newton;
}

}  // namespace daelab
