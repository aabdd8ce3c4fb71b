// Heavy symmetric top about a fixed point, whose axis passes the upright position ever so closely: there the nutation
// angle is a singular coordinate. Two charts, each regular where the other is not.
//
//   chart 0, Euler angles 3-1-3:    q = (phi, theta, psi), axis (sin phi sin theta, -cos phi sin theta, cos theta),
//   chart 1, Cardan angles 1-2-3:   q = (alpha, beta, gamma), axis (sin beta, -sin alpha cos beta, cos alpha cos beta),
//   2 T = I1 (q2'^2 + q1'^2 f^2) + I3 (q3' + q1' g)^2,  (f, g) = (sin theta, cos theta) or (cos beta, sin beta),
//   V = m g l z,  z the height of the axis.
//
// A chart is singular where f = 0: at the vertical axis z, at the horizontal axis x. The other one takes over where f
// falls below the alarm; there its own f is about one, so that it does not switch back at once.
//
// Conserved: the energy, the vertical and the axial component of the angular momentum, I1 b and I1 a. u = cos theta:
//
//   u'^2 = (1 - u^2) (c - d u) - (b - a u)^2,  d = 2 m g l/I1,  roots u1 < u2 < u3:
//   u = u1 + (u2 - u1) sn^2(w t, k),  w^2 = d (u3 - u1)/4,  k^2 = (u2 - u1)/(u3 - u1),
//   phi' = (b - a u)/(1 - u^2),  psi' = omega3 - phi' u: elliptic integrals of the third kind.
//
// [Gol02] Goldstein, Poole, Safko, Classical Mechanics, 3rd ed., Addison-Wesley, 2002, Sec. 5.7.
#include <fmt/format.h>


#include "core/elliptic.hpp"
#include "core/problem.hpp"

namespace daelab {
namespace {

template <class T>
struct HeavyTopModel {
  static constexpr int directions = 3;
  T I1, I3, pull, alarm;  // pull: m g l
  Vector<T> q0, v0;
  bool switches;
  Index chart_ = 0;

  Index coordinates() const { return 3; }
  Index constraints() const { return 0; }
  Vector<T> initial_q() const { return q0; }
  Vector<T> initial_v() const { return v0; }

  Index charts() const { return 2; }
  Index chart() const { return chart_; }
  void set_chart(Index chart) { chart_ = chart; }
  Vector<T> periods(Index /*chart*/) const {
    const T turn = 2 * pi<T>();
    return Vector<T>{{turn, T(0), turn}};
  }
  template <class S>
  void to_chart(Index chart, const Vector<S>& q, Vector<S>& r) const {
    r = q;
    if (chart == chart_)
      unfold(r);
    else if (chart == 1)
      euler_to_cardan(q, r);
    else
      cardan_to_euler(q, r);
  }

  template <class S>
  void mass(const S& /*t*/, const Vector<S>& q, Matrix<S>& M) const {
    const Place<S> at = place(q);
    M(0, 0) = at.f * at.f * I1 + at.g * at.g * I3;
    M(0, 2) = M(2, 0) = at.g * I3;
    M(1, 1) = S(I1);
    M(2, 2) = S(I3);
  }
  template <class S>
  void force(const S& /*t*/, const Vector<S>& q, const Vector<S>& v, Vector<S>& Q) const {
    const Place<S> at = place(q);
    const S turn = euler() ? at.f : -at.f;  // -dg/dq2; df/dq2 is g or -g
    const S spin = (v[2] + v[0] * at.g) * I3, rate = turn * v[1];
    Q[0] = rate * (spin + v[0] * at.g * T(I3 - 2 * I1));
    Q[1] = turn * v[0] * (v[0] * at.g * I1 - spin);
    Q[2] = rate * v[0] * I3;
    if (euler()) {
      Q[1] += at.f * pull;
    } else {
      Q[0] += at.s * at.f * pull;
      Q[1] += at.c * at.g * pull;
    }
  }
  template <class S>
  void constraint(const S& /*t*/, const Vector<S>& /*q*/, Vector<S>& /*C*/) const {}

  std::vector<Event> events() const { return {{"near the singularity", Crossing::falling, Consequence::chart}}; }
  void event_functions(const T& /*t*/, const Vector<T>& q, const Vector<T>& /*v*/, Vector<T>& g) const {
    g[0] = switches ? T(place(q).f - alarm) : T(1);
  }

  template <class S>
  Energy<S> energy(const S& /*t*/, const Vector<S>& q, const Vector<S>& v) const {
    const Place<S> at = place(q);
    const S spin = v[2] + v[0] * at.g, turn = v[0] * at.f;
    return {((v[1] * v[1] + turn * turn) * I1 + spin * spin * I3) / T(2), axis(at)[2] * pull};
  }
  static std::vector<std::string> observable_names() {
    return {"axis_x", "axis_y", "axis_z", "vertical_momentum", "axial_momentum"};
  }
  template <class S>
  void observables(const S& /*t*/, const Vector<S>& q, const Vector<S>& v, Vector<S>& out) const {
    const Place<S> at = place(q);
    out.head(3) = axis(at);
    out[4] = (v[2] + v[0] * at.g) * I3;
    const S across = euler() ? S(v[0] * at.f * at.f) : S(v[1] * at.s - v[0] * at.f * at.c * at.g);
    out[3] = across * I1 + out[4] * out[2];
  }

 private:
  template <class S>
  struct Place {
    S s, c;  // of the first angle
    S f, g;
  };
  bool euler() const { return chart_ == 0; }
  template <class S>
  Place<S> place(const Vector<S>& q) const {
    Place<S> at;
    sincos(q[0], at.s, at.c);
    if (euler())
      sincos(q[1], at.f, at.g);
    else
      sincos(q[1], at.g, at.f);
    return at;
  }
  template <class S>
  Vector<S> axis(const Place<S>& at) const {
    const S across = -(euler() ? at.c : at.s) * at.f;
    return euler() ? Vector<S>{{at.s * at.f, across, at.g}} : Vector<S>{{at.g, across, at.c * at.f}};
  }

  // A run in Euler angles that stepped over the pole: theta positive again.
  template <class S>
  void unfold(Vector<S>& q) const {
    const T half = pi<T>();
    if (euler() && q[1] < S(T(0))) q[0] += S(half), q[1] = -q[1], q[2] += S(half);
  }
  template <class S>
  static void euler_to_cardan(const Vector<S>& q, Vector<S>& r) {
    using std::atan2;
    using std::sqrt;
    S s, c, s_theta, c_theta;
    sincos(q[0], s, c), sincos(q[1], s_theta, c_theta);
    const S y = c * s_theta;
    r[0] = atan2(y, c_theta);
    r[1] = atan2(S(s * s_theta), S(sqrt(S(y * y + c_theta * c_theta))));
    r[2] = q[2] + atan2(S(s * c_theta), c);
  }
  template <class S>
  static void cardan_to_euler(const Vector<S>& q, Vector<S>& r) {
    using std::atan2;
    using std::sqrt;
    S s, c, s_beta, c_beta;
    sincos(q[0], s, c), sincos(q[1], s_beta, c_beta);
    const S y = s * c_beta;
    r[0] = atan2(s_beta, y);
    r[1] = atan2(S(sqrt(S(y * y + s_beta * s_beta))), S(c * c_beta));
    r[2] = q[2] - atan2(S(c * s_beta), s);
  }
};

struct HeavyTop {
  static constexpr const char* name = "heavy-top";
  static constexpr const char* summary =
      "Heavy symmetric top that passes the upright position: singular coordinates, two charts.";
  static constexpr const char* source = "Goldstein, Poole, Safko 2002, Sec. 5.7";
  static constexpr const char* independent_route =
      "closed form in Jacobi elliptic functions and elliptic integrals of the third kind";

  Exact mass = 1, distance = "1/10", transverse_inertia = "1/80", axial_inertia = "1/200", gravity = "9.81";
  Exact inclination = "7/5", closest = "1e-6", spin = 40, azimuth = 0, alarm = "1/2", end_time = 2;
  std::string charts = "two";

  Options options() {
    return {option("mass", mass, "m [kg]", positive()),
            option("distance", distance, "l of the centre of mass from the fixed point [m]", positive()),
            option("transverse_inertia", transverse_inertia, "I1, across the axis about the fixed point [kg m^2]",
                   positive()),
            option("axial_inertia", axial_inertia, "I3, about the axis [kg m^2]", positive()),
            option("gravity", gravity, "g [m/s^2]", positive()),
            option("inclination", inclination, "largest inclination of the axis from the vertical, at the start [rad]",
                   between_zero_and_half_turn()),
            option("closest", closest, "the smallest one [rad]", between_zero_and_half_turn()),
            option("spin", spin, "omega3, angular velocity about the axis [rad/s]"),
            option("azimuth", azimuth, "start of phi [rad]"),
            option("charts", charts, "one: Euler angles throughout; two: Cardan angles near the vertical",
                   one_of({"one", "two"})),
            option("alarm", alarm, "f below which the other chart takes over",
                   Allowed{Exact(0), Exact("7/10"), true, {}}),
            option("end_time", end_time, "end of the interval [s]", positive())};
  }
  void validate(const std::string& where) const {
    if (closest.value() >= inclination.value())
      throw InputError(where + "/closest", "must be smaller than the inclination at the start");
    const Real100 sum = cos(inclination.value()) + cos(closest.value());
    if (axial() * axial() > weight() * sum && sum > 0) return;
    throw InputError(where + "/spin",
                     fmt::format("the top does not rise that far; allowed: more than {:.6g} rad/s, with both angles "
                                 "together less than pi",
                                 static_cast<double>(sqrt(Real100(abs(weight() * sum))) * transverse_inertia.value() /
                                                     axial_inertia.value())));
  }

  template <class T>
  HeavyTopModel<T> model() const {
    const Real100 u = cos(inclination.value()), rate = (vertical() - axial() * u) / (1 - u * u);
    const auto as = [](const Real100& x) { return static_cast<T>(x); };
    return {transverse_inertia.as<T>(),
            axial_inertia.as<T>(),
            as(mass.value() * gravity.value() * distance.value()),
            alarm.as<T>(),
            Vector<T>{{azimuth.as<T>(), inclination.as<T>(), T(0)}},
            Vector<T>{{as(rate), T(0), as(spin.value() - rate * u)}},
            charts == "two"};
  }

  std::optional<Motion> independent_solution(const Real50& time, int /*digits*/) const {
    const Real100 t(time), a = axial(), b = vertical(), d = weight();
    const Real100 u1 = cos(inclination.value()), u2 = cos(closest.value()), rise = u2 - u1;
    const Real100 c = (b - a * u1) * (b - a * u1) / (1 - u1 * u1) + d * u1, u3 = (c + a * a) / d - u1 - u2;
    const Real100 w = sqrt(Real100(d * (u3 - u1))) / 2, k = sqrt(Real100(rise / (u3 - u1)));
    const Real100 half_period = 2 * elliptic_first(k), swings = round(Real100(w * t / half_period));
    const auto [sn, cn, dn] = jacobi_elliptic(k, Real100(w * t - swings * half_period));
    // Integral of dt/(1 -+ u): 1 -+ u = (1 -+ u1) (1 - n sn^2).
    const auto integral = [&](int sign) {
      const Real100 first = 1 - sign * u1, n = sign * rise / first, amplitude = atan2(sn, cn);
      return Real100((2 * swings * elliptic_third(k, n) + elliptic_third(k, n, amplitude)) / (first * w));
    };
    const Real100 near = (b - a) / 2 * integral(1), far = (b + a) / 2 * integral(-1);
    const Real100 u = u1 + rise * sn * sn, f = sqrt(Real100((1 - u) * (1 + u))), rate = (b - a * u) / (f * f);
    const auto turned = [](const Real100& x) {
      const Real100 turn = 2 * pi<Real100>();
      return static_cast<Real50>(Real100(x - turn * round(Real100(x / turn))));
    };
    const auto as = [](const Real100& x) { return static_cast<Real50>(x); };
    return Motion{Vector<Real50>{{turned(Real100(azimuth.value() + near + far)), as(Real100(atan2(f, u))),
                                  turned(Real100((spin.value() - a) * t - near + far))}},
                  Vector<Real50>{{as(rate), as(Real100(-2 * rise * w * sn * cn * dn / f)),
                                  as(Real100(spin.value() - rate * u))}}};
  }

 private:
  static Allowed between_zero_and_half_turn() { return {Exact(0), Exact("pi"), true, {}}; }
  Real100 weight() const {  // d
    return 2 * mass.value() * gravity.value() * distance.value() / transverse_inertia.value();
  }
  Real100 axial() const { return axial_inertia.value() * spin.value() / transverse_inertia.value(); }  // a
  // b, from u' = 0 at both inclinations.
  Real100 vertical() const {
    const Real100 u1 = cos(inclination.value()), u2 = cos(closest.value()), sum = u1 + u2, a = axial();
    const Real100 root = sqrt(Real100(a * a - weight() * sum));
    return (a * (1 + u1 * u2) + sin(inclination.value()) * sin(closest.value()) * root) / sum;
  }
};
const ProblemEntry<HeavyTop> heavy_top_entry;

}  // namespace
}  // namespace daelab
