// The motion between two accepted steps.
#pragma once

#include "core/equations/mechanical_system.hpp"
#include "core/integration/method.hpp"

namespace daelab {

template <class T>
class ImplicitRates;

/// The method's own dense output where it has one, otherwise q from the quintic Hermite polynomial through (q, v, a) at
/// both ends of a step and v from its derivative; of ordinary models, y from the cubic one through (y, y'). What
/// equations without derivatives determine may turn several times between two step ends: where a matrix of rates is
/// singular, it is solved for.
template <class T>
class DenseOutput {
 public:
  /// Without a stepper: Hermite polynomials.
  DenseOutput(Model<T>& model, System<T>& system, Stepper<T>* stepper);
  /// The differential components of y at t; the others are left as they are. Shape (N).
  void operator()(const State<T>& from, const State<T>& to, const T& t, Vector<T>& y) const;

 private:
  void cubic(const State<T>& from, const State<T>& to, const T& t, Vector<T>& y) const;
  void quintic(const State<T>& from, const State<T>& to, const T& t, Vector<T>& y) const;
  Stepper<T>* stepper_;
  MechanicalLayout layout_;
  Index differential_;
  std::shared_ptr<ImplicitRates<T>> equations_;  // where some have no derivatives, otherwise null
};

}  // namespace daelab
