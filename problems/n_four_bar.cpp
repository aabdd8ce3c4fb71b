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

#include <fmt/format.h>

#include "core/elliptic.hpp"
#include "core/problem.hpp"

namespace daelab {
namespace {

template <class T>
struct FourBarModel {
  static constexpr int directions = 15;
  static constexpr bool constant_mass = true;
  Index N;
  T m, L, g, speed;  // speed: x velocity of the joints B_i at the start

  Index bodies() const { return 2 * N + 1; }
  Index coordinates() const { return 3 * bodies(); }
  Index constraints() const { return 6 * N + 2; }
  Vector<T> initial_q() const { return positions(T(0)); }
  Vector<T> initial_v() const { return velocities(T(0), T(speed / L)); }

  /// All coordinates from th.
  Vector<T> positions(const T& th) const {
    T s, c;
    sincos(th, s, c);
    Vector<T> q(coordinates());
    for (Index body = 0; body < bodies(); ++body) {
      const T reach = is_vertical(body) ? T(L / 2) : L;  // the centre circles about (body L/2, 0)
      q[3 * body] = T(body) * L / 2 + reach * s;
      q[3 * body + 1] = reach * c;
      q[3 * body + 2] = is_vertical(body) ? T(pi<T>() / 2 - th) : T(0);
    }
    return q;
  }
  Vector<T> velocities(const T& th, const T& rate) const {
    T s, c;
    sincos(th, s, c);
    Vector<T> v(coordinates());
    for (Index body = 0; body < bodies(); ++body) {
      const T reach = is_vertical(body) ? T(L / 2) : L;
      v[3 * body] = reach * c * rate;
      v[3 * body + 1] = -reach * s * rate;
      v[3 * body + 2] = is_vertical(body) ? T(-rate) : T(0);
    }
    return v;
  }

  template <class S>
  void mass(const S& /*t*/, const Vector<S>& /*q*/, Matrix<S>& M) const {
    for (Index body = 0; body < bodies(); ++body) {
      M(3 * body, 3 * body) = M(3 * body + 1, 3 * body + 1) = S(m);
      M(3 * body + 2, 3 * body + 2) = S(T(m * L * L / 12));
    }
  }
  template <class S>
  void force(const S& /*t*/, const Vector<S>& /*q*/, const Vector<S>& /*v*/, Vector<S>& Q) const {
    for (Index body = 0; body < bodies(); ++body) Q[3 * body + 1] = S(T(-m * g));
  }
  template <class S>
  void constraint(const S& /*t*/, const Vector<S>& q, Vector<S>& C) const {
    for (Index body = 0; body < bodies(); ++body) {
      S s, c;
      sincos(q[3 * body + 2], s, c);
      for_each_end(body, [&](int side, Index row, int sign) {
        C[row] += (q[3 * body] + c * T(side * L / 2)) * T(sign);
        C[row + 1] += (q[3 * body + 1] + s * T(side * L / 2)) * T(sign);
      });
    }
    for (Index i = 0; i <= N; ++i) C[2 * i] -= S(T(i * L));
  }
  void constraint_jacobian(const T& t, const Vector<T>& q, Vector<T>& C, Matrix<T>& C_q) const {
    C.setZero();
    constraint(t, q, C);
    C_q.setZero();
    for (Index body = 0; body < bodies(); ++body) {
      T s, c;
      sincos(q[3 * body + 2], s, c);
      for_each_end(body, [&](int side, Index row, int sign) {
        C_q(row, 3 * body) = C_q(row + 1, 3 * body + 1) = T(sign);
        C_q(row, 3 * body + 2) = -s * (sign * side * L / 2);
        C_q(row + 1, 3 * body + 2) = c * (sign * side * L / 2);
      });
    }
  }
  void constraint_curvature(const T& /*t*/, const Vector<T>& q, const Vector<T>& v, Vector<T>& h) const {
    h.setZero();
    for (Index body = 0; body < bodies(); ++body) {
      T s, c;
      sincos(q[3 * body + 2], s, c);
      const T square = v[3 * body + 2] * v[3 * body + 2];
      for_each_end(body, [&](int side, Index row, int sign) {
        h[row] -= c * square * (sign * side * L / 2);
        h[row + 1] -= s * square * (sign * side * L / 2);
      });
    }
  }
  template <class S>
  Energy<S> energy(const S& /*t*/, const Vector<S>& q, const Vector<S>& v) const {
    Energy<S> energy;
    for (Index body = 0; body < bodies(); ++body) {
      const S &vx = v[3 * body], &vy = v[3 * body + 1], &w = v[3 * body + 2];
      energy.kinetic += (vx * vx + vy * vy + w * w * T(L * L / 12)) * T(m / 2);
      energy.potential += q[3 * body + 1] * T(m * g);
    }
    return energy;
  }
  static std::vector<std::string> observable_names() { return {"B0_x", "B0_y", "B0_vx"}; }
  template <class S>
  void observables(const S& /*t*/, const Vector<S>& q, const Vector<S>& v, Vector<S>& out) const {
    S s, c;
    sincos(q[2], s, c);
    out[0] = q[0] + c * T(L / 2);
    out[1] = q[1] + s * T(L / 2);
    out[2] = v[0] - s * v[2] * T(L / 2);
  }

 private:
  static bool is_vertical(Index body) { return body % 2 == 0; }
  // visit(side, row, sign) for the pins at the ends of a link: side -1 behind and +1 ahead of its centre, the first
  // of the pin's two rows, and the sign with which the end enters them.
  template <class Visit>
  void for_each_end(Index body, Visit visit) const {
    const Index i = (body + 1) / 2;                               // V_i or H_i
    const auto left = [&](Index k) { return 2 * (N - 1) + 4 * k; };  // rows of H_k at V_{k-1}; at V_k two further
    if (!is_vertical(body)) {
      visit(-1, left(i), 1);
      visit(1, left(i) + 2, 1);
      return;
    }
    visit(-1, 2 * i, 1);
    if (i > 0) visit(1, left(i) + 2, -1);
    if (i < N) visit(1, left(i + 1), -1);
  }
};

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

  template <class T>
  FourBarModel<T> model() const {
    return {windows, mass.as<T>(), length.as<T>(), gravity.as<T>(), speed.as<T>()};
  }

  std::optional<Motion> independent_solution(const Real50& t, int /*digits*/) const {
    using T = Real50;
    const FourBarModel<T> p = model<T>();
    const T N = windows, rate = p.speed / p.L;
    const T W2 = (3 * N + 1) / 2 * p.g / ((4 * N + 1) / 3 * p.L);
    const T w = sqrt(rate * rate / 4 + W2), k = sqrt(W2) / w, k1 = rate / (2 * w);  // k1^2 = 1 - k^2
    const auto [sn, cn, dn] = jacobi_elliptic(k, T(w * t));
    // With u = w t - K: sin(th/2) = cn(u) = k1 sd(w t), cos(th/2) = -sn(u) = cd(w t), th'/2 = w dn(u) = w k1 nd(w t).
    const T turned = atan2(T(k1 * sn / dn), T(cn / dn)), pi = daelab::pi<T>();
    const T uniform = pi * w * t / (2 * elliptic_first(k));  // less than pi/2 from th/2
    const T th = 2 * (turned + 2 * pi * round(T((uniform - turned) / (2 * pi))));
    return Motion{p.positions(th), p.velocities(th, T(2 * w * k1 / dn))};
  }

  // All windows move alike, with th''/sin(th) = (9 N + 3)/(8 N + 2) g/L: one window does under its share of gravity.
  Json smaller_problem() const {
    if (windows <= 2) return {};
    const std::string share = fmt::format("({}) * {}/{}", gravity.text(), 5 * (3 * windows + 1), 4 * (4 * windows + 1));
    return {{"name", name}, {"windows", 1}, {"mass", mass.text()}, {"length", length.text()}, {"gravity", share},
            {"speed", speed.text()}};
  }
  Motion from_smaller(const Motion& motion) const {
    const FourBarModel<Real50> p = model<Real50>();
    Motion all{Vector<Real50>(p.coordinates()), Vector<Real50>(p.coordinates()), {}, Vector<Real50>(p.coordinates())};
    for (Index body = 0; body < p.bodies(); ++body) {
      const Index like = body % 2;  // V_0 or H_1
      all.q.segment(3 * body, 3) = motion.q.segment(3 * like, 3);
      all.q[3 * body] += (body - like) * p.L / 2;
      all.v.segment(3 * body, 3) = motion.v.segment(3 * like, 3);
      all.a.segment(3 * body, 3) = motion.a.segment(3 * like, 3);
    }
    return all;
  }
};
const ProblemEntry<NFourBar> n_four_bar_entry;

}  // namespace
}  // namespace daelab
