// Values as records hold them: JSON numbers for double, text of 50 digits for Real50, null for infinity and NaN.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.hpp"
#include "core/base/scalar.hpp"

namespace daelab {

inline Json number(double x) { return std::isfinite(x) ? Json(x) : Json(); }
inline Json number(const Real50& x) { return isfinite(x) ? Json(to_text(x)) : Json(); }
template <class X>
Json number(const std::optional<X>& x) {
  return x ? number(*x) : Json();
}

/// In the scalar of a run, by its name.
inline Json number_in(const std::string& scalar, const Real50& x) {
  return scalar == scalar_name<double>() ? number(static_cast<double>(x)) : number(x);
}

inline Json numbers(const auto& x) {
  Json list = Json::array();
  for (const auto& entry : x) list.push_back(number(entry));
  return list;
}

/// A number of a record, for any scalar: JSON number, or text of 50 digits. NaN for null.
Real50 record_number(const Json& value);
Vector<Real50> record_vector(const Json& values);
std::vector<double> record_doubles(const Json& values);

/// A component's parameters: its specification without the name. Of a problem that is a document, what can be varied.
Json parameters(Json spec);

}  // namespace daelab
