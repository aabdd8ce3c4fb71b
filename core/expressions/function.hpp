// Functions: expressions of some arguments, made functions of numbers for use outside models.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/expressions/graph.hpp"
#include "core/expressions/program.hpp"

namespace daelab {

/// R^k -> R^l over T, evaluated by an interpreter. Any number of threads may call it.
template <class T>
class Function {
 public:
  /// values: of k inputs; called once, within a recording.
  Function(int k, const std::function<Expressions(const Expressions& x)>& values) {
    Graph graph;
    const RecordingScope scope(graph);
    Expressions x;
    for (int i = 0; i < k; ++i) x.push_back(graph.input(0, i, "x" + std::to_string(i + 1)));
    std::vector<Output> outputs;
    for (const Expression& value : values(x)) outputs.push_back({value, 0, static_cast<int>(outputs.size())});
    size_ = outputs.size();
    program_ = make_interpreter<T>(make_tape(graph, outputs));
  }

  /// x: k numbers. The result: l numbers.
  std::vector<T> operator()(const std::vector<T>& x) const {
    std::vector<T> values(size_), work(program_->work_size());
    const T* inputs = x.data();
    T* results = values.data();
    program_->run(&inputs, &results, work.data());
    return values;
  }

 private:
  std::size_t size_;
  std::unique_ptr<Program<T>> program_;
};

}  // namespace daelab
