// What a config or a command line says of a time integration.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/component_spec.hpp"
#include "core/base/exact.hpp"
#include "core/equations/difference_jacobian.hpp"
#include "core/solvers/newton.hpp"
#include "core/start/start_options.hpp"

namespace daelab {

/// What follows a step that failed three times: smaller steps, or the search for a discontinuity; in the last three
/// also one that failed where forces or constraint Jacobians are seen to jump, or errors to fall as over a jump.
enum class Discontinuities { ignore, detect, watch_force, watch_jacobian, watch_differences };
std::vector<std::string> names_of(Discontinuities);

/// What a position on the way where constraints become dependent makes of a run.
enum class Singular { warn, stop, restart, ignore };
std::vector<std::string> names_of(Singular);

/// The full specification of a run.
struct RunSpec {
  ComponentSpec problem, method;
  std::optional<ComponentSpec> formulation;        // none: the method's natural one
  std::optional<ComponentSpec> multiplier_solver;  // none: fitting the constraints
  std::optional<Exact> h;                          // fixed, or the first one with error control
  std::vector<Exact> step_pattern;                 // of fixed steps: h times these, again and again; empty: h
  std::optional<Exact> rtol, atol, atol_velocity;  // error control where given
  Json atol_components;                            // {"q6": V} in place of these two; null: none
  std::optional<Exact> t_end;                      // the problem's own end time
  Scalar scalar = Scalar::binary64;
  NewtonOptions newton;
  JacobianOptions jacobian;
  StartOptions start;
  int trajectory = 0;
  bool history = false;
  Discontinuities discontinuities = Discontinuities::ignore;
  Singular singular = Singular::warn;
  std::vector<Exact> samples;
  std::optional<Exact> sample_every;
  std::vector<std::string> invariants;   // whose errors are watched
  std::vector<std::string> observables;  // whose values at the end are kept
  std::optional<Exact> max_steps;        // 100 million
  std::optional<Exact> max_step;         // the problem's own; none: no limit

  Options options();
  /// All of them. What few runs have is left out where it is not given: keys are those of runs that know of none.
  Json write();
  /// Throws InputError under `where` for values that reading refuses, and without problem or method.
  void check(const std::string& where);
  /// Error control instead of steps of the fixed size h.
  bool adaptive() const { return rtol || atol; }
};

/// Reads a specification as it is written, "newton", "jacobian" and lists of names also as text. Throws InputError
/// under `where`.
RunSpec read_run_spec(Json json, const std::string& where);

/// The same of a completed one, where `known` is that of `like`.
RunSpec read_run_spec(const Json& completed, const RunSpec& known, const Json& like);

/// Refuses a scalar that this build leaves out. instead: what the message says may be given, from "; " on.
void require_scalar(Scalar scalar, const std::string& where, const std::string& instead = "");

}  // namespace daelab
