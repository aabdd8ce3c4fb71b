// Knife edge (skate) on an inclined plane: the contact slides along the edge only, the smallest nonholonomic problem.
//
//   q = (x, y, theta) [m, m, rad],  M = diag(m, m, J),  Q = (m g sin(alpha), 0, 0): x points down the slope.
//   G = x' sin(theta) - y' cos(theta) = 0.
//
// From rest at the origin, turning at the rate w, theta = w t and the edge draws a cycloid: it does not slide down,
//   x = g sin(alpha)/(2 w^2) sin^2(w t),  y = g sin(alpha)/(2 w^2) (w t - sin(2 w t)/2).
//
// [NF72] Neimark, Fufaev, Dynamics of Nonholonomic Systems, American Mathematical Society, 1972, Chap. II.
#include "core/problem.hpp"

namespace daelab {
namespace {

template <class T>
struct KnifeEdgeModel {
  static constexpr int directions = 3;
  static constexpr bool constant_mass = true;
  T m, J, weight, w;  // weight: m g sin(alpha)

  Index coordinates() const { return 3; }
  Index constraints() const { return 0; }
  Index nonholonomic() const { return 1; }
  Vector<T> initial_q() const { return Vector<T>::Zero(3); }
  Vector<T> initial_v() const { return Vector<T>{{T(0), T(0), w}}; }

  template <class S>
  void mass(const S& /*t*/, const Vector<S>& /*q*/, Matrix<S>& M) const {
    M(0, 0) = M(1, 1) = S(m);
    M(2, 2) = S(J);
  }
  template <class S>
  void force(const S& /*t*/, const Vector<S>& /*q*/, const Vector<S>& /*v*/, Vector<S>& Q) const {
    Q[0] = S(weight);
  }
  template <class S>
  void constraint(const S& /*t*/, const Vector<S>& /*q*/, Vector<S>& /*C*/) const {}
  template <class S>
  void velocity_constraint(const S& /*t*/, const Vector<S>& q, const Vector<S>& v, Vector<S>& G) const {
    using std::cos, std::sin;
    G[0] = v[0] * sin(q[2]) - v[1] * cos(q[2]);
  }
  template <class S>
  Energy<S> energy(const S& /*t*/, const Vector<S>& q, const Vector<S>& v) const {
    return {(m * (v[0] * v[0] + v[1] * v[1]) + J * v[2] * v[2]) / T(2), -(weight * q[0])};
  }
};

struct KnifeEdge {
  static constexpr const char* name = "knife-edge";
  static constexpr const char* summary = "Skate on an inclined plane: one nonholonomic constraint, a closed-form motion.";
  static constexpr const char* source = "Neimark, Fufaev 1972, Chap. II";
  static constexpr const char* independent_route = "closed form: a cycloid";

  Exact mass = 1, inertia = "1/10", gravity = "9.81", slope = "pi/6", rate = 2, end_time = 5;

  Options options() {
    return {option("mass", mass, "mass of the skate [kg]", positive()),
            option("inertia", inertia, "its moment of inertia about the contact [kg m^2]", positive()),
            option("gravity", gravity, "gravitational acceleration [m/s^2]", at_least(0)),
            option("slope", slope, "inclination of the plane [rad]"),
            option("rate", rate, "rate at which it turns [rad/s]", positive()),
            option("end_time", end_time, "end of the interval [s]", positive())};
  }

  template <class T>
  KnifeEdgeModel<T> model() const {
    return {mass.as<T>(), inertia.as<T>(), static_cast<T>(mass.value() * pull()), rate.as<T>()};
  }

  std::optional<Motion> independent_solution(const Real50& t, int /*digits*/) const {
    const Real50 w = rate.as<Real50>(), g = static_cast<Real50>(pull()), phi = w * t;
    const Real50 size = g / (2 * w * w);
    const Vector<Real50> q{{size * sin(phi) * sin(phi), size * (phi - sin(2 * phi) / 2), phi}};
    const Vector<Real50> v{{size * w * sin(2 * phi), size * w * (1 - cos(2 * phi)), w}};
    return Motion{q, v};
  }

 private:
  Real100 pull() const { return gravity.value() * sin(slope.value()); }
};
const ProblemEntry<KnifeEdge> knife_edge_entry;

}  // namespace
}  // namespace daelab
