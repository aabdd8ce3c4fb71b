// What the expressions of a problem file depend on.
#pragma once

#include <map>
#include <string>

#include "core/mechanism/recording.hpp"

namespace daelab {

class Dependencies {
 public:
  Dependencies(const Graph& graph, const Expression& x) {
    for (const Node node : dependencies(graph, {&x, 1}))
      if (graph[node].operation == Operation::input)
        names_.emplace(graph.input_of(node).block, graph.input_of(node).name);
  }
  /// One of them; null: none.
  const std::string* on(InputBlock block) const {
    const auto found = names_.find(static_cast<int>(block));
    return found == names_.end() ? nullptr : &found->second;
  }

 private:
  std::map<int, std::string> names_;
};

inline const char* kind_of(InputBlock block) {
  switch (block) {
    case InputBlock::time:
      return "the time";
    case InputBlock::q:
      return "a coordinate";
    case InputBlock::v:
      return "a velocity";
    default:
      return "a state";
  }
}

}  // namespace daelab
