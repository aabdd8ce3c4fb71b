// Augmented Lagrangian formulation: a penalty, iterated until the constraints hold, with mass-orthogonal projections of
// positions and velocities at the end of a step. [BL96]
//
//   (M + J^T alpha J) a_(i+1) = f - J^T (lambda_i + alpha h),   lambda_(i+1) = lambda_i + alpha (J a_(i+1) + h),
//
// from lambda_0 = 0, for J a + h = 0. The matrix is regular where constraints depend on each other and where J loses
// its rank; each iteration divides the violation by 1 + alpha sigma, sigma an eigenvalue of J M^-1 J^T. [BA94] The
// projections are the same with 0 for f and C, or C_q v + C_t and G, for h.
//
// [BA94] Bayo, Avello, Singularity-free augmented Lagrangian algorithms for constrained multibody dynamics, Nonlinear
// Dynamics 5, 1994, 209-231.
// [BL96] Bayo, Ledesma, Augmented Lagrangian and mass-orthogonal projection methods for constrained multibody dynamics,
// Nonlinear Dynamics 9, 1996, 113-130.
#include <fmt/format.h>

#include "core/equations/dense_refusal.hpp"
#include "core/equations/explicit_forms.hpp"
#include "core/equations/formulation.hpp"
#include "core/equations/own_multipliers.hpp"
#include "core/solvers/rank_revealing.hpp"

namespace daelab {
namespace {

struct AugmentedLagrangian {
  static constexpr const char* name = "augmented-lagrangian";
  static constexpr const char* summary =
      "A penalty iterated until accelerations satisfy the constraints; step ends are projected by mass.";
  static constexpr const char* source = "Bayo, Avello 1994; Bayo, Ledesma 1996";

  Exact penalty = "1e7";
  int iterations = 20;
  bool project = true;

  Options options() {
    return {option("penalty", penalty, "alpha tr(J J^T)/tr(M), the size of the penalty beside the mass", positive()),
            option("iterations", iterations, "the most of an evaluation", at_least(1)),
            option("project", project, "positions and velocities at the end of a step")};
  }
  FormulationTraits traits() const {
    return {.levels = ImposedLevels::only(Level::acceleration),
            .state_space = true,
            .needs_linear_equations = true,
            .stabilized = project};
  }

  template <class T>
  std::string refusal(const MechanicalModel<T>& model) const {
    return dense_refusal(name, model);
  }
  template <class T>
  std::unique_ptr<System<T>> system(MechanicalModel<T>& model, Multipliers<T>& multipliers) const;
};

template <class T>
class IteratedPenalty final : public Multipliers<T> {
 public:
  IteratedPenalty(Index n, Index m, const AugmentedLagrangian& options)
      : Multipliers<T>({.redundant_constraints = true}),
        penalty_(options.penalty.as<T>()),
        iterations_(options.iterations),
        check_(RankOptions{}),
        matrix_(n) {
    J_.setZero(m, n), M_.setZero(n, n);
    change_.setZero(n);
    for (Vector<T>* x : {&violation_, &pull_}) x->setZero(m);
  }

 protected:
  Status solve_saddle_point(const SaddlePoint<T>& system, Vector<T>& a, Vector<T>& mu) override {
    J_ = system.G, M_ = system.M;
    const T of_rows = J_.squaredNorm();
    alpha_ = of_rows > T(0) ? T(penalty_ * M_.trace() / of_rows) : T(0);
    matrix_.matrix() = M_;
    matrix_.matrix().noalias() += alpha_ * J_.transpose().lazyProduct(J_);
    if (!matrix_.factorize())
      return {StatusCode::singular,
              "augmented-lagrangian: mass and penalty are not positive definite together: masses are missing that no "
              "constraint makes up for"};
    return solve_right_hand_side(system.f, system.h, a, mu);
  }

  // Until the acceleration no longer changes, or the violation no longer falls and is round-off or out of reach: off
  // the constraints rows that depend on each other contradict each other. Each iteration solves for what is left of the
  // equations, so that the condition of the matrix, about the penalty, only slows them down.
  Status solve_right_hand_side(const Vector<T>& f, const Vector<T>& h, Vector<T>& a, Vector<T>& mu) override {
    using std::sqrt;
    this->report_ = {};
    a.setZero(), mu.setZero();
    violation_ = h;
    T last(0);
    for (int iteration = 1;; ++iteration) {
      pull_ = mu + alpha_ * violation_;
      change_ = f;
      change_.noalias() -= M_.lazyProduct(a);
      change_.noalias() -= J_.transpose().lazyProduct(pull_);
      matrix_.solve(change_);
      a += change_;
      violation_ = h;
      violation_.noalias() += J_.lazyProduct(a);
      mu += alpha_ * violation_;
      const T change = change_.cwiseAbs().maxCoeff(), largest = a.cwiseAbs().maxCoeff();
      this->report_.passes = iteration;
      if (!(largest <= std::numeric_limits<T>::max()))
        return {StatusCode::non_finite, "augmented-lagrangian: the accelerations are not finite"};
      const T violation = violation_.norm();
      const bool stalls = iteration > 1 && T(2) * violation >= last && is_final(violation, h, a);
      if (change <= T(4) * epsilon<T>() * largest || stalls) break;
      if (iteration == iterations_)
        return {StatusCode::not_converged,
                fmt::format("augmented-lagrangian: accelerations still change by {:.1e} after {} iterations: raise "
                            "penalty or iterations",
                            static_cast<double>(change), iteration)};
      last = violation;
    }
    this->report_.rank = mu.size();
    this->report_.residual = static_cast<double>(violation_.norm());
    return check_.check(this->report_.residual, static_cast<double>(h.norm() + J_.norm() * a.norm()));
  }
  Status solve_reduced(const Matrix<T>& /*A*/, const Vector<T>& /*b*/, Vector<T>& /*mu*/) override {
    return {StatusCode::not_applicable, "augmented-lagrangian never forms J M^-1 J^T"};
  }

 private:
  // Round-off, or along directions of the range of J that the penalty does not see: singular values below |J| /
  // sqrt(penalty).
  bool is_final(const T& violation, const Vector<T>& h, const Vector<T>& a) {
    using std::sqrt;
    const T size = J_.norm();
    if (violation <= T(1000) * epsilon<T>() * (h.norm() + size * a.norm())) return true;
    change_.noalias() = J_.transpose().lazyProduct(violation_);
    return change_.norm() <= std::min(T(T(1) / sqrt(penalty_)), T(T(1) / T(1000))) * size * violation;
  }

  T penalty_, alpha_{0};
  int iterations_;
  ConsistencyCheck check_;
  CholeskyFactor<T> matrix_;
  Matrix<T> J_, M_;
  Vector<T> change_, violation_, pull_;
};

template <class T>
std::unique_ptr<System<T>> AugmentedLagrangian::system(MechanicalModel<T>& model, Multipliers<T>& /*given*/) const {
  auto own = std::make_unique<IteratedPenalty<T>>(model.coordinates(), model.constraints(), *this);
  if (project) return std::make_unique<WithOwnMultipliers<T, ProjectedSystem>>(std::move(own), model, Projection{});
  return std::make_unique<WithOwnMultipliers<T, ConstrainedSystem>>(std::move(own), model, Level::acceleration);
}
const FormulationEntry<AugmentedLagrangian> augmented_lagrangian_entry;

}  // namespace
}  // namespace daelab
