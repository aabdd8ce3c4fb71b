#include "core/explicit_forms.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "core/consistent_start.hpp"

namespace daelab {

template <class T>
ProjectedSystem<T>::ProjectedSystem(MechanicalModel<T>& model, const Projection& projection,
                                    Multipliers<T>& multipliers)
    : ConstrainedSystem<T>(model, Level::acceleration, multipliers),
      multipliers_(multipliers),
      projection_(projection),
      bound_(static_cast<T>(projection.bound)),
      layout_{model.coordinates(), model.constraints()} {
  const Index n = layout_.n, m = layout_.m;
  M_.setZero(n, n), J_.setZero(m, n);
  for (Vector<T>* x : {&q_, &v_, &correction_, &zero_}) x->setZero(n);
  for (Vector<T>* x : {&mu_, &row_}) x->setZero(m);
}

template <class T>
T ProjectedSystem<T>::violation(const Vector<T>& row) const {
  using std::abs;
  T largest(0);
  for (const T& r : row)
    if (const T size = abs(r); size > largest || size != size) largest = size;
  return largest;
}

template <class T>
Status ProjectedSystem<T>::project(const T& t, Vector<T>& y) {
  if (layout_.m == 0) return {};
  q_ = layout_.q(y), v_ = layout_.v(y);
  if (projection_.position)
    if (const Status status = project_position(t); !status.ok()) return status;
  if (projection_.velocity)
    if (const Status status = project_velocity(t); !status.ok()) return status;
  y.head(layout_.n) = q_;
  y.segment(layout_.n, layout_.n) = v_;
  return {};
}

template <class T>
Status ProjectedSystem<T>::project_position(const T& t) {
  constexpr int most_iterations = 10;
  T last(0);
  for (int iteration = 0;; ++iteration) {
    this->model_.constraint_level(Level::position, t, q_, v_, zero_, row_);
    const T left = violation(row_);
    if (iteration == 0 && left <= bound_) return {};
    if (left <= T(4) * epsilon<T>() || (iteration > 1 && T(2) * left >= last && left <= std::sqrt(epsilon<double>())))
      return {};
    if (iteration == most_iterations || !(left <= std::numeric_limits<T>::max()) || (iteration > 1 && left > last))
      return {StatusCode::newton_diverged,
              fmt::format("the projection onto C = 0 does not converge: {:.1e} is left after {} iterations",
                          static_cast<double>(left), iteration)};
    last = left;
    if (iteration == 0) {
      if (!mass_is_known_) this->model_.mass(t, q_, M_);
      mass_is_known_ = this->model_.constant_mass();
      mu_ = row_;
      this->model_.constraints_and_directions(t, q_, v_, row_, J_);
      row_ = mu_;
    }
    if (const Status status = multipliers_.solve({M_, mass_is_known_, J_, zero_, row_}, correction_, mu_); !status.ok())
      return status;
    q_ += correction_;
  }
}

// Linear in v but for nonholonomic constraints, whose curvature in v a second pass takes in.
template <class T>
Status ProjectedSystem<T>::project_velocity(const T& t) {
  const int passes = this->model_.nonholonomic() > 0 ? 2 : 1;
  for (int pass = 0; pass < passes; ++pass) {
    this->model_.constraint_level(Level::velocity, t, q_, v_, zero_, row_);
    if (violation(row_) <= bound_) return {};
    if (!mass_is_known_) this->model_.mass(t, q_, M_);
    mass_is_known_ = this->model_.constant_mass();
    mu_ = row_;
    this->model_.constraints_and_directions(t, q_, v_, row_, J_);
    row_ = mu_;
    if (const Status status = multipliers_.solve({M_, mass_is_known_, J_, zero_, row_}, correction_, mu_); !status.ok())
      return status;
    v_ += correction_;
  }
  return {};
}

template <class T>
PenaltySystem<T>::PenaltySystem(MechanicalModel<T>& model, const T& chi, Multipliers<T>& multipliers)
    : ConstrainedSystem<T>(model, Level::acceleration, multipliers, {chi, T(0)}),
      multipliers_(multipliers),
      chi_(chi),
      layout_{model.coordinates(), model.constraints()} {
  const Index n = layout_.n, m = layout_.m;
  M_.setZero(n, n), J_.setZero(m, n);
  for (Vector<T>* x : {&q_, &v_, &rate_, &momentum_, &zero_}) x->setZero(n);
  for (Vector<T>* x : {&mu_, &row_}) x->setZero(m);
}

// Accelerations first: the multipliers of y are theirs.
template <class T>
Status PenaltySystem<T>::complete(const T& t, Vector<T>& y, Vector<T>& ydot) {
  if (const Status status = ConstrainedSystem<T>::complete(t, y, ydot); !status.ok()) return status;
  const Index holonomic = layout_.m - this->model_.nonholonomic();
  if (holonomic == 0) return {};
  q_ = layout_.q(y), v_ = layout_.v(y);
  this->model_.mass(t, q_, M_);
  this->model_.constraints_and_directions(t, q_, v_, mu_, J_);
  this->model_.constraint_level(Level::velocity, t, q_, zero_, zero_, row_);  // C_t
  for (Index i = 0; i < holonomic; ++i) row_[i] += chi_ * mu_[i];
  // Nonholonomic rows bind no positions: G_v q' = G_v v there, so that they do no more than v does.
  for (Index i = holonomic; i < layout_.m; ++i) {
    row_[i] = T(0);
    for (Index j = 0; j < layout_.n; ++j) row_[i] -= J_(i, j) * v_[j];
  }
  momentum_.noalias() = M_.lazyProduct(v_);
  if (const Status status = multipliers_.solve({M_, false, J_, momentum_, row_}, rate_, mu_); !status.ok()) return status;
  ydot.head(layout_.n) = rate_;
  return {};
}

template <class T>
double start_spectral_radius(MechanicalModel<T>& model) {
  const Index n = model.coordinates();
  const T delta(std::cbrt(epsilon<double>()));
  Vector<T> y(2 * n), up(2 * n), down(2 * n), a(n), lambda(model.constraints());
  const auto slope = [&](const Vector<T>& at, Vector<T>& f) {
    solve_accelerations(model, T(0), Vector<T>(at.head(n)), Vector<T>(at.tail(n)), a, lambda);
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
  return jacobian.eigenvalues().cwiseAbs().maxCoeff();
}

#define DAELAB_INSTANTIATE(T)        \
  template class ProjectedSystem<T>; \
  template class PenaltySystem<T>;   \
  template double start_spectral_radius<T>(MechanicalModel<T>&);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
