// States of references beside certificates that enclose them: to how many decimals the stored numbers are proved.
#pragma once

#include <string>

#include "core/base/json.hpp"

namespace daelab {

/// The route of states that are stored because they are proved.
constexpr const char* enclosure_route = "enclosure in interval arithmetic";

struct StateJudgement {
  int digits = 0;          // every number stored is off by at most half a unit of that decimal
  double off_by = 0;       // the largest difference to the centre
  std::string refutation;  // "": no number is farther away than the state says it may be
};

/// The state at the end of a certificate against the one stored: all of q, v, a, lambda, y that both have. Multipliers
/// of constraints that depend on each other are left out: the certificate's are others of the many.
StateJudgement judge_state(const Json& state, const Json& certificate);

/// The state at the end of a certificate as references store it, in 50 digits. Throws InputError where constraints
/// depend on each other, as references have the multipliers of least norm.
Json proved_state(const Json& certificate);

/// By how much relative deviations of the start grow at most, relative to the largest number of their kind (q, v,
/// states) at the end.
double relative_condition(const Json& certificate);

}  // namespace daelab
