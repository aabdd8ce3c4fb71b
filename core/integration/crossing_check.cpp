#include "core/integration/crossing_check.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace daelab {

template <class T>
void CrossingCheck<T>::look(const State<T>& from, const State<T>& to, const T& share, const std::string& condition) {
  if (looks_ == most_looks) return;
  if (++looks_ == 1) {
    stepper_ = make_stepper_();
    stepper_->control(tolerances_);
  }
  start_ = from;
  start_.memory = stepper_->make_memory();
  start_.forget();
  middle_ = end_ = start_;
  const T least(0.001), h = to.t - from.t, first = h * std::clamp(share, least, T(T(1) - least));
  if (!stepper_->step(start_, first, middle_).ok() || !stepper_->step(middle_, T(h - first), end_).ok()) return;
  norm_.weigh(to.y);
  end_.y -= to.y;
  const double off = static_cast<double>(norm_(end_.y));
  if (!(off > std::max(worst_, tolerances_allowed))) return;
  worst_ = off, t_ = static_cast<double>(from.t), h_ = static_cast<double>(h), condition_ = condition;
}

template <class T>
std::optional<Warning> CrossingCheck<T>::warning() const {
  if (worst_ == 0) return {};
  return Warning{
      "unwatched",
      fmt::format("a step of {:.3g} s from t = {:.6g} went over {} = 0, where the equations change, and its "
                  "error estimate did not see it: two steps that divide it there differ by {:.1e} tolerances. "
                  "An event there, discontinuities = detect or max_step is the cure",
                  h_, t_, condition_, worst_)};
}

#define DAELAB_INSTANTIATE(T) template class CrossingCheck<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
