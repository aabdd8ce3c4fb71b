#include "core/integration/linear_combination.hpp"

namespace daelab {
namespace {

using Terms = WeightedColumns<double>;

template <int width>
void add_pack(const double* start, const Terms& terms, Index first, double* sum) {
  using Pack = Eigen::Array<double, width, 1>;
  Pack x = Eigen::Map<const Pack>(start + first);
  for (std::size_t j = 0; j < terms.count; ++j)
    x += terms.factors[j] * Eigen::Map<const Pack>(terms.columns[j] + first);
  Eigen::Map<Pack>(sum + first) = x;
}

}  // namespace

template <>
void add_columns(const double* start, const Terms& terms, Index size, double* sum) {
  Index first = 0;
  for (; first + 12 <= size; first += 12) add_pack<12>(start, terms, first, sum);
  switch ((size - first) / 2) {
    case 5:
      add_pack<10>(start, terms, first, sum), first += 10;
      break;
    case 4:
      add_pack<8>(start, terms, first, sum), first += 8;
      break;
    case 3:
      add_pack<6>(start, terms, first, sum), first += 6;
      break;
    case 2:
      add_pack<4>(start, terms, first, sum), first += 4;
      break;
    case 1:
      add_pack<2>(start, terms, first, sum), first += 2;
      break;
    default:
      break;
  }
  for (; first < size; ++first) {
    double x = start[first];
    for (std::size_t j = 0; j < terms.count; ++j) x += terms.factors[j] * terms.columns[j][first];
    sum[first] = x;
  }
}

}  // namespace daelab
