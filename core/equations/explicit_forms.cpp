#include "core/equations/explicit_forms.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/base/input_error.hpp"
#include "core/mechanism/dense_limits.hpp"
#include "core/solvers/dense.hpp"
#include "core/start/consistent_start.hpp"

namespace daelab {

template <class T>
PointSolver<T>::PointSolver(MechanicalModel<T>& model, Multipliers<T>& multipliers)
    : model_(model), multipliers_(multipliers) {
  const Index n = model.coordinates(), m = model.constraints();
  if (!multipliers.facts().patterns) M_.setZero(n, n), J_.setZero(m, n);
  q_.setZero(n), v_.setZero(n), zero_.setZero(n), C_.setZero(m), row_.setZero(m);
}

template <class T>
bool PointSolver<T>::is_at(const T& t, const Vector<T>& q, const Vector<T>& v) const {
  return has_point_ && t == t_ && q == q_ && (model_.nonholonomic() == 0 || v == v_);
}

template <class T>
void PointSolver<T>::move_to(const T& t, const Vector<T>& q, const Vector<T>& v) {
  if (is_at(t, q, v)) return;
  has_point_ = true, factorized_ = false;
  t_ = t, q_ = q, v_ = v;
  mass_is_known_ = model_.constant_mass() && has_data_;
  model_.data(t, q, v, data_);
  has_data_ = true;
  if (!multipliers_.facts().patterns) {
    data_.J.scatter(J_);
    if (!mass_is_known_) data_.M.scatter(M_);
  }
  if (C_.size() == 0) return;
  const Index p = model_.nonholonomic();
  model_.constraint_level(Level::position, t, q, v, zero_, C_);
  if (p == 0) return;
  model_.constraint_level(Level::velocity, t, q, v, zero_, row_);
  C_.tail(p) = row_.tail(p);
}

template <class T>
Status PointSolver<T>::solve(const Vector<T>& f, const Vector<T>& h, Vector<T>& x, Vector<T>& mu) {
  if (factorized_) return multipliers_.solve_again(f, h, x, mu);
  const Status status = multipliers_.facts().patterns
                            ? multipliers_.solve(SparseSaddlePoint<T>{data_.M, data_.J, f, h}, x, mu)
                            : multipliers_.solve(SaddlePoint<T>{M_, model_.constant_mass(), J_, f, h}, x, mu);
  factorized_ = status.ok();
  return status;
}

template <class T>
ProjectedSystem<T>::ProjectedSystem(MechanicalModel<T>& model, const Projection& projection,
                                    Multipliers<T>& multipliers)
    : ConstrainedSystem<T>(model, Level::acceleration, multipliers),
      point_(model, multipliers),
      projection_(projection),
      bound_(static_cast<T>(projection.bound)),
      layout_{model.coordinates(), model.constraints()} {
  this->facts_.stabilizes = true;
  this->facts_.projects = layout_.m > 0 && (projection.position || projection.velocity);
  for (Vector<T>* x : {&q_, &v_, &correction_, &force_, &zero_}) x->setZero(layout_.n);
  for (Vector<T>* x : {&mu_, &row_, &row_size_}) x->setZero(layout_.m);
  if (projection.by_mass) return;
  nearest_.emplace(layout_.m, layout_.n);
  rank_ = analyse_redundancy(model, model.initial_q(), model.initial_v()).rank();
  J_.setZero(layout_.m, layout_.n);
}

template <class T>
Status ProjectedSystem<T>::project(const T& t, Vector<T>& y) {
  if (layout_.m == 0) return {};
  q_ = layout_.q(y), v_ = layout_.v(y);
  if (projection_.position)
    if (const Status status = move_onto(Level::position, t); !status.ok()) return status;
  if (projection_.velocity)
    if (const Status status = move_onto(Level::velocity, t); !status.ok()) return status;
  y.head(layout_.n) = q_;
  y.segment(layout_.n, layout_.n) = v_;
  return {};
}

// The violation cannot become smaller than what rounding x to T leaves; relative_violation is a multiple of that.
template <class T>
Status ProjectedSystem<T>::move_onto(Level level, const T& t) {
  using std::sqrt;
  constexpr int most_corrections = 10;
  const bool linear = level == Level::velocity && this->model_.nonholonomic() == 0;
  Vector<T>& x = level == Level::position ? q_ : v_;
  T last(0);
  for (int corrections = 0;; ++corrections) {
    if (projection_.corrections > 0 && corrections == projection_.corrections) return {};
    evaluate(level, t);
    const T left = relative_violation(x);
    if (left <= T(2) * epsilon<T>()) return {};
    if (corrections == 0 && row_.cwiseAbs().maxCoeff() <= bound_) return {};
    const bool stalls = corrections > 0 && T(2) * left >= last;
    if (stalls && left <= sqrt(epsilon<T>())) return {};  // round-off of the constraints themselves
    if (stalls || corrections == most_corrections || !(left <= std::numeric_limits<T>::max()))
      return {StatusCode::newton_diverged, fmt::format("the projection of {} does not converge: the constraints are "
                                                       "still violated by {:.1e} after {} corrections",
                                                       level == Level::position ? "positions" : "velocities",
                                                       static_cast<double>(left), corrections)};
    last = left;
    if (const Status status = find_correction(corrections == 0); !status.ok()) return status;
    x += correction_;
    if (linear) return {};
  }
}

// With the matrices of the first point.
template <class T>
Status ProjectedSystem<T>::find_correction(bool first) {
  if (!nearest_)
    return first ? point_.solve(zero_, row_, correction_, mu_) : point_.solve_nearby(zero_, row_, correction_, mu_);
  if (first) {
    J_.setZero();
    point_.visit_jacobian([&](Index i, Index j, const T& entry) { J_(i, j) = entry; });
    nearest_->choose(J_, layout_.m, LocalBasis::tangent, nullptr, rank_);
    if (const Status status = nearest_->factorize(J_); !status.ok()) return status;
  }
  correction_ = -nearest_->correction(row_);
  return {};
}

template <class T>
void ProjectedSystem<T>::evaluate(Level level, const T& t) {
  point_.move_to(t, q_, v_);
  if (level == Level::position) {
    row_ = point_.constraints();
    row_.tail(this->model_.nonholonomic()).setZero();
  } else {
    this->model_.constraint_level(Level::velocity, t, q_, v_, zero_, row_);
  }
}

// |row_i| against sum_j |J_ij| (1 + |x_j|): times epsilon, what rounding x leaves of a row.
template <class T>
T ProjectedSystem<T>::relative_violation(const Vector<T>& x) {
  using std::abs;
  row_size_.setZero();
  point_.visit_jacobian([&](Index i, Index j, const T& entry) { row_size_[i] += abs(entry) * (T(1) + abs(x[j])); });
  T largest(0);
  for (Index i = 0; i < layout_.m; ++i) {
    if (row_[i] == T(0)) continue;
    if (const T ratio = abs(row_[i]) / row_size_[i]; ratio > largest || ratio != ratio) largest = ratio;
  }
  return largest;
}

template <class T>
Status ProjectedSystem<T>::consistent_derivatives(const T& t, Vector<T>& y, Vector<T>& ydot) {
  if (!this->model_.has_linear_equations()) return ConstrainedSystem<T>::consistent_derivatives(t, y, ydot);
  if (this->generated_derivatives(t, y, ydot)) return {};
  q_ = layout_.q(y), v_ = layout_.v(y);
  point_.move_to(t, q_, v_);
  this->model_.force(t, q_, v_, force_);
  if (layout_.m > 0) this->model_.curvature(t, q_, v_, row_);
  if (const Status status = point_.solve(force_, row_, correction_, mu_); !status.ok()) return status;
  ydot.head(layout_.n) = v_;
  ydot.segment(layout_.n, layout_.n) = correction_;
  y.tail(layout_.m) = mu_;
  return {};
}

template <class T>
Status ProjectedSystem<T>::derivatives_at_lanes(const Vector<T>& t, Matrix<T>& Y, Matrix<T>& Ydot, Index count) {
  if (this->generated_derivatives_at_lanes(t, Y, Ydot, count)) return {};
  return System<T>::derivatives_at_lanes(t, Y, Ydot, count);
}

// It may solve for accelerations with the same multiplier solver.
template <class T>
Status ProjectedSystem<T>::resolved_residual(const T& t, const Vector<T>& y, const Vector<T>& ydot, Vector<T>& F) {
  point_.forget_factorization();
  return ConstrainedSystem<T>::resolved_residual(t, y, ydot, F);
}

template <class T>
PenaltySystem<T>::PenaltySystem(MechanicalModel<T>& model, const AttractionRate<T>& rate, Multipliers<T>& multipliers)
    : ConstrainedSystem<T>(model, Level::acceleration, multipliers),
      point_(model, multipliers),
      attraction_(rate),
      chi_(rate.by_step ? T(0) : rate.value),
      layout_{model.coordinates(), model.constraints()} {
  this->facts_.stabilizes = true;
  this->facts_.depends_on_step_size = rate.by_step;
  for (Vector<T>* x : {&q_, &v_, &x_, &force_, &zero_}) x->setZero(layout_.n);
  for (Vector<T>* x : {&mu_, &row_, &rate_}) x->setZero(layout_.m);
}

template <class T>
Status PenaltySystem<T>::start_step(const T& /*t*/, const T& h, const Vector<T>& /*y*/) {
  using std::abs;
  if (attraction_.by_step) chi_ = attraction_.value / abs(h);
  return {};
}

template <class T>
std::unique_ptr<Linearization<T>> PenaltySystem<T>::linearization() {
  if (layout_.m > 0)
    throw NotApplicable(
        "the penalty form is for explicit methods, of which rkc and rock4 are stable for large chi: "
        "implicit methods take index-3, index-2, ggl, index-1 or baumgarte");
  return ConstrainedSystem<T>::linearization();
}

// q' = v + x with M x + C_q^T mu = 0, C_q x = -(C_q v + C_t) - chi C. Nonholonomic rows bind no positions: G_v x = 0.
template <class T>
Status PenaltySystem<T>::consistent_derivatives(const T& t, Vector<T>& y, Vector<T>& ydot) {
  const Index n = layout_.n, m = layout_.m;
  q_ = layout_.q(y), v_ = layout_.v(y);
  point_.move_to(t, q_, v_);
  this->model_.force(t, q_, v_, force_);
  if (m > 0) {
    this->model_.curvature(t, q_, v_, row_);
    this->model_.constraint_level(Level::velocity, t, q_, v_, zero_, rate_);
    row_ += chi_ * rate_;
  }
  if (const Status status = point_.solve(force_, row_, x_, mu_); !status.ok()) return status;
  ydot.segment(n, n) = x_;
  y.tail(m) = mu_;
  rate_ += chi_ * point_.constraints();
  rate_.tail(this->model_.nonholonomic()).setZero();
  if (const Status status = point_.solve(zero_, rate_, x_, mu_); !status.ok()) return status;
  ydot.head(n) = v_ + x_;
  return {};
}

template <class T>
double automatic_attraction(MechanicalModel<T>& model, const char* option) {
  if (model.coordinates() > largest_dense_mechanism)
    throw InputError(std::string("/formulation/") + option,
                     fmt::format("must be given for mechanisms of more than {} coordinates: the automatic choice "
                                 "computes all eigenvalues at the start",
                                 largest_dense_mechanism));
  return std::exp2(std::ceil(std::log2(std::max(10.0, 10 * start_spectral_radius(model)))));
}

template <class T>
double start_spectral_radius(MechanicalModel<T>& model) {
  const Index n = model.coordinates();
  const T delta(std::cbrt(epsilon<double>()));
  Vector<T> y(2 * n), up(2 * n), down(2 * n), a(n), lambda(model.multipliers());
  const auto slope = [&](const Vector<T>& at, Vector<T>& f) {
    solve_accelerations(model, model.initial_t(), Vector<T>(at.head(n)), Vector<T>(at.tail(n)), a, lambda);
    f << at.tail(n), a;
  };
  y << model.initial_q(), model.initial_v();
  Matrix<double> jacobian(2 * n, 2 * n);
  Vector<T> f_up(2 * n), f_down(2 * n);
  for (Index j = 0; j < 2 * n; ++j) {
    using std::abs;
    const T step = delta * (T(1) + abs(y[j]));
    up = down = y;
    up[j] += step, down[j] -= step;
    slope(up, f_up), slope(down, f_down);
    for (Index i = 0; i < 2 * n; ++i) jacobian(i, j) = static_cast<double>(T((f_up[i] - f_down[i]) / (2 * step)));
  }
  return dense::eigenvalues(jacobian).cwiseAbs().maxCoeff();
}

#define DAELAB_INSTANTIATE(T)                                    \
  template class PointSolver<T>;                                 \
  template class ProjectedSystem<T>;                             \
  template class PenaltySystem<T>;                               \
  template double start_spectral_radius<T>(MechanicalModel<T>&); \
  template double automatic_attraction<T>(MechanicalModel<T>&, const char*);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
