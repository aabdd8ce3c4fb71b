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
// paper with its misprints corrected [Iv23, sec. 4]; `variant` brings back those of the curvature h = G' q'.
// [Iv23] Ivanov, Vestnik Permskogo Universiteta, Matematika Mekhanika Informatika 1(60), 2023, 30-46.
#include "core/integration/extrapolation.hpp"
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

struct Oar {
  Exact mass, inertia, centre;  // inertia about the rowlock, distance rowlock - centre of mass
};

struct RowingBoat {
  static constexpr const char* name = "rowing-boat";
  static constexpr const char* summary = "Two oars driven by cranks: six loop closures of rank four.";
  static constexpr const char* source = "Ivanov 2023, section 4";
  static constexpr bool conserves_energy = false;  // a motor drives it
  static constexpr Index redundant_constraints = 2;
  static constexpr const char* independent_route =
      "Gragg-Bulirsch-Stoer extrapolation of the equation of the one degree of freedom, beta; oar angles in closed "
      "form";

  enum class Geometry { data, prose };
  enum class Variant { corrected, printed_signs_h, printed_sign_h3, printed_h };
  friend std::vector<std::string> names_of(Geometry) { return {"data", "prose"}; }
  friend std::vector<std::string> names_of(Variant) {
    return {"corrected", "printed-signs-h", "printed-sign-h3", "printed-h"};
  }

  Exact crank_radius = "1/2", crank_inertia = 1;
  std::optional<Exact> handle_length;
  Geometry geometry = Geometry::data;
  Variant variant = Variant::corrected;
  Exact oar_mass_2 = 4, oar_mass_3 = 4, oar_inertia_2 = 13, oar_inertia_3 = 13, centre_2 = "1.25", centre_3 = "1.25";
  Exact gravity = "9.81", period = 5, drive_stiffness = 10000, drive_damping = 100, slow_down = "0.7";
  Exact end_time = 12;

  Options options() {
    return {option("crank_radius", crank_radius, "r0 [m]", positive()),
            option("geometry", geometry,
                   "data: handle_length as given; prose: r_h = sqrt(2) r0, which puts the rowlocks a distance r0 from "
                   "the cranks as the text of the source has it"),
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
                   "term of h_3 opposite; printed-h: both"),
            option("end_time", end_time, "[s]", positive())};
  }
  void resolve() {
    if (!handle_length) handle_length = geometry == Geometry::prose ? prose_handle_length() : Exact(1);
  }
  void validate(const std::string& where) const {
    if (handle_length->value() <= crank_radius.value())
      throw InputError(where + "/handle_length", "a handle of length " + handle_length->text() +
                                                     " cannot follow a crank of radius " + crank_radius.text() +
                                                     "; allowed: above " + crank_radius.text());
    if (geometry == Geometry::prose && abs(handle_length->value() - prose_handle_length().value()) > Real100("1e-80"))
      throw InputError(where + "/handle_length", "the geometry \"prose\" prescribes " + prose_handle_length().text() +
                                                     ", not " + handle_length->text() +
                                                     "; leave it out, or choose \"data\"");
  }

  Exact prose_handle_length() const { return "sqrt(2) * (" + crank_radius.text() + ")"; }

  void record(Recording& r) const {
    r.coordinates({"beta", "gamma2", "alpha2", "gamma3", "alpha3"});
    const Expression r0 = crank_radius, r_h = *handle_length, alpha0 = asin(r0 / r_h);  // the cranks point up
    r.start_q = {0, 0, alpha0, 0, alpha0};
    record_drive(r);
    for (int k = 0; k < 2; ++k) record_oar(r, k);
    // Deviations of the joint between oar 2 and its crank [m] [Iv23, figure 4].
    r.observe("closure_x2", r.constraints[0]);
    r.observe("closure_y2", r.constraints[1]);
    r.observe("closure_z2", r.constraints[2]);
    // What the motor follows [rad] and its torque [N m].
    r.observe("prescribed_angle", prescribed_angle(r.t));
    r.observe("drive_torque", r.force[0]);
    if (variant != Variant::corrected) r.printed_curvature = printed_curvature(r);
  }

  // Figures 1 and 2 of [Iv23]: x along the boat, z up, the shaft of the cranks along y. The cranks are a length r0
  // apart, the oars reach as far again beyond their centres of mass; neither is in the equations.
  void draw(const Recording& r, Outline& o) const {
    const Expression r0 = crank_radius, r_h = *handle_length, D = sqrt(r_h * r_h - r0 * r0), half = r0 / 2;
    const OutlinePoint origin{};
    const Expression ahead = r0 * sin(r.q[0]), up = r0 * cos(r.q[0]);
    o.is_spatial = true, o.view = {.azimuth = -35, .elevation = 20};
    o.axis({-r0, 0, 0}, {2 * r0, 0, 0}, "x"), o.axis(origin, {0, 0, 2 * r0}, "z");
    for (int k = 0; k < 2; ++k) {
      const int side = k == 0 ? 1 : -1;
      const std::string number = std::to_string(k + 2);
      const OutlinePoint hub{0, side * half, 0}, pin{ahead, side * half, up}, rowlock{0, side * (half + D), 0};
      const Expression c = cos(r.q[2 * k + 2]), s = sin(r.q[2 * k + 2]);
      const Expression along = side * c * sin(r.q[2 * k + 1]), across = -(side * c * cos(r.q[2 * k + 1]));
      const auto on_oar = [&](const Expression& x) -> OutlinePoint {  // from the rowlock towards the crank
        return {x * along, rowlock.y + x * across, x * s};
      };
      const OutlinePoint handle = on_oar(r_h), centre = on_oar(-oar(k).centre), blade = on_oar(-2 * oar(k).centre);
      o.line({hub, pin}, k == 0 ? "1" : "");
      o.line({handle, blade}, number);
      o.support(rowlock), o.mass(centre, "m_" + number), o.joint(pin), o.joint(handle);
      if (k == 0) o.dimension(hub, pin, "r_0", -2), o.dimension(rowlock, handle, "r_h", -2);
    }
    o.line({{0, -half, 0}, {0, half, 0}});
    o.support(origin, "O");
    o.angle(origin, {0, 0, r0}, {ahead, 0, up}, "β");
  }

  // The unit vector along an oar turns at (r0/r_h) |beta'|, and the height of its centre of mass is proportional
  // to cos(beta):
  //   (J1 + (J2 + J3) r0^2/r_h^2) beta'' = torque - (m2 r2c + m3 r3c) g (r0/r_h) sin(beta).
  std::optional<Motion> independent_solution(const Real50& t, int digits) const {
    using T = Real50;
    if (variant != Variant::corrected) return {};
    const T r0 = crank_radius.as<T>(), r_h = handle_length->as<T>(), g = gravity.as<T>(), ratio = r0 / r_h;
    const T inertia = crank_inertia.as<T>() + (oar_inertia_2.as<T>() + oar_inertia_3.as<T>()) * ratio * ratio;
    const T weight = (oar_mass_2.as<T>() * centre_2.as<T>() + oar_mass_3.as<T>() * centre_3.as<T>()) * g * ratio;
    const T c = drive_stiffness.as<T>(), d = drive_damping.as<T>(), share = slow_down.as<T>();
    const T w = 2 * pi<T>() / period.as<T>();
    const auto minimal = [&](const T& s, const Vector<T>& y, Vector<T>& f) {
      const T behind = w * s - share * sin(w * s) - y[0], slower = w * (1 - share * cos(w * s)) - y[1];
      f[0] = y[1];
      f[1] = (c * behind + d * slower - weight * sin(y[0])) / inertia;
    };
    // Short steps instead of more columns, which amplify round-off.
    const int columns = digits / 3;
    const int steps = std::max(1, static_cast<int>(ceil(3 * digits * t)));
    const Vector<T> y = extrapolate<T>(minimal, T(0), Vector<T>{{T(0), T(0)}}, t, steps, columns);
    return on_constraints(r0, r_h, y[0], y[1]);
  }

 private:
  Expression circular_frequency() const { return Exact("2 pi") / period; }
  Expression prescribed_angle(const Expression& t) const {
    return circular_frequency() * t - slow_down * sin(circular_frequency() * t);
  }
  Expression prescribed_rate(const Expression& t) const {
    return circular_frequency() * (1 - slow_down * cos(circular_frequency() * t));
  }
  Oar oar(int k) const {
    return k == 0 ? Oar{oar_mass_2, oar_inertia_2, centre_2} : Oar{oar_mass_3, oar_inertia_3, centre_3};
  }

  void record_drive(Recording& r) const {
    r.mass(0, 0) = crank_inertia;
    r.force[0] = drive_stiffness * (prescribed_angle(r.t) - r.q[0]) + drive_damping * (prescribed_rate(r.t) - r.v[0]);
    r.kinetic_energy = r.v[0] * r.v[0] * (crank_inertia / 2);
    r.potential_energy = Expression();
  }
  // Oar 3 is the mirror image of oar 2; its equations across and up are written with the other sign.
  void record_oar(Recording& r, int k) const {
    const Oar oar = this->oar(k);
    const Expression &gamma = r.q[2 * k + 1], &alpha = r.q[2 * k + 2];
    const Expression &gamma_dot = r.v[2 * k + 1], &alpha_dot = r.v[2 * k + 2];
    const Expression s = sin(alpha), c = cos(alpha), J = oar.inertia, moment = oar.mass * gravity * oar.centre;
    r.mass(2 * k + 1, 2 * k + 1) = c * c * J;
    r.mass(2 * k + 2, 2 * k + 2) = J;
    const Expression gyroscopic = s * c * gamma_dot * J;  // J sin(2 alpha)/2 gamma'
    r.force[2 * k + 1] = gyroscopic * alpha_dot * 2;
    r.force[2 * k + 2] = c * moment - gyroscopic * gamma_dot;
    *r.kinetic_energy += (square(c * gamma_dot) + square(alpha_dot)) * (J / 2);
    *r.potential_energy -= s * moment;

    const Expression r0 = crank_radius, r_h = *handle_length, D = sqrt(r_h * r_h - r0 * r0);  // crank plane - rowlock
    const int side = k == 0 ? 1 : -1;
    r.constraints.push_back(c * sin(gamma) * (side * r_h) - sin(r.q[0]) * r0);
    r.constraints.push_back((D - c * cos(gamma) * r_h) * side);
    r.constraints.push_back((cos(r.q[0]) * r0 - s * r_h) * side);
  }

  // The printed h_i are -G' q', the right-hand sides of G q'' = h, where the text has G q'' + h = 0; and the
  // first term of h_3 has the sign opposite to the others.
  Expressions printed_curvature(const Recording& r) const {
    const int sign_h = variant == Variant::printed_signs_h || variant == Variant::printed_h ? -1 : 1;
    const int sign_h3 = variant == Variant::printed_sign_h3 || variant == Variant::printed_h ? -1 : 1;
    const auto &q = r.q, &v = r.v;
    const Expression r0 = crank_radius;
    const Expression ahead = r0 * sin(q[0]) * v[0] * v[0], up = r0 * cos(q[0]) * v[0] * v[0];
    Expressions h;
    for (int k = 0; k < 2; ++k) {
      const int gamma = 2 * k + 1, alpha = 2 * k + 2, side = k == 0 ? 1 : -1;
      const Expression sc = sin(q[gamma]), cc = cos(q[gamma]), sa = sin(q[alpha]), ca = cos(q[alpha]);
      const Expression r_h = side * Expression(*handle_length), squares = square(v[gamma]) + square(v[alpha]);
      const Expression product = 2 * v[gamma] * v[alpha];
      h.push_back(sign_h * (ahead - r_h * (ca * sc * squares + sa * cc * product)));
      h.push_back(sign_h * r_h * (ca * cc * squares - sa * sc * product));
      h.push_back(sign_h * (r_h * sa * square(v[alpha]) - (k == 0 ? sign_h3 * up : -up)));
    }
    return h;
  }

  // sin(alpha) = (r0/r_h) cos(beta), tan(gamma2) = (r0/D) sin(beta): D > 0 keeps both within a quarter turn.
  static Motion on_constraints(const Real50& r0, const Real50& r_h, const Real50& beta, const Real50& beta_dot) {
    using T = Real50;
    T s, c;
    sincos(beta, s, c);
    const T D = sqrt(r_h * r_h - r0 * r0), sin_alpha = r0 / r_h * c, tan_gamma = r0 / D * s;
    const T alpha = asin(sin_alpha), gamma = atan(tan_gamma);
    const T alpha_dot = -r0 / r_h * s * beta_dot / sqrt(1 - sin_alpha * sin_alpha);
    const T gamma_dot = r0 / D * c * beta_dot / (1 + tan_gamma * tan_gamma);
    return {Vector<T>{{beta, gamma, alpha, -gamma, alpha}},
            Vector<T>{{beta_dot, gamma_dot, alpha_dot, -gamma_dot, alpha_dot}}};
  }
};
const ProblemEntry<RowingBoat> rowing_boat_entry;

}  // namespace
}  // namespace daelab
