// Methods that are made of steps of a symmetric one.
#pragma once

#include <memory>
#include <string>

#include "core/integration/method.hpp"

namespace daelab {

/// The method of a specification. Throws InputError under `where` unless it is known to be symmetric, with what needs
/// that, and the names of symmetric methods; `itself`: the name of the method that asks, which is no base of its own.
std::shared_ptr<Method> symmetric_base(const Json& spec, const std::string& itself, const std::string& needed_for,
                                       const std::string& where);

/// A stepper that makes its steps of those of another one: work and warnings are those of the other.
template <class T>
class DerivedStepper : public Stepper<T> {
 public:
  HeldMemory make_memory() const override { return base_->make_memory(); }
  bool change_coordinates(State<T>& state, CoordinateChange<T>& change) override {
    return base_->change_coordinates(state, change);
  }
  std::vector<std::string> newton_options() const override { return base_->newton_options(); }

 protected:
  explicit DerivedStepper(std::unique_ptr<Stepper<T>> base) : base_(std::move(base)) { take_warnings(); }

  /// `own`: what is done beside steps of the base.
  void take_counts(const Statistics& own = {}) {
    const long steps = this->statistics_.steps, rejected = this->statistics_.rejected,
               failed = this->statistics_.failed;
    this->statistics_ = base_->statistics();
    this->statistics_.steps = steps, this->statistics_.rejected = rejected, this->statistics_.failed = failed;
    this->statistics_.newton_iterations += own.newton_iterations;
    this->statistics_.residuals += own.residuals, this->statistics_.jacobians += own.jacobians;
    this->statistics_.factorizations += own.factorizations, this->statistics_.back_solves += own.back_solves;
  }
  void take_warnings() {
    for (const Warning& warning : base_->warnings()) this->warn(warning.kind, warning.text);
  }

  std::unique_ptr<Stepper<T>> base_;
};

}  // namespace daelab
