// The forms of one mode: its recording, what follows from it, and the programs made of that.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/expressions/program_cache.hpp"
#include "core/mechanism/first_order_forms.hpp"
#include "core/mechanism/generated_accelerations.hpp"
#include "core/mechanism/given_forms.hpp"
#include "core/mechanism/start_report.hpp"
#include "core/mechanism/switches.hpp"

namespace daelab {

/// Thread-safe.
class Forms {
 public:
  /// given: values of its forms, where they do not come from the expressions.
  Forms(const std::function<void(Recording&)>& record, int mode, std::shared_ptr<const GivenForms> given = nullptr);
  Forms(const Forms&) = delete;

  const Recording& recording() const { return recording_; }
  const FormFacts& facts() const { return facts_; }
  /// Whether the values of its forms come from the expressions.
  bool has_expressions() const { return given_ == nullptr; }
  /// Expressions of a model without coordinates; null: it has some.
  const FirstOrderForms* first_order() const { return first_order_ ? &*first_order_ : nullptr; }

  /// Eliminations of a mechanism; none for other models. Their content does not change.
  const std::vector<GeneratedAccelerations>& generated_accelerations() { return eliminations(false); }
  const std::vector<GeneratedAccelerations>& generated_accelerations_between() { return eliminations(true); }

  FormParts parts(const FormKey& key);
  /// What derive(recording) makes while the graph of the recording is current and nobody else adds to it: derivatives,
  /// series, tapes and programs of expressions, those of parts() among them.
  auto derive(auto&& derive) {
    const std::lock_guard lock(mutex_);
    const RecordingScope scope(graph_);
    return derive(static_cast<const Recording&>(recording_));
  }
  template <class T>
  const Program<T>& program(const FormKey& key);
  /// Program for several points at a time: see make_program_of_lanes().
  const Program<double>& program_of_lanes(const FormKey& key);
  bool has_program_of_lanes(const FormKey& key) const;
  /// For the parts of a form whose sparse program was asked for before.
  const std::vector<std::shared_ptr<const SparsePattern>>& patterns(FormKind kind, int detail) const;

  /// Which part of a form is not finite for these inputs, and by which operation; "": none.
  template <class T>
  std::string domain_error(const FormKey& key, const T* const* inputs);

  /// For a constant expression of the recording.
  Real100 value(const Expression& constant) const;
  /// Evaluates many: take(place, value) of each.
  void values(const Expressions& constants, auto&& take) const {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < constants.size(); ++i) take(i, graph_.constant_value(constants[i].node()));
  }
  LastStart& last_start() { return last_start_; }
  /// The conditions in the equations that depend on time.
  const Switches& switches();
  /// No entry of M depends on anything. False for models without coordinates.
  bool has_constant_mass();

 private:
  using Eliminations = std::vector<GeneratedAccelerations>;
  FormParts make_parts(const FormKey& key);
  template <class T>
  std::unique_ptr<Program<T>> make_program(const FormKey& key);
  void keep_patterns(const FormKey& key, const FormParts& parts);
  Tape tape_of(const FormKey& key);
  const Eliminations& eliminations(bool between);
  const Eliminations& make_eliminations(bool between);

  std::shared_ptr<const GivenForms> given_;
  Graph graph_;
  Recording recording_;
  FormFacts facts_;
  std::optional<MechanicalForms> mechanical_;  // one of these two
  std::optional<FirstOrderForms> first_order_;
  std::optional<Eliminations> generated_, generated_between_;
  mutable std::mutex mutex_;
  ProgramCache<FormKey> programs_;
  std::map<FormKey, std::vector<std::shared_ptr<const SparsePattern>>> patterns_;
  LastStart last_start_;
  std::optional<const Switches> switches_;
  std::once_flag looked_at_mass_;
  bool has_constant_mass_ = false;
};

/// Recordings of the modes of one problem, each made when it is entered first. Thread-safe.
class RecordedProblem {
 public:
  RecordedProblem(std::function<void(Recording&)> record, int start_mode,
                  std::shared_ptr<const GivenForms> given = nullptr)
      : record_(std::move(record)), start_mode_(start_mode), given_(std::move(given)) {
    mode(start_mode);
  }

  int start_mode() const { return start_mode_; }
  Forms& mode(int number) {
    const std::lock_guard lock(mutex_);
    std::unique_ptr<Forms>& forms = modes_[number];
    if (!forms) forms = std::make_unique<Forms>(record_, number, given_);
    return *forms;
  }

 private:
  std::function<void(Recording&)> record_;
  int start_mode_;
  std::shared_ptr<const GivenForms> given_;
  std::mutex mutex_;
  std::map<int, std::unique_ptr<Forms>> modes_;
};

}  // namespace daelab
