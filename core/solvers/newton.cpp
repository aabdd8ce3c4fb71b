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

std::vector<std::string> names_of(NewtonIteration) { return {"automatic", "full", "modified", "simplified", "quasi"}; }
std::vector<std::string> names_of(NewtonTest) { return {"increment", "residual"}; }
std::vector<std::string> names_of(JacobianUse) { return {"every-step", "reused"}; }
std::vector<std::string> names_of(NewtonGuess) { return {"automatic", "constant", "extrapolated"}; }

namespace {

// Whether to relax was a yes or no before there were two ways to.
const OptionType relaxation_type = {
    [](void*, const Allowed&) {
      return Json{{"anyOf", {{{"type", "boolean"}}, {{"type", "string"}, {"enum", {"printed"}}}}}};
    },
    [](void* member, const Json& value, const std::string& where, const Allowed&) {
      auto& relaxation = *static_cast<Relaxation*>(member);
      if (value.is_boolean())
        relaxation = value.get<bool>() ? Relaxation::second_order : Relaxation::none;
      else if (value == Json("printed"))
        relaxation = Relaxation::printed;
      else
        throw InputError(where, fmt::format("expected true, false or \"printed\", got {}", value.dump()));
    },
    [](void* member) {
      const Relaxation relaxation = *static_cast<Relaxation*>(member);
      return relaxation == Relaxation::printed ? Json("printed") : Json(relaxation == Relaxation::second_order);
    }};

// nu for r = kappa now / kappa of the factorisation.
template <class T>
T relaxation_factor(Relaxation relaxation, const T& r) {
  if (relaxation == Relaxation::second_order) return T(2) / (T(1) + r * r);
  return relaxation == Relaxation::printed ? T((r + r) / (T(1) + r)) : T(1);
}

}  // namespace

NewtonOptions NewtonOptions::full() {
  NewtonOptions options;
  options.iteration = NewtonIteration::full;
  return options;
}

Options NewtonOptions::options() {
  return {
      option(
          "name", iteration,
          "full: Jacobian of the coupled stages in every iteration; modified: the same once a step; "
          "simplified: one Jacobian for all stages, which decouple by diagonalising the coefficient "
          "matrix; quasi: simplified, the Jacobian kept over steps as long as it contracts; automatic: quasi, and with "
          "fixed steps down to round-off: coupled stages for index 3, a new Jacobian inside a step where the old "
          "one contracts poorly, full where that fails"),
      option("test", test, "what is compared with the tolerance"),
      option("norm", norm,
             "max, two: of the unknowns (q', v', lambda) as they are; scaled: max norm of their effect "
             "on the step relative to 1 + |y|"),
      option(
          "tolerance", tolerance,
          "bound of the test; null: 100 units of round-off, with error control a thousandth of the error tolerance, "
          "a hundredth below index 3 for fully implicit Runge-Kutta methods of at most one order above their estimate, "
          "three hundredths for BDF below index 2",
          positive()),
      option("max_iterations", max_iterations, "iterations before giving up; null: 25 in double, 100 in 50 digits",
             between(1, 1000)),
      option("jacobian", jacobian,
             "simplified only: every-step, or reused until the iteration fails to converge with it"),
      Option("relaxation", &relaxation, relaxation_type,
             "quasi only: corrections with a factorisation of another step size are relaxed; true: by 2 / (1 + r^2), r "
             "the ratio of step sizes; printed: by 2 r / (1 + r) [Ren20, Sec. 5.1]"),
      option(
          "guess", guess,
          "start of the iteration: the last derivative in all stages, or the polynomial through the last step's "
          "stages, extrapolated; automatic: of the automatic iteration the one that would have been better in the last "
          "step, otherwise constant. With error control always extrapolated"),
  };
}

std::string NewtonOptions::without_effect(const Json& chosen, const std::vector<std::string>& applied) {
  static const Json standard = NewtonOptions().options().write();
  if (chosen == standard) return "";
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
    : full(options.iteration == NewtonIteration::full),
      quadratic(full),
      test_residual(options.test == NewtonTest::residual),
      relaxation(options.relaxation),
      tolerance_given(options.tolerance.has_value()),
      tolerance(options.tolerance ? options.tolerance->as<T>() : T(100) * epsilon<T>()),
      floor(sqrt_epsilon<T>()),
      to_round_off(false),
      least_rate(T(1) / T(3)),
      kept_rate(least_rate),
      finest(tolerance),
      negligible(tolerance / T(10)),
      // One Jacobian a step gains a digit or two an iteration.
      max_iterations(options.max_iterations.value_or(std::is_same_v<T, double> ? 25 : 100)) {}

namespace {

template <class T>
bool is_finite(const T& x) {
  return x <= std::numeric_limits<T>::max();  // false for NaN too: sizes are not negative
}

constexpr const char* other_steps = "smaller steps or another tolerance or max_iterations of newton may help";
constexpr const char* other_iteration =
    "smaller steps may help, or newton = automatic or full: they renew the Jacobian";

// What a rule says of a correction.
enum class Judgement { goes_on, converged, grows };
// Why an iteration ends without a solution.
struct Complaint {
  const char *what, *remedy;
};

// The loop of every iteration. Rules differ in when they evaluate the Jacobian and in what corrections tell them.
template <class T, class Rule>
Status iterate(const NewtonSettings<T>& settings, NewtonTarget<T>& target, Rule& rule, Statistics& statistics) {
  const auto complain = [&settings](const Complaint& complaint, const T& size, int iterations) -> Status {
    return {
        StatusCode::newton_diverged,
        fmt::format("{}: last correction {:.1e} after {} iterations, tolerance {:.1e}; {}", complaint.what,
                    static_cast<double>(size), iterations, static_cast<double>(settings.tolerance), complaint.remedy)};
  };
  T previous(0);
  for (int iteration = 1; iteration <= settings.max_iterations; ++iteration) {
    if (rule.needs_jacobian())
      if (const Status status = rule.linearize(target, previous); !status.ok()) return status;
    if (const Status status = target.evaluate(); !status.ok()) return status;
    if (settings.test_residual && target.residual_size() <= settings.tolerance) return {};
    target.correct(rule.relaxation());
    ++statistics.newton_iterations;
    const T size = target.correction_size();
    if (!is_finite(size)) return {StatusCode::non_finite, "a Newton correction is not finite"};
    const Judgement judgement = rule.judge(target, size, previous, iteration);
    if (judgement == Judgement::converged) return {};
    if (judgement == Judgement::grows) return complain(rule.growth(), size, iteration);
    previous = size;
  }
  return complain(rule.slowness(), previous, settings.max_iterations);
}

// A Jacobian in every iteration, or one a step.
template <class T>
class FreshJacobian {
 public:
  FreshJacobian(const NewtonSettings<T>& settings, bool linearized) : settings_(settings), linearized_(linearized) {}

  bool needs_jacobian() const { return settings_.full || !linearized_; }
  Status linearize(NewtonTarget<T>& target, const T& /*previous*/) {
    linearized_ = true;
    return target.linearize();
  }
  T relaxation() const { return T(1); }

  Judgement judge(NewtonTarget<T>& target, const T& size, const T& previous, int iteration) {
    if (!settings_.test_residual && size <= settings_.tolerance) return Judgement::converged;
    stalled_ = iteration > 1 && size >= smallest_ ? stalled_ + 1 : 0;
    if (stalled_ == 0) smallest_ = size;
    if (iteration == 1) return Judgement::goes_on;
    // With quadratic convergence halving is already stagnation; a linear one may contract slowly, and grow
    // for an iteration or two on its way down.
    const bool stagnates = settings_.quadratic ? size + size >= previous : stalled_ >= 3;
    if (stagnates && (size <= settings_.floor || target.is_round_off())) return Judgement::converged;
    if (settings_.full) return Judgement::goes_on;
    if (size > settings_.floor && size >= previous + previous)
      return target.is_round_off() ? Judgement::converged : Judgement::grows;
    // |error| <= theta / (1 - theta) |correction|, theta = size / previous
    const bool is_bounded = size < previous && size * size <= settings_.tolerance * (previous - size);
    return !settings_.test_residual && is_bounded ? Judgement::converged : Judgement::goes_on;
  }

  Complaint growth() const { return {"the Newton iteration with one Jacobian a step grows", other_iteration}; }
  Complaint slowness() const {
    return {"Newton did not meet its tolerance", settings_.full ? other_steps : other_iteration};
  }

 private:
  const NewtonSettings<T>& settings_;
  bool linearized_;
  T smallest_{0};
  int stalled_ = 0;  // iterations since the smallest correction
};

}  // namespace

template <class T>
Status newton(const NewtonSettings<T>& settings, NewtonTarget<T>& target, bool linearized, Statistics& statistics) {
  FreshJacobian<T> rule(settings, linearized);
  return iterate(settings, target, rule, statistics);
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
void NewtonSettings<T>::sharpen(const T& part) {
  if (tolerance_given) return;
  set_tolerance(T(part * tolerance));
  floor *= part;
}

template <class T>
void NewtonSettings<T>::go_to_round_off() {
  to_round_off = true;
  if (!tolerance_given) finest = negligible = epsilon<T>() / T(100);
}

template <class T>
bool QuasiNewton<T>::reusable(const T& ratio) const {
  using std::abs;
  return !renew_ && ratio > T(0) && sigma_ * ratio + abs(ratio - T(1)) <= settings_.kept_rate;
}

// One solve with a Jacobian that may be of an earlier step.
template <class T>
struct QuasiNewton<T>::Rule {
  Rule(QuasiNewton& newton, const T& ratio)
      : newton_(newton), settings_(newton.settings_), patience_(settings_.to_round_off ? 10 : 5) {
    newton_.renew_ |= ratio == T(0);
    if (!newton_.renew_) relaxation_ = relaxation_factor(settings_.relaxation, ratio);
  }

  bool needs_jacobian() const { return newton_.renew_; }
  Status linearize(NewtonTarget<T>& target, const T& previous) {
    const bool exactly = settings_.to_round_off && fresh_;
    if (const Status status = exactly ? target.linearize_exactly() : target.linearize(); !status.ok()) return status;
    verifies_ = exactly && previous <= settings_.floor;
    newton_.renew_ = false, fresh_ = true, corrections_ = 0, relaxation_ = T(1);
    return {};
  }
  const T& relaxation() const { return relaxation_; }

  Judgement judge(NewtonTarget<T>& target, const T& size, const T& previous, int iteration) {
    ++corrections_;
    if (corrections_ == 1) newton_.sigma_ = T(0);
    const bool shrinks = corrections_ == 1 || size <= T(9) * previous / T(10);
    if (!settings_.test_residual && size <= settings_.negligible) return Judgement::converged;
    const bool grows_anew = corrections_ == 1 && iteration > 1 && size >= previous;
    if ((grows_anew || !shrinks) && target.is_round_off()) return Judgement::converged;
    if (!shrinks) {
      if (is_round_off(size)) return Judgement::converged;
      if (corrections_ == 2 && iteration > 2 && size > previous + previous) return Judgement::grows;
      newton_.renew_ = true;
      return Judgement::goes_on;
    }
    return corrections_ > 1 && contracts_to_tolerance(size, previous) ? Judgement::converged : Judgement::goes_on;
  }

  Complaint growth() const { return {"the quasi-Newton iteration grows with a new Jacobian", other_steps}; }
  Complaint slowness() const { return {"the quasi-Newton iteration did not meet its tolerance", other_steps}; }

 private:
  // By the bound for the error; where it says no, also whether the Jacobian is to be renewed.
  bool contracts_to_tolerance(const T& size, const T& previous) {
    T& sigma = newton_.sigma_;
    sigma = std::max(T(sigma / T(2)), T(size / previous));
    const auto bound = [&size](const T& rate) { return T(rate / (T(1) - rate) * size); };
    T error = bound(sigma);
    settled_ = settled_ || (!settings_.test_residual && error <= settings_.finest);
    if (settled_ && bound(std::max(sigma, settings_.least_rate)) <= settings_.tolerance) return true;
    for (int left = patience_ - corrections_; left > 0; --left) error *= sigma;
    newton_.renew_ = !settled_ && (corrections_ >= patience_ || error > T(500) * settings_.tolerance);
    return false;
  }
  // Whether a correction that is not smaller than the one before is. Under an old or simplified Jacobian it may also be
  // that of a component that contracts slowly; round-off is what an exact one cannot make smaller either, and, from
  // then on, what is as small.
  bool is_round_off(const T& size) {
    if (!settings_.to_round_off) return settled_ || size <= settings_.floor;
    if (size > settings_.floor) return false;
    if (verifies_) newton_.round_off_ = size;
    return size <= T(4) * newton_.round_off_;
  }

  QuasiNewton& newton_;
  const NewtonSettings<T>& settings_;
  const int patience_;  // corrections with one Jacobian
  T relaxation_{1};
  int corrections_ = 0;    // with the Jacobian at hand
  bool settled_ = false;   // by the rate of two corrections: what no longer shrinks is round-off
  bool fresh_ = false;     // the Jacobian is of this step
  bool verifies_ = false;  // it is exact, and of an iterate next to the solution
};

template <class T>
Status QuasiNewton<T>::solve(NewtonTarget<T>& target, const T& ratio, Statistics& statistics) {
  round_off_ *= T(9) / T(10);  // that of a hard passage is not that of what follows
  Rule rule(*this, ratio);
  const Status status = iterate(settings_, target, rule, statistics);
  if (!status.ok()) renew_ = true;
  return status;
}

#define DAELAB_INSTANTIATE(T)        \
  template struct NewtonSettings<T>; \
  template class QuasiNewton<T>;     \
  template Status newton<T>(const NewtonSettings<T>&, NewtonTarget<T>&, bool, Statistics&);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
