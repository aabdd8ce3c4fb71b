// Ordinary differential equations and differential-algebraic ones of index 1 to 3 as systems.
//
//   y = s, the differential states first:   s' - f(t, s) = 0,   g(t, s) = 0,
//
// with g differentiated as often as the index that is asked for needs (ordinary_model.hpp). Iteration matrices have one
// column per state, of s' for the differential and of s for the algebraic ones,
//
//   [ I - kappa f_s   -f_z ]
//   [   kappa g_s      g_z ]        z: the algebraic states,
//
// which stays well conditioned as kappa -> 0 on index 1, because g_z is regular. Rows of g without algebraic states,
// which index 2 and 3 have, are divided by kappa: then index 2 stays well conditioned, too. Residuals are plain: the
// derivatives are alone, and an algebraic part is as nonlinear as the rest.
#pragma once

#include <algorithm>

#include "core/equations/system.hpp"
#include "core/mechanism/ordinary_model.hpp"
#include "core/solvers/newton.hpp"
#include "core/solvers/sparse_lu.hpp"

namespace daelab {

/// The model must outlive it.
template <class T>
class FirstOrderSystem final : public System<T>, private NewtonTarget<T> {
 public:
  /// index: at most that of the model; less integrates the differentiated equations, which drifts.
  FirstOrderSystem(OrdinaryModel<T>& model, int index);

  void residual(const T& t, const Vector<T>& y, const Vector<T>& ydot, Vector<T>& F) override;
  std::unique_ptr<Linearization<T>> linearization() override;
  /// The algebraic states are found by Newton's method from those in y; newton_diverged, singular or non_finite where
  /// that fails.
  Status consistent_derivatives(const T& t, Vector<T>& y, Vector<T>& ydot) override;
  Forms* forms() override { return &model_.forms(); }
  void correction_weights(const T& h, const Vector<T>& y, Vector<T>& w) const override;

 private:
  // g(t, s) = 0 for the algebraic states of s_.
  Status linearize() override;
  Status evaluate() override;
  void correct(const T& relaxation) override;
  T residual_size() override;
  T correction_size() override;
  void arrange();
  std::string cause_of_singularity() const;
  /// So many that the equations determine the algebraic states.
  int all_differentiations() const { return std::max(0, model_.index() - 1); }

  OrdinaryModel<T>& model_;

  NewtonSettings<T> newton_;
  Statistics statistics_;
  std::unique_ptr<BlockLu<T>> algebraic_lu_;  // of g_z
  T t_{0};
  Vector<T> s_, r_, z_;  // z_: residual, then correction of the algebraic states
  SparseMatrix<T> R_s_, g_z_;
  std::vector<Index> g_z_entries_;  // where they are among those of R_s
};

}  // namespace daelab
