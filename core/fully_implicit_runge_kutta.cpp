// The engine of all fully implicit Runge-Kutta methods.
//
// Implicit stages carry B (r, r), the optional explicit first stage d (r): for differential components
//   Y = e y_n + h d y'_n + h B Y'.
// Full and modified Newton solve the r N coupled equations; their matrix is factorised in double whatever
// the scalar, since a correction needs its leading digits only and the residual supplies the rest. The
// simplified iteration has one Jacobian for all stages, at their mean; with B = S diag(beta) S^-1 the transformed corrections S^-1 dX decouple into one system with
// kappa = h beta_e per eigenvalue, and of each complex pair only one is solved.
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, Sec. IV.8.
#include <fmt/format.h>

#include "core/implicit_stages.hpp"
#include "core/linear_solver.hpp"
#include "core/runge_kutta.hpp"

namespace daelab {
namespace {

template <class T, class S>
struct TransformedStage {
  std::unique_ptr<IterationMatrix<S>> matrix;
  S beta;
  Vector<S> left, right, w;  // (r), (r), (N)
};

template <class T>
class FullyImplicitRungeKutta final : public Stepper<T>, private NewtonTarget<T> {
 public:
  FullyImplicitRungeKutta(const Stages& s, System<T>& system, const NewtonOptions& options)
      : system_(system),
        settings_(options),
        N_(system.size()),
        differential_(system.differential()),
        r_(s.c.size()),
        explicit_first_(s.explicit_first),
        stiffly_accurate_(s.stiffly_accurate),
        coupled_(is_coupled(options.name, s, system.index())),
        reuse_(options.jacobian == "reused"),
        extrapolate_(options.guess == "extrapolated"),
        norm_(options.norm == "two" ? Norm::two : options.norm == "max" ? Norm::max : Norm::scaled),
        B_transposed_(s.B.transpose().cast<T>()),
        d_(s.d.cast<T>()),
        c_(s.c.cast<T>()),
        b_(s.b.cast<T>()),
        b0_(static_cast<T>(s.b0)),
        extrapolation_transposed_(s.extrapolation.transpose().cast<T>()),
        linearization_(system.linearization()),
        coupled_lu_(coupled_ ? r_ * N_ : 0),
        coupled_rhs_(coupled_ ? r_ * N_ : 0) {
    for (Matrix<T>* stages : {&X_, &Y_, &R_, &dX_}) stages->setZero(N_, r_);
    for (Vector<T>* x : {&y_, &ydot_, &F_, &increment_, &weights_}) x->setZero(N_);
    if (coupled_)
      F_y_.setZero(N_, N_), F_ydot_.setZero(N_, N_), dense_F_y_.setZero(N_, N_), dense_F_ydot_.setZero(N_, N_);
    else
      for (const Eigenmode& mode : s.modes) add_transformed_stage(mode);
  }

  Index memory_size() const override { return extrapolate_ ? N_ * (r_ + (explicit_first_ ? 1 : 0)) : 0; }

  Status step(const State<T>& from, const T& h, State<T>& to) override {
    from_ = &from;
    h_ = h;
    system_.correction_weights(h, from.y, weights_);
    guess();
    const bool at_hand = reuse_ && !coupled_ && factorized_h_ == h;
    Status status = newton(settings_, *this, at_hand, this->statistics_);
    if (!status.ok() && at_hand) {  // the reused Jacobian may be what failed
      guess();
      status = newton(settings_, *this, false, this->statistics_);
    }
    if (!status.ok()) {
      factorized_h_ = T(0);
      return status;
    }
    ++this->statistics_.steps;
    return finish(to);
  }

 private:
  static bool is_coupled(const std::string& newton, const Stages& s, int index) {
    if (newton == "automatic") return s.modes.empty() || index >= 2;
    return newton != "simplified" || s.modes.empty();
  }

  void add_transformed_stage(const Eigenmode& mode) {
    if (mode.real) {
      real_.push_back({linearization_->real_matrix(), static_cast<T>(mode.beta.real()),
                       mode.left.real().cast<T>(), mode.right.real().cast<T>(), Vector<T>(N_)});
      return;
    }
    using Complex = std::complex<T>;
    const auto round = [](const Vector<std::complex<Real100>>& x) {
      Vector<Complex> y(x.size());
      for (Index i = 0; i < x.size(); ++i)
        y[i] = Complex(static_cast<T>(x[i].real()), static_cast<T>(x[i].imag()));
      return y;
    };
    complex_.push_back({linearization_->complex_matrix(),
                        Complex(static_cast<T>(mode.beta.real()), static_cast<T>(mode.beta.imag())),
                        round(mode.left), round(mode.right), Vector<Complex>(N_)});
  }

  void guess() {
    if (extrapolate_ && from_->memory_step == h_) {
      const Eigen::Map<const Matrix<T>> last(from_->memory.data(), N_, memory_size() / N_);
      X_ = last.lazyProduct(extrapolation_transposed_);
    } else {
      for (Index i = 0; i < r_; ++i) start_values(X_.col(i));
    }
  }
  // The unknowns as they are at the start of the step.
  void start_values(auto&& x) const {
    x.head(differential_) = from_->ydot.head(differential_);
    x.tail(N_ - differential_) = from_->y.tail(N_ - differential_);
  }

  // Y = y + (carry + h d y' + h B Y'): the increment is summed before it meets y.
  void stage_values() {
    for (Index i = 0; i < r_; ++i) {
      auto increment = Y_.col(i).head(differential_);
      increment = from_->carry.head(differential_);
      if (explicit_first_) increment += (h_ * d_[i]) * from_->ydot.head(differential_);
      for (Index j = 0; j < r_; ++j) increment += (h_ * B_transposed_(j, i)) * X_.col(j).head(differential_);
      if (i == r_ - 1) increment_.head(differential_) = increment;
      increment += from_->y.head(differential_);
      Y_.col(i).tail(N_ - differential_) = X_.col(i).tail(N_ - differential_);
    }
  }

  void load_stage(Index i) {
    y_ = Y_.col(i);
    ydot_ = X_.col(i);
    ydot_.tail(N_ - differential_).setZero();
  }

  Status linearize() override { return coupled_ ? linearize_coupled() : linearize_decoupled(); }

  Status linearize_decoupled() {
    stage_values();
    const T mean = T(1) / T(r_);
    y_ = mean * Y_.rowwise().sum();
    ydot_ = mean * X_.rowwise().sum();
    ydot_.tail(N_ - differential_).setZero();
    linearization_->evaluate(from_->t + mean * c_.sum() * h_, y_, ydot_);
    ++this->statistics_.jacobians;
    this->statistics_.factorizations += static_cast<long>(real_.size() + complex_.size());
    factorized_h_ = h_;
    for (auto& stage : real_)
      if (Status status = stage.matrix->factorize(h_ * stage.beta); !status.ok()) return status;
    for (auto& stage : complex_)
      if (Status status = stage.matrix->factorize(h_ * stage.beta); !status.ok()) return status;
    return {};
  }

  Status linearize_coupled() {
    stage_values();
    Matrix<double>& J = coupled_lu_.matrix();
    J.setZero();
    const Index algebraic = N_ - differential_;
    for (Index i = 0; i < r_; ++i) {
      load_stage(i);
      linearization_->evaluate(from_->t + c_[i] * h_, y_, ydot_);
      linearization_->dense(F_y_, F_ydot_);
      dense_F_y_ = F_y_.template cast<double>();
      dense_F_ydot_ = F_ydot_.template cast<double>();
      for (Index j = 0; j < r_; ++j)
        J.block(i * N_, j * N_, N_, differential_) =
            static_cast<double>(T(h_ * B_transposed_(j, i))) * dense_F_y_.leftCols(differential_);
      J.block(i * N_, i * N_, N_, differential_) += dense_F_ydot_.leftCols(differential_);
      J.block(i * N_, i * N_ + differential_, N_, algebraic) = dense_F_y_.rightCols(algebraic);
    }
    this->statistics_.jacobians += r_;
    ++this->statistics_.factorizations;
    return coupled_lu_.factorize();
  }

  Status evaluate() override {
    stage_values();
    this->statistics_.residuals += r_;
    for (Index i = 0; i < r_; ++i) {
      load_stage(i);
      const T t = from_->t + c_[i] * h_;
      if (coupled_)
        system_.residual(t, y_, ydot_, F_);
      else if (Status status = system_.resolved_residual(t, y_, ydot_, F_); !status.ok())
        return status;
      R_.col(i) = F_;
    }
    return {};
  }

  void correct(const T& relaxation) override {
    if (coupled_)
      correct_coupled();
    else
      correct_decoupled();
    X_ -= relaxation * dX_;
  }

  void correct_coupled() {
    coupled_rhs_ = R_.reshaped().template cast<double>();
    coupled_lu_.solve(coupled_rhs_);
    dX_.reshaped() = coupled_rhs_.template cast<T>();
    ++this->statistics_.back_solves;
  }

  void correct_decoupled() {
    dX_.setZero();
    for (auto& stage : real_) {
      transform(stage);
      for (Index i = 0; i < r_; ++i) dX_.col(i) += stage.right[i] * stage.w;
    }
    for (auto& stage : complex_) {
      transform(stage);
      for (Index i = 0; i < r_; ++i)
        for (Index k = 0; k < N_; ++k)
          dX_(k, i) += stage.right[i].real() * stage.w[k].real() - stage.right[i].imag() * stage.w[k].imag();
    }
    this->statistics_.back_solves += static_cast<long>(real_.size() + complex_.size());
  }

  // w := matrix^-1 (row of S^-1 applied to the residuals)
  template <class S>
  void transform(TransformedStage<T, S>& stage) {
    for (Index k = 0; k < N_; ++k) {
      S sum(0);
      for (Index i = 0; i < r_; ++i) sum += stage.left[i] * R_(k, i);
      stage.w[k] = sum;
    }
    stage.matrix->solve(stage.w);
  }

  T residual_size() override { return size(R_, false); }
  T correction_size() override { return size(dX_, true); }

  T size(const Matrix<T>& stages, bool scale) const {
    using std::abs;
    using std::sqrt;
    T result(0);
    for (Index i = 0; i < r_; ++i)
      for (Index k = 0; k < N_; ++k) {
        const T x = scale && norm_ == Norm::scaled ? T(weights_[k] * stages(k, i)) : stages(k, i);
        if (norm_ == Norm::two)
          result += x * x;
        else if (abs(x) > result || x != x)  // a NaN stays: nothing is larger
          result = abs(x);
      }
    return norm_ == Norm::two ? T(sqrt(result)) : result;
  }

  Status finish(State<T>& to) {
    stage_values();
    const State<T>& from = *from_;
    to.t = from.t + h_;
    if (!stiffly_accurate_) {
      auto increment = increment_.head(differential_);
      increment = from.carry.head(differential_);
      if (explicit_first_) increment += (h_ * b0_) * from.ydot.head(differential_);
      for (Index i = 0; i < r_; ++i) increment += (h_ * b_[i]) * X_.col(i).head(differential_);
    }
    to.y.head(differential_) = from.y.head(differential_) + increment_.head(differential_);
    to.carry.head(differential_) =
        increment_.head(differential_) - (to.y.head(differential_) - from.y.head(differential_));
    if (extrapolate_) remember(to);
    if (!stiffly_accurate_) return system_.complete(to.t, to.y, to.ydot);
    to.y.tail(N_ - differential_) = X_.col(r_ - 1).tail(N_ - differential_);
    to.ydot.head(differential_) = X_.col(r_ - 1).head(differential_);
    return {};
  }

  void remember(State<T>& to) {
    Eigen::Map<Matrix<T>> memory(to.memory.data(), N_, memory_size() / N_);
    if (explicit_first_) start_values(memory.col(0));
    memory.rightCols(r_) = X_;
    to.memory_step = h_;
  }

  System<T>& system_;
  NewtonSettings<T> settings_;
  Index N_, differential_, r_;
  bool explicit_first_, stiffly_accurate_, coupled_, reuse_, extrapolate_;
  enum class Norm { scaled, max, two } norm_;
  Matrix<T> B_transposed_;
  Vector<T> d_, c_, b_;
  T b0_;
  Matrix<T> extrapolation_transposed_;
  std::unique_ptr<Linearization<T>> linearization_;
  DenseLu<double> coupled_lu_;
  Vector<double> coupled_rhs_;
  std::vector<TransformedStage<T, T>> real_;
  std::vector<TransformedStage<T, std::complex<T>>> complex_;
  T factorized_h_{0};  // step size of the factorisations at hand; 0 = none

  const State<T>* from_ = nullptr;
  T h_{0};
  Matrix<T> X_, Y_, R_, dX_;  // (N, r): unknowns, stage values, residuals, correction
  Matrix<T> F_y_, F_ydot_;
  Matrix<double> dense_F_y_, dense_F_ydot_;
  Vector<T> y_, ydot_, F_, increment_, weights_;
};

}  // namespace

template <class T>
std::unique_ptr<Stepper<T>> make_fully_implicit_runge_kutta(const Tableau& tableau,
                                                            System<T>& system,
                                                            const NewtonOptions& newton) {
  const Stages stages = implicit_stages(tableau);
  if (stages.singular && system.index() >= 2)
    throw NotApplicable(fmt::format(
        "{}: its coefficient matrix of the implicit stages is singular, so the Newton matrix of an "
        "index-{} system is singular for every step size; use an ODE or index-1 formulation",
        tableau.name, system.index()));
  return std::make_unique<FullyImplicitRungeKutta<T>>(stages, system, newton);
}

#define DAELAB_INSTANTIATE(T)                                                 \
  template std::unique_ptr<Stepper<T>> make_fully_implicit_runge_kutta<T>(    \
      const Tableau&, System<T>&, const NewtonOptions&);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
