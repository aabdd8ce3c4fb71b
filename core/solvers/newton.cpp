#include "core/solvers/newton.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace daelab {
namespace {

template <class T>
T sqrt_epsilon() {
  using std::sqrt;
  return sqrt(epsilon<T>());
}

}  // namespace

Options NewtonOptions::options() {
  return {
      option(
          "name", name,
          "full: Jacobian of the coupled stages in every iteration; modified: the same once a step; "
          "simplified: one Jacobian for all stages, which decouple by diagonalising the coefficient "
          "matrix; quasi: simplified, the Jacobian kept over steps as long as it contracts; automatic: quasi, and with "
          "fixed steps down to round-off: coupled stages for index 3, a new Jacobian inside a step where the old "
          "one contracts poorly, full where that fails",
          one_of({"automatic", "full", "modified", "simplified", "quasi"})),
      option("test", test, "what is compared with the tolerance", one_of({"increment", "residual"})),
      option("norm", norm,
             "max, two: of the unknowns (q', v', lambda) as they are; scaled: max norm of their effect "
             "on the step relative to 1 + |y|",
             one_of({"scaled", "max", "two"})),
      option("tolerance", tolerance,
             "bound of the test; null: 100 units of round-off, with error control a thousandth of the error tolerance",
             positive()),
      option("max_iterations", max_iterations, "iterations before giving up; null: 25 in double, 100 in 50 digits",
             between(1, 1000)),
      option("jacobian", jacobian,
             "simplified only: every-step, or reused until the iteration fails to converge with it",
             one_of({"every-step", "reused"})),
      option(
          "relaxation", relaxation,
          "quasi only: corrections with a factorisation of another step size are relaxed by 2 / (1 + r^2), r the ratio "
          "of step sizes"),
      option(
          "guess", guess,
          "start of the iteration: the last derivative in all stages, or the polynomial through the last step's "
          "stages, extrapolated; automatic: of the automatic iteration the one that would have been better in the last "
          "step, otherwise constant. With error control always extrapolated",
          one_of({"automatic", "constant", "extrapolated"})),
  };
}

std::string NewtonOptions::without_effect(const std::vector<std::string>& applied) const {
  NewtonOptions given = *this, usual;
  const Json standard = usual.options().write(), chosen = given.options().write();
  std::string text;
  for (const auto& [key, value] : chosen.items()) {
    if (value == standard[key] || std::find(applied.begin(), applied.end(), key) != applied.end()) continue;
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", key,
                        value.is_string() ? value.get<std::string>() : value.dump());
  }
  return text;
}

template <class T>
NewtonSettings<T>::NewtonSettings(const NewtonOptions& options)
    : full(options.name == "full"),
      quadratic(full),
      test_residual(options.test == "residual"),
      relaxed(options.relaxation),
      tolerance_given(options.tolerance.has_value()),
      tolerance(options.tolerance ? options.tolerance->as<T>() : T(100) * epsilon<T>()),
      floor(sqrt_epsilon<T>()),
      to_round_off(false),
      least_rate(T(1) / T(3)),
      finest(tolerance),
      negligible(tolerance / T(10)),
      // One Jacobian a step gains a digit or two an iteration.
      max_iterations(options.max_iterations.value_or(std::is_same_v<T, double> ? 25 : 100)) {}

namespace {

template <class T>
bool is_finite(const T& x) {
  return x <= std::numeric_limits<T>::max();  // false for NaN too: sizes are not negative
}

template <class T>
Status diverged(const char* what, const T& size, int iterations, const T& tolerance, const char* remedy) {
  return {StatusCode::newton_diverged,
          fmt::format("{}: last correction {:.1e} after {} iterations, tolerance {:.1e}; {}", what,
                      static_cast<double>(size), iterations, static_cast<double>(tolerance), remedy)};
}

constexpr const char* other_steps = "smaller steps or another tolerance or max_iterations of newton may help";
constexpr const char* other_iteration =
    "smaller steps may help, or newton = automatic or full: they renew the Jacobian";

}  // namespace

template <class T>
Status newton(const NewtonSettings<T>& settings, NewtonTarget<T>& target, bool linearized, Statistics& statistics) {
  const T& floor = settings.floor;
  T previous(0), smallest(0);
  int stalled = 0;  // iterations since the smallest correction
  for (int iteration = 1; iteration <= settings.max_iterations; ++iteration) {
    if (settings.full || !linearized) {
      const Status status = target.linearize();
      if (!status.ok()) return status;
      linearized = true;
    }
    if (const Status status = target.evaluate(); !status.ok()) return status;
    if (settings.test_residual && target.residual_size() <= settings.tolerance) return {};
    target.correct(T(1));
    ++statistics.newton_iterations;

    const T size = target.correction_size();
    if (!is_finite(size)) return {StatusCode::non_finite, "a Newton correction is not finite"};
    if (!settings.test_residual && size <= settings.tolerance) return {};
    stalled = iteration > 1 && size >= smallest ? stalled + 1 : 0;
    if (stalled == 0) smallest = size;
    if (iteration > 1) {
      // With quadratic convergence halving is already stagnation; a linear one may contract slowly, and grow
      // for an iteration or two on its way down.
      const bool stagnates = settings.quadratic ? size + size >= previous : stalled >= 3;
      if (stagnates && size <= floor) return {};
      if (!settings.full && size > floor && size >= previous + previous)
        return diverged("the Newton iteration with one Jacobian a step grows", size, iteration, settings.tolerance,
                        other_iteration);
      // |error| <= theta / (1 - theta) |correction|, theta = size / previous
      if (!settings.full && !settings.test_residual && size < previous &&
          size * size <= settings.tolerance * (previous - size))
        return {};
    }
    previous = size;
  }
  return diverged("Newton did not meet its tolerance", previous, settings.max_iterations, settings.tolerance,
                  settings.full ? other_steps : other_iteration);
}

template <class T>
void NewtonSettings<T>::set_tolerance(const T& given) {
  if (!tolerance_given) tolerance = given;
  finest = tolerance;
  negligible = tolerance / T(10);
}

template <class T>
void NewtonSettings<T>::use_error_tolerances() {
  set_tolerance(T(1) / T(1000));
  floor = T(1) / T(100);
  to_round_off = false;
  least_rate = T(0);
}

template <class T>
void NewtonSettings<T>::go_to_round_off() {
  to_round_off = true;
  if (!tolerance_given) finest = negligible = epsilon<T>() / T(100);
}

template <class T>
bool QuasiNewton<T>::reusable(const T& ratio) const {
  using std::abs;
  return !renew_ && ratio > T(0) && sigma_ * ratio + abs(ratio - T(1)) <= T(1) / T(3);
}

template <class T>
Status QuasiNewton<T>::solve(NewtonTarget<T>& target, const T& ratio, Statistics& statistics) {
  round_off_ *= T(9) / T(10);  // that of a hard passage is not that of what follows
  const Status status = iterate(target, ratio, statistics);
  if (!status.ok()) renew_ = true;
  return status;
}

template <class T>
Status QuasiNewton<T>::iterate(NewtonTarget<T>& target, const T& ratio, Statistics& statistics) {
  const int patience = settings_.to_round_off ? 10 : 5;  // corrections with one Jacobian
  renew_ |= ratio == T(0);
  T relaxation = settings_.relaxed && !renew_ ? T(2) / (T(1) + ratio * ratio) : T(1);
  T previous(0);
  int corrections = 0;    // with the Jacobian at hand
  bool settled = false;   // by the rate of two corrections: what no longer shrinks is round-off
  bool fresh = false;     // the Jacobian is of this step
  bool verifies = false;  // it is exact, and of an iterate next to the solution
  for (int iteration = 1; iteration <= settings_.max_iterations; ++iteration) {
    if (renew_) {
      const bool exactly = settings_.to_round_off && fresh;
      if (const Status status = exactly ? target.linearize_exactly() : target.linearize(); !status.ok()) return status;
      verifies = exactly && previous <= settings_.floor;
      renew_ = false, fresh = true, corrections = 0, relaxation = T(1);
    }
    if (const Status status = target.evaluate(); !status.ok()) return status;
    if (settings_.test_residual && target.residual_size() <= settings_.tolerance) return {};
    target.correct(relaxation);
    ++statistics.newton_iterations, ++corrections;

    const T size = target.correction_size();
    if (!is_finite(size)) return {StatusCode::non_finite, "a Newton correction is not finite"};
    if (corrections == 1) sigma_ = T(0);
    const bool shrinks = corrections == 1 || size <= T(9) * previous / T(10);
    if (!settings_.test_residual && size <= settings_.negligible) return {};
    if (!shrinks) {
      if (is_round_off(size, settled, verifies)) return {};
      if (corrections == 2 && iteration > 2 && size > previous + previous)
        return diverged("the quasi-Newton iteration grows with a new Jacobian", size, iteration, settings_.tolerance,
                        other_steps);
      renew_ = true;
    } else if (corrections > 1) {
      sigma_ = std::max(T(sigma_ / T(2)), T(size / previous));
      const auto bound = [&size](const T& rate) { return T(rate / (T(1) - rate) * size); };
      T error = bound(sigma_);
      settled = settled || (!settings_.test_residual && error <= settings_.finest);
      if (settled && bound(std::max(sigma_, settings_.least_rate)) <= settings_.tolerance) return {};
      for (int left = patience - corrections; left > 0; --left) error *= sigma_;
      renew_ = !settled && (corrections >= patience || error > T(500) * settings_.tolerance);
    }
    previous = size;
  }
  return diverged("the quasi-Newton iteration did not meet its tolerance", previous, settings_.max_iterations,
                  settings_.tolerance, other_steps);
}

// Whether a correction that is not smaller than the one before is. Under an old or simplified Jacobian it may also be
// that of a component that contracts slowly; round-off is what an exact one cannot make smaller either, and, from then
// on, what is as small.
template <class T>
bool QuasiNewton<T>::is_round_off(const T& size, bool settled, bool verifies) {
  if (!settings_.to_round_off) return settled || size <= settings_.floor;
  if (size > settings_.floor) return false;
  if (verifies) round_off_ = size;
  return size <= T(4) * round_off_;
}

#define DAELAB_INSTANTIATE(T)        \
  template struct NewtonSettings<T>; \
  template class QuasiNewton<T>;     \
  template Status newton<T>(const NewtonSettings<T>&, NewtonTarget<T>&, bool, Statistics&);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
