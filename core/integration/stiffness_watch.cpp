#include "core/integration/stiffness_watch.hpp"

#include <fmt/format.h>

#include <cmath>

namespace daelab {
namespace {

double stability_function(const Matrix<double>& A, const Vector<double>& b, double z) {
  const Index s = b.size();
  Vector<double> stage = Vector<double>::Ones(s);
  double R = 1;
  for (Index i = 0; i < s; ++i) {
    for (Index j = 0; j < i; ++j) stage[i] += z * A(i, j) * stage[j];
    R += z * b[i] * stage[i];
  }
  return R;
}

}  // namespace

double real_stability_limit(const Matrix<double>& A, const Vector<double>& b) {
  constexpr double resolution = 0.01, round_off = 1e-9;
  const double most = 2.0 * static_cast<double>(b.size() * b.size());  // no method with s stages reaches further
  double x = 0;
  while (x < most && std::abs(stability_function(A, b, -(x + resolution))) <= 1 + round_off) x += resolution;
  return x;
}

template <class T>
std::optional<std::string> StiffnessWatch<T>::see(const State<T>& at, const T& h, long& evaluations) {
  if (hits_ == hits_needed || --wait_ > 0) return {};
  T radius(0);
  const bool known = radius_.estimate(at, evaluations, radius).ok();
  const double length = static_cast<double>(T(h * radius));
  const bool hit = known && length >= limit_;
  hits_ = hit ? hits_ + 1 : 0;
  wait_ = hit ? pace : patience;
  if (hits_ < hits_needed) return {};
  return fmt::format(
      "stability limits the steps, not accuracy: at t = {:.6g} h = {:.2e} is {:.2g} over {:.2e}, the real stability "
      "interval of the method over the spectral radius of f_y; use an implicit method, rkc or rock4",
      static_cast<double>(at.t), static_cast<double>(h), limit_, static_cast<double>(radius));
}

#define DAELAB_INSTANTIATE(T) template class StiffnessWatch<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
