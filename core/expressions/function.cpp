#include "core/expressions/function.hpp"

#include <string>

#include "core/expressions/graph.hpp"

namespace daelab {

template <class T>
Function<T>::Function(int k, const std::function<Expressions(const Expressions& x)>& values) {
  Graph graph;
  const RecordingScope scope(graph);
  Expressions x;
  for (int i = 0; i < k; ++i) x.push_back(graph.input(0, i, "x" + std::to_string(i + 1)));
  std::vector<Output> outputs;
  for (const Expression& value : values(x)) outputs.push_back({value, 0, static_cast<int>(outputs.size())});
  size_ = outputs.size();
  program_ = make_interpreter<T>(make_tape(graph, outputs));
}

template <class T>
std::vector<T> Function<T>::operator()(const std::vector<T>& x) const {
  std::vector<T> values(size_), work(program_->work_size());
  const T* inputs = x.data();
  T* results = values.data();
  program_->run(&inputs, &results, work.data());
  return values;
}

template class Function<Real50>;
template class Function<Real100>;

}  // namespace daelab
