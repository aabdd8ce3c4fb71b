// Messages on standard error during a set of runs.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/base/json.hpp"

namespace daelab {

struct Cell;

/// A run in a few words: problem, formulation, method, step size or tolerance.
std::string run_text(const Json& spec);

/// From the first second on: how many runs are done, their share of the expected cost, how long the rest takes at that
/// pace, and which run goes on longest. On a terminal one line that is rewritten, elsewhere a line now and then, ever
/// more rarely. Its functions may be called by any thread.
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
  void speak();
  std::string line() const;

  std::mutex mutex_;
  std::condition_variable end_;
  bool ended_ = false, terminal_, shown_ = false;
  std::size_t done_ = 0, total_;
  double cost_ = 0, cost_done_ = 0;
  std::vector<const Cell*> running_;
  Clock::time_point begin_ = Clock::now();
  std::thread speaker_;
};

}  // namespace daelab
