// What explicit methods on Lie groups share: slopes (v, v') at configurations, and the end of a step.
//
//   g' = g v,  v' = a(t, g, v)  on a form that gives accelerations as a function of (t, g, v).
#pragma once

#include <vector>

#include "core/integration/explicit_stepper.hpp"
#include "methods/lie_group/left_model.hpp"

namespace daelab {

template <class T>
class ExplicitGroupStepper : public ExplicitStepper<T> {
 protected:
  /// Throws NotApplicable for forms whose y is not (q, v, lambda).
  ExplicitGroupStepper(System<T>& system, MechanicalModel<T>& model, int order, Index stages)
      : ExplicitStepper<T>(system, order), left_(model), n_(model.coordinates()), g0_(left_.configuration()), g_(g0_) {
    if (system.differential() != 2 * n_ || !system.has_plain_velocities())
      throw NotApplicable("the method needs y = (q, v, lambda) with q' = v: use the index-1 form");
    const Vector<T> zero = Vector<T>::Zero(n_);
    v_.assign(static_cast<std::size_t>(stages), zero), a_ = v_;
    end_v_ = v0_ = displacement_ = q_ = zero;
    y_.setZero(system.size()), ydot_.setZero(system.size()), increment_.setZero(system.size());
  }

  /// During a visit: the first stage is the start of the step.
  Status start_stages(const State<T>& from, const T& h) {
    if (const Status status = this->start(from, h); !status.ok()) return status;
    left_.load(from, g0_, v0_, a_[0]);
    v_[0] = v0_;
    y_.tail(y_.size() - 2 * n_) = from.y.tail(y_.size() - 2 * n_);
    return {};
  }
  /// (v, a) of a stage at (t, g_, v_[i]).
  Status slope_of(Index i, const T& t) {
    left_.go_to(g_);
    y_.head(n_) = g_.q, y_.segment(n_, n_) = v_[at(i)];
    if (const Status status = this->slope(t, y_, ydot_); !status.ok()) return status;
    a_[at(i)] = ydot_.segment(n_, n_);
    return {};
  }
  /// increment_ of a step to (g_, end_v_), before the visit ends; `gain` (n): what v gains.
  void end_stages(const State<T>& from, const Vector<T>& displacement, const Vector<T>& gain) {
    if (left_.space.has_groups()) {
      end_v_ = v0_ + gain;
      left_.end_of(g_, end_v_, q_);
      increment_.head(n_) = q_ - from.y.head(n_);
      increment_.segment(n_, n_) = end_v_ - from.y.segment(n_, n_);
    } else {
      increment_.head(n_) = displacement + from.compensation.head(n_);
      increment_.segment(n_, n_) = gain + from.compensation.segment(n_, n_);
    }
  }
  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }

  LeftModel<T> left_;
  Index n_;
  Configuration<T> g0_, g_;
  std::vector<Vector<T>> v_, a_;  // of the stages
  Vector<T> v0_, end_v_, displacement_, increment_;

 private:
  Vector<T> y_, ydot_, q_;
};

}  // namespace daelab
