// Structs as JSON objects: a struct lists its members once, for writing and for reading.
//
//   void members(JsonMembers& json, Point& p) { json("status", p.status)("h", p.h)("error", p.error); }
//
// With such a function declared, a Point is written and read as every other value is. Numbers that are not finite are
// null, as in records, and null is not a number; exact constants are their text, enumerators their names; what is
// optional is null where there is nothing.
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/exact.hpp"
#include "core/base/json.hpp"
#include "results/record_values.hpp"

namespace daelab {

/// Writes the members of a struct, or reads them. Reading throws Json::exception for members that are missing or of
/// another kind.
class JsonMembers {
 public:
  /// One of them is null.
  JsonMembers(Json* to, const Json* from) : to_(to), from_(from) {}

  template <class X>
  JsonMembers& operator()(const char* key, X& x) {
    if (to_)
      (*to_)[key] = written(x);
    else
      read(from_->at(key), x);
    return *this;
  }
  /// Left out where there is nothing.
  template <class X>
  JsonMembers& where_given(const char* key, std::optional<X>& x) {
    if (to_ ? x.has_value() : from_->contains(key)) (*this)(key, x);
    return *this;
  }
  /// An object of members of their own: `list` is called with a JsonMembers.
  template <class List>
  JsonMembers& group(const char* key, List list) {
    Json made = Json::object();
    JsonMembers inner(to_ ? &made : nullptr, from_ ? &from_->at(key) : nullptr);
    list(inner);
    if (to_) (*to_)[key] = std::move(made);
    return *this;
  }
  /// Members whose names are data, in their order.
  template <class X>
  JsonMembers& all(std::vector<std::pair<std::string, X>>& named) {
    if (to_)
      for (const auto& [key, x] : named) (*to_)[key] = written(x);
    else
      for (const auto& [key, x] : from_->items()) read(from_->at(key), named.emplace_back(key, X{}).second);
    return *this;
  }
  /// Follows from members: `make` is called for writing alone.
  template <class Make>
  JsonMembers& derived(const char* key, Make make) {
    if (to_) (*to_)[key] = written(make());
    return *this;
  }
  /// What is read; null while writing.
  const Json* from() const { return from_; }

 private:
  static Json written(double x) { return number(x); }
  static Json written(const Real50& x) { return number(x); }
  static Json written(const Exact& x) { return x.text(); }
  static Json written(const Vector<double>& x) { return numbers(x); }
  template <class X>
  static Json written(const std::optional<X>& x) {
    return x ? written(*x) : Json();
  }
  template <class X>
  static Json written(const std::vector<X>& list) {
    Json json = Json::array();
    for (const X& x : list) json.push_back(written(x));
    return json;
  }
  template <class X>
  static Json written(const std::map<std::string, X>& map) {
    Json json = Json::object();
    for (const auto& [key, x] : map) json[key] = written(x);
    return json;
  }
  template <class X>
  static Json written(const X& x) {
    if constexpr (std::is_enum_v<X>)
      return name_of(x);
    else
      return Json(x);
  }

  static void read(const Json& json, double& x) { x = static_cast<double>(record_number(json)); }
  static void read(const Json& json, Real50& x) { x = record_number(json); }
  static void read(const Json& json, Exact& x) { x = json.get<std::string>(); }
  static void read(const Json& json, Vector<double>& x) { x = record_vector(json).cast<double>(); }
  template <class X>
  static void read(const Json& json, std::optional<X>& x) {
    x.reset();
    if (!json.is_null()) read(json, x.emplace());
  }
  template <class X>
  static void read(const Json& json, std::vector<X>& list) {
    list.clear();
    for (const Json& x : json.get<std::vector<Json>>()) read(x, list.emplace_back());
  }
  template <class X>
  static void read(const Json& json, std::map<std::string, X>& map) {
    map.clear();
    for (const auto& [key, x] : json.items()) read(x, map[key]);  // items() throws for a list, a number or a text
  }
  template <class X>
  static void read(const Json& json, X& x) {
    if constexpr (std::is_enum_v<X>)
      x = enumerator<X>(json);
    else
      json.get_to(x);
  }

  Json* to_;
  const Json* from_;
};

template <class T>
concept HasMembers = requires(JsonMembers& json, T& value) {
  members(json, value);
};

template <HasMembers T>
void to_json(Json& json, const T& value) {
  json = Json::object();
  JsonMembers writer(&json, nullptr);
  members(writer, const_cast<T&>(value));  // only read by a writer
}

template <HasMembers T>
void from_json(const Json& json, T& value) {
  value = {};
  JsonMembers reader(nullptr, &json);
  members(reader, value);
}

}  // namespace daelab
