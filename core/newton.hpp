// Newton's method as one component: papers differ in iteration, test and norm, and results depend on it.
#pragma once

#include <string>

#include "core/options.hpp"
#include "core/scalar.hpp"
#include "core/status.hpp"

namespace daelab {

struct NewtonOptions {
  std::string name = "automatic";
  std::string test = "increment";
  std::string norm = "scaled";
  std::optional<Exact> tolerance;
  std::optional<int> max_iterations;
  std::string jacobian = "every-step";
  std::string guess = "constant";

  Options options();
};

/// What newton() iterates on: the unknowns and work space live in the implementation.
template <class T>
class NewtonTarget {
 public:
  virtual ~NewtonTarget() = default;
  /// Evaluates and factorises the Jacobian at the current iterate.
  virtual Status linearize() = 0;
  /// Evaluates the residual at the current iterate.
  virtual Status evaluate() = 0;
  /// Solves for the correction with the factorisation at hand and applies it.
  virtual void correct() = 0;
  /// Sizes of the last residual and correction in the named norm.
  virtual T residual_size() = 0;
  virtual T correction_size() = 0;
};

/// Options rounded to T, with "automatic" resolved.
template <class T>
struct NewtonSettings {
  explicit NewtonSettings(const NewtonOptions& options);
  bool full;           // linearise in every iteration, otherwise once
  bool quadratic;      // corrections more than halve until the round-off floor; true for full
  bool test_residual;  // otherwise the correction
  T tolerance;
  int max_iterations;
};

/// Iterates until the tested size is <= tolerance. Also converged: a correction below sqrt(epsilon)
/// that stopped shrinking (the round-off floor; with one Jacobian a step, for three iterations), and,
/// for one Jacobian a step with contraction rate theta, theta / (1 - theta) |correction| <= tolerance. Returns newton_diverged, singular or
/// non_finite with the cause otherwise. `linearized`: a factorisation is at hand.
template <class T>
Status newton(const NewtonSettings<T>& settings, NewtonTarget<T>& target, bool linearized,
              Statistics& statistics);

}  // namespace daelab
