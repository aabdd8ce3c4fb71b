// JSON values.
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <initializer_list>
#include <iosfwd>
#include <iterator>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/input_error.hpp"

namespace daelab {

class Json;

template <class T>
constexpr bool is_json_list = false;
template <class T>
constexpr bool is_json_list<std::vector<T>> = true;

/// What a JSON value can be read as: numbers, text, lists, and types with `from_json(const Json&, T&)`.
template <class T>
concept JsonReadable = (std::is_arithmetic_v<T> && !std::same_as<T, char>) || std::same_as<T, std::string> ||
                       is_json_list<T> || requires(const Json& json, T& value) {
  from_json(json, value);
};

/// Types with `to_json(Json&, const T&)`.
template <class T>
concept JsonWritable = !std::same_as<T, Json> && requires(Json & json, const T& value) {
  to_json(json, value);
};

/// A JSON value. Keys keep the order they were written in: configs and records stay readable.
///
/// It behaves like nlohmann::ordered_json, messages included, with the code of its members out of this header: nearly
/// every file uses JSON, and few should pay for its implementation. Text is still read and written by nlohmann.
class Json {
 public:
  // ----- errors -----
  class exception : public std::exception {
   public:
    exception(const char* name, int id, const std::string& what);
    explicit exception(const char* what) : text_(what) {}
    const char* what() const noexcept override { return text_.what(); }

   private:
    std::runtime_error text_;  // copies without throwing
  };
  struct parse_error : exception {
    parse_error(const char* what, std::size_t byte) : exception(what), byte(byte) {}
    std::size_t byte;  // of the text, from 1
  };
  struct type_error : exception {
    using exception::exception;
  };
  struct out_of_range : exception {
    using exception::exception;
  };

  /// "/runs/0/h": a place in a document.
  class json_pointer {
   public:
    json_pointer() = default;
    explicit json_pointer(const std::string& text);  // throws parse_error
    json_pointer parent_pointer() const;
    const std::string& back() const;
    json_pointer operator/(std::string token) const;
    json_pointer operator/(std::size_t index) const { return *this / std::to_string(index); }
    std::string to_string() const;
    const std::vector<std::string>& tokens() const { return tokens_; }

   private:
    std::vector<std::string> tokens_;
  };

  // ----- making -----
  struct Part;                              // of an initializer list
  Json(std::nullptr_t = nullptr) noexcept;  // NOLINT: values convert to JSON on purpose, here and below
  template <class T>
  requires std::is_arithmetic_v<T> Json(T x) : Json() {  // NOLINT
    if constexpr (std::same_as<T, bool>)
      set(x);
    else if constexpr (std::floating_point<T>)
      set(static_cast<double>(x));
    else if constexpr (std::is_signed_v<T>)
      set(static_cast<std::int64_t>(x));
    else
      set(static_cast<std::uint64_t>(x));
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
  Json(const std::map<std::string, T>& members) : Json(object()) {  // NOLINT
    for (const auto& [key, x] : members) (*this)[key] = x;
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

  // ----- text -----
  static Json parse(std::string_view text);  // throws parse_error
  static std::optional<Json> try_parse(std::string_view text);
  enum class Utf8 { strict, replace };  // what is done about invalid UTF-8: throw type_error, or write U+FFFD
  std::string dump(int indent = -1, Utf8 invalid = Utf8::strict) const;
  friend std::ostream& operator<<(std::ostream& out, const Json& json);

  // ----- kind -----
  bool is_null() const { return kind() == Kind::null; }
  bool is_boolean() const { return kind() == Kind::boolean; }
  bool is_number() const { return is_number_integer() || is_number_float(); }
  bool is_number_integer() const { return kind() == Kind::integer || is_number_unsigned(); }
  bool is_number_unsigned() const { return kind() == Kind::natural; }  // an integer parsed without sign, or unsigned
  bool is_number_float() const { return kind() == Kind::real; }
  bool is_string() const { return kind() == Kind::text; }
  bool is_array() const { return kind() == Kind::array; }
  bool is_object() const { return kind() == Kind::object; }
  const char* type_name() const;

  // ----- reading: type_error for a value of another kind -----
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
    else if constexpr (std::same_as<T, bool>)
      value = boolean();
    else if constexpr (std::floating_point<T>)
      value = static_cast<T>(real(!std::same_as<T, double>));
    else if constexpr (std::same_as<T, std::uint64_t>)
      value = natural();
    else if constexpr (std::integral<T>)
      value = static_cast<T>(integer(!std::same_as<T, std::int64_t>));
    else if constexpr (std::same_as<T, std::string>)
      value = text();
    else
      from_json(*this, value);
  }
  template <class T>
  void get_to(std::vector<T>& list) const {
    list.clear();
    for (const Json& x : elements()) list.push_back(x.get<T>());
  }
  template <JsonReadable T>
  operator T() const {  // NOLINT
    return get<T>();
  }

  // ----- members and elements -----
  std::size_t size() const;
  bool empty() const { return size() == 0; }
  /// For an object by key, of a list by index, below it by pointer. The changing operator[] makes what is not there,
  /// the others throw out_of_range.
  template <std::convertible_to<std::string_view> Key>
  Json& operator[](const Key& key) {
    return member(std::string_view(key));
  }
  template <std::convertible_to<std::string_view> Key>
  const Json& operator[](const Key& key) const {
    return member(std::string_view(key));
  }
  template <std::integral Index>
  Json& operator[](Index i) {
    return element(static_cast<std::size_t>(i));
  }
  template <std::integral Index>
  const Json& operator[](Index i) const {
    return element(static_cast<std::size_t>(i));
  }
  Json& operator[](const json_pointer& pointer);
  const Json& operator[](const json_pointer& pointer) const;
  template <std::convertible_to<std::string_view> Key>
  Json& at(const Key& key) {
    return const_cast<Json&>(std::as_const(*this).at(key));
  }
  template <std::convertible_to<std::string_view> Key>
  const Json& at(const Key& key) const {
    return checked_member(std::string_view(key));
  }
  template <std::integral Index>
  Json& at(Index i) {
    return const_cast<Json&>(std::as_const(*this).at(i));
  }
  template <std::integral Index>
  const Json& at(Index i) const {
    return checked_element(static_cast<std::size_t>(i));
  }
  const Json& at(const json_pointer& pointer) const;
  Json& front() { return at(0); }
  const Json& front() const { return at(0); }
  Json& back() { return at(size() - 1); }
  const Json& back() const { return at(size() - 1); }

  bool contains(std::string_view key) const;
  bool contains(const json_pointer& pointer) const;
  template <class T>
  T value(std::string_view key, T otherwise) const {
    const Json* found = member_to_read(key);
    return found ? found->get<T>() : std::move(otherwise);
  }
  std::string value(std::string_view key, const char* otherwise) const { return value(key, std::string(otherwise)); }

  // ----- changing -----
  void push_back(Json value);
  void push_back(std::initializer_list<Part> parts);  // a key and a value are a member of an object
  Json& emplace_back(Json value);
  std::size_t erase(std::string_view key);
  /// Takes over the members of another object.
  void update(const Json& other);
  void merge_patch(const Json& patch);

  // ----- as a whole -----
  /// Pointer -> value without lists and objects in it.
  Json flatten() const;
  /// Keys in alphabetical order at every level.
  Json sorted() const;
  /// The changes from one document to another, a JSON Patch.
  static Json diff(const Json& from, const Json& to);
  /// Members in their order count; 1 and 1.0 are equal.
  friend bool operator==(const Json& a, const Json& b);
  template <class T>
  requires std::is_arithmetic_v<T>
  friend bool operator==(const Json& a, T b) { return a == Json(b); }
  friend std::partial_ordering operator<=>(const Json& a, const Json& b);
  template <class T>
  requires std::is_arithmetic_v<T>
  friend std::partial_ordering operator<=>(const Json& a, T b) { return a <=> Json(b); }

  // ----- iteration -----
  template <class Value>
  class Iterator;
  template <class Value>
  class Items;
  using value_type = Json;
  using reference = Json&;
  using const_reference = const Json&;
  using difference_type = std::ptrdiff_t;
  using size_type = std::size_t;
  using iterator = Iterator<Json>;
  using const_iterator = Iterator<const Json>;
  iterator begin();
  iterator end();
  const_iterator begin() const;
  const_iterator end() const;
  iterator find(std::string_view key);  // end() when there is no such member
  const_iterator find(std::string_view key) const;
  /// Pairs of key and value; an element's key is its index as text.
  Items<Json> items();
  Items<const Json> items() const;

 private:
  using Array = std::vector<Json>;
  using Object = std::vector<std::pair<std::string, Json>>;
  enum class Kind { null, boolean, integer, natural, real, text, array, object };  // in the order of value_

  Kind kind() const { return static_cast<Kind>(value_.index()); }
  void set(bool x);
  void set(double x);
  void set(std::int64_t x);
  void set(std::uint64_t x);
  bool boolean() const;
  double real(bool of_boolean_too) const;
  std::int64_t integer(bool of_boolean_too) const;
  std::uint64_t natural() const;
  template <class Number>
  Number number(bool of_boolean_too) const;
  const std::string& text() const;
  const Array& elements() const;
  Json& member(std::string_view key);
  const Json& member(std::string_view key) const;
  Json& element(std::size_t i);
  const Json& element(std::size_t i) const;
  const Json& checked_member(std::string_view key) const;
  const Json& checked_element(std::size_t i) const;
  const Json* find_member(std::string_view key) const;     // null unless *this is an object
  const Json* member_to_read(std::string_view key) const;  // throws unless *this is an object
  std::size_t element_number(const std::string& token) const;
  Json& entry(std::size_t i);  // member or element; a number or text is its own only one
  std::string entry_key(std::size_t i) const;

  std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, Array, Object> value_;

  friend struct JsonText;  // to and from nlohmann's value
};

struct Json::Part {
  Part() = default;
  Part(Json&& json) : value(std::move(json)) {}  // NOLINT
  Part(const Json& json) : value(json) {}        // NOLINT
  Part(std::initializer_list<Part> parts) : value(parts) {}
  template <class T>
  requires(!std::same_as<std::remove_cvref_t<T>, Part> && !std::same_as<std::remove_cvref_t<T>, Json> &&
           std::constructible_from<Json, T>) Part(T&& x)
      : value(std::forward<T>(x)) {}  // NOLINT

  mutable Json value;  // an initializer list is constant, but what is in it is there to be moved out
};

template <class Value>
class Json::Iterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = Json;
  using difference_type = std::ptrdiff_t;
  using pointer = Value*;
  using reference = Value&;
  Iterator() = default;
  Iterator(Value* json, std::size_t i) : json_(json), i_(static_cast<difference_type>(i)) {}
  operator Iterator<const Json>() const { return {json_, static_cast<std::size_t>(i_)}; }  // NOLINT

  Value& operator*() const { return const_cast<Json*>(json_)->entry(static_cast<std::size_t>(i_)); }
  Value* operator->() const { return &**this; }
  Value& operator[](difference_type n) const { return *(*this + n); }
  std::string key() const { return json_->entry_key(static_cast<std::size_t>(i_)); }
  Value& value() const { return **this; }

  Iterator& operator++() { return *this += 1; }
  Iterator& operator--() { return *this += -1; }
  Iterator operator++(int) { return std::exchange(*this, *this + 1); }
  Iterator operator--(int) { return std::exchange(*this, *this - 1); }
  Iterator& operator+=(difference_type n) { return i_ += n, *this; }
  Iterator& operator-=(difference_type n) { return i_ -= n, *this; }
  friend Iterator operator+(Iterator a, difference_type n) { return a += n; }
  friend Iterator operator+(difference_type n, Iterator a) { return a += n; }
  friend Iterator operator-(Iterator a, difference_type n) { return a -= n; }
  friend difference_type operator-(const Iterator& a, const Iterator& b) { return a.i_ - b.i_; }
  friend bool operator==(const Iterator& a, const Iterator& b) { return a.i_ == b.i_; }
  friend auto operator<=>(const Iterator& a, const Iterator& b) { return a.i_ <=> b.i_; }

 private:
  Value* json_ = nullptr;
  difference_type i_ = 0;
};

template <class Value>
class Json::Items {
 public:
  struct Item {
    std::string key;
    Value& value;
  };
  struct Position {
    Item operator*() const { return {at.key(), *at}; }
    Position& operator++() { return ++at, *this; }
    bool operator==(const Position&) const = default;
    Iterator<Value> at;
  };
  explicit Items(Value& json) : json_(json) {}
  Position begin() const { return {json_.begin()}; }
  Position end() const { return {json_.end()}; }

 private:
  Value& json_;
};

inline Json::iterator Json::begin() { return {this, 0}; }
inline Json::iterator Json::end() { return {this, size()}; }
inline Json::const_iterator Json::begin() const { return {this, 0}; }
inline Json::const_iterator Json::end() const { return {this, size()}; }
inline Json::Items<Json> Json::items() { return Items<Json>(*this); }
inline Json::Items<const Json> Json::items() const { return Items<const Json>(*this); }

/// Reads a JSON file. Throws InputError naming the file and, for bad syntax, line and column; for a key that an object
/// has twice, its place.
Json read_json_file(const std::string& path);

}  // namespace daelab
