#include "core/consistent_start.hpp"

#include <Eigen/QR>

#include "core/rank_revealing.hpp"

namespace daelab {
namespace {

template <class T>
double infinity_norm(const Vector<T>& x) {
  using std::abs;
  double norm = 0;
  for (const T& entry : x) norm = std::max(norm, static_cast<double>(T(abs(entry))));
  return norm;
}

// The least change x with C_q x = r: x = C_q^T mu, C_q C_q^T mu = r.
template <class T>
void least_change(const Matrix<T>& C_q, const Vector<T>& r, Vector<T>& x) {
  PivotedCholesky<T> gram(C_q.rows());
  const T tolerance(StartReport::rank_tolerance);  // of C_q: its square here, and never below round-off
  gram.factorize(C_q.lazyProduct(C_q.transpose()), {std::max(T(tolerance * tolerance), T(100) * epsilon<T>()), -1});
  Vector<T> mu(C_q.rows());
  gram.solve(r, mu);
  x.noalias() = C_q.transpose().lazyProduct(mu);
}

}  // namespace

template <class T>
StartReport analyse_start(MechanicalModel<T>& model, const Vector<T>& q, const Vector<T>& v) {
  const Index n = model.coordinates(), m = model.constraints();
  StartReport report;
  report.constraints = m;
  if (m == 0) return report;
  Vector<T> C(m), rate(m);
  Matrix<T> C_q(m, n);
  const Vector<T> no_acceleration = Vector<T>::Zero(n);
  model.constraint(T(0), q, C, C_q);
  model.constraint_level(Level::velocity, T(0), q, v, no_acceleration, rate);
  report.position_residual = infinity_norm(C);
  report.velocity_residual = infinity_norm(rate);
  const Matrix<double> rough = C_q.unaryExpr([](const T& x) { return static_cast<double>(x); });
  Eigen::ColPivHouseholderQR<Matrix<double>> qr(rough);
  qr.setThreshold(StartReport::rank_tolerance);
  report.rank = qr.rank();
  return report;
}

std::string fitting_multiplier_solver(const StartReport& report) {
  return report.rank == report.constraints ? "schur-cholesky" : "complete-orthogonal";
}

template <class T>
Status solve_accelerations(MechanicalModel<T>& model, const T& t, const Vector<T>& q, const Vector<T>& v, Vector<T>& a,
                           Vector<T>& lambda) {
  const std::string name = fitting_multiplier_solver(analyse_start(model, q, v));
  const auto multipliers = Registry<MultiplierSolver>::instance().make(name, "")->bind(As<T>{}, model.coordinates(),
                                                                                      model.constraints());
  return AccelerationSolver<T>(model, *multipliers).solve(t, q, v, a, lambda);
}

template <class T>
Status project_start(MechanicalModel<T>& model, Vector<T>& q, Vector<T>& v) {
  const Index n = model.coordinates(), m = model.constraints();
  if (m == 0) return {};
  Vector<T> C(m), dq(n), dv(n);
  Matrix<T> C_q(m, n);
  const Vector<T> no_acceleration = Vector<T>::Zero(n);
  const double tolerance = 100 * static_cast<double>(epsilon<T>());
  for (int iteration = 0;; ++iteration) {
    model.constraint(T(0), q, C, C_q);
    if (infinity_norm(C) <= tolerance) break;
    if (iteration == 50)
      return {StatusCode::newton_diverged, "the start positions cannot be projected onto C = 0"};
    least_change<T>(C_q, -C, dq);
    q += dq;
    if (iteration > 5 && infinity_norm(dq) <= tolerance) break;  // round-off floor of C
  }
  model.constraint_level(Level::velocity, T(0), q, v, no_acceleration, C);
  least_change<T>(C_q, -C, dv);
  v += dv;
  return {};
}

#define DAELAB_INSTANTIATE(T)                                                                   \
  template StartReport analyse_start<T>(MechanicalModel<T>&, const Vector<T>&, const Vector<T>&); \
  template Status solve_accelerations<T>(MechanicalModel<T>&, const T&, const Vector<T>&, const Vector<T>&, Vector<T>&, \
                                         Vector<T>&);                                           \
  template Status project_start<T>(MechanicalModel<T>&, Vector<T>&, Vector<T>&);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
