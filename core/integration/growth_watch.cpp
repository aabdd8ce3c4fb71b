#include "core/integration/growth_watch.hpp"

#include <fmt/format.h>

#include "core/base/norm.hpp"

namespace daelab {

template <class T>
void GrowthWatch<T>::start(const State<T>& state) {
  start_ = size(state.y);
  limit_ = T(suspicious) * (start_ > T(0) ? start_ : T(1));
}

template <class T>
Status GrowthWatch<T>::check(const State<T>& from, const State<T>& to) {
  const T now = size(to.y);
  if (now <= limit_) return {};
  limit_ = T(next_look) * now;
  const double off = disagreement(from, to);
  if (off <= followed) return {};
  const std::string part = off > 1 ? "more than" : fmt::format("{:.0f} % of", 100 * off);
  return {
      StatusCode::diverged,
      fmt::format("the numbers have grown from {:.1e} to {:.1e}, and steps of {:.3g} s do not follow the equations: "
                  "two of half the size differ by {} what one changes. Beyond the limit of stability a method "
                  "multiplies what the equations damp; smaller steps, error control (rtol) or an implicit method "
                  "may help",
                  static_cast<double>(start_), static_cast<double>(now), static_cast<double>(T(to.t - from.t)), part)};
}

template <class T>
T GrowthWatch<T>::size(const Vector<T>& y) const {
  using std::abs;
  T largest(0);
  for (Index i = 0; i < differential_; ++i) largest = std::max(largest, T(abs(y[i])));
  return largest;
}

// For the step and two halves of it, as a part of what it has changed; 0 where the halves fail.
template <class T>
double GrowthWatch<T>::disagreement(const State<T>& from, const State<T>& to) const {
  const std::unique_ptr<Stepper<T>> stepper = make_stepper_();
  const T h = (to.t - from.t) / T(2);
  State<T> start = from, middle = from, end = from;
  start.forget();
  if (!stepper->step(start, h, middle).ok() || !stepper->step(middle, h, end).ok()) return 0;
  return static_cast<double>(T(size(end.y - to.y) / size(to.y - from.y)));
}

#define DAELAB_INSTANTIATE(T) template class GrowthWatch<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
