// Constants as text.
#pragma once

#include <string>

#include "core/base/real.hpp"

namespace daelab {

/// The shortest exact form of a constant that is found: "2", "9.81", "1/3", "2*pi/3", "(1 + sqrt(5))/2", or decimals.
std::string constant_text(const Real100& x, int digits = 0);

}  // namespace daelab
