// A function of time and of what moves with it, evaluated over intervals of time.
#pragma once

#include <vector>

#include "core/expressions/enclosure.hpp"
#include "core/expressions/graph.hpp"

namespace daelab {

/// Encloses one expression and its slope, along inputs that are enclosed. Not thread-safe; run() does not allocate.
class EnclosingProgram {
 public:
  EnclosingProgram(const Graph& graph, const Expression& function);

  /// An input of the expression: its place among the blocks of inputs, and the step of its enclosure, which set() takes
  /// before run().
  struct Place {
    int block, index;
    std::size_t step;
  };
  const std::vector<Place>& inputs() const { return inputs_; }
  void set(const Place& input, const Enclosure& enclosure) { steps_[input.step].result = enclosure; }
  const Enclosure& run();

 private:
  struct Step {
    Operation operation;
    std::size_t a, b, c;
    Enclosure result;
  };
  std::vector<Step> steps_;  // operands come first; constants and inputs have their results
  std::vector<Place> inputs_;
};

/// Whether an expression depends on inputs of this block.
bool depends_on_block(const Graph& graph, const Expression& x, int block);
/// Whether it depends on inputs of other blocks.
bool depends_on_others(const Graph& graph, const Expression& x, int block);

}  // namespace daelab
