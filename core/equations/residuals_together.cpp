#include "core/equations/residuals_together.hpp"

#include <algorithm>

#include "core/model/consistent_start.hpp"
#include "core/model/four_points.hpp"

namespace daelab {
namespace {

// To make the program of a residual costs what so many calls gain, that of accelerations what so many do.
constexpr int calls_without = 1000, eliminations_without = 300;

}  // namespace

ResidualsTogether::ResidualsTogether(MechanicalModel<double>& model, Level level) : model_(model), level_(level) {
  if (model.forms().has_program_of_four(form())) find_program();
}
ResidualsTogether::~ResidualsTogether() = default;

std::unique_ptr<ResidualsTogether> ResidualsTogether::of(MechanicalModel<double>& model, Level level) {
  const bool is_small = model.coordinates() + model.constraints() <= largest_dense_mechanism;
  if ((!is_small && level != Level::acceleration) || !FourPoints::fit(model.forms())) return nullptr;
  return std::unique_ptr<ResidualsTogether>(new ResidualsTogether(model, level));
}

bool ResidualsTogether::evaluate(const Vector<double>& t, const Matrix<double>& Y, const Matrix<double>& Ydot,
                                 Matrix<double>& R) {
  // Three residuals that need no elimination take as long one by one.
  const bool pays = level_ == Level::acceleration || Y.cols() >= FourPoints::lanes;
  if (!pays || !is_ready()) return false;
  for (Index first = 0; first < Y.cols(); first += FourPoints::lanes)
    if (!evaluate_four(t, Y, Ydot, first, R)) return false;
  return true;
}

FormKey ResidualsTogether::form() const {
  if (level_ == Level::acceleration) return FourAccelerations::form;
  return {FormKind::residual, static_cast<int>(level_)};
}

// Where an equation that is not finite is looked for, points are evaluated one by one.
bool ResidualsTogether::is_ready() {
  if (model_.seeks_domain_error()) return false;
  if (forms_ == &model_.forms()) return points_ != nullptr;
  const bool pays = level_ == Level::acceleration ? FourAccelerations::pay(model_.forms(), eliminations_without)
                                                  : ++calls_ >= calls_without;
  if (!pays) return false;
  find_program();
  return points_ != nullptr;
}

void ResidualsTogether::find_program() {
  forms_ = &model_.forms();
  points_.reset();
  if (!FourPoints::fit(*forms_)) return;
  if (level_ != Level::acceleration) {
    points_ = std::make_unique<FourPoints>(*forms_, form(), std::vector{model_.coordinates(), model_.constraints()});
  } else if (!forms_->written_out().empty()) {
    points_ = std::make_unique<FourAccelerations>(*forms_);
    accelerations_ = static_cast<FourAccelerations*>(points_.get());
  }
}

bool ResidualsTogether::evaluate_four(const Vector<double>& t, const Matrix<double>& Y, const Matrix<double>& Ydot,
                                      Index first, Matrix<double>& R) {
  constexpr Index lanes = FourPoints::lanes;
  const Index n = model_.coordinates(), m = model_.constraints(), count = std::min(lanes, Y.cols() - first);
  FourPoints& x = *points_;
  FourPoints::Columns q{}, v{}, a{}, lambda{};
  for (Index lane = 0; lane < lanes; ++lane) {  // lanes beyond repeat the last point
    const Index point = first + std::min(lane, count - 1);
    const auto of = static_cast<std::size_t>(lane);
    x.t[lane] = t[point];
    q[of] = Y.col(point).data(), v[of] = q[of] + n, lambda[of] = v[of] + n, a[of] = Ydot.col(point).data() + n;
  }
  FourPoints::put(q, x.q), FourPoints::put(v, x.v);
  if (level_ != Level::acceleration) FourPoints::put(a, x.a), FourPoints::put(lambda, x.lambda);
  x.run();
  if (level_ == Level::acceleration && !accelerations_->are_trusted()) return false;
  const auto &upper = x.part(0), &lower = x.part(1);
  for (Index lane = 0; lane < count; ++lane) {
    const auto y = Y.col(first + lane), ydot = Ydot.col(first + lane);
    auto r = R.col(first + lane);
    r.head(n) = ydot.head(n) - y.segment(n, n);
    if (level_ == Level::acceleration) {
      r.segment(n, n) = ydot.segment(n, n) - upper.row(lane).transpose();
      if (m > 0) r.tail(m) = y.tail(m) - lower.row(lane).transpose();
    } else {
      r.segment(n, n) = upper.row(lane).transpose();
      if (m > 0) r.tail(m) = lower.row(lane).transpose();
    }
  }
  return true;
}

}  // namespace daelab
