#include "core/documents/definitions.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace daelab {

Expression parsed(const ExpressionText& text, const Names& names) {
  try {
    return parse_expression(text.text, names);
  } catch (const NoValue& error) {
    throw NoValue(text.where, error.what());
  } catch (const InputError& error) {
    throw InputError(text.where, error.what());
  }
}

void Definitions::read(const std::string& wanted, Names& names) const {
  std::vector<Open> way;
  std::set<std::string> on_way;
  open(wanted, names, way, on_way);
  while (!way.empty()) {
    Open& last = way.back();
    if (last.next < last.needs.size()) {
      const std::string need = last.needs[last.next++];
      open(need, names, way, on_way);
    } else {
      names.insert_or_assign(last.name, parsed(texts_.at(last.name), names));
      on_way.erase(last.name);
      way.pop_back();
    }
  }
}

bool Definitions::needs(const std::string& name, const std::string& other) const {
  std::set<std::string> known;
  std::vector<std::string> open{name};
  while (!open.empty()) {
    const auto text = texts_.find(open.back());
    open.pop_back();
    if (text == texts_.end()) continue;
    for (const std::string& need : names_in(text->second.text))
      if (known.insert(need).second) open.push_back(need);
  }
  return known.contains(other);
}

void Definitions::open(const std::string& name, const Names& names, std::vector<Open>& way,
                       std::set<std::string>& on_way) const {
  const auto text = texts_.find(name);
  if (text == texts_.end() || names.contains(name)) return;
  if (!on_way.insert(name).second) {
    constexpr std::ptrdiff_t most_named = 10;
    std::string cycle;
    const auto begin = std::ranges::find(way, name, &Open::name);
    for (auto at = begin; at != way.end() && at - begin < most_named; ++at) cycle += at->name + " -> ";
    if (way.end() - begin > most_named) cycle += "... -> ";
    throw InputError(text->second.where, fmt::format("definitions in a cycle: {}{}", cycle, name));
  }
  way.push_back({name, names_in(text->second.text)});
}

}  // namespace daelab
