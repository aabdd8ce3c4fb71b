// Problems: initial value problems of models, with parameters, start and end time.
#pragma once

#include <memory>
#include <optional>

#include "core/base/registry.hpp"
#include "core/mechanism/outline.hpp"
#include "core/mechanism/recorded_model.hpp"

namespace daelab {

/// A motion at one time, as a model of it has coordinates: states integrated beside them are at the ends of q and v.
struct Motion {
  Vector<Real50> q, v;
  Vector<Real50> s = {};               // of ordinary differential equations
  Vector<Real50> a = {}, lambda = {};  // where a model as it starts has other forces
};

/// An event of a motion, by a route that shares nothing with the integrators under test.
struct ExactEvent {
  Index event;  // in the model's list
  Real50 t;
};

/// A constant of a problem's source that is no option.
struct Constant {
  std::string name;
  Exact value;
  std::string meaning;  // with unit
};
/// A table of them as the source has it: "Table 3".
struct ConstantTable {
  std::string title;
  std::vector<Constant> constants;
};

class Problem : public Component {
 public:
  static constexpr const char* kind = "problem";

  /// Fills in the recording of a mode. It needs nothing of this object later.
  virtual std::function<void(Recording&)> recorder() const = 0;
  virtual int start_mode() const { return 0; }
  /// Problems with the same key have the same recordings, which are then made once for all contexts of equal settings;
  /// "": for this one alone.
  virtual std::string recording_key() const { return ""; }
  std::shared_ptr<RecordedProblem> recorded() const;
  /// Draws what recorder() filled in, in a graph of its own: the operations of the equations keep their order that way.
  virtual void draw(Recording& recording, Outline& outline) const = 0;
  /// With the values that this problem has.
  virtual std::vector<ConstantTable> constants() const = 0;

  template <class T>
  std::unique_ptr<Model<T>> model(As<T>) const {
    return make_model<T>(recorded());
  }
  /// For a mechanism; throws std::logic_error for other problems.
  template <class T>
  std::unique_ptr<MechanicalModel<T>> mechanical_model(As<T> scalar) const {
    return as_mechanical(model(scalar));
  }
  /// For an ordinary differential equation; throws std::logic_error for other problems.
  template <class T>
  std::unique_ptr<OrdinaryModel<T>> ordinary_model(As<T> scalar) const {
    return as_ordinary(model(scalar));
  }

  /// Start time of its recording [s].
  Real100 start_time() const;
  virtual Exact end_time() const = 0;
  /// The largest step of runs with error control that give none [s].
  virtual std::optional<Exact> max_step() const = 0;
  /// Below this size values of its components do not matter: the absolute tolerance of a run that gives none is the
  /// relative one times it.
  virtual Exact least_size() const = 0;

  /// The motion by a route that shares nothing with the integrators under test (closed form, or
  /// minimal coordinates), to about `digits` digits; nothing where the problem has no such route.
  virtual std::optional<Motion> independent_solution(const Real50& t, int digits) const = 0;
  /// The events up to the time t, in order, by the same route; nothing where there is none.
  virtual std::optional<std::vector<ExactEvent>> exact_events(const Real50& t, int digits) const = 0;
  /// What that route is, in a sentence; "" where there is none.
  virtual std::string independent_route() const = 0;

  /// The spec of a problem of fewer unknowns whose motion gives this one, for a witness that is done in reasonable
  /// time; null: there is none.
  virtual Json smaller_problem() const = 0;
  /// This motion, (q, v, a), from that of the smaller problem.
  virtual Motion from_smaller(const Motion& motion) const = 0;

  /// False for problems whose energy changes, because forces dissipate or drive.
  virtual bool conserves_energy() const = 0;
  /// Constraints that follow from the others, as the source states it.
  virtual Index redundant_constraints() const = 0;
};

/// A problem from its options struct: name, summary, source, end_time (optional where resolve() sets it), options(),
/// `void record(Recording&) const` and optionally `void draw(const Recording&, Outline&) const`,
/// `std::vector<ConstantTable> constants() const`, start_mode (0), independent_solution / independent_route,
/// exact_events, smaller_problem and from_smaller, conserves_energy (true), redundant_constraints (0), least_size
/// ("1"), max_step (none).
template <class Definition>
class ProblemOf final : public Problem {
  // What is found by name comes in pairs, so that a misspelt member does not compile; tests/architecture.py knows
  // the constants.
  static constexpr bool is_independent = requires(const Definition& d, const Real50& t) {
    d.independent_solution(t, int{});
  };
  static_assert(
      is_independent == requires { Definition::independent_route; },
      "independent_solution() and independent_route belong together");
  static_assert(
      is_independent || !requires(const Definition& d, const Real50& t) { d.exact_events(t, int{}); },
      "exact_events() need independent_solution()");
  static_assert(
      requires(const Definition& d) { d.smaller_problem(); } ==
          requires(const Definition& d, const Motion& motion) { d.from_smaller(motion); },
      "smaller_problem() and from_smaller() belong together");

 public:
  ProblemOf(Definition definition, const std::string& where) : definition_(std::move(definition)) {
    if constexpr (requires { definition_.validate(where); }) definition_.validate(where);
  }

  std::function<void(Recording&)> recorder() const override {
    return [definition = definition_](Recording& recording) { definition.record(recording); };
  }
  int start_mode() const override {
    if constexpr (requires { definition_.start_mode(); })
      return definition_.start_mode();
    else
      return 0;
  }
  std::string recording_key() const override { return spec_text(spec()); }
  void draw(Recording& recording, Outline& outline) const override {
    if constexpr (requires { definition_.draw(recording, outline); }) definition_.draw(recording, outline);
  }
  std::vector<ConstantTable> constants() const override {
    if constexpr (requires { definition_.constants(); })
      return definition_.constants();
    else
      return {};
  }

  Exact end_time() const override {
    if constexpr (requires { *definition_.end_time; })
      return *definition_.end_time;
    else
      return definition_.end_time;
  }
  std::optional<Exact> max_step() const override {
    if constexpr (requires { Definition::max_step; })
      return Definition::max_step;
    else
      return {};
  }
  Exact least_size() const override {
    if constexpr (requires { Definition::least_size; })
      return Definition::least_size;
    else
      return 1;
  }
  std::optional<Motion> independent_solution(const Real50& t, int digits) const override {
    if constexpr (requires { definition_.independent_solution(t, digits); })
      return definition_.independent_solution(t, digits);
    else
      return {};
  }
  std::optional<std::vector<ExactEvent>> exact_events(const Real50& t, int digits) const override {
    if constexpr (requires { definition_.exact_events(t, digits); })
      return definition_.exact_events(t, digits);
    else
      return {};
  }
  std::string independent_route() const override {
    if constexpr (requires { Definition::independent_route; })
      return Definition::independent_route;
    else
      return "";
  }
  Json smaller_problem() const override {
    if constexpr (requires { definition_.smaller_problem(); })
      return definition_.smaller_problem();
    else
      return {};
  }
  Motion from_smaller(const Motion& motion) const override {
    if constexpr (requires { definition_.from_smaller(motion); })
      return definition_.from_smaller(motion);
    else
      return motion;
  }
  bool conserves_energy() const override {
    if constexpr (requires { Definition::conserves_energy; })
      return Definition::conserves_energy;
    else
      return true;
  }
  Index redundant_constraints() const override {
    if constexpr (requires { Definition::redundant_constraints; })
      return Definition::redundant_constraints;
    else
      return 0;
  }

 private:
  Definition definition_;
};

/// The last line of a problem file.
template <class Definition>
struct ProblemEntry {
  explicit ProblemEntry(const char* file = __builtin_FILE()) {
    Registry<Problem>::instance().add(registry_entry<Problem, Definition, ProblemOf<Definition>>(file));
  }
};

}  // namespace daelab
