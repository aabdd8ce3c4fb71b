// The start of the iteration: from the polynomial through the stages of the last step, or at the start of the step.
#pragma once

#include "core/equations/system.hpp"
#include "core/integration/state.hpp"
#include "methods/runge_kutta/implicit_stages.hpp"

namespace daelab {

template <class T>
class StageExtrapolation {
 public:
  explicit StageExtrapolation(const Stages& stages)
      : same_(stages.extrapolation.transpose().cast<T>()), stretched_(same_), nodes_(same_.rows()) {
    const Vector<T> c = stages.c.cast<T>();
    if (stages.explicit_first) nodes_[0] = T(0);
    nodes_.tail(c.size()) = c;
  }

  /// Stages of the next step = (stages of the last one, the explicit first one included) times this, (nodes, r): for a
  /// step of the same size.
  const Matrix<T>& same_step() const { return same_; }
  /// For one `ratio` times as large: entry (j, i) is the value at 1 + ratio c_i of the Lagrange polynomial of node j.
  const Matrix<T>& step_of_ratio(const T& ratio) {
    const Index count = nodes_.size(), first = count - stretched_.cols();
    for (Index i = 0; i < stretched_.cols(); ++i)
      for (Index j = 0; j < count; ++j) {
        T& value = stretched_(j, i);
        value = T(1);
        for (Index k = 0; k < count; ++k)
          if (k != j) value *= (T(1) + ratio * nodes_[first + i] - nodes_[k]) / (nodes_[j] - nodes_[k]);
      }
    return stretched_;
  }

 private:
  Matrix<T> same_, stretched_;
  Vector<T> nodes_;  // of the last step: 0 where the first stage is explicit, then c
};

/// The unknowns of stages as they are at the start of the step, in every column of `stages` (N, ..).
template <class T>
void start_stages(const State<T>& from, const System<T>& system, auto&& stages) {
  const Index d = system.differential(), algebraic = system.size() - d;
  stages.topRows(d).colwise() = from.ydot.head(d);
  stages.bottomRows(algebraic).colwise() = from.y.tail(algebraic);
}

}  // namespace daelab
