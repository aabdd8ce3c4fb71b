#include <fmt/format.h>

#include <algorithm>

#include "core/base/limits.hpp"
#include "core/base/nlohmann_json.hpp"

namespace daelab {

using Parsed = nlohmann::ordered_json;

Json::exception translated(const nlohmann::detail::exception& error) {
  const std::string what = error.what();
  const auto* syntax = dynamic_cast<const Parsed::parse_error*>(&error);
  return Json::exception(what.substr(what.find("] ") + 2), syntax ? syntax->byte : 0);
}

Parsed to_nlohmann(const Json& json) {
  if (json.is_array()) {
    Parsed::array_t list;
    list.reserve(json.size());
    for (const Json& entry : json) list.push_back(to_nlohmann(entry));
    return list;
  }
  if (json.is_object()) {
    Parsed::object_t members;
    members.reserve(json.size());
    for (const auto& [key, value] : json.items()) members.emplace_back(key, to_nlohmann(value));
    return members;
  }
  if (json.is_string()) return json.text();
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_unsigned()) return json.get<std::uint64_t>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  return json.is_null() ? Parsed() : Parsed(json.get<double>());
}

Json::json_pointer JsonBuilder::pointer() const {
  Json::json_pointer pointer;
  for (const Level& level : levels_) pointer.tokens.push_back(token(level));
  return pointer;
}

std::string JsonBuilder::token(const Level& level) const {
  if (level.container->is_array()) {
    const bool has_begun = &level != &levels_.back();  // the element that is read: a container in the list already
    return std::to_string(level.container->size() - (has_begun ? 1 : 0));
  }
  for (const auto& [key, value] : level.container->items())
    if (&value == level.member) return key;
  return "";
}

Json& JsonBuilder::place() {
  if (levels_.empty()) return root_;
  const Level& level = levels_.back();
  if (level.container->is_object()) return *level.member;
  level.container->push_back(Json());
  return level.container->back();
}

bool JsonBuilder::open(Json container) {
  if (static_cast<long>(levels_.size()) >= limits().nesting)
    throw Json::exception(fmt::format("nested more than {} levels deep {}", limits().nesting, limit_hint("nesting")));
  Json& made = place();
  made = std::move(container);
  levels_.push_back({&made});
  return true;
}

bool JsonBuilder::key(std::string& name) {
  Level& level = levels_.back();
  if (const Json* known = level.container->find(name)) {
    level.member = const_cast<Json*>(known);
    repeated_key();
  } else {
    level.member = &level.container->members().emplace_back(std::move(name), Json()).second;
  }
  return true;
}

bool JsonBuilder::parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) {
  if (const auto* syntax = dynamic_cast<const Parsed::parse_error*>(&error)) throw *syntax;
  throw dynamic_cast<const Parsed::out_of_range&>(error);
}

namespace {

// Structure is written here, numbers and texts by nlohmann's serializer: a conversion of the whole would copy it.
class JsonWriter {
 public:
  JsonWriter(int indent, Parsed::error_handler_t handler)
      : indent_(indent), leaves_(nlohmann::detail::output_adapter<char>(text_), ' ', handler) {}

  void write(const Json& json, std::size_t level) {
    if (json.is_object())
      write_parts(json.items(), '{', '}', level, [&](const auto& member) {
        write_text(member.first);
        text_ += indent_ < 0 ? ":" : ": ";
        write(member.second, level + 1);
      });
    else if (json.is_array())
      write_parts(json, '[', ']', level, [&](const Json& element) { write(element, level + 1); });
    else if (json.is_string())
      write_text(json.text());
    else
      write_leaf(to_nlohmann(json));
  }
  std::string take() { return std::move(text_); }

 private:
  void write_parts(const auto& parts, char begin, char end, std::size_t level, const auto& write_part) {
    text_ += begin;
    bool is_first = true;
    for (const auto& part : parts) {
      if (!is_first) text_ += ',';
      is_first = false;
      break_line(level + 1);
      write_part(part);
    }
    if (!is_first) break_line(level);
    text_ += end;
  }
  void break_line(std::size_t level) {
    if (indent_ < 0) return;
    text_ += '\n';
    text_.append(level * static_cast<std::size_t>(indent_), ' ');
  }
  void write_text(const std::string& text) {
    const auto is_plain = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
    if (!std::ranges::all_of(text, is_plain)) return write_leaf(text);
    text_ += '"';
    text_ += text;
    text_ += '"';
  }
  void write_leaf(const Parsed& leaf) { leaves_.dump(leaf, false, false, 0); }

  const int indent_;
  std::string text_;
  nlohmann::detail::serializer<Parsed> leaves_;
};

}  // namespace

Json Json::parse(std::string_view text) {
  struct Builder final : JsonBuilder {
  } builder;
  try {
    Parsed::sax_parse(text, &builder);
  } catch (const Parsed::exception& error) {
    throw translated(error);
  }
  return builder.take();
}

std::optional<Json> Json::try_parse(std::string_view text) {
  try {
    return parse(text);
  } catch (const exception&) {
    return std::nullopt;
  }
}

std::string Json::dump(int indent, Utf8 invalid) const {
  JsonWriter writer(indent,
                    invalid == Utf8::strict ? Parsed::error_handler_t::strict : Parsed::error_handler_t::replace);
  try {
    writer.write(*this, 0);
  } catch (const Parsed::exception& error) {
    throw translated(error);
  }
  return writer.take();
}

}  // namespace daelab
