// The Newton matrices of r stages with one Jacobian for all: with B = S diag(beta) S^-1 the transformed corrections
// S^-1 dX decouple into one system with kappa = h beta_e per eigenvalue, and of each complex pair only one is solved.
// [HW96, Sec. IV.8]
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer.
#pragma once

#include "core/equations/system.hpp"
#include "core/integration/linear_combination.hpp"
#include "methods/runge_kutta/implicit_stages.hpp"

namespace daelab {

template <class T>
class DecoupledStages {
 public:
  /// For r modes and conjugates in all, r > 0.
  DecoupledStages(const std::vector<Eigenmode>& modes, Linearization<T>& linearization, Index N)
      : zero_(Vector<T>::Zero(N)) {
    const Index r = modes.front().left.size();
    left_.resize(r, r), right_.resize(r, r), transformed_.resize(N, r);
    sum_ = LinearCombination<T>(r);
    Index part = 0;
    for (const Eigenmode& mode : modes) {
      left_.col(part) = mode.left.real().template cast<T>(), right_.row(part) = mode.right.real().template cast<T>();
      if (mode.real) {
        real_.push_back({linearization.real_matrix(), static_cast<T>(mode.beta.real()), part++, Vector<T>(N)});
        continue;
      }
      left_.col(part + 1) = mode.left.imag().template cast<T>();
      right_.row(part + 1) = -mode.right.imag().template cast<T>();
      const Complex beta(static_cast<T>(mode.beta.real()), static_cast<T>(mode.beta.imag()));
      complex_.push_back({linearization.complex_matrix(), beta, part, Vector<Complex>(N)});
      part += 2;
    }
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
    multiply(R, left_, transformed_);
    for (auto& stage : real_) {
      stage.w = transformed_.col(stage.part);
      stage.matrix->solve(stage.w);
      transformed_.col(stage.part) = stage.w;
    }
    for (auto& stage : complex_) {
      // Both parts at once: loads of whole numbers would wait for stores of halves.
      for (Index i = 0; i < stage.w.size(); ++i)
        stage.w[i] = {transformed_(i, stage.part), transformed_(i, stage.part + 1)};
      stage.matrix->solve(stage.w);
      transformed_.col(stage.part) = stage.w.real(), transformed_.col(stage.part + 1) = stage.w.imag();
    }
    multiply(transformed_, right_, X);
  }

 private:
  using Complex = std::complex<T>;
  template <class S>
  struct TransformedStage {
    std::unique_ptr<IterationMatrix<S>> matrix;
    S beta;
    Index part;   // the column of transformed_ that holds its real part; the next one holds the imaginary part
    Vector<S> w;  // (N)
  };

  // product := A factors
  void multiply(const Matrix<T>& A, const Matrix<T>& factors, Matrix<T>& product) {
    for (Index i = 0; i < factors.cols(); ++i) {
      sum_.clear();
      for (Index j = 0; j < A.cols(); ++j) sum_.add(factors(j, i), A.col(j).data());
      sum_.evaluate(zero_.data(), A.rows(), product.col(i).data());
    }
  }

  std::vector<TransformedStage<T>> real_;
  std::vector<TransformedStage<Complex>> complex_;
  // Real and imaginary parts side by side: rows of S^-1 as columns, columns of S as rows, (r, r); S^-1 R, (N, r).
  Matrix<T> left_, right_, transformed_;
  Vector<T> zero_;  // (N)
  LinearCombination<T> sum_{0};
};

}  // namespace daelab
