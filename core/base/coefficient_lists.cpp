#include "core/base/coefficient_lists.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/exact.hpp"
#include "core/base/input_error.hpp"

namespace daelab {

Vector<Real100> CoefficientLists::vector(const Json& json, const std::string& pointer, std::size_t size) {
  if (!json.is_array())
    throw InputError(pointer, fmt::format("expected a list of numbers, found {}", json.type_name()));
  if (json.size() != size)
    throw InputError(pointer,
                     fmt::format("has {} entries, must have {}: {} has {} rows", json.size(), size, leading_, size));
  Vector<Real100> result(static_cast<Index>(size));
  for (std::size_t i = 0; i < size; ++i) {
    const Exact number = exact_from_json(json[i], fmt::format("{}/{}", pointer, i));
    result[static_cast<Index>(i)] = number.value();
    if (const auto places = decimal_places(number.text()); places && *places >= rounded_) {
      digits_ = digits_ == 0 ? *places : std::min(digits_, *places);
      error_ += pow(Real100(10), 1 - *places);
    }
  }
  return result;
}

Matrix<Real100> CoefficientLists::matrix(const Json& json, const std::string& pointer, std::size_t rows,
                                         std::size_t columns) {
  if (!json.is_array() || json.empty()) throw InputError(pointer, "expected a list of rows, at least one");
  if (rows == 0) rows = json.size();
  if (json.size() != rows)
    throw InputError(pointer, fmt::format("has {} rows, must have {} as {} has", json.size(), rows, leading_));
  Matrix<Real100> result(static_cast<Index>(rows), static_cast<Index>(columns));
  for (std::size_t i = 0; i < rows; ++i)
    result.row(static_cast<Index>(i)) = vector(json[i], fmt::format("{}/{}", pointer, i), columns).transpose();
  return result;
}

}  // namespace daelab
