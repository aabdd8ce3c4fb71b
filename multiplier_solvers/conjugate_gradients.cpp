// Conjugate gradients for A mu = b, from the multipliers of the last solve. No inverse is kept: one product a pass.
// [GVL13, sec. 11.3]
//
// A may be singular: with b in its range mu is the last one, corrected within the range. A part of b outside the range,
// as drift makes one, stays in the residual and spoils the directions: eps_abs has to be above it.
//
// [GVL13] Golub, Van Loan, Matrix Computations, 4th ed., Johns Hopkins, 2013.
#include <fmt/format.h>

#include "core/base/flops.hpp"
#include "core/solvers/multiplier_solver.hpp"

namespace daelab {
namespace {

struct ConjugateGradientsSolver {
  static constexpr const char* name = "conjugate-gradients";
  static constexpr const char* summary = "Conjugate gradients from the last multipliers, without an inverse.";
  static constexpr const char* source = "Golub, Van Loan 2013, sec. 11.3";
  MultiplierFacts facts() const { return {.redundant_constraints = true}; }

  Exact eps_abs = "1e-7";
  int max_passes = 200;

  Options options() {
    return {option("eps_abs", eps_abs, "passes end at |A mu - b| <= eps_abs, in units of C''", positive()),
            option("max_passes", max_passes, "give up after so many", at_least(1))};
  }
  template <class T>
  std::unique_ptr<Multipliers<T>> bind(Index coordinates, Index constraints) const;
};

template <class T>
class ConjugateGradients final : public ReducedMultipliers<T> {
 public:
  ConjugateGradients(Index coordinates, Index constraints, const ConjugateGradientsSolver& options)
      : ReducedMultipliers<T>(coordinates, constraints),
        eps_abs_(options.eps_abs.as<T>()),
        max_passes_(options.max_passes) {
    for (Vector<T>* x : {&x_, &r_, &d_, &Ad_}) x->setZero(constraints);
  }

 protected:
  Status solve_reduced(const Matrix<T>& A, const Vector<T>& b, Vector<T>& mu) override {
    SolveReport& report = this->report_;
    report = {};
    // From the iterate at hand anew as long as rounding keeps A x - b above what its recurrence says.
    bool helps = true;
    for (start(A, b); residual_ > eps_abs_ && report.passes < max_passes_ && helps; start(A, b)) helps = iterate(A);
    mu = x_;
    report.rank = b.size(), report.residual = static_cast<double>(residual_);
    if (residual_ <= eps_abs_) return {};
    report.outcome = SolveOutcome::not_converged;
    x_.setZero();
    if (!(residual_ <= std::numeric_limits<T>::max()))
      return {StatusCode::non_finite, "the multiplier system is not finite"};
    return {StatusCode::not_converged,
            fmt::format("conjugate-gradients: |A mu - b| = {:.1e} after {} passes, |b| = {:.1e}: eps_abs is below what "
                        "drift leaves, or the constraints contradict each other",
                        report.residual, report.passes, static_cast<double>(b.norm()))};
  }

 private:
  void start(const Matrix<T>& A, const Vector<T>& b) {
    const Index m = b.size();
    residual_ = multiplier_residual(A, b, x_, r_);
    d_ = -r_;
    this->report_.flops += product_flops(m, m) + static_cast<double>(m) + dot_flops(m);
  }

  // False where no step helps: the direction is in the null space of A, except for round-off.
  bool iterate(const Matrix<T>& A) {
    const Index m = r_.size();
    T squared = residual_ * residual_;
    while (squared > eps_abs_ * eps_abs_ && this->report_.passes < max_passes_) {
      Ad_.noalias() = A.lazyProduct(d_);
      const T curvature = d_.dot(Ad_);
      if (!(curvature > epsilon<T>() * A.trace() * d_.squaredNorm())) return false;
      const T alpha = squared / curvature;
      x_ += alpha * d_, r_ += alpha * Ad_;
      const T next = r_.squaredNorm();
      d_ = (next / squared) * d_ - r_;
      squared = next;
      ++this->report_.passes;
      this->report_.flops += product_flops(m, m) + 3 * dot_flops(m) + 6 * static_cast<double>(m);
    }
    return true;
  }

  T eps_abs_, residual_{0};
  int max_passes_;
  Vector<T> x_, r_, d_, Ad_;  // x of the last solve starts the next one
};

template <class T>
std::unique_ptr<Multipliers<T>> ConjugateGradientsSolver::bind(Index coordinates, Index constraints) const {
  return std::make_unique<ConjugateGradients<T>>(coordinates, constraints, *this);
}
const MultiplierSolverEntry<ConjugateGradientsSolver> conjugate_gradients_entry;

}  // namespace
}  // namespace daelab
