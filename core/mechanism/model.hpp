// Models as runs see them: mechanisms (mechanical_model.hpp) and ordinary differential equations (ordinary_model.hpp).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/scalar.hpp"
#include "core/mechanism/event.hpp"

namespace daelab {

template <class T>
class MechanicalModel;
template <class T>
class OrdinaryModel;
template <class T>
class FormEvaluator;
class Forms;
class RecordedProblem;

/// What both kinds have: values of what a recording says, in the mode that the model is in. y is (q, v) of a mechanism
/// and the states of an ordinary differential equation; the y of a system begins with it, and what follows there is not
/// looked at. Results go to output arguments of the right size; nothing is allocated. A model holds its mode, the
/// outputs of discrete-time blocks and work space. Not thread-safe: one object belongs to one run.
template <class T>
class Model {
 public:
  virtual ~Model();
  Model(const Model&) = delete;

  /// The kind: one of these is this model, the other is null.
  virtual MechanicalModel<T>* mechanical() { return nullptr; }
  virtual OrdinaryModel<T>* ordinary() { return nullptr; }
  /// This model where it has more than one chart, or one that moves: coordinates on Lie groups. Null: it has not.
  MechanicalModel<T>* charted();

  /// The recording of the present mode, its graph, and what is derived from it.
  Forms& forms() const;
  /// What evaluates its forms.
  FormEvaluator<T>& evaluator() { return *evaluator_; }
  const FormEvaluator<T>& evaluator() const { return *evaluator_; }

  T initial_t() const;  // [s]
  /// Size of y: positions and velocities, or states.
  virtual Index size() const = 0;
  /// y at the start time: as recorded, or what took its place. Throws InputError where a value of the recording has
  /// none.
  Vector<T> initial_y() const;
  virtual Vector<T> recorded_y() const = 0;
  /// Values of a run in place of those recorded.
  void start_from(const Vector<T>& y) { start_ = y; }

  /// Discrete-time blocks have outputs that are constant between the multiples of a period [s]. 0: there are none.
  T sampling_period() const;
  /// Sets their outputs from what they are given now.
  void sample(const T& t, const Vector<T>& y);
  /// These outputs, and the bases of coordinates on Lie groups.
  const Vector<T>& held() const;
  void hold(const Vector<T>& outputs);

  std::vector<Event> events() const;
  /// Whether event functions, or what follows, hold multipliers or algebraic states: y must have these then, as
  /// systems have them.
  bool events_hold_multipliers() const;
  /// One function of each event; shape (number of events).
  void event_functions(const T& t, const Vector<T>& y, Vector<T>& g);
  /// y, and the equations, after an event. Multipliers and algebraic states of mechanisms are left as they are.
  void carry_out(Index event, const T& t, Vector<T>& y);

  /// Until domain_error() is asked, what is evaluated is looked at: slow, to repeat a step that failed.
  void seek_domain_error();
  bool seeks_domain_error() const;
  /// The first equation that was not finite since then, the operation and the time; "" where all were.
  std::string domain_error();

  /// Named quantities to plot and compare, e.g. tip_x.
  std::vector<std::string> observable_names() const;
  /// Multipliers are looked for behind (q, v), as systems have them. Throws std::logic_error where an observable holds
  /// some and y ends before.
  void observables(const T& t, const Vector<T>& y, Vector<T>& out);

 protected:
  explicit Model(std::shared_ptr<RecordedProblem> problem);

 private:
  std::unique_ptr<FormEvaluator<T>> evaluator_;
  Vector<T> start_;                 // empty: as recorded
  Vector<T> jumped_, jumped_held_;  // y and outputs after an event; what no event sets stays zero
};

}  // namespace daelab
