#include "core/base/status.hpp"

namespace daelab {

const char* to_string(StatusCode code) {
  switch (code) {
    case StatusCode::ok:
      return "ok";
    case StatusCode::newton_diverged:
      return "newton-diverged";
    case StatusCode::singular:
      return "singular";
    case StatusCode::not_converged:
      return "not-converged";
    case StatusCode::inconsistent:
      return "inconsistent";
    case StatusCode::non_finite:
      return "non-finite";
    case StatusCode::diverged:
      return "diverged";
    case StatusCode::step_limit:
      return "step-limit";
    case StatusCode::step_too_small:
      return "step-too-small";
    case StatusCode::chattering:
      return "chattering";
    case StatusCode::near_singular:
      return "near-singular";
    case StatusCode::not_applicable:
      return "not-applicable";
    case StatusCode::interrupted:
      return "interrupted";
  }
  return "unknown";
}

}  // namespace daelab
