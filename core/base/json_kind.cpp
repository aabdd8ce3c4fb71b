#include "core/base/json_kind.hpp"

#include <fmt/format.h>

namespace daelab {
namespace {

bool is_of(JsonKind kind, const Json& value) {
  switch (kind) {
    case JsonKind::object:
      return value.is_object();
    case JsonKind::list:
      return value.is_array();
    case JsonKind::text:
      return value.is_string();
    case JsonKind::number:
      return value.is_number();
  }
  return false;
}

const char* name_of(JsonKind kind) {
  switch (kind) {
    case JsonKind::object:
      return "an object";
    case JsonKind::list:
      return "a list";
    case JsonKind::text:
      return "text";
    case JsonKind::number:
      return "a number";
  }
  return "";
}

}  // namespace

const Json& require(JsonKind kind, const Json& value, const std::string& where) {
  if (!is_of(kind, value))
    throw InputError(where, fmt::format("expected {}, found {}", name_of(kind), value.type_name()));
  return value;
}

const Json& require_member(JsonKind kind, const Json& object, const std::string& key, const std::string& where) {
  require(JsonKind::object, object, where);
  if (!object.contains(key)) throw InputError(where + "/" + key, fmt::format("is missing: {}", name_of(kind)));
  return require(kind, object[key], where + "/" + key);
}

}  // namespace daelab
