#include "core/equations/local_coordinates_system.hpp"
#include "core/start/consistent_start.hpp"

#include <fmt/format.h>

#include "core/equations/dense_refusal.hpp"
#include "core/equations/second_order_matrix.hpp"

namespace daelab {
namespace {

// Rows and unknowns: dq' - dv, dv' - a_q dq - a_v dv, dlambda - lambda_q dq - lambda_v dv with (dq, dq', dv, dv') =
// (position x, velocity x, velocity z, acceleration z). x = z + r_q / velocity leaves n unknowns.
template <class T, class S>
class LocalMatrix final : public SecondOrderMatrix<S> {
 public:
  explicit LocalMatrix(const LiftedBlocks<T>& blocks) : b_(blocks), n_(blocks.a_q.rows()), lu_(n_), z_(n_), x_(n_) {}

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

  const LiftedBlocks<T>& b_;
  using SecondOrderMatrix<S>::w_;
  Index n_;
  DenseLu<S> lu_;
  Vector<S> z_, x_;
};

template <class T>
class LocalLinearization final : public LiftedLinearization<T> {
 public:
  using LiftedLinearization<T>::LiftedLinearization;
  std::unique_ptr<IterationMatrix<T>> real_matrix() override { return std::make_unique<LocalMatrix<T, T>>(blocks_); }
  std::unique_ptr<IterationMatrix<std::complex<T>>> complex_matrix() override {
    return std::make_unique<LocalMatrix<T, std::complex<T>>>(blocks_);
  }

 private:
  using LiftedLinearization<T>::blocks_;
  Status lift(LocalCoordinates<T>& coordinates, const T& t, Vector<T>& q, Vector<T>& v) override {
    return coordinates.lift(t, q, v);
  }
  // q' = v: L_q and L_v stay 0 and 1.
  void differentiate(LocalCoordinates<T>& coordinates, const T& t, const Vector<T>& q, const Vector<T>& v,
                     Matrix<T>& q_q, Matrix<T>& v_q, Matrix<T>& v_v) override {
    coordinates.lift_derivatives(t, q, v, q_q, v_q, v_v);
  }
};

}  // namespace

template <class T>
Status LocalCoordinatesSystem<T>::choose(LocalCoordinates<T>& coordinates, const T& t, const Vector<T>& q,
                                         const Vector<T>& v) {
  return coordinates.choose(t, q, v);
}

template <class T>
Status LocalCoordinatesSystem<T>::lift(LocalCoordinates<T>& coordinates, const T& t, Vector<T>& q, Vector<T>& v) {
  return coordinates.lift(t, q, v);
}

template <class T>
Status LocalCoordinatesSystem<T>::resolved_residual(const T& t, const Vector<T>& y, const Vector<T>& ydot,
                                                    Vector<T>& F) {
  const Status status = LiftedSystem<T>::resolved_residual(t, y, ydot, F);
  F.head(layout_.n) = ydot.head(layout_.n) - layout_.v(y);
  return status;
}

template <class T>
Status LocalCoordinatesSystem<T>::consistent_derivatives(const T& t, Vector<T>& y, Vector<T>& ydot) {
  const Status status = LiftedSystem<T>::consistent_derivatives(t, y, ydot);
  if (status.ok()) ydot.head(layout_.n) = layout_.v(y);
  return status;
}

template <class T>
std::unique_ptr<Linearization<T>> LocalCoordinatesSystem<T>::lifted_linearization(
    LocalBasis basis, const LocalCoordinates<T>& of_steps, std::unique_ptr<Linearization<T>> of_index_1) {
  return std::make_unique<LocalLinearization<T>>(this->model_, basis, of_steps, std::move(of_index_1));
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
