#include "core/model/acceleration_program.hpp"

#include <array>

#include "core/model/forms.hpp"

namespace daelab {

template <class T>
bool AccelerationProgram<T>::look_up(Forms& forms, const Vector<T>& held) {
  if (forms_ == &forms) return elimination_ != nullptr;
  forms_ = &forms, elimination_ = nullptr;
  if (!forms.has_linear_balance() || forms.written_out().empty()) return false;
  elimination_ = &forms.written_out().front();
  program_ = &forms.program<T>({FormKind::accelerations});
  n_ = forms.extended(), coordinates_ = forms.coordinates();
  held_ = held.data();
  work_.resize(program_->work_size());
  pivots_.resize(elimination_->pivots.size());
  return true;
}

template <class T>
bool AccelerationProgram<T>::operator()(const T& t, T* y, T* ydot) {
  const T *const v = y + n_, *const s = v + coordinates_;
  const std::array<const T*, static_cast<std::size_t>(InputBlock::lambda) + 1> inputs = {&t, y, v, s, held_};
  const std::array<T*, 3> outputs = {ydot + n_, y + 2 * n_, pivots_.data()};
  program_->run(inputs.data(), outputs.data(), work_.data());
  if (!elimination_->trusts(pivots_.data())) return false;
  for (Index i = 0; i < n_; ++i) ydot[i] = v[i];
  return true;
}

#define DAELAB_INSTANTIATE(T) template class AccelerationProgram<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
