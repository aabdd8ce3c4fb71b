// Run kinds: what the runs of an experiment are. Integrations in time by default (run.hpp); an experiment that
// computes something else from a JSON specification names its own kind.
#pragma once

#include <memory>
#include <string>

#include "core/base/json.hpp"

namespace daelab {

/// What is stored of a run that was carried out: its record with "spec", "status" and "cause".
struct RunOutcome {
  Json record;
  std::string trajectory = {};  // CSV; "" unless asked for
  bool interrupted = false;
};
/// Outcome of a run that was given up and leaves no record.
inline RunOutcome interrupted_outcome() { return {Json(), "", true}; }

/// A run of some kind: a completed specification, bound to what it names.
class BoundRun {
 public:
  virtual ~BoundRun() = default;

  /// The completed specification: what records carry and keys are made of. Valid as long as the run, too.
  virtual std::shared_ptr<const Json> specification() const = 0;
  virtual bool makes_trajectory() const = 0;

  /// What a record depends on beside its specification and the code: data that may change. Most kinds: nothing.
  virtual Json inputs() const { return nullptr; }
  /// Rough cost in any unit, to start the long runs first.
  virtual double expected_cost() const { return 1; }
  /// A failed run is a record with its status and cause.
  virtual RunOutcome execute() const = 0;
};

/// One that keeps its specification as it is: most kinds.
class SpecifiedRun : public BoundRun {
 public:
  const Json& json() const { return json_; }
  std::shared_ptr<const Json> specification() const override { return {std::shared_ptr<void>(), &json_}; }
  bool makes_trajectory() const override { return json_.value("trajectory", 0) != 0; }

 protected:
  explicit SpecifiedRun(Json json) : json_(std::move(json)) {}

 private:
  Json json_;
};

/// Binds specifications one after another; what they have in common may be read once.
class RunBinder {
 public:
  virtual ~RunBinder() = default;
  /// Reads and completes a specification. Throws InputError under `where`.
  virtual std::shared_ptr<const BoundRun> bind(const Json& run, const std::string& where) = 0;
};

/// A kind as its functions.
struct RunKind {
  /// Reads and completes one specification. Throws InputError under `where`.
  std::shared_ptr<const BoundRun> bind(const Json& run, const std::string& where) const {
    return binder()->bind(run, where);
  }
  /// For the specifications of a config.
  std::unique_ptr<RunBinder> (*binder)();
  /// JSON Schema of each key of a specification.
  Json (*schema)();
  /// Where the kind is, whose code computes its records.
  const char* file;
};

/// One by one.
template <class Run>
struct BinderOf final : RunBinder {
  std::shared_ptr<const BoundRun> bind(const Json& run, const std::string& where) override {
    return Run::bind(run, where);
  }
};

/// For runs made by Run::binder() where there is one, otherwise by Run::bind(), whose specifications are read by Spec.
/// Call in the file that computes the records.
template <class Run, class Spec>
const RunKind& run_kind_of(const char* file = __builtin_FILE()) {
  constexpr auto binder = []() -> std::unique_ptr<RunBinder> {
    if constexpr (requires { Run::binder(); })
      return Run::binder();
    else
      return std::make_unique<BinderOf<Run>>();
  };
  static const RunKind kind{binder, [] { return Spec{}.options().schema(); }, file};
  return kind;
}

}  // namespace daelab
