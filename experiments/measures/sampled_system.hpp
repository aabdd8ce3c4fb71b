// The multiplier system A mu = b, A = C_q M^-1 C_q^T, along the stored samples of a run. In double, whatever the scalar
// of the run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/status.hpp"
#include "core/mechanism/mechanical_model.hpp"
#include "lab/runs/experiment.hpp"
#include "results/members.hpp"

namespace daelab {

/// One sample. Eigenvalues descend.
struct SystemSample {
  double t = 0;
  Vector<double> q, eigenvalues;    // (n), (m)
  double cosine = 1;                // of the largest angle between the ranges of A here and at the start
  double length = 0, shortest = 0;  // |lambda| and that of its part in the range of A
  double gap = 0;                   // |lambda - shortest one| / |shortest one|

  double ratio() const { return length / shortest; }
};

/// A(t_(i+1)) - A(t_i), relative to the smallest nonzero eigenvalue of A at the start.
struct SystemChange {
  double norm_per_h = 0, trace = 0;  // of the difference over the distance in time; of the trace over the norm
  int positive = 0, negative = 0;    // eigenvalues
};

/// The samples of a run and what follows from them.
class SampledSystem {
 public:
  SampledSystem() = default;
  /// Eigenvalues of A at the start above `rank_tolerance` times the largest are its rank, at all samples.
  SampledSystem(const FinishedRun& run, double rank_tolerance);

  std::string label;  // of the run, as all of these
  Json spec;
  StatusCode status = StatusCode::ok;
  std::string cause;

  const std::vector<SystemSample>& samples() const { return samples_; }
  const std::vector<SystemChange>& changes() const { return changes_; }  // from each sample to the next
  bool empty() const { return samples_.empty(); }
  Index rank() const { return rank_; }
  const Vector<double>& start_spectrum() const { return samples_.front().eigenvalues; }

  /// Largest |eigenvalue - its value at the start|, per eigenvalue.
  Vector<double> deviations() const;
  const SystemSample& most_turned() const;
  /// For the largest ratio; null when every multiplier is zero.
  const SystemSample* longest() const;
  double largest_gap() const;
  double largest_change(double SystemChange::*member) const;
  struct Range {
    int least = 0, most = 0;
  };
  /// Over the changes, nothing without any.
  std::optional<Range> range_of(int SystemChange::*member) const;

  friend void members(JsonMembers& json, SampledSystem& system);

 private:
  struct Matrices;
  void add(const Matrices& now, const Matrices& start, const StateRecord& state);
  SystemChange change(const Matrices& from, const Matrices& to, double h) const;

  Index rank_ = 0;
  std::vector<SystemSample> samples_;
  std::vector<SystemChange> changes_;
};

/// {"label", "spec", "status", "samples": their number, "rank", "spectrum", ..., "motion", "changes"}: what claims
/// point into; the last two are the samples and their changes.
void members(JsonMembers& json, SampledSystem& system);

}  // namespace daelab
