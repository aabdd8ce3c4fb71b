// A stepper whose steps are those of an object of Python.
#pragma once

#include <nanobind/nanobind.h>
#include <daelab/core/integration/foreign_method.hpp>
#include <daelab/core/integration/pi_controller.hpp>

#include <memory>
#include <optional>
#include <string>

#include "own_system.hpp"

namespace daelab::python {

/// What the interpreter knows of this thread, kept from one step to the next where it would be made for each: a run of
/// a set is on a thread that Python has not begun. Made and released on one thread.
class KeptThreadState {
 public:
  KeptThreadState();
  ~KeptThreadState();
  KeptThreadState(const KeptThreadState&) = delete;

 private:
  PyGILState_STATE state_{};
  PyThreadState* kept_ = nullptr;  // null: it is somebody else's
};

/// What a step has returned as "memory".
struct OwnMemory {
  Vector<double> values;
  bool operator==(const OwnMemory&) const = default;
};

/// Takes the interpreter's lock for each step, and leaves it to other threads between steps. What Python raises becomes
/// the status of the step, by own_methods.failure_of; KeyboardInterrupt and other exits leave step().
class OwnStepper final : public TypedStepper<double, OwnMemory> {
 public:
  /// Made by own_methods.make_stepper, whose exceptions become NotApplicable.
  OwnStepper(System<double>& system, const std::string& name, const std::string& version, const Json& options);
  Status step(const State<double>& from, const double& h, State<double>& to) override;
  HeldMemory make_memory() const override {
    return memory_size_ > 0 ? HeldMemory::of(OwnMemory{Vector<double>::Zero(memory_size_)}) : HeldMemory();
  }
  void control(const Tolerances<double>& tolerances) override;
  double first_step(const State<double>& start, const double& length) const override;
  StepDecision<double> judge(const State<double>& from, const double& h, State<double>& to, int failures) override;

 private:
  /// What a result of the step has said.
  struct Given {
    bool y = false, ydot = false, q = false, v = false, a = false, lambda = false, memory = false;
  };

  /// What is Python's; released with the lock.
  struct Objects;
  struct Release {
    void operator()(Objects* objects) const;
  };

  void make(const std::string& version, const Json& options);
  Status take_step(const State<double>& from, double h, State<double>& to);
  Status failure(nanobind::python_error& error);
  nanobind::object state_of(const State<double>& state) const;
  void read_result(nanobind::handle result, State<double>& to, Given& given);
  void read_parts(const nanobind::dict& parts, State<double>& to, Given& given);
  void read_tuple(const nanobind::tuple& parts, State<double>& to, Given& given);
  void read_part(const std::string& name, nanobind::handle value, State<double>& to, Given& given);
  void put_accelerations(nanobind::handle value, State<double>& to) const;
  void read_error(nanobind::handle error);
  Status finish(const Given& given, State<double>& to);

  KeptThreadState thread_;
  System<double>& system_;
  std::string name_;
  std::unique_ptr<Objects, Release> python_;
  OwnSystem* equations_;  // of python_
  Index n_, m_, memory_size_ = 0;
  std::optional<int> error_order_;
  std::optional<PiController<double>> controller_;
  ErrorNorm<double> error_norm_;
  Vector<double> error_;
};

}  // namespace daelab::python
