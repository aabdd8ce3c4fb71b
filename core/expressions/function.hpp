// Functions: expressions of some arguments, made functions of numbers for use outside models.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/expressions/program.hpp"

namespace daelab {

/// R^k -> R^l, evaluated by an interpreter. T: Real50, Real100. Any number of threads may call it.
template <class T>
class Function {
 public:
  /// values: of k inputs; called once, within a recording.
  Function(int k, const std::function<Expressions(const Expressions& x)>& values);
  /// x: k numbers. The result: l numbers.
  std::vector<T> operator()(const std::vector<T>& x) const;

 private:
  std::size_t size_;
  std::unique_ptr<Program<T>> program_;
};

}  // namespace daelab
