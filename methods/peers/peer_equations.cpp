#include "methods/peers/peer_equations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace daelab {
namespace {

[[noreturn]] void wrong_kind() { throw std::logic_error("a peer asks for equations of the other kind"); }

}  // namespace

SystemEquations::SystemEquations(System<double>& system, Statistics& statistics)
    : system_(system),
      statistics_(statistics),
      y_(Vector<double>::Zero(system.size())),
      ydot_(Vector<double>::Zero(system.size())) {}

Status SystemEquations::take_failure() { return std::exchange(failure_, {}); }

bool SystemEquations::is_good(Status status, const Eigen::Ref<const Vector<double>>& values) {
  if (status.ok() && !(values.cwiseAbs().sum() <= std::numeric_limits<double>::max()))
    status = {StatusCode::non_finite, "the equations give numbers that are not finite"};
  return is_good(std::move(status));
}

bool SystemEquations::is_good(Status status) {
  const bool good = status.ok();
  if (!good) failure_ = std::move(status);
  return good;
}

void SystemEquations::evaluate_jacobians() {
  if (linearization_ == nullptr) linearization_ = system_.linearization();
  ++statistics_.jacobians;
}

void SystemEquations::evaluate_sparse() {
  evaluate_jacobians();
  linearization_->evaluate(t_, y_, ydot_);
  linearization_->coupled(sparse_by_y_, sparse_by_ydot_);
}

void SystemEquations::evaluate_dense() {
  evaluate_sparse();
  by_y_.resize(system_.size(), system_.size()), by_ydot_.resize(system_.size(), system_.size());
  sparse_by_y_.scatter(by_y_), sparse_by_ydot_.scatter(by_ydot_);
}

bool SystemEquations::factorize(double gamma) {
  if (matrix_ == nullptr) matrix_ = linearization_->real_matrix();
  ++statistics_.factorizations;
  gamma_ = gamma;
  return is_good(matrix_->factorize(gamma));
}

void SystemEquations::back_solve(Vector<double>& r) {
  ++statistics_.back_solves;
  matrix_->solve(r);
}

RateEquations::RateEquations(System<double>& system, Statistics& statistics)
    : SystemEquations(system, statistics),
      d_(system.differential()),
      found_(algebraic()),
      r_(Vector<double>::Zero(system.size())) {}

bool RateEquations::evaluate(double t, const double* x) {
  if (is_evaluated_ && t == t_ && std::equal(x, x + d_, y_.data())) return true;
  std::copy_n(x, d_, y_.data());
  ++statistics_.residuals;
  if (system_.index() > 0 || system_.positions() > 0) ++statistics_.factorizations, ++statistics_.back_solves;
  t_ = t;
  is_evaluated_ = is_good(system_.consistent_derivatives(t, y_, ydot_), ydot_);
  if (is_evaluated_)
    found_ = algebraic();
  else
    y_.tail(y_.size() - d_) = found_;
  return is_evaluated_;
}

bool RateEquations::rates(double t, const double* x, double* xdot) {
  if (!evaluate(t, x)) return false;
  std::copy_n(ydot_.data(), d_, xdot);
  return true;
}

bool RateEquations::linearize(double t, const double* x, const double* /*xdot*/) {
  if (!evaluate(t, x)) return false;
  evaluate_jacobians();
  linearization_->evaluate(t, y_, ydot_);
  return true;
}

// (F_x' + gamma F_x) dx + F_z dz = F_x' r is (1 - gamma df/dx) dx = r; resolved for the derivatives, its right-hand
// side is (r, 0).
void RateEquations::solve(double* r) {
  r_.setZero();
  std::copy_n(r, d_, r_.data());
  back_solve(r_);
  std::copy_n(r_.data(), d_, r);
}

// (x', z) = -E^-1 F_x dx with E = dF/d(x', z). Where q' = v is known, its rows and q' are left out of E.
bool RateEquations::jacobian(double t, const double* x, double* J) {
  if (!evaluate(t, x)) return false;
  evaluate_dense();
  const Index p = system_.has_plain_velocities() ? system_.positions() : 0, rows = system_.size() - p;
  E_.resize(rows, rows);
  by_y_.block(p, p, rows, p) += by_ydot_.block(p, 0, rows, p);  // through q' = v
  E_ << by_ydot_.block(p, p, rows, d_ - p), by_y_.block(p, d_, rows, rows - (d_ - p));
  resolved_.compute(E_);
  slope_.noalias() = resolved_.solve(by_y_.block(p, 0, rows, d_));
  using ByRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Map<ByRows> derivative(J, d_, d_);
  derivative.topRows(p).setZero();
  derivative.block(0, p, p, p).setIdentity();
  derivative.bottomRows(d_ - p) = -slope_.topRows(d_ - p);
  return is_good({}, Eigen::Map<const Vector<double>>(J, d_ * d_));
}

bool RateEquations::residual(double, const double*, const double*, double*) { wrong_kind(); }
bool RateEquations::jacobians(double, const double*, const double*, double*, double*) { wrong_kind(); }
bool RateEquations::sparse_jacobian(double, const double*, const double*, double, PeerSparseMatrix&) { wrong_kind(); }

Status RateEquations::complete(double t, Vector<double>& y, Vector<double>& ydot) {
  if (!evaluate(t, y.data())) return take_failure();
  y.tail(y.size() - d_) = algebraic();
  ydot = ydot_;
  return {};
}

ResidualEquations::ResidualEquations(System<double>& system, Statistics& statistics, bool plain)
    : SystemEquations(system, statistics), is_plain_(plain), F_(Vector<double>::Zero(system.size())) {}

bool ResidualEquations::residual(double t, const double* y, const double* ydot, double* F) {
  take(t, y, ydot);
  ++statistics_.residuals;
  Status status;
  if (is_plain_)
    system_.residual(t_, y_, ydot_, F_);
  else
    status = system_.resolved_residual(t_, y_, ydot_, F_);
  if (!is_good(std::move(status), F_)) return false;
  std::copy_n(F_.data(), system_.size(), F);
  return true;
}

bool ResidualEquations::linearize(double t, const double* y, const double* ydot) {
  take(t, y, ydot);
  evaluate_jacobians();
  linearization_->evaluate(t_, y_, ydot_);
  return true;
}

bool ResidualEquations::jacobians(double t, const double* y, const double* ydot, double* F_y, double* F_ydot) {
  take(t, y, ydot);
  evaluate_dense();
  std::copy_n(by_y_.data(), by_y_.size(), F_y);
  std::copy_n(by_ydot_.data(), by_ydot_.size(), F_ydot);
  return is_good({}, Eigen::Map<const Vector<double>>(F_y, by_y_.size())) &&
         is_good({}, Eigen::Map<const Vector<double>>(F_ydot, by_ydot_.size()));
}

bool ResidualEquations::sparse_jacobian(double t, const double* y, const double* ydot, double c, PeerSparseMatrix& A) {
  take(t, y, ydot);
  evaluate_sparse();
  arrange_sum();
  sum_.clear();
  sum_.accumulate(0, sparse_by_y_);
  sum_.accumulate(1, sparse_by_ydot_, c);
  const SparseMatrix<double>& whole = sum_.matrix();
  A = {whole.pattern->start.data(), whole.pattern->row.data(), whole.values.data()};
  return is_good({}, whole.values);
}

// Patterns change with the mode of the model.
void ResidualEquations::arrange_sum() {
  if (sparse_by_y_.pattern == summed_by_y_ && sparse_by_ydot_.pattern == summed_by_ydot_) return;
  summed_by_y_ = sparse_by_y_.pattern, summed_by_ydot_ = sparse_by_ydot_.pattern;
  sum_ = SparseSum<double>(system_.size(), system_.size());
  sum_.add(summed_by_y_, 0, 0), sum_.add(summed_by_ydot_, 0, 0);
  sum_.complete();
}

void ResidualEquations::take(double t, const double* y, const double* ydot) {
  t_ = t;
  std::copy_n(y, system_.size(), y_.data());
  std::copy_n(ydot, system_.differential(), ydot_.data());
}

// The unknowns of the system's matrix are x' and z.
void ResidualEquations::solve(double* r) {
  std::copy_n(r, system_.size(), F_.data());
  back_solve(F_);
  F_.head(system_.differential()) *= gamma_;
  std::copy_n(F_.data(), system_.size(), r);
}

bool ResidualEquations::rates(double, const double*, double*) { wrong_kind(); }
bool ResidualEquations::jacobian(double, const double*, double*) { wrong_kind(); }

}  // namespace daelab
