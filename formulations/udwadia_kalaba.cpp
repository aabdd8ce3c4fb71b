// The equation of Udwadia and Kalaba: of all accelerations that the constraints allow, the one nearest to that of the
// unconstrained motion,
//
//   a = a_0 + M^(-1/2) (J M^(-1/2))^+ (b - J a_0),   a_0 = M^-1 Q,  b = gamma,  J = C_q and G_v,            [UK92, (3)]
//
// with ^+ the pseudo-inverse, so that constraints may depend on each other and a rank may fall. Any square root of M
// gives the same a; here it is that of Cholesky, M = L L^T, J L^-T = U Sigma V^T and lambda = -U Sigma^-2 U^T (b - J
// a_0). Ranks are told by singular values of J L^-T, where J M^-1 J^T has their squares: a tolerance of 1e-4 here is
// one of 1e-8 there.
//
// [UK92] Udwadia, Kalaba, A new perspective on constrained motion, Proceedings of the Royal Society A 439, 1992,
// 407-410.
#include "core/equations/dense_refusal.hpp"
#include "core/equations/formulation.hpp"
#include "core/equations/own_multipliers.hpp"
#include "core/solvers/dense.hpp"
#include "core/solvers/rank_revealing.hpp"

namespace daelab {
namespace {

template <class T>
class PseudoInverse final : public Multipliers<T> {
 public:
  PseudoInverse(Index n, Index m, const RankOptions& options)
      : rule_(options), check_(options), mass_(n), svd_(std::max(m, n)) {
    J_.setZero(m, n), W_.setZero(m, n), square_.setZero(std::max(m, n), std::max(m, n));
    b_.setZero(m), component_.setZero(m), change_.setZero(n), residual_.setZero(m);
  }
  bool handles_redundant_constraints() const override { return true; }

 protected:
  Status solve_saddle_point(const SaddlePoint<T>& system, Vector<T>& a, Vector<T>& mu) override {
    J_ = system.G;
    mass_.matrix() = system.M;
    if (!mass_.factorize()) return {StatusCode::singular, "udwadia-kalaba: the mass matrix is not positive definite"};
    W_ = system.G;
    mass_.solve_lower_rows(W_);
    square_.topLeftCorner(W_.rows(), W_.cols()) = W_;
    svd_.compute(square_);
    return solve_right_hand_side(system.f, system.h, a, mu);
  }
  Status solve_right_hand_side(const Vector<T>& f, const Vector<T>& h, Vector<T>& a, Vector<T>& mu) override {
    this->report_ = {};
    const Index m = W_.rows(), n = W_.cols();
    a = f;
    mass_.solve(a);
    b_ = h;
    b_.noalias() += J_.lazyProduct(a);  // J a_0 - b
    mu.setZero();
    change_.setZero();
    const Vector<T>& sigma = svd_.sigma();
    Index rank = 0;
    for (; rank < std::min(m, n) && !rule_.is_zero(rank, sigma[rank], sigma[0]); ++rank) {
      T component(0);
      for (Index i = 0; i < m; ++i) component += svd_.U()(i, rank) * b_[i];
      component /= sigma[rank];
      for (Index i = 0; i < n; ++i) change_[i] -= svd_.V()(i, rank) * component;
      component /= sigma[rank];
      for (Index i = 0; i < m; ++i) mu[i] += svd_.U()(i, rank) * component;
    }
    mass_.solve_lower_transposed(change_);
    a += change_;
    residual_ = h;
    residual_.noalias() += J_.lazyProduct(a);
    this->report_.rank = rank;
    this->report_.residual = static_cast<double>(residual_.norm());
    return m == 0 ? Status{} : check_.check(this->report_.residual, static_cast<double>(b_.norm()));
  }
  Status solve_reduced(const Matrix<T>& /*A*/, const Vector<T>& /*b*/, Vector<T>& /*mu*/) override {
    return {StatusCode::not_applicable, "udwadia-kalaba never forms J M^-1 J^T"};
  }

 private:
  RankRule<T> rule_;
  ConsistencyCheck check_;
  CholeskyFactor<T> mass_;
  dense::SquareSvd<T> svd_;
  Matrix<T> J_, W_, square_;  // (m, n) twice, (s, s) with zeros
  Vector<T> b_, component_, change_, residual_;
};

struct UdwadiaKalaba {
  static constexpr const char* name = "udwadia-kalaba";
  static constexpr const char* summary =
      "The acceleration nearest to the unconstrained one, by a pseudo-inverse; redundant constraints allowed.";
  static constexpr const char* source = "Udwadia, Kalaba 1992";

  // Off the constraints rows that depend on each other have singular values as large as the violation.
  RankOptions rank{.tolerance = "1e-4"};

  Options options() { return rank.list(); }
  FormulationTraits traits() const {
    return {.levels = ImposedLevels::only(Level::acceleration), .state_space = true, .needs_linear_balance = true};
  }

  template <class T>
  std::string refusal(const MechanicalModel<T>& model) const {
    return dense_refusal(name, model);
  }
  template <class T>
  std::unique_ptr<System<T>> system(MechanicalModel<T>& model, Multipliers<T>& /*multipliers*/) const {
    return std::make_unique<WithOwnMultipliers<T, ConstrainedSystem>>(
        std::make_unique<PseudoInverse<T>>(model.coordinates(), model.constraints(), rank), model, Level::acceleration);
  }
};
const FormulationEntry<UdwadiaKalaba> udwadia_kalaba_entry;

}  // namespace
}  // namespace daelab
