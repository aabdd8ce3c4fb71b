// Rowing boat with a mechanical drive: two oars whose handles a motor turns by two cranks. Its loop closures
// are redundant: n = 5 coordinates, m = 6 constraints of rank 4, one degree of freedom.
//
//   q = (beta, gamma2, alpha2, gamma3, alpha3): angle of the cranks from the vertical, azimuth and elevation of
//   oars 2 and 3 [rad]. M = diag(J1, J2 cos^2 alpha2, J2, J3 cos^2 alpha3, J3). Each handle ends where its crank
//   pin is, three equations per oar [m] along the boat, across and up; lambda is a force [N].
//
// The motor follows a prescribed angle, slower while the blades are under water, through a spring and a damper;
// the cranks are balanced, the oars' centres of mass lie outboard. Per oar the pin stays on a sphere about the
// rowlock by itself, so one of its three equations follows from the others. The formulas are those of the
// paper with its misprints corrected; `variant` brings back those of the curvature h = G' q'.
// [Iv23] Ivanov, Vestnik Permskogo Universiteta, Matematika Mekhanika Informatika 1(60), 2023, 30-46.
#include "core/extrapolation.hpp"
#include "core/problem.hpp"

namespace daelab {
namespace {

template <class T>
struct Oar {
  T mass, inertia, centre;  // inertia about the rowlock, distance rowlock - centre of mass
};

template <class T>
struct Drive {
  T stiffness, damping, slow_down, circular_frequency;

  template <class S>
  S angle(const S& t) const {
    using std::sin;
    return circular_frequency * t - slow_down * sin(circular_frequency * t);
  }
  template <class S>
  S rate(const S& t) const {
    using std::cos;
    return circular_frequency * (S(T(1)) - slow_down * cos(circular_frequency * t));
  }
  template <class S>
  S torque(const S& t, const S& beta, const S& beta_dot) const {
    return stiffness * (angle(t) - beta) + damping * (rate(t) - beta_dot);
  }
};

template <class T>
struct RowingBoatModel {
  static constexpr int directions = 5;
  T r0, r_h, D, J1, g;   // D: distance crank plane - rowlock
  Oar<T> oars[2];
  Drive<T> drive;
  T alpha0;              // elevation at the start, where the cranks point up
  T sign_h, sign_h3;     // -1: misprinted

  Index coordinates() const { return 5; }
  Index constraints() const { return 6; }
  Vector<T> initial_q() const { return Vector<T>{{T(0), T(0), alpha0, T(0), alpha0}}; }
  Vector<T> initial_v() const { return Vector<T>::Zero(5); }

  template <class S>
  void mass(const S& /*t*/, const Vector<S>& q, Matrix<S>& M) const {
    using std::cos;
    M(0, 0) = S(J1);
    for (Index k = 0; k < 2; ++k) {
      const Index gamma = 2 * k + 1, alpha = 2 * k + 2;
      const S c = cos(q[alpha]);
      M(gamma, gamma) = c * c * oars[k].inertia;
      M(alpha, alpha) = S(oars[k].inertia);
    }
  }
  template <class S>
  void force(const S& t, const Vector<S>& q, const Vector<S>& v, Vector<S>& Q) const {
    Q[0] = drive.torque(t, q[0], v[0]);
    for (Index k = 0; k < 2; ++k) {
      const Index gamma = 2 * k + 1, alpha = 2 * k + 2;
      S s, c;
      sincos(q[alpha], s, c);
      const S gyroscopic = s * c * v[gamma] * oars[k].inertia;  // J sin(2 alpha)/2 gamma'
      Q[gamma] = gyroscopic * v[alpha] * T(2);
      Q[alpha] = c * T(oars[k].mass * g * oars[k].centre) - gyroscopic * v[gamma];
    }
  }
  // Oar 3 is the mirror image of oar 2; its equations across and up are written with the other sign.
  template <class S>
  void constraint(const S& /*t*/, const Vector<S>& q, Vector<S>& C) const {
    S sb, cb;
    sincos(q[0], sb, cb);
    for (Index k = 0; k < 2; ++k) {
      S sc, cc, sa, ca;
      sincos(q[2 * k + 1], sc, cc);
      sincos(q[2 * k + 2], sa, ca);
      const T side(k == 0 ? 1 : -1);
      C[3 * k] = ca * sc * T(side * r_h) - sb * r0;
      C[3 * k + 1] = (S(D) - ca * cc * r_h) * side;
      C[3 * k + 2] = (cb * r0 - sa * r_h) * side;
    }
  }
  void constraint_jacobian(const T& t, const Vector<T>& q, Vector<T>& C, Matrix<T>& C_q) const {
    constraint(t, q, C);
    T sb, cb;
    sincos(q[0], sb, cb);
    C_q.setZero();
    for (Index k = 0; k < 2; ++k) {
      const Index row = 3 * k, gamma = 2 * k + 1, alpha = 2 * k + 2;
      T sc, cc, sa, ca;
      sincos(q[gamma], sc, cc);
      sincos(q[alpha], sa, ca);
      const T r(k == 0 ? r_h : T(-r_h));
      C_q(row, 0) = -r0 * cb;
      C_q(row, gamma) = r * ca * cc;
      C_q(row, alpha) = -r * sa * sc;
      C_q(row + 1, gamma) = r * ca * sc;
      C_q(row + 1, alpha) = r * sa * cc;
      C_q(row + 2, 0) = k == 0 ? T(-r0 * sb) : T(r0 * sb);
      C_q(row + 2, alpha) = -r * ca;
    }
  }
  // The printed h_i are -G' q', the right-hand sides of G q'' = h, where the text has G q'' + h = 0; and the
  // first term of h_3 has the sign opposite to the others.
  void constraint_curvature(const T& /*t*/, const Vector<T>& q, const Vector<T>& v, Vector<T>& h) const {
    T sb, cb;
    sincos(q[0], sb, cb);
    const T along = r0 * sb * v[0] * v[0], up = r0 * cb * v[0] * v[0];
    for (Index k = 0; k < 2; ++k) {
      const Index gamma = 2 * k + 1, alpha = 2 * k + 2;
      T sc, cc, sa, ca;
      sincos(q[gamma], sc, cc);
      sincos(q[alpha], sa, ca);
      const T r(k == 0 ? r_h : T(-r_h)), squares = v[gamma] * v[gamma] + v[alpha] * v[alpha];
      const T product = 2 * v[gamma] * v[alpha];
      h[3 * k] = sign_h * (along - r * (ca * sc * squares + sa * cc * product));
      h[3 * k + 1] = sign_h * r * (ca * cc * squares - sa * sc * product);
      h[3 * k + 2] = sign_h * (r * sa * v[alpha] * v[alpha] - (k == 0 ? T(sign_h3 * up) : T(-up)));
    }
  }
  template <class S>
  Energy<S> energy(const S& /*t*/, const Vector<S>& q, const Vector<S>& v) const {
    Energy<S> energy{v[0] * v[0] * T(J1 / 2), S(T(0))};
    for (Index k = 0; k < 2; ++k) {
      S s, c;
      sincos(q[2 * k + 2], s, c);
      const S azimuth = c * v[2 * k + 1], elevation = v[2 * k + 2];
      energy.kinetic += (azimuth * azimuth + elevation * elevation) * T(oars[k].inertia / 2);
      energy.potential -= s * T(oars[k].mass * g * oars[k].centre);
    }
    return energy;
  }
  // Deviations of the joint between oar 2 and its crank [m] [Iv23, fig. 4]; what the motor follows [rad] and
  // its torque [N m].
  static std::vector<std::string> observable_names() {
    return {"closure_x2", "closure_y2", "closure_z2", "prescribed_angle", "drive_torque"};
  }
  template <class S>
  void observables(const S& t, const Vector<S>& q, const Vector<S>& v, Vector<S>& out) const {
    S sb, cb, sc, cc, sa, ca;
    sincos(q[0], sb, cb);
    sincos(q[1], sc, cc);
    sincos(q[2], sa, ca);
    out[0] = ca * sc * r_h - sb * r0;
    out[1] = S(D) - ca * cc * r_h;
    out[2] = cb * r0 - sa * r_h;
    out[3] = drive.angle(t);
    out[4] = drive.torque(t, q[0], v[0]);
  }
};

struct RowingBoat {
  static constexpr const char* name = "rowing-boat";
  static constexpr const char* summary = "Two oars driven by cranks: six loop closures of rank four.";
  static constexpr const char* source = "Ivanov 2023, example";
  static constexpr bool conserves_energy = false;  // a motor drives it
  static constexpr Index redundant_constraints = 2;
  static constexpr const char* independent_route =
      "Gragg-Bulirsch-Stoer extrapolation of the equation of the one degree of freedom, beta; oar angles in closed "
      "form";

  Exact crank_radius = "1/2", crank_inertia = 1;
  std::optional<Exact> handle_length;
  std::string geometry = "data", variant = "corrected";
  Exact oar_mass_2 = 4, oar_mass_3 = 4, oar_inertia_2 = 13, oar_inertia_3 = 13, centre_2 = "1.25", centre_3 = "1.25";
  Exact gravity = "9.81", period = 5, drive_stiffness = 10000, drive_damping = 100, slow_down = "0.7";
  Exact end_time = 12;

  Options options() {
    return {option("crank_radius", crank_radius, "r0 [m]", positive()),
            option("geometry", geometry,
                   "data: handle_length as given; prose: r_h = sqrt(2) r0, which puts the rowlocks a distance r0 from "
                   "the cranks as the text of the source has it",
                   one_of({"data", "prose"})),
            option("handle_length", handle_length,
                   "r_h, rowlock to crank joint [m]; above crank_radius; null: 1, or what the geometry prescribes",
                   positive()),
            option("crank_inertia", crank_inertia, "J1, both cranks and the motor [kg m^2]", positive()),
            option("oar_mass_2", oar_mass_2, "m2 [kg]", positive()),
            option("oar_mass_3", oar_mass_3, "m3 [kg]", positive()),
            option("oar_inertia_2", oar_inertia_2, "J2 about the rowlock [kg m^2]", positive()),
            option("oar_inertia_3", oar_inertia_3, "J3 about the rowlock [kg m^2]", positive()),
            option("centre_2", centre_2, "r2c, rowlock to centre of mass, outboard [m]"),
            option("centre_3", centre_3, "r3c, rowlock to centre of mass, outboard [m]"),
            option("gravity", gravity, "g [m/s^2]"),
            option("period", period, "T of a stroke [s]", positive()),
            option("drive_stiffness", drive_stiffness, "c_b [N m]", at_least(0)),
            option("drive_damping", drive_damping, "d_b [N m s]", at_least(0)),
            option("slow_down", slow_down, "k_b: share of the mean rate by which the drive slows down and speeds up"),
            option("variant", variant,
                   "curvature h by hand: corrected; printed-signs-h: all signs opposite; printed-sign-h3: the first "
                   "term of h_3 opposite; printed-h: both",
                   one_of({"corrected", "printed-signs-h", "printed-sign-h3", "printed-h"})),
            option("end_time", end_time, "[s]", positive())};
  }
  void resolve() {
    if (!handle_length) handle_length = geometry == "prose" ? prose_handle_length() : Exact(1);
  }
  void validate(const std::string& where) const {
    if (handle_length->value() <= crank_radius.value())
      throw InputError(where + "/handle_length",
                       fmt::format("a handle of length {} cannot follow a crank of radius {}; allowed: above {}",
                                   handle_length->text(), crank_radius.text(), crank_radius.text()));
    if (geometry == "prose" && abs(handle_length->value() - prose_handle_length().value()) > Real100("1e-80"))
      throw InputError(where + "/handle_length",
                       fmt::format("the geometry \"prose\" prescribes {}, not {}; leave it out, or choose \"data\"",
                                   prose_handle_length().text(), handle_length->text()));
  }

  Exact prose_handle_length() const { return "sqrt(2) * (" + crank_radius.text() + ")"; }

  template <class T>
  RowingBoatModel<T> model() const {
    const Real100 r0 = crank_radius.value(), r_h = handle_length->value();
    return {crank_radius.as<T>(),
            handle_length->as<T>(),
            static_cast<T>(Real100(sqrt(r_h * r_h - r0 * r0))),
            crank_inertia.as<T>(),
            gravity.as<T>(),
            {{oar_mass_2.as<T>(), oar_inertia_2.as<T>(), centre_2.as<T>()},
             {oar_mass_3.as<T>(), oar_inertia_3.as<T>(), centre_3.as<T>()}},
            {drive_stiffness.as<T>(), drive_damping.as<T>(), slow_down.as<T>(),
             static_cast<T>(Real100(Exact("2 pi").value() / period.value()))},
            static_cast<T>(Real100(asin(r0 / r_h))),
            T(variant == "printed-signs-h" || variant == "printed-h" ? -1 : 1),
            T(variant == "printed-sign-h3" || variant == "printed-h" ? -1 : 1)};
  }

  // The unit vector along an oar turns at (r0/r_h) |beta'|, and the height of its centre of mass is proportional
  // to cos(beta):
  //   (J1 + (J2 + J3) r0^2/r_h^2) beta'' = torque - (m2 r2c + m3 r3c) g (r0/r_h) sin(beta).
  std::optional<Motion> independent_solution(const Real50& t, int digits) const {
    using T = Real50;
    if (variant != "corrected") return {};
    const RowingBoatModel<T> p = model<T>();
    const Oar<T>&left = p.oars[0], &right = p.oars[1];
    const T ratio = p.r0 / p.r_h;
    const T inertia = p.J1 + (left.inertia + right.inertia) * ratio * ratio;
    const T weight = (left.mass * left.centre + right.mass * right.centre) * p.g * ratio;
    const auto minimal = [&](const T& s, const Vector<T>& y, Vector<T>& f) {
      f[0] = y[1];
      f[1] = (p.drive.torque(s, y[0], y[1]) - weight * sin(y[0])) / inertia;
    };
    // Short steps instead of more columns, which amplify round-off.
    const int columns = digits / 3;
    const int steps = std::max(1, static_cast<int>(ceil(3 * digits * t)));
    const Vector<T> y = extrapolate<T>(minimal, T(0), Vector<T>{{T(0), T(0)}}, t, steps, columns);
    return on_constraints(p, y[0], y[1]);
  }

  // sin(alpha) = (r0/r_h) cos(beta), tan(gamma2) = (r0/D) sin(beta): D > 0 keeps both within a quarter turn.
  static Motion on_constraints(const RowingBoatModel<Real50>& p, const Real50& beta, const Real50& beta_dot) {
    using T = Real50;
    T s, c;
    sincos(beta, s, c);
    const T sin_alpha = p.r0 / p.r_h * c, tan_gamma = p.r0 / p.D * s;
    const T alpha = asin(sin_alpha), gamma = atan(tan_gamma);
    const T alpha_dot = -p.r0 / p.r_h * s * beta_dot / sqrt(1 - sin_alpha * sin_alpha);
    const T gamma_dot = p.r0 / p.D * c * beta_dot / (1 + tan_gamma * tan_gamma);
    return {Vector<T>{{beta, gamma, alpha, -gamma, alpha}},
            Vector<T>{{beta_dot, gamma_dot, alpha_dot, -gamma_dot, alpha_dot}}};
  }
};
const ProblemEntry<RowingBoat> rowing_boat_entry;

}  // namespace
}  // namespace daelab
