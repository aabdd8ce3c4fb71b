// A run on its way: system, stepper, observers and guards, from the start to the record.
#pragma once

#include <chrono>
#include <ctime>
#include <memory>
#include <optional>
#include <vector>

#include "core/integration/accumulation_watch.hpp"
#include "core/integration/condition_watch.hpp"
#include "core/integration/drive_watch.hpp"
#include "core/integration/growth_watch.hpp"
#include "core/integration/invariant_watch.hpp"
#include "core/integration/jump_indicator.hpp"
#include "core/integration/observers.hpp"
#include "core/integration/quantity_jumps.hpp"
#include "core/integration/singular_restart.hpp"
#include "core/integration/singularity_watch.hpp"
#include "core/integration/sliding_watch.hpp"
#include "lab/runs/announcers.hpp"
#include "lab/runs/run.hpp"

namespace daelab {

/// For a run, which is one thread: its processor time does not grow while other runs share the machine, the time that
/// passes does.
class Stopwatch {
 public:
  RunTime time() const { return {thread_seconds() - used_before_, wall_seconds()}; }

 private:
  using Clock = std::chrono::steady_clock;
  double wall_seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
  static double thread_seconds() {
    std::timespec used{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
  }
  Clock::time_point begin_ = Clock::now();
  double used_before_ = thread_seconds();
};

/// One run in one scalar. Refers to the run and the listener (null: none).
template <class T>
class Integration {
 public:
  Integration(const Run& run, RunListener* listener);

  /// Called once. What fails ends up in the record.
  Run::Outcome carry_out();

 private:
  std::unique_ptr<System<T>> make_system();
  void guarded(auto&& part);
  Status set_up();
  void limit_steps();
  void watch_conditions();
  void follow_states();
  void record_trajectory();
  void watch_singular_positions();
  void refuse_restart() const;
  std::unique_ptr<JumpIndicator<T>> jump_indicator() const;
  std::unique_ptr<JumpIndicator<T>> quantity_jumps(WatchedQuantity quantity) const;
  Tolerances<T> tolerances() const;
  FixedSteps<T> fixed_steps() const;
  Status advance();
  std::optional<Warning> accumulation_warning();
  void collect();
  void collect_warnings();
  void describe();

  const Run& run_;
  RunListener* listener_;
  const RunSpec& spec_;
  std::vector<T> times_;  // of samples
  std::unique_ptr<Model<T>> model_;
  MechanicalLayout layout_;
  std::unique_ptr<Multipliers<T>> multipliers_;
  const DifferencedSystem<T>* differenced_ = nullptr;  // the system, where its matrices are differences
  std::unique_ptr<System<T>> system_;
  State<T> state_;
  DriftObserver<T> drift_;
  std::optional<TrajectoryRecorder<T>> trajectory_;  // where the run asks for one
  std::optional<InvariantWatch<T>> invariants_;      // the same
  StepHistory<T> history_;
  std::vector<Observer<T>*> observers_;
  double start_size_ = 0;
  RunRecord record_;
  Status status_;
  bool refused_ = false;

  // Made by set_up(), in this order.
  std::unique_ptr<Stepper<T>> stepper_;
  std::optional<AccumulationWatch<T>> accumulation_;
  std::optional<Sampler<T>> sampler_, followed_, rows_;
  std::optional<Announcer<T>> announcer_;
  std::optional<StateAnnouncer<T>> states_;
  std::optional<EventWatch<T>> watch_;
  std::optional<ConditionWatch<T>> conditions_;
  std::optional<DriveWatch<T>> drives_;
  Interruptions<T> interruptions_;
  std::unique_ptr<JumpIndicator<T>> jumps_;
  std::optional<SingularityWatch<T>> singularity_;
  std::optional<SingularRestart<T>> restart_;
  std::optional<GrowthWatch<T>> growth_;
  std::optional<CrossingCheck<T>> crossings_;
  std::optional<SlidingWatch<T>> sliding_;
};

}  // namespace daelab
