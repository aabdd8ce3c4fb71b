// Thin disc that rolls without slipping on a horizontal plane: one holonomic and two nonholonomic constraints.
//
//   q = (x, y, z, psi, theta, phi) [m, rad]: centre, heading, inclination of the disc to the plane, spin.
//   e1 = (cos psi, sin psi, 0) along the tangent at the contact, e2 = cos theta (k x e1) + sin theta k from the contact
//   to the centre, e3 = e1 x e2 along the axis; k is vertical.
//   omega = theta' e1 + psi' sin(theta) e2 + w e3,  w = phi' + psi' cos(theta),
//   2 T = m (x'^2 + y'^2 + z'^2) + A (theta'^2 + psi'^2 sin^2 theta) + B w^2,  V = m g z.
//   C = z - r sin(theta);  v + omega x (-r e2) = 0 in the directions e1 and k x e1:
//   G1 = x' cos(psi) + y' sin(psi) + r w,  G2 = -x' sin(psi) + y' cos(psi) + r theta' sin(theta).
//
// Energy is conserved. The coordinates are singular where the disc lies flat, theta = 0.
//
// [NF72] Neimark, Fufaev, Dynamics of Nonholonomic Systems, American Mathematical Society, 1972.
// [OR96] O'Reilly, The dynamics of rolling disks and sliding disks, Nonlinear Dynamics 10, 1996, 287-305.
#include <algorithm>

#include "core/extrapolation.hpp"
#include "core/problem.hpp"

namespace daelab {
namespace {

template <class T>
struct RollingDiscModel {
  T m, r, g, A, B;
  Vector<T> q0, v0;

  Index coordinates() const { return 6; }
  Index constraints() const { return 1; }
  Index nonholonomic() const { return 2; }
  Vector<T> initial_q() const { return q0; }
  Vector<T> initial_v() const { return v0; }

  template <class S>
  void mass(const S& /*t*/, const Vector<S>& q, Matrix<S>& M) const {
    S s, c;
    sincos(q[4], s, c);
    M(0, 0) = M(1, 1) = M(2, 2) = S(m);
    M(3, 3) = s * s * A + c * c * B;
    M(3, 5) = M(5, 3) = c * B;
    M(4, 4) = S(A);
    M(5, 5) = S(B);
  }
  template <class S>
  void force(const S& /*t*/, const Vector<S>& q, const Vector<S>& v, Vector<S>& Q) const {
    S s, c;
    sincos(q[4], s, c);
    const S w = v[5] + v[3] * c;
    Q[2] = S(T(-m * g));
    Q[3] = s * v[4] * (w * B + c * v[3] * T(B - 2 * A));
    Q[4] = s * v[3] * (c * v[3] * A - w * B);
    Q[5] = s * v[3] * v[4] * B;
  }
  template <class S>
  void constraint(const S& /*t*/, const Vector<S>& q, Vector<S>& C) const {
    using std::sin;
    C[0] = q[2] - sin(q[4]) * r;
  }
  template <class S>
  void velocity_constraint(const S& /*t*/, const Vector<S>& q, const Vector<S>& v, Vector<S>& G) const {
    S s, c, sin_theta, cos_theta;
    sincos(q[3], s, c);
    sincos(q[4], sin_theta, cos_theta);
    G[0] = v[0] * c + v[1] * s + (v[5] + v[3] * cos_theta) * r;
    G[1] = v[1] * c - v[0] * s + v[4] * sin_theta * r;
  }

  template <class S>
  Energy<S> energy(const S& /*t*/, const Vector<S>& q, const Vector<S>& v) const {
    S s, c;
    sincos(q[4], s, c);
    const S across = v[3] * s, along = v[5] + v[3] * c;
    const S shift = v[0] * v[0] + v[1] * v[1] + v[2] * v[2], tumble = v[4] * v[4] + across * across;
    return {(shift * m + tumble * A + along * along * B) / T(2), q[2] * T(m * g)};
  }
  static std::vector<std::string> observable_names() { return {"contact_x", "contact_y"}; }
  template <class S>
  void observables(const S& /*t*/, const Vector<S>& q, const Vector<S>& /*v*/, Vector<S>& out) const {
    using std::cos, std::sin;
    const S distance = cos(q[4]) * r;
    out[0] = q[0] + distance * sin(q[3]);
    out[1] = q[1] - distance * cos(q[3]);
  }
};

struct RollingDisc {
  static constexpr const char* name = "rolling-disc";
  static constexpr const char* summary = "Rolling disc: one holonomic and two nonholonomic constraints.";
  static constexpr const char* source = "Neimark, Fufaev 1972; O'Reilly 1996";
  static constexpr const char* independent_route =
      "reduced equations of the inclination and the angular velocity by extrapolation";

  Exact mass = 1, radius = "1/2", diametral = "1/4", axial = "1/2", gravity = "9.81";
  Exact inclination = "pi/3", inclination_rate = "1/2", precession = 1, spin = -6, end_time = 5;

  Options options() {
    return {option("mass", mass, "m [kg]", positive()),
            option("radius", radius, "r [m]", positive()),
            option("diametral", diametral, "moment of inertia about a diameter, A/(m r^2); hoop: 1/2", positive()),
            option("axial", axial, "moment of inertia about the axis, B/(m r^2); hoop: 1", positive()),
            option("gravity", gravity, "g [m/s^2]", at_least(0)),
            option("inclination", inclination, "start of theta [rad], between 0 and pi", positive()),
            option("inclination_rate", inclination_rate, "start of theta' [rad/s]"),
            option("precession", precession, "start of psi' [rad/s]"),
            option("spin", spin, "start of phi' [rad/s]; below 0: along e1"),
            option("end_time", end_time, "[s]", positive())};
  }
  void validate(const std::string& where) const {
    if (inclination.value() >= Exact("pi").value())
      throw InputError(where + "/inclination", "allowed: above 0 and below pi, where the disc lies flat");
  }

  template <class T>
  RollingDiscModel<T> model() const {
    const Real100 r = radius.value(), s = sin(inclination.value()), c = cos(inclination.value());
    const Real100 unit = mass.value() * r * r, fall = r * inclination_rate.value();
    const auto as = [](const Real100& x) { return static_cast<T>(x); };
    const T zero(0);
    return {mass.as<T>(),
            as(r),
            gravity.as<T>(),
            as(Real100(unit * diametral.value())),
            as(Real100(unit * axial.value())),
            Vector<T>{{zero, zero, as(Real100(r * s)), zero, inclination.as<T>(), zero}},
            Vector<T>{{as(Real100(-r * (spin.value() + precession.value() * c))), as(Real100(-fall * s)),
                       as(Real100(fall * c)), precession.as<T>(), inclination_rate.as<T>(), spin.as<T>()}}};
  }

  // y = (theta, omega, psi, phi, x, y) with omega along (e1, e2, e3): the balance of moments about the contact,
  // divided by m r^2, in which no reactions occur.                                                  [OR96; NF72]
  std::optional<Motion> independent_solution(const Real50& t, int digits) const {
    using T = Real50;
    const RollingDiscModel<T> start = model<T>();
    const T A = diametral.as<T>(), B = axial.as<T>(), r = start.r, pull = start.g / r;
    const auto reduced = [&](const T&, const Vector<T>& y, Vector<T>& f) {
      T s, c, sin_psi, cos_psi;
      sincos(y[0], s, c);
      sincos(y[4], sin_psi, cos_psi);
      const T precession_cosine = y[2] * c / s;
      f[0] = y[1];
      f[1] = (A * y[2] * precession_cosine - (B + 1) * y[2] * y[3] - pull * c) / (A + 1);
      f[2] = y[1] * (B * y[3] - A * precession_cosine) / A;
      f[3] = y[1] * y[2] / (B + 1);
      f[4] = y[2] / s;
      f[5] = y[3] - precession_cosine;
      f[6] = r * (y[1] * s * sin_psi - y[3] * cos_psi);
      f[7] = -r * (y[1] * s * cos_psi + y[3] * sin_psi);
    };
    T s, c;
    sincos(start.q0[4], s, c);
    const T spin = start.v0[5] + start.v0[3] * c, zero(0);
    const Vector<T> from{{start.q0[4], start.v0[4], start.v0[3] * s, spin, zero, zero, zero, zero}};
    const int columns = digits / 2 - 2;
    const int steps = std::max(1, static_cast<int>(ceil(2 * digits * t)));
    return motion(start.r, extrapolate<T>(reduced, T(0), from, t, steps, columns), reduced);
  }

 private:
  static Motion motion(const Real50& r, const Vector<Real50>& y, const auto& reduced) {
    Vector<Real50> f(8);
    reduced(Real50(0), y, f);
    Real50 s, c;
    sincos(y[0], s, c);
    return {Vector<Real50>{{y[6], y[7], r * s, y[4], y[0], y[5]}},
            Vector<Real50>{{f[6], f[7], r * c * y[1], f[4], y[1], f[5]}}};
  }
};
const ProblemEntry<RollingDisc> rolling_disc_entry;

}  // namespace
}  // namespace daelab
