// --set /json/pointer=VALUE: one value of a config in place of what the file says.
#pragma once

#include <string>

#include "core/base/json.hpp"

namespace daelab {

/// Throws InputError where there is no such place, and where no run would take the value: a key that every run has of
/// its own, or that runs of this experiment do not have. It names the place where the runs have it.
void apply_override(Json& config, const std::string& text);

}  // namespace daelab
