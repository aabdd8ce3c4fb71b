// Cholesky factorisation of A = G M^-1 G^T: the cheapest solver for independent constraints.
#include "core/solvers/multiplier_solver.hpp"

namespace daelab {
namespace {

template <class T>
class SchurCholesky final : public ReducedMultipliers<T> {
 public:
  SchurCholesky(Index coordinates, Index constraints)
      : ReducedMultipliers<T>(coordinates, constraints), factor_(constraints), r_(constraints) {}

 protected:
  Status solve_reduced(const Matrix<T>& A, const Vector<T>& b, Vector<T>& mu) override {
    factor_.matrix() = A;
    if (!factor_.factorize()) return {StatusCode::singular, "the rows of the constraint Jacobian are dependent"};
    const Status status = solve_reduced_again(A, b, mu);
    const double m = static_cast<double>(b.size());
    this->report_.flops += m * m * m / 3;
    return status;
  }
  Status solve_reduced_again(const Matrix<T>& A, const Vector<T>& b, Vector<T>& mu) override {
    mu = b;
    factor_.solve(mu);
    const double m = static_cast<double>(b.size());
    this->report_.residual = static_cast<double>(multiplier_residual(A, b, mu, r_));
    this->report_.rank = b.size();
    this->report_.flops = 2 * m * m;
    return {};
  }

 private:
  CholeskyFactor<T> factor_;
  Vector<T> r_;
};

struct SchurCholeskySolver {
  static constexpr const char* name = "schur-cholesky";
  static constexpr const char* summary =
      "Cholesky factorisation of the multiplier matrix; independent constraints only.";
  static constexpr const char* source = "Golub, Van Loan 2013, sec. 4.2";
  MultiplierFacts facts() const { return {}; }
  Options options() { return {}; }
  template <class T>
  std::unique_ptr<Multipliers<T>> bind(Index coordinates, Index constraints) const {
    return std::make_unique<SchurCholesky<T>>(coordinates, constraints);
  }
};
const MultiplierSolverEntry<SchurCholeskySolver> schur_cholesky_entry;

}  // namespace
}  // namespace daelab
