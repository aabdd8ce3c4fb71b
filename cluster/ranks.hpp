// MPI: a set of runs on the ranks of one mpirun, a manager and its workers.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace daelab {

/// Whether this process was started by mpirun or the like, as one of several.
bool started_as_rank();

/// What the ranks share: pieces of work that all of them know by number.
struct RankWork {
  std::vector<std::size_t> pieces;                             // in this order; the manager's list counts
  std::function<std::string(std::size_t piece)> execute;       // on a worker: the message for the manager
  std::function<void(std::size_t, const std::string&)> store;  // on the manager, as pieces are done, in any order
  std::function<bool()> interrupted;                           // on both: ends as soon as running pieces return
};

/// The ranks of this program, where it was built with MPI; from start to end of main at most once.
class Ranks {
 public:
  virtual ~Ranks() = default;  // waits for all ranks without using a processor
  virtual int rank() const = 0;
  virtual int count() const = 0;
  bool is_manager() const { return rank() == 0; }

  /// Call on every rank: the manager hands pieces to whichever worker is free, some hundredths of a second's
  /// worth at a time, and one lot ahead, so that nobody waits. With one rank, the manager works itself. What `execute`
  /// throws on a worker is thrown on the manager, as std::runtime_error with the rank.
  virtual void carry_out(const RankWork& work) = 0;
  /// Ends all ranks at once: after a failure, when the others would wait for ever.
  [[noreturn]] virtual void abort(int exit_code) = 0;
};

/// Null in a program without MPI.
using MakeRanks = std::unique_ptr<Ranks> (*)();
extern MakeRanks make_ranks;

}  // namespace daelab
