#include "core/integration/dense_output.hpp"

#include "core/mechanism/implicit_rates.hpp"

namespace daelab {

template <class T>
DenseOutput<T>::DenseOutput(Model<T>& model, System<T>& system, Stepper<T>* stepper)
    : stepper_(stepper), layout_(layout_of(model, system.accelerations())), differential_(system.differential()) {
  OrdinaryModel<T>* const ordinary = model.ordinary();
  if (ordinary != nullptr && ordinary->is_linearly_implicit() && ordinary->index() > 0)
    equations_ = std::make_shared<ImplicitRates<T>>(*ordinary);
}

// Keeps the polynomial if no solution is found near it.
template <class T>
void DenseOutput<T>::operator()(const State<T>& from, const State<T>& to, const T& t, Vector<T>& y) const {
  if (stepper_ != nullptr && stepper_->interpolate(from, to, t, y)) return;
  if (layout_.n == 0)
    cubic(from, to, t, y);
  else
    quintic(from, to, t, y);
  if (equations_) static_cast<void>(equations_->meet_constraints(t, y));
}

template <class T>
void DenseOutput<T>::cubic(const State<T>& from, const State<T>& to, const T& t, Vector<T>& y) const {
  const T h = to.t - from.t, x = (t - from.t) / h, z = T(1) - x;
  for (Index i = 0; i < differential_; ++i) {
    const T rise = to.y[i] - from.y[i];
    y[i] = from.y[i] + x * rise + x * z * (z * (h * from.ydot[i] - rise) - x * (h * to.ydot[i] - rise));
  }
}

template <class T>
void DenseOutput<T>::quintic(const State<T>& from, const State<T>& to, const T& t, Vector<T>& y) const {
  const Index n = layout_.n;
  const T h = to.t - from.t, x = (t - from.t) / h;
  const auto a_from = layout_.accelerations_of(from), a_to = layout_.accelerations_of(to);
  for (Index i = 0; i < n; ++i) {
    // q(x) = q0 + x h v0 + x^2 h^2 a0/2 + x^3 (c0 + (x - 1) (c1 + (x - 1) c2)), from the values at x = 1
    const T q0 = from.y[i], v0 = h * from.y[n + i], a0 = h * h * a_from[i];
    const T p = to.y[i] - q0 - v0 - a0 / 2;
    const T dp = h * to.y[n + i] - v0 - a0, ddp = h * h * a_to[i] - a0;
    const T c0 = p, c1 = dp - 3 * c0, c2 = (ddp - 6 * c0 - 6 * c1) / 2;
    const T z = x - 1, g = c0 + z * (c1 + z * c2), dg = c1 + 2 * z * c2;
    y[i] = q0 + x * (v0 + x * (a0 / 2 + x * g));
    y[n + i] = (v0 + x * (a0 + x * (3 * g + x * dg))) / h;
  }
}

#define DAELAB_INSTANTIATE(T) template class DenseOutput<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
