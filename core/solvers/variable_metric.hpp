// Variable metric methods with exact line search for A mu = b, A symmetric positive semidefinite: the inverse left by
// the last solve starts the next one.
//
//   d_k = -H_k r_k,  alpha_k = -(d_k^T r_k) / (d_k^T A d_k),  s_k = alpha_k d_k,  y_k = A s_k,        [Iv23, section 2]
//
// from x_0 = 0 with r_k = A x_k - b, and one of the updates, u = H_k y_k:
//
//   SR1   H + w w^T / (w^T y),  w = s - u                                        [Iv23, (10)]
//   DFP   H + s s^T / (s^T y) - u u^T / (y^T u)                                   [NW06, eq. (6.15)]
//   BFGS  H - (s u^T + u s^T) / (s^T y) + (1 + y^T u / s^T y) s s^T / (s^T y)      [NW06, eq. (6.17)]
//
// With exact line search all of them take the same steps from the same H_0 in exact arithmetic, those of conjugate
// gradients preconditioned by H_0; what differs is the H that they leave. H_0 = A^+ of the first solve, and anew where
// a solve does not come to an end: a restart.
//
// SR1 may have no bound, and may leave an H that is not positive definite on the range of A. The determinant of H grows
// by the factor (s^T H^-1 s - s^T y)/(w^T y), which with exact line search is (alpha - 1) s^T y / (w^T y): definite
// where alpha - 1 and w^T y have one sign. Variants of SR1 that [Iv23] names, by what takes the place of another
// update:
//
//   restarted [LH09]  SR1 of delta 1 instead of H, delta = a - sqrt(a^2 - s^T s / y^T y), a = s^T s / s^T y:
//                     defined and definite, as delta < s^T y / y^T y (Cauchy, Schwarz)
//   switched [AFM04]  BFGS for this pass
//
// The rules of when to take them are daelab's: [Iv23] prints none.
//
// [LH09] Leong, Hassan, A restarting approach for the symmetric rank one update for unconstrained optimization,
// Computational Optimization and Applications 42, 2009, 327-334.
// [AFM04] Al-Baali, Fuduli, Musmanno, On the performance of switching BFGS/SR1 algorithms for unconstrained
// optimization, Optimization Methods and Software 19(2), 2004, 153-164.
// [Iv23] Ivanov, Vestnik Permskogo Universiteta, Matematika Mekhanika Informatika 1(60), 2023, 30-46.
// [NW06] Nocedal, Wright, Numerical Optimization, 2nd ed., Springer, 2006.
#pragma once

#include "core/solvers/multiplier_solver.hpp"
#include "core/solvers/rank_revealing.hpp"

namespace daelab {

enum class MetricUpdate { sr1, dfp, bfgs };
enum class Sr1Variant { plain, restarted, switched };
inline std::vector<std::string> names_of(Sr1Variant) { return {"plain", "restarted", "switched"}; }

struct VariableMetricOptions {
  Exact eps_abs = "1e-7", correction = "1e-12", curvature = "1e-8";
  int max_passes = 30;
  RankOptions rank = {};
  Sr1Variant variant = Sr1Variant::plain;  // of SR1 alone

  /// All but the variant.
  std::vector<Option> list();
};

/// A pass is a step after the first one, as in the iteration with unit steps, whose start is a step along H_0 b.
template <class T>
class VariableMetric final : public ReducedMultipliers<T> {
 public:
  VariableMetric(Index coordinates, Index constraints, MetricUpdate update, const VariableMetricOptions& options);

 protected:
  Status solve_reduced(const Matrix<T>& A, const Vector<T>& b, Vector<T>& mu) override;

 private:
  enum class End { met, floor, growth, cap };
  bool restart(const Matrix<T>& A, Refactorization cause);
  End iterate(const Matrix<T>& A, const Vector<T>& b);
  bool step(const Matrix<T>& A);
  void update();
  void update_rank_one(const T& sy, const T& yu);
  void update_bfgs(const T& sy, const T& yu);
  void scale_identity(const T& sy, const T& yy);
  Refactorization cause_to_restart(End end, const T& size_of_b);
  Status finish(End end, const T& size_of_b);

  static constexpr int growth_factor = 10;
  MetricUpdate update_;
  Sr1Variant variant_;
  T eps_abs_, correction_, curvature_;
  int max_passes_;
  RankRule<T> rule_;
  ConsistencyCheck check_;
  RangeFactorization<T> factor_;
  Matrix<T> H_;
  bool known_ = false, fresh_ = false;  // H exists; it was factorised in this solve
  T residual_{0}, residual_when_fresh_{0};
  T alpha_{1};  // of the last step
  Vector<T> x_, r_, d_, s_, y_, u_;
};

/// What the solvers of this family share, as base of their definitions.
template <MetricUpdate update>
struct VariableMetricSolver {
  MultiplierFacts facts() const { return {.redundant_constraints = true}; }
  VariableMetricOptions metric;
  Options options() { return metric.list(); }
  template <class T>
  std::unique_ptr<Multipliers<T>> bind(Index coordinates, Index constraints) const {
    return std::make_unique<VariableMetric<T>>(coordinates, constraints, update, metric);
  }
};

}  // namespace daelab
