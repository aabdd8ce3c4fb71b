// LU with partial pivoting of the saddle-point matrix [ M G^T ; G 0 ]. M may be singular as long as it is
// positive definite on the null space of G; the rows of G must be independent.
#include "core/solvers/multiplier_solver.hpp"

namespace daelab {
namespace {

template <class T>
class KktLu final : public Multipliers<T> {
 public:
  KktLu(Index coordinates, Index constraints) : n_(coordinates), m_(constraints), lu_(n_ + m_), x_(n_ + m_), r_(m_) {}

 protected:
  Status solve_saddle_point(const SaddlePoint<T>& s, Vector<T>& a, Vector<T>& mu) override {
    Matrix<T>& K = lu_.matrix();
    K.topLeftCorner(n_, n_) = s.M;
    K.topRightCorner(n_, m_) = s.G.transpose();
    K.bottomLeftCorner(m_, n_) = s.G;
    K.bottomRightCorner(m_, m_).setZero();
    if (const Status status = lu_.factorize(); !status.ok()) {
      if (status.code != StatusCode::singular) return status;
      return {StatusCode::singular,
              "the saddle-point matrix is singular: dependent constraints, or a mass matrix "
              "that is singular on the motions they allow"};
    }
    const Status status = solve_right_hand_side(s.f, s.h, a, mu);
    const double N = static_cast<double>(n_ + m_);
    this->report_.flops += 2 * N * N * N / 3;
    return status;
  }
  // The residual |G a + h| is |A mu - b| with a = M^-1 (f - G^T mu).
  Status solve_right_hand_side(const Vector<T>& f, const Vector<T>& h, Vector<T>& a, Vector<T>& mu) override {
    x_.head(n_) = f;
    x_.tail(m_) = -h;
    lu_.solve(x_);
    a = x_.head(n_), mu = x_.tail(m_);
    const double N = static_cast<double>(n_ + m_);
    r_ = h;
    r_.noalias() += lu_.matrix().bottomLeftCorner(m_, n_).lazyProduct(a);
    this->report_ = {};
    this->report_.residual = static_cast<double>(r_.norm());
    this->report_.rank = m_;
    this->report_.flops = 2 * N * N;
    return {};
  }
  Status solve_reduced(const Matrix<T>&, const Vector<T>&, Vector<T>&) override {
    return {StatusCode::not_applicable, "kkt-lu solves the saddle-point system as a whole and never forms A mu = b"};
  }

 private:
  Index n_, m_;
  DenseLu<T> lu_;
  Vector<T> x_, r_;
};

struct KktLuSolver {
  static constexpr const char* name = "kkt-lu";
  static constexpr const char* summary = "LU of the whole saddle-point matrix; independent constraints only.";
  static constexpr const char* source = "Golub, Van Loan 2013, sec. 3.4";
  MultiplierFacts facts() const { return {}; }
  Options options() { return {}; }
  template <class T>
  std::unique_ptr<Multipliers<T>> bind(Index coordinates, Index constraints) const {
    return std::make_unique<KktLu<T>>(coordinates, constraints);
  }
};
const MultiplierSolverEntry<KktLuSolver> kkt_lu_entry;

}  // namespace
}  // namespace daelab
