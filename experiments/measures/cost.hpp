// What runs cost, by their statistics.
#pragma once

#include <string>
#include <vector>

#include "experiments/measures/run_times.hpp"
#include "results/run_record.hpp"

namespace daelab {

/// A cost of a run. `of` takes its record.
struct Cost {
  const char *name, *label;
  double (*of)(const RunRecord& record);
  bool is_time = false;  // in seconds; others are counts
};

/// "evaluations" counts a residual, or a slope of an explicit method, as one and a Jacobian as one per coordinate and
/// per velocity, as by differences: what models of any size and methods of any kind have in common, and no clock.
const std::vector<Cost>& all_costs();

/// Throws InputError under `where` for an unknown name.
const Cost& cost_by_name(const std::string& name, const std::string& where);

/// What axes and heads call it; of a time, as these were measured.
std::string cost_label(const Cost& cost, const RunTimes& times);

/// "steps, rejected, ..."
std::string cost_names();

}  // namespace daelab
