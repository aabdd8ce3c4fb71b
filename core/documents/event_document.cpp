#include "core/documents/event_document.hpp"

#include <fmt/format.h>

#include <map>

#include "core/base/json_kind.hpp"
#include "core/base/options.hpp"

namespace daelab {
namespace {

Crossing direction(const Json& event, const std::string& where) {
  if (!event.contains("direction")) return Crossing::either;
  const Json& value = event["direction"];
  if (value.is_number_integer() && value == 1) return Crossing::rising;
  if (value.is_number_integer() && value == -1) return Crossing::falling;
  if (value.is_number_integer() && value == 0) return Crossing::either;
  throw InputError(
      where, fmt::format("{} is not allowed; allowed: 1 (its function rises), -1 (falls), 0 (either)", value.dump()));
}

Consequence consequence(const Json& json, const EventDocument& event, const std::string& where) {
  const std::map<std::string, Consequence> known{{"stop", Consequence::stop},
                                                 {"observe", Consequence::observe},
                                                 {"jump", Consequence::jump},
                                                 {"impact", Consequence::impact}};
  if (!json.contains("consequence")) return event.then.empty() ? Consequence::observe : Consequence::jump;
  const std::string text = require(JsonKind::text, json["consequence"], where).get<std::string>();
  const auto found = known.find(text);
  if (found == known.end()) {
    throw InputError(where, fmt::format("'{}' is not allowed{} (allowed: stop, observe, jump, impact)", text,
                                        did_you_mean(text, {"stop", "observe", "jump", "impact"})));
  }
  const bool changes = text == "jump" || text == "impact";
  if (changes && event.then.empty()) throw InputError(where, "a " + text + " needs \"then\": what changes");
  if (!changes && !event.then.empty()) throw InputError(where, "'" + text + "' and \"then\" exclude each other");
  if (text == "impact" && event.event.crossing != Crossing::falling)
    throw InputError(where, "the function of an impact falls to zero: \"direction\": -1");
  return found->second;
}

EventDocument read_event(const std::string& name, const Json& json, const std::string& where,
                         const IndexedTexts::Bindings& bindings, const DocumentTexts& texts,
                         const std::vector<std::string>& unknowns) {
  check_keys(json, {"function", "direction", "then", "consequence"}, where);
  if (!json.contains("function")) throw InputError(where + "/function", "is missing: its zero is the event");
  EventDocument result{{name},
                       texts.expression(json["function"], where + "/function", bindings),
                       {},
                       where,
                       json.contains("consequence")};
  result.event.crossing = direction(json, where + "/direction");
  if (json.contains("then")) {
    result.then = texts.named(json["then"], where + "/then", bindings);
    check_names(result.then, unknowns, where + "/then", "name");
  }
  result.event.consequence = consequence(json, result, where + "/consequence");
  return result;
}

}  // namespace

std::vector<EventDocument> read_events(const Json& events, const std::string& where, const DocumentTexts& texts,
                                       const std::vector<std::string>& unknowns) {
  std::vector<EventDocument> list;
  for (const auto& [name, event] : require(JsonKind::object, events, where).items()) {
    const std::string own = where + "/" + name;
    const IndexedTexts::Loops loops = texts.loops(name, own);
    for (const IndexedTexts::Bindings& bindings : loops.bindings)
      list.push_back(read_event(texts.expanded(loops.text, own, bindings), event, own, bindings, texts, unknowns));
  }
  return list;
}

}  // namespace daelab
