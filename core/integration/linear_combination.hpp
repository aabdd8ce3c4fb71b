// Sums of columns times factors, as the stages of Runge-Kutta methods are.
#pragma once

#include <type_traits>
#include <vector>

#include "core/base/scalar.hpp"

namespace daelab {

/// start + sum_j factor_j column_j. In double, up to eight components at a time are kept in registers over all columns,
/// where one addition after the other would go through memory; the bits are the same.
template <class T>
class LinearCombination {
 public:
  /// Allocates for so many terms.
  explicit LinearCombination(Index most_terms)
      : factors_(static_cast<std::size_t>(most_terms)), columns_(static_cast<std::size_t>(most_terms)) {}

  void clear() { terms_ = 0; }
  /// The column is read when the sum is asked for. Zero factors are left out.
  void add(const T& factor, const T* column) {
    if (factor == T(0)) return;
    factors_[terms_] = factor, columns_[terms_] = column;
    ++terms_;
  }
  /// sum := start + all terms, `size` components each; `start` may be `sum`.
  void evaluate(const T* start, Index size, T* sum) const {
    Index first = 0;
    if constexpr (std::is_same_v<T, double>) {
      first = add_packs<8>(start, first, size, sum);
      first = add_packs<4>(start, first, size, sum);
      first = add_packs<2>(start, first, size, sum);
    }
    for (; first < size; ++first) {
      T x = start[first];
      for (std::size_t j = 0; j < terms_; ++j) x += factors_[j] * columns_[j][first];
      sum[first] = x;
    }
  }

 private:
  template <int width>
  Index add_packs(const T* start, Index first, Index size, T* sum) const {
    using Pack = Eigen::Array<T, width, 1>;
    for (; first + width <= size; first += width) {
      Pack x = Eigen::Map<const Pack>(start + first);
      for (std::size_t j = 0; j < terms_; ++j) x += factors_[j] * Eigen::Map<const Pack>(columns_[j] + first);
      Eigen::Map<Pack>(sum + first) = x;
    }
    return first;
  }

  std::size_t terms_ = 0;
  std::vector<T> factors_;
  std::vector<const T*> columns_;
};

}  // namespace daelab
