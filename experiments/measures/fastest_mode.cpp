#include "experiments/measures/fastest_mode.hpp"

#include <algorithm>
#include <cmath>

#include "core/equations/mechanical_layout.hpp"
#include "core/integration/spectral_radius.hpp"
#include "core/mechanism/mechanical_model.hpp"

namespace daelab {
namespace {

// In double, whatever the scalar of the run.
class BoundEquations {
 public:
  explicit BoundEquations(const Run& run)
      : run_(run),
        model_(started(run)),
        multipliers_(run.multiplier_solver().bind(As<double>{}, layout_of(*model_).n, constraints_of(*model_))),
        system_(run.formulation().system(*model_, *multipliers_)) {}

  bool are_differential() const { return !system_->facts().depends_on_step_size; }

  Vector<double> start() const { return model_->initial_y(); }
  // Positions of first-order states, which nothing hangs on, are no part of a record.
  Vector<double> at(const StateRecord& record) const {
    if (record.is_ode) return record.y.cast<double>();
    const Index n = layout_of(*model_).n;
    Vector<double> y = Vector<double>::Zero(2 * n);
    y.head(record.q.size()) = record.q.cast<double>();
    y.segment(n, record.v.size()) = record.v.cast<double>();
    y.segment(n + record.v.size(), record.y.size()) = record.y.cast<double>();
    return y;
  }

  std::optional<double> rate(double t, const Vector<double>& y) {
    State<double> state;
    state.t = t;
    state.y.setZero(system_->size()), state.ydot.setZero(system_->size());
    const Index size = std::min(model_->size(), y.size());
    state.y.head(size) = y.head(size);
    if (!system_->consistent_start(t, state.y, state.ydot).ok()) return {};
    if (!system_->start_step(t, static_cast<double>(run_.length()), state.y).ok()) return {};
    SpectralRadius<double> radius(*system_);
    Vector<double> direction = radius.first_direction();
    long evaluations = 0;
    double estimate = 0;
    if (!radius.estimate(state, direction, evaluations, estimate).ok() || !std::isfinite(estimate)) return {};
    return estimate;
  }

 private:
  static std::unique_ptr<Model<double>> started(const Run& run) {
    auto model = run.problem().model(As<double>{});
    run.start().put_into(*model);
    return model;
  }

  const Run& run_;
  std::unique_ptr<Model<double>> model_;
  std::unique_ptr<Multipliers<double>> multipliers_;
  std::unique_ptr<System<double>> system_;
};

}  // namespace

std::optional<FastestMode> fastest_mode(const Run& run, const std::optional<StateRecord>& end) {
  BoundEquations equations(run);
  if (!equations.are_differential()) return {};
  std::optional<double> rate = equations.rate(static_cast<double>(run.t_start()), equations.start());
  if (end)
    if (const std::optional<double> there = equations.rate(static_cast<double>(end->t), equations.at(*end)); there)
      rate = std::max(rate.value_or(0), *there);
  if (!rate) return {};
  return FastestMode{*rate, *rate * static_cast<double>(run.length())};
}

}  // namespace daelab
