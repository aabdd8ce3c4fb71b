// The accuracy that a run has reached, where no reference is known: from a second run.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/base/status.hpp"
#include "lab/runs/run.hpp"

namespace daelab {

/// The same run with half of its tolerances, or of its fixed step size, and without what it would store. Throws
/// InputError where half the tolerance is below round-off.
std::shared_ptr<const Run> run_of_half_tolerance(const Run& run);

/// Errors at the end time, estimated from the difference d of the two runs. An error in proportion to the tolerance, or
/// to h, is 2 d; of a higher power of h it is less. Where the error falls only with the power 2/3 of the tolerance, it
/// is 2.7 d.
struct AccuracyCheck {
  StatusCode status = StatusCode::ok;  // of the second run
  std::string cause;
  std::map<std::string, double> error;  // infinity norm, by class; empty where the second run failed
  std::optional<double> tolerances;     // with error control: of q, v and y, over atol + rtol |y|
  std::optional<Warning> warning;       // "accuracy": it is not what was asked for
};
void to_json(Json& json, const AccuracyCheck& check);

/// Of two records that ended at the same time.
AccuracyCheck check_accuracy(const Run& run, const RunRecord& record, const Run& half, const RunRecord& second);

}  // namespace daelab
