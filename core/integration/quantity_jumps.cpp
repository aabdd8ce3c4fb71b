#include "core/integration/quantity_jumps.hpp"

#include <algorithm>
#include <cmath>

namespace daelab {

template <class T>
QuantityJumps<T>::QuantityJumps(MechanicalModel<T>& model, WatchedQuantity quantity, Index accelerations)
    : model_(model), quantity_(quantity), layout_(layout_of<T>(model, accelerations)) {}

template <class T>
void QuantityJumps<T>::evaluate(const State<T>& from, const T& s, Vector<T>& values) {
  a_ = layout_.accelerations_of(from);
  v_ = layout_.v(from.y) + s * a_;
  q_ = layout_.q(from.y) + s * layout_.v(from.y) + (s * s / T(2)) * a_;
  model_.data(from.t + s, q_, v_, data_);
  values = quantity_ == WatchedQuantity::force ? data_.Q : data_.J.values;
}

template <class T>
bool QuantityJumps<T>::jumps(const State<T>& from, const Attempt<T>& failed) {
  using std::sqrt;
  evaluate(from, T(0), before_);
  const Index entries = before_.size();
  if (entries == 0) return false;
  T size = before_.cwiseAbs().maxCoeff();
  total_.setZero(entries), largest_.setZero(entries);
  for (int i = 1; i <= intervals; ++i) {
    evaluate(from, T(failed.h * T(i) / T(intervals)), now_);
    if (now_.size() != entries) return false;  // another mode: an event, which is announced
    size = std::max(size, T(now_.cwiseAbs().maxCoeff()));
    before_ = (now_ - before_).cwiseAbs();
    total_ += before_, largest_ = largest_.cwiseMax(before_);
    before_ = now_;
  }
  const T negligible = sqrt(epsilon<T>()) * size;
  for (Index i = 0; i < entries; ++i)
    if (largest_[i] > negligible && largest_[i] + largest_[i] > total_[i]) return true;
  return false;
}

#define DAELAB_INSTANTIATE(T) template class QuantityJumps<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
