// Bounds and radii that may be infinite, as JSON: a number, the text "infinite", null for NaN, which says that there is
// none.
#pragma once

#include <cmath>
#include <limits>

#include "core/base/json.hpp"

namespace daelab {

inline Json bound_json(double x) { return std::isinf(x) ? Json("infinite") : std::isnan(x) ? Json() : Json(x); }

inline double bound_from_json(const Json& json) {
  if (json.is_null()) return std::numeric_limits<double>::quiet_NaN();
  return json == "infinite" ? std::numeric_limits<double>::infinity() : json.get<double>();
}

}  // namespace daelab
