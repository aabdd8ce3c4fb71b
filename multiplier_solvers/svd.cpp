// Singular value decomposition at every evaluation: the multipliers of least norm by the textbook route,
// which the updating solvers are compared with. [Iv23, introduction]
//
// [Iv23] Ivanov, Vestnik Permskogo Universiteta, Matematika Mekhanika Informatika 1(60), 2023, 30-46.
#include "core/solvers/dense.hpp"
#include "core/solvers/rank_revealing_multipliers.hpp"

namespace daelab {
namespace {

template <class T>
class SvdMultipliers final : public RankRevealingMultipliers<T> {
 public:
  SvdMultipliers(Index coordinates, Index constraints, const RankOptions& options)
      : RankRevealingMultipliers<T>(coordinates, constraints, options), svd_(constraints) {}

 protected:
  Status solve_reduced(const Matrix<T>& A, const Vector<T>& b, Vector<T>& mu) override {
    svd_.compute(A);
    const Vector<T>& sigma = svd_.sigma();
    Index rank = 0;
    mu.setZero();
    for (; rank < b.size() && !this->rule().is_zero(rank, sigma[rank], sigma[0]); ++rank) {
      T component(0);
      for (Index i = 0; i < b.size(); ++i) component += svd_.U()(i, rank) * b[i];
      component /= sigma[rank];
      for (Index i = 0; i < b.size(); ++i) mu[i] += svd_.V()(i, rank) * component;
    }
    const double m = static_cast<double>(b.size()), r = static_cast<double>(rank);
    return this->report(A, b, mu, rank, 24 * m * m * m + 4 * m * r);  // the usual estimate for the decomposition
  }

 private:
  dense::SquareSvd<T> svd_;
};

struct SvdSolver : RankRevealing<SvdMultipliers> {
  static constexpr const char* name = "svd";
  static constexpr const char* summary = "Least-norm multipliers by a singular value decomposition per evaluation.";
  static constexpr const char* source = "Golub, Van Loan 2013, sec. 5.5; Ivanov 2023, introduction";
};
const MultiplierSolverEntry<SvdSolver> svd_entry;

}  // namespace
}  // namespace daelab
