// How a step or a run ended. A failure is a value that is recorded; exceptions are for bad input.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace daelab {

enum class StatusCode {
  ok,
  newton_diverged,  // the iteration grew, or did not meet its test within the allowed iterations
  singular,         // an iteration matrix or the start's saddle-point matrix could not be factorised
  not_converged,    // the multiplier solver gave up; the cause says how it failed
  inconsistent,     // redundant constraints contradict each other: no multipliers satisfy them
  non_finite,       // a state or residual became infinite or not a number
  diverged,         // with fixed steps the numbers grew as the problem does not: stability is lost
  step_limit,       // more steps than allowed
  step_too_small,   // the step fell below its least size
  accuracy_floor,   // so it did because round-off is more than is tolerated; the cause names the tolerance it allows
  chattering,       // an event came back again and again, at ever shorter intervals, or a sliding mode
  near_singular,    // stopped, as asked, before a position where the constraints become dependent
  not_applicable,   // the method cannot treat this form; the cause says why
  method_failed,    // the code of a method from outside raised an error, or what it returned is no state
  interrupted       // stopped by the user; never stored
};

/// "ok", "newton-diverged", ..., in the order of the enumeration.
const std::vector<std::string>& names_of(StatusCode);
/// The one of a code.
const std::string& to_string(StatusCode code);
/// The code of such a text; nothing: it is none.
std::optional<StatusCode> status_code(const std::string& text);

struct Status {
  StatusCode code = StatusCode::ok;
  std::string cause;  // a sentence for the reader; empty when ok

  bool ok() const { return code == StatusCode::ok; }
};

/// A method that cannot treat a form or a task; the run records `not-applicable` with this reason.
class NotApplicable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What a reader must know of the numbers of a run, whatever its status.
struct Warning {
  std::string kind;  // a word to search for: "stiff", "near-singular", ...
  std::string text;  // a sentence
};

/// What the work of a run is counted in.
struct Statistics {
  long steps = 0;     // accepted ones
  long rejected = 0;  // attempts dropped, for whatever reason
  long failed = 0;    // those of them whose iteration failed
  long newton_iterations = 0;
  long residuals = 0;       // evaluations of F or of the right-hand side
  long jacobians = 0;       // linearisations
  long factorizations = 0;  // matrices factorised (a complex one counts once)
  long back_solves = 0;     // right-hand sides solved for
};

}  // namespace daelab
