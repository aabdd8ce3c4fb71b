#include "core/consistent_start.hpp"

#include <Eigen/QR>

namespace daelab {
namespace {

template <class T>
double infinity_norm(const Vector<T>& x) {
  using std::abs;
  double norm = 0;
  for (const T& entry : x) norm = std::max(norm, static_cast<double>(T(abs(entry))));
  return norm;
}

// The least change x with C_q x = r, from [ I C_q^T ; C_q 0 ].
template <class T>
Status least_change(const Matrix<T>& C_q, const Vector<T>& r, Vector<T>& x) {
  const Index n = C_q.cols(), m = C_q.rows();
  DenseLu<T> lu(n + m);
  Matrix<T>& A = lu.matrix();
  A.topLeftCorner(n, n).setIdentity();
  A.topRightCorner(n, m) = C_q.transpose();
  A.bottomLeftCorner(m, n) = C_q;
  Status status = lu.factorize();
  if (!status.ok()) {
    status.cause = "the constraint Jacobian has dependent rows, so the start cannot be projected";
    return status;
  }
  Vector<T> rhs = Vector<T>::Zero(n + m);
  rhs.tail(m) = r;
  lu.solve(rhs);
  x = rhs.head(n);
  return {};
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
    if (Status status = least_change<T>(C_q, -C, dq); !status.ok()) return status;
    q += dq;
    if (iteration > 5 && infinity_norm(dq) <= tolerance) break;  // round-off floor of C
  }
  model.constraint_level(Level::velocity, T(0), q, v, no_acceleration, C);
  if (Status status = least_change<T>(C_q, -C, dv); !status.ok()) return status;
  v += dv;
  return {};
}

#define DAELAB_INSTANTIATE(T)                                                                   \
  template StartReport analyse_start<T>(MechanicalModel<T>&, const Vector<T>&, const Vector<T>&); \
  template Status project_start<T>(MechanicalModel<T>&, Vector<T>&, Vector<T>&);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
