// Values as records hold them: JSON numbers for double, text of 50 digits for Real50, null for what is not finite.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "core/json.hpp"
#include "core/scalar.hpp"

namespace daelab {

inline Json number(double x) { return std::isfinite(x) ? Json(x) : Json(); }
inline Json number(const Real50& x) { return isfinite(x) ? Json(to_text(x)) : Json(); }

inline Json numbers(const auto& x) {
  Json list = Json::array();
  for (const auto& entry : x) list.push_back(number(entry));
  return list;
}

/// A component's parameters: its specification without the name.
inline Json parameters(Json spec) {
  spec.erase("name");
  return spec;
}

/// The working scalars of this build, as specifications name them.
inline std::vector<std::string> scalar_names() {
  std::vector<std::string> names;
#define DAELAB_NAME(T) names.push_back(scalar_name<T>());
  DAELAB_FOR_SCALARS(DAELAB_NAME)
#undef DAELAB_NAME
  return names;
}

}  // namespace daelab
