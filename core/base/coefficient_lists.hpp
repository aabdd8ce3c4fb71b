// Lists of coefficients in JSON documents, exact or rounded, with their places in errors.
#pragma once

#include <string>

#include "core/base/json.hpp"
#include "core/base/scalar.hpp"

namespace daelab {

/// Places from which on decimals are rounded, and from which on they can be: 1/1024 has ten, and is not rounded.
inline constexpr int surely_rounded_places = 14, possibly_rounded_places = 8;

/// Reads vectors and matrices of exact numbers. Decimals of `rounded` places and more are rounded ones.
class CoefficientLists {
 public:
  /// `leading`: the list whose rows the others must have as many entries as.
  explicit CoefficientLists(std::string leading, int rounded = surely_rounded_places)
      : leading_(std::move(leading)), rounded_(rounded) {}

  /// Reads a list of `size` numbers. Throws InputError under `pointer` for anything else.
  Vector<Real100> vector(const Json& json, const std::string& pointer, std::size_t size);
  /// `rows`: 0 for any number.
  Matrix<Real100> matrix(const Json& json, const std::string& pointer, std::size_t rows, std::size_t columns);

  /// To which the weakest number so far is given; 0: all are exact.
  int digits() const { return digits_; }
  /// How far all numbers so far may be off together, one unit of the last place each.
  const Real100& error() const { return error_; }

 private:
  std::string leading_;
  int rounded_;
  int digits_ = 0;
  Real100 error_{0};
};

}  // namespace daelab
