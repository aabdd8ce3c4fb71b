// What steppers of orthogonal Runge-Kutta-Chebyshev methods share: the recurrence of their first stages,
//
//   Y_j = Y_(j-1) + mu_j h f(Y_(j-1)) + gamma_j (Y_(j-1) - Y_(j-2)),  Y_0 = y_n.
#pragma once

#include <utility>

#include "methods/stabilized/stabilized_explicit.hpp"

namespace daelab {

template <class T>
class RockStepper : public StabilizedStepper<T> {
 protected:
  /// `most`: the largest number of these stages.
  RockStepper(const StabilizedSettings& settings, System<T>& system, int exponent, int order, Index most)
      : StabilizedStepper<T>(settings, system, exponent, order),
        mu_(most),
        gamma_(most),
        before_(Vector<T>::Zero(system.size())),
        now_(before_),
        y_(before_),
        slope_(before_) {}

  void take_recurrence(const Vector<Real100>& mu, const Vector<Real100>& gamma) {
    mu_.head(mu.size()) = mu.template cast<T>();
    gamma_.head(gamma.size()) = gamma.template cast<T>();
  }

  /// Leaves Y_count - y_n in now_, and its node in c, which comes in as 0.
  Status recurrence(const State<T>& from, const T& h, Index count, T& c) {
    before_.setZero(), now_.setZero();
    slope_ = from.ydot;
    T c_before(0);
    for (Index j = 0; j < count; ++j) {
      if (j > 0) {
        y_ = from.y + now_;
        const Status status = this->slope(from.t + c * h, y_, slope_);
        if (!status.ok()) return status;
      }
      before_ = now_ + gamma_[j] * (now_ - before_);
      before_ += (h * mu_[j]) * slope_;
      before_.swap(now_);
      c_before = std::exchange(c, c + mu_[j] + gamma_[j] * (c - c_before));
    }
    return {};
  }

  Vector<T> mu_, gamma_;                // the first `count` are in use
  Vector<T> before_, now_, y_, slope_;  // (N) Y_(j-1) - y_n, Y_j - y_n, a stage, its slope
};

}  // namespace daelab
