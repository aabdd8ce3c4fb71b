#include "core/equations/velocity_coordinates_system.hpp"

#include "core/equations/second_order_matrix.hpp"

namespace daelab {
namespace {

// Rows and unknowns: dq' - L_q dq - L_v dv, dv' - a_q dq - a_v dv, dlambda - lambda_q dq - lambda_v dv with (dq, dq',
// dv, dv') = (position x, velocity x, velocity z, acceleration z).
template <class T, class S>
class VelocityMatrix final : public SecondOrderMatrix<S> {
 public:
  explicit VelocityMatrix(const LiftedBlocks<T>& blocks)
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

  const LiftedBlocks<T>& b_;
  using SecondOrderMatrix<S>::w_;
  Index n_;
  DenseLu<S> lu_;
  Vector<S> unknowns_;
};

template <class T>
class VelocityLinearization final : public LiftedLinearization<T> {
 public:
  using LiftedLinearization<T>::LiftedLinearization;
  std::unique_ptr<IterationMatrix<T>> real_matrix() override { return std::make_unique<VelocityMatrix<T, T>>(blocks_); }
  std::unique_ptr<IterationMatrix<std::complex<T>>> complex_matrix() override {
    return std::make_unique<VelocityMatrix<T, std::complex<T>>>(blocks_);
  }

 private:
  using LiftedLinearization<T>::blocks_;
  Status lift(LocalCoordinates<T>& coordinates, const T& t, Vector<T>& q, Vector<T>& v) override {
    return coordinates.lift_velocities(t, q, v);
  }
  // Positions are not lifted: q_q stays 1.
  void differentiate(LocalCoordinates<T>& coordinates, const T& t, const Vector<T>& q, const Vector<T>& v,
                     Matrix<T>& q_q, Matrix<T>& v_q, Matrix<T>& v_v) override {
    coordinates.lift_velocities_derivatives(t, q, v, q_q, v_q, v_v);
    blocks_.L_q = v_q, blocks_.L_v = v_v;
  }
};

}  // namespace

// Off the position constraints rows that depend on each other do so no more: the ranks are those of the first point.
template <class T>
Status VelocityCoordinatesSystem<T>::choose(LocalCoordinates<T>& coordinates, const T& t, const Vector<T>& q,
                                            const Vector<T>& v) {
  return coordinates.chosen() ? coordinates.choose(t, q, v, coordinates) : coordinates.choose(t, q, v);
}

template <class T>
Status VelocityCoordinatesSystem<T>::lift(LocalCoordinates<T>& coordinates, const T& t, Vector<T>& q, Vector<T>& v) {
  return coordinates.lift_velocities(t, q, v);
}

template <class T>
std::unique_ptr<Linearization<T>> VelocityCoordinatesSystem<T>::lifted_linearization(
    LocalBasis basis, const LocalCoordinates<T>& of_steps, std::unique_ptr<Linearization<T>> of_index_1) {
  return std::make_unique<VelocityLinearization<T>>(this->model_, basis, of_steps, std::move(of_index_1));
}

#define DAELAB_INSTANTIATE(T) template class VelocityCoordinatesSystem<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
