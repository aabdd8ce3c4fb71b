// Runs that differ in parameters or start values alone, carried out together: up to four at a time take their steps in
// lockstep, four numbers per instruction. Records are those of single runs.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/integration/lockstep.hpp"
#include "experiments/runs/run_kind.hpp"

namespace daelab {

/// Says which runs may be carried out together.
class LockstepGroups {
 public:
  static constexpr std::size_t most = Lockstep::most;
  /// Fewer gain nothing, because what is computed for four takes as long for two.
  static constexpr std::size_t least = 3;
  /// What a run has in common with others of its group; "": it is carried out alone. That of time integrations in
  /// double by explicit Runge-Kutta methods with many fixed steps.
  std::string of(const BoundRun& run);

 private:
  std::unordered_map<std::string, bool> is_explicit_;  // methods, by their specifications
};

/// Carries out runs, one thread's, group by group.
class LockstepRunner {
 public:
  /// Up to LockstepGroups::most runs of one group, or a single one of any kind: as BoundRun::execute() of each. What
  /// fails, or ends early, does not disturb the others. The times of a record are its run's share.
  std::vector<RunOutcome> execute(std::span<const BoundRun* const> runs);

 private:
  std::vector<std::shared_ptr<Lockstep>> last_;  // of the last group: the next one finds its machine code
};

}  // namespace daelab
