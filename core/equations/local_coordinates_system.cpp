#include "core/equations/local_coordinates_system.hpp"

#include <fmt/format.h>

#include "core/equations/acceleration_derivatives.hpp"
#include "core/equations/dense_refusal.hpp"
#include "core/equations/second_order_matrix.hpp"

namespace daelab {
namespace {

// Derivatives of a and lambda by (q, v): (n, n) and (m, n).
template <class T>
struct LocalBlocks {
  Matrix<T> a_q, a_v, lambda_q, lambda_v;
};

// Rows and unknowns: dq' - dv, dv' - a_q dq - a_v dv, dlambda - lambda_q dq - lambda_v dv with (dq, dq', dv, dv') =
// (position x, velocity x, velocity z, acceleration z). x = z + r_q / velocity leaves n unknowns.
template <class T, class S>
class LocalMatrix final : public SecondOrderMatrix<S> {
 public:
  explicit LocalMatrix(const LocalBlocks<T>& blocks) : b_(blocks), n_(blocks.a_q.rows()), lu_(n_), z_(n_), x_(n_) {}

  void solve(Vector<S>& r) override {
    const Index m = b_.lambda_q.rows();
    x_ = r.head(n_) / w_.velocity;
    z_ = r.segment(n_, n_);
    add_product(b_.a_q, x_, w_.position, z_);
    lu_.solve(z_);
    x_ += z_;
    auto lambda = r.tail(m);
    add_product(b_.lambda_q, x_, w_.position, lambda);
    add_product(b_.lambda_v, z_, w_.velocity, lambda);
    r.head(n_) = x_;
    if (this->first_order()) r.head(n_) *= w_.velocity;
    r.segment(n_, n_) = z_;
  }

 private:
  Status factorize_weighted() override {
    Matrix<S>& matrix = lu_.matrix();
    for (Index j = 0; j < n_; ++j)
      for (Index i = 0; i < n_; ++i)
        matrix(i, j) = (i == j ? S(w_.acceleration) : S(0)) - w_.position * b_.a_q(i, j) - w_.velocity * b_.a_v(i, j);
    return lu_.factorize();
  }
  static void add_product(const Matrix<T>& A, const Vector<S>& x, const S& factor, auto& y) {
    for (Index j = 0; j < A.cols(); ++j)
      for (Index i = 0; i < A.rows(); ++i) y[i] += A(i, j) * (factor * x[j]);
  }

  const LocalBlocks<T>& b_;
  using SecondOrderMatrix<S>::w_;
  Index n_;
  DenseLu<S> lu_;
  Vector<S> z_, x_;
};

// The derivatives of a and lambda of the mechanism, from the blocks of index 1, times those of the lift. Of the point
// alone, in coordinates chosen there: a Jacobian that is kept is the same whenever it is made again. Coordinates of
// another step differ in what they do to vectors off the tangent space, which iterations converge to zero.
template <class T>
class LocalLinearization final : public Linearization<T> {
 public:
  LocalLinearization(MechanicalModel<T>& model, LocalBasis basis, const LocalCoordinates<T>& of_steps,
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
    for (Matrix<T>* x : {&blocks_.a_q, &blocks_.a_v, &q_q_, &v_q_, &v_v_}) x->setZero(n_, n_);
    for (Matrix<T>* x : {&blocks_.lambda_q, &blocks_.lambda_v}) x->setZero(m_, n_);
    for (Matrix<T>* x : {&F_y_, &F_ydot_}) x->setZero(2 * n_ + m_, 2 * n_ + m_);
  }

  void evaluate(const T& t, const Vector<T>& y, const Vector<T>& ydot) override {
    q_ = y.head(n_), v_ = y.segment(n_, n_);
    const bool ranks_are_known = of_steps_.chosen();
    Status status = ranks_are_known ? coordinates_.choose(t, q_, v_, of_steps_) : coordinates_.choose(t, q_, v_);
    if (status.ok()) status = coordinates_.lift(t, q_, v_);
    if (!status.ok()) return invalidate();
    y_ = y;
    y_.head(n_) = q_, y_.segment(n_, n_) = v_;
    if (!accelerations_.evaluate(*of_index_1_, t, y_, ydot)) return invalidate();
    const Matrix<T>&by_q = accelerations_.by_q(), &by_v = accelerations_.by_v();
    coordinates_.lift_derivatives(t, q_, v_, q_q_, v_q_, v_v_);
    blocks_.a_q.noalias() = by_q.topRows(n_).lazyProduct(q_q_) + by_v.topRows(n_).lazyProduct(v_q_);
    blocks_.a_v.noalias() = by_v.topRows(n_).lazyProduct(v_v_);
    blocks_.lambda_q.noalias() = by_q.bottomRows(m_).lazyProduct(q_q_) + by_v.bottomRows(m_).lazyProduct(v_q_);
    blocks_.lambda_v.noalias() = by_v.bottomRows(m_).lazyProduct(v_v_);
  }

  void coupled(SparseMatrix<T>& F_y, SparseMatrix<T>& F_ydot) override {
    F_y_.setZero(), F_ydot_.setZero();
    F_ydot_.topLeftCorner(2 * n_, 2 * n_).setIdentity();
    F_y_.block(0, n_, n_, n_).setIdentity();
    F_y_.block(0, n_, n_, n_) *= T(-1);
    F_y_.block(n_, 0, n_, n_) = -blocks_.a_q, F_y_.block(n_, n_, n_, n_) = -blocks_.a_v;
    F_y_.block(2 * n_, 0, m_, n_) = -blocks_.lambda_q, F_y_.block(2 * n_, n_, m_, n_) = -blocks_.lambda_v;
    F_y_.bottomRightCorner(m_, m_).setIdentity();
    take(F_y_, F_y), take(F_ydot_, F_ydot);
  }

  std::unique_ptr<IterationMatrix<T>> real_matrix() override { return std::make_unique<LocalMatrix<T, T>>(blocks_); }
  std::unique_ptr<IterationMatrix<std::complex<T>>> complex_matrix() override {
    return std::make_unique<LocalMatrix<T, std::complex<T>>>(blocks_);
  }

 private:
  // Factorisations refuse what is not a number.
  void invalidate() { blocks_.a_q.setConstant(std::numeric_limits<T>::quiet_NaN()); }
  void take(const Matrix<T>& from, SparseMatrix<T>& to) {
    to.take(full_);
    to.values = from.reshaped();
  }

  Index n_, m_;
  const LocalCoordinates<T>& of_steps_;  // of the system
  std::unique_ptr<Linearization<T>> of_index_1_;
  LocalCoordinates<T> coordinates_;
  AccelerationDerivatives<T> accelerations_;
  LocalBlocks<T> blocks_;
  Matrix<T> q_q_, v_q_, v_v_, F_y_, F_ydot_;
  Vector<T> y_, q_, v_;
  std::shared_ptr<const SparsePattern> full_ = SparsePattern::full(2 * n_ + m_, 2 * n_ + m_);
};

}  // namespace

template <class T>
LocalCoordinatesSystem<T>::LocalCoordinatesSystem(MechanicalModel<T>& model, LocalBasis basis,
                                                  Multipliers<T>& multipliers)
    : ConstrainedSystem<T>(model, Level::acceleration, multipliers),
      basis_(basis),
      layout_{model.coordinates(), model.constraints()},
      coordinates_(model, basis) {
  lifted_.setZero(this->size());
  for (Vector<T>* x : {&q_, &v_}) x->setZero(layout_.n);
}

template <class T>
Status LocalCoordinatesSystem<T>::start_step(const T& t, const T& /*h*/, const Vector<T>& y) {
  if (layout_.m == 0) return {};
  q_ = layout_.q(y), v_ = layout_.v(y);
  return coordinates_.choose(t, q_, v_);
}

template <class T>
Status LocalCoordinatesSystem<T>::project(const T& t, Vector<T>& y) {
  if (layout_.m == 0) return {};
  q_ = layout_.q(y), v_ = layout_.v(y);
  if (!coordinates_.chosen())
    if (const Status status = coordinates_.choose(t, q_, v_); !status.ok()) return status;
  const Status status = coordinates_.lift(t, q_, v_);
  y.head(layout_.n) = q_;
  y.segment(layout_.n, layout_.n) = v_;
  return status;
}

template <class T>
void LocalCoordinatesSystem<T>::residual(const T& t, const Vector<T>& y, const Vector<T>& ydot, Vector<T>& F) {
  if (!resolved_residual(t, y, ydot, F).ok()) F.setConstant(std::numeric_limits<T>::quiet_NaN());
}

template <class T>
Status LocalCoordinatesSystem<T>::resolved_residual(const T& t, const Vector<T>& y, const Vector<T>& ydot,
                                                    Vector<T>& F) {
  lifted_ = y;
  if (const Status status = project(t, lifted_); !status.ok()) return status;
  const Status status = ConstrainedSystem<T>::resolved_residual(t, lifted_, ydot, F);
  F.head(layout_.n) = ydot.head(layout_.n) - layout_.v(y);
  return status;
}

template <class T>
Status LocalCoordinatesSystem<T>::consistent_derivatives(const T& t, Vector<T>& y, Vector<T>& ydot) {
  lifted_ = y;
  if (const Status status = project(t, lifted_); !status.ok()) return status;
  if (const Status status = ConstrainedSystem<T>::consistent_derivatives(t, lifted_, ydot); !status.ok()) return status;
  ydot.head(layout_.n) = layout_.v(y);
  y.tail(layout_.m) = layout_.lambda(lifted_);
  return {};
}

template <class T>
std::unique_ptr<Linearization<T>> LocalCoordinatesSystem<T>::linearization() {
  auto of_index_1 = ConstrainedSystem<T>::linearization();
  if (layout_.m == 0) return of_index_1;
  return std::make_unique<LocalLinearization<T>>(this->model_, basis_, coordinates_, std::move(of_index_1));
}

template <class T>
std::string local_coordinates_refusal(MechanicalModel<T>& model) {
  const Index n = model.coordinates(), m = model.constraints();
  if (std::string refusal = dense_refusal("the form", model); !refusal.empty()) return refusal;
  if (m == 0) return "";
  const Redundancy redundancy = analyse_redundancy(model, model.initial_q(), model.initial_v());
  if (redundancy.rank() < n) return "";
  return fmt::format(
      "there are no independent coordinates: {} of the {} constraints are independent and determine all {} "
      "coordinates; the method kinematic takes the motion from them",
      redundancy.rank(), m, n);
}

#define DAELAB_INSTANTIATE(T)               \
  template class LocalCoordinatesSystem<T>; \
  template std::string local_coordinates_refusal<T>(MechanicalModel<T>&);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
