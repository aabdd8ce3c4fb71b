#include "experiments/measures/foreign_drift.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/mechanism/group_charts.hpp"

namespace daelab {
namespace {

void keep_largest(std::optional<Real50>& largest, double value) {
  largest = std::max(largest.value_or(0), Real50(value));
}

}  // namespace

ForeignDrift::ForeignDrift(const Run& run) : names_(run.problem()), conserves_(run.problem().conserves_energy()) {
  if (run.is_ode()) return;
  model_ = run.problem().mechanical_model(As<double>{});
  meter_.emplace(*model_);
  state_.t = model_->initial_t();
  state_.y.setZero(2 * model_->coordinates() + model_->multipliers());
  state_.ydot.setZero(state_.y.size());
  state_.y.head(model_->coordinates()) = model_->initial_q();
  state_.y.segment(model_->coordinates(), model_->coordinates()) = model_->initial_v();
  start_energy_ = meter_->measure(state_).energy.total();
}

std::optional<Maxima> ForeignDrift::measure(const ForeignRun& run) {
  if (!model_) return {};
  Maxima all;
  for (const ForeignState& state : run.states) {
    if (!fill(state)) return {};
    const Invariants<double> now = meter_->measure(state_);
    if (conserves_ && model_->has_energy())
      keep_largest(all.energy_error, std::abs(now.energy.total() - start_energy_));
    keep_largest(all.position_constraint, now.position);
    keep_largest(all.velocity_constraint, now.velocity);
  }
  return all;
}

bool ForeignDrift::fill(const ForeignState& state) {
  state_.t = static_cast<double>(state.t);
  for (const char kind : {'q', 'v', 'y'}) {
    const std::vector<StateEntry> entries = names_.of(kind);
    if (entries.empty()) continue;
    if (!state.has(std::string(1, kind))) return false;
    const Vector<Real50>& values = state.classes.at(std::string(1, kind));
    for (std::size_t i = 0; i < entries.size(); ++i)
      state_.y[entries[i].place] = static_cast<double>(values[static_cast<Index>(i)]);
  }
  from_reported(*model_, state_.y);
  return true;
}

}  // namespace daelab
