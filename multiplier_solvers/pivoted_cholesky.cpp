// Cholesky factorisation with diagonal pivoting, stopped at the rank: the cheapest solver for redundant
// constraints. Multipliers of dependent constraints are zero: a basic solution, not the one of least norm.
// [Hig02] Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., SIAM, 2002, sec. 10.3.
#include "core/solvers/multiplier_solver.hpp"
#include "core/solvers/rank_revealing.hpp"

namespace daelab {
namespace {

template <class T>
class PivotedCholeskyMultipliers final : public ReducedMultipliers<T> {
 public:
  PivotedCholeskyMultipliers(Index coordinates, Index constraints, const RankOptions& options)
      : ReducedMultipliers<T>(coordinates, constraints),
        factor_(constraints),
        rule_(options),
        check_(options),
        r_(constraints) {}
  bool handles_redundant_constraints() const override { return true; }

 protected:
  Status solve_reduced(const Matrix<T>& A, const Vector<T>& b, Vector<T>& mu) override {
    factor_.factorize(A, rule_);
    factor_.solve(b, mu);
    const double m = static_cast<double>(b.size()), r = static_cast<double>(factor_.rank());
    this->report_.residual = static_cast<double>(multiplier_residual(A, b, mu, r_));
    this->report_.rank = factor_.rank();
    this->report_.flops = m * m * r - m * r * r + r * r * r / 3 + 2 * r * r;
    return check_.check(this->report_.residual, static_cast<double>(b.norm()));
  }

 private:
  PivotedCholesky<T> factor_;
  RankRule<T> rule_;
  ConsistencyCheck check_;
  Vector<T> r_;
};

struct PivotedCholeskySolver : RankRevealing<PivotedCholeskyMultipliers> {
  static constexpr const char* name = "pivoted-cholesky";
  static constexpr const char* summary = "Rank-revealing Cholesky; redundant constraints get zero multipliers.";
  static constexpr const char* source = "Higham 2002, sec. 10.3";
};
const MultiplierSolverEntry<PivotedCholeskySolver> pivoted_cholesky_entry;

}  // namespace
}  // namespace daelab
