// The error of an explicit step that its estimate does not see: of f(t, y_n), with y held at the start of the step, by
// the quadrature of all nodes of the tableau (core/integration/blind_estimate.hpp). A slope for each node that has a
// weight, where the equations depend on t and the estimate vanishes on y' = f(t).
#pragma once

#include "core/integration/blind_estimate.hpp"
#include "core/integration/step_control.hpp"
#include "core/mechanism/forms.hpp"
#include "core/mechanism/recording_checks.hpp"

namespace daelab {

/// In the mode that the model is in now. Of equations that nobody recorded nothing is known: they may.
template <class T>
bool equations_depend_on_time(System<T>& system) {
  Forms* const forms = system.forms();
  return forms == nullptr || forms->derive([](const Recording& r) { return depends_on_time(r); });
}

template <class T>
class TimeError {
 public:
  /// rule: error_of_quadrature() of the tableau.
  TimeError(const NodeRule& rule, System<T>& system)
      : system_(system), nodes_(rule.nodes.cast<T>()), weights_(rule.weights.cast<T>()) {
    for (Vector<T>* x : {&error_, &slope_, &y_}) x->setZero(system.size());
  }

  /// False where b is the interpolatory rule: nothing is left to compare it with.
  bool is_known() const { return !weights_.isZero(T(0)); }
  /// Error of a step of size h, in tolerances; slope(t, y, ydot) as ExplicitStepper has it. 0 where the equations do
  /// not depend on time, or a slope does not exist.
  T size(const State<T>& from, const T& h, const auto& slope, const ErrorNorm<T>& norm) {
    if (Forms* const forms = system_.forms(); forms != forms_ || !looked_)
      looked_ = true, forms_ = forms, depends_ = equations_depend_on_time(system_);
    if (!depends_) return T(0);
    error_ = weights_[0] * from.ydot;
    for (Index i = 1; i < nodes_.size(); ++i) {
      if (weights_[i] == T(0)) continue;
      y_ = from.y;
      if (!slope(T(from.t + nodes_[i] * h), y_, slope_).ok()) return T(0);
      error_ += weights_[i] * slope_;
    }
    error_ *= h;
    return norm(error_);
  }

 private:
  System<T>& system_;
  Forms* forms_ = nullptr;  // of the mode that was looked at last
  bool looked_ = false, depends_ = true;
  Vector<T> nodes_, weights_;
  Vector<T> error_, slope_, y_;  // (N)
};

}  // namespace daelab
