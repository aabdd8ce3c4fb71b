#include "core/base/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace daelab {
namespace {

std::string type_name(const Json& value) {
  if (value.is_number_integer()) return "an integer";
  if (value.is_number()) return "a number";
  if (value.is_string()) return "a string";
  if (value.is_boolean()) return "a boolean";
  if (value.is_array()) return "a list";
  if (value.is_null()) return "null";
  return "an object";
}

[[noreturn]] void wrong_type(const std::string& where, const char* wanted, const Json& value, const Allowed& allowed) {
  const std::string range = allowed.text();
  throw InputError(where, fmt::format("expected {}{}, got {} ({})", wanted, range.empty() ? "" : " (" + range + ")",
                                      type_name(value), value.dump()));
}

void check_range(const std::string& where, const Exact& value, const Allowed& allowed) {
  const bool low = allowed.minimum && (allowed.above_minimum ? value.value() <= allowed.minimum->value()
                                                             : value.value() < allowed.minimum->value());
  const bool high = allowed.maximum && value.value() > allowed.maximum->value();
  if (low || high)
    throw InputError(where, fmt::format("{} is out of range; allowed: {}", value.text(), allowed.text()));
}

void check_choice(const std::string& where, const std::string& value, const Allowed& allowed) {
  if (allowed.choices.empty()) return;
  if (std::find(allowed.choices.begin(), allowed.choices.end(), value) != allowed.choices.end()) return;
  throw InputError(where, fmt::format("'{}' is not allowed{} (allowed: {})", value,
                                      did_you_mean(value, allowed.choices), fmt::join(allowed.choices, ", ")));
}

int read_int(const Json& value, const std::string& where, const Allowed& allowed) {
  if (!value.is_number_integer()) wrong_type(where, "an integer", value, allowed);
  const Exact exact(value.dump());  // an unsigned 64-bit value would wrap in std::int64_t
  check_range(where, exact, allowed);
  if (abs(exact.value()) > std::numeric_limits<int>::max()) throw InputError(where, exact.text() + " is too large");
  return value.get<int>();
}

Exact read_exact(const Json& value, const std::string& where, const Allowed& allowed) {
  if (!value.is_number() && !value.is_string())
    wrong_type(where, "a number, or an exact one as text such as \"1/3\"", value, allowed);
  Exact exact = exact_from_json(value, where);
  check_range(where, exact, allowed);
  return exact;
}

Json number_schema(const char* type, const Allowed& allowed) {
  // Bounds are written as in the code: 1, not 1.0. JSON has no fractions: 1/3 becomes a decimal.
  const auto bound = [](const Exact& x) {
    const std::optional<Json> number = Json::try_parse(x.text());
    return number && number->is_number() ? *number : Json(x.as<double>());
  };
  Json schema = {{"type", type}};
  if (allowed.minimum) schema[allowed.above_minimum ? "exclusiveMinimum" : "minimum"] = bound(*allowed.minimum);
  if (allowed.maximum) schema["maximum"] = bound(*allowed.maximum);
  return schema;
}

// A number, or exact text that only Exact can judge.
Json exact_schema(const Allowed& allowed) {
  return {{"anyOf", {number_schema("number", allowed), {{"type", "string"}}}}};
}

Json or_null(const Json& schema) { return {{"anyOf", {schema, {{"type", "null"}}}}}; }

}  // namespace

std::string Allowed::text() const {
  if (!choices.empty()) return fmt::format("one of {}", fmt::join(choices, ", "));
  if (minimum && maximum)
    return fmt::format("{}{} to {}", above_minimum ? "above " : "", minimum->text(), maximum->text());
  if (minimum) return fmt::format("{} {}", above_minimum ? "above" : "at least", minimum->text());
  if (maximum) return fmt::format("at most {}", maximum->text());
  return "";
}

Allowed between(int lowest, int highest) { return {Exact(lowest), Exact(highest), false, {}}; }
Allowed at_least(int lowest) { return {Exact(lowest), {}, false, {}}; }
Allowed positive() { return {Exact(0), {}, true, {}}; }
Allowed one_of(std::vector<std::string> choices) { return {{}, {}, false, std::move(choices)}; }

namespace {

template <class T>
T& of_type(void* member) {
  return *static_cast<T*>(member);
}

const OptionType boolean_type = {[](void*, const Allowed&) {
                                   return Json{{"type", "boolean"}};
                                 },
                                 [](void* member, const Json& value, const std::string& where, const Allowed& allowed) {
                                   if (!value.is_boolean()) wrong_type(where, "true or false", value, allowed);
                                   of_type<bool>(member) = value.get<bool>();
                                 },
                                 [](void* member) { return Json(of_type<bool>(member)); }};

const OptionType integer_type = {[](void*, const Allowed& allowed) { return number_schema("integer", allowed); },
                                 [](void* member, const Json& value, const std::string& where, const Allowed& allowed) {
                                   of_type<int>(member) = read_int(value, where, allowed);
                                 },
                                 [](void* member) { return Json(of_type<int>(member)); }};

std::string read_text(const Json& value, const std::string& where, const Allowed& allowed) {
  if (!value.is_string()) wrong_type(where, "a string", value, allowed);
  check_choice(where, value.get<std::string>(), allowed);
  return value.get<std::string>();
}

const OptionType text_type = {[](void*, const Allowed& allowed) { return choice_schema(allowed); },
                              [](void* member, const Json& value, const std::string& where, const Allowed& allowed) {
                                of_type<std::string>(member) = read_text(value, where, allowed);
                              },
                              [](void* member) { return Json(of_type<std::string>(member)); }};

const OptionType exact_type = {[](void*, const Allowed& allowed) { return exact_schema(allowed); },
                               [](void* member, const Json& value, const std::string& where, const Allowed& allowed) {
                                 of_type<Exact>(member) = read_exact(value, where, allowed);
                               },
                               [](void* member) { return Json(of_type<Exact>(member).text()); }};

// Null is a value, too: none.
template <class T, const OptionType& type>
const OptionType optional_type = {
    [](void*, const Allowed& allowed) { return or_null(type.schema(nullptr, allowed)); },
    [](void* member, const Json& value, const std::string& where, const Allowed& allowed) {
      T read{};
      if (!value.is_null()) type.read(&read, value, where, allowed);
      of_type<std::optional<T>>(member) = value.is_null() ? std::nullopt : std::optional(std::move(read));
    },
    [](void* member) {
      auto& value = of_type<std::optional<T>>(member);
      return value ? type.write(&*value) : Json();
    }};

const OptionType exact_list_type = {
    [](void*, const Allowed& allowed) {
      return Json{{"type", "array"}, {"items", exact_schema(allowed)}};
    },
    [](void* member, const Json& value, const std::string& where, const Allowed& allowed) {
      if (!value.is_array()) wrong_type(where, "a list of numbers", value, allowed);
      std::vector<Exact> list;
      for (std::size_t i = 0; i < value.size(); ++i)
        list.push_back(read_exact(value[i], where + "/" + std::to_string(i), allowed));
      of_type<std::vector<Exact>>(member) = std::move(list);
    },
    [](void* member) {
      Json list = Json::array();
      for (const Exact& x : of_type<std::vector<Exact>>(member)) list.push_back(x.text());
      return list;
    }};

const OptionType text_list_type = {[](void*, const Allowed&) {
                                     return Json{{"type", "array"}, {"items", {{"type", "string"}}}};
                                   },
                                   [](void* member, const Json& value, const std::string& where, const Allowed&) {
                                     auto& list = of_type<std::vector<std::string>>(member);
                                     if (!value.is_array()) wrong_type(where, "a list of strings", value, {});
                                     list.clear();
                                     for (std::size_t i = 0; i < value.size(); ++i) {
                                       if (!value[i].is_string())
                                         wrong_type(where + "/" + std::to_string(i), "a string", value[i], {});
                                       list.push_back(value[i].get<std::string>());
                                     }
                                   },
                                   [](void* member) { return Json(of_type<std::vector<std::string>>(member)); }};

const OptionType json_type = {
    [](void*, const Allowed&) { return Json(); },
    [](void* member, const Json& value, const std::string&, const Allowed&) { of_type<Json>(member) = value; },
    [](void* member) { return of_type<Json>(member); }};

}  // namespace

Json choice_schema(const Allowed& allowed) {
  Json schema = {{"type", "string"}};
  if (!allowed.choices.empty()) schema["enum"] = allowed.choices;
  return schema;
}

std::size_t read_choice(const Json& value, const std::string& where, const Allowed& allowed) {
  const std::string text = read_text(value, where, allowed);
  const auto found = std::find(allowed.choices.begin(), allowed.choices.end(), text);
  return static_cast<std::size_t>(found - allowed.choices.begin());
}

Option option(std::string name, bool& member, std::string doc) {
  return {std::move(name), &member, boolean_type, std::move(doc)};
}
Option option(std::string name, int& member, std::string doc, Allowed allowed) {
  return {std::move(name), &member, integer_type, std::move(doc), std::move(allowed)};
}
Option option(std::string name, std::optional<int>& member, std::string doc, Allowed allowed) {
  return {std::move(name), &member, optional_type<int, integer_type>, std::move(doc), std::move(allowed)};
}
Option option(std::string name, std::string& member, std::string doc, Allowed allowed) {
  return {std::move(name), &member, text_type, std::move(doc), std::move(allowed)};
}
Option option(std::string name, Exact& member, std::string doc, Allowed allowed) {
  return {std::move(name), &member, exact_type, std::move(doc), std::move(allowed)};
}
Option option(std::string name, std::optional<Exact>& member, std::string doc, Allowed allowed) {
  return {std::move(name), &member, optional_type<Exact, exact_type>, std::move(doc), std::move(allowed)};
}
Option option(std::string name, std::vector<Exact>& member, std::string doc, Allowed allowed) {
  return {std::move(name), &member, exact_list_type, std::move(doc), std::move(allowed)};
}
Option option(std::string name, std::vector<std::string>& member, std::string doc) {
  return {std::move(name), &member, text_list_type, std::move(doc)};
}
Option option(std::string name, Json& member, std::string doc, Json schema) {
  Option made(std::move(name), &member, json_type, std::move(doc));
  made.schema_ = std::move(schema);
  return made;
}

Option::Option(std::string name, void* member, const OptionType& type, std::string doc, Allowed allowed)
    : name_(std::move(name)), doc_(std::move(doc)), allowed_(std::move(allowed)), member_(member), type_(&type) {}
Option::Option(const Option&) = default;
Option::Option(Option&&) noexcept = default;
Option& Option::operator=(const Option&) = default;
Option& Option::operator=(Option&&) noexcept = default;
Option::~Option() = default;

void Option::read(const Json& value, const std::string& where) const { type_->read(member_, value, where, allowed_); }
Json Option::write() const { return type_->write(member_); }
Json Option::schema() const { return schema_.is_null() ? type_->schema(member_, allowed_) : schema_; }

Options::Options(std::initializer_list<Option> list) : list_(list) {}
Options::Options(std::vector<Option> list) : list_(std::move(list)) {}
Options::Options(const Options&) = default;
Options::Options(Options&&) noexcept = default;
Options& Options::operator=(Options other) noexcept {
  list_.swap(other.list_);
  return *this;
}
Options::~Options() = default;

void Options::read(const Json& json, const std::string& where, const std::vector<std::string>& ignored) const {
  if (!json.is_object()) throw InputError(where, "expected an object, got " + type_name(json));
  for (const auto& [key, value] : json.items()) {
    if (std::find(ignored.begin(), ignored.end(), key) != ignored.end()) continue;
    const auto found = std::find_if(list_.begin(), list_.end(), [&key = key](const Option& o) {
      return o.name() == key || (!key.empty() && o.alias() == key);
    });
    if (found == list_.end()) {
      std::vector<std::string> names;
      for (const Option& o : list_) names.push_back(o.name());
      throw InputError(where + "/" + key,
                       fmt::format("unknown option '{}'{} (known: {})", key, did_you_mean(key, names),
                                   names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
    }
    if (key == found->alias() && json.contains(found->name()))
      throw InputError(where + "/" + key, fmt::format("is another name of '{}', which is given, too", found->name()));
    found->read(value, where + "/" + key);
  }
}

Json Options::write() const {
  Json json = Json::object();
  for (const Option& o : list_) json[o.name()] = o.write();
  return json;
}

Json Options::schema() const {
  Json properties = Json::object();
  for (const Option& o : list_) {
    Json schema = o.schema();
    schema["description"] = o.doc();
    schema["default"] = o.write();
    properties[o.name()] = schema;
    if (o.alias().empty()) continue;
    schema["description"] = fmt::format("another name of {}", o.name());
    properties[o.alias()] = std::move(schema);
  }
  return properties;
}

Json object_schema(const Options& options) {
  return {{"type", "object"}, {"properties", options.schema()}, {"additionalProperties", false}};
}

void require_list_of_objects(const Json& value, const std::string& where) {
  if (!value.is_array()) throw InputError(where, "expected a list of objects");
}

}  // namespace daelab
