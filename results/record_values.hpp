// Values as records hold them: JSON numbers for double, text of 50 digits for Real50, null for infinity and NaN.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.hpp"
#include "core/base/options.hpp"
#include "core/base/scalar.hpp"

namespace daelab {

inline Json number(double x) { return std::isfinite(x) ? Json(x) : Json(); }
inline Json number(const Real50& x) { return isfinite(x) ? Json(to_text(x)) : Json(); }
template <class X>
Json number(const std::optional<X>& x) {
  return x ? number(*x) : Json();
}

/// In the scalar of a run.
inline Json number_in(Scalar scalar, const Real50& x) {
  return scalar == Scalar::binary64 ? number(static_cast<double>(x)) : number(x);
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

/// The enumerator of an enumeration with names_of() that is called so. Throws Json::exception for other values.
template <class Enum>
Enum enumerator(const Json& value) {
  const std::vector<std::string> names = names_of(Enum{});
  const auto place = std::find(names.begin(), names.end(), value.get<std::string>());
  if (place == names.end()) throw Json::exception("there is no '" + value.get<std::string>() + "' here");
  return static_cast<Enum>(place - names.begin());
}

/// A component's parameters: its specification without the name. Of a problem that is a document, what can be varied.
Json parameters(Json spec);

}  // namespace daelab
