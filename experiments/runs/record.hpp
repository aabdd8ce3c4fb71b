// Values as records hold them: JSON numbers for double, text of 50 digits for Real50, null for what is not finite.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "core/base/json.hpp"
#include "core/base/scalar.hpp"
#include "core/model/problem_document.hpp"

namespace daelab {

inline Json number(double x) { return std::isfinite(x) ? Json(x) : Json(); }
inline Json number(const Real50& x) { return isfinite(x) ? Json(to_text(x)) : Json(); }

inline Json numbers(const auto& x) {
  Json list = Json::array();
  for (const auto& entry : x) list.push_back(number(entry));
  return list;
}

/// A component's parameters: its specification without the name. Of a problem that is a document, what can be varied.
inline Json parameters(Json spec) {
  if (is_problem_document(spec)) {
    Json values = spec.value("parameters", Json::object());
    values["end_time"] = spec["end_time"];
    return values;
  }
  spec.erase("name");
  return spec;
}

/// The working scalars, as specifications name them.
inline std::vector<std::string> scalar_names() { return {scalar_name<double>(), scalar_name<Real50>()}; }

/// Refuses a scalar that this build leaves out.
inline void require_scalar(const std::string& scalar, const std::string& where) {
#define DAELAB_KNOWN(T) \
  if (scalar == scalar_name<T>()) return;
  DAELAB_FOR_SCALARS(DAELAB_KNOWN)
#undef DAELAB_KNOWN
  throw InputError(where, "this build has double only, not " + scalar + " (CMake: DAELAB_SCALARS)");
}

}  // namespace daelab
