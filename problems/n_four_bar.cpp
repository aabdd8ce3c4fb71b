// Chain of N four-bar windows: ground pins A_0 .. A_N at (i L, 0), vertical links A_i B_i, horizontal links
// B_{i-1} B_i, in absolute coordinates. All horizontal at once, the links are a singular configuration.
//
//   q = (x, y, phi) of the 2N+1 links in the order V_0, H_1, V_1, H_2, ..., V_N: centre [m] and direction [rad]
//   from the x axis. M = diag(m, m, m L^2/12), Q = (0, -m g, 0).
//   C: two equations [m] for each of the 3N+1 pins, end of one link - end of the other: V_i at the ground A_i (N+1),
//   H_i at V_{i-1} and at V_i (2N; a joint B_i of three links is two pins). lambda is a force [N].
//
// n = 6N+3 and m = 6N+2 independent equations leave one degree of freedom, the angle th by which all vertical links
// are turned from upright. At th = pi/2 all links lie on one line, the rank of C_q drops by N and the mobility is
// N+1. Default: IFToMM problem A02, upright, B_0 moving at 1 m/s: full revolutions,
//   ((N+1)/3 + N) m L^2 th'' = ((N+1)/2 + N) m g L sin(th),
// in elliptic functions: th/2 = am(w t - K(k) | k^2) + pi/2, w^2 = th'(0)^2/4 + W^2, k = W/w, W^2 = th''/sin(th).

#include "core/base/elliptic.hpp"
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

struct NFourBar {
  static constexpr const char* name = "n-four-bar";
  static constexpr const char* summary = "Chain of four-bar windows that passes a singular configuration.";
  static constexpr const char* source = "IFToMM multibody benchmark library, problem A02";
  static constexpr const char* independent_route = "closed form in Jacobi elliptic functions";

  int windows = 2;
  Exact mass = 1, length = 1, gravity = "9.81", speed = 1, end_time = 10;

  Options options() {
    return {option("windows", windows, "N, four-bar windows", between(1, 200)),
            option("mass", mass, "of a link [kg]", positive()),
            option("length", length, "L of a link [m]", positive()),
            option("gravity", gravity, "g, downwards [m/s^2]", positive()),
            option("speed", speed, "start velocity of B_0 along x [m/s]", positive()),
            option("end_time", end_time, "[s]", positive())};
  }

  void record(Recording& r) const {
    r.kinetic_energy = r.potential_energy = Expression();
    r.constraints.resize(6 * windows + 2);
    for (int body = 0; body < bodies(); ++body) record_link(r, body);
    const Expression s = sin(r.q[2]), c = cos(r.q[2]), half = Expression(length) / 2;
    r.observe("B0_x", r.q[0] + c * half);
    r.observe("B0_y", r.q[1] + s * half);
    r.observe("B0_vx", r.v[0] - s * r.v[2] * half);
    r.observe("B0_vy", r.v[1] + c * r.v[2] * half);
  }

  void draw(const Recording& r, Outline& o) const {
    const Expression half = Expression(length) / 2;
    for (int body = 0; body < bodies(); ++body) {
      const Expression *q = &r.q[3 * body], c = half * cos(q[2]), s = half * sin(q[2]);
      const OutlinePoint foot{q[0] - c, q[1] - s}, head{q[0] + c, q[1] + s};
      const std::string number = std::to_string((body + 1) / 2);
      o.line({foot, head});
      if (is_vertical(body)) o.support(foot, "A_" + number), o.joint(head, "B_" + number);
      if (body == 0) o.dimension(foot, head, "L");
    }
  }

  std::optional<Motion> independent_solution(const Real50& t, int /*digits*/) const {
    using T = Real50;
    const T N = windows, L = length.as<T>(), g = gravity.as<T>(), rate = speed.as<T>() / L;
    const T W2 = (3 * N + 1) / 2 * g / ((4 * N + 1) / 3 * L);
    const T w = sqrt(rate * rate / 4 + W2), k = sqrt(W2) / w, k1 = rate / (2 * w);  // k1^2 = 1 - k^2
    const auto [sn, cn, dn] = jacobi_elliptic(k, T(w * t));
    // With u = w t - K: sin(th/2) = cn(u) = k1 sd(w t), cos(th/2) = -sn(u) = cd(w t), th'/2 = w dn(u) = w k1 nd(w t).
    const T turned = atan2(T(k1 * sn / dn), T(cn / dn)), pi = daelab::pi<T>();
    const T uniform = pi * w * t / (2 * elliptic_first(k));  // less than pi/2 from th/2
    const T th = 2 * (turned + 2 * pi * round(T((uniform - turned) / (2 * pi))));
    return motion_at(th, T(2 * w * k1 / dn));
  }

  // All windows move alike, with th''/sin(th) = (9 N + 3)/(8 N + 2) g/L: one window does under its share of gravity.
  Json smaller_problem() const {
    if (windows <= 2) return {};
    const std::string share = "(" + gravity.text() + ") * " + std::to_string(5 * (3 * windows + 1)) + "/" +
                              std::to_string(4 * (4 * windows + 1));
    return {{"name", name},     {"windows", 1},         {"mass", mass.text()}, {"length", length.text()},
            {"gravity", share}, {"speed", speed.text()}};
  }
  Motion from_smaller(const Motion& motion) const {
    const Index n = 3 * bodies();
    Motion all{Vector<Real50>(n), Vector<Real50>(n), {}, Vector<Real50>(n)};
    for (Index body = 0; body < bodies(); ++body) {
      const Index like = body % 2;  // V_0 or H_1
      all.q.segment(3 * body, 3) = motion.q.segment(3 * like, 3);
      all.q[3 * body] += (body - like) * length.as<Real50>() / 2;
      all.v.segment(3 * body, 3) = motion.v.segment(3 * like, 3);
      all.a.segment(3 * body, 3) = motion.a.segment(3 * like, 3);
    }
    return all;
  }

 private:
  int bodies() const { return 2 * windows + 1; }
  static bool is_vertical(int body) { return body % 2 == 0; }

  // From th and its rate: the centre of a link circles about (body L/2, 0).
  Motion motion_at(const Real50& th, const Real50& rate) const {
    using T = Real50;
    T s, c;
    sincos(th, s, c);
    const T L = length.as<T>();
    Motion motion{Vector<T>(3 * bodies()), Vector<T>(3 * bodies())};
    for (int body = 0; body < bodies(); ++body) {
      const T reach = is_vertical(body) ? T(L / 2) : L, turned = is_vertical(body) ? 1 : 0;
      motion.q.segment(3 * body, 3) << body * L / 2 + reach * s, reach * c, turned * (pi<T>() / 2 - th);
      motion.v.segment(3 * body, 3) << reach * c * rate, -reach * s * rate, -turned * rate;
    }
    return motion;
  }

  // At the start th = 0.
  void record_link(Recording& r, int body) const {
    const std::string link = (is_vertical(body) ? "V" : "H") + std::to_string((body + 1) / 2);
    r.coordinates({"x_" + link, "y_" + link, "phi_" + link});
    const Expression m = mass, L = length, reach = is_vertical(body) ? L / 2 : L, turned = is_vertical(body) ? 1 : 0;
    const Expression *q = &r.q[3 * body], *v = &r.v[3 * body], J = m * L * L / 12;
    Expression *start_q = &r.start_q[3 * body], *start_v = &r.start_v[3 * body];
    start_q[0] = body * L / 2, start_q[1] = reach, start_q[2] = turned * Exact("pi/2");
    start_v[0] = reach * speed / L, start_v[2] = -turned * speed / L;

    r.mass(3 * body, 3 * body) = r.mass(3 * body + 1, 3 * body + 1) = m, r.mass(3 * body + 2, 3 * body + 2) = J;
    r.force[3 * body + 1] = -m * gravity;
    *r.kinetic_energy += (m * (square(v[0]) + square(v[1])) + J * square(v[2])) / 2;
    *r.potential_energy += q[1] * (m * gravity);
    record_pins(r, body);
  }
  // Both ends of a link in the equations of their pins.
  void record_pins(Recording& r, int body) const {
    const Expression half = Expression(length) / 2;
    const Expression *q = &r.q[3 * body], c = cos(q[2]), s = sin(q[2]);
    const auto add = [&](int side, int row, int sign) {  // side -1: end behind the centre, 1: ahead of it
      r.constraints[row] += (q[0] + c * (side * half)) * sign;
      r.constraints[row + 1] += (q[1] + s * (side * half)) * sign;
    };
    const int i = (body + 1) / 2;                                        // V_i or H_i
    const auto left = [&](int k) { return 2 * (windows - 1) + 4 * k; };  // rows of H_k at V_{k-1}; at V_k two further
    if (!is_vertical(body)) return add(-1, left(i), 1), add(1, left(i) + 2, 1);
    add(-1, 2 * i, 1);
    r.constraints[2 * i] -= i * Expression(length);
    if (i > 0) add(1, left(i) + 2, -1);
    if (i < windows) add(1, left(i + 1), -1);
  }
};
const ProblemEntry<NFourBar> n_four_bar_entry;

}  // namespace
}  // namespace daelab
