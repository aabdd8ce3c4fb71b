// Names and constants as LaTeX.
#pragma once

#include <string>

namespace daelab {

/// theta1' -> \dot{\theta}_{1}, tip_x -> \mathrm{tip}_{x}
std::string latex_name(const std::string& name);

/// Writes "2*pi/3", "(1 + 2*sqrt(5))/2" and the like: what constant_text() writes.
std::string latex_constant(std::string text);

}  // namespace daelab
