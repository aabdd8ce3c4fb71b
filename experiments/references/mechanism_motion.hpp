// The motion of a mechanism from a start, by a way that knows nothing of its constraints.
#pragma once

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "core/accelerations/acceleration_solver.hpp"
#include "core/integration/extrapolation.hpp"
#include "core/mechanism/group_charts.hpp"
#include "core/start/consistent_start.hpp"
#include "core/start/start_options.hpp"
#include "experiments/references/route_and_witness.hpp"

#ifndef DAELAB_DOUBLE_ONLY

namespace daelab {

/// A mechanism and what its motion begins with.
struct Motions {
  const Problem& problem;
  StartOptions start;
  StartValues values;

  /// Whether the values are those of the problem.
  bool has_own_start() const { return start.analysis == StartAnalysis::consistent && !values.replaces(); }
  /// The smaller problem whose motion gives its motion; null where there is none.
  Json smaller() const { return has_own_start() ? problem.smaller_problem() : Json(); }
  /// What runs as the witness.
  Json witness_problem() const { return smaller().is_null() ? problem.spec() : smaller(); }

  /// At its start, projected where that is asked for. Throws InputError where it cannot be.
  std::unique_ptr<MechanicalModel<Real50>> model() const {
    auto model = problem.mechanical_model(As<Real50>{});
    values.put_into<Real50>(*model);
    if (start.analysis != StartAnalysis::project) return model;
    const Index n = model->coordinates();
    Vector<Real50> y = model->initial_y(), q = y.head(n), v = y.segment(n, n);
    if (const Status status = project_start(*model, q, v, values.weights<Real50>(n)); !status.ok())
      throw InputError("/start", "the start cannot be projected: " + status.cause);
    y.head(n) = q, y.segment(n, n) = v;
    model->start_from(y);
    return model;
  }
};

/// For a motion, as reports show it, without accelerations: those of the model as it is.
inline FullState complete(MechanicalModel<Real50>& model, const Real50& t, const Motion& motion) {
  Vector<Real50> a = motion.a, lambda = motion.lambda;
  if (a.size() == 0) {
    Vector<Real50> q = motion.q;
    from_reported(model, q);
    a.setZero(motion.q.size()), lambda.setZero(model.multipliers());
    if (const Status status = solve_accelerations(model, t, q, motion.v, a, lambda); !status.ok())
      throw std::runtime_error("reference: " + status.cause);
  }
  const Index states = model.integrated_states(), n = motion.q.size() - states;
  FullState state{{"q", motion.q.head(n)}, {"v", motion.v.head(n)}, {"a", a.head(n)}, {"lambda", lambda}};
  if (states > 0) state.push_back({"y", motion.v.tail(states)});
  return state;
}

/// y = (q, v) by extrapolation from one time to another: in pieces between the sampling times of discrete-time blocks.
class Extrapolation {
 public:
  using T = Real50;
  static constexpr int columns = 20;  // the order is twice as many

  explicit Extrapolation(const Motions& motions)
      : model_(motions.model()),
        n_(model_->coordinates()),
        multipliers_(
            Registry<MultiplierSolver>::instance()
                .make(fitting_multiplier_solver(analyse_start(*model_, model_->initial_q(), model_->initial_v())), "")
                ->bind(As<T>{}, n_, model_->constraints())),
        solver_(*model_, *multipliers_),
        t_(model_->initial_t()),
        y_(model_->initial_y()),
        q_(n_),
        v_(n_),
        a_(n_),
        lambda_(model_->initial_multipliers()),
        period_(model_->sampling_period()) {
    if (period_ > 0) samplings_ = static_cast<long>(ceil(T(t_ / period_)));
    sample_if_due();
  }

  /// With steps of 1/divisor, or a little less. Throws std::runtime_error where an acceleration cannot be found.
  void advance(const T& end, int divisor) {
    while (t_ < end) {
      const T to = period_ > 0 ? std::min(T(samplings_ * period_), end) : end;
      const int steps = static_cast<int>(ceil(T((to - t_) * divisor - T("1e-9"))));
      if (model_->groups().empty())
        step_to(to, steps);
      else
        for (int k = 1; k <= steps; ++k) step_to(k == steps ? to : T(t_ + (to - t_) / (steps - k + 1)), 1);
      sample_if_due();
    }
  }
  FullState state() {
    Vector<T> y = y_;
    to_reported(*model_, y);
    Vector<T> q = y.head(n_), v = y.tail(n_), a = Vector<T>::Zero(n_);
    // Angles on the branch of reports.
    if (model_->charts() > 1) model_->to_chart(0, Vector<T>(Vector<T>::Zero(n_)), q, v, a);
    return complete(*model_, t_, {q, v});
  }

 private:
  // Coordinates on Lie groups begin anew there.
  void step_to(const T& to, int steps) {
    y_ = extrapolate<T>([this](const T& t, const Vector<T>& y, Vector<T>& f) { slope(t, y, f); }, t_, y_, to, steps,
                        columns);
    t_ = to;
    if (model_->groups().empty()) return;
    to_reported(*model_, y_), from_reported(*model_, y_);
  }
  void sample_if_due() {
    if (period_ == 0 || t_ != samplings_ * period_) return;
    model_->sample(t_, y_);
    ++samplings_;
  }
  void slope(const T& t, const Vector<T>& y, Vector<T>& f) {
    stop_when_interrupted();
    q_ = y.head(n_), v_ = y.tail(n_);
    if (const Status status = solver_.solve(t, q_, v_, a_, lambda_); !status.ok())
      throw std::runtime_error(status.cause);
    f << v_, a_;
  }

  std::unique_ptr<MechanicalModel<T>> model_;
  Index n_;
  std::unique_ptr<Multipliers<T>> multipliers_;
  AccelerationSolver<T> solver_;
  T t_;
  Vector<T> y_, q_, v_, a_, lambda_;
  T period_;            // of discrete-time blocks; 0: none
  long samplings_ = 0;  // the multiple of the period that is next
};

}  // namespace daelab

#endif
