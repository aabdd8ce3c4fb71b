// Integrations in large numbers: little is kept of each.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lab/runs/leaf_differences.hpp"
#include "lab/runs/run.hpp"

namespace daelab {

/// A run that keeps where it differs from another one, and nothing that it is made of: some 300 bytes instead of
/// thousands.
class CompactRun final : public BoundRun {
 public:
  /// As Run::binder() does: the runs of a binder keep where they differ from one of its first.
  static std::unique_ptr<RunBinder> binder();

  /// The run itself, made anew for each that asks. Thread-safe.
  std::shared_ptr<const Run> whole() const;

  std::shared_ptr<const Json> specification() const override;
  bool makes_trajectory() const override { return makes_trajectory_; }
  Json inputs() const override;
  double expected_cost() const override { return cost_; }
  RunOutcome execute() const override { return whole()->execute(); }

 private:
  class Binder;
  CompactRun(const Run& run, std::shared_ptr<const Run> like, std::vector<LeafDifference> differences);
  Json specified() const;

  std::shared_ptr<const Run> like_;
  std::vector<LeafDifference> differences_;  // of the specification; none: it is that run itself
  double cost_;
  bool makes_trajectory_;
};

/// Time integrations, whose records and keys are those of Integrations.
struct CompactIntegrations {
  using Run = CompactRun;
  using Record = RunRecord;
  static const RunKind& kind();
};

}  // namespace daelab
