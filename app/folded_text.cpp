#include "app/folded_text.hpp"

#include <functional>

namespace daelab::app {
namespace {

// The entries of a list, those of an object with their keys, between brackets.
std::string joined(const Json& json, const std::string& begin, const std::string& separator, const std::string& end,
                   const std::function<std::string(const Json& entry, std::size_t taken)>& text) {
  std::string all;
  const auto add = [&](const std::string& key, const Json& entry) {
    all += (all.empty() ? "" : separator) + key + text(entry, key.size());
  };
  if (json.is_object())
    for (const auto& [key, entry] : json.items()) add(Json(key).dump() + ": ", entry);
  else
    for (const Json& entry : json) add("", entry);
  return (json.is_object() ? "{" : "[") + begin + all + end + (json.is_object() ? "}" : "]");
}

std::string one_line(const Json& json) {
  if ((!json.is_object() && !json.is_array()) || json.empty()) return json.dump();
  return joined(json, "", ", ", "", [](const Json& entry, std::size_t) { return one_line(entry); });
}

// `taken` columns are taken by the key before it, and a comma may follow.
std::string folded(const Json& json, std::size_t columns, std::size_t indent, std::size_t taken) {
  const std::string line = one_line(json);
  if ((!json.is_object() && !json.is_array()) || json.empty() || indent + taken + line.size() + 1 <= columns)
    return line;
  const std::string inner(indent + 1, ' '), outer(indent, ' ');
  return joined(json, "\n" + inner, ",\n" + inner, "\n" + outer,
                [&](const Json& entry, std::size_t key) { return folded(entry, columns, indent + 1, key); });
}

}  // namespace

std::string folded_text(const Json& json, std::size_t columns) { return folded(json, columns, 0, 0); }

}  // namespace daelab::app
