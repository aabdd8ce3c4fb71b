#include "core/solvers/variable_metric.hpp"

#include <fmt/format.h>

#include "core/base/flops.hpp"
#include "core/solvers/plain_products.hpp"

namespace daelab {
namespace {

// A + factor (x y^T + y x^T), symmetric by construction.
template <class T>
void add(Matrix<T>& A, const T& factor, const Vector<T>& x, const Vector<T>& y) {
  for (Index j = 0; j < x.size(); ++j) {
    const T x_j = factor * x[j], y_j = factor * y[j];
    for (Index i = j; i < x.size(); ++i) A(j, i) = A(i, j) += x[i] * y_j + y[i] * x_j;
  }
}

}  // namespace

std::vector<Option> VariableMetricOptions::list() {
  Allowed below_one = positive();
  below_one.maximum = 1;
  std::vector<Option> list{
      option("eps_abs", eps_abs, "passes end at |A mu - b| <= eps_abs, in units of C''", positive()),
      option("correction", correction, "passes also end when a step is below this times |mu|", below_one),
      option("curvature", curvature, "updates need denominators above this times the norms of their factors",
             below_one),
      option("max_passes", max_passes, "A is factorised anew after so many", at_least(1))};
  for (Option& o : rank.list()) list.push_back(std::move(o));
  return list;
}

template <class T>
VariableMetric<T>::VariableMetric(Index coordinates, Index constraints, MetricUpdate update,
                                  const VariableMetricOptions& options)
    : ReducedMultipliers<T>(coordinates, constraints),
      update_(update),
      variant_(options.variant),
      eps_abs_(options.eps_abs.as<T>()),
      correction_(options.correction.as<T>()),
      curvature_(options.curvature.as<T>()),
      max_passes_(options.max_passes),
      rule_(options.rank),
      check_(options.rank),
      factor_(constraints),
      H_(Matrix<T>::Zero(constraints, constraints)) {
  for (Vector<T>* x : {&x_, &r_, &d_, &s_, &y_, &u_}) x->setZero(constraints);
}

template <class T>
Status VariableMetric<T>::solve_reduced(const Matrix<T>& A, const Vector<T>& b, Vector<T>& mu) {
  this->report_ = {};
  fresh_ = false;
  const T size_of_b = b.norm();
  Refactorization need = known_ ? Refactorization::none : Refactorization::first;
  End end = End::met;
  for (;;) {
    if (need != Refactorization::none && !restart(A, need))
      return {StatusCode::singular, "the multiplier matrix is not positive definite on its range"};
    end = iterate(A, b);
    need = cause_to_restart(end, size_of_b);
    if (need == Refactorization::none) break;
  }
  mu = x_;
  return finish(end, size_of_b);
}

// H = A^+.
template <class T>
bool VariableMetric<T>::restart(const Matrix<T>& A, Refactorization cause) {
  this->report_.refactorization = cause;
  known_ = factor_.factorize(A, rule_);
  if (!known_) return false;
  fresh_ = true;
  const Index m = A.rows();
  for (Index j = 0; j < m; ++j) {
    d_.setZero();
    d_[j] = T(1);
    factor_.solve(d_, s_);
    H_.col(j) = s_;
  }
  const double size = static_cast<double>(m), rank = static_cast<double>(factor_.rank());
  this->report_.flops += range_factorization_flops(m, factor_.rank()) + size * (4 * size * rank + 2 * rank * rank);
  return true;
}

template <class T>
typename VariableMetric<T>::End VariableMetric<T>::iterate(const Matrix<T>& A, const Vector<T>& b) {
  const T first = b.norm();
  x_.setZero();
  r_ = -b, residual_ = first;
  this->report_.flops += dot_flops(b.size());
  for (int steps = 0; !(residual_ <= eps_abs_); ++steps) {
    if (!(residual_ <= T(growth_factor) * first)) return End::growth;
    if (steps > max_passes_) return End::cap;
    if (steps > 0) update(), ++this->report_.passes;
    const bool moved = step(A);
    residual_ = r_.norm();
    this->report_.flops += dot_flops(b.size());
    if (!moved || s_.norm() <= correction_ * x_.norm()) return residual_ <= eps_abs_ ? End::met : End::floor;
  }
  return End::met;
}

// False where no step along d lowers the residual, or none that is more than round-off of x.
template <class T>
bool VariableMetric<T>::step(const Matrix<T>& A) {
  const Index m = r_.size();
  plain::multiply(H_, r_, d_);
  d_ = -d_;
  plain::multiply(A, d_, y_);
  const T slope = plain::dot(d_, r_), curvature = plain::dot(d_, y_);
  this->report_.flops += 2 * product_flops(m, m) + 2 * dot_flops(m) + 1;
  if (!(curvature > T(0)) || !(slope < T(0)) || d_.norm() <= correction_ * x_.norm()) {
    s_.setZero(), y_.setZero();
    return false;
  }
  alpha_ = -slope / curvature;
  s_ = alpha_ * d_, y_ *= alpha_;
  x_ += s_, r_ += y_;
  this->report_.flops += 4 * static_cast<double>(m);
  return true;
}

// H as it is where a denominator says nothing.
template <class T>
void VariableMetric<T>::update() {
  const Index m = r_.size();
  const double size = static_cast<double>(m);
  plain::multiply(H_, y_, u_);
  const T sy = plain::dot(s_, y_), yu = plain::dot(y_, u_), least = curvature_ * y_.norm();
  this->report_.flops += product_flops(m, m) + 3 * dot_flops(m);
  if (update_ == MetricUpdate::sr1) return update_rank_one(sy, yu);
  this->report_.flops += 2 * dot_flops(m);
  if (!(sy > least * s_.norm()) || !(yu > least * u_.norm())) return;
  if (update_ == MetricUpdate::bfgs) return update_bfgs(sy, yu);
  add(H_, T(T(1) / (sy + sy)), s_, s_);
  add(H_, T(T(-1) / (yu + yu)), u_, u_);
  this->report_.flops += 4 * size * (size + 2);
}

// d = w = s - u. Of a multiple of the identity u is that of y.
template <class T>
void VariableMetric<T>::update_rank_one(const T& sy, const T& yu) {
  using std::abs;
  const Index m = r_.size();
  const double size = static_cast<double>(m);
  T curvature = sy - yu;
  d_ = s_ - u_;
  this->report_.flops += size + dot_flops(m);
  const auto has_bound = [&] { return abs(curvature) > curvature_ * y_.norm() * d_.norm(); };
  const bool keeps = has_bound() && (variant_ == Sr1Variant::plain || (alpha_ - T(1)) * curvature > T(0));
  if (variant_ == Sr1Variant::switched && !keeps) {
    if (sy > curvature_ * y_.norm() * s_.norm()) update_bfgs(sy, yu);
    return;
  }
  if (variant_ == Sr1Variant::restarted && !keeps) {
    const T yy = plain::dot(y_, y_);
    if (!(yy > T(0))) return;
    scale_identity(sy, yy);
    d_ = s_ - u_, curvature = sy - plain::dot(u_, y_);
    this->report_.flops += 3 * size + 3 * dot_flops(m);
  }
  if (!has_bound()) return;
  add(H_, T(T(1) / (curvature + curvature)), d_, d_);
  this->report_.flops += 2 * size * (size + 2);
}

template <class T>
void VariableMetric<T>::update_bfgs(const T& sy, const T& yu) {
  add(H_, T(T(-1) / sy), s_, u_);
  add(H_, T((T(1) + yu / sy) / (sy + sy)), s_, s_);
  this->report_.flops += 4 * static_cast<double>(r_.size()) * static_cast<double>(r_.size() + 2);
}

// H = delta 1 and u = delta y.
template <class T>
void VariableMetric<T>::scale_identity(const T& sy, const T& yy) {
  using std::sqrt;
  const T ss = plain::dot(s_, s_), a = ss / sy, under = a * a - ss / yy;
  const T delta = under > T(0) ? T(a - sqrt(under)) : a;
  H_.setZero();
  H_.diagonal().setConstant(delta);
  u_ = delta * y_;
}

// Drift leaves b outside the range of A by little; much more than at the last factorisation means that the range itself
// has changed.
template <class T>
Refactorization VariableMetric<T>::cause_to_restart(End end, const T& size_of_b) {
  if (fresh_ || end == End::met) return Refactorization::none;
  if (end == End::growth) return Refactorization::growth;
  if (end == End::cap) return Refactorization::cap;
  const bool more = residual_ > T(growth_factor) * residual_when_fresh_;
  const bool contradiction = !check_.check(static_cast<double>(residual_), static_cast<double>(size_of_b)).ok();
  return more || contradiction ? Refactorization::out_of_range : Refactorization::none;
}

template <class T>
Status VariableMetric<T>::finish(End end, const T& size_of_b) {
  SolveReport& report = this->report_;
  report.residual = static_cast<double>(residual_), report.rank = factor_.rank();
  if (fresh_) residual_when_fresh_ = residual_;
  if (end == End::met) return {};
  if (end == End::floor) {
    report.outcome = SolveOutcome::floor;
    return check_.check(report.residual, static_cast<double>(size_of_b));
  }
  report.outcome = SolveOutcome::not_converged;
  known_ = false;
  if (!(residual_ <= std::numeric_limits<T>::max()))
    return {StatusCode::non_finite, "the multiplier system is not finite"};
  return {StatusCode::not_converged,
          fmt::format("the multipliers do not converge, not even from a fresh factorisation: |A mu - b| = {:.1e} after "
                      "{} passes, |b| = {:.1e}",
                      report.residual, report.passes, static_cast<double>(size_of_b))};
}

#define DAELAB_INSTANTIATE(T) template class VariableMetric<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
