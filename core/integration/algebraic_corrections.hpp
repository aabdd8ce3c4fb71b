// Newton's corrections of algebraic states beside coordinates, in the tolerances of error control.
#pragma once

#include "core/integration/step_control.hpp"
#include "core/mechanism/mechanical_model.hpp"

namespace daelab {

/// Estimates look at differential components alone: only the test that stops the iteration brings algebraic states z
/// onto their equations g = 0. Where q, v or multipliers enter g, z has the round-off of these, which is 1, 1/h and
/// 1/h^2 times that of positions on index 3 and one power of h less on index 2; so much less it counts. One entry that
/// depends on multipliers makes all z count as they do.
template <class T>
class AlgebraicCorrections {
 public:
  explicit AlgebraicCorrections(System<T>& system)
      : index_(system.index()), model_(model_of(system)), count_(model_ == nullptr ? 0 : model_->algebraic_states()) {
    if (count_ > 0) first_ = 2 * model_->coordinates() + model_->constraints();
  }

  /// Whether there are any.
  explicit operator bool() const { return count_ > 0; }

  /// The size of those in x (N) in a step of size h from y; 1 is as large as tolerated. Corrections of z near zero that
  /// are round-off of the largest component of y count nothing: no small absolute tolerance removes them.
  T size(const auto& x, const T& h, const Vector<T>& y, const ErrorNorm<T>& norm) const {
    if (count_ == 0 ||
        x.segment(first_, count_).cwiseAbs().maxCoeff() <= T(100) * epsilon<T>() * y.cwiseAbs().maxCoeff())
      return T(0);
    T weight(1);
    for (int power = static_cast<int>(model_->algebraic_level()) + index_ - 3; power > 0; --power) weight *= h;
    return weight * norm(x, first_, count_, first_);
  }

 private:
  static const MechanicalModel<T>* model_of(System<T>& system) {
    return system.positions() > 0 ? system.mechanical_model() : nullptr;
  }

  int index_;
  const MechanicalModel<T>* model_;
  Index count_, first_ = 0;
};

}  // namespace daelab
