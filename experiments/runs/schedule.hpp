// Carrying out configs: independent runs on all cores, stored as they finish, then evaluated.
#pragma once

#include <string>
#include <vector>

#include "experiments/runs/config.hpp"

namespace daelab {

struct ScheduleOptions {
  std::string out_dir = "out";
  int jobs = 0;         // threads; 0: one per core
  bool force = false;   // take over folders of other configs, and compute everything again
  std::string command;  // what reproduces it, for manifests and captions
};

struct ScheduleSummary {
  int computed = 0, reused = 0, failed = 0;  // runs; failed ones are recorded with their status
  bool interrupted = false;
};

/// Computes the missing runs of all configs (a run that several share once), stores them, evaluates
/// each config and writes result.json and analysis.json. The numbers do not depend on `jobs`. When
/// interrupted, finished runs are kept and nothing is evaluated.
ScheduleSummary run_configs(const std::vector<Config>& configs, const ScheduleOptions& options);

}  // namespace daelab
