// The symmetric rank-one iteration as printed: the inverse left by the last solve starts this one and is updated
// until |A mu - b| <= eps_abs. [Iv23, algorithm (11)]
//
// Printed without a limit of passes it loops for ever when eps_abs is out of reach; here it gives up and says how
// it failed. The range of the inverse never changes: where the range of A has turned since the first solve, mu is
// the oblique solution U (U^T A U)^-1 U^T b with a basis U of the first range, not the one of least norm.
//
// [Iv23] Ivanov, Vestnik Permskogo Universiteta, Matematika Mekhanika Informatika 1(60), 2023, 30-46.
#include <fmt/format.h>

#include <cmath>

#include "core/base/flops.hpp"
#include "core/solvers/multiplier_solver.hpp"
#include "core/solvers/rank_revealing.hpp"
#include "core/solvers/sr1.hpp"

namespace daelab {
namespace {

struct Sr1PaperSolver {
  static constexpr const char* name = "sr1-paper";
  static constexpr const char* summary = "SR1 updates of the inverse from solve to solve, literally as printed.";
  static constexpr const char* source = "Ivanov 2023, algorithm (11)";
  MultiplierFacts facts() const { return {.redundant_constraints = true}; }

  Exact eps_abs = "1e-7";
  SkipTest skip = SkipTest::eps_abs_squared;
  int max_passes = 100;
  RankOptions rank;

  Options options() {
    std::vector<Option> list{
        option("eps_abs", eps_abs, "passes end at |A mu - b| <= eps_abs, in units of C''", positive()),
        option("skip", skip,
               "what |v^T y| must exceed for an update; eps-abs is printed, eps-abs-squared fits the stop test and "
               "gives the published counts"),
        option("max_passes", max_passes, "give up after so many; not in the paper, which loops for ever", at_least(1))};
    for (Option& o : rank.list()) list.push_back(std::move(o));
    return list;
  }
  template <class T>
  std::unique_ptr<Multipliers<T>> bind(Index coordinates, Index constraints) const;
};

// What the passes of one solve did, as far as it tells why they did not end.
struct Course {
  int passes = 0, skipped = 0;
  double eps_abs = 0, first = 0, last = 0;  // |r|
  double change = 0;                        // |y| of the last pass
  double curvature = 1, factor = 1;         // least |v^T y| / (|v| |y|) and |s| / |v| of an update, with the pass
  int curvature_pass = 0, factor_pass = 0;
  double floor = -1, in_range = 0;  // |r| and |Q^T r| when no pass could lower |r| further; -1: never
  int floor_pass = 0;

  bool blew_up() const { return !(last <= 10 * first); }
  std::string cause() const;

 private:
  static constexpr double vanishing = 1e-8;
};

// A floor comes first: what the updates do afterwards, by rounding noise, is a consequence.
std::string Course::cause() const {
  if (floor >= 0) {
    const std::string reached =
        fmt::format("residual floor {:.1e} reached in pass {}, above eps_abs = {:.1e}: ", floor, floor_pass, eps_abs);
    if (in_range > eps_abs) return reached + "round-off";
    return reached +
           "b is outside the range of the inverse by that much (constraint drift or inconsistent constraints)";
  }
  const std::string course = fmt::format(
      "the residual went from {:.1e} to {:.1e} in {} passes, {} of them without an "
      "update",
      first, last, passes, skipped);
  if (blew_up() && curvature < vanishing)
    return fmt::format("breakdown: v^T y vanishes, {:.1e} |v| |y| in pass {}; {}", curvature, curvature_pass, course);
  if (blew_up()) return "blow-up: " + course;
  if (factor < vanishing)
    return fmt::format(
        "stall: the step vanishes with the residual at {:.1e} (v^T r = 0 in pass {}), so the inverse "
        "lost a direction",
        last, factor_pass);
  if (change < last / 1000) return "stall: the last pass leaves the residual as it is; " + course;
  return (2 * skipped > passes ? "stale inverse, kept by the skip test: " : "too slow: ") + course;
}

template <class T>
class Sr1Paper final : public ReducedMultipliers<T> {
 public:
  Sr1Paper(Index coordinates, Index constraints, const Sr1PaperSolver& options)
      : ReducedMultipliers<T>(coordinates, constraints),
        eps_abs_(options.eps_abs.as<T>()),
        skip_threshold_(skip_threshold(options.skip, options.eps_abs.as<T>())),
        max_passes_(options.max_passes),
        rule_(options.rank),
        factor_(constraints),
        iteration_(constraints) {}

 protected:
  Status solve_reduced(const Matrix<T>& A, const Vector<T>& b, Vector<T>& mu) override {
    this->report_ = {};
    if (!has_inverse_ && !find_first_inverse(A))
      return {StatusCode::singular, "the multiplier matrix is not positive definite on its range"};
    const bool met = iterate(A, b);
    mu = iteration_.x;
    this->report_.rank = factor_.rank();
    this->report_.residual = residual();
    this->report_.passes = course_.passes;
    if (met) return {};
    this->report_.outcome = SolveOutcome::not_converged;
    if (!std::isfinite(course_.first)) return {StatusCode::non_finite, "the multiplier system is not finite"};
    return {StatusCode::not_converged, course_.cause()};
  }

 private:
  // H_0 = A^+, once.
  bool find_first_inverse(const Matrix<T>& A) {
    if (!factor_.factorize(A, rule_)) return false;
    const Index m = A.rows(), r = factor_.rank();
    Vector<T> unit = Vector<T>::Zero(m), column(m);
    for (Index j = 0; j < m; ++j) {
      unit[j] = T(1);
      factor_.solve(unit, column);
      iteration_.H.col(j) = column;
      unit[j] = T(0);
    }
    has_inverse_ = true;
    this->report_.refactorization = Refactorization::first;
    const double size = static_cast<double>(m), rank = static_cast<double>(r);
    this->report_.flops += range_factorization_flops(m, r) + size * (4 * size * rank + 2 * rank * rank);
    return true;
  }

  // True when eps_abs is met.
  bool iterate(const Matrix<T>& A, const Vector<T>& b) {
    iteration_.start(A, b);
    this->report_.flops += start_flops(b.size());
    course_ = {};
    course_.eps_abs = static_cast<double>(eps_abs_);
    course_.first = course_.last = residual();
    const T tolerance = eps_abs_ * eps_abs_;
    while (!(iteration_.squared_residual() <= tolerance)) {
      if (course_.passes == max_passes_ || !std::isfinite(course_.last)) return false;
      const T last_change = iteration_.y.norm();
      iteration_.pass(A, b, skip_threshold_);
      this->report_.flops += pass_flops(b.size());
      record(A, b, last_change);
    }
    return true;
  }

  // H b, A x, r and r^T r.
  static double start_flops(Index m) { return 2 * product_flops(m, m) + static_cast<double>(m) + dot_flops(m); }
  // H r, A x, v^T y, r^T r, x, r and y; an update adds v^T r, s and the lower half of H.
  double pass_flops(Index m) const {
    const double size = static_cast<double>(m), refinement = 2 * product_flops(m, m) + 2 * dot_flops(m) + 3 * size;
    return iteration_.updated ? refinement + dot_flops(m) + 3 + 2 * size + size * (size + 1) : refinement;
  }

  // The algorithm needs none of this, so the flops leave it out.
  void record(const Matrix<T>& A, const Vector<T>& b, const T& last_change) {
    using std::abs;
    const int pass = ++course_.passes;
    const double now = residual(), before = course_.last;
    course_.last = now;
    course_.change = static_cast<double>(iteration_.y.norm());
    if (iteration_.updated) {
      const T v = iteration_.v.norm();
      const double curvature = static_cast<double>(T(abs(iteration_.curvature) / (v * last_change)));
      const double factor = static_cast<double>(T(iteration_.s.norm() / v));
      if (curvature < course_.curvature) course_.curvature = curvature, course_.curvature_pass = pass;
      if (factor < course_.factor) course_.factor = factor, course_.factor_pass = pass;
    } else {
      ++course_.skipped;
    }
    if (2 * now > before && course_.floor < 0) look_for_floor(A, b);
  }

  // The inverse sees Q^T r only. Once that meets eps_abs, or is round-off, all |r| left is a floor.
  void look_for_floor(const Matrix<T>& A, const Vector<T>& b) {
    const auto Q = factor_.range();
    T sum(0);
    for (Index j = 0; j < Q.cols(); ++j) {
      T component(0);
      for (Index i = 0; i < b.size(); ++i) component += Q(i, j) * iteration_.r[i];
      sum += component * component;
    }
    const double in_range = std::sqrt(static_cast<double>(sum));
    const T round_off = T(4) * epsilon<T>() * (A.trace() * iteration_.x.norm() + b.norm());
    if (in_range > std::max(course_.eps_abs, static_cast<double>(round_off))) return;
    course_.floor = course_.last, course_.in_range = in_range, course_.floor_pass = course_.passes;
  }

  double residual() const { return std::sqrt(static_cast<double>(iteration_.squared_residual())); }

  T eps_abs_, skip_threshold_;
  int max_passes_;
  RankRule<T> rule_;
  RangeFactorization<T> factor_;
  Sr1Iteration<T> iteration_;
  Course course_;
  bool has_inverse_ = false;
};

template <class T>
std::unique_ptr<Multipliers<T>> Sr1PaperSolver::bind(Index coordinates, Index constraints) const {
  return std::make_unique<Sr1Paper<T>>(coordinates, constraints, *this);
}
const MultiplierSolverEntry<Sr1PaperSolver> sr1_paper_entry;

}  // namespace
}  // namespace daelab
