// Norms that keep a NaN, which std::max and Eigen's lpNorm lose: an iteration that made one must not look converged.
#pragma once

#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

#include "core/base/scalar.hpp"

namespace daelab {

/// For the unknowns in the test of an iteration: max and two as they are, scaled the max norm of their weighted effect.
enum class Norm { scaled, max, two };
inline std::vector<std::string> names_of(Norm) { return {"scaled", "max", "two"}; }

/// A norm of entries that come one by one: of Euclid for Norm::two, otherwise the largest size. 0 of none.
template <class T>
class NormOf {
 public:
  explicit NormOf(Norm norm = Norm::max) : squares_(norm == Norm::two) {}
  void add(const T& x) {
    using std::abs;
    if (squares_)
      value_ += x * x;
    else if (const T size = abs(x); size > value_ || size != size)
      value_ = size;
  }
  /// All entries of a column, which may be an expression; in double four at a time where the largest size is asked for.
  void add_all(const auto& x) {
    if constexpr (std::is_same_v<T, double>)
      if (!squares_ && x.size() >= 4) return add_packs(x);
    for (Index i = 0; i < x.size(); ++i) add(x[i]);
  }
  T value() const {
    using std::sqrt;
    return squares_ ? T(sqrt(value_)) : value_;
  }

 private:
  // The last four entries may be among those before. The sum tells of a NaN, which maxima lose.
  void add_packs(const auto& x) {
    using Pack = Eigen::Array<T, 4, 1>;
    Pack largest = x.template segment<4>(x.size() - 4).array().abs(), sum = largest;
    for (Index i = 0; i + 4 < x.size(); i += 4) {
      const Pack size = x.template segment<4>(i).array().abs();
      largest = largest.max(size);
      sum += size;
    }
    const T total = sum.sum();
    add(total != total ? total : largest.maxCoeff());
  }

  bool squares_;
  T value_{0};
};

template <class T>
T max_norm(const Vector<T>& x) {
  NormOf<T> norm;
  norm.add_all(x);
  return norm.value();
}

}  // namespace daelab
