// Planar two-link manipulator falling under gravity, in absolute coordinates.
//
//   q = (x1, y1, th1, x2, y2, th2): centres of mass [m] and absolute angles [rad] from the x axis,
//   M = diag(m1, m1, I1, m2, m2, I2), I_i = m_i L_i^2/12,  Q = (0, -m1 g, 0, 0, -m2 g, 0).
//   Constraints: base joint in the origin; the elbow as a joint closure (between the two bodies) or
//   written from the origin, which changes the multipliers but not the motion.
//
// Gravity, start velocities and constraint form are not printed in the source; the defaults are the
// choice that reproduces its tables.
// [Li19] Li, Ding, Li, Applied Mathematics and Mechanics (Chinese) 40(7), 2019, 768-779.
// [Wang] Wang, Zhao, Pan, local equivalent index-1 discretisation of Euler-Lagrange equations.
#include "core/extrapolation.hpp"
#include "core/problem.hpp"

namespace daelab {
namespace {

template <class T>
struct TwoLinkModel {
  static constexpr int directions = 6;
  static constexpr bool constant_mass = true;
  T L1, L2, m1, m2, g;
  bool from_origin;
  T th1, th2, w1, w2;

  Index coordinates() const { return 6; }
  Index constraints() const { return 4; }

  Vector<T> initial_q() const {
    T c1, s1, c2, s2;
    sincos(th1, s1, c1);
    sincos(th2, s2, c2);
    const T a = L1 / 2, b = L2 / 2;
    return Vector<T>{{a * c1, a * s1, th1, L1 * c1 + b * c2, L1 * s1 + b * s2, th2}};
  }
  Vector<T> initial_v() const {
    T c1, s1, c2, s2;
    sincos(th1, s1, c1);
    sincos(th2, s2, c2);
    const T a = L1 / 2, b = L2 / 2;
    return Vector<T>{{-a * s1 * w1, a * c1 * w1, w1, -L1 * s1 * w1 - b * s2 * w2,
                      L1 * c1 * w1 + b * c2 * w2, w2}};
  }

  template <class S>
  void mass(const S& /*t*/, const Vector<S>& /*q*/, Matrix<S>& M) const {
    M(0, 0) = M(1, 1) = S(m1);
    M(2, 2) = S(m1 * L1 * L1 / 12);
    M(3, 3) = M(4, 4) = S(m2);
    M(5, 5) = S(m2 * L2 * L2 / 12);
  }
  template <class S>
  void force(const S& /*t*/, const Vector<S>& /*q*/, const Vector<S>& /*v*/, Vector<S>& Q) const {
    Q[1] = S(-m1 * g);
    Q[4] = S(-m2 * g);
  }
  template <class S>
  void constraint(const S& /*t*/, const Vector<S>& q, Vector<S>& C) const {
    S c1, s1, c2, s2;
    sincos(q[2], s1, c1);
    sincos(q[5], s2, c2);
    const S ax = c1 * T(L1 / 2), ay = s1 * T(L1 / 2), bx = c2 * T(L2 / 2), by = s2 * T(L2 / 2);
    C[0] = q[0] - ax;
    C[1] = q[1] - ay;
    C[2] = q[3] - bx - ax - (from_origin ? ax : q[0]);
    C[3] = q[4] - by - ay - (from_origin ? ay : q[1]);
  }
  void constraint_jacobian(const T& /*t*/, const Vector<T>& q, Vector<T>& C, Matrix<T>& C_q) const {
    T c1, s1, c2, s2;
    sincos(q[2], s1, c1);
    sincos(q[5], s2, c2);
    const T ax = c1 * L1 / 2, ay = s1 * L1 / 2, bx = c2 * L2 / 2, by = s2 * L2 / 2;
    const int elbow = from_origin ? 2 : 1;  // how often a link-1 half length enters rows 3 and 4
    C[0] = q[0] - ax;
    C[1] = q[1] - ay;
    C[2] = q[3] - bx - ax - (from_origin ? ax : q[0]);
    C[3] = q[4] - by - ay - (from_origin ? ay : q[1]);
    C_q.setZero();
    C_q(0, 0) = C_q(1, 1) = C_q(2, 3) = C_q(3, 4) = T(1);
    if (!from_origin) C_q(2, 0) = C_q(3, 1) = T(-1);
    C_q(0, 2) = ay, C_q(1, 2) = -ax;
    C_q(2, 2) = elbow * ay, C_q(3, 2) = -elbow * ax;
    C_q(2, 5) = by, C_q(3, 5) = -bx;
  }
  template <class S>
  Energy<S> energy(const S& /*t*/, const Vector<S>& q, const Vector<S>& v) const {
    const T I1 = m1 * L1 * L1 / 12, I2 = m2 * L2 * L2 / 12;
    return {(m1 * (v[0] * v[0] + v[1] * v[1]) + I1 * v[2] * v[2] +
             m2 * (v[3] * v[3] + v[4] * v[4]) + I2 * v[5] * v[5]) / T(2),
            g * (m1 * q[1] + m2 * q[4])};
  }
  static std::vector<std::string> observable_names() { return {"tip_x", "tip_y"}; }
  template <class S>
  void observables(const S& /*t*/, const Vector<S>& q, const Vector<S>& /*v*/, Vector<S>& out) const {
    S c1, s1, c2, s2;
    sincos(q[2], s1, c1);
    sincos(q[5], s2, c2);
    out[0] = L1 * c1 + L2 * c2;
    out[1] = L1 * s1 + L2 * s2;
  }
};

struct TwoLinkManipulator {
  static constexpr const char* name = "two-link-manipulator";
  static constexpr const char* summary = "Planar two-link manipulator falling under gravity.";
  static constexpr const char* source = "Li, Ding, Li 2019, section 4";
  static constexpr const char* independent_route =
      "Gragg-Bulirsch-Stoer extrapolation of the two equations in minimal coordinates (th1, th2)";

  Exact length1 = 1, length2 = "sqrt(3)", mass1 = 1, mass2 = 2, gravity = "9.81";
  Exact theta1 = "pi/3", theta2 = "-pi/6", omega1 = 0, omega2 = 0;
  std::string constraints = "joint-closures";
  Exact end_time = 10;

  Options options() {
    return {option("length1", length1, "L1 [m]", positive()),
            option("length2", length2, "L2 [m]", positive()),
            option("mass1", mass1, "m1 [kg]", positive()),
            option("mass2", mass2, "m2 [kg]", positive()),
            option("gravity", gravity, "g [m/s^2]"),
            option("theta1", theta1, "start angle of link 1 from the x axis [rad]"),
            option("theta2", theta2, "start angle of link 2 from the x axis [rad]"),
            option("omega1", omega1, "start rate of link 1 [rad/s]"),
            option("omega2", omega2, "start rate of link 2 [rad/s]"),
            option("constraints", constraints, "how the elbow is closed",
                   one_of({"joint-closures", "from-origin"})),
            option("end_time", end_time, "[s]", positive())};
  }

  template <class T>
  TwoLinkModel<T> model() const {
    return {length1.as<T>(), length2.as<T>(), mass1.as<T>(), mass2.as<T>(), gravity.as<T>(),
            constraints == "from-origin", theta1.as<T>(), theta2.as<T>(), omega1.as<T>(), omega2.as<T>()};
  }

  std::optional<Motion> independent_solution(const Real50& t, int digits) const {
    using T = Real50;
    TwoLinkModel<T> p = model<T>();
    const T A = (p.m1 / 3 + p.m2) * p.L1 * p.L1, B = p.m2 * p.L1 * p.L2 / 2, C = p.m2 * p.L2 * p.L2 / 3;
    const T G1 = (p.m1 / 2 + p.m2) * p.g * p.L1, G2 = p.m2 * p.g * p.L2 / 2;
    // A th1'' + B cos D th2'' + B sin D w2^2 + G1 cos th1 = 0,
    // B cos D th1'' + C th2'' - B sin D w1^2 + G2 cos th2 = 0,  D = th1 - th2.
    const auto minimal = [&](const T&, const Vector<T>& y, Vector<T>& f) {
      T s1, c1, s2, c2;
      sincos(y[0], s1, c1);
      sincos(y[1], s2, c2);
      const T cD = B * (c1 * c2 + s1 * s2), sD = B * (s1 * c2 - c1 * s2);
      const T r1 = -sD * y[3] * y[3] - G1 * c1, r2 = sD * y[2] * y[2] - G2 * c2;
      const T determinant = A * C - cD * cD;
      f[0] = y[2], f[1] = y[3];
      f[2] = (C * r1 - cD * r2) / determinant;
      f[3] = (A * r2 - cD * r1) / determinant;
    };
    // Order about the digits wanted; steps well inside the distance to the nearest complex singularity.
    const int columns = digits / 2 - 2;
    const int steps = std::max(1, static_cast<int>(ceil(2 * digits * t)));
    const Vector<T> y = extrapolate<T>(minimal, T(0), Vector<T>{{p.th1, p.th2, p.w1, p.w2}}, t, steps, columns);
    p.th1 = y[0], p.th2 = y[1], p.w1 = y[2], p.w2 = y[3];
    return Motion{p.initial_q(), p.initial_v()};
  }
};

// The example of [Wang]: uniform links of 1 m and 2 m, horizontal, at rest. Gravity is not printed there.
struct TwoLinkArm : TwoLinkManipulator {
  static constexpr const char* name = "two-link-arm";
  static constexpr const char* summary = "Two-link manipulator with the links of 1 m and 2 m of Wang, Zhao, Pan.";
  static constexpr const char* source = "Wang, Zhao, Pan, section 5";

  TwoLinkArm() {
    length2 = 2, mass2 = 1;
    theta1 = 0, theta2 = 0;
    constraints = "from-origin";
    end_time = 5;
  }
};

const ProblemEntry<TwoLinkManipulator> two_link_manipulator_entry;
const ProblemEntry<TwoLinkArm> arm_entry;

}  // namespace
}  // namespace daelab
