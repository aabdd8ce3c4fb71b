// Multiplier solvers: interchangeable ways from mass, constraint Jacobian and force to accelerations and
// multipliers,
//
//   M a + G^T mu = f,   G a + h = 0,        G = C_q (m, n), possibly with dependent rows.
//
// Most of them solve the multiplier system  A mu = b,  A = G M^-1 G^T,  b = G M^-1 f + h, with A symmetric
// positive semidefinite. When rows of G are dependent mu is one of many; G^T mu and a are unique. [Iv23, eqs. (2), (3)]
//
// [Iv23] Ivanov, Vestnik Permskogo Universiteta, Matematika Mekhanika Informatika 1(60), 2023, 30-46.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "core/base/registry.hpp"
#include "core/base/scalar.hpp"
#include "core/base/status.hpp"
#include "core/solvers/linear_solver.hpp"
#include "core/solvers/sparse_matrix.hpp"

namespace daelab {

/// How a solve ended.
enum class SolveOutcome {
  converged,     // |A mu - b| meets what was asked
  floor,         // b is outside the range of A by the residual reported: no mu does better
  rank_changed,  // solved, after a fresh factorisation found another rank than before
  not_converged  // the iteration gave up; mu is its last iterate
};
inline constexpr std::array<const char*, 4> solve_outcome_names{"converged", "floor", "rank-changed", "not-converged"};

/// Why an updated inverse was computed anew.
enum class Refactorization { none, first, cap, growth, out_of_range, turned_range };
inline constexpr std::array<const char*, 6> refactorization_names{"none",   "first",        "cap",
                                                                  "growth", "out-of-range", "turned-range"};

/// One solve: what came out and what it took.
struct SolveReport {
  SolveOutcome outcome = SolveOutcome::converged;
  int passes = 0;       // k of an iterative solver; 0 for a direct one
  double residual = 0;  // |A mu - b|, Euclidean norm
  Index rank = 0;       // of A as the solver sees it
  Refactorization refactorization = Refactorization::none;
  double flops = 0;  // additions and multiplications for A mu = b, without forming A
};

/// The solves of a run.
struct SolveStatistics {
  static constexpr int longest = 64;  // the last bin counts all solves with as many passes or more

  long solves = 0, passes = 0;
  std::array<long, longest + 1> histogram{};
  std::array<long, solve_outcome_names.size()> outcomes{};
  std::array<long, refactorization_names.size()> refactorizations{};
  double largest_residual = 0, largest_floor = 0, flops = 0;
  Index smallest_rank = 0, largest_rank = 0;
  long pivot_fallbacks = 0;          // solves for which a pivot of generated code was too small
  std::string first_pivot_fallback;  // why

  /// So many solves that went the same way.
  void add(const SolveReport& report, long count = 1);
  /// What a reader of the numbers must know of them where there are so many constraints; "" for nothing.
  std::string note(Index constraints) const;
  double mean_passes() const { return solves == 0 ? 0 : static_cast<double>(passes) / static_cast<double>(solves); }
};

template <class T>
struct SaddlePoint {
  const Matrix<T>& M;  // (n, n)
  bool constant_mass;  // M is the same in every call
  const Matrix<T>& G;  // (m, n)
  const Vector<T>& f;  // (n)
  const Vector<T>& h;  // (m)
};

/// Saddle-point system with M and G on patterns.
template <class T>
struct SparseSaddlePoint {
  const SparseMatrix<T>& M;
  const SparseMatrix<T>& G;
  const Vector<T>& f;
  const Vector<T>& h;
};

/// What is known of a multiplier solver before it solves.
struct MultiplierFacts {
  bool redundant_constraints = false;  // rows of G may depend on each other
  bool patterns = false;               // it takes matrices on patterns, otherwise dense ones
  bool generated_first = false;        // accelerations come from generated code, and from it if a pivot is too small
};

/// A multiplier solver with its work space and whatever it keeps from one solve to the next. Belongs to one
/// run; nothing is allocated after the first solve.
template <class T>
class Multipliers {
 public:
  explicit Multipliers(const MultiplierFacts& facts = {}) : facts_(facts) {}
  virtual ~Multipliers() = default;
  const MultiplierFacts& facts() const { return facts_; }
  /// Those of the solver that it is bound for: MultiplierSolverOf sets them.
  void set_facts(const MultiplierFacts& facts) { facts_ = facts; }

  /// Overwrites a (n) and mu (m). Returns singular, inconsistent, not_converged or non_finite with the cause.
  Status solve(const SaddlePoint<T>& system, Vector<T>& a, Vector<T>& mu) {
    return record(solve_saddle_point(system, a, mu));
  }
  /// Overload for matrices on patterns, for solvers that take them.
  Status solve(const SparseSaddlePoint<T>& system, Vector<T>& a, Vector<T>& mu) {
    return record(solve_sparse_saddle_point(system, a, mu));
  }
  /// Solves with M and G of the last solve() and another right-hand side, without another factorisation.
  Status solve_again(const Vector<T>& f, const Vector<T>& h, Vector<T>& a, Vector<T>& mu) {
    return record(solve_right_hand_side(f, h, a, mu));
  }
  /// Solves A mu = b alone, shapes (m, m) and (m). not_applicable for solvers that never form A.
  Status solve(const Matrix<T>& A, const Vector<T>& b, Vector<T>& mu) { return record(solve_reduced(A, b, mu)); }

  /// Solves by generated code, for the statistics.
  void count_generated(Index constraints, long count) { generated_rank_ = constraints, generated_solves_ += count; }
  /// A solve for which a pivot was too small; solve() comes next. cause(): a std::string, asked for once a run.
  template <class Cause>
  void count_pivot_fallback(const Cause& cause) {
    if (statistics_.pivot_fallbacks++ == 0) statistics_.first_pivot_fallback = cause();
  }

  /// The report of the last solve that was not by generated code.
  const SolveReport& last() const { return report_; }
  SolveStatistics statistics() const {
    SolveStatistics all = statistics_;
    if (generated_solves_ > 0) all.add({.rank = generated_rank_}, generated_solves_);
    return all;
  }

 protected:
  virtual Status solve_saddle_point(const SaddlePoint<T>& system, Vector<T>& a, Vector<T>& mu) = 0;
  virtual Status solve_sparse_saddle_point(const SparseSaddlePoint<T>& /*system*/, Vector<T>& /*a*/,
                                           Vector<T>& /*mu*/) {
    return {StatusCode::not_applicable, "the multiplier solver takes dense matrices only"};
  }
  virtual Status solve_reduced(const Matrix<T>& A, const Vector<T>& b, Vector<T>& mu) = 0;
  virtual Status solve_right_hand_side(const Vector<T>& f, const Vector<T>& h, Vector<T>& a, Vector<T>& mu) = 0;
  SolveReport report_;  // filled by each solve

 private:
  MultiplierFacts facts_;
  Status record(Status status) {
    if (!status.ok()) report_.outcome = SolveOutcome::not_converged;
    statistics_.add(report_);
    return status;
  }
  SolveStatistics statistics_;  // without those by generated code
  long generated_solves_ = 0;
  Index generated_rank_ = 0;
};

/// Forms A and b from the factorised mass matrix, M = L L^T, W = G L^-T, A = W W^T, and leaves A mu = b
/// to the solver derived from it. Zeros of L and W, many in mechanisms, cost nothing.
template <class T>
class ReducedMultipliers : public Multipliers<T> {
 public:
  ReducedMultipliers(Index coordinates, Index constraints);

 protected:
  Status solve_saddle_point(const SaddlePoint<T>& system, Vector<T>& a, Vector<T>& mu) final;
  Status solve_right_hand_side(const Vector<T>& f, const Vector<T>& h, Vector<T>& a, Vector<T>& mu) final;
  /// A mu = b with the A of the last solve_reduced(). Overridden where its factorisation is kept.
  virtual Status solve_reduced_again(const Matrix<T>& A, const Vector<T>& b, Vector<T>& mu) {
    return this->solve_reduced(A, b, mu);
  }

 private:
  Status factorize_mass(const SaddlePoint<T>& system);
  void form_reduced_matrix(const Matrix<T>& G);
  void form_right_hand_side(const Vector<T>& f, const Vector<T>& h, Vector<T>& a);
  void accelerate(const Vector<T>& mu, Vector<T>& a) const;

  CholeskyFactor<T> mass_;
  bool mass_is_factorized_ = false;
  Matrix<T> W_, A_;  // (m, n), (m, m)
  Vector<T> b_;
};

/// |A mu - b|, Euclidean norm, into `residual` (m).
template <class T>
T multiplier_residual(const Matrix<T>& A, const Vector<T>& b, const Vector<T>& mu, Vector<T>& residual);

class MultiplierSolver : public Component {
 public:
  static constexpr const char* kind = "multiplier-solver";
  static constexpr bool made_once = true;
#define DAELAB_DECLARE(T) \
  virtual std::unique_ptr<Multipliers<T>> bind(As<T>, Index coordinates, Index constraints) const = 0;
  DAELAB_FOR_SCALARS(DAELAB_DECLARE)
#undef DAELAB_DECLARE
  virtual MultiplierFacts facts() const = 0;
};

/// From an options struct with name, summary, source, `MultiplierFacts facts() const`, options() and
/// `template <class T> auto bind(Index coordinates, Index constraints) const`, a std::unique_ptr to the
/// Multipliers<T>.
template <class Definition>
class MultiplierSolverOf final : public MultiplierSolver {
 public:
  MultiplierSolverOf(Definition definition, const std::string& where) : definition_(std::move(definition)) {
    if constexpr (requires { definition_.validate(where); }) definition_.validate(where);
  }
#define DAELAB_DEFINE(T)                                                                             \
  std::unique_ptr<Multipliers<T>> bind(As<T>, Index coordinates, Index constraints) const override { \
    auto multipliers = definition_.template bind<T>(coordinates, constraints);                       \
    multipliers->set_facts(facts());                                                                 \
    return multipliers;                                                                              \
  }
  DAELAB_FOR_SCALARS(DAELAB_DEFINE)
#undef DAELAB_DEFINE
  MultiplierFacts facts() const override { return definition_.facts(); }

 private:
  Definition definition_;
};

/// The last line of a multiplier solver's file.
template <class Definition>
struct MultiplierSolverEntry {
  explicit MultiplierSolverEntry(const char* file = __builtin_FILE()) {
    Registry<MultiplierSolver>::instance().add(
        registry_entry<MultiplierSolver, Definition, MultiplierSolverOf<Definition>>(file));
  }
};

}  // namespace daelab
