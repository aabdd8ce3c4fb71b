// Methods and steppers: a method is an integrator with its options, a stepper is a method bound to a
// system, ready to step.
#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "core/newton.hpp"
#include "core/registry.hpp"
#include "core/system.hpp"
#include "core/tableau.hpp"

namespace daelab {

/// One step after another. step() never changes `from`, so rejecting a step is dropping `to`.
template <class T>
class Stepper {
 public:
  virtual ~Stepper() = default;
  /// Advances `from` by h into `to` (same shapes). On failure `to` is unspecified.
  virtual Status step(const State<T>& from, const T& h, State<T>& to) = 0;
  /// Values the method keeps in State::memory, to be sized once before the first step.
  virtual Index memory_size() const { return 0; }
  const Statistics& statistics() const { return statistics_; }

 protected:
  Statistics statistics_;
};

/// A method that cannot treat a form; the run records `not-applicable` with this reason.
class NotApplicable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Method : public Component {
 public:
  static constexpr const char* kind = "method";

  /// Throws NotApplicable with the reason when the method cannot treat the system's form.
#define DAELAB_DECLARE(T)                                                       \
  virtual std::unique_ptr<Stepper<T>> stepper(System<T>& system,                \
                                              const NewtonOptions& newton) const = 0;
  DAELAB_FOR_SCALARS(DAELAB_DECLARE)
#undef DAELAB_DECLARE

  /// Runge-Kutta coefficients, where the method has them.
  virtual std::optional<Tableau> tableau() const { return {}; }
  /// Coefficients in the notation of the method's source: name -> array of numbers in 100 digits.
  struct Coefficient {
    std::string symbol, meaning;
    Matrix<Real100> values;
  };
  virtual std::vector<Coefficient> coefficients() const { return {}; }
};

}  // namespace daelab
