// Observers of runs: drift of energy and constraints of mechanisms, trajectories, dense sampling.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/equations/mechanical_system.hpp"
#include "core/integration/dense_output.hpp"
#include "core/integration/integrate.hpp"
#include "core/integration/state.hpp"
#include "core/integration/step_outcome.hpp"

namespace daelab {

/// Energy and constraint residuals of one state. Residuals are infinity norms.
template <class T>
struct Invariants {
  Energy<T> energy;
  T position{0}, velocity{0}, acceleration{0};
};

template <class T>
class InvariantMeter {
 public:
  /// accelerations: System::accelerations(), here and below.
  explicit InvariantMeter(MechanicalModel<T>& model, Index accelerations = 0);
  Invariants<T> measure(const State<T>& state);

 private:
  MechanicalModel<T>& model_;
  MechanicalLayout layout_;
  Vector<T> q_, v_, a_;
  std::array<Vector<T>, 3> levels_;
};

/// Maxima over step ends of |E(t) - E(0)| and of the three constraint levels: of an ordinary model nothing.
template <class T>
class DriftObserver final : public Observer<T> {
 public:
  explicit DriftObserver(Model<T>& model, Index accelerations = 0);
  void start(const State<T>& state) override;
  void step(const State<T>& from, const State<T>& to) override;

  T energy_error{0}, position{0}, velocity{0}, acceleration{0};

 private:
  void record(const Invariants<T>& now);
  std::optional<InvariantMeter<T>> meter_;  // of mechanisms
  T start_energy_{0};
};

/// Brings a state of a model with several charts, as a run has it, to the chart of the start, angles between -pi and
/// pi; of coordinates on Lie groups to rotation vectors and left velocities. The model stays in its chart.
template <class T>
void to_first_chart(Model<T>& model, const System<T>& system, State<T>& state);

/// The chart and the bases in which states are kept, of a model that has some.
template <class T>
class CoordinatesInUse {
 public:
  CoordinatesInUse() = default;
  explicit CoordinatesInUse(Model<T>& model) {
    if (MechanicalModel<T>* const charted = model.charted()) chart_ = charted->chart(), held_ = model.held();
  }
  void put_into(Model<T>& model) const {
    if (MechanicalModel<T>* const charted = model.charted()) charted->set_chart(chart_), model.hold(held_);
  }

 private:
  Index chart_ = 0;
  Vector<T> held_;
};

/// The columns of a trajectory.
template <class T>
std::vector<std::string> trajectory_columns(Model<T>& model);

/// Rows of a CSV: t, q, v, a, lambda, observables, energies and constraint residuals, or t, y, observables of ordinary
/// models; of every `every`-th step end and of the last state. Numbers with 17 digits.
template <class T>
class TrajectoryRecorder final : public Observer<T> {
 public:
  TrajectoryRecorder(Model<T>& model, int every, Index accelerations = 0);
  void start(const State<T>& state) override { record(state); }
  void step(const State<T>& from, const State<T>& to) override;
  /// The whole CSV, with a header line.
  std::string csv();

 private:
  void record(const State<T>& state);
  void record_mechanism(const State<T>& state);
  void put(const auto& numbers);
  Model<T>& model_;
  std::optional<InvariantMeter<T>> meter_;  // of mechanisms
  MechanicalLayout layout_;
  int every_;
  long step_ = 0;
  Vector<T> observables_;
  T start_energy_{0};
  bool started_ = false;
  State<T> last_;
  CoordinatesInUse<T> last_coordinates_;
  bool last_is_recorded_ = true;
  std::string text_;
};

/// In which chart samples are: that of the start, or the one that the model is in.
enum class Chart { first, present };

/// Dense output at given times; a and lambda, or the algebraic states, completed from it. Times must ascend.
template <class T>
class Sampler final : public Observer<T> {
 public:
  /// take: what is done with each state, in the order of the times; null: they are kept.
  Sampler(Model<T>& model, System<T>& system, std::vector<T> times, Stepper<T>* stepper = nullptr,
          std::function<void(const State<T>&)> take = nullptr, Chart chart = Chart::first);
  void start(const State<T>& state) override;
  void step(const State<T>& from, const State<T>& to) override;
  const std::vector<State<T>>& samples() const { return samples_; }

 private:
  void interpolate(const State<T>& from, const State<T>& to, const T& t);
  void pass_on(const State<T>& sample);
  Model<T>& model_;
  System<T>& system_;
  DenseOutput<T> dense_output_;
  std::vector<T> times_;
  std::size_t next_ = 0;
  std::function<void(const State<T>&)> take_;
  Chart chart_;
  State<T> sample_;
  std::vector<State<T>> samples_;
};

/// Every attempt of a run with error control, as columns.
template <class T>
class StepHistory final : public Observer<T> {
 public:
  void start(const State<T>& /*state*/) override {}
  void step(const State<T>& /*from*/, const State<T>& /*to*/) override {}
  void attempt(const StepAttempt<T>& attempt) override;

  struct Row {
    double t, h, error;
    int order;
    int smoothness;  // -1: not known
    StepOutcome outcome;
    Statistics statistics;  // up to and with this attempt
  };
  const std::vector<Row>& rows() const { return rows_; }

 private:
  std::vector<Row> rows_;
};

}  // namespace daelab
