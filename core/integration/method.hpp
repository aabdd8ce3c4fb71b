// Methods and steppers: a method is an integrator with its options, a stepper is a method bound to a
// system, ready to step.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/registry.hpp"
#include "core/equations/system.hpp"
#include "core/integration/method_form.hpp"
#include "core/integration/predicted_orders.hpp"
#include "core/integration/state.hpp"
#include "core/integration/step_control.hpp"
#include "core/solvers/newton.hpp"

namespace daelab {

/// The coordinates of a motion in another chart.
template <class T>
class CoordinateChange {
 public:
  virtual ~CoordinateChange() = default;
  /// In place, from old to new; q on the branch next to `near`. Shapes (n).
  virtual void apply(const Vector<T>& near, Vector<T>& q, Vector<T>& v, Vector<T>& a) = 0;
};

/// The order of dense output: of q and v of mechanical systems, of y of ordinary differential equations. Where the step
/// ends are of a lower one, so is what is between them.
struct DenseOrder {
  int q = 6, v = 5, y = 4;
  std::string how =
      "Hermite polynomials through both step ends: the quintic one of (q, v, a), the cubic one of (y, y')";
};

/// Facts of a stepper before its first step.
struct StepperFacts {
  bool chooses_steps = false, is_multistep = false;
};

/// One step after another. Results follow from `from` and h alone: a copied state goes on to the same bits with another
/// stepper, and rejecting a step is dropping `to`, except for what the attempt has taught: HeldMemory::keep(). What a
/// stepper holds beside the state saves work, or reports on the run: its statistics and warnings. One thing shows:
/// sparse matrices are factorised by pivots that an earlier one gave, of a dropped attempt, too, so that corrections
/// have another rounding than by pivots of their own. From its start a run has the same bits every time.
template <class T>
class Stepper {
 public:
  virtual ~Stepper() = default;
  /// Advances `from` by h into `to` (same shapes). On failure `to` is unspecified except for its kept values.
  virtual Status step(const State<T>& from, const T& h, State<T>& to) = 0;
  /// With error control: the same where judge() comes next. Of a step that it will reject only to.y and kept values
  /// need be right, as far as they go without what else belongs to a step end: projection, slopes.
  virtual Status attempt(const State<T>& from, const T& h, State<T>& to) { return step(from, h, to); }
  /// What the method keeps in State::memory, as it is before the first step; after control(), where that is called.
  virtual HeldMemory make_memory() const { return {}; }

  /// Switches error control on, before the first step. Throws NotApplicable where the method has no estimate.
  virtual void control(const Tolerances<T>& /*tolerances*/) {
    throw NotApplicable("the method has no error estimate: it takes fixed steps only");
  }
  /// With error control: a first step for an interval of this length.
  virtual T first_step(const State<T>& /*start*/, const T& length) const { return length / T(10000); }
  /// With error control: the decision on the step just made, the `failures`-th retry of it. Leaves what control has
  /// learned in to.control, and in the values that are kept.
  virtual StepDecision<T> judge(const State<T>& /*from*/, const T& h, State<T>& /*to*/, int /*failures*/) {
    return {true, h};
  }
  /// With error control: what to try after a step of size h failed.
  virtual Retry<T> retry(const State<T>& /*from*/, const T& h, int /*failures*/) const { return {h / T(4)}; }
  /// The method's own dense output between two accepted states, into the differential components of y at t.
  /// False where it has none.
  virtual bool interpolate(const State<T>& /*from*/, const State<T>& /*to*/, const T& /*t*/, Vector<T>& /*y*/) {
    return false;
  }

  /// Whether the sizes of steps are its own choice, under control(): step_towards() makes one of them, step() as many
  /// as end at from.t + h. Such a stepper may keep its past to itself, so that a copied state goes on as after a
  /// restart.
  bool chooses_steps() const { return facts_.chooses_steps; }
  /// One step of its own choice, which ends at `stop` at the latest; to.t says where, judge() tells of it.
  virtual Status step_towards(const State<T>& from, const T& stop, State<T>& to) {
    return step(from, T(stop - from.t), to);
  }
  /// Whether past steps enter a step, so that it starts at a lower order or smaller where they are forgotten.
  bool is_multistep() const { return facts_.is_multistep; }
  /// Brings what State::memory keeps of a motion to other coordinates; y and y' of the state are still in the old ones.
  /// False where the method cannot: the past is to be forgotten then.
  virtual bool change_coordinates(State<T>& state, CoordinateChange<T>& /*change*/) { return state.memory.empty(); }

  /// Names of the Newton options that have an effect on this method and system, with error control once that is on.
  virtual std::vector<std::string> newton_options() const { return {}; }
  /// What a reader of the results must know, once for each kind.
  void warn(std::string_view kind, std::string text) {
    if (!has_warned(kind)) warnings_.push_back({std::string(kind), std::move(text)});
  }

  const Statistics& statistics() const { return statistics_; }
  /// For the run so far: each kind once.
  const std::vector<Warning>& warnings() const { return warnings_; }
  /// Counts an attempt that is dropped: `completed` by its error estimate, otherwise because step() failed.
  void count_rejection(bool completed) {
    ++statistics_.rejected;
    if (completed)
      --statistics_.steps;
    else
      ++statistics_.failed;
  }

 protected:
  bool has_warned(std::string_view kind) const {
    return std::any_of(warnings_.begin(), warnings_.end(), [&](const Warning& w) { return w.kind == kind; });
  }

  explicit Stepper(const StepperFacts& facts = {}) : facts_(facts) {}
  StepperFacts facts_;  // set when the stepper is made, and not changed afterwards
  Statistics statistics_;

 private:
  std::vector<Warning> warnings_;
};

/// A stepper whose make_memory() returns a `Memory`.
template <class T, class Memory, class Base = Stepper<T>>
class TypedStepper : public Base {
 protected:
  using Base::Base;
  static Memory& past(State<T>& state) { return state.memory.template as<Memory>(); }
  static const Memory& past(const State<T>& state) { return state.memory.template as<Memory>(); }
};

/// Any number of threads may use one: what it finds out when somebody asks, as its eigenvalues, it finds out once.
class Method : public Component {
 public:
  static constexpr const char* kind = "method";
  static constexpr bool made_once = true;

  /// Throws NotApplicable with the reason when the method cannot treat the system's form.
#define DAELAB_DECLARE(T) \
  virtual std::unique_ptr<Stepper<T>> stepper(System<T>& system, const NewtonOptions& newton) const = 0;
  DAELAB_FOR_SCALARS(DAELAB_DECLARE)
#undef DAELAB_DECLARE

  /// The level of the constraints that the method is meant for: a run that names no formulation gets the standard one
  /// of this level.
  virtual Level natural_level() const { return Level::acceleration; }
  /// Names of the formulations that it is for, if it is for some alone. Of these a run that names none gets the first
  /// one that its problem has; on others it is not applicable. Empty: steppers decide.
  virtual std::vector<std::string> formulations() const { return {}; }
  /// What the method is without constraints, as coefficients: what analysis works on.
  virtual MethodForm form() const { return NoForm{"the method does not state its coefficients"}; }
  /// Coefficients in the notation of the method's source: name -> array of numbers in 100 digits.
  struct Coefficient {
    std::string symbol, meaning;
    Matrix<Real100> values;
  };
  virtual std::vector<Coefficient> coefficients() const { return {}; }
  virtual DenseOrder dense_order() const { return {}; }
  /// The orders theory gives it with fixed steps on a formulation; `orders`: of its form. Families know
  /// more than their coefficients tell.
  virtual PredictedOrders predicted_orders(const FormulationTraits& formulation, const FormOrders& orders) const {
    return orders_of_form(form(), formulation, orders);
  }
};

/// The last line of a method file. `Definition` is an options struct with name, summary, source and options(),
/// `Product` a Method made from it and from `where` it was asked for.
template <class Definition, class Product>
struct MethodEntry {
  explicit MethodEntry(const char* file = __builtin_FILE()) {
    Registry<Method>::instance().add(registry_entry<Method, Definition, Product>(file));
  }
};

}  // namespace daelab
