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
  /// All entries of a column, which may be an expression; in double two at a time where the largest size is asked for.
  void add_all(const auto& x) {
    if (squares_)
      for (const T& entry : x) add(entry);
    else if (x.size() > 0)
      add(x.cwiseAbs().template maxCoeff<Eigen::PropagateNaN>());
  }
  T value() const {
    using std::sqrt;
    return squares_ ? T(sqrt(value_)) : value_;
  }

 private:
  bool squares_;
  T value_{0};
};

/// The largest |x_i w_i|, NaN where one is; 0 of none. In double four at a time: their sum tells of a NaN, which their
/// maxima lose.
template <class T>
T largest_product(const T* x, const T* w, Index count) {
  NormOf<T> norm;
  Index i = 0;
  if constexpr (std::is_same_v<T, double>) {
    using Pack = Eigen::Array<double, 4, 1>;
    Pack largest = Pack::Zero(), sum = Pack::Zero();
    for (; i + 4 <= count; i += 4) {
      const Pack size = (Eigen::Map<const Pack>(x + i) * Eigen::Map<const Pack>(w + i)).abs();
      largest = largest.max(size);
      sum += size;
    }
    const double total = sum.sum();
    norm.add(total != total ? total : largest.maxCoeff());
  }
  for (; i < count; ++i) norm.add(T(x[i] * w[i]));
  return norm.value();
}

template <class T>
T max_norm(const Vector<T>& x) {
  NormOf<T> norm;
  norm.add_all(x);
  return norm.value();
}

}  // namespace daelab
