#include "core/mechanism/state_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "core/mechanism/forms.hpp"
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

// An object with a member for each "name=value", or a list.
Json from_text(const std::string& text, const std::string& where) {
  const std::vector<std::string> parts = comma_separated(text);
  if (parts.front().find('=') == std::string::npos) return parts;
  Json values = Json::object();
  for (const std::string& part : parts) {
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos || equals == 0)
      throw InputError(where, fmt::format("'{}' is not name=value", part));
    const std::string name = part.substr(0, equals);
    if (values.contains(name)) throw InputError(where, fmt::format("'{}' is given twice", name));
    values[name] = part.substr(equals + 1);
  }
  return values;
}

Exact number(const Json& value, const std::string& where) {
  if (!value.is_number() && !value.is_string())
    throw InputError(where, "expected a number, or an exact one as text such as \"1/3\", got " + value.dump());
  return exact_from_json(value, where);
}

std::vector<NamedValue> of_list(const Json& list, const std::vector<StateEntry>& entries, const std::string& where) {
  if (list.size() != entries.size())
    throw InputError(where, fmt::format("{} values given, {} needed", list.size(), entries.size()));
  std::vector<NamedValue> values;
  for (std::size_t i = 0; i < entries.size(); ++i)
    values.push_back({entries[i].name, entries[i].place, number(list[i], where)});
  return values;
}

}  // namespace

std::vector<std::string> comma_separated(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

StateNames::StateNames(const Problem& problem) {
  const auto recorded = problem.recorded();
  const Recording& recording = recorded->mode(recorded->start_mode()).recording();
  std::vector<std::string> state_names = recording.state_names;
  const auto n = static_cast<Index>(recording.coordinate_names.size());
  if (n > 0) state_names.resize(state_names.size() - static_cast<std::size_t>(recording.algebraic_states));
  const auto states = static_cast<Index>(state_names.size());
  const auto add = [&](char kind, const std::vector<std::string>& own, const char* mark, Index first) {
    for (std::size_t i = 0; i < own.size(); ++i)
      entries_.push_back({kind, fmt::format("{}{}", kind, i + 1), own[i] + mark, first + static_cast<Index>(i)});
  };
  add('q', recording.coordinate_names, "", 0);
  add('v', recording.coordinate_names, "'", n + states);
  add('y', state_names, "", n == 0 ? 0 : 2 * n + states);
  std::set<std::string> taken;
  for (const StateEntry& entry : entries_) taken.insert({entry.name, entry.name + "'"});
  for (StateEntry& entry : entries_)
    if (taken.contains(entry.own)) entry.own = "";
  add('a', recording.coordinate_names, "''", 0);
}

std::vector<StateEntry> StateNames::of(char kind) const {
  std::vector<StateEntry> result;
  std::ranges::copy_if(entries_, std::back_inserter(result), [&](const StateEntry& e) { return e.kind == kind; });
  return result;
}

// "q1 to q7 (also phi1, phi2, x3), v1 to v7"
std::string StateNames::known(std::string_view kinds) const {
  constexpr std::size_t most_shown = 12;
  std::vector<std::string> texts;
  for (const char kind : kinds) {
    const std::vector<StateEntry> entries = of(kind);
    if (entries.empty()) continue;
    std::vector<std::string> own;
    for (const StateEntry& entry : entries)
      if (!entry.own.empty() && own.size() <= most_shown) own.push_back(entry.own);
    if (own.size() > most_shown) own.back() = "...";
    texts.push_back(fmt::format("{} to {}{}", entries.front().name, entries.back().name,
                                own.empty() ? "" : fmt::format(" (also {})", fmt::join(own, ", "))));
  }
  return texts.empty() ? "none" : fmt::format("{}", fmt::join(texts, ", "));
}

const StateEntry& StateNames::find(std::string_view kinds, const std::string& name, const std::string& where) const {
  const auto one_with = [&](auto&& matches) {
    return std::ranges::find_if(entries_, [&](const StateEntry& entry) {
      return kinds.find(entry.kind) != std::string_view::npos && matches(entry);
    });
  };
  auto found = one_with([&](const StateEntry& entry) { return entry.name == name; });
  if (found == entries_.end() && !name.empty())
    found = one_with([&](const StateEntry& entry) { return entry.own == name; });
  if (const std::string marks = kinds == "v"   ? "'"
                                : kinds == "a" ? "''"
                                               : "";
      found == entries_.end() && !marks.empty())
    found = one_with([&](const StateEntry& entry) { return entry.own == name + marks; });
  if (found != entries_.end()) return *found;
  std::vector<std::string> candidates;
  for (const StateEntry& entry : entries_)
    if (kinds.find(entry.kind) != std::string_view::npos)
      for (const std::string& candidate : {entry.name, entry.own})
        if (!candidate.empty()) candidates.push_back(candidate);
  throw InputError(where, fmt::format("no '{}'{} (known: {})", name, did_you_mean(name, candidates), known(kinds)));
}

std::vector<NamedValue> read_named_values(const Json& given, const StateNames& names, std::string_view kinds,
                                          const std::string& where) {
  if (given.is_null()) return {};
  const Json values = given.is_string() ? from_text(given.get<std::string>(), where) : given;
  if (values.is_array() && kinds.size() == 1) return of_list(values, names.of(kinds.front()), where);
  if (!values.is_object())
    throw InputError(where, fmt::format("expected values by name, {{\"NAME\": V}} or \"NAME=V,...\"{}",
                                        kinds.size() == 1 ? ", or a list of all" : ""));
  std::vector<NamedValue> result;
  for (const auto& [name, value] : values.items()) {
    const StateEntry& entry = names.find(kinds, name, where);
    for (const NamedValue& other : result)
      if (other.place == entry.place) throw InputError(where, fmt::format("'{}' is given twice", entry.name));
    result.push_back({entry.name, entry.place, number(value, where + "/" + name)});
  }
  std::ranges::sort(result, {}, &NamedValue::place);
  return result;
}

Json to_json(const std::vector<NamedValue>& values) {
  Json json = Json::object();
  for (const NamedValue& value : values) json[value.name] = value.value.text();
  return json;
}

}  // namespace daelab
