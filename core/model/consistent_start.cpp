#include "core/model/consistent_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "core/base/norm.hpp"
#include "core/model/acceleration_solver.hpp"
#include "core/solvers/dense.hpp"
#include "core/solvers/multiplier_solver.hpp"
#include "core/solvers/rank_revealing.hpp"
#include "core/solvers/sparse_rank.hpp"

namespace daelab {
namespace {

template <class T>
bool is_large(const MechanicalModel<T>& model) {
  return model.coordinates() + model.constraints() > largest_dense_mechanism;
}

// Rows and columns multiplied, in double.
template <class T>
SparseMatrix<double> scaled(const SparseMatrix<T>& A, const Vector<T>& rows, const Vector<T>* columns = nullptr) {
  SparseMatrix<double> result;
  result.take(A.pattern);
  Index k = 0;
  A.visit([&](Index i, Index j, const T& value) {
    result.values[k++] = static_cast<double>(T(value * rows[i] * (columns ? (*columns)[j] : T(1))));
  });
  return result;
}

template <class T>
bool is_singular_sparse_mass(MechanicalModel<T>& model, const Vector<T>& q) {
  using std::sqrt;
  SparseData<T> data;
  model.data(T(0), q, Vector<T>(Vector<T>::Zero(q.size())), data);
  Vector<T> scale = Vector<T>::Zero(q.size());
  data.M.visit([&](Index i, Index j, const T& value) {
    if (i == j && value > T(0)) scale[i] = T(1) / sqrt(value);
  });
  return !find_dependent_rows(scaled(data.M, scale, &scale), StartReport::mass_tolerance).dependent_rows.empty();
}

// Whether a pivot of M vanishes beside the diagonal entry it is made from. Sizes of coordinates may differ by any
// factor.
template <class T>
bool is_singular_mass(MechanicalModel<T>& model, const Vector<T>& q) {
  using std::sqrt;
  if (is_large(model)) return is_singular_sparse_mass(model, q);
  const Index n = model.coordinates();
  Matrix<T> M = Matrix<T>::Zero(n, n);
  model.mass(T(0), q, M);
  Vector<T> scale(n);
  for (Index i = 0; i < n; ++i) scale[i] = M(i, i) > T(0) ? T(T(1) / sqrt(M(i, i))) : T(0);
  M = scale.asDiagonal() * M * scale.asDiagonal();
  PivotedCholesky<T> factor(n);
  factor.factorize(M, {T(StartReport::mass_tolerance), -1});
  return factor.rank() < n;
}

// From the largest entry of each row, what it is to be multiplied with for one of one; 1 for rows that vanish beside
// the largest one.
template <class T>
Vector<T> row_scales(Vector<T> scale, double tolerance) {
  const T zero = max_norm(scale) * T(tolerance);
  for (T& s : scale) s = s > zero ? T(T(1) / s) : T(1);
  return scale;
}

template <class T>
Vector<T> row_scales(const Matrix<T>& C_q, double tolerance) {
  Vector<T> largest(C_q.rows());
  for (Index i = 0; i < C_q.rows(); ++i) largest[i] = max_norm(Vector<T>(C_q.row(i).transpose()));
  return row_scales(std::move(largest), tolerance);
}

template <class T>
Redundancy independent_rows(const SparseMatrix<T>& J, double tolerance) {
  using std::abs;
  Vector<T> largest = Vector<T>::Zero(J.rows());
  J.visit([&](Index i, Index, const T& value) { largest[i] = std::max(largest[i], T(abs(value))); });
  const RowDependence found = find_dependent_rows(scaled(J, row_scales(std::move(largest), tolerance)), tolerance);
  return {found.independent_rows, found.dependent_rows, tolerance, found.smallest_kept, found.largest_dropped};
}

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

// Weights of the analysis as it uses them: reciprocal.
template <class T>
Vector<T> inverse_weights(const Vector<T>& weights, Index n) {
  return weights.size() == 0 ? Vector<T>::Ones(n) : Vector<T>(weights.cwiseInverse());
}

// G W^-1 G^T
template <class T>
Matrix<T> weighted_gram(const Matrix<T>& G, const Vector<T>& inverse_weights) {
  const Matrix<T> weighted = inverse_weights.asDiagonal() * G.transpose();
  return G.lazyProduct(weighted);
}

template <class T>
class PositionAnalysis {
 public:
  PositionAnalysis(MechanicalModel<T>& model, const Vector<T>& weights)
      : model_(model),
        n_(model.coordinates()),
        m_(model.constraints() - model.nonholonomic()),
        inverse_weights_(inverse_weights(weights, n_)),
        gram_factor_(m_) {
    for (Vector<T>* x : {&C_, &multipliers_}) x->setZero(m_);
    for (Vector<T>* x : {&start_, &pull_, &dq_, &zero_}) x->setZero(n_);
    for (Matrix<T>* x : {&C_q_, &G_}) x->setZero(m_, n_);
    for (Matrix<T>* x : {&jacobian_, &unit_rate_q_, &time_rate_q_}) x->setZero(model.constraints(), n_);
    constraints_.setZero(model.constraints());
  }

  Status restore(Vector<T>& q);
  Status minimise(Vector<T>& q);

 private:
  Status restore(Vector<T>& q, const Vector<T>& inverse_weights);
  void evaluate(const Vector<T>& q);
  bool is_stationary(double tolerance) const;
  void damped_correction(const T& violation, const Vector<T>& inverse_weights);
  Status least_change_step(const Vector<T>& q);
  Status solve_saddle_point(const Matrix<T>& H, const std::vector<Index>& rows);
  void estimate_multipliers(Index rank);
  Matrix<T> hessian(const Vector<T>& q);
  Status no_solution(const T& violation, int iterations) const;

  MechanicalModel<T>& model_;
  Index n_, m_;
  Vector<T> inverse_weights_, start_, pull_, C_, scale_, multipliers_, dq_, zero_;
  Matrix<T> C_q_, G_, unit_rate_q_, time_rate_q_;
  Vector<T> constraints_;  // with the rows of nonholonomic ones, which stay zero
  Matrix<T> jacobian_;
  PivotedCholesky<T> gram_factor_;
};

constexpr int restorations = 100, minimisations = 50;

// C_ and G_ are C and C_q with scaled rows: their residuals are lengths in the space of q.
template <class T>
void PositionAnalysis<T>::evaluate(const Vector<T>& q) {
  model_.constraint(T(0), q, constraints_, jacobian_);
  C_ = constraints_.head(m_), C_q_ = jacobian_.topRows(m_);
  scale_ = row_scales(C_q_, StartReport::rank_tolerance);
  C_.array() *= scale_.array();
  for (Index j = 0; j < n_; ++j)
    for (Index i = 0; i < m_; ++i) G_(i, j) = C_q_(i, j) * scale_[i];
}

// No direction makes |C| much smaller, to first order. Meaningful far off C = 0 only: close to it, what is left of
// C may belong to redundant rows.
template <class T>
bool PositionAnalysis<T>::is_stationary(double tolerance) const {
  const T violation = max_norm(C_);
  return violation > T(StartReport::consistency_tolerance) &&
         max_norm(Vector<T>(G_.transpose().lazyProduct(C_))) <= T(tolerance) * violation;
}

// dq = -W^-1 G^T (G W^-1 G^T + nu)^-1 C. Rows that are redundant on C = 0 are nearly dependent off it, to the
// degree of the violation, and contradict each other by its square; nu of that size keeps them from blowing up
// the correction, no rank needs to be decided, and the convergence remains quadratic (Levenberg-Marquardt).
template <class T>
void PositionAnalysis<T>::damped_correction(const T& violation, const Vector<T>& inverse_weights) {
  Matrix<T> gram = weighted_gram(G_, inverse_weights);
  const T nu = std::min(T(violation * violation), T(1) / T(100)) * gram.trace() / T(static_cast<double>(m_));
  for (Index i = 0; i < m_; ++i) gram(i, i) += nu;
  gram_factor_.factorize(gram, {T(100) * epsilon<T>(), -1});
  Vector<T> mu(m_);
  gram_factor_.solve(C_, mu);
  dq_.noalias() = G_.transpose().lazyProduct(mu);
  for (Index i = 0; i < n_; ++i) dq_[i] *= -inverse_weights[i];
}

template <class T>
Status PositionAnalysis<T>::no_solution(const T& violation, int iterations) const {
  const double left = static_cast<double>(violation);
  if (!is_stationary(1e-4))
    return {StatusCode::newton_diverged,
            fmt::format("the start positions cannot be projected onto C = 0: violated by {:.1e} after {} iterations",
                        left, iterations)};
  if (iterations == 0)
    return {StatusCode::singular,
            fmt::format("no direction leads from the start positions to C = 0, which they violate by {:.1e}: give "
                        "others",
                        left)};
  return {
      StatusCode::inconsistent,
      fmt::format("the constraints contradict each other: no position nearby violates them by less than {:.1e}", left)};
}

// Onto C = 0 by corrections small in the norm of W; where trusted coordinates cannot be kept that leads nowhere, and
// all are moved alike.
template <class T>
Status PositionAnalysis<T>::restore(Vector<T>& q) {
  const Vector<T> from = q;
  if (restore(q, inverse_weights_).ok()) return {};
  q = from;
  return restore(q, Vector<T>::Ones(n_));
}

template <class T>
Status PositionAnalysis<T>::restore(Vector<T>& q, const Vector<T>& inverse_weights) {
  using std::sqrt;
  const T floor = T(100) * epsilon<T>();
  T moved(0);
  for (int iteration = 0;; ++iteration) {
    evaluate(q);
    const T size = T(1) + max_norm(q), violation = max_norm(C_) / size;
    if (!(violation <= std::numeric_limits<T>::max()))
      return {StatusCode::non_finite, "a constraint is not finite near the start positions"};
    if (violation <= floor) return {};
    const bool settled = iteration > 5 && moved <= floor * size;
    if (settled && violation <= sqrt(epsilon<T>())) return {};  // the round-off floor of C
    if (settled || iteration == restorations || is_stationary(1e-8)) return no_solution(violation, iteration);
    damped_correction(violation, inverse_weights);
    q += dq_;
    moved = max_norm(dq_);
  }
}

// W + sum mu_i (C_i)_qq. The rate of C at v = e_j is C_q e_j + C_t: its derivatives hold the second ones of C.
template <class T>
Matrix<T> PositionAnalysis<T>::hessian(const Vector<T>& q) {
  Matrix<T> H = Matrix<T>(inverse_weights_.cwiseInverse().asDiagonal());
  Vector<T> unit = zero_;
  model_.constraint_level_q(Level::velocity, T(0), q, zero_, zero_, time_rate_q_);
  for (Index j = 0; j < n_; ++j) {
    unit[j] = T(1);
    model_.constraint_level_q(Level::velocity, T(0), q, unit, zero_, unit_rate_q_);
    unit[j] = T(0);
    for (Index k = 0; k < n_; ++k)
      for (Index i = 0; i < m_; ++i) H(j, k) += multipliers_[i] * (unit_rate_q_(i, k) - time_rate_q_(i, k));
  }
  return H;
}

// G^T mu = W (q0 - q), in the sense of least squares.
template <class T>
void PositionAnalysis<T>::estimate_multipliers(Index rank) {
  gram_factor_.factorize(G_.lazyProduct(G_.transpose()), {T(0), rank});
  gram_factor_.solve(G_.lazyProduct(pull_), multipliers_);
  multipliers_.array() *= scale_.array();
}

// [H G^T; G 0] [dq; mu] = [W (q0 - q); 0] with the independent rows of G.                        [Ren20, (6), (7)]
template <class T>
Status PositionAnalysis<T>::solve_saddle_point(const Matrix<T>& H, const std::vector<Index>& rows) {
  const Index r = static_cast<Index>(rows.size());
  DenseLu<T> lu(n_ + r);
  Vector<T> x = Vector<T>::Zero(n_ + r);
  lu.matrix().topLeftCorner(n_, n_) = H;
  for (Index k = 0; k < r; ++k) {
    lu.matrix().row(n_ + k).head(n_) = G_.row(rows[static_cast<std::size_t>(k)]);
    lu.matrix().col(n_ + k).head(n_) = G_.row(rows[static_cast<std::size_t>(k)]).transpose();
  }
  x.head(n_) = pull_;
  if (const Status status = lu.factorize(); !status.ok()) return status;
  lu.solve(x);
  dq_ = x.head(n_);
  return {};
}

// Along C = 0, to first order. Where the full Newton matrix has no minimum along the step the second derivatives
// of C are left out.
template <class T>
Status PositionAnalysis<T>::least_change_step(const Vector<T>& q) {
  const std::vector<Index> rows = independent_rows(C_q_, StartReport::rank_tolerance).independent_rows;
  for (Index i = 0; i < n_; ++i) pull_[i] = (start_[i] - q[i]) / inverse_weights_[i];
  estimate_multipliers(static_cast<Index>(rows.size()));
  const Matrix<T> H = hessian(q);
  const Status status = solve_saddle_point(H, rows);
  if (status.ok() && dq_.dot(H.lazyProduct(dq_)) >= T(0)) return {};
  return solve_saddle_point(Matrix<T>(inverse_weights_.cwiseInverse().asDiagonal()), rows);
}

// Newton's method on the constraints' surface: a step along it, then back onto it.
template <class T>
Status PositionAnalysis<T>::minimise(Vector<T>& q) {
  using std::sqrt;
  start_ = q;
  if (const Status status = restore(q); !status.ok()) return status;
  T previous(0);
  for (int iteration = 0; iteration < minimisations; ++iteration) {
    if (const Status status = least_change_step(q); !status.ok()) return status;
    q += dq_;
    const T change = max_norm(dq_) / (T(1) + max_norm(q));
    if (const Status status = restore(q); !status.ok()) return status;
    const bool stagnates = iteration > 0 && change + change >= previous;
    if (change <= T(100) * epsilon<T>() || (stagnates && change <= sqrt(epsilon<T>()))) return {};
    previous = change;
  }
  return {StatusCode::newton_diverged,
          fmt::format("the positions of least weighted change were not found: last correction {:.1e} after {} "
                      "iterations",
                      static_cast<double>(previous), minimisations)};
}

// Velocities are found by these many passes: the last ones take out what the others leave. One of each will do where
// the constraints are linear in v.
struct VelocityPasses {
  int minimising = 1, restoring = 1;
};

// The least weighted change of v that meets C_q v + C_t = 0 and G = 0 in the independent rows.  [Ren20, (8), (9)]
template <class T>
Status analyse_velocities(MechanicalModel<T>& model, const Vector<T>& weights, const Vector<T>& q, Vector<T>& v) {
  const Index n = model.coordinates(), m = model.constraints();
  const Vector<T> unused = Vector<T>::Zero(n), inverse = inverse_weights(weights, n), start = v;
  Vector<T> rate(m), mu(m), dv(n);
  Matrix<T> J(m, n);
  PivotedCholesky<T> factor(m);
  const VelocityPasses passes = model.nonholonomic() == 0 ? VelocityPasses{} : VelocityPasses{40, 5};
  for (int pass = 0; pass < passes.minimising + passes.restoring; ++pass) {
    model.constraints_and_jacobian(T(0), q, v, rate, J);
    if (pass == 0 || model.nonholonomic() > 0)
      factor.factorize(weighted_gram(J, inverse), {T(0), independent_rows(J, StartReport::rank_tolerance).rank()});
    model.constraint_level(Level::velocity, T(0), q, v, unused, rate);
    if (pass < passes.minimising) {  // of the change from the start, with G as it is linearised here
      rate -= J.lazyProduct(Vector<T>(v - start));
      v = start;
    }
    factor.solve(rate, mu);
    dv.noalias() = J.transpose().lazyProduct(mu);
    for (Index i = 0; i < n; ++i) v[i] -= inverse[i] * dv[i];
  }
  model.constraint_level(Level::velocity, T(0), q, v, unused, rate);
  const double left = static_cast<double>(max_norm(rate)), size = static_cast<double>(max_norm(v));
  if (!(left <= StartReport::consistency_tolerance * (1 + size)))
    return {StatusCode::inconsistent,
            fmt::format("the velocity constraints contradict each other at the start: |dC/dt| = {:.1e} remains", left)};
  return {};
}

// Random neighbours of a configuration, the same in every call: the standard fixes mt19937, but no distribution.
template <class T>
class Neighbours {
 public:
  Neighbours(const Vector<T>& centre, double distance) : centre_(centre), distance_(distance) {}
  Vector<T> next() {
    using std::abs;
    Vector<T> q = centre_;
    for (T& x : q) {
      const double random = (static_cast<double>(engine_()) + 0.5) / 2147483648.0 - 1;
      x += T(distance_ * random) * (T(1) + abs(x));
    }
    return q;
  }

 private:
  std::mt19937 engine_{20098};
  const Vector<T>& centre_;
  double distance_;
};

// Far above the rank tolerance, and small enough for the accelerations to change little.
constexpr double perturbation = 1e-4;
constexpr int nearby_configurations = 5;

// Accelerations of nearby configurations on the constraints, and how far they are apart.
template <class T>
void compare_neighbours(MechanicalModel<T>& model, const Vector<T>& q, const Vector<T>& v, SingularityReport& report) {
  Neighbours<T> neighbours(q, report.perturbation);
  Vector<T> first, lambda(model.constraints());
  double size = 0, difference = 0;
  for (int k = 0; k < nearby_configurations; ++k) {
    Vector<T> x = neighbours.next(), w = v, a = Vector<T>::Zero(q.size());
    if (!project_start(model, x, w).ok() || !solve_accelerations(model, T(0), x, w, a, lambda).ok()) continue;
    if (report.configurations++ == 0) first = a;
    size = std::max(size, static_cast<double>(max_norm(a)));
    difference = std::max(difference, static_cast<double>(max_norm(Vector<T>(a - first))));
  }
  report.spread = size > 0 ? difference / size : 0;
  report.agree = report.configurations == nearby_configurations && report.spread <= 100 * report.perturbation;
}

}  // namespace

template <class T>
Redundancy analyse_redundancy(MechanicalModel<T>& model, const Vector<T>& q, const Vector<T>& v, double tolerance) {
  if (model.constraints() == 0) return {};
  if (is_large(model)) {
    SparseData<T> data;
    model.data(T(0), q, v, data);
    return independent_rows(data.J, tolerance);
  }
  Vector<T> C(model.constraints());
  Matrix<T> J(model.constraints(), model.coordinates());
  model.constraints_and_jacobian(T(0), q, v, C, J);
  return independent_rows(J, tolerance);
}

template <class T>
StartReport analyse_start(MechanicalModel<T>& model, const Vector<T>& q, const Vector<T>& v, double rank_tolerance) {
  StartReport report;
  report.coordinates = model.coordinates(), report.constraints = model.constraints();
  report.redundancy = analyse_redundancy(model, q, v, rank_tolerance);
  report.rank = report.redundancy.rank();
  report.singular_mass = is_singular_mass(model, q);
  if (report.constraints == 0) return report;
  Vector<T> residual(report.constraints);
  const Vector<T> no_acceleration = Vector<T>::Zero(model.coordinates());
  for (const Level level : {Level::position, Level::velocity}) {
    model.constraint_level(level, T(0), q, v, no_acceleration, residual);
    (level == Level::position ? report.position_residual : report.velocity_residual) =
        static_cast<double>(max_norm(residual));
    for (Index i = 0; i < report.constraints; ++i)
      if (const double size = std::abs(static_cast<double>(residual[i])); !(size <= StartReport::consistency_tolerance))
        report.violations.push_back({level, i, size});
  }
  return report;
}

std::string fitting_multiplier_solver(const StartReport& report) {
  if (report.rank < report.constraints) return "complete-orthogonal";
  if (report.coordinates + report.constraints > largest_dense_mechanism) return "sparse-lu";
  return report.singular_mass ? "kkt-lu" : "schur-cholesky";
}

template <class T>
Status solve_accelerations(MechanicalModel<T>& model, const T& t, const Vector<T>& q, const Vector<T>& v, Vector<T>& a,
                           Vector<T>& lambda) {
  const std::string name = fitting_multiplier_solver(analyse_start(model, q, v));
  const auto multipliers =
      Registry<MultiplierSolver>::instance().make(name, "")->bind(As<T>{}, model.coordinates(), model.constraints());
  return AccelerationSolver<T>(model, *multipliers).solve(t, q, v, a, lambda);
}

template <class T>
Status project_start(MechanicalModel<T>& model, Vector<T>& q, Vector<T>& v, const StartWeights<T>& weights) {
  if (model.constraints() == 0) return {};
  if (const Index unknowns = model.coordinates() + model.constraints(); unknowns > most_dense_unknowns)
    return {
        StatusCode::not_applicable,
        fmt::format("start values are projected by dense matrices, of {} unknowns here, at most {}: give consistent "
                    "ones",
                    unknowns, most_dense_unknowns)};
  if (const Status status = PositionAnalysis<T>(model, weights.q).minimise(q); !status.ok()) return status;
  return analyse_velocities(model, weights.v, q, v);
}

template <class T>
SingularityReport analyse_singularity(MechanicalModel<T>& model, const Vector<T>& q, const Vector<T>& v,
                                      double rank_tolerance) {
  SingularityReport report;
  if (model.constraints() == 0) return report;
  report.perturbation = perturbation;
  const Index rank = analyse_redundancy(model, q, v, rank_tolerance).rank();
  Vector<T> nearby = Neighbours<T>(q, perturbation).next();
  report.perturbed_rank = report.nearby_rank = analyse_redundancy(model, nearby, v, rank_tolerance).rank();
  if (report.perturbed_rank != rank && PositionAnalysis<T>(model, {}).restore(nearby).ok())
    report.nearby_rank = analyse_redundancy(model, nearby, v, rank_tolerance).rank();
  report.is_singular = report.nearby_rank != rank;
  if (report.is_singular) compare_neighbours(model, q, v, report);
  return report;
}

#define DAELAB_INSTANTIATE(T)                                                                                 \
  template Redundancy analyse_redundancy<T>(MechanicalModel<T>&, const Vector<T>&, const Vector<T>&, double); \
  template StartReport analyse_start<T>(MechanicalModel<T>&, const Vector<T>&, const Vector<T>&, double);     \
  template Status solve_accelerations<T>(MechanicalModel<T>&, const T&, const Vector<T>&, const Vector<T>&,   \
                                         Vector<T>&, Vector<T>&);                                             \
  template Status project_start<T>(MechanicalModel<T>&, Vector<T>&, Vector<T>&, const StartWeights<T>&);      \
  template SingularityReport analyse_singularity<T>(MechanicalModel<T>&, const Vector<T>&, const Vector<T>&, double);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
