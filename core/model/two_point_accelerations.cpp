#include "core/model/two_point_accelerations.hpp"

namespace daelab {

template <class T>
TwoPointAccelerations<T>::TwoPointAccelerations(MechanicalModel<T>& model)
    : model_(model), lu_(model.coordinates() + model.constraints()) {
  const Index n = model_.coordinates(), m = model_.constraints();
  M_.setZero(n, n), J_.setZero(m, n);
  unknowns_.setZero(n + m);
  for (Vector<T>* x : {&force_, &zero_}) x->setZero(n);
  for (Vector<T>* x : {&C_, &row_}) x->setZero(m);
}

template <class T>
Status TwoPointAccelerations<T>::solve(const MotionPoint<T>& at, const MotionPoint<T>& constrained, const T& weight,
                                       Vector<T>& a) {
  const Index n = model_.coordinates(), m = model_.constraints();
  Matrix<T>& K = lu_.matrix();
  K.setZero();
  model_.mass(at.t, at.q, M_);
  model_.force(at.t, at.q, at.v, force_);
  model_.constraint(at.t, at.q, C_, J_);
  K.topLeftCorner(n, n) = M_;
  K.topRightCorner(n, m) = J_.transpose();
  model_.constraint(constrained.t, constrained.q, C_, J_);
  model_.constraint_level(Level::velocity, constrained.t, constrained.q, constrained.v, zero_, row_);
  K.bottomLeftCorner(m, n) = J_;
  unknowns_.head(n) = force_;
  unknowns_.tail(m) = -row_ / weight;
  Status status = lu_.factorize();
  if (status.code == StatusCode::singular)
    status.cause =
        "the matrix of a stage is singular: dependent constraints, or a step so long that the constraints "
        "at its ends have nothing in common";
  if (!status.ok()) return status;
  lu_.solve(unknowns_);
  a = unknowns_.head(n);
  return {};
}

#define DAELAB_INSTANTIATE(T) template class TwoPointAccelerations<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
