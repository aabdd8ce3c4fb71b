#include "core/equations/velocity_coordinates_system.hpp"

#include "core/equations/acceleration_derivatives.hpp"
#include "core/equations/second_order_matrix.hpp"

namespace daelab {
namespace {

// Derivatives of L, a and lambda by (q, v): (n, n), (n, n) and (m, n).
template <class T>
struct VelocityBlocks {
  Matrix<T> L_q, L_v, a_q, a_v, lambda_q, lambda_v;
};

// Rows and unknowns: dq' - L_q dq - L_v dv, dv' - a_q dq - a_v dv, dlambda - lambda_q dq - lambda_v dv with (dq, dq',
// dv, dv') = (position x, velocity x, velocity z, acceleration z).
template <class T, class S>
class VelocityMatrix final : public SecondOrderMatrix<S> {
 public:
  explicit VelocityMatrix(const VelocityBlocks<T>& blocks)
      : b_(blocks), n_(blocks.a_q.rows()), lu_(2 * n_), unknowns_(2 * n_) {}

  void solve(Vector<S>& r) override {
    unknowns_ = r.head(2 * n_);
    lu_.solve(unknowns_);
    auto lambda = r.tail(b_.lambda_q.rows());
    for (Index j = 0; j < n_; ++j) {
      const S dq = w_.position * unknowns_[j], dv = w_.velocity * unknowns_[n_ + j];
      for (Index i = 0; i < lambda.size(); ++i) lambda[i] += b_.lambda_q(i, j) * dq + b_.lambda_v(i, j) * dv;
    }
    r.head(2 * n_) = unknowns_;
    if (this->first_order()) r.head(n_) *= w_.velocity;
  }

 private:
  Status factorize_weighted() override {
    Matrix<S>& matrix = lu_.matrix();
    for (Index j = 0; j < n_; ++j)
      for (Index i = 0; i < n_; ++i) {
        const S one(i == j ? 1 : 0);
        matrix(i, j) = w_.velocity * one - w_.position * b_.L_q(i, j);
        matrix(i, n_ + j) = -w_.velocity * b_.L_v(i, j);
        matrix(n_ + i, j) = -w_.position * b_.a_q(i, j);
        matrix(n_ + i, n_ + j) = w_.acceleration * one - w_.velocity * b_.a_v(i, j);
      }
    return lu_.factorize();
  }

  const VelocityBlocks<T>& b_;
  using SecondOrderMatrix<S>::w_;
  Index n_;
  DenseLu<S> lu_;
  Vector<S> unknowns_;
};

// It depends on the point alone, in coordinates chosen there: a Jacobian that is kept is the same whenever it is made
// again.
template <class T>
class VelocityLinearization final : public Linearization<T> {
 public:
  VelocityLinearization(MechanicalModel<T>& model, LocalBasis basis, const LocalCoordinates<T>& of_steps,
                        std::unique_ptr<Linearization<T>> of_index_1)
      : n_(model.coordinates()),
        m_(model.constraints()),
        of_steps_(of_steps),
        of_index_1_(std::move(of_index_1)),
        coordinates_(model, basis),
        accelerations_(n_, m_),
        y_(2 * n_ + m_),
        q_(n_),
        v_(n_) {
    for (Matrix<T>* x : {&b_.L_q, &b_.L_v, &b_.a_q, &b_.a_v}) x->setZero(n_, n_);
    for (Matrix<T>* x : {&b_.lambda_q, &b_.lambda_v}) x->setZero(m_, n_);
    for (Matrix<T>* x : {&F_y_, &F_ydot_}) x->setZero(2 * n_ + m_, 2 * n_ + m_);
    q_q_.setIdentity(n_, n_);
  }

  void evaluate(const T& t, const Vector<T>& y, const Vector<T>& ydot) override {
    q_ = y.head(n_), v_ = y.segment(n_, n_);
    const bool ranks_are_known = of_steps_.chosen();
    Status status = ranks_are_known ? coordinates_.choose(t, q_, v_, of_steps_) : coordinates_.choose(t, q_, v_);
    if (status.ok()) status = coordinates_.lift_velocities(t, q_, v_);
    if (!status.ok()) return invalidate();
    y_ = y;
    y_.segment(n_, n_) = v_;
    if (!accelerations_.evaluate(*of_index_1_, t, y_, ydot)) return invalidate();
    coordinates_.lift_velocities_derivatives(t, q_, v_, q_q_, b_.L_q, b_.L_v);
    const Matrix<T>&by_q = accelerations_.by_q(), &by_v = accelerations_.by_v();
    b_.a_q.noalias() = by_q.topRows(n_) + by_v.topRows(n_).lazyProduct(b_.L_q);
    b_.a_v.noalias() = by_v.topRows(n_).lazyProduct(b_.L_v);
    b_.lambda_q.noalias() = by_q.bottomRows(m_) + by_v.bottomRows(m_).lazyProduct(b_.L_q);
    b_.lambda_v.noalias() = by_v.bottomRows(m_).lazyProduct(b_.L_v);
  }

  void coupled(SparseMatrix<T>& F_y, SparseMatrix<T>& F_ydot) override {
    F_y_.setZero(), F_ydot_.setZero();
    F_ydot_.topLeftCorner(2 * n_, 2 * n_).setIdentity();
    F_y_.block(0, 0, n_, n_) = -b_.L_q, F_y_.block(0, n_, n_, n_) = -b_.L_v;
    F_y_.block(n_, 0, n_, n_) = -b_.a_q, F_y_.block(n_, n_, n_, n_) = -b_.a_v;
    F_y_.block(2 * n_, 0, m_, n_) = -b_.lambda_q, F_y_.block(2 * n_, n_, m_, n_) = -b_.lambda_v;
    F_y_.bottomRightCorner(m_, m_).setIdentity();
    take(F_y_, F_y), take(F_ydot_, F_ydot);
  }

  std::unique_ptr<IterationMatrix<T>> real_matrix() override { return std::make_unique<VelocityMatrix<T, T>>(b_); }
  std::unique_ptr<IterationMatrix<std::complex<T>>> complex_matrix() override {
    return std::make_unique<VelocityMatrix<T, std::complex<T>>>(b_);
  }

 private:
  // Factorisations refuse what is not a number.
  void invalidate() { b_.a_q.setConstant(std::numeric_limits<T>::quiet_NaN()); }
  void take(const Matrix<T>& from, SparseMatrix<T>& to) {
    to.take(full_);
    to.values = from.reshaped();
  }

  Index n_, m_;
  const LocalCoordinates<T>& of_steps_;  // of the system
  std::unique_ptr<Linearization<T>> of_index_1_;
  LocalCoordinates<T> coordinates_;
  AccelerationDerivatives<T> accelerations_;
  VelocityBlocks<T> b_;
  Matrix<T> q_q_, F_y_, F_ydot_;
  Vector<T> y_, q_, v_;
  std::shared_ptr<const SparsePattern> full_ = SparsePattern::full(2 * n_ + m_, 2 * n_ + m_);
};

}  // namespace

template <class T>
VelocityCoordinatesSystem<T>::VelocityCoordinatesSystem(MechanicalModel<T>& model, LocalBasis basis,
                                                        Multipliers<T>& multipliers)
    : ConstrainedSystem<T>(model, Level::acceleration, multipliers),
      basis_(basis),
      layout_{model.coordinates(), model.constraints()},
      coordinates_(model, basis) {
  lifted_.setZero(this->size());
  for (Vector<T>* x : {&q_, &v_}) x->setZero(layout_.n);
}

// Off the position constraints rows that depend on each other do so no more: the ranks are those of the first point.
template <class T>
Status VelocityCoordinatesSystem<T>::choose(const T& t, const Vector<T>& y) {
  q_ = layout_.q(y), v_ = layout_.v(y);
  return coordinates_.chosen() ? coordinates_.choose(t, q_, v_, coordinates_) : coordinates_.choose(t, q_, v_);
}

template <class T>
Status VelocityCoordinatesSystem<T>::start_step(const T& t, const T& /*h*/, const Vector<T>& y) {
  return layout_.m == 0 ? Status{} : choose(t, y);
}

template <class T>
Status VelocityCoordinatesSystem<T>::project(const T& t, Vector<T>& y) {
  if (layout_.m == 0) return {};
  if (!coordinates_.chosen())
    if (const Status status = choose(t, y); !status.ok()) return status;
  q_ = layout_.q(y), v_ = layout_.v(y);
  const Status status = coordinates_.lift_velocities(t, q_, v_);
  y.segment(layout_.n, layout_.n) = v_;
  return status;
}

template <class T>
void VelocityCoordinatesSystem<T>::residual(const T& t, const Vector<T>& y, const Vector<T>& ydot, Vector<T>& F) {
  if (!resolved_residual(t, y, ydot, F).ok()) F.setConstant(std::numeric_limits<T>::quiet_NaN());
}

template <class T>
Status VelocityCoordinatesSystem<T>::resolved_residual(const T& t, const Vector<T>& y, const Vector<T>& ydot,
                                                       Vector<T>& F) {
  lifted_ = y;
  if (const Status status = project(t, lifted_); !status.ok()) return status;
  return ConstrainedSystem<T>::resolved_residual(t, lifted_, ydot, F);
}

template <class T>
Status VelocityCoordinatesSystem<T>::consistent_derivatives(const T& t, Vector<T>& y, Vector<T>& ydot) {
  lifted_ = y;
  if (const Status status = project(t, lifted_); !status.ok()) return status;
  if (const Status status = ConstrainedSystem<T>::consistent_derivatives(t, lifted_, ydot); !status.ok()) return status;
  y.tail(layout_.m) = layout_.lambda(lifted_);
  return {};
}

template <class T>
std::unique_ptr<Linearization<T>> VelocityCoordinatesSystem<T>::linearization() {
  auto of_index_1 = ConstrainedSystem<T>::linearization();
  if (layout_.m == 0) return of_index_1;
  return std::make_unique<VelocityLinearization<T>>(this->model_, basis_, coordinates_, std::move(of_index_1));
}

#define DAELAB_INSTANTIATE(T) template class VelocityCoordinatesSystem<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
