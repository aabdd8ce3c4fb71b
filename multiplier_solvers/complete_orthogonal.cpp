// Complete orthogonal decomposition: the multipliers of least norm, A^+ b, at a fraction of the cost of a
// singular value decomposition.
// [GVL13] Golub, Van Loan, Matrix Computations, 4th ed., Johns Hopkins, 2013, sec. 5.5.
#include "core/base/flops.hpp"
#include "core/solvers/rank_revealing_multipliers.hpp"

namespace daelab {
namespace {

template <class T>
class CompleteOrthogonal final : public RankRevealingMultipliers<T> {
 public:
  CompleteOrthogonal(Index coordinates, Index constraints, const RankOptions& options)
      : RankRevealingMultipliers<T>(coordinates, constraints, options), factor_(constraints) {}

 protected:
  Status solve_reduced(const Matrix<T>& A, const Vector<T>& b, Vector<T>& mu) override {
    if (!factor_.factorize(A, this->rule()))
      return {StatusCode::singular, "the multiplier matrix is not positive definite on its range"};
    const Status status = solve_reduced_again(A, b, mu);
    this->report_.flops += range_factorization_flops(b.size(), factor_.rank());
    return status;
  }
  Status solve_reduced_again(const Matrix<T>& A, const Vector<T>& b, Vector<T>& mu) override {
    factor_.solve(b, mu);
    const double m = static_cast<double>(b.size()), r = static_cast<double>(factor_.rank());
    return this->report(A, b, mu, factor_.rank(), 4 * m * r + 2 * r * r);
  }

 private:
  RangeFactorization<T> factor_;
};

struct CompleteOrthogonalSolver : RankRevealing<CompleteOrthogonal> {
  static constexpr const char* name = "complete-orthogonal";
  static constexpr const char* summary = "Least-norm multipliers by a complete orthogonal decomposition.";
  static constexpr const char* source = "Golub, Van Loan 2013, sec. 5.5";
};
const MultiplierSolverEntry<CompleteOrthogonalSolver> complete_orthogonal_entry;

}  // namespace
}  // namespace daelab
