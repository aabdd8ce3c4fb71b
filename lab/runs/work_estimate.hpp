// How much of the work of a set of runs is done, learnt from the runs that have ended.
#pragma once

#include <map>
#include <optional>
#include <string>

namespace daelab {

/// Expected costs are in any unit that the runs of one group share. The runs of a group that have ended, or all if none
/// of it has, tell how many seconds a unit takes. Seconds may be in any unit, too.
class WorkEstimate {
 public:
  void add(const std::string& group, double cost);
  void started(const std::string& group, double cost);
  /// A run that was added, and that took so long; of one that started this takes the place.
  void ended(const std::string& group, double cost, double seconds, bool was_started);

  /// Done and still to do, in seconds of work; nothing before a run has ended. `running` is how long the runs that go
  /// on have taken together: at most what is expected of them counts as done.
  struct Work {
    double done, left;
    /// Below 100 while anything is left.
    int percent() const;
  };
  std::optional<Work> work(double running) const;

 private:
  struct Group {
    double pending = 0, running = 0, ended = 0, seconds = 0;
    int runs = 0;  // that have not ended
  };
  double rate(const Group& group) const;

  std::map<std::string, Group> groups_;
  Group all_;
};

}  // namespace daelab
