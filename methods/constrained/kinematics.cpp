#include "methods/constrained/kinematics.hpp"

#include <fmt/format.h>

namespace daelab {

template <class T>
KinematicAnalysis<T>::KinematicAnalysis(MechanicalModel<T>& model, const NewtonOptions& newton)
    : model_(model),
      settings_(newton),
      norm_(newton.norm),
      lu_(model.coordinates()),
      transposed_lu_(model.coordinates()) {
  const Index n = model.coordinates();
  for (Vector<T>* x : {&q_, &C_, &correction_, &zero_}) x->setZero(n);
  M_.setZero(n, n);
}

template <class T>
Status KinematicAnalysis<T>::positions(const T& t, Vector<T>& q, Statistics& statistics) {
  t_ = t, q_ = q, statistics_ = &statistics;
  const Status status = newton<T>(settings_, *this, false, statistics);
  q = q_;
  return status;
}

template <class T>
Status KinematicAnalysis<T>::linearize() {
  model_.constraint(t_, q_, C_, lu_.matrix());
  ++statistics_->jacobians;
  ++statistics_->factorizations;
  Status status = lu_.factorize();
  if (status.code == StatusCode::singular)
    status.cause = "C_q is singular: the constraints do not determine the motion there";
  return status;
}

template <class T>
Status KinematicAnalysis<T>::evaluate() {
  model_.constraint_level(Level::position, t_, q_, zero_, zero_, C_);
  ++statistics_->residuals;
  return {};
}

template <class T>
void KinematicAnalysis<T>::correct(const T& relaxation) {
  correction_ = -relaxation * C_;
  lu_.solve(correction_);
  q_ += correction_;
  ++statistics_->back_solves;
}

template <class T>
T KinematicAnalysis<T>::size(const Vector<T>& x) const {
  NormOf<T> norm(norm_);
  norm.add_all(x);
  return norm.value();
}

template <class T>
T KinematicAnalysis<T>::correction_size() {
  using std::abs;
  if (norm_ != Norm::scaled) return size(correction_);
  NormOf<T> norm;
  for (Index i = 0; i < q_.size(); ++i) norm.add(correction_[i] / (T(1) + abs(q_[i])));
  return norm.value();
}

template <class T>
Status KinematicAnalysis<T>::motion(const T& t, const Vector<T>& q, Vector<T>& v, Vector<T>& a, Vector<T>& lambda,
                                    Statistics& statistics) {
  t_ = t, q_ = q, statistics_ = &statistics;
  if (const Status status = linearize(); !status.ok()) return status;
  model_.constraint_level(Level::velocity, t, q, zero_, zero_, v);  // C_t
  v = -v;
  lu_.solve(v);
  model_.curvature(t, q, v, a);  // -gamma
  a = -a;
  lu_.solve(a);
  model_.mass(t, q, M_);
  model_.force(t, q, v, lambda);
  lambda.noalias() -= M_.lazyProduct(a);
  transposed_lu_.matrix() = lu_.matrix().transpose();
  if (const Status status = transposed_lu_.factorize(); !status.ok()) return status;
  transposed_lu_.solve(lambda);
  ++statistics.factorizations;
  statistics.back_solves += 3;
  return {};
}

#define DAELAB_INSTANTIATE(T) template class KinematicAnalysis<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
