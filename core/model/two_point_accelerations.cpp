#include "core/model/two_point_accelerations.hpp"

#include <algorithm>

#include "core/model/forms.hpp"

namespace daelab {

template <class T>
TwoPointAccelerations<T>::TwoPointAccelerations(MechanicalModel<T>& model) : model_(model) {
  unknowns_.setZero(model_.coordinates() + model_.constraints());
  row_.setZero(model_.constraints()), zero_.setZero(model_.coordinates());
}

template <class T>
void TwoPointAccelerations<T>::enter_mode() {
  forms_ = &model_.forms();
  lu_.reset();
  programs_.clear();
  ways_ = &model_.forms().written_out_between();
  std::size_t most_pivots = 0, most_work = 0;
  for (std::size_t k = 0; k < ways_->size(); ++k) {
    programs_.push_back(&model_.forms().template program<T>({FormKind::accelerations_between, static_cast<int>(k)}));
    most_work = std::max(most_work, programs_.back()->work_size());
    most_pivots = std::max(most_pivots, (*ways_)[k].pivots.size());
  }
  pivots_.resize(most_pivots), work_.resize(most_work);
  other_point_.resize(2 + 2 * static_cast<std::size_t>(forms_->coordinates()));
}

template <class T>
Status TwoPointAccelerations<T>::solve(const MotionPoint<T>& at, const MotionPoint<T>& constrained, const T& weight,
                                       Vector<T>& a) {
  if (forms_ != &model_.forms()) enter_mode();
  if (model_.constraints() == 0 &&  // a recording's own way to M^-1 is among these
      model_.accelerations(at.t, at.q, at.v, a, row_) == WrittenOut::trusted && a.allFinite())
    return {};
  if (written_out(at, constrained, weight, a)) return {};
  return factorized(at, constrained, weight, a);
}

template <class T>
bool TwoPointAccelerations<T>::written_out(const MotionPoint<T>& at, const MotionPoint<T>& constrained, const T& weight,
                                           Vector<T>& a) {
  if (programs_.empty()) return false;
  const Index n = forms_->coordinates();
  other_point_[0] = weight, other_point_[1] = constrained.t;
  std::copy_n(constrained.q.data(), n, other_point_.data() + 2);
  std::copy_n(constrained.v.data(), n, other_point_.data() + 2 + n);
  const T* const inputs[] = {&at.t,   at.q.data(), at.v.data(), at.v.data() + n,
                             nullptr, nullptr,     nullptr,     other_point_.data()};
  T* const outputs[] = {a.data(), pivots_.data()};
  for (std::size_t k = 0; k < programs_.size(); ++k) {
    programs_[k]->run(inputs, outputs, work_.data());
    if ((*ways_)[k].trusts(pivots_.data()) && a.allFinite()) return true;
  }
  return false;
}

template <class T>
Status TwoPointAccelerations<T>::factorized(const MotionPoint<T>& at, const MotionPoint<T>& constrained,
                                            const T& weight, Vector<T>& a) {
  const Index n = model_.coordinates(), m = model_.constraints();
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
