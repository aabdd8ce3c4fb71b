// A system as peers see it: x' = f(t, x) of the differential components, or F(t, y, y') = 0. Both count what they are
// asked for and solve with the exact Jacobians and the structured factorisations of the system.
#pragma once

#include <Eigen/LU>

#include "core/equations/system.hpp"
#include "modules/peers/peer.hpp"

namespace daelab {

/// What both kinds have.
class SystemEquations : public PeerEquations {
 public:
  /// Why the last evaluation failed; ok: none has since this was asked.
  Status take_failure();

  bool factorize(double gamma) override;

 protected:
  SystemEquations(System<double>& system, Statistics& statistics);
  /// Keeps a failure; what is not finite is one.
  bool is_good(Status status);
  bool is_good(Status status, const Eigen::Ref<const Vector<double>>& values);
  void evaluate_jacobians();
  /// At the point evaluated last.
  void evaluate_sparse();
  /// The same as dense matrices (N, N).
  void evaluate_dense();
  void back_solve(Vector<double>& r);

  System<double>& system_;
  Statistics& statistics_;
  double t_ = 0;
  Vector<double> y_, ydot_;  // (N) the point evaluated last
  double gamma_ = 0;         // of the factorisation
  std::unique_ptr<Linearization<double>> linearization_;
  Matrix<double> by_y_, by_ydot_;
  SparseMatrix<double> sparse_by_y_, sparse_by_ydot_;

 private:
  Status failure_;
  std::unique_ptr<IterationMatrix<double>> matrix_;
};

/// The explicit form. The last evaluation is kept: codes ask for the end of a step again at the start of the next.
class RateEquations final : public SystemEquations {
 public:
  RateEquations(System<double>& system, Statistics& statistics);
  bool rates(double t, const double* x, double* xdot) override;
  bool residual(double t, const double* y, const double* ydot, double* F) override;
  bool linearize(double t, const double* x, const double* xdot) override;
  void solve(double* r) override;
  bool jacobian(double t, const double* x, double* J) override;
  bool jacobians(double t, const double* y, const double* ydot, double* F_y, double* F_ydot) override;
  bool sparse_jacobian(double t, const double* y, const double* ydot, double c, PeerSparseMatrix& A) override;

  /// y' and the algebraic components of y.
  Status complete(double t, Vector<double>& y, Vector<double>& ydot);
  /// The algebraic components that were evaluated last.
  auto algebraic() const { return y_.tail(y_.size() - d_); }

 private:
  bool evaluate(double t, const double* x);

  Index d_;
  bool is_evaluated_ = false;
  Vector<double> found_;      // algebraic components that were: those of a failure are no start for the next search
  Vector<double> r_;          // (N)
  Matrix<double> E_, slope_;  // of its unknowns, by x
  Eigen::PartialPivLU<Matrix<double>> resolved_;
};

/// The implicit form, `plain` or resolved for its derivatives where it can be.
class ResidualEquations final : public SystemEquations {
 public:
  ResidualEquations(System<double>& system, Statistics& statistics, bool plain);
  bool rates(double t, const double* x, double* xdot) override;
  bool residual(double t, const double* y, const double* ydot, double* F) override;
  bool linearize(double t, const double* y, const double* ydot) override;
  void solve(double* r) override;
  bool jacobian(double t, const double* x, double* J) override;
  bool jacobians(double t, const double* y, const double* ydot, double* F_y, double* F_ydot) override;
  bool sparse_jacobian(double t, const double* y, const double* ydot, double c, PeerSparseMatrix& A) override;

 private:
  void take(double t, const double* y, const double* ydot);
  void arrange_sum();
  bool is_plain_;
  Vector<double> F_;                                                   // (N)
  SparseSum<double> sum_{0, 0};                                        // of F_y and F_y'
  std::shared_ptr<const SparsePattern> summed_by_y_, summed_by_ydot_;  // that it is arranged for
};

}  // namespace daelab
