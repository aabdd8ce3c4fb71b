// Linearly implicit equations as systems: M(t, y) y' - f(t, y) = 0, all components differential.
//
// Iteration matrices M + kappa ((M y')_y - f_y) have one column per y'. Rows without derivatives, which a singular M
// has, are divided by kappa: they stay well conditioned on index 1 as kappa -> 0.
#pragma once

#include "core/equations/system.hpp"
#include "core/mechanism/implicit_rates.hpp"

namespace daelab {

/// The model must outlive it.
template <class T>
class LinearlyImplicitSystem final : public System<T> {
 public:
  explicit LinearlyImplicitSystem(OrdinaryModel<T>& model);

  void residual(const T& t, const Vector<T>& y, const Vector<T>& ydot, Vector<T>& F) override;
  std::unique_ptr<Linearization<T>> linearization() override;
  /// y stays as it is. Where M is singular y' is that of the equations with those without derivatives differentiated.
  Status consistent_derivatives(const T& t, Vector<T>& y, Vector<T>& ydot) override { return rates_.solve(t, y, ydot); }
  Forms* forms() override { return &model_.forms(); }
  void correction_weights(const T& h, const Vector<T>& y, Vector<T>& w) const override;

 private:
  OrdinaryModel<T>& model_;
  ImplicitRates<T> rates_;
  SparseMatrix<T> M_;
};

/// The system of a model without coordinates: linearly implicit where it is so, otherwise a FirstOrderSystem of this
/// index. The model must outlive it.
template <class T>
std::unique_ptr<System<T>> make_ordinary_system(OrdinaryModel<T>& model, int index);

}  // namespace daelab
