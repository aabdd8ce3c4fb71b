// What JSON values do in memory. Messages and their numbers are nlohmann's.
#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>

#include "core/base/json.hpp"

namespace daelab {
namespace {

[[noreturn]] void no_such_key(std::string_view key) {
  throw Json::out_of_range("out_of_range", 403, "key '" + std::string(key) + "' not found");
}
[[noreturn]] void no_such_index(std::size_t i) {
  throw Json::out_of_range("out_of_range", 401, "array index " + std::to_string(i) + " is out of range");
}
[[noreturn]] void cannot_use(int id, const char* function, const Json& json) {
  throw Json::type_error("type_error", id, std::string("cannot use ") + function + " with " + json.type_name());
}
[[noreturn]] void wrong_type(const char* wanted, const Json& json) {
  throw Json::type_error("type_error", 302, std::string("type must be ") + wanted + ", but is " + json.type_name());
}
[[noreturn]] void unresolved(const std::string& token) {
  throw Json::out_of_range("out_of_range", 404, "unresolved reference token '" + token + "'");
}
[[noreturn]] void bad_index(int id, const std::string& token, const char* why) {
  const Json::exception error("parse_error", id, "parse error: array index '" + token + "' " + why);
  throw Json::parse_error(error.what(), 0);
}

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool all_digits(std::string_view text) { return std::all_of(text.begin(), text.end(), is_digit); }

// A token as index of a list.
std::size_t index_of(const std::string& token) {
  if (token.size() > 1 && token[0] == '0') bad_index(106, token, "must not begin with '0'");
  if (token.size() > 1 && !is_digit(token[0])) bad_index(109, token, "is not a number");
  if (token.empty() || !all_digits(token)) unresolved(token);
  errno = 0;
  const auto index = std::strtoull(token.c_str(), nullptr, 10);
  if (errno == ERANGE) unresolved(token);
  return index;
}

}  // namespace

Json::exception::exception(const char* name, int id, const std::string& what)
    : text_("[json.exception." + std::string(name) + "." + std::to_string(id) + "] " + what) {}

// ----- pointers -----

Json::json_pointer Json::json_pointer::parent_pointer() const {
  json_pointer parent = *this;
  if (!tokens_.empty()) parent.tokens_.pop_back();
  return parent;
}

const std::string& Json::json_pointer::back() const {
  if (tokens_.empty()) throw out_of_range("out_of_range", 405, "JSON pointer has no parent");
  return tokens_.back();
}

Json::json_pointer Json::json_pointer::operator/(std::string token) const {
  json_pointer longer = *this;
  longer.tokens_.push_back(std::move(token));
  return longer;
}

std::string Json::json_pointer::to_string() const {
  std::string text;
  for (const std::string& token : tokens_) {
    text += '/';
    for (const char c : token) c == '~' ? text += "~0" : c == '/' ? text += "~1" : text += c;
  }
  return text;
}

// ----- making -----

Json::Json(std::nullptr_t) noexcept {}
Json::Json(std::string text) : value_(std::move(text)) {}
Json::Json(std::string_view text) : value_(std::string(text)) {}
Json::Json(const char* text) : value_(std::string(text)) {}
Json::Json(std::vector<Json> list) : value_(std::move(list)) {}
// Not as a copy of the variant: where memory runs out in the middle of that, libstdc++ 12 destroys what it never made.
Json::Json(const Json& other) {
  std::visit([this]<class T>(const T& x) { value_.emplace<T>(x); }, other.value_);
}
Json::Json(Json&& other) noexcept : value_(std::move(other.value_)) { other.value_ = std::monostate(); }
Json::~Json() = default;
Json& Json::operator=(Json other) noexcept {
  value_.swap(other.value_);
  return *this;
}

void Json::set(bool x) { value_ = x; }
void Json::set(double x) { value_ = x; }
void Json::set(std::int64_t x) { value_ = x; }
void Json::set(std::uint64_t x) { value_ = x; }

namespace {

bool are_members(std::initializer_list<Json::Part> parts) {
  return std::all_of(parts.begin(), parts.end(), [](const Json::Part& part) {
    return part.value.is_array() && part.value.size() == 2 && part.value[0].is_string();
  });
}

}  // namespace

Json::Json(std::initializer_list<Part> parts) : Json(are_members(parts) ? object(parts) : array(parts)) {}

Json Json::array(std::initializer_list<Part> parts) {
  std::vector<Json> list;
  list.reserve(parts.size());
  for (const Part& part : parts) list.push_back(std::move(part.value));
  return Json(std::move(list));
}

// Of two equal keys the first stays.
Json Json::object(std::initializer_list<Part> parts) {
  if (!are_members(parts)) throw type_error("type_error", 301, "cannot create object from initializer list");
  Json json;
  auto& members = json.value_.emplace<Object>();
  members.reserve(parts.size());
  for (const Part& part : parts)
    if (auto& pair = std::get<Array>(part.value.value_); !json.contains(pair[0].text()))
      members.emplace_back(std::move(std::get<std::string>(pair[0].value_)), std::move(pair[1]));
  return json;
}

// ----- reading -----

const char* Json::type_name() const {
  constexpr const char* names[] = {"null", "boolean", "number", "number", "number", "string", "array", "object"};
  return names[value_.index()];
}

bool Json::boolean() const {
  if (const bool* x = std::get_if<bool>(&value_)) return *x;
  wrong_type("boolean", *this);
}

namespace {

// Whole numbers wrap, as nlohmann's do; of a real beyond them the conversion would be undefined.
template <class Number>
Number converted(double x) {
  constexpr double end = std::same_as<Number, std::int64_t> ? 0x1p63 : 0x1p64;
  constexpr double begin = std::same_as<Number, std::int64_t> ? -0x1p63 : 0;
  if constexpr (std::integral<Number>)
    if (!(x >= begin && x < end))
      throw Json::out_of_range("out_of_range", 406, "number is out of range of whole numbers: " + Json(x).dump());
  return static_cast<Number>(x);
}

}  // namespace

template <class Number>
Number Json::number(bool of_boolean_too) const {
  switch (kind()) {
    case Kind::integer:
      return static_cast<Number>(std::get<std::int64_t>(value_));
    case Kind::natural:
      return static_cast<Number>(std::get<std::uint64_t>(value_));
    case Kind::real:
      return converted<Number>(std::get<double>(value_));
    case Kind::boolean:
      if (of_boolean_too) return static_cast<Number>(std::get<bool>(value_));
      [[fallthrough]];
    default:
      wrong_type("number", *this);
  }
}
double Json::real(bool of_boolean_too) const { return number<double>(of_boolean_too); }
std::int64_t Json::integer(bool of_boolean_too) const { return number<std::int64_t>(of_boolean_too); }
std::uint64_t Json::natural() const { return number<std::uint64_t>(false); }

const std::string& Json::text() const {
  if (const auto* x = std::get_if<std::string>(&value_)) return *x;
  wrong_type("string", *this);
}

const Json::Array& Json::elements() const {
  if (const auto* x = std::get_if<Array>(&value_)) return *x;
  wrong_type("array", *this);
}

// ----- members and elements -----

std::size_t Json::size() const {
  if (const auto* list = std::get_if<Array>(&value_)) return list->size();
  if (const auto* members = std::get_if<Object>(&value_)) return members->size();
  return is_null() ? 0 : 1;
}

const Json* Json::find_member(std::string_view key) const {
  const auto* members = std::get_if<Object>(&value_);
  if (!members) return nullptr;
  for (const auto& [name, value] : *members)
    if (name == key) return &value;
  return nullptr;
}

Json& Json::member(std::string_view key) {
  if (is_null()) value_.emplace<Object>();
  auto* members = std::get_if<Object>(&value_);
  if (!members) cannot_use(305, "operator[] with a string argument", *this);
  if (const Json* found = find_member(key)) return const_cast<Json&>(*found);
  return members->emplace_back(std::string(key), Json()).second;
}

const Json& Json::member(std::string_view key) const {
  if (!is_object()) cannot_use(305, "operator[] with a string argument", *this);
  if (const Json* found = find_member(key)) return *found;
  no_such_key(key);
}

Json& Json::element(std::size_t i) {
  if (is_null()) value_.emplace<Array>();
  auto* list = std::get_if<Array>(&value_);
  if (!list) cannot_use(305, "operator[] with a numeric argument", *this);
  if (i >= list->size()) list->resize(i + 1);
  return (*list)[i];
}

const Json& Json::element(std::size_t i) const {
  const auto* list = std::get_if<Array>(&value_);
  if (!list) cannot_use(305, "operator[] with a numeric argument", *this);
  if (i >= list->size()) no_such_index(i);
  return (*list)[i];
}

const Json& Json::checked_member(std::string_view key) const {
  if (!is_object()) cannot_use(304, "at()", *this);
  return member(key);
}

const Json& Json::checked_element(std::size_t i) const {
  if (!is_array()) cannot_use(304, "at()", *this);
  return element(i);
}

const Json* Json::member_to_read(std::string_view key) const {
  if (!is_object()) cannot_use(306, "value()", *this);
  return find_member(key);
}

bool Json::contains(std::string_view key) const { return find_member(key) != nullptr; }

std::size_t Json::element_number(const std::string& token) const {
  if (token != "-") return index_of(token);
  throw out_of_range("out_of_range", 402, "array index '-' (" + std::to_string(size()) + ") is out of range");
}

// What is not there is made: lists for numbers, otherwise objects.
Json& Json::operator[](const json_pointer& pointer) {
  Json* at = this;
  for (const std::string& token : pointer.tokens()) {
    if (at->is_null()) *at = all_digits(token) || token == "-" ? array() : object();
    if (at->is_object())
      at = &at->member(token);
    else if (at->is_array())
      at = &at->element(token == "-" ? at->size() : index_of(token));
    else
      unresolved(token);
  }
  return *at;
}

const Json& Json::operator[](const json_pointer& pointer) const { return at(pointer); }

const Json& Json::at(const json_pointer& pointer) const {
  const Json* at = this;
  for (const std::string& token : pointer.tokens())
    if (at->is_object())
      at = &at->member(token);
    else if (at->is_array())
      at = &at->element(at->element_number(token));
    else
      unresolved(token);
  return *at;
}

bool Json::contains(const json_pointer& pointer) const {
  const Json* at = this;
  for (const std::string& token : pointer.tokens()) {
    if (at->is_array()) {
      if (!all_digits(token) || (token.size() > 1 && token[0] == '0')) return false;
      const std::size_t i = index_of(token);
      if (i >= at->size()) return false;
      at = &at->element(i);
    } else if (!(at = at->find_member(token))) {
      return false;
    }
  }
  return true;
}

Json::iterator Json::find(std::string_view key) {
  const auto place = std::as_const(*this).find(key);
  return begin() + (place - std::as_const(*this).begin());
}

Json::const_iterator Json::find(std::string_view key) const {
  std::size_t i = 0;
  if (const auto* members = std::get_if<Object>(&value_))
    while (i < members->size() && (*members)[i].first != key) ++i;
  else
    i = size();
  return {this, i};
}

Json& Json::entry(std::size_t i) {
  if (auto* list = std::get_if<Array>(&value_)) return (*list)[i];
  if (auto* members = std::get_if<Object>(&value_)) return (*members)[i].second;
  return *this;
}

std::string Json::entry_key(std::size_t i) const {
  if (const auto* members = std::get_if<Object>(&value_)) return (*members)[i].first;
  return is_array() ? std::to_string(i) : "";
}

// ----- changing -----

Json& Json::emplace_back(Json value) {
  if (is_null()) value_.emplace<Array>();
  auto* list = std::get_if<Array>(&value_);
  if (!list) cannot_use(311, "emplace_back()", *this);
  return list->emplace_back(std::move(value));
}

void Json::push_back(Json value) {
  if (!is_null() && !is_array()) cannot_use(308, "push_back()", *this);
  emplace_back(std::move(value));
}

void Json::push_back(std::initializer_list<Part> parts) {
  if (!is_object() || parts.size() != 2 || !parts.begin()->value.is_string()) return push_back(Json(parts));
  const std::string& key = parts.begin()->value.text();
  if (!contains(key)) member(key) = std::move(parts.begin()[1].value);
}

std::size_t Json::erase(std::string_view key) {
  auto* members = std::get_if<Object>(&value_);
  if (!members) cannot_use(307, "erase()", *this);
  return std::erase_if(*members, [&](const auto& member) { return member.first == key; });
}

void Json::update(const Json& other) {
  if (is_null()) value_.emplace<Object>();
  if (!is_object()) cannot_use(312, "update()", *this);
  if (!other.is_object()) cannot_use(312, "update()", other);
  for (const auto& [key, value] : std::get<Object>(other.value_)) member(key) = value;
}

// ----- as a whole -----

Json Json::sorted() const {
  Json json = *this;
  for (Json& entry : json)
    if (entry.is_array() || entry.is_object()) entry = entry.sorted();
  if (auto* members = std::get_if<Object>(&json.value_))
    std::sort(members->begin(), members->end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return json;
}

namespace {

// Numbers of different kinds.
std::partial_ordering compare_numbers(const Json& a, const Json& b) {
  if (a.is_number_float() || b.is_number_float()) return a.get<double>() <=> b.get<double>();
  return a.get<std::int64_t>() <=> b.get<std::int64_t>();
}

}  // namespace

bool operator==(const Json& a, const Json& b) {
  if (a.value_.index() == b.value_.index()) return a.value_ == b.value_;
  return a.is_number() && b.is_number() && compare_numbers(a, b) == 0;
}

std::partial_ordering operator<=>(const Json& a, const Json& b) {
  if (a.value_.index() == b.value_.index()) return a.value_ <=> b.value_;
  if (a.is_number() && b.is_number()) return compare_numbers(a, b);
  constexpr int ranks[] = {0, 1, 2, 2, 2, 5, 4, 3};  // by kind; objects and lists before text
  return ranks[a.value_.index()] <=> ranks[b.value_.index()];
}

}  // namespace daelab
