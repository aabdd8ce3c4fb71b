// What solve says while a run is on its way, on standard error.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "lab/runs/run.hpp"

namespace daelab::app {

/// On a terminal, from the third second on, one line that is rewritten: the time reached, its share of the interval,
/// and how long the rest takes at the pace of the last seconds. Anywhere, at once, the warning that stability limits
/// the steps: such a run may take very long.
class SolveProgress final : public RunListener {
 public:
  explicit SolveProgress(bool trajectory_at_samples = false);
  ~SolveProgress() override;
  SolveProgress(const SolveProgress&) = delete;
  SolveProgress& operator=(const SolveProgress&) = delete;

  void reached(double t, double t_start, double t_end) override;
  void warned(const Warning& warning) override;
  bool trajectory_at_samples() const override { return trajectory_at_samples_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Mark {
    double t;
    Clock::time_point at;
  };
  void clear();

  bool trajectory_at_samples_, terminal_, shown_ = false;
  Clock::time_point begin_ = Clock::now(), printed_ = begin_;
  std::optional<Mark> before_, last_;  // two places some seconds ago
};

/// "12 s", "3 min", "5 h", "2 days"
std::string duration_text(double seconds);

}  // namespace daelab::app
