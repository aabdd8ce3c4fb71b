#include "core/integration/error_jumps.hpp"

#include <algorithm>
#include <cmath>

namespace daelab {

template <class T>
bool ErrorJumps<T>::jumps(const State<T>& from, const Attempt<T>& failed) {
  using std::pow;
  const Attempt<T> last = t_ == from.t ? last_ : Attempt<T>{};
  t_ = from.t, last_ = failed;
  if (!failed.status.ok() || !last.status.ok() || !(last.h > failed.h)) return false;
  const int p = std::max(2, std::min(last.decision.exponent, failed.decision.exponent));
  return failed.decision.error > last.decision.error * pow(T(failed.h / last.h), T(T(1 + p) / T(2)));
}

#define DAELAB_INSTANTIATE(T) template class ErrorJumps<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
