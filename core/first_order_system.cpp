#include "core/first_order_system.hpp"

namespace daelab {
namespace {

template <class T, class S>
class FirstOrderMatrix final : public IterationMatrix<S> {
 public:
  FirstOrderMatrix(const Matrix<T>& R_s, Index differential)
      : R_s_(R_s), differential_(differential), lu_(R_s.rows()) {}

  Status factorize(const S& kappa) override {
    const Index k = R_s_.rows(), d = differential_;
    Matrix<S>& A = lu_.matrix();
    for (Index j = 0; j < k; ++j)
      for (Index i = 0; i < k; ++i) {
        const T entry = i < d ? T(-R_s_(i, j)) : R_s_(i, j);
        A(i, j) = j < d ? kappa * entry : S(entry);
      }
    for (Index i = 0; i < d; ++i) A(i, i) += S(1);
    return lu_.factorize();
  }
  void solve(Vector<S>& r) override { lu_.solve(r); }

 private:
  const Matrix<T>& R_s_;
  Index differential_;
  DenseLu<S> lu_;
};

template <class T>
class FirstOrderLinearization final : public Linearization<T> {
 public:
  FirstOrderLinearization(MechanicalModel<T>& model, Index differential)
      : model_(model), differential_(differential), none_(Vector<T>::Zero(0)) {
    R_s_.setZero(model.states(), model.states());
  }
  void evaluate(const T& t, const Vector<T>& y, const Vector<T>& /*ydot*/) override {
    model_.rates_s(t, none_, none_, y, R_s_);
  }
  void dense(Matrix<T>& F_y, Matrix<T>& F_ydot) const override {
    F_y = R_s_;
    F_y.topRows(differential_) *= T(-1);
    F_ydot.setZero();
    F_ydot.diagonal().head(differential_).setOnes();
  }
  std::unique_ptr<IterationMatrix<T>> real_matrix() override {
    return std::make_unique<FirstOrderMatrix<T, T>>(R_s_, differential_);
  }
  std::unique_ptr<IterationMatrix<std::complex<T>>> complex_matrix() override {
    return std::make_unique<FirstOrderMatrix<T, std::complex<T>>>(R_s_, differential_);
  }

 private:
  MechanicalModel<T>& model_;
  Index differential_;
  Vector<T> none_;
  Matrix<T> R_s_;
};

NewtonOptions full_newton() {
  NewtonOptions options;
  options.name = "full";
  return options;
}

}  // namespace

template <class T>
FirstOrderSystem<T>::FirstOrderSystem(MechanicalModel<T>& model)
    : model_(model),
      size_(model.states()),
      differential_(size_ - model.algebraic_states()),
      newton_(full_newton()),
      algebraic_lu_(size_ - differential_),
      none_(Vector<T>::Zero(0)) {
  s_.setZero(size_), r_.setZero(size_), z_.setZero(size_ - differential_);
  if (differential_ < size_) R_s_.setZero(size_, size_);
}

template <class T>
void FirstOrderSystem<T>::residual(const T& t, const Vector<T>& y, const Vector<T>& ydot, Vector<T>& F) {
  model_.rates(t, none_, none_, y, F);
  F.head(differential_) = ydot.head(differential_) - F.head(differential_);
}

template <class T>
std::unique_ptr<Linearization<T>> FirstOrderSystem<T>::linearization() {
  return std::make_unique<FirstOrderLinearization<T>>(model_, differential_);
}

template <class T>
Status FirstOrderSystem<T>::complete(const T& t, Vector<T>& y, Vector<T>& ydot) {
  const Index algebraic = size_ - differential_;
  if (algebraic > 0) {
    t_ = t, s_ = y;
    if (Status status = newton<T>(newton_, *this, false, statistics_); !status.ok()) {
      status.cause = "the algebraic equations: " + status.cause;
      return status;
    }
    y.tail(algebraic) = s_.tail(algebraic);
  }
  model_.rates(t, none_, none_, y, r_);
  ydot.head(differential_) = r_.head(differential_);
  return {};
}

template <class T>
Status FirstOrderSystem<T>::linearize() {
  const Index algebraic = size_ - differential_;
  model_.rates_s(t_, none_, none_, s_, R_s_);
  algebraic_lu_.matrix() = R_s_.bottomRightCorner(algebraic, algebraic);
  Status status = algebraic_lu_.factorize();
  if (status.code == StatusCode::singular) status.cause = "g_z is singular, they do not determine the algebraic states";
  return status;
}

template <class T>
Status FirstOrderSystem<T>::evaluate() {
  model_.rates(t_, none_, none_, s_, r_);
  z_ = r_.tail(size_ - differential_);
  return {};
}

template <class T>
void FirstOrderSystem<T>::correct(const T& relaxation) {
  algebraic_lu_.solve(z_);
  s_.tail(size_ - differential_) -= relaxation * z_;
}

template <class T>
T FirstOrderSystem<T>::residual_size() {
  return max_norm(z_);
}

template <class T>
T FirstOrderSystem<T>::correction_size() {
  using std::abs;
  NormOf<T> norm;
  for (Index i = 0; i < z_.size(); ++i) norm.add(z_[i] / (T(1) + abs(s_[differential_ + i])));
  return norm.value();
}

template <class T>
void FirstOrderSystem<T>::correction_weights(const T& h, const Vector<T>& y, Vector<T>& w) const {
  using std::abs;
  for (Index i = 0; i < size_; ++i) w[i] = (i < differential_ ? h : T(1)) / (T(1) + abs(y[i]));
}

#define DAELAB_INSTANTIATE(T) template class FirstOrderSystem<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
