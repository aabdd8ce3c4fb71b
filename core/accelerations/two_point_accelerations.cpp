#include "core/accelerations/two_point_accelerations.hpp"

#include <algorithm>
#include <utility>

#include "core/mechanism/forms.hpp"

namespace daelab {

template <class T>
TwoPointAccelerations<T>::TwoPointAccelerations(MechanicalModel<T>& model)
    : model_(model),
      accelerations_(model, FormKind::accelerations),
      between_(model, FormKind::accelerations_between),
      other_point_(2 + 2 * static_cast<std::size_t>(model.forms().facts().coordinates)) {
  unknowns_.setZero(model_.coordinates() + model_.constraints());
  row_.setZero(model_.constraints()), zero_.setZero(model_.coordinates());
}

template <class T>
Status TwoPointAccelerations<T>::solve(const MotionPoint<T>& at, const MotionPoint<T>& constrained, const T& weight,
                                       Vector<T>& a) {
  if (generated(at, constrained, weight, a)) return {};
  return factorized(at, constrained, weight, a);
}

template <class T>
bool TwoPointAccelerations<T>::generated(const MotionPoint<T>& at, const MotionPoint<T>& constrained, const T& weight,
                                         Vector<T>& a) {
  const auto solved = [&a](GeneratedOutcome outcome) { return outcome == GeneratedOutcome::solved && a.allFinite(); };
  if (model_.constraints() == 0 &&  // a recording's own way to M^-1 is among these
      solved(accelerations_(at.t, at.q.data(), at.v.data(), a.data(), row_.data())))
    return true;
  const Index n = model_.forms().facts().coordinates;
  other_point_[0] = weight, other_point_[1] = constrained.t;
  std::copy_n(constrained.q.data(), n, other_point_.data() + 2);
  std::copy_n(constrained.v.data(), n, other_point_.data() + 2 + n);
  return solved(between_(at.t, at.q.data(), at.v.data(), a.data(), nullptr, other_point_.data()));
}

template <class T>
Status TwoPointAccelerations<T>::factorized(const MotionPoint<T>& at, const MotionPoint<T>& constrained,
                                            const T& weight, Vector<T>& a) {
  const Index n = model_.coordinates(), m = model_.constraints();
  if (std::exchange(forms_, &model_.forms()) != &model_.forms()) lu_.reset();
  model_.data(at.t, at.q, at.v, at_);
  model_.data(constrained.t, constrained.q, constrained.v, constrained_);
  model_.constraint_level(Level::velocity, constrained.t, constrained.q, constrained.v, zero_, row_);
  if (!lu_) {
    lu_ = std::make_unique<BlockLu<T>>(n + m);
    mass_ = lu_->add(at_.M.pattern, 0, 0);
    forces_ = lu_->add(at_.J.pattern, 0, n, true);
    rows_ = lu_->add(at_.J.pattern, n, 0);
    lu_->complete();
  }
  lu_->clear();
  lu_->accumulate(mass_, at_.M), lu_->accumulate(forces_, at_.J), lu_->accumulate(rows_, constrained_.J);
  unknowns_.head(n) = at_.Q;
  unknowns_.tail(m) = -row_ / weight;
  Status status = lu_->factorize();
  if (status.code == StatusCode::singular)
    status.cause =
        "the matrix of a stage is singular: dependent constraints, or a step so long that the constraints "
        "at its ends have nothing in common";
  if (!status.ok()) return status;
  lu_->solve(unknowns_);
  a = unknowns_.head(n);
  return {};
}

#define DAELAB_INSTANTIATE(T) template class TwoPointAccelerations<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
