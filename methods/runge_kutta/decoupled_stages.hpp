// The Newton matrices of r stages with one Jacobian for all: with B = S diag(beta) S^-1 the transformed corrections
// S^-1 dX decouple into one system with kappa = h beta_e per eigenvalue, and of each complex pair only one is solved.
// [HW96, Sec. IV.8]
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer.
#pragma once

#include "core/equations/system.hpp"
#include "methods/runge_kutta/implicit_stages.hpp"

namespace daelab {

template <class T>
class DecoupledStages {
 public:
  DecoupledStages(const std::vector<Eigenmode>& modes, Linearization<T>& linearization, Index N)
      : real_part_(N), imaginary_part_(N) {
    for (const Eigenmode& mode : modes) add(mode, linearization, N);
  }

  /// Systems to factorise, and to solve for each correction.
  long count() const { return static_cast<long>(real_.size() + complex_.size()); }
  /// For a step of size h, from the Jacobian the linearization has last evaluated.
  Status factorize(const T& h) {
    for (auto& stage : real_)
      if (Status status = stage.matrix->factorize(h * stage.beta); !status.ok()) return status;
    for (auto& stage : complex_)
      if (Status status = stage.matrix->factorize(h * stage.beta); !status.ok()) return status;
    return {};
  }
  /// The one whose eigenvalue is `beta`; null where there is none.
  IterationMatrix<T>* matrix_of(const T& beta) {
    for (auto& stage : real_)
      if (stage.beta == beta) return stage.matrix.get();
    return nullptr;
  }
  /// X := the correction of the stages that belongs to their residuals R, shapes (N, r).
  void solve(const Matrix<T>& R, Matrix<T>& X) {
    X.setZero();
    for (auto& stage : real_) {
      solve_transformed(stage, R);
      for (Index i = 0; i < X.cols(); ++i) X.col(i) += stage.right[i] * stage.w;
    }
    for (auto& stage : complex_) {
      solve_transformed(stage, R);
      real_part_ = stage.w.real(), imaginary_part_ = stage.w.imag();
      for (Index i = 0; i < X.cols(); ++i)
        X.col(i) += stage.right[i].real() * real_part_ - stage.right[i].imag() * imaginary_part_;
    }
  }

 private:
  using Complex = std::complex<T>;
  template <class S>
  struct TransformedStage {
    std::unique_ptr<IterationMatrix<S>> matrix;
    S beta;
    Vector<S> left, right, w;  // (r), (r), (N)
  };

  void add(const Eigenmode& mode, Linearization<T>& linearization, Index N) {
    if (mode.real) {
      real_.push_back({linearization.real_matrix(), static_cast<T>(mode.beta.real()), mode.left.real().cast<T>(),
                       mode.right.real().cast<T>(), Vector<T>(N)});
      return;
    }
    const auto round = [](const std::complex<Real100>& x) {
      return Complex(static_cast<T>(x.real()), static_cast<T>(x.imag()));
    };
    const auto round_all = [&round](const Vector<std::complex<Real100>>& x) {
      Vector<Complex> y(x.size());
      for (Index i = 0; i < x.size(); ++i) y[i] = round(x[i]);
      return y;
    };
    complex_.push_back({linearization.complex_matrix(), round(mode.beta), round_all(mode.left), round_all(mode.right),
                        Vector<Complex>(N)});
  }

  // w := matrix^-1 (row of S^-1 applied to the residuals)
  static void solve_transformed(TransformedStage<T>& stage, const Matrix<T>& R) {
    stage.w.setZero();
    for (Index i = 0; i < R.cols(); ++i) stage.w += stage.left[i] * R.col(i);
    stage.matrix->solve(stage.w);
  }
  // Real and imaginary parts apart: the sums run along columns.
  void solve_transformed(TransformedStage<Complex>& stage, const Matrix<T>& R) {
    real_part_.setZero(), imaginary_part_.setZero();
    for (Index i = 0; i < R.cols(); ++i) {
      real_part_ += stage.left[i].real() * R.col(i);
      imaginary_part_ += stage.left[i].imag() * R.col(i);
    }
    stage.w.real() = real_part_, stage.w.imag() = imaginary_part_;
    stage.matrix->solve(stage.w);
  }

  std::vector<TransformedStage<T>> real_;
  std::vector<TransformedStage<Complex>> complex_;
  Vector<T> real_part_, imaginary_part_;  // (N)
};

}  // namespace daelab
