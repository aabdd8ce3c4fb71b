// Tolerances and what is made of them: the norm of errors, and the decision on a step.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#pragma once

#include <utility>
#include <vector>

#include "core/base/norm.hpp"
#include "core/equations/system.hpp"
#include "core/integration/state.hpp"

namespace daelab {

/// Error e of component i counts |e_i| / (relative |y_i| + absolute_i): one absolute tolerance for velocities, whose
/// unit is another, one for the rest, and one of its own for any component. [Ren20, eq. (35)]
template <class T>
struct Tolerances {
  T relative, absolute, absolute_velocity;
  std::vector<std::pair<Index, T>> absolute_of = {};  // by the place in y
};

/// The largest weighted component; 1 is as large as tolerated.
template <class T>
class ErrorNorm {
 public:
  ErrorNorm() = default;
  ErrorNorm(const Tolerances<T>& tolerances, const System<T>& system)
      : relative_(tolerances.relative),
        positions_(system.positions()),
        differential_(system.differential()),
        absolute_(Vector<T>::Constant(system.size(), tolerances.absolute)),
        inverse_weights_(Vector<T>::Ones(system.size())) {
    if (positions_ > 0) absolute_.tail(system.size() - positions_).setConstant(tolerances.absolute_velocity);
    for (const auto& [place, absolute] : tolerances.absolute_of) absolute_[place] = absolute;
  }

  /// Takes the weights from a state.
  void weigh(const Vector<T>& y) { inverse_weights_ = T(1) / (relative_ * y.array().abs() + absolute_.array()); }
  /// Norm of components first, ..., first + count - 1 of y, which are in x from `at` on. NaN where an entry is.
  T operator()(const auto& x, Index first, Index count, Index at) const {
    NormOf<T> norm;
    norm.add_all(x.segment(at, count).cwiseProduct(inverse_weights_.segment(first, count)));
    return norm.value();
  }
  /// For the differential components of x, shape (N).
  T operator()(const auto& x) const { return (*this)(x, 0, differential_, 0); }
  /// (N), of the state that was last weighed.
  const Vector<T>& inverse_weights() const { return inverse_weights_; }
  T positions(const auto& x) const { return (*this)(x, 0, positions_, 0); }

 private:
  T relative_{0};
  Index positions_ = 0, differential_ = 0;
  Vector<T> absolute_, inverse_weights_;
};

/// What is to become of a step that went through.
template <class T>
struct StepDecision {
  bool accepted = true;
  T h{0};               // size of the next step, or of another attempt at this one
  T error{0};           // the estimate; 1 is as large as tolerated
  int order = 0;        // of the formula used
  int exponent = 0;     // of h in the estimate; that of the error of a step is order + 1
  int smoothness = -1;  // numerical one of the solution, [Ren20, after eq. (86)]; -1: the method has no differences
  double amplification = 1;  // the error of a step over estimate^((order + 1)/exponent), where the method knows it
  double round_off = 0;      // what round-off alone may make of the estimate, where the method knows it
};

/// What to try instead of a step that failed.
template <class T>
struct Retry {
  T h{0};
  int order = 0;  // 0: the method's own choice
};

/// One attempt at a step, for observers: accepted, rejected by its error, or failed with a status.
template <class T>
struct StepAttempt {
  T t, h;  // from t to t + h
  Status status;
  StepDecision<T> decision;  // meaningless unless status.ok()
  const Statistics& statistics;
};

}  // namespace daelab
