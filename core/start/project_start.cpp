// Position and velocity analysis of the start.
#include <fmt/format.h>

#include "core/solvers/dense.hpp"
#include "core/solvers/rank_revealing.hpp"
#include "core/start/start_analysis.hpp"

namespace daelab {
namespace {

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
  PositionAnalysis(MechanicalModel<T>& model, const T& t, const Vector<T>& weights)
      : model_(model),
        t_(t),
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
  T t_;
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
  model_.constraint(t_, q, constraints_, jacobian_);
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
            fmt::format(
                "the start positions violate C = 0 by {:.1e}, and no direction leads onto it: choose other positions",
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
  model_.constraint_level_q(Level::velocity, t_, q, zero_, zero_, time_rate_q_);
  for (Index j = 0; j < n_; ++j) {
    unit[j] = T(1);
    model_.constraint_level_q(Level::velocity, t_, q, unit, zero_, unit_rate_q_);
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
Status analyse_velocities(MechanicalModel<T>& model, const T& t, const Vector<T>& weights, const Vector<T>& q,
                          Vector<T>& v) {
  const Index n = model.coordinates(), m = model.constraints();
  const Vector<T> unused = Vector<T>::Zero(n), inverse = inverse_weights(weights, n), start = v;
  Vector<T> rate(m), mu(m), dv(n);
  Matrix<T> J(m, n);
  PivotedCholesky<T> factor(m);
  const VelocityPasses passes = model.nonholonomic() == 0 ? VelocityPasses{} : VelocityPasses{40, 5};
  for (int pass = 0; pass < passes.minimising + passes.restoring; ++pass) {
    model.constraints_and_jacobian(t, q, v, rate, J);
    if (pass == 0 || model.nonholonomic() > 0)
      factor.factorize(weighted_gram(J, inverse), {T(0), independent_rows(J, StartReport::rank_tolerance).rank()});
    model.constraint_level(Level::velocity, t, q, v, unused, rate);
    if (pass < passes.minimising) {  // of the change from the start, with G as it is linearised here
      rate -= J.lazyProduct(Vector<T>(v - start));
      v = start;
    }
    factor.solve(rate, mu);
    dv.noalias() = J.transpose().lazyProduct(mu);
    for (Index i = 0; i < n; ++i) v[i] -= inverse[i] * dv[i];
  }
  model.constraint_level(Level::velocity, t, q, v, unused, rate);
  const double left = static_cast<double>(max_norm(rate)), size = static_cast<double>(max_norm(v));
  if (!(left <= StartReport::consistency_tolerance * (1 + size)))
    return {StatusCode::inconsistent,
            fmt::format("the velocity constraints contradict each other at the start: |dC/dt| = {:.1e} remains", left)};
  return {};
}

}  // namespace

template <class T>
Status restore_positions(MechanicalModel<T>& model, Vector<T>& q) {
  return PositionAnalysis<T>(model, model.initial_t(), {}).restore(q);
}

template <class T>
Status project_start(MechanicalModel<T>& model, Vector<T>& q, Vector<T>& v, const StartWeights<T>& weights) {
  return project_positions_and_velocities(model, model.initial_t(), q, v, weights);
}

template <class T>
Status project_positions_and_velocities(MechanicalModel<T>& model, const T& t, Vector<T>& q, Vector<T>& v,
                                        const StartWeights<T>& weights) {
  if (model.constraints() == 0) return {};
  if (const Index unknowns = model.coordinates() + model.constraints(); unknowns > most_dense_unknowns)
    return {StatusCode::not_applicable, fmt::format("the projection of start values uses dense matrices of at most {1} "
                                                    "unknowns, here {0}: give consistent start values",
                                                    unknowns, most_dense_unknowns)};
  if (const Status status = PositionAnalysis<T>(model, t, weights.q).minimise(q); !status.ok()) return status;
  return analyse_velocities(model, t, weights.v, q, v);
}

#define DAELAB_INSTANTIATE(T)                                                                                \
  template Status restore_positions<T>(MechanicalModel<T>&, Vector<T>&);                                     \
  template Status project_start<T>(MechanicalModel<T>&, Vector<T>&, Vector<T>&, const StartWeights<T>&);     \
  template Status project_positions_and_velocities<T>(MechanicalModel<T>&, const T&, Vector<T>&, Vector<T>&, \
                                                      const StartWeights<T>&);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
