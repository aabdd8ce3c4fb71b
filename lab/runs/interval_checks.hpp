// What a specification asks of the interval of a run: its steps, tolerances and samples, checked and completed.
#pragma once

#include <string>

#include "core/expressions/constant_text.hpp"
#include "core/mechanism/problem.hpp"
#include "lab/runs/run_spec.hpp"

namespace daelab {

/// t_start to spec.t_end.
struct Interval {
  Real100 start;
  const Exact& end;
  Real100 length() const { return end.value() - start; }
  std::string text() const { return start == 0 ? end.text() : constant_text(start) + " to " + end.text(); }
};

/// These throw InputError under `where`.
Interval checked_interval(const Real100& t_start, const Exact& t_end, const std::string& where);
void check_step(const RunSpec& spec, const Interval& interval, const std::string& where);
void check_samples(const RunSpec& spec, const Interval& interval, const std::string& where);
/// One tolerance stands for all that are not given, the absolute one in the size that values of the problem matter to;
/// below round-off no step would pass.
void complete_tolerances(RunSpec& spec, const Problem& problem, const std::string& where);

}  // namespace daelab
