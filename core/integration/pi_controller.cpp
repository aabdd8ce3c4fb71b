#include "core/integration/pi_controller.hpp"

#include <algorithm>
#include <cmath>

namespace daelab {
namespace {

// A step changes by a factor from 1/5 to 8; an error below 0.01 is remembered as 0.01, so that a lucky step leaves no
// trace. [HW96, Sec. IV.8]
constexpr double shrink = 0.2, growth = 8, least_remembered = 0.01;

}  // namespace

template <class T>
double PiController<T>::factor(double error, double error_before, int failures) const {
  const double size = std::log(std::max(error, 1e-100) / aimed_error);
  const bool memory = failures == 0 && error <= 1 && error_before > 0;
  const double change = memory ? 0.2 * std::log(error_before / aimed_error) - 0.6 * size : -size;
  return std::clamp(std::exp(change / exponent_), shrink, growth);
}

template <class T>
StepDecision<T> PiController<T>::judge(const T& error, const T& h, int failures, const ControlMemory<T>& before,
                                       ControlMemory<T>& after) const {
  after = before;
  after.order = 0;
  const double size = static_cast<double>(error);
  if (!(size <= std::numeric_limits<double>::max())) return {false, h, error, order_, exponent_};
  double change = factor(size, before.error, failures);
  const bool accepted = size <= 1;
  if (accepted) {
    after.error = std::max(size, least_remembered);
    if (failures > 0) change = std::min(change, 1.0);
    if (change >= 1 && change <= hold_) change = 1;
  }
  return {accepted, T(h * T(change)), error, order_, exponent_};
}

template <class T>
T starting_step(System<T>& system, ErrorNorm<T> norm, const State<T>& start, const T& length, int exponent) {
  norm.weigh(start.y);
  const double size = static_cast<double>(norm(start.y)), slope = static_cast<double>(norm(start.ydot));
  const double end = static_cast<double>(length);
  const double h = std::min(slope > 0 && size > 0 ? size / (100 * slope) : end / 1000, end);
  Vector<T> y = start.y + T(h) * start.ydot, ydot = start.ydot;
  if (!system.consistent_derivatives(T(start.t + T(h)), y, ydot).ok()) return T(h);
  const double steepest = std::max(slope, static_cast<double>(norm(Vector<T>(ydot - start.ydot))) / h);
  if (!(steepest > 0 && steepest <= std::numeric_limits<double>::max())) return T(h);
  return T(std::min({100 * h, std::pow(0.01 / steepest, 1.0 / exponent), end}));
}

#define DAELAB_INSTANTIATE(T)     \
  template class PiController<T>; \
  template T starting_step<T>(System<T>&, ErrorNorm<T>, const State<T>&, const T&, int);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
