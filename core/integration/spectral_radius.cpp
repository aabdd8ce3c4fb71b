#include "core/integration/spectral_radius.hpp"

#include <cmath>

namespace daelab {
namespace {

// The estimate has settled when it changes by less than 1 %; 50 iterations are given for that. [SSV98]
constexpr int most_iterations = 50;
constexpr double settled = 0.01, safety = 1.2;

}  // namespace

template <class T>
SpectralRadius<T>::SpectralRadius(System<T>& system)
    : system_(system),
      first_(Vector<T>::Zero(system.size())),
      y_(Vector<T>::Zero(system.size())),
      slope_(Vector<T>::Zero(system.size())) {
  // Multiples of the golden section modulo 1: no symmetry that could hide an eigenvector, as a smooth slope would.
  for (Index i = 0; i < system.differential(); ++i) {
    const double multiple = 0.6180339887498949 * static_cast<double>(i + 1);
    first_[i] = T(multiple - std::floor(multiple) - 0.5);
  }
  first_ /= norm(first_);
}

template <class T>
T SpectralRadius<T>::norm(const Vector<T>& x) const {
  using std::sqrt;
  T sum(0);
  for (Index i = 0; i < system_.differential(); ++i) sum += x[i] * x[i];
  return sqrt(sum);
}

template <class T>
Status SpectralRadius<T>::grow(const State<T>& at, const T& size, Vector<T>& direction, long& evaluations, T& growth) {
  y_ = at.y + size * direction;
  const Status status = system_.consistent_derivatives(at.t, y_, slope_);
  if (!status.ok()) return status;
  ++evaluations;
  slope_ -= at.ydot;
  const T length = norm(slope_);
  growth = length / size;
  if (length > T(0)) direction = slope_ / length;
  return {};
}

template <class T>
Status SpectralRadius<T>::estimate(const State<T>& at, Vector<T>& direction, long& evaluations, T& radius) {
  using std::abs;
  using std::sqrt;
  const T y = norm(at.y), size = sqrt(epsilon<T>()) * (y > T(0) ? y : T(1));
  T before(0), last(0);
  double logarithms = 0;  // of the growth in the later half
  for (int k = 0; k < most_iterations; ++k) {
    T growth(0);
    const Status status = grow(at, size, direction, evaluations, growth);
    if (!status.ok()) return status;
    const T mean = k == 0 ? growth : T(sqrt(growth * before));
    radius = T(safety) * mean;
    if (mean == T(0) || (k > 1 && abs(mean - last) <= T(settled) * mean)) return {};
    before = growth, last = mean;
    if (k >= most_iterations / 2) logarithms += std::log(static_cast<double>(growth));
  }
  // What never settles belongs to complex eigenvalues: the mean growth converges to their size.
  radius = T(safety * std::exp(logarithms / (most_iterations - most_iterations / 2)));
  return {};
}

#define DAELAB_INSTANTIATE(T) template class SpectralRadius<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
