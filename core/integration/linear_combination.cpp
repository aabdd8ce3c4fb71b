#include "core/integration/linear_combination.hpp"

namespace daelab {
namespace {

// The next components from `first` on, as long as `width` of them are left; the first that is not done.
template <int width>
Index add_packs(const double* start, const WeightedColumns<double>& terms, Index first, Index size, double* sum) {
  using Pack = Eigen::Array<double, width, 1>;
  for (; first + width <= size; first += width) {
    Pack x = Eigen::Map<const Pack>(start + first);
    for (std::size_t j = 0; j < terms.count; ++j)
      x += terms.factors[j] * Eigen::Map<const Pack>(terms.columns[j] + first);
    Eigen::Map<Pack>(sum + first) = x;
  }
  return first;
}

template <int... widths>
Index add_packs_of(const double* start, const WeightedColumns<double>& terms, Index size, double* sum) {
  Index first = 0;
  ((first = add_packs<widths>(start, terms, first, size, sum)), ...);
  return first;
}

}  // namespace

template <>
void add_columns(const double* start, const WeightedColumns<double>& terms, Index size, double* sum) {
  // Any rest is one pack: one pass over the columns.
  const Index first = add_packs_of<12, 10, 8, 6, 4, 2>(start, terms, size, sum);
  add_columns_one_by_one(start, terms, first, size, sum);
}

}  // namespace daelab
