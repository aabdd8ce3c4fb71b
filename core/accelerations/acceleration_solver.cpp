#include "core/accelerations/acceleration_solver.hpp"

#include <fmt/format.h>

#include "core/accelerations/implicit_accelerations.hpp"
#include "core/mechanism/dense_limits.hpp"

namespace daelab {

template <class T>
AccelerationSolver<T>::AccelerationSolver(MechanicalModel<T>& model, Multipliers<T>& multipliers,
                                          BaumgarteGains<T> gains)
    : model_(model),
      multipliers_(multipliers),
      gains_(gains),
      constraints_(model.constraints()),
      implicit_(model.has_linear_equations() ? nullptr : std::make_unique<ImplicitAccelerations<T>>(model, gains)) {
  if (!implicit_ && gains.zero() && multipliers.facts().generated_first)
    generated_.emplace(model, FormKind::accelerations);
}

template <class T>
AccelerationSolver<T>::~AccelerationSolver() = default;

template <class T>
void AccelerationSolver<T>::allocate() {
  const Index n = model_.coordinates(), m = model_.constraints();
  if (Q_.size() == n) return;
  if (!multipliers_.facts().patterns) M_.setZero(n, n), J_.setZero(m, n);
  for (Vector<T>* x : {&C_, &rate_, &h_}) x->setZero(m);
  for (Vector<T>* x : {&Q_, &zero_}) x->setZero(n);
}

template <class T>
Status AccelerationSolver<T>::solve(const T& t, const Vector<T>& q, const Vector<T>& v, Vector<T>& a,
                                    Vector<T>& lambda) {
  if (implicit_) return implicit_->solve(t, q, v, a, lambda);
  if (generated(t, q.data(), v.data(), a.data(), lambda.data())) return {};
  if (multipliers_.facts().redundant_constraints && q.size() + lambda.size() > most_dense_unknowns)
    return {StatusCode::not_applicable, fmt::format("multiplier solvers for redundant constraints use dense matrices "
                                                    "of at most {1} unknowns, here {0}: remove dependent constraints",
                                                    q.size() + lambda.size(), most_dense_unknowns)};
  allocate();
  const bool on_patterns = multipliers_.facts().patterns;
  if (on_patterns)
    model_.data(t, q, v, data_);
  else
    model_.data(t, q, v, M_, Q_, J_, h_);
  Vector<T>& h = on_patterns ? data_.h : h_;
  if (!gains_.zero()) {
    model_.constraint_level(Level::position, t, q, v, zero_, C_);
    model_.constraint_level(Level::velocity, t, q, v, zero_, rate_);
    h += gains_.velocity * rate_ + gains_.position * C_;
  }
  if (on_patterns) return multipliers_.solve(SparseSaddlePoint<T>{data_.M, data_.J, data_.Q, h}, a, lambda);
  return multipliers_.solve(SaddlePoint<T>{M_, model_.constant_mass(), J_, Q_, h}, a, lambda);
}

template <class T>
bool AccelerationSolver<T>::generated_at_lanes(const T* t, const T* q, const T* v, T* a, T* lambda, Index count) {
  if (!generated_ || !generated_->at_lanes(t, q, v, a, lambda)) return false;
  multipliers_.count_generated(constraints_, count);
  return true;
}

#define DAELAB_INSTANTIATE(T) template class AccelerationSolver<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
