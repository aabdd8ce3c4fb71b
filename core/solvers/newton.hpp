// Newton's method as one component: papers differ in iteration, test and norm, and results depend on it.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#pragma once

#include <string>
#include <vector>

#include "core/base/norm.hpp"
#include "core/base/options.hpp"
#include "core/base/scalar.hpp"
#include "core/base/status.hpp"

namespace daelab {

// In the order of their names in JSON.
enum class NewtonIteration { automatic, full, modified, simplified, quasi };
enum class NewtonTest { increment, residual };
enum class JacobianUse { every_step, reused };
enum class NewtonGuess { automatic, constant, extrapolated };
/// What a correction is multiplied by where the step size has changed since the factorisation: 1, 2 / (1 + r^2) or the
/// printed 2 r / (1 + r). In JSON false, true and "printed".
enum class Relaxation { none, second_order, printed };
std::vector<std::string> names_of(NewtonIteration);
std::vector<std::string> names_of(NewtonTest);
std::vector<std::string> names_of(JacobianUse);
std::vector<std::string> names_of(NewtonGuess);

struct NewtonOptions {
  NewtonIteration iteration = NewtonIteration::automatic;  // "name" in JSON
  NewtonTest test = NewtonTest::increment;
  Norm norm = Norm::scaled;
  std::optional<Exact> tolerance;
  std::optional<int> max_iterations;
  JacobianUse jacobian = JacobianUse::every_step;
  Relaxation relaxation = Relaxation::none;
  NewtonGuess guess = NewtonGuess::automatic;

  /// With a Jacobian for each iteration.
  static NewtonOptions full();

  Options options();
  /// The text of the options that differ from the default and are not among the names `applied`: "guess =
  /// extrapolated, relaxation = true"; "" for nothing.
  static std::string without_effect(const Json& chosen, const std::vector<std::string>& applied);
};

/// What newton() iterates on: the unknowns and work space live in the implementation.
template <class T>
class NewtonTarget {
 public:
  virtual ~NewtonTarget() = default;
  /// Evaluates and factorises the Jacobian at the current iterate.
  virtual Status linearize() = 0;
  /// Linearizes without the simplification of linearize(): the next corrections are those of Newton's method.
  virtual Status linearize_exactly() { return linearize(); }
  /// Evaluates the residual at the current iterate.
  virtual Status evaluate() = 0;
  /// Solves for the correction with the factorisation at hand and applies `relaxation` times it.
  virtual void correct(const T& relaxation) = 0;
  /// Sizes of the last residual and correction in the named norm.
  virtual T residual_size() = 0;
  virtual T correction_size() = 0;
  /// Whether round-off alone may have made the last correction; asked where corrections no longer shrink.
  virtual bool is_round_off() { return false; }
};

/// Options rounded to T, with "automatic" resolved.
template <class T>
struct NewtonSettings {
  explicit NewtonSettings(const NewtonOptions& options);
  /// Instead of a tolerance that the options do not name.
  void set_tolerance(const T& tolerance);
  /// For steps with error control, where sizes are measured in error tolerances: a thousandth of one unless the
  /// options name a tolerance. [Ren20, algorithm 2]
  void use_error_tolerances();
  /// After that, for estimates that are larger than the error of a step: the part of a tolerance that this error is.
  void sharpen(const T& part);
  /// For fixed steps with a Jacobian that is kept: until only round-off is left. What a kept Jacobian leaves of
  /// each step has the same direction in the next ones and adds up, where round-off mostly cancels; so a hundredth of a
  /// unit of round-off is aimed at, unless the options name a tolerance.
  void go_to_round_off();
  bool full;              // linearise in every iteration, otherwise once
  bool quadratic;         // corrections more than halve until the round-off floor; true for full
  bool test_residual;     // otherwise the correction
  Relaxation relaxation;  // QuasiNewton only
  bool tolerance_given;
  T tolerance;
  T floor;  // corrections this small that stop shrinking are round-off
  // Settings of QuasiNewton only:
  bool to_round_off;  // what stops shrinking below the floor must do so under an exact Jacobian
  T least_rate;       // of contraction, in the bound for the error
  T kept_rate;        // of contraction, up to which a Jacobian is kept for the next step
  T finest;           // what that bound comes to by the measured rate
  T negligible;       // a correction after which there need not be another
  int max_iterations;
};

/// Iterates until the tested size is <= tolerance. Also converged: a correction below the floor, or of the target's
/// round-off, that stopped shrinking (with one Jacobian a step, for three iterations), and, for one Jacobian a step
/// with contraction rate theta, theta / (1 - theta) |correction| <= tolerance. Returns newton_diverged, singular or
/// non_finite with the cause otherwise. `linearized`: a factorisation is at hand.
template <class T>
Status newton(const NewtonSettings<T>& settings, NewtonTarget<T>& target, bool linearized, Statistics& statistics);

/// Newton's method with one Jacobian over many steps, as long as it contracts. [Ren20, eq. (87), algorithm 2]
///
/// sigma, the ratio of successive corrections, bounds the error of an iterate by sigma / (1 - sigma) |correction|.
/// Under an old Jacobian components contract at rates of their own, and the norm shows that of the largest ones: where
/// the aim is round-off, the bound takes sigma to be at least 1/3, up to which a Jacobian is kept.
///
/// The Jacobian is renewed when corrections shrink by less than a tenth, when five of them (ten on the way to
/// round-off, which is three times as far) will not do, and at the start of a step when sigma r + |r - 1| is above
/// kept_rate, 1/3 unless set, r = kappa now / kappa of the factorisation.
///
/// On the way to round-off a correction that no longer shrinks may also be that of a component that contracts slowly:
/// one from an exact Jacobian tells. Its size is round-off from then on, and so is what is not four times as large; the
/// memory of it fades by a tenth a step.
///
/// Relaxation by 2 / (1 + r^2) is the best for eigenvalues of J^-1 F_x between 1 and r^2. That is their range in
/// second-order systems: constraint rows are scaled exactly for the new step, the equations of motion,
/// M + kappa D + kappa^2 K, are those of the old one. The printed factor 2 r / (1 + r) [Ren20, Sec. 5.1] is the best
/// for eigenvalues between 1 and 1 / r, those of the matrices F_y + F_y' / kappa of codes whose unknowns are y. Here
/// they are y', and the factor is above 1 where the other one is below.
template <class T>
class QuasiNewton {
 public:
  explicit QuasiNewton(const NewtonSettings<T>& settings) : settings_(settings) {}

  NewtonSettings<T>& settings() { return settings_; }
  /// Whether the factorisation at hand will do for r = `ratio`; 0: there is none.
  bool reusable(const T& ratio) const;
  /// What the iterations so far have told: the rate of contraction and the round-off of corrections. With them a
  /// checkpoint goes on as the run it is taken from.
  const T& rate() const { return sigma_; }
  const T& round_off() const { return round_off_; }
  void recall(const T& rate, const T& round_off) {
    sigma_ = rate, round_off_ = round_off;
    renew_ = false;
  }
  /// Iterates from the target's start values. `ratio`: of a reusable factorisation, otherwise 0. Returns
  /// newton_diverged, singular or non_finite with the cause; the Jacobian is renewed then in the next call.
  Status solve(NewtonTarget<T>& target, const T& ratio, Statistics& statistics);

 private:
  struct Rule;
  NewtonSettings<T> settings_;
  bool renew_ = true;
  T sigma_{0};
  T round_off_{0};  // of corrections, as a Jacobian of the solution left them
};

}  // namespace daelab
