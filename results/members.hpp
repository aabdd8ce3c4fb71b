// Structs as JSON objects: a struct lists its members once, for writing and for reading.
//
//   void members(JsonMembers& json, Point& p) { json("status", p.status)("h", p.h)("error", p.error); }
//
// With such a function declared, a Point is written and read as every other value is. Numbers that are not finite are
// null, as in records, and null is not a number; exact constants are their text, enumerators their names; what is
// optional is null where there is nothing. Members of a base class are those of the struct: members(json, base).
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
  /// One of the first two is null. scalar: of the run whose wide numbers are written.
  JsonMembers(Json* to, const Json* from, Scalar scalar = Scalar::real50) : to_(to), from_(from), scalar_(scalar) {}
  /// From here on wide numbers are written in this scalar; reading takes any.
  JsonMembers& in(Scalar scalar) {
    scalar_ = scalar;
    return *this;
  }

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
    return where(x.has_value(), key, x);
  }
  /// Left out by a writer unless `given`.
  template <class X>
  JsonMembers& where(bool given, const char* key, X& x) {
    return has(key, given) ? (*this)(key, x) : *this;
  }
  /// Whether there is such a member: where it is `given` for a writer.
  bool has(const char* key, bool given) const { return to_ ? given : from_->contains(key); }
  /// Two as a list.
  template <class X>
  JsonMembers& pair(const char* key, X& first, X& second) {
    if (to_)
      (*to_)[key] = Json::array({written(first), written(second)});
    else
      read(from_->at(key).at(0), first), read(from_->at(key).at(1), second);
    return *this;
  }
  /// A member with a writer and a reader of its own: written_as() is JSON, read_from(json) takes it.
  JsonMembers& by(const char* key, const auto& written_as, const auto& read_from) {
    if (to_)
      (*to_)[key] = written_as();
    else
      read_from(from_->at(key));
    return *this;
  }
  /// A list of objects: `members_of` is called with a JsonMembers and each of them.
  template <class X>
  JsonMembers& list(const char* key, std::vector<X>& all, const auto& members_of) {
    Json made = Json::array();
    if (from_) all.clear(), all.resize(from_->at(key).get<std::vector<Json>>().size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      Json one = Json::object();
      JsonMembers inner(to_ ? &one : nullptr, from_ ? &from_->at(key)[i] : nullptr, scalar_);
      members_of(inner, all[i]);
      if (to_) made.push_back(std::move(one));
    }
    if (to_) (*to_)[key] = std::move(made);
    return *this;
  }
  /// An object of members of their own: `list` is called with a JsonMembers.
  template <class List>
  JsonMembers& group(const char* key, List list) {
    Json made = Json::object();
    JsonMembers inner(to_ ? &made : nullptr, from_ ? &from_->at(key) : nullptr, scalar_);
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
  /// Document to read; null while writing.
  const Json* from() const { return from_; }

 private:
  Json written(double x) const { return number(x); }
  Json written(const Real50& x) const { return number_in(scalar_, x); }
  Json written(const Exact& x) const { return x.text(); }
  Json written(const Vector<double>& x) const { return numbers(x); }
  Json written(const Vector<Real50>& x) const { return written(std::vector(x.begin(), x.end())); }
  template <class X>
  Json written(const std::optional<X>& x) const {
    return x ? written(*x) : Json();
  }
  template <class X>
  Json written(const std::vector<X>& list) const {
    Json json = Json::array();
    for (const X& x : list) json.push_back(written(x));
    return json;
  }
  template <class X>
  Json written(const std::map<std::string, X>& map) const {
    Json json = Json::object();
    for (const auto& [key, x] : map) json[key] = written(x);
    return json;
  }
  template <class X>
  Json written(const X& x) const {
    if constexpr (std::is_enum_v<X>) {
      return name_of(x);
    } else if constexpr (requires(JsonMembers & json, X & value) { members(json, value); }) {
      Json made = Json::object();
      JsonMembers writer(&made, nullptr, scalar_);
      members(writer, const_cast<X&>(x));  // only read by a writer
      return made;
    } else {
      return Json(x);
    }
  }

  static void read(const Json& json, double& x) { x = static_cast<double>(record_number(json)); }
  static void read(const Json& json, Real50& x) { x = record_number(json); }
  static void read(const Json& json, Exact& x) { x = json.get<std::string>(); }
  static void read(const Json& json, Vector<double>& x) { x = record_vector(json).cast<double>(); }
  static void read(const Json& json, Vector<Real50>& x) { x = record_vector(json); }
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
  Scalar scalar_;
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
