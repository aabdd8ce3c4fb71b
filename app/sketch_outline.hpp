// Sketches of mechanisms as files.
#pragma once

#include <string>

#include "core/mechanism/problem.hpp"

namespace daelab::app {

/// The mechanism at its start, as SVG or PDF; "" for a problem that draws nothing. Throws InputError where it cannot be
/// drawn.
std::string sketch_of(const Problem& problem, const std::string& format);

}  // namespace daelab::app
