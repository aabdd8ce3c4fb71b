// JSON values.
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/input_error.hpp"

namespace daelab {

class Json;

/// What a JSON value can be read as: numbers, text, lists, and types with `from_json(const Json&, T&)`.
template <class T>
concept JsonReadable = (std::is_arithmetic_v<T> && !std::same_as<T, char>) || std::same_as<T, std::string> ||
                       std::same_as<T, std::vector<typename T::value_type>> || requires(const Json& json, T& value) {
  from_json(json, value);
};

/// Types with `to_json(Json&, const T&)`.
template <class T>
concept JsonWritable = !std::same_as<T, Json> && requires(Json & json, const T& value) {
  to_json(json, value);
};

/// A JSON value. Keys keep the order they were written in: configs and records stay readable.
/// It is used as nlohmann::ordered_json is, with the code of its members out of this header: nearly every file uses
/// JSON, and few should pay for its implementation. Text is read by nlohmann's parser; numbers and what must be escaped
/// are written by nlohmann.
class Json {
 public:
  using Object = std::vector<std::pair<std::string, Json>>;

  /// A value of another kind than is asked for, one that is not there, or a text that is no JSON.
  struct exception : std::runtime_error {
    explicit exception(const std::string& what, std::size_t byte = 0) : std::runtime_error(what), byte(byte) {}
    std::size_t byte;  // where the syntax of a text is broken, from 1; otherwise 0
  };

  /// "/runs/0/h": a place in a document.
  struct json_pointer {
    json_pointer() = default;
    explicit json_pointer(const std::string& text);
    json_pointer operator/(std::string token) const;
    json_pointer operator/(std::size_t index) const { return *this / std::to_string(index); }
    std::string to_string() const;
    std::vector<std::string> tokens;
  };

  struct Part;                              // of an initializer list
  Json(std::nullptr_t = nullptr) noexcept;  // NOLINT: values convert to JSON on purpose, here and below
  template <class T>
  requires std::is_arithmetic_v<T> Json(T x) : Json() {  // NOLINT
    set(static_cast<Stored<T>>(x));
  }
  Json(std::string text);        // NOLINT
  Json(std::string_view text);   // NOLINT
  Json(const char* text);        // NOLINT
  Json(std::vector<Json> list);  // NOLINT
  template <class T>
  Json(const std::vector<T>& list) : Json(array()) {  // NOLINT
    for (const T& x : list) push_back(Json(x));
  }
  template <class T>
  Json(const std::map<std::string, T>& map) : Json(object()) {  // NOLINT
    for (const auto& [key, x] : map) members().emplace_back(key, x);
  }
  template <JsonWritable T>
  Json(const T& value) : Json() {  // NOLINT
    to_json(*this, value);
  }
  /// An object when every part is a list of two with a text first, otherwise a list.
  Json(std::initializer_list<Part> parts);
  Json(const Json& other);
  Json(Json&& other) noexcept;  // leaves null behind
  Json& operator=(Json other) noexcept;
  ~Json();
  static Json array(std::initializer_list<Part> parts = {});
  static Json object(std::initializer_list<Part> parts = {});

  static Json parse(std::string_view text);
  static std::optional<Json> try_parse(std::string_view text);
  enum class Utf8 { strict, replace };  // invalid UTF-8 throws, or is written as U+FFFD
  std::string dump(int indent = -1, Utf8 invalid = Utf8::strict) const;
  friend std::ostream& operator<<(std::ostream& out, const Json& json);

  bool is_null() const { return kind() == Kind::null; }
  bool is_boolean() const { return kind() == Kind::boolean; }
  bool is_number() const { return is_number_integer() || is_number_float(); }
  bool is_number_integer() const { return kind() == Kind::integer || is_number_unsigned(); }
  bool is_number_unsigned() const { return kind() == Kind::natural; }
  bool is_number_float() const { return kind() == Kind::real; }
  bool is_string() const { return kind() == Kind::text; }
  bool is_array() const { return kind() == Kind::array; }
  bool is_object() const { return kind() == Kind::object; }
  const char* type_name() const;

  // ----- reading: throws for a value of another kind -----
  template <class T>
  T get() const {
    T value{};
    get_to(value);
    return value;
  }
  template <class T>
  void get_to(T& value) const {
    if constexpr (std::same_as<T, Json>)
      value = *this;
    else if constexpr (std::same_as<T, bool> || std::same_as<T, std::string>)
      value = as<T>();
    else if constexpr (std::is_arithmetic_v<T>)
      value = static_cast<T>(number<Stored<T>>());
    else
      from_json(*this, value);
  }
  template <class T>
  void get_to(std::vector<T>& list) const {
    list.clear();
    for (const Json& x : as<Array>()) list.push_back(x.get<T>());
  }
  template <JsonReadable T>
  operator T() const {  // NOLINT
    return get<T>();
  }
  const std::string& text() const;  // without a copy

  // ----- members and elements: of an object by key, of a list by index, below it by pointer -----
  std::size_t size() const;
  bool empty() const { return size() == 0; }
  /// Makes what is not there; the other three throw.
  Json& operator[](const auto& place) { return made(place_of(place)); }
  const Json& operator[](const auto& place) const { return found(place_of(place)); }
  const Json& at(const auto& place) const { return found(place_of(place)); }
  Json& at(const auto& place) { return const_cast<Json&>(found(place_of(place))); }
  const Json& back() const { return at(size() - 1); }
  Json& back() { return at(size() - 1); }
  const Json* find(std::string_view key) const;  // null where nothing is
  const Json* find(const json_pointer& pointer) const;
  bool contains(const auto& place) const { return find(place_of(place)) != nullptr; }
  template <class T>
  T value(std::string_view key, T otherwise) const {
    const Json* value = as<Object>().empty() ? nullptr : find(key);
    return value ? value->get<T>() : std::move(otherwise);
  }
  std::string value(std::string_view key, const char* otherwise) const { return value(key, std::string(otherwise)); }

  /// The elements of a list; null has none.
  using value_type = Json;
  using iterator = Json*;
  using const_iterator = const Json*;
  const Json* begin() const;
  const Json* end() const { return begin() + size(); }
  Json* begin() { return const_cast<Json*>(std::as_const(*this).begin()); }
  Json* end() { return begin() + size(); }
  /// The members of an object, pairs of key and value; null has none.
  const Object& items() const;
  Object& members() { return const_cast<Object&>(as<Object>()); }  // of an object only

  void push_back(Json value);
  void erase(std::string_view key);
  void erase(const json_pointer& pointer);
  void update(const Json& other);  // takes over its members

  /// Pointer -> value without lists and objects in it.
  Json flatten() const;
  /// The changes from one document to another, a JSON Patch; the order of keys is no difference.
  static Json diff(const Json& from, const Json& to);
  /// Members in their order count; 1 and 1.0 are equal.
  friend bool operator==(const Json& a, const Json& b);
  friend bool operator==(const Json& a, auto b) requires std::is_arithmetic_v<decltype(b)> { return a == Json(b); }
  friend std::partial_ordering operator<=>(const Json& a, auto b) requires std::is_arithmetic_v<decltype(b)> {
    return a.get<double>() <=> static_cast<double>(b);
  }

 private:
  using Array = std::vector<Json>;
  enum class Kind { null, boolean, integer, natural, real, text, array, object };  // in the order of value_
  template <class T>
  using Stored =
      std::conditional_t<std::same_as<T, bool>, bool,
                         std::conditional_t<std::floating_point<T>, double,
                                            std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>>;
  Kind kind() const { return static_cast<Kind>(value_.index()); }
  void set(auto x);
  template <class T>
  const T& as() const;  // what value_ holds
  template <class T>
  T number() const;
  static std::size_t place_of(std::integral auto i) { return static_cast<std::size_t>(i); }
  static std::string_view place_of(std::string_view key) { return key; }
  static const json_pointer& place_of(const json_pointer& pointer) { return pointer; }
  Json& made(std::string_view key);
  Json& made(std::size_t i);
  Json& made(const json_pointer& pointer);
  const Json& found(std::string_view key) const;
  const Json& found(std::size_t i) const;
  const Json& found(const json_pointer& pointer) const;

  std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, Array, Object> value_;
};

struct Json::Part {
  Part() = default;
  Part(std::initializer_list<Part> parts) : value(parts) {}
  template <class T>
  requires(!std::same_as<std::remove_cvref_t<T>, Part> && std::constructible_from<Json, T>) Part(T&& x)
      : value(std::forward<T>(x)) {}  // NOLINT
  mutable Json value;                 // an initializer list is constant, but what is in it is there to be moved out
};

}  // namespace daelab
