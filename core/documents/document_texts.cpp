#include "core/documents/document_texts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "core/base/exact.hpp"
#include "core/base/json_kind.hpp"
#include "core/base/options.hpp"

namespace daelab {

void refuse_key(const std::string& key, const std::vector<std::string>& known, const std::string& where,
                const char* what) {
  throw InputError(where + "/" + key, fmt::format("unknown {} '{}'{} (known: {})", what, key, did_you_mean(key, known),
                                                  known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
}

void check_keys(const Json& object, const std::vector<std::string>& known, const std::string& where, const char* what) {
  for (const auto& [key, value] : require(JsonKind::object, object, where).items())
    if (std::ranges::find(known, key) == known.end()) refuse_key(key, known, where, what);
}

void check_names(const std::vector<NamedText>& list, const std::vector<std::string>& known, const std::string& where,
                 const char* what) {
  const std::unordered_set<std::string_view> names(known.begin(), known.end());
  for (const NamedText& x : list)
    if (!names.contains(x.name)) refuse_key(x.name, known, where, what);
}

static std::string text_of(const Json& json, const std::string& where) {
  if (json.is_string()) return json.get<std::string>();
  if (json.is_number()) return exact_from_json(json, where).text();
  throw InputError(where, fmt::format("expected an expression as text, such as \"m*g*y\", found {}", json.type_name()));
}

IndexedTexts::Loops DocumentTexts::loops(const std::string& text, const std::string& where,
                                         const Bindings& outer) const {
  return place_errors(where, [&] { return indices.loops(text, outer); });
}

std::string DocumentTexts::expanded(const std::string& text, const std::string& where, const Bindings& bindings) const {
  return place_errors(where, [&] { return indices.expanded(text, bindings); });
}

std::vector<std::string> DocumentTexts::copies(const std::string& text, const std::string& where,
                                               const Bindings& outer) const {
  std::vector<std::string> list;
  const IndexedTexts::Loops copies = loops(text, where, outer);
  for (const Bindings& bindings : copies.bindings) list.push_back(expanded(copies.text, where, bindings));
  return list;
}

ExpressionText DocumentTexts::expression(const Json& json, const std::string& where, const Bindings& bindings) const {
  return {expanded(text_of(json, where), where, bindings), where};
}

std::vector<ExpressionText> DocumentTexts::list(const Json& json, const std::string& where,
                                                const Bindings& outer) const {
  std::vector<ExpressionText> result;
  require(JsonKind::list, json, where);
  for (std::size_t i = 0; i < json.size(); ++i) {
    const std::string own = fmt::format("{}/{}", where, i);
    for (std::string& text : copies(text_of(json[i], own), own, outer)) result.push_back({std::move(text), own});
  }
  return result;
}

std::vector<NamedText> DocumentTexts::named(const Json& object, const std::string& where, const Bindings& outer) const {
  std::vector<NamedText> result;
  for (const auto& [name, value] : require(JsonKind::object, object, where).items()) {
    const std::string own = where + "/" + name;
    const IndexedTexts::Loops names = loops(name, own, outer);
    for (const Bindings& bindings : names.bindings)
      result.push_back({expanded(names.text, own, bindings), expression(value, own, bindings)});
  }
  return result;
}

}  // namespace daelab
