// Cholesky factorisation with diagonal pivoting, stopped at the rank: the cheapest solver for redundant
// constraints. Multipliers of dependent constraints are zero: a basic solution, not the one of least norm.
// [Hig02] Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., SIAM, 2002, sec. 10.3.
#include "core/solvers/rank_revealing_multipliers.hpp"

namespace daelab {
namespace {

template <class T>
class PivotedCholeskyMultipliers final : public RankRevealingMultipliers<T> {
 public:
  PivotedCholeskyMultipliers(Index coordinates, Index constraints, const RankOptions& options)
      : RankRevealingMultipliers<T>(coordinates, constraints, options), factor_(constraints) {}

 protected:
  Status solve_reduced(const Matrix<T>& A, const Vector<T>& b, Vector<T>& mu) override {
    factor_.factorize(A, this->rule());
    factor_.solve(b, mu);
    const double m = static_cast<double>(b.size()), r = static_cast<double>(factor_.rank());
    return this->report(A, b, mu, factor_.rank(), m * m * r - m * r * r + r * r * r / 3 + 2 * r * r);
  }

 private:
  PivotedCholesky<T> factor_;
};

struct PivotedCholeskySolver : RankRevealing<PivotedCholeskyMultipliers> {
  static constexpr const char* name = "pivoted-cholesky";
  static constexpr const char* summary = "Rank-revealing Cholesky; redundant constraints get zero multipliers.";
  static constexpr const char* source = "Higham 2002, sec. 10.3";
};
const MultiplierSolverEntry<PivotedCholeskySolver> pivoted_cholesky_entry;

}  // namespace
}  // namespace daelab
