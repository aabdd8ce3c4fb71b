#include "methods/runge_kutta/explicit_lockstep.hpp"

#include <algorithm>

namespace daelab {
namespace {

constexpr std::size_t lanes = Lockstep::most;

}  // namespace

ExplicitLockstep::ExplicitLockstep(std::shared_ptr<const PreparedTableau> prepared,
                                   std::shared_ptr<const MechanismTapes> tapes)
    : prepared_(std::move(prepared)),
      coefficients_(prepared_->rounded<double>()),
      models_(std::move(tapes)),
      stages_(prepared_->tableau().stages() - (prepared_->tableau().stiffly_accurate() ? 1 : 0)) {}

std::optional<std::size_t> ExplicitLockstep::add(MechanicalModel<double>& model) {
  if (!models_.add(model)) return {};
  return models_.count() - 1;
}

void ExplicitLockstep::begin() {
  models_.begin();
  numbers_ = 2 * lanes * models_.coordinates();
  for (std::vector<double>* x : {&start_, &compensation_, &y_, &end_, &lost_, &slope_}) x->resize(numbers_);
  lambda_.resize(lanes * models_.constraints());
  slopes_.assign(static_cast<std::size_t>(stages_), std::vector<double>(numbers_));
  std::vector<const double*> addresses;
  for (const std::vector<double>& slope : slopes_) addresses.push_back(slope.data());
  sums_.emplace(coefficients_, addresses);
}

void ExplicitLockstep::compute(double h, std::span<const State<double>* const> from) {
  gather(from);
  h_ = h;
  sums_->scale(h);
  for (Index i = 1; i < stages_; ++i) {
    sums_->stage(i, start_.data(), static_cast<Index>(numbers_), y_.data());
    for (std::size_t lane = 0; lane < lanes; ++lane) t_stage_[lane] = t_[lane] + coefficients_.c[i] * h;
    std::vector<double>& slope = slopes_[static_cast<std::size_t>(i)];
    std::copy(y_.begin() + static_cast<std::ptrdiff_t>(numbers_ / 2), y_.end(), slope.begin());
    models_.accelerations(t_stage_, y_.data(), slope.data() + numbers_ / 2, trust_);
  }
  finish(h);
  for (std::size_t lane = 0; lane < lanes; ++lane)
    if (!trust_[lane]) from_[lane] = nullptr;
}

// Lanes without a state are given another one's: sines of what is not finite take longer for all.
void ExplicitLockstep::gather(std::span<const State<double>* const> from) {
  from_.fill(nullptr), trust_.fill(true);
  const State<double>* any = nullptr;
  for (std::size_t lane = 0; lane < from.size(); ++lane)
    if (from[lane] != nullptr && models_.has_its_mode(lane)) any = from_[lane] = from[lane];
  for (std::size_t lane = 0; lane < lanes && any != nullptr; ++lane) gather(lane, *(from_[lane] ? from_[lane] : any));
}

void ExplicitLockstep::gather(std::size_t lane, const State<double>& state) {
  const double *y = state.y.data(), *ydot = state.ydot.data(), *lost = state.compensation.data();
  t_[lane] = state.t;
  for (std::size_t i = 0; i < numbers_ / lanes; ++i) {
    start_[lanes * i + lane] = y[i];
    slopes_[0][lanes * i + lane] = ydot[i];
    compensation_[lanes * i + lane] = lost[i];
  }
}

// y_(n+1) with compensated summation, as add_increment() has it, and the slope there.
void ExplicitLockstep::finish(double h) {
  sums_->end(compensation_.data(), static_cast<Index>(numbers_), y_.data());
  for (std::size_t k = 0; k < numbers_; ++k) {
    end_[k] = start_[k] + y_[k];
    lost_[k] = y_[k] - (end_[k] - start_[k]);
  }
  for (std::size_t lane = 0; lane < lanes; ++lane) t_end_[lane] = t_[lane] + h;
  std::copy(end_.begin() + static_cast<std::ptrdiff_t>(numbers_ / 2), end_.end(), slope_.begin());
  models_.accelerations_at_end(t_end_, end_.data(), slope_.data() + numbers_ / 2, lambda_.data(), trust_);
}

bool ExplicitLockstep::take(std::size_t lane, const State<double>& from, double h, State<double>& to) {
  if (from_[lane] != &from || h != h_) return false;
  from_[lane] = nullptr;
  const std::size_t n = numbers_ / lanes, m = lambda_.size() / lanes;
  to.t = t_end_[lane];
  double *y = to.y.data(), *ydot = to.ydot.data(), *lost = to.compensation.data();
  for (std::size_t i = 0; i < n; ++i) {
    y[i] = end_[lanes * i + lane];
    ydot[i] = slope_[lanes * i + lane];
    lost[i] = lost_[lanes * i + lane];
  }
  for (std::size_t i = 0; i < m; ++i) y[n + i] = lambda_[lanes * i + lane];
  std::copy_n(from.compensation.data() + n, m, lost + n);
  return true;
}

}  // namespace daelab
