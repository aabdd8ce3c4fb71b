// Accelerations and multipliers by code that is generated for the model, with fixed pivots: see
// core/accelerations/generated_solve.hpp. If a pivot is too small, and for everything but accelerations, another
// solver.
#include "core/solvers/multiplier_solver.hpp"

namespace daelab {
namespace {

template <class T>
class WrittenOutMultipliers final : public Multipliers<T> {
 public:
  WrittenOutMultipliers(std::shared_ptr<const MultiplierSolver> solver, Index coordinates, Index constraints)
      : solver_(std::move(solver)), coordinates_(coordinates), constraints_(constraints) {}

 protected:
  Status solve_saddle_point(const SaddlePoint<T>& system, Vector<T>& a, Vector<T>& mu) override {
    return reported(fallback().solve(system, a, mu));
  }
  Status solve_sparse_saddle_point(const SparseSaddlePoint<T>& system, Vector<T>& a, Vector<T>& mu) override {
    return reported(fallback().solve(system, a, mu));
  }
  Status solve_reduced(const Matrix<T>& A, const Vector<T>& b, Vector<T>& mu) override {
    return reported(fallback().solve(A, b, mu));
  }
  Status solve_right_hand_side(const Vector<T>& f, const Vector<T>& h, Vector<T>& a, Vector<T>& mu) override {
    return reported(fallback().solve_again(f, h, a, mu));
  }

 private:
  // When it is needed: its matrices are dense.
  Multipliers<T>& fallback() {
    if (!fallback_) fallback_ = solver_->bind(As<T>{}, coordinates_, constraints_);
    return *fallback_;
  }
  Status reported(Status status) {
    this->report_ = fallback_->last();
    return status;
  }

  std::shared_ptr<const MultiplierSolver> solver_;
  Index coordinates_, constraints_;
  std::unique_ptr<Multipliers<T>> fallback_;
};

struct WrittenOutSolver {
  static constexpr const char* name = "written-out";
  static constexpr const char* summary =
      "The model's own elimination with fixed, watched pivots; independent constraints only.";
  static constexpr const char* source = "Duff, Erisman, Reid 2017, ch. 7";
  std::string fallback = "schur-cholesky";
  Options options() {
    return {option("fallback", fallback, "solver where pivots are not trusted, and for all but accelerations",
                   one_of({"schur-cholesky", "kkt-lu", "sparse-lu"}))};
  }
  template <class T>
  std::unique_ptr<Multipliers<T>> bind(Index coordinates, Index constraints) const {
    return std::make_unique<WrittenOutMultipliers<T>>(solver(), coordinates, constraints);
  }
  MultiplierFacts facts() const { return {.patterns = solver()->facts().patterns, .generated_first = true}; }

 private:
  std::shared_ptr<const MultiplierSolver> solver() const {
    return Registry<MultiplierSolver>::instance().make(fallback, "");
  }
};
const MultiplierSolverEntry<WrittenOutSolver> written_out_entry;

}  // namespace
}  // namespace daelab
