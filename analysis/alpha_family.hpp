// The generalized-alpha family with the variants that codes have, by exact parameters.
//
//   v_1 = v_0 + h [(1 - gamma) a_0 + gamma a_1],
//   u_1 = u_0 + h v_0 + h^2 [(1/2 - beta) a_0 + beta a_1],
//   (1 - w) a_0 + w a_1 = (1 - theta) f_0 + theta f_1,   w = 1 - alpha_m, theta = 1 - alpha_f,         [CH93]
//
// for u'' = f(t, u, v). Members: Newmark (alpha_m = alpha_f = 0), HHT (alpha_m = 0), WBZ (alpha_f = 0, also called
// Bossak). To order 2 it is the same whether the mean is that of two forces or the force of the mean (u, v).
//
// Local expansion. Beside the mode of the start, a_n = f_n + h [(theta - w) D + (tau - w) f_t] + O(h^2) with D the part
// of df/dt by u and v, and tau where the force is taken, in steps (theta as published). The velocity is of order 2
// exactly for gamma + theta - w = 1/2 and gamma + tau - w = 1/2, the position then as well, for every beta. What is
// wrong with a_0 goes on as ((w - 1)/w)^n and sums up in the velocity. Order 3 would need gamma/2 = 1/6, or a start
// other than a_0 = f_0: no member has it.
//
// [CH93] Chung, Hulbert, Journal of Applied Mechanics 60(2), 1993, 371-375, doi 10.1115/1.2900803.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/rational.hpp"
#include "core/integration/method.hpp"

namespace daelab {

struct AlphaFamily {
  /// When a force that depends on time is taken: where its other arguments are, or at an end of the step.
  enum class ForceTime { stage, end, start };
  /// What the first step starts from: f_0, 0, or 2 f_0 as a_0; forceless: both a_0 and f_0 are 0.
  enum class Start { consistent, zero, doubled, forceless };
  enum class Acceleration { carried, rederived };  // rederived: a_0 := f_0 at every step
  enum class Balance { weighted, new_alone };      // new_alone: w = 1, the balance takes a_1 for the weighted mean

  Rational alpha_m = 0, alpha_f = 0, beta, gamma;
  ForceTime force_time = ForceTime::stage;
  Start start = Start::consistent;
  Acceleration acceleration = Acceleration::carried;
  Balance balance = Balance::weighted;

  Rational weight() const { return balance == Balance::weighted ? Rational(1 - alpha_m) : Rational(1); }
  Rational theta() const { return 1 - alpha_f; }
  Rational tau() const;
  bool carries() const { return acceleration == Acceleration::carried; }
  /// "alpha_m = 0, alpha_f = 1/3, beta = 4/9, gamma = 5/6; force at the time of the step end".
  std::string text() const;
  /// What it does to the oscillator.
  MethodForm form() const;
};

Rational textbook_gamma(const Rational& alpha_m, const Rational& alpha_f);
Rational textbook_beta(const Rational& alpha_m, const Rational& alpha_f);

/// Whether a document names a family of methods.
bool is_alpha_family(const Json& document);
/// {"family": "generalized-alpha", "rho" | "alpha_m", "alpha_f", "beta", "gamma", "force time", "start",
/// "acceleration", "balance"}: alphas are those of rho, or 0. Without beta and gamma they
/// are textbook_beta() and textbook_gamma(). Throws InputError under `where`.
AlphaFamily alpha_family(const Json& document, const std::string& where);
/// The member that a registered method is; nothing for other methods, and if a parameter is no fraction.
std::optional<AlphaFamily> alpha_family(const Method& method);

/// One condition of order 2.
struct AlphaCondition {
  std::string text;  // "gamma + (1 - alpha_f) - (1 - alpha_m)"
  Rational value;    // must be 1/2
  Rational residual() const { return value - Rational(1, 2); }
};
AlphaCondition velocity_condition(const AlphaFamily& family);
AlphaCondition time_condition(const AlphaFamily& family);

/// The root of the carried acceleration, (w - 1)/w.
Rational start_root(const AlphaFamily& family);
/// What an error e of a_0 leaves in the velocity, in h e: w - gamma.
Rational start_sensitivity(const AlphaFamily& family);
/// What its start leaves in the velocity, in h f_0: 0 for a consistent one.
Rational start_error(const AlphaFamily& family);

}  // namespace daelab
