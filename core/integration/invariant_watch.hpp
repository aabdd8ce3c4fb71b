// Invariants along a run, by name, over all its steps: what they are off, in blocks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/integration/error_blocks.hpp"
#include "core/integration/observers.hpp"

namespace daelab {

/// The invariants of a model: its energy, if it has one, its constraints on all levels, if it has some, and what its
/// recording declares.
template <class T>
std::vector<std::string> known_invariants(Model<T>& model);

/// The error of the energy and of declared invariants is their value less that at the start, the error of constraints
/// their infinity norm. Sizes that roundings are relative to: |kinetic| + |potential| energy, the value of a declared
/// invariant, and of constraints 1 in their unit.
template <class T>
class InvariantWatch final : public Observer<T> {
 public:
  /// names: some of the known ones. accelerations: System::accelerations().
  InvariantWatch(Model<T>& model, const std::vector<std::string>& names, Index accelerations = 0);
  void start(const State<T>& state) override;
  void step(const State<T>& from, const State<T>& to) override;

  const std::vector<ErrorBlockWriter>& errors() const { return errors_; }

 private:
  struct Measured {
    T value{0}, size{1};
  };
  Measured measured(std::size_t place) const;
  void evaluate(const State<T>& state);

  Model<T>& model_;
  std::optional<InvariantMeter<T>> meter_;  // of mechanisms
  std::vector<std::size_t> places_;         // of each: that of a measure, and behind these that of an observable
  Invariants<T> now_;
  Vector<T> observables_;
  std::vector<T> start_;  // 0 where the value is the error
  std::vector<ErrorBlockWriter> errors_;
};

}  // namespace daelab
