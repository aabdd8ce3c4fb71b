// Messages on standard error during a set of runs.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/base/json.hpp"
#include "lab/runs/work_estimate.hpp"

namespace daelab {

struct Cell;

/// A run in a few words: problem, formulation, method, step size or tolerance.
std::string run_text(const Json& spec);

/// Leaves out whole words from the end until the line has at most `width` characters; "…" marks the place.
std::string cut_to_words(const std::string& line, std::size_t width);

/// Once a run has ended, or some seconds without one have passed: how many runs are done, the share of the work that
/// is done, how long the rest takes, and which run goes on longest. The work expected is corrected as runs end. On a
/// terminal one line that is rewritten, elsewhere a line now and then, ever more rarely. Its functions may be called by
/// any thread.
class Progress {
 public:
  /// Of these runs; says nothing where it is quiet, or where there are none.
  Progress(const std::vector<Cell>& cells, bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void started(const Cell& cell);
  void finished(const Cell& cell);

 private:
  using Clock = std::chrono::steady_clock;
  struct Running {
    const Cell* cell;
    Clock::time_point begin;
  };
  void speak();
  std::string line() const;  // "": nothing is known yet

  std::mutex mutex_;
  std::condition_variable end_;
  bool ended_ = false, terminal_, shown_ = false;
  std::size_t done_ = 0, total_;
  WorkEstimate work_;
  std::vector<Running> running_;
  Clock::time_point begin_ = Clock::now();
  std::thread speaker_;
};

}  // namespace daelab
