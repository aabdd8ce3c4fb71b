#include "core/mechanism/function_derivatives.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace daelab {
namespace {

using Values = Vector<double>;

// Parts of the size of what is changed; powers of two, so that x + step is exact. Each balances round-off and the error
// of its formula.
constexpr double first_part = 0x1p-10;        // of first derivatives by order 4
constexpr double second_part = 0x1p-7;        // of second ones by order 6
constexpr double first_of_newton = 0x1p-17;   // by order 2
constexpr double second_of_newton = 0x1p-13;  // twice that
constexpr double of_differences = 0x1p-12;    // of what has errors of differences itself

double power_of_two(double size) { return std::exp2(std::round(std::log2(size))); }

// d f(s) / ds at 0, of order 4
auto first_derivative(auto&& f, double step) {
  using Result = std::decay_t<decltype(f(step))>;
  const Result near = f(step) - f(-step), far = f(2 * step) - f(-2 * step);
  return Result((8 * near - far) / (12 * step));
}

// of order 2
auto first_derivative_of_newton(auto&& f, double step) {
  using Result = std::decay_t<decltype(f(step))>;
  const Result plus = f(step);
  return Result((plus - f(-step)) / (2 * step));
}

// d^2 f(s) / ds^2 at 0, of order 6 (Fornberg, Math. Comp. 51, 1988)
Values second_derivative(auto&& f, double step) {
  const Values middle = 2 * f(0.0);
  const auto bend = [&](double s) -> Values { return Values(f(s) + f(-s)) - middle; };
  return (270 * bend(step) - 27 * bend(2 * step) + 2 * bend(3 * step)) / (180 * step * step);
}

Values moved(Values x, Index j, double step) {
  x[j] += step;
  return x;
}

// d^2 f(s, x) / ds dx_j at s = 0, column j: f of s and of the moved x.
Matrix<double> mixed_derivative(auto&& f, const Values& x, Index rows, double step, const Values& sizes) {
  Matrix<double> columns(rows, x.size());
  for (Index j = 0; j < x.size(); ++j) {
    const double other = second_of_newton * sizes[j];
    const auto slope = [&](double s) -> Values { return f(s, moved(x, j, other)) - f(s, moved(x, j, -other)); };
    const Values plus = slope(step);
    columns.col(j) = (plus - slope(-step)) / (4 * step * other);
  }
  return columns;
}

}  // namespace

FunctionDerivatives::FunctionDerivatives(MechanismFunctions functions) : f_(std::move(functions)) {
  for (double& size : f_.sizes) size = power_of_two(size);
  f_.time_size = power_of_two(f_.time_size);
  if (!f_.has_constant_mass) return;
  const Values anywhere = Values::Zero(n());
  constant_mass_.resize(n(), n());
  f_.mass(0, anywhere.data(), constant_mass_.data());
}

Matrix<double> FunctionDerivatives::mass(double t, const Values& q) const {
  if (f_.has_constant_mass) return constant_mass_;
  Matrix<double> M(n(), n());
  f_.mass(t, q.data(), M.data());
  return M;
}

Values FunctionDerivatives::forces(double t, const Values& q, const Values& v) const {
  Values Q(n());
  f_.forces(t, q.data(), v.data(), Q.data());
  return Q;
}

Values FunctionDerivatives::constraints(double t, const Values& q) const {
  Values C(m());
  if (m() > 0) f_.constraints_at(t, q.data(), C.data());
  return C;
}

Matrix<double> FunctionDerivatives::jacobian(double t, const Values& q) const {
  Matrix<double> J(m(), n());
  if (m() == 0) return J;
  if (f_.constraint_jacobian) {
    f_.constraint_jacobian(t, q.data(), J.data());
    return J;
  }
  for (Index j = 0; j < n(); ++j)
    J.col(j) = first_derivative([&](double s) { return constraints(t, moved(q, j, s)); }, first_part * f_.sizes[j]);
  return J;
}

// Along (1, v) neither the time nor a coordinate changes by more than this part of its size.
double FunctionDerivatives::step_along(double part, const Values& v) const {
  double fastest = 1 / f_.time_size;
  for (Index i = 0; i < n(); ++i) fastest = std::max(fastest, std::abs(v[i]) / f_.sizes[i]);
  return part / fastest;
}

Values FunctionDerivatives::velocity_level(double t, const Values& q, const Values& v) const {
  if (m() == 0) return Values(0);
  return jacobian(t, q) * v +
         first_derivative([&](double s) { return constraints(t + s, q); }, first_part * f_.time_size);
}

// d C_q / ds along (rate_of_t, v), C_q being given.
Matrix<double> FunctionDerivatives::jacobian_along(double t, double rate_of_t, const Values& q, const Values& v) const {
  return first_derivative([&](double s) { return jacobian(t + rate_of_t * s, q + s * v); }, step_along(first_part, v));
}

// (C_q v)_q v + 2 C_tq v + C_tt: the second derivative of C along (1, v); the first two are that of C_q along (2, v).
Values FunctionDerivatives::curvature(double t, const Values& q, const Values& v) const {
  Values h(m());
  if (m() == 0) return h;
  if (f_.gamma) {
    f_.gamma(t, q.data(), v.data(), h.data());
    return -h;
  }
  if (!f_.constraint_jacobian)
    return second_derivative([&](double s) { return constraints(t + s, q + s * v); }, step_along(second_part, v));
  return jacobian_along(t, 2, q, v) * v +
         second_derivative([&](double s) { return constraints(t + s, q); }, second_part * f_.time_size);
}

// Second derivatives may be exchanged: (C_q v + C_t)_q is the derivative of C_q along (1, v).
Matrix<double> FunctionDerivatives::velocity_level_q(double t, const Values& q, const Values& v) const {
  if (m() == 0) return Matrix<double>(0, n());
  if (f_.constraint_jacobian) return jacobian_along(t, 1, q, v);
  return mixed_derivative([&](double s, const Values& x) { return constraints(t + s, x + s * v); }, q, m(),
                          step_along(second_of_newton, v), f_.sizes);
}

Matrix<double> FunctionDerivatives::acceleration_level_q(double t, const Values& q, const Values& v,
                                                         const Values& a) const {
  if (m() == 0) return Matrix<double>(0, n());
  Matrix<double> R(m(), n());
  if (f_.constraint_jacobian)
    R = jacobian_along(t, 0, q, a);
  else
    R = mixed_derivative([&](double s, const Values& x) { return constraints(t, x + s * a); }, q, m(),
                         step_along(second_of_newton, a), f_.sizes);
  for (Index j = 0; j < n(); ++j)
    R.col(j) += first_derivative_of_newton([&](double s) { return curvature(t, moved(q, j, s), v); },
                                           of_differences * f_.sizes[j]);
  return R;
}

// (C_q^T lambda)_q, symmetric.
Matrix<double> FunctionDerivatives::force_pull_q(double t, const Values& q, const Values& lambda) const {
  Matrix<double> H = Matrix<double>::Zero(n(), n());
  if (m() == 0 || lambda.isZero(0)) return H;
  if (f_.constraint_jacobian) {
    const auto pull = [&](const Values& x) -> Values { return jacobian(t, x).transpose() * lambda; };
    for (Index j = 0; j < n(); ++j)
      H.col(j) =
          first_derivative_of_newton([&](double s) { return pull(moved(q, j, s)); }, first_of_newton * f_.sizes[j]);
    return H;
  }
  const auto work = [&](const Values& x) { return lambda.dot(constraints(t, x)); };
  for (Index j = 0; j < n(); ++j) {
    const double step = second_of_newton * f_.sizes[j];
    for (Index i = 0; i <= j; ++i) {
      const double other = second_of_newton * f_.sizes[i];
      const auto slope = [&](double s) {
        return work(moved(moved(q, j, s), i, other)) - work(moved(moved(q, j, s), i, -other));
      };
      H(i, j) = H(j, i) = (slope(step) - slope(-step)) / (4 * step * other);
    }
  }
  return H;
}

void FunctionDerivatives::motion_jacobians(double t, const Values& q, const Values& v, const Values& a,
                                           const Values& lambda, Matrix<double>& K, Matrix<double>& D) const {
  K = force_pull_q(t, q, lambda), D.resize(n(), n());
  if (f_.force_jacobians) {
    Matrix<double> both(n(), 2 * n());
    f_.force_jacobians(t, q.data(), v.data(), both.data());
    K -= both.leftCols(n()), D = -both.rightCols(n());
  }
  for (Index j = 0; j < n(); ++j) {
    const double step = first_of_newton * f_.sizes[j];
    if (!f_.has_constant_mass)
      K.col(j) += first_derivative_of_newton([&](double s) -> Values { return mass(t, moved(q, j, s)) * a; }, step);
    if (f_.force_jacobians) continue;
    K.col(j) -= first_derivative_of_newton([&](double s) { return forces(t, moved(q, j, s), v); }, step);
    const double speed = first_of_newton * power_of_two(std::max(f_.sizes[j], std::abs(v[j])));
    D.col(j) = -first_derivative_of_newton([&](double s) { return forces(t, q, moved(v, j, s)); }, speed);
  }
}

}  // namespace daelab
