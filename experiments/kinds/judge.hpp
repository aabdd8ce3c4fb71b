// The result of the experiment `judge`: results of other programs against the reference, beside methods.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/status.hpp"
#include "experiments/measures/observed_orders.hpp"
#include "results/members.hpp"

namespace daelab {

struct JudgeResult {
  /// One line of the tables: a run of theirs or of ours.
  struct JudgedRun {
    std::string label;
    std::optional<Exact> h, rtol;         // step size [s], relative tolerance
    long states = 0;                      // that were read; 0 for runs of ours
    std::map<std::string, Real50> error;  // infinity norm over what is known, by class; NaN: nothing is
    std::optional<Maxima> drift;
    StatusCode status = StatusCode::ok;
  };
  std::string failure;                // why nothing was judged; "": it was
  std::string reference;              // its source and how well it is known
  std::optional<double> log10_floor;  // of the digits known of it
  std::vector<std::string> classes;   // of components
  std::vector<JudgedRun> runs;
  std::vector<OrderSeries> series;  // with fixed steps: theirs, then ours
  std::vector<std::string> faults;  // of tables: what is wrong with them
  std::vector<std::string> notes;
};

/// {"reference", "runs": [{"label", "error", "drift", ...}], "series": those of convergence, ...}: what claims point
/// into. Errors and maxima are there in the double nearest to them, and with all their digits, as text, in "digits".
void members(JsonMembers& json, JudgeResult& result);

}  // namespace daelab
