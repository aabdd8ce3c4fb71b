// JSON for readers: what fits on a line is on one.
#pragma once

#include <cstddef>
#include <string>

#include "core/base/json.hpp"

namespace daelab::app {

/// Lists and objects in one line where they fit in so many columns, otherwise an entry a line, indented by one.
std::string folded_text(const Json& json, std::size_t columns);

}  // namespace daelab::app
