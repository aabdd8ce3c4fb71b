// Experiments: what is computed from a set of runs, and how it is shown.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/registry.hpp"
#include "lab/runs/config.hpp"
#include "lab/runs/member_units.hpp"
#include "lab/runs/run.hpp"
#include "results/artifacts.hpp"

namespace daelab {

/// What an experiment makes of its runs, on its way out.
struct Evaluation {
  Artifacts artifacts;  // tables, figures, notes for the report
  Json analysis;        // its Result as JSON: derived numbers that claims point into
};

/// A run of the config with its record and what is needed to show it.
template <class Run, class Record>
struct Finished {
  std::string label;
  std::shared_ptr<const Run> run;
  Record record;
  std::string trajectory = "";       // file relative to the result set; "": none
  std::string folder = "";           // of the result set
  std::string key = "";              // of the record
  std::vector<Factor> factors = {};  // of the label, part by part
};

/// As it is in the store.
using StoredRun = Finished<BoundRun, Json>;
/// A time integration.
using FinishedRun = Finished<Run, RunRecord>;

/// Reads the i-th run of a config, once, in their order: few others are in memory meanwhile.
template <class Run, class Record>
using RunReader = std::function<Finished<Run, Record>(std::size_t i)>;
using StoredRunReader = RunReader<BoundRun, Json>;

/// The record as the type of its kind. Throws Json::exception if the record has another type.
template <class Runs>
Finished<typename Runs::Run, typename Runs::Record> finished(StoredRun stored) {
  return {std::move(stored.label),
          std::static_pointer_cast<const typename Runs::Run>(stored.run),
          stored.record.get<typename Runs::Record>(),
          std::move(stored.trajectory),
          std::move(stored.folder),
          std::move(stored.key),
          std::move(stored.factors)};
}

class Experiment : public Component {
 public:
  static constexpr const char* kind = "experiment";
  /// What its runs are.
  virtual const RunKind& run_kind() const = 0;
  /// The entries of "runs" that this one, with "common" in it, stands for. Throws InputError under `where`.
  virtual std::vector<Json> entries(Json entry, const std::string& where) const = 0;
  /// Throws InputError for what the config asks of its runs and cannot have: before any of them is made.
  virtual void check(const Config& config) const = 0;
  /// Files that its evaluation reads, from the folder of the config.
  virtual std::vector<std::string> inputs(const Config& config) const = 0;
  /// `reference` is the config's reference run, null when it has none. Never fails because of a failed run: those
  /// become rows with their status.
  virtual Evaluation evaluate(const Config& config, const StoredRunReader& runs, const StoredRun* reference) const = 0;
};

/// From an options struct with name, summary, source, options() and
///
///   struct Result;  that is written as JSON, which claims point into, and read from it
///   Result evaluate(const Config&, const std::vector<Finished<...>>& runs, const Finished<...>* reference) const;
///     or, where the runs may be too many to be in memory at once,
///   Result evaluate(const Config&, const RunReader<...>& runs) const;
///   Artifacts present(const Config&, const Result&) const;
///
/// optionally `void check(const Config&) const`, `std::vector<std::string> inputs(const Config&) const`,
/// `std::vector<Json> entries(const Json& entry, const std::string& where) const` where the experiment adds to what the
/// config says of its runs (otherwise each entry stands for itself),
/// `static MemberUnits units()` of the Result as JSON, which gets them as "units", and `using Runs`, the kind of its
/// runs: a struct with Run, Record and kind(). Time integrations (run.hpp) otherwise.
template <class Definition>
class ExperimentOf final : public Experiment {
 public:
  ExperimentOf(Definition definition, const std::string& where) : definition_(std::move(definition)) {
    if constexpr (requires { definition_.validate(where); }) definition_.validate(where);
  }
  const RunKind& run_kind() const override { return Runs::kind(); }
  std::vector<Json> entries(Json entry, [[maybe_unused]] const std::string& where) const override {
    if constexpr (requires { definition_.entries(entry, where); })
      return definition_.entries(entry, where);
    else
      return {std::move(entry)};
  }
  void check(const Config& config) const override {
    if constexpr (requires { definition_.check(config); }) definition_.check(config);
  }
  std::vector<std::string> inputs([[maybe_unused]] const Config& config) const override {
    if constexpr (requires { definition_.inputs(config); })
      return definition_.inputs(config);
    else
      return {};
  }
  Evaluation evaluate(const Config& config, const StoredRunReader& runs, const StoredRun* reference) const override {
    const auto result = result_of(config, runs, reference);
    static_assert(JsonReadable<std::remove_cv_t<decltype(result)>>);
    Json analysis(result);
    if constexpr (requires { Definition::units(); }) analysis["units"] = units_json(Definition::units());
    return {definition_.present(config, result), std::move(analysis)};
  }

 private:
  template <class D>
  struct RunsOf {
    using type = Integrations;
  };
  template <class D>
  requires requires { typename D::Runs; }
  struct RunsOf<D> {
    using type = typename D::Runs;
  };
  using Runs = typename RunsOf<Definition>::type;

  auto result_of(const Config& config, const StoredRunReader& runs, [[maybe_unused]] const StoredRun* reference) const {
    using Reader = RunReader<typename Runs::Run, typename Runs::Record>;
    const Reader read = [&](std::size_t i) { return finished<Runs>(runs(i)); };
    if constexpr (requires { definition_.evaluate(config, read); }) {
      return definition_.evaluate(config, read);
    } else {
      std::vector<typename Reader::result_type> all;
      for (std::size_t i = 0; i < config.runs.size(); ++i) all.push_back(read(i));
      std::optional<typename Reader::result_type> reference_run;
      if (reference) reference_run = finished<Runs>(*reference);
      return definition_.evaluate(config, all, reference_run ? &*reference_run : nullptr);
    }
  }

  Definition definition_;
};

/// The last line of an experiment file.
template <class Definition>
struct ExperimentEntry {
  explicit ExperimentEntry(const char* file = __builtin_FILE()) {
    Registry<Experiment>::instance().add(registry_entry<Experiment, Definition, ExperimentOf<Definition>>(file));
  }
};

}  // namespace daelab
