#include "core/equations/residual_lanes.hpp"

#include <algorithm>

#include "core/mechanism/dense_limits.hpp"

namespace daelab {
namespace {

// The program of lanes costs what so many calls gain.
constexpr long calls_that_pay = 1000;

}  // namespace

ResidualLanes::ResidualLanes(MechanicalModel<double>& model, Level level, AccelerationSolver<double>& accelerations)
    : model_(model), level_(level), accelerations_(accelerations) {
  const Index n = model.coordinates();
  for (Lanes* x : {&q_, &v_, &a_}) x->setZero(lane_count, n);
  lambda_.setZero(lane_count, model.multipliers());
}

std::unique_ptr<ResidualLanes> ResidualLanes::of(MechanicalModel<double>& model, Level level,
                                                 AccelerationSolver<double>& accelerations) {
  const bool is_small = model.coordinates() + model.constraints() <= largest_dense_mechanism;
  if ((!is_small && level != Level::acceleration) || !FormLanes::fit(model.forms())) return nullptr;
  return std::unique_ptr<ResidualLanes>(new ResidualLanes(model, level, accelerations));
}

bool ResidualLanes::evaluate(const Vector<double>& t, const Matrix<double>& Y, const Matrix<double>& Ydot,
                             Matrix<double>& R) {
  if (!is_ready()) return false;
  // Three residuals that need no elimination take as long one by one.
  if (level_ != Level::acceleration && Y.cols() < lane_count) return false;
  for (Index first = 0; first < Y.cols(); first += lane_count)
    if (!evaluate_four(t, Y, Ydot, first, R)) return false;
  return true;
}

// Refuses while an equation that is not finite is looked for: points are evaluated one by one then.
bool ResidualLanes::is_ready() {
  if (level_ == Level::acceleration) return true;
  if (model_.seeks_domain_error()) return false;
  if (forms_ == &model_.forms()) return residual_.has_value();
  const FormKey key{FormKind::residual, static_cast<int>(level_)};
  if (!model_.forms().has_program_of_lanes(key) && ++calls_ < calls_that_pay) return false;
  forms_ = &model_.forms();
  residual_.reset();
  if (FormLanes::fit(*forms_)) residual_.emplace(*forms_, key, std::vector{model_.coordinates(), model_.constraints()});
  return residual_.has_value();
}

bool ResidualLanes::evaluate_four(const Vector<double>& t, const Matrix<double>& Y, const Matrix<double>& Ydot,
                                  Index first, Matrix<double>& R) {
  const Index n = model_.coordinates(), m = model_.constraints(), count = std::min(lane_count, Y.cols() - first);
  std::array<const double*, lane_count> q{}, v{}, a{}, lambda{};
  Eigen::Vector4d at;
  for (Index lane = 0; lane < lane_count; ++lane) {  // lanes beyond repeat the last point
    const Index point = first + std::min(lane, count - 1);
    const auto of = static_cast<std::size_t>(lane);
    at[lane] = t[point];
    q[of] = Y.col(point).data(), v[of] = q[of] + n, lambda[of] = v[of] + n, a[of] = Ydot.col(point).data() + n;
  }
  gather(q, q_), gather(v, v_);
  const bool is_resolved = level_ == Level::acceleration;
  if (is_resolved) {
    if (!accelerations_.generated_at_lanes(at.data(), q_.data(), v_.data(), a_.data(), lambda_.data(), count))
      return false;
  } else {
    gather(a, a_), gather(lambda, lambda_);
    residual_->run(at.data(), q_, v_, a_, lambda_);
  }
  for (Index lane = 0; lane < count; ++lane) {
    const auto y = Y.col(first + lane), ydot = Ydot.col(first + lane);
    auto r = R.col(first + lane);
    r.head(n) = ydot.head(n) - y.segment(n, n);
    if (is_resolved) {
      r.segment(n, n) = ydot.segment(n, n) - a_.row(lane).transpose();
      if (m > 0) r.tail(m) = y.tail(m) - lambda_.row(lane).transpose();
    } else {
      r.segment(n, n) = residual_->part(0).row(lane).transpose();
      if (m > 0) r.tail(m) = residual_->part(1).row(lane).transpose();
    }
  }
  return true;
}

}  // namespace daelab
