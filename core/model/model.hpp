// Models as runs see them: mechanisms (mechanical_model.hpp) and ordinary differential equations (ordinary_model.hpp).
#pragma once

#include <string>
#include <vector>

#include "core/base/scalar.hpp"
#include "core/model/event.hpp"

namespace daelab {

template <class T>
class MechanicalModel;
template <class T>
class OrdinaryModel;
class Forms;

/// Discrete-time blocks: outputs that are constant between the multiples of a period.
template <class T>
class SampledModel {
 public:
  virtual T sampling_period() const = 0;
  /// Sets the outputs from what the blocks are given now.
  virtual void sample(const T& t, const Vector<T>& y) = 0;

 protected:
  ~SampledModel() = default;
};

/// Sets of coordinates for the same motion, each singular elsewhere. A run starts, and is recorded, in chart 0.
template <class T>
class ChartedModel {
 public:
  virtual Index charts() const = 0;
  virtual Index chart() const = 0;
  virtual void set_chart(Index chart) = 0;
  /// (q, v, a) of the present chart in another one, q on the branch next to `near`; nothing is set.
  virtual void to_chart(Index chart, const Vector<T>& near, Vector<T>& q, Vector<T>& v, Vector<T>& a) = 0;

 protected:
  ~ChartedModel() = default;
};

/// What both kinds have. y is (q, v) of a mechanism and the states of an ordinary differential equation; the y of a
/// system begins with it, and what follows there is not looked at. Results go to output arguments of the right size;
/// nothing is allocated. Not thread-safe: one object belongs to one run.
template <class T>
class Model {
 public:
  virtual ~Model() = default;

  /// The kind: one of these is this model, the other is null.
  virtual MechanicalModel<T>* mechanical() { return nullptr; }
  virtual OrdinaryModel<T>* ordinary() { return nullptr; }
  /// What it offers beside; null: nothing of the sort.
  virtual SampledModel<T>* sampled() { return nullptr; }
  virtual ChartedModel<T>* charted() { return nullptr; }

  /// The recording of the present mode, its graph, and what is derived from it.
  virtual Forms& forms() const = 0;

  virtual T initial_t() const = 0;  // [s]
  virtual Vector<T> initial_y() const = 0;

  virtual std::vector<Event> events() const = 0;
  /// One function of each event; shape (number of events).
  virtual void event_functions(const T& t, const Vector<T>& y, Vector<T>& g) = 0;
  /// y, and the equations, after an event.
  virtual void carry_out(Index event, const T& t, Vector<T>& y) = 0;

  /// Until domain_error() is asked, what is evaluated is looked at: slow, to repeat a step that failed.
  virtual void seek_domain_error() = 0;
  /// The first equation that was not finite since then, the operation and the time; "" where all were.
  virtual std::string domain_error() = 0;

  /// Named quantities to plot and compare, e.g. tip_x.
  virtual std::vector<std::string> observable_names() const = 0;
  virtual void observables(const T& t, const Vector<T>& y, Vector<T>& out) = 0;
};

}  // namespace daelab
