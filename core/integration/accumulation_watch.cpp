#include "core/integration/accumulation_watch.hpp"

#include <fmt/format.h>

#include <cmath>

namespace daelab {
template <class T>
void AccumulationWatch<T>::attempt(const StepAttempt<T>& attempt) {
  const StepDecision<T>& decision = attempt.decision;
  if (!attempt.status.ok() || !decision.accepted) return;
  ++steps_;
  estimates_ += static_cast<double>(decision.error);
  if (decision.order < order_) return;
  order_ = decision.order, exponent_ = decision.exponent, amplification_ = decision.amplification;
}

template <class T>
double AccumulationWatch<T>::sum() const {
  if (exponent_ == 0 || order_ == 0) return 0;  // nothing is estimated, or a tableau states no order
  return estimates_ * amplification_ * std::pow(relative_tolerance_, std::max(0.0, (order_ + 1.0) / exponent_ - 1));
}

template <class T>
std::optional<Warning> AccumulationWatch<T>::warning() const {
  if (!(sum() > bearable())) return {};
  const std::string falls =
      order_ < exponent_ ? fmt::format(", and falls only with the power {}/{} of the tolerance", order_, exponent_)
                         : "";
  return Warning{"accumulation",
                 fmt::format("the tolerance bounds the error of one step, and those of {} steps add up to {:.2g} "
                             "tolerances: the error at the end may be that large, or larger where errors grow{} (order "
                             "{}); use a method of higher order",
                             steps_, sum(), falls, order_)};
}

#define DAELAB_INSTANTIATE(T) template class AccumulationWatch<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
