// Bodies with rotation matrices under constraints of index 3, and Euler steps of them that count their corrections.
//
// A takes body to global axes, omega is in body axes, A' = A skew(omega). Per body
//
//   M r'' + Phi_r^T lambda = F,   J omega' + omega x J omega + Pi^T lambda = 0,   Phi(r, A, t) = 0,
//
// d/dt Phi = Phi_r r' + Pi omega + Phi_t. With x = A_i a_i, y = A_j a_j, d = r_j + A_j s_j - r_i - A_i s_i:
//
//   DP1  x.y - f(t)     DP2  x.d - f(t)     D  d.d - f(t)     CD  c.d - f(t)
//
// Half-implicit steps take directions of constraints and the gyroscopic term of the old point,
//
//   r1 = r0 + h v1,  v1 = v0 + h M^-1 (F - Phi_r(q0)^T lambda),  A1 = A0 exp(h skew(omega1)),
//   omega1 = omega0 - h J^-1 (Pi(q0)^T lambda + omega0 x J omega0),  Phi(r1, A1, t1) = 0,
//
// solved for (r1, h omega1, h^2 lambda); fully implicit: those of the new point, backward Euler, solved for (r'',
// omega', lambda). The matrix of a step is that of its old point. A step ends when the 2-norm of a correction, with its
// units mixed, is below the tolerance [FKZN23].
//
// [FKZN23] Fang, Kissel, Zhang, Negrut, J. Comput. Nonlinear Dyn. 18, 014501, 2023, doi 10.1115/1.4056183.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/scalar.hpp"
#include "core/base/status.hpp"

namespace daelab {

using Vector3d = Eigen::Matrix<double, 3, 1>;
using Matrix3d = Eigen::Matrix<double, 3, 3>;

struct RotatingBody {
  double mass = 1;
  Vector3d inertia, predictor_inertia;  // diagonals; the second is that of the predictor alone
  Vector3d r, v, omega;
  Matrix3d A;
};

enum class ConstraintShape { dp1, dp2, d, cd };
std::vector<std::string> names_of(ConstraintShape);

/// f = cos(rate t + phase) between a_i and a_j.
struct Driver {
  double rate = 0, phase = 0;
  Vector3d a_i, a_j;

  double value(double t) const;
  double second_derivative(double t) const { return -rate * rate * value(t); }
};

struct BodyConstraint {
  static constexpr int ground = -1;
  ConstraintShape shape = ConstraintShape::cd;
  int i = ground, j = ground;
  Vector3d a_i, a_j, s_i, s_j, c;
  double f = 0;
  /// One at a time is in force, the first at the start; they change where |f| comes within 0.1 of 1.
  std::vector<Driver> drivers;
};

struct BodySystem {
  Vector3d gravity;
  std::vector<RotatingBody> bodies;
  std::vector<BodyConstraint> constraints;
};

enum class BodyScheme { half_implicit, fully_implicit };
std::vector<std::string> names_of(BodyScheme);

/// The gyroscopic term in the angular acceleration that predicts the next half-implicit step; results do
/// not depend on it, numbers of corrections do.
enum class GyroscopicPredictor { right, reversed };
std::vector<std::string> names_of(GyroscopicPredictor);

struct BodySteps {
  BodyScheme scheme = BodyScheme::half_implicit;
  GyroscopicPredictor predictor = GyroscopicPredictor::right;
  double h = 0, tolerance = 0;
  long steps = 0;
  int lead = 0;  // constraints are imposed at this many steps after the time of the state
  int max_iterations = 100;
};

struct BodyStepsResult {
  Status status;
  long iterations = 0, driver_changes = 0;
  std::vector<RotatingBody> bodies;  // at the end
  double largest_violation = 0;      // |Phi| after any step
};

BodyStepsResult make_body_steps(const BodySystem& system, const BodySteps& settings);

}  // namespace daelab
