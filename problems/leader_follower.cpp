// Two arms in the plane, the second led along the first by a servo: a smooth motion of any stiffness, the equation of
// Prothero and Robinson for constrained mechanisms.
//
//   q = (x1, y1, x2, y2) [m]: tips of unit mass on massless rods of unit length, hinged at the origin; no gravity.
//   M = I [kg],  C_i = (x_i^2 + y_i^2 - 1)/2 [m^2],  lambda_i: rod force per length [N/m].
//   Leader:    Q_1 = p'' . e e + p - q1,  a unit spring to the guide p(t) = (sin phi, -cos phi), phi = A sin t.
//   Follower:  Q_2 = p'' . e e + w^2 (q1 - q2) + 2 zeta w (v1 - v2): the servo does not react on the leader.
//   e = (cos phi, sin phi) is tangential, p'' . e = phi''.
//
// q1 = q2 = p solves them for any w, with lambda_i = phi'^2. Deviations of the angles from phi obey, to first order,
//   d1'' + d1 = 0,   d2'' + 2 zeta w (d2' - d1') + w^2 (d2 - d1) = 0:
// the eigenvalues +-i and -w (zeta +- sqrt(zeta^2 - 1)). So the largest one, an option, is also the ratio of the
// largest to the smallest and the product with the time scale of the motion, 1 s: three definitions of stiffness.
#include "core/problem.hpp"

namespace daelab {
namespace {

template <class T>
struct LeaderFollowerModel {
  static constexpr int directions = 4;
  static constexpr bool constant_mass = true;
  T A, spring, damper;  // w^2, 2 zeta w

  Index coordinates() const { return 4; }
  Index constraints() const { return 2; }
  Vector<T> initial_q() const { return Vector<T>{{T(0), T(-1), T(0), T(-1)}}; }
  Vector<T> initial_v() const { return Vector<T>{{A, T(0), A, T(0)}}; }

  template <class S>
  void mass(const S& /*t*/, const Vector<S>& /*q*/, Matrix<S>& M) const {
    for (Index i = 0; i < 4; ++i) M(i, i) = S(T(1));
  }
  template <class S>
  void force(const S& t, const Vector<S>& q, const Vector<S>& v, Vector<S>& Q) const {
    S sine, cosine, along[2], guide[2];  // e, p
    sincos(t, sine, cosine);
    sincos(S(sine * A), along[1], along[0]);
    guide[0] = along[1], guide[1] = -along[0];
    const S drive = -(sine * A);  // phi''
    for (Index i = 0; i < 2; ++i) {
      Q[i] = drive * along[i] + guide[i] - q[i];
      Q[2 + i] = drive * along[i] + (q[i] - q[2 + i]) * spring + (v[i] - v[2 + i]) * damper;
    }
  }
  template <class S>
  void constraint(const S& /*t*/, const Vector<S>& q, Vector<S>& C) const {
    for (Index i = 0; i < 2; ++i) C[i] = (q[2 * i] * q[2 * i] + q[2 * i + 1] * q[2 * i + 1] - S(T(1))) / T(2);
  }
  template <class S>
  Energy<S> energy(const S& /*t*/, const Vector<S>& q, const Vector<S>& v) const {
    S speed = v[0] * v[0], stretch = S();
    for (Index i = 1; i < 4; ++i) speed += v[i] * v[i];
    for (Index i = 0; i < 2; ++i) stretch += (q[i] - q[2 + i]) * (q[i] - q[2 + i]);
    return {speed / T(2), stretch * T(spring / T(2))};
  }
};

struct LeaderFollower {
  static constexpr const char* name = "leader-follower";
  static constexpr const char* summary = "Two arms, the second led along by a servo: smooth at any stiffness.";
  static constexpr const char* source = "the construction of Prothero, Robinson 1974 for constrained mechanisms";
  static constexpr const char* independent_route = "closed form: both arms follow the guide";
  static constexpr bool conserves_energy = false;  // drives

  Exact stiffness = 1000, damping = "5/4", amplitude = 1, end_time = 5;

  Options options() {
    return {option("stiffness", stiffness, "largest |eigenvalue| of the servo, w (zeta + sqrt(zeta^2 - 1)) or w [1/s]",
                   positive()),
            option("damping", damping, "zeta: 0 for eigenvalues +-i w, from 1 on real ones", at_least(0)),
            option("amplitude", amplitude, "A of the guide's swing [rad]"),
            option("end_time", end_time, "[s]", positive())};
  }

  template <class T>
  LeaderFollowerModel<T> model() const {
    const Real100 zeta = damping.value();
    const Real100 w = stiffness.value() / (zeta > 1 ? Real100(zeta + sqrt(Real100(zeta * zeta - 1))) : Real100(1));
    return {amplitude.as<T>(), static_cast<T>(Real100(w * w)), static_cast<T>(Real100(2 * zeta * w))};
  }

  std::optional<Motion> independent_solution(const Real50& t, int /*digits*/) const {
    const Real50 A = amplitude.as<Real50>(), phi = A * sin(t), rate = A * cos(t), s = sin(phi), c = cos(phi);
    return Motion{Vector<Real50>{{s, -c, s, -c}}, Vector<Real50>{{rate * c, rate * s, rate * c, rate * s}}};
  }
};
const ProblemEntry<LeaderFollower> leader_follower_entry;

}  // namespace
}  // namespace daelab
