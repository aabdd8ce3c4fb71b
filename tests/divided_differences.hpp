// Differences as the memory of BDF has them.
#pragma once

#include <vector>

#include "core/base/real.hpp"

namespace daelab {

/// nabla^j x_n = tau_1 ... tau_j x[t_n, ..., t_(n-j)] of the values of a function, numbers or vectors, at these times.
template <class X>
std::vector<X> scaled_divided_differences(const std::vector<Real50>& times, std::vector<X> column) {
  std::vector<X> result{column[0]};
  Real50 product(1);
  for (std::size_t j = 1; j < times.size(); ++j) {
    for (std::size_t i = 0; i + j < times.size(); ++i)
      column[i] = (column[i] - column[i + 1]) / (times[i] - times[i + j]);
    product *= times[0] - times[j];
    result.push_back(product * column[0]);
  }
  return result;
}

}  // namespace daelab
