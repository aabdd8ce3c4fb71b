#include "results/expression_value.hpp"

#include <fmt/format.h>

#include "core/documents/indexed_text.hpp"
#include "core/expressions/graph.hpp"
#include "core/expressions/parse.hpp"

namespace daelab {

double expression_value(const std::string& text, const NamedValues& values) {
  Graph graph;
  const RecordingScope scope(graph);
  IndexedTexts texts;
  Names names;
  for (const auto& [name, x] : values.numbers) names.emplace(name, Expression(Real100(x)));
  for (const auto& [name, list] : values.lists) {
    texts.add_vector(name, {static_cast<long>(list.size())});
    const std::vector<std::string> entries = texts.entries(name);
    for (std::size_t i = 0; i < list.size(); ++i) names.emplace(entries[i], Expression(Real100(list[i])));
  }
  return static_cast<double>(constant_value(parse_expression(texts.expanded(text), names)));
}

std::string refusal_of_each(const NamedValues& values) {
  if (values.lists.empty()) return "\"each\" needs a list";
  const auto& [first, as_many] = *values.lists.begin();
  for (const auto& [name, list] : values.lists)
    if (list.size() != as_many.size())
      return fmt::format("{} has {} entries, and {} has {}", first, as_many.size(), name, list.size());
  return "";
}

std::vector<double> expression_values(const std::string& text, const NamedValues& values) {
  std::vector<double> results;
  NamedValues entries{values.numbers, {}};
  for (std::size_t i = 0; i < values.lists.begin()->second.size(); ++i) {
    for (const auto& [name, list] : values.lists) entries.numbers[name] = list[i];
    results.push_back(expression_value(text, entries));
  }
  return results;
}

}  // namespace daelab
