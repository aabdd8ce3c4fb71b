#include "core/base/spec_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/base/coefficient_document.hpp"
#include "core/base/input_error.hpp"
#include "core/base/json_file.hpp"
#include "core/base/paths.hpp"

namespace daelab {
namespace {

Json parse_value(const std::string& text) {
  const std::optional<Json> value = Json::try_parse(text);
  // 0.1 stays text: its decimal digits must not pass through a double.
  return value && !value->is_number_float() ? *value : Json(text);
}

// key=value,key=value from a place of the text on.
Json parse_pairs(const std::string& text, std::size_t begin, const std::string& where) {
  Json pairs = Json::object();
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string pair = text.substr(begin, end - begin);
    const auto equals = pair.find('=');
    if (equals == std::string::npos || equals == 0)
      throw InputError(where, fmt::format("'{}' in '{}' is not key=value; write name:key=value,key=value", pair, text));
    const std::string key = pair.substr(0, equals);
    if (pairs.contains(key)) throw InputError(where, fmt::format("'{}' is given twice in '{}'", key, text));
    pairs[key] = parse_value(pair.substr(equals + 1));
    begin = end + 1;
  }
  return pairs;
}

// Values for a file go where it has such a key: among its parameters, or beside them.
void set_values(Json& document, const Json& values) {
  const bool has_parameters =
      document.is_object() && document.contains("parameters") && document["parameters"].is_object();
  for (const auto& [key, value] : values.items())
    (has_parameters && document["parameters"].contains(key) ? document["parameters"] : document)[key] = value;
}

Json parse_file_spec(const std::string& text, const std::string& where) {
  const std::string path = spec_file(text);
  require_copy(path);
  Json spec = read_json_file(path);
  const std::size_t end = path.size() + (text.starts_with('@') ? 1 : 0);
  if (end < text.size()) set_values(spec, parse_pairs(text, end + 1, where));
  return spec;
}

Json parse_spec_text(const std::string& text, const std::string& where) {
  if (!spec_file(text).empty()) return parse_file_spec(text, where);
  const auto colon = text.find(':');
  Json spec = {{"name", text.substr(0, colon)}};
  if (colon == std::string::npos) return spec;
  const Json pairs = parse_pairs(text, colon + 1, where);
  if (pairs.contains("name")) throw InputError(where, fmt::format("'name' is given twice in '{}'", text));
  spec.update(pairs);
  return spec;
}

}  // namespace

Json spec_object(const Json& spec, const std::string& where) {
  Json object = spec.is_string() ? parse_spec_text(spec.get<std::string>(), where) : spec;
  if (!object.is_object()) throw InputError(where, "expected a name, name:key=value, file.json or an object");
  if (spec.is_string() || !object.contains("name") || !object["name"].is_string()) return object;
  const std::string name = object["name"];
  if (spec_file(name).empty()) return object;
  object.erase("name");
  Json document = parse_file_spec(name, where);
  set_values(document, object);
  return document;
}

Json parse_spec(const Json& spec, const std::string& where) {
  Json object = spec_object(spec, where);
  if (!object.contains("name") || !object["name"].is_string())
    throw InputError(where, "an object here needs a \"name\"");
  return object;
}

std::string spec_file(const std::string& spec) {
  const std::size_t begin = spec.starts_with('@') ? 1 : 0, options = spec.find(".json:");
  const bool is_json = options != std::string::npos || spec.ends_with(".json");
  const std::string file = spec.substr(begin, options == std::string::npos ? options : options + 5 - begin);
  // A file without "@" must look like one: in "adams-pece:start=@my.json" it is the value of an option.
  return begin == 1 || (is_json && file.find('=') == std::string::npos) ? file : "";
}

bool names_a_file(const Json& spec) {
  if (spec.is_array()) return std::ranges::any_of(spec, names_a_file);
  if (spec.is_object())
    return std::ranges::any_of(spec.items(), [](const auto& member) { return names_a_file(member.second); });
  return spec.is_string() && (!spec_file(spec.text()).empty() || spec.text().find("=@") != std::string::npos);
}

bool is_problem_document(const Json& json) {
  if (!json.is_object()) return false;
  return (json.contains("coordinates") && json["coordinates"].is_array()) ||
         (json.contains("joints") && json["joints"].is_object()) ||
         (json.contains("rotations") && json["rotations"].is_object()) ||
         (json.contains("states") && json["states"].is_object()) ||
         (json.contains("algebraic") && json["algebraic"].is_object());
}

Json short_spec(const Json& spec) {
  const bool is_tableau = holds_coefficients(spec);
  if (!is_tableau && !is_problem_document(spec)) return spec;
  Json result = {{"name", spec.value("name", "")}};
  if (!is_tableau && spec.contains("parameters") && spec["parameters"].is_object()) result.update(spec["parameters"]);
  return result;
}

std::string spec_text(const Json& given) {
  const Json spec = short_spec(given);
  std::string text = spec.value("name", "");
  char separator = ':';
  for (const auto& [key, value] : spec.items()) {
    if (key == "name" || value.is_null()) continue;
    text += fmt::format("{}{}={}", separator, key, value.is_string() ? value.get<std::string>() : value.dump());
    separator = ',';
  }
  return text;
}

}  // namespace daelab
