// A method run: the report card of one method (analysis/method_report.hpp). No problem, no integration.
#pragma once

#include <string>

#include "core/base/options.hpp"
#include "experiments/runs/run_kind.hpp"

namespace daelab {

struct MethodRunSpec {
  Json method;

  Options options();
};

/// Record: "status" and "cause" (not-applicable for a method without coefficients, and why), "report", as `daelab show
/// method --json` prints it, and its "coefficients".
const RunKind& method_runs();

/// "yes", "no", or null where it does not apply.
Json property_cell(const Json& property);

/// "86.03°"
std::string angle_text(double degrees);

}  // namespace daelab
