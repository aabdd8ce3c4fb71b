// Statistics over many runs that differ in some values alone: drawn at random (lab/runs/draws.hpp), or on a
// grid.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/measures/sample_statistics.hpp"
#include "lab/runs/compact_run.hpp"
#include "lab/runs/experiment.hpp"
#include "results/members.hpp"

namespace daelab {

/// A largest value over a run in words, "energy error" for "energy_error"; other quantities have their own names.
std::string quantity_words(const std::string& name);

struct Ensemble {
  using Runs = CompactIntegrations;
  static constexpr const char* name = "ensemble";
  static constexpr const char* summary =
      "Many runs that differ in values alone, drawn or on a grid: mean, deviation, quantiles, histograms.";
  static constexpr const char* source = "";
  static MemberUnits units() { return {{"/groups/*/quantities/*/course/t", "s"}}; }

  std::string caption;
  std::vector<std::string> vary, quantities;
  std::vector<Exact> quantiles = {"0.05", "0.5", "0.95"};
  int intervals = 20;

  Options options();
  void validate(const std::string& where) const;
  void check(const Config& config) const;

  /// At the sample times of the runs.
  struct Course {
    std::vector<double> t;
    std::vector<SampleStatistics> statistics;
  };
  struct Quantity {
    std::string name;
    std::optional<SampleStatistics> statistics;  // at the end; nothing where no run has a number
    Histogram histogram;
    Course course;  // empty without samples
  };
  /// Runs that differ in what is varied alone.
  struct Group {
    std::string label;
    Json spec;                 // without that
    long runs = 0, ended = 0;  // ended: well; the others are left out
    std::vector<Quantity> quantities;
  };
  struct Result {
    std::vector<Group> groups;
    std::vector<double> quantiles;
  };

  Result evaluate(const Config& config, const RunReader<CompactRun, RunRecord>& runs) const;
  Artifacts present(const Config& config, const Result& result) const;
};

using EnsembleResult = Ensemble::Result;

/// {"groups": [{"label", "runs", "ended", "quantities": [{"name", "mean", "deviation", ...}]}]}
void members(JsonMembers& json, EnsembleResult& result);

}  // namespace daelab
