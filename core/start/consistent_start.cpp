#include "core/start/consistent_start.hpp"

#include <algorithm>
#include <type_traits>

#include "core/accelerations/acceleration_solver.hpp"
#include "core/base/strict_arithmetic.hpp"
#include "core/mechanism/forms.hpp"
#include "core/solvers/dense.hpp"
#include "core/solvers/multiplier_solver.hpp"
#include "core/solvers/rank_revealing.hpp"
#include "core/solvers/sparse_rank.hpp"
#include "core/start/start_analysis.hpp"

namespace daelab {
namespace {

template <class T>
bool is_large(const MechanicalModel<T>& model) {
  return model.coordinates() + model.constraints() > largest_dense_mechanism;
}

// Rows multiplied, in double.
template <class T>
SparseMatrix<double> scaled(const SparseMatrix<T>& A, const Vector<T>& rows) {
  SparseMatrix<double> result;
  result.take(A.pattern);
  Index k = 0;
  A.visit([&](Index i, Index, const T& value) { result.values[k++] = static_cast<double>(T(value * rows[i])); });
  return result;
}

// Whether a pivot of M vanishes beside the diagonal entry it is made from. Sizes of coordinates may differ by any
// factor.
template <class T>
bool is_singular_mass(MechanicalModel<T>& model, const Vector<T>& q) {
  using std::sqrt;
  if (const std::optional<T> least = model.least_mass_pivot(model.initial_t(), q))
    return !(*least > T(StartReport::mass_tolerance));
  const Index n = model.coordinates();
  Matrix<T> M = Matrix<T>::Zero(n, n);
  model.mass(model.initial_t(), q, M);
  Vector<T> scale(n);
  for (Index i = 0; i < n; ++i) scale[i] = M(i, i) > T(0) ? T(T(1) / sqrt(M(i, i))) : T(0);
  M = scale.asDiagonal() * M * scale.asDiagonal();
  PivotedCholesky<T> factor(n);
  factor.factorize(M, {T(StartReport::mass_tolerance), -1});
  return factor.rank() < n;
}

template <class T>
Redundancy independent_sparse_rows(const SparseMatrix<T>& J, double tolerance) {
  using std::abs;
  Vector<T> largest = Vector<T>::Zero(J.rows());
  J.visit([&](Index i, Index, const T& value) { largest[i] = std::max(largest[i], T(abs(value))); });
  const RowDependence found = find_dependent_rows(scaled(J, row_scales(std::move(largest), tolerance)), tolerance);
  return {found.independent_rows, found.dependent_rows, tolerance, found.smallest_kept, found.largest_dropped};
}

}  // namespace

template <class T>
Redundancy independent_rows(const Matrix<T>& C_q, double tolerance) {
  Redundancy result;
  result.tolerance = tolerance;
  const Vector<T> scale = row_scales(C_q, tolerance);
  Matrix<double> rough(C_q.rows(), C_q.cols());
  for (Index j = 0; j < C_q.cols(); ++j)
    for (Index i = 0; i < C_q.rows(); ++i) rough(i, j) = static_cast<double>(T(C_q(i, j) * scale[i]));
  const auto [pivots, largest, position] = dense::complete_pivoting(rough);
  for (Index i = 0; i < C_q.rows(); ++i) {
    const Index k = position[static_cast<std::size_t>(i)];
    const double pivot = k < pivots.size() ? pivots[k] : 0;
    const double relative = pivot > 0 ? pivot / largest : 0;
    const bool keep = relative > tolerance;
    (keep ? result.independent_rows : result.redundant_rows).push_back(i);
    if (!keep) result.largest_dropped = std::max(result.largest_dropped, relative);
    if (keep && (result.smallest_kept == 0 || relative < result.smallest_kept)) result.smallest_kept = relative;
  }
  return result;
}

template <class T>
Redundancy analyse_redundancy(MechanicalModel<T>& model, const Vector<T>& q, const Vector<T>& v, double tolerance) {
  if (model.constraints() == 0) return {};
  if (is_large(model)) {
    SparseMatrix<T> J;
    model.jacobian(model.initial_t(), q, v, J);
    return independent_sparse_rows(J, tolerance);
  }
  Vector<T> C(model.constraints());
  Matrix<T> J(model.constraints(), model.coordinates());
  model.constraints_and_jacobian(model.initial_t(), q, v, C, J);
  return independent_rows(J, tolerance);
}

namespace {

template <class T>
StartReport report_of(MechanicalModel<T>& model, const Vector<T>& q, const Vector<T>& v, double rank_tolerance) {
  StartReport report;
  report.coordinates = model.coordinates(), report.constraints = model.constraints();
  report.redundancy = analyse_redundancy(model, q, v, rank_tolerance);
  report.rank = report.redundancy.rank();
  report.singular_mass = !is_large(model) && is_singular_mass(model, q);
  if (report.constraints == 0) return report;
  Vector<T> residual(report.constraints);
  const Vector<T> no_acceleration = Vector<T>::Zero(model.coordinates());
  for (const Level level : {Level::position, Level::velocity}) {
    model.constraint_level(level, model.initial_t(), q, v, no_acceleration, residual);
    (level == Level::position ? report.position_residual : report.velocity_residual) =
        static_cast<double>(max_norm(residual));
    for (Index i = 0; i < report.constraints; ++i)
      if (const double size = std::abs(static_cast<double>(residual[i])); !(size <= StartReport::consistency_tolerance))
        report.violations.push_back({level, i, size});
  }
  return report;
}

}  // namespace

template <class T>
StartReport analyse_start(MechanicalModel<T>& model, const Vector<T>& q, const Vector<T>& v, double rank_tolerance) {
  const auto analyse = [&] { return report_of(model, q, v, rank_tolerance); };
  // What a discrete-time block holds is no part of the start values, nor is the arithmetic asked for.
  if constexpr (std::is_same_v<T, double>)
    if (model.sampling_period() == 0 && !strict_arithmetic())
      return model.forms().last_start().report(q, v, rank_tolerance, analyse);
  return analyse();
}

namespace {

struct FittingSolver {
  const char* name;
  bool (*fits)(const StartReport& report);
};
// The first one that fits.
constexpr FittingSolver fitting_solvers[] = {
    {"complete-orthogonal", [](const StartReport& report) { return report.rank < report.constraints; }},
    {"sparse-lu",
     [](const StartReport& report) { return report.coordinates + report.constraints > largest_dense_mechanism; }},
    {"kkt-lu", [](const StartReport& report) { return report.singular_mass; }},
    {"schur-cholesky", [](const StartReport&) { return true; }}};

}  // namespace

std::string fitting_multiplier_solver(const StartReport& report) {
  return std::ranges::find_if(fitting_solvers, [&](const FittingSolver& solver) { return solver.fits(report); })->name;
}

std::vector<std::string> fitting_multiplier_solvers() {
  std::vector<std::string> names;
  for (const FittingSolver& solver : fitting_solvers) names.emplace_back(solver.name);
  return names;
}

template <class T>
Status solve_accelerations(MechanicalModel<T>& model, const T& t, const Vector<T>& q, const Vector<T>& v, Vector<T>& a,
                           Vector<T>& lambda) {
  if (!model.has_linear_equations()) lambda = model.initial_multipliers();
  // M is not needed where the recording knows a shorter way to M^-1.
  if (model.forms().recording().mass_inverse)
    if (GeneratedSolve<T> solve(model, FormKind::accelerations);
        solve(t, q.data(), v.data(), a.data(), lambda.data()) == GeneratedOutcome::solved)
      return {};
  const std::string name = fitting_multiplier_solver(analyse_start(model, q, v));
  const auto multipliers =
      Registry<MultiplierSolver>::instance().make(name, "")->bind(As<T>{}, model.coordinates(), model.constraints());
  return AccelerationSolver<T>(model, *multipliers).solve(t, q, v, a, lambda);
}

#define DAELAB_INSTANTIATE(T)                                                                                 \
  template Redundancy independent_rows<T>(const Matrix<T>&, double);                                          \
  template Redundancy analyse_redundancy<T>(MechanicalModel<T>&, const Vector<T>&, const Vector<T>&, double); \
  template StartReport analyse_start<T>(MechanicalModel<T>&, const Vector<T>&, const Vector<T>&, double);     \
  template Status solve_accelerations<T>(MechanicalModel<T>&, const T&, const Vector<T>&, const Vector<T>&,   \
                                         Vector<T>&, Vector<T>&);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
