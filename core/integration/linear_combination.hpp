// Sums of columns times factors, as the stages of Runge-Kutta methods are.
#pragma once

#include <vector>

#include "core/base/scalar.hpp"

namespace daelab {

/// Factors and as many columns.
template <class T>
struct WeightedColumns {
  const T* factors;
  const T* const* columns;
  std::size_t count;
};

/// sum := start + all terms, one after the other, of components first, ..., size - 1; `start` may be `sum`.
template <class T>
void add_columns_one_by_one(const T* start, const WeightedColumns<T>& terms, Index first, Index size, T* sum) {
  for (; first < size; ++first) {
    T x = start[first];
    for (std::size_t j = 0; j < terms.count; ++j) x += terms.factors[j] * terms.columns[j][first];
    sum[first] = x;
  }
}
/// Overload for `size` components. In double, up to twelve at a time are kept in registers over all columns, where one
/// addition after the other would go through memory; the bits are the same.
template <class T>
void add_columns(const T* start, const WeightedColumns<T>& terms, Index size, T* sum) {
  add_columns_one_by_one(start, terms, 0, size, sum);
}
template <>
void add_columns(const double* start, const WeightedColumns<double>& terms, Index size, double* sum);

/// Terms that are listed one by one.
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
  /// sum := start + all terms, as add_columns() has it.
  void evaluate(const T* start, Index size, T* sum) const {
    add_columns<T>(start, {factors_.data(), columns_.data(), terms_}, size, sum);
  }

 private:
  std::size_t terms_ = 0;
  std::vector<T> factors_;
  std::vector<const T*> columns_;
};

}  // namespace daelab
