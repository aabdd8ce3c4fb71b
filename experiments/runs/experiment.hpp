// Experiments: what is computed from a set of runs.
#pragma once

#include "core/base/registry.hpp"
#include "experiments/runs/config.hpp"
#include "experiments/runs/run_kind.hpp"
#include "results/artifacts.hpp"

namespace daelab {

/// What an experiment makes of its runs.
struct Evaluation {
  Artifacts artifacts;  // tables, figures, notes for the report
  Json analysis;        // derived numbers that claims point into
};

/// A run of the config with its record and what is needed to show it.
struct LabelledRun {
  std::string label;
  Json record;
  std::string trajectory;   // file relative to the result set; "" = none
  std::string folder = "";  // of the result set
};

class Experiment : public Component {
 public:
  static constexpr const char* kind = "experiment";
  /// What its runs are.
  virtual const RunKind& run_kind() const = 0;
  /// Throws InputError for what the config asks of its runs and cannot have: before any of them is made.
  virtual void check(const Config& config) const = 0;
  /// `reference` is the record of the config's reference run, null when it has none. Never fails because
  /// of a failed run: those become rows with their status.
  virtual Evaluation evaluate(const Config& config, const std::vector<LabelledRun>& runs,
                              const Json& reference) const = 0;
};

/// From an options struct with name, summary, source, options() and
/// `Evaluation evaluate(const Config&, const std::vector<LabelledRun>&, const Json& reference) const`, optionally
/// `void check(const Config&) const` and `static const RunKind& run_kind()` (time integrations).
template <class Definition>
class ExperimentOf final : public Experiment {
 public:
  ExperimentOf(Definition definition, const std::string& where) : definition_(std::move(definition)) {
    if constexpr (requires { definition_.validate(where); }) definition_.validate(where);
  }
  const RunKind& run_kind() const override {
    if constexpr (requires { Definition::run_kind(); })
      return Definition::run_kind();
    else
      return integration_runs();
  }
  void check(const Config& config) const override {
    if constexpr (requires { definition_.check(config); }) definition_.check(config);
  }
  Evaluation evaluate(const Config& config, const std::vector<LabelledRun>& runs,
                      const Json& reference) const override {
    return definition_.evaluate(config, runs, reference);
  }

 private:
  Definition definition_;
};

/// The last line of an experiment file.
template <class Definition>
struct ExperimentEntry {
  explicit ExperimentEntry(const char* file = __builtin_FILE()) {
    Registry<Experiment>::instance().add(registry_entry<Experiment, Definition, ExperimentOf<Definition>>(file));
  }
};

/// The experiment of a config with its own keys read. Throws InputError naming file and pointer.
std::shared_ptr<Experiment> make_experiment(const Config& config);

}  // namespace daelab
