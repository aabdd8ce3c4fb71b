// Options: plain structs whose members are their JSON.
//
// A struct lists its members once, in `Options options()`; reading with checks, writing, the JSON
// Schema and the help of `daelab show` all come from that list.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/exact.hpp"
#include "core/base/json.hpp"
#include "core/base/spec_text.hpp"

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

/// What an option does with a member of one type.
struct OptionType {
  Json (*schema)(void* member, const Allowed& allowed);
  void (*read)(void* member, const Json& value, const std::string& where, const Allowed& allowed);  // throws InputError
  Json (*write)(void* member);
};

/// One member of an options struct, bound by its address. Every options struct makes lists of these: their code is
/// in options.cpp.
class Option {
 public:
  Option(std::string name, void* member, const OptionType& type, std::string doc, Allowed allowed = {});
  Option(const Option& other);
  Option(Option&& other) noexcept;
  Option& operator=(const Option& other);
  Option& operator=(Option&& other) noexcept;
  ~Option();

  /// Another name that it is read by; written it is under its own.
  Option also(std::string alias) && {
    alias_ = std::move(alias);
    return std::move(*this);
  }

  const std::string& name() const { return name_; }
  const std::string& alias() const { return alias_; }  // "": none
  const std::string& doc() const { return doc_; }
  void read(const Json& value, const std::string& where) const;  // throws InputError
  Json write() const;
  Json schema() const;  // of the value

 private:
  friend Option option(std::string name, Json& member, std::string doc, Json schema);

  std::string name_, alias_, doc_;
  Allowed allowed_;
  void* member_;
  const OptionType* type_;
  Json schema_;  // of this one; null: that of its type
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
  Options(std::initializer_list<Option> list);
  Options(std::vector<Option> list);  // NOLINT
  Options(const Options& other);
  Options(Options&& other) noexcept;
  Options& operator=(Options other) noexcept;
  ~Options();

  /// Sets the members named in `json` (an object); the others keep their values. Throws InputError
  /// with the JSON pointer for an unknown key (and the nearest valid one), a wrong type or a value
  /// that is not allowed. Keys in `ignored` are skipped.
  void read(const Json& json, const std::string& where, const std::vector<std::string>& ignored = {}) const;
  Json write() const;
  /// JSON Schema `properties`: type, allowed values, default and description of each option.
  Json schema() const;
  const std::vector<Option>& list() const { return list_; }

 private:
  std::vector<Option> list_;
};

/// A schema of objects with these options and no others.
Json object_schema(const Options& options);
/// A schema of text that is one of the choices.
Json choice_schema(const Allowed& allowed);
/// Index of the choice named by `value`; throws InputError if there is none.
std::size_t read_choice(const Json& value, const std::string& where, const Allowed& allowed);
/// Throws InputError unless `value` is a list of objects.
void require_list_of_objects(const Json& value, const std::string& where);

template <class Struct>
constexpr OptionType struct_type = {
    [](void* member, const Allowed&) { return object_schema(static_cast<Struct*>(member)->options()); },
    [](void* member, const Json& value, const std::string& where, const Allowed&) {
      static_cast<Struct*>(member)->options().read(value, where);
    },
    [](void* member) { return static_cast<Struct*>(member)->options().write(); }};

template <class Struct>
constexpr OptionType struct_list_type = {[](void*, const Allowed&) {
                                           return Json{{"type", "array"}, {"items", object_schema(Struct{}.options())}};
                                         },
                                         [](void* member, const Json& value, const std::string& where, const Allowed&) {
                                           auto& list = *static_cast<std::vector<Struct>*>(member);
                                           require_list_of_objects(value, where);
                                           list.clear();
                                           for (std::size_t i = 0; i < value.size(); ++i)
                                             list.emplace_back().options().read(value[i],
                                                                                where + "/" + std::to_string(i));
                                         },
                                         [](void* member) {
                                           Json list = Json::array();
                                           for (Struct& item : *static_cast<std::vector<Struct>*>(member))
                                             list.push_back(item.options().write());
                                           return list;
                                         }};

/// The name of an enumerator: `names_of(Enum)` lists those of all, in their order.
template <class Enum>
std::string name_of(Enum value) {
  return names_of(value)[static_cast<std::size_t>(value)];
}

template <class Enum>
constexpr OptionType enumeration_type = {
    [](void*, const Allowed& allowed) { return choice_schema(allowed); },
    [](void* member, const Json& value, const std::string& where, const Allowed& allowed) {
      *static_cast<Enum*>(member) = static_cast<Enum>(read_choice(value, where, allowed));
    },
    [](void* member) { return Json(name_of(*static_cast<Enum*>(member))); }};

template <class Enum>
requires std::is_enum_v<Enum> Option option(std::string name, Enum& member, std::string doc) {
  return {std::move(name), &member, enumeration_type<Enum>, std::move(doc), one_of(names_of(Enum{}))};
}

/// An options struct as a member of another.
template <class Struct>
requires requires(Struct& s) { s.options(); }
Option option(std::string name, Struct& member, std::string doc) {
  return {std::move(name), &member, struct_type<Struct>, std::move(doc)};
}

/// A list of options structs as a member.
template <class Struct>
requires requires(Struct& s) { s.options(); }
Option option(std::string name, std::vector<Struct>& member, std::string doc) {
  return {std::move(name), &member, struct_list_type<Struct>, std::move(doc)};
}

}  // namespace daelab
