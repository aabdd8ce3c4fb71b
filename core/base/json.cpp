#include "core/base/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <ostream>

#include "core/base/nlohmann_json.hpp"

namespace daelab {

using Parsed = nlohmann::ordered_json;
namespace {
// A token of a pointer as index of a list; beyond all lists when it is none.
std::size_t index_of(const std::string& token) {
  std::size_t index = 0;
  const char* end = token.data() + token.size();
  const auto [rest, error] = std::from_chars(token.data(), end, index);
  return error == std::errc() && rest == end && (token == "0" || token[0] != '0') ? index : SIZE_MAX;
}

Json from_nlohmann(Parsed&& parsed) {
  if (parsed.is_boolean()) return parsed.get<bool>();
  if (parsed.is_number_unsigned()) return parsed.get<std::uint64_t>();
  if (parsed.is_number_integer()) return parsed.get<std::int64_t>();
  if (parsed.is_number_float()) return parsed.get<double>();
  if (parsed.is_string()) return std::move(parsed.get_ref<std::string&>());
  if (parsed.is_null()) return {};
  if (parsed.is_array()) {
    std::vector<Json> list;
    for (Parsed& entry : parsed) list.push_back(from_nlohmann(std::move(entry)));
    return list;
  }
  Json json = Json::object();
  json.members().reserve(parsed.size());
  for (auto& [key, value] : parsed.get_ref<Parsed::object_t&>())
    json.members().emplace_back(key, from_nlohmann(std::move(value)));
  return json;
}

}  // namespace

Json::Json(std::nullptr_t) noexcept {}
void Json::set(auto x) { value_ = x; }
template void Json::set(bool);
template void Json::set(double);
template void Json::set(std::int64_t);
template void Json::set(std::uint64_t);
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
Json& Json::operator=(Json other) noexcept { return value_.swap(other.value_), *this; }
Json::Json(std::initializer_list<Part> parts) {
  const bool are_members = std::all_of(parts.begin(), parts.end(), [](const Part& part) {
    return part.value.is_array() && part.value.size() == 2 && part.value[0].is_string();
  });
  *this = are_members ? object(parts) : array(parts);
}

Json Json::array(std::initializer_list<Part> parts) {
  Array list;
  for (const Part& part : parts) list.push_back(std::move(part.value));
  return list;
}

Json Json::object(std::initializer_list<Part> parts) {
  Json json;
  json.value_.emplace<Object>().reserve(parts.size());
  for (const Part& part : parts) json.made(part.value.at(0).as<std::string>()) = std::move(part.value.at(1));
  return json;
}

const char* Json::type_name() const {
  constexpr const char* names[] = {"null", "boolean", "number", "number", "number", "string", "array", "object"};
  return names[value_.index()];
}

template <class T>
const T& Json::as() const {
  if (const T* x = std::get_if<T>(&value_)) return *x;
  Json wanted;
  wanted.value_ = T();
  throw exception(fmt::format("type must be {}, but is {}", wanted.type_name(), type_name()));
}
template const bool& Json::as() const;
template const std::string& Json::as() const;
template const Json::Array& Json::as() const;
template const Json::Object& Json::as() const;

// Whole numbers wrap, as nlohmann's do; of a real beyond them the conversion would be undefined.
template <class T>
T Json::number() const {
  if (is_number_integer()) return kind() == Kind::natural ? T(as<std::uint64_t>()) : T(as<std::int64_t>());
  const double x = as<double>();
  constexpr double begin = std::same_as<T, std::int64_t> ? -0x1p63 : 0, end = begin < 0 ? 0x1p63 : 0x1p64;
  if (std::integral<T> && !(x >= begin && x < end))
    throw exception("number is out of range of whole numbers: " + dump());
  return T(x);
}
template double Json::number() const;
template std::int64_t Json::number() const;
template std::uint64_t Json::number() const;

std::size_t Json::size() const {
  return is_array() ? as<Array>().size() : is_object() ? items().size() : is_null() ? 0 : 1;
}
const std::string& Json::text() const { return as<std::string>(); }

const Json* Json::begin() const { return is_null() ? nullptr : as<Array>().data(); }

const Json::Object& Json::items() const {
  static const Object none;
  return is_null() ? none : as<Object>();
}

const Json* Json::find(std::string_view key) const {
  if (is_object())
    for (const auto& [name, value] : items())
      if (name == key) return &value;
  return nullptr;
}

Json& Json::made(std::string_view key) {
  if (is_null()) value_.emplace<Object>();
  if (const Json* known = find(key)) return const_cast<Json&>(*known);
  return members().emplace_back(std::string(key), Json()).second;
}

Json& Json::made(std::size_t i) {
  if (is_null()) value_.emplace<Array>();
  if (i >= as<Array>().size()) std::get<Array>(value_).resize(i + 1);
  return std::get<Array>(value_)[i];
}

// Lists for numbers, otherwise objects; "-" is after the end of a list.
Json& Json::made(const json_pointer& pointer) {
  Json* at = this;
  for (const std::string& token : pointer.tokens) {
    const std::size_t i = token == "-" ? at->size() : index_of(token);
    const bool in_list = at->is_array() || (at->is_null() && i != SIZE_MAX);
    if (in_list && i == SIZE_MAX) throw exception(fmt::format("'{}' is no index", token));
    at = in_list ? &at->made(i) : &at->made(std::string_view(token));
  }
  return *at;
}

const Json* Json::find(const json_pointer& pointer) const {
  const Json* at = this;
  for (const std::string& token : pointer.tokens) {
    const std::size_t i = index_of(token);
    at = !at->is_array() ? at->find(token) : i < at->size() ? &at->as<Array>()[i] : nullptr;
    if (!at) break;
  }
  return at;
}

const Json& Json::found(std::string_view key) const {
  const Json* known = as<Object>().empty() ? nullptr : find(key);
  return known ? *known : throw exception(fmt::format("key '{}' not found", key));
}

const Json& Json::found(std::size_t i) const {
  return i < as<Array>().size() ? as<Array>()[i] : throw exception(fmt::format("array index {} is out of range", i));
}

const Json& Json::found(const json_pointer& pointer) const {
  if (const Json* known = find(pointer)) return *known;
  throw exception(fmt::format("nothing at '{}'", pointer.to_string()));
}

void Json::push_back(Json value) {
  if (is_null()) value_.emplace<Array>();
  const_cast<Array&>(as<Array>()).push_back(std::move(value));
}
void Json::erase(std::string_view key) {
  std::erase_if(members(), [&](const auto& member) { return member.first == key; });
}

void Json::erase(const json_pointer& pointer) {
  if (pointer.tokens.empty()) throw exception("a document cannot be erased from itself");
  json_pointer parent = pointer;
  parent.tokens.pop_back();
  at(parent).erase(pointer.tokens.back());
}

void Json::update(const Json& other) {
  if (is_null()) value_.emplace<Object>();
  for (const auto& [key, value] : other.items()) made(std::string_view(key)) = value;
}

std::ostream& operator<<(std::ostream& out, const Json& json) { return out << json.dump(-1, Json::Utf8::replace); }

Json::json_pointer::json_pointer(const std::string& text) {
  try {
    for (Parsed::json_pointer rest(text); !rest.empty(); rest.pop_back()) tokens.insert(tokens.begin(), rest.back());
  } catch (const Parsed::exception& error) {
    throw translated(error);
  }
}

Json::json_pointer Json::json_pointer::operator/(std::string token) const {
  json_pointer longer = *this;
  longer.tokens.push_back(std::move(token));
  return longer;
}

std::string Json::json_pointer::to_string() const {
  Parsed::json_pointer pointer;
  for (const std::string& token : tokens) pointer /= token;
  return pointer.to_string();
}

Json Json::flatten() const { return from_nlohmann(to_nlohmann(*this).flatten()); }
Json Json::diff(const Json& from, const Json& to) {
  return from_nlohmann(nlohmann::json::diff(to_nlohmann(from), to_nlohmann(to)));
}

bool operator==(const Json& a, const Json& b) {
  if (a.value_.index() == b.value_.index()) return a.value_ == b.value_;
  if (!a.is_number() || !b.is_number()) return false;
  const bool real = a.is_number_float() || b.is_number_float();
  return real ? a.get<double>() == b.get<double>() : a.get<std::int64_t>() == b.get<std::int64_t>();
}

}  // namespace daelab
