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
#include "core/integration/extrapolation.hpp"
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

// (x1, y1, th1, x2, y2, th2) from (cos, sin) of the two angles and the angles, their derivatives from those of them.
template <class S>
std::array<S, 6> absolute(const S& L1, const S& L2, const std::array<S, 3>& link1, const std::array<S, 3>& link2) {
  const auto& [c1, s1, th1] = link1;
  const auto& [c2, s2, th2] = link2;
  return {L1 / 2 * c1, L1 / 2 * s1, th1, L1 * c1 + L2 / 2 * c2, L1 * s1 + L2 / 2 * s2, th2};
}

struct TwoLinkManipulator {
  static constexpr const char* name = "two-link-manipulator";
  static constexpr const char* summary = "Planar two-link manipulator falling under gravity.";
  static constexpr const char* source = "Li, Ding, Li 2019, section 3";
  static constexpr const char* independent_route =
      "Gragg-Bulirsch-Stoer extrapolation of the two equations in minimal coordinates (th1, th2)";

  enum class Elbow { joint_closures, from_origin };
  friend std::vector<std::string> names_of(Elbow) { return {"joint-closures", "from-origin"}; }

  Exact length1 = 1, length2 = "sqrt(3)", mass1 = 1, mass2 = 2, gravity = "9.81";
  Exact theta1 = "pi/3", theta2 = "-pi/6", omega1 = 0, omega2 = 0;
  Elbow constraints = Elbow::joint_closures;
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
            option("constraints", constraints, "how the elbow is closed"),
            option("end_time", end_time, "[s]", positive())};
  }

  void record(Recording& r) const {
    r.coordinates({"x1", "y1", "th1", "x2", "y2", "th2"});
    const Expression L1 = length1, L2 = length2, m1 = mass1, m2 = mass2, g = gravity;
    const auto &q = r.q, &v = r.v;
    const Expression I1 = m1 * L1 * L1 / 12, I2 = m2 * L2 * L2 / 12;
    r.mass(0, 0) = r.mass(1, 1) = m1, r.mass(2, 2) = I1;
    r.mass(3, 3) = r.mass(4, 4) = m2, r.mass(5, 5) = I2;
    r.force[1] = -m1 * g, r.force[4] = -m2 * g;
    r.kinetic_energy =
        (m1 * (v[0] * v[0] + v[1] * v[1]) + I1 * v[2] * v[2] + m2 * (v[3] * v[3] + v[4] * v[4]) + I2 * v[5] * v[5]) / 2;
    r.potential_energy = g * (m1 * q[1] + m2 * q[4]);

    const Expression c1 = cos(q[2]), s1 = sin(q[2]), c2 = cos(q[5]), s2 = sin(q[5]);
    const Expression ax = c1 * (L1 / 2), ay = s1 * (L1 / 2), bx = c2 * (L2 / 2), by = s2 * (L2 / 2);
    const bool from_origin = constraints == Elbow::from_origin;
    r.constraints = {q[0] - ax, q[1] - ay, q[3] - bx - ax - (from_origin ? ax : q[0]),
                     q[4] - by - ay - (from_origin ? ay : q[1])};
    r.observe("tip_x", L1 * c1 + L2 * c2);
    r.observe("tip_y", L1 * s1 + L2 * s2);
    record_start(r);
  }

  void draw(const Recording& r, Outline& o) const {
    const Expression L1 = length1, L2 = length2, &th1 = r.q[2], &th2 = r.q[5];
    const OutlinePoint origin{}, centre1{r.q[0], r.q[1]}, centre2{r.q[3], r.q[4]};
    const OutlinePoint elbow{centre1.x + L1 / 2 * cos(th1), centre1.y + L1 / 2 * sin(th1)};
    const OutlinePoint tip{centre2.x + L2 / 2 * cos(th2), centre2.y + L2 / 2 * sin(th2)};
    o.axis(origin, {L1 * Exact("11/10"), 0}, "x"), o.axis(origin, {0, L1 * Exact("11/10")}, "y");
    o.axis(elbow, {elbow.x + L2 / 2, elbow.y});
    o.line({origin, elbow});
    o.line({{centre2.x - L2 / 2 * cos(th2), centre2.y - L2 / 2 * sin(th2)}, tip});
    o.support(origin, "O"), o.joint(elbow);
    o.mass(centre1, "(x_1, y_1)"), o.mass(centre2, "(x_2, y_2)");
    o.dimension(origin, elbow, "L_1"), o.dimension(elbow, tip, "L_2");
    o.angle(origin, {L1, 0}, elbow, "θ_1");
    o.angle(elbow, {elbow.x + L2, elbow.y}, tip, "θ_2");
  }

  std::optional<Motion> independent_solution(const Real50& t, int digits) const {
    using T = Real50;
    const T L1 = length1.as<T>(), L2 = length2.as<T>(), m1 = mass1.as<T>(), m2 = mass2.as<T>(), g = gravity.as<T>();
    const T A = (m1 / 3 + m2) * L1 * L1, B = m2 * L1 * L2 / 2, C = m2 * L2 * L2 / 3;
    const T G1 = (m1 / 2 + m2) * g * L1, G2 = m2 * g * L2 / 2;
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
    const Vector<T> start{{theta1.as<T>(), theta2.as<T>(), omega1.as<T>(), omega2.as<T>()}};
    const Vector<T> y = extrapolate<T>(minimal, T(0), start, t, steps, columns);
    T c1, s1, c2, s2;
    sincos(y[0], s1, c1);
    sincos(y[1], s2, c2);
    const auto q = absolute<T>(L1, L2, {c1, s1, y[0]}, {c2, s2, y[1]});
    const auto v = absolute<T>(L1, L2, {-s1 * y[2], c1 * y[2], y[2]}, {-s2 * y[3], c2 * y[3], y[3]});
    return Motion{Vector<T>::Map(q.data(), 6), Vector<T>::Map(v.data(), 6)};
  }

 private:
  void record_start(Recording& r) const {
    using S = Expression;
    const S th1 = theta1, th2 = theta2, w1 = omega1, w2 = omega2;
    const S c1 = cos(th1), s1 = sin(th1), c2 = cos(th2), s2 = sin(th2);
    const auto q = absolute<S>(length1, length2, {c1, s1, th1}, {c2, s2, th2});
    const auto v = absolute<S>(length1, length2, {-s1 * w1, c1 * w1, w1}, {-s2 * w2, c2 * w2, w2});
    r.start_q.assign(q.begin(), q.end()), r.start_v.assign(v.begin(), v.end());
  }
};

// The example of [Wang]: uniform links of 1 m and 2 m, horizontal, at rest. Gravity is not printed there.
struct TwoLinkArm : TwoLinkManipulator {
  static constexpr const char* name = "two-link-arm";
  static constexpr const char* summary = "Two-link manipulator with the links of 1 m and 2 m of Wang, Zhao, Pan.";
  static constexpr const char* source = "Wang, Zhao, Pan, section 6";

  TwoLinkArm() {
    length2 = 2, mass2 = 1;
    theta1 = 0, theta2 = 0;
    constraints = Elbow::from_origin;
    end_time = 5;
  }
};

const ProblemEntry<TwoLinkManipulator> two_link_manipulator_entry;
const ProblemEntry<TwoLinkArm> arm_entry;

}  // namespace
}  // namespace daelab
