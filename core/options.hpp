// Options: plain structs whose members are their JSON.
//
// A struct lists its members once, in `Options options()`; reading with checks, writing, the JSON
// Schema and the help of `daelab show` all come from that list.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/exact.hpp"
#include "core/json.hpp"

namespace daelab {

/// What values an option takes, beyond its type.
struct Allowed {
  std::optional<Exact> minimum, maximum;
  bool above_minimum = false;  // the minimum itself is excluded
  std::vector<std::string> choices;

  std::string text() const;  // "1 to 10", "above 0", "one of uniform, chebyshev"
};
Allowed between(int lowest, int highest);
Allowed at_least(int lowest);
Allowed positive();
Allowed one_of(std::vector<std::string> choices);

/// One member of an options struct, bound by reference.
struct Option {
  std::string name;
  std::string doc;
  Allowed allowed;
  Json schema;                                                        // of the value
  std::function<void(const Json& value, const std::string& where)> read;  // throws InputError
  std::function<Json()> write;
};

Option option(std::string name, bool& member, std::string doc);
Option option(std::string name, int& member, std::string doc, Allowed allowed = {});
Option option(std::string name, std::optional<int>& member, std::string doc, Allowed allowed = {});
Option option(std::string name, std::string& member, std::string doc, Allowed allowed = {});
Option option(std::string name, Exact& member, std::string doc, Allowed allowed = {});
Option option(std::string name, std::optional<Exact>& member, std::string doc, Allowed allowed = {});
Option option(std::string name, std::vector<Exact>& member, std::string doc, Allowed allowed = {});
Option option(std::string name, std::vector<std::string>& member, std::string doc);
Option option(std::string name, Json& member, std::string doc, Json schema);

class Options {
 public:
  Options(std::initializer_list<Option> list) : list_(list) {}
  Options(std::vector<Option> list) : list_(std::move(list)) {}  // NOLINT

  /// Sets the members named in `json` (an object); the others keep their values. Throws InputError
  /// with the JSON pointer for an unknown key (and the nearest valid one), a wrong type or a value
  /// that is not allowed. Keys in `ignored` are skipped.
  void read(const Json& json, const std::string& where,
            const std::vector<std::string>& ignored = {}) const;
  Json write() const;
  /// JSON Schema `properties`: type, allowed values, default and description of each option.
  Json schema() const;
  const std::vector<Option>& list() const { return list_; }

 private:
  std::vector<Option> list_;
};

/// An options struct as a member of another.
template <class Struct>
  requires requires(Struct& s) { s.options(); }
Option option(std::string name, Struct& member, std::string doc) {
  Json schema = {{"type", "object"},
                 {"properties", member.options().schema()},
                 {"additionalProperties", false}};
  return {std::move(name), std::move(doc), {}, std::move(schema),
          [&member](const Json& value, const std::string& where) {
            member.options().read(value, where);
          },
          [&member] { return member.options().write(); }};
}

/// A list of options structs as a member.
template <class Struct>
  requires requires(Struct& s) { s.options(); }
Option option(std::string name, std::vector<Struct>& member, std::string doc) {
  Json item = {{"type", "object"},
               {"properties", Struct{}.options().schema()},
               {"additionalProperties", false}};
  return {std::move(name), std::move(doc), {}, {{"type", "array"}, {"items", std::move(item)}},
          [&member](const Json& value, const std::string& where) {
            if (!value.is_array()) throw InputError(where, "expected a list of objects");
            member.clear();
            for (std::size_t i = 0; i < value.size(); ++i)
              member.emplace_back().options().read(value[i], where + "/" + std::to_string(i));
          },
          [&member] {
            Json list = Json::array();
            for (Struct& item : member) list.push_back(item.options().write());
            return list;
          }};
}

/// `name:key=value,key=value`, `@file.json`, a JSON string of either form, or an object with "name".
/// Values are read as JSON where they parse as such, otherwise as text. Returns an object with "name".
Json parse_spec(const Json& spec, const std::string& where);

/// "pade-block:r=4,nodes=uniform": the inverse of parse_spec, for labels and commands.
std::string spec_text(const Json& spec);

}  // namespace daelab
