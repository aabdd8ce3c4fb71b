// Point mass on a massless rod in space, in Cartesian coordinates: the spherical pendulum, and its closed motion at
// constant height, the conical pendulum.
//
//   q = (x, y, z) [m],  M = m I [kg],  Q = (0, 0, -m g) [N],  C = (x^2 + y^2 + z^2 - L^2)/2 [m^2],
//   lambda = rod force per length [N/m]. Conserved: the energy and m (x y' - y x') about the vertical.
//
// In angles, th from the downward vertical and phi about it, with p = phi' sin^2 th:
//   th'' = p^2 cos th/sin^3 th - g/L sin th.
// th = alpha is constant for phi' = w, w^2 = g/(L cos alpha): lambda = m w^2.
//
// [KBS23] Kinon, Betsch, Schneider, The GGL variational principle for constrained mechanical systems, Multibody Syst.
// Dyn. 57 (2023) 211-236, and its programs: data and start of the spherical pendulum.
// [LL76] Landau, Lifshitz, Mechanics, 3rd ed., Butterworth-Heinemann, 1976, Sec. 14, Problem 1.
#include "core/integration/extrapolation.hpp"
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

void record_spherical_pendulum(Recording& r, const Expression& m, const Expression& g, const Expression& L) {
  r.coordinates({"x", "y", "z"});
  const auto &q = r.q, &v = r.v;
  for (int i = 0; i < 3; ++i) r.mass(i, i) = m;
  r.force[2] = -m * g;
  r.constraints = {(square(q[0]) + square(q[1]) + square(q[2]) - square(L)) / 2};
  r.kinetic_energy = m * (square(v[0]) + square(v[1]) + square(v[2])) / 2;
  r.potential_energy = m * g * q[2];
  r.conserve("vertical_momentum", m * (q[0] * v[1] - q[1] * v[0]));
}

void draw_spherical_pendulum(const Recording& r, const Expression& L, Outline& o) {
  const OutlinePoint origin{0, 0, 0}, mass{r.q[0], r.q[1], r.q[2]};
  o.is_spatial = true;
  o.axis(origin, {0, 0, L}, "z");
  o.axis(origin, {0, 0, -L});
  o.line({origin, mass});
  o.support(origin, "O"), o.mass(mass, "m");
  o.dimension(origin, mass, "L");
}

// From the angles and their rates.
Motion on_the_sphere(const Real50& L, const Real50& theta, const Real50& phi, const Real50& theta_rate,
                     const Real50& phi_rate) {
  using T = Real50;
  T s, c, sine, cosine;
  sincos(theta, s, c);
  sincos(phi, sine, cosine);
  const T out = L * s, slope = L * c * theta_rate, around = out * phi_rate;
  return {Vector<T>{{out * cosine, out * sine, -L * c}},
          Vector<T>{{slope * cosine - around * sine, slope * sine + around * cosine, L * s * theta_rate}}};
}

struct SphericalPendulum {
  static constexpr const char* name = "spherical-pendulum";
  static constexpr const char* summary = "Point mass on a massless rod in space, in Cartesian coordinates.";
  static constexpr const char* source = "Kinon, Betsch, Schneider 2023; Landau, Lifshitz 1976, Sec. 14";
  static constexpr const char* independent_route =
      "Gragg-Bulirsch-Stoer extrapolation of the equations in two angles, the momentum about the vertical eliminated";

  Exact mass = 1, gravity = "9.81", length = 1;
  Exact x = 1, y = 0, z = 0, vx = 0, vy = 1, vz = 0, end_time = 10;

  Options options() {
    return {option("mass", mass, "m [kg]", positive()),
            option("gravity", gravity, "g, downwards along z [m/s^2]"),
            option("length", length, "L of the rod [m]", positive()),
            option("x", x, "start [m]"),
            option("y", y, "start [m]"),
            option("z", z, "start [m]"),
            option("vx", vx, "start [m/s]"),
            option("vy", vy, "start [m/s]"),
            option("vz", vz, "start [m/s]"),
            option("end_time", end_time, "[s]", positive())};
  }

  void record(Recording& r) const {
    record_spherical_pendulum(r, mass, gravity, length);
    r.start_q = {x, y, z}, r.start_v = {vx, vy, vz};
  }
  void draw(const Recording& r, Outline& o) const { draw_spherical_pendulum(r, length, o); }

  // Not through the poles: only where it turns about the vertical.
  std::optional<Motion> independent_solution(const Real50& t, int digits) const {
    using T = Real50;
    const T L = length.as<T>(), pull = gravity.as<T>() / L;
    const T a = x.as<T>() / L, b = y.as<T>() / L, c = -z.as<T>() / L, s2 = a * a + b * b;
    const T va = vx.as<T>() / L, vb = vy.as<T>() / L, p = a * vb - b * va, theta_rate = vz.as<T>() / L / sqrt(s2);
    const bool is_consistent =
        abs(T(s2 + c * c - 1)) < T("1e-40") && abs(T(a * va + b * vb - c * vz.as<T>() / L)) < T("1e-40");
    if (!is_consistent || abs(p) < T("1e-6")) return {};
    const auto angles = [&](const T&, const Vector<T>& at, Vector<T>& rates) {
      T sine, cosine;
      sincos(at[0], sine, cosine);
      const T turning = p / (sine * sine);
      rates[0] = at[2], rates[1] = turning;
      rates[2] = turning * turning * sine * cosine - pull * sine;
    };
    // Order about the digits wanted; steps well inside the distance to the nearest complex singularity.
    const int steps = std::max(1, static_cast<int>(ceil(4 * digits * t)));
    const Vector<T> start{{atan2(T(sqrt(s2)), c), atan2(b, a), theta_rate}};
    const Vector<T> end = extrapolate<T>(angles, T(0), start, t, steps, digits / 2 - 2);
    const T sine = sin(end[0]);
    return on_the_sphere(L, end[0], end[1], end[2], T(p / (sine * sine)));
  }
};

struct ConicalPendulum {
  static constexpr const char* name = "conical-pendulum";
  static constexpr const char* summary = "Spherical pendulum that goes round at constant height: a closed motion.";
  static constexpr const char* source = "Landau, Lifshitz 1976, Sec. 14; data of daelab's authors";
  static constexpr const char* independent_route = "rotation about the vertical in closed form";

  Exact mass = 1, gravity = "9.81", length = 1, inclination = "pi/6", end_time = 10;

  Options options() {
    return {option("mass", mass, "m [kg]", positive()),
            option("gravity", gravity, "g, downwards along z [m/s^2]", positive()),
            option("length", length, "L of the rod [m]", positive()),
            option("inclination", inclination, "alpha of the rod from the vertical, below a quarter turn [rad]",
                   positive()),
            option("end_time", end_time, "[s]", positive())};
  }
  void validate(const std::string& where) const {
    if (inclination.value() >= Exact("pi/2").value())
      throw InputError(where + "/inclination", "must be below pi/2, where no rotation holds the mass");
  }

  void record(Recording& r) const {
    record_spherical_pendulum(r, mass, gravity, length);
    const Expression L = length, s = sin(Expression(inclination)), c = cos(Expression(inclination));
    r.start_q = {L * s, 0, -L * c}, r.start_v = {0, L * s * sqrt(gravity / (L * c)), 0};
    r.observe("height", r.q[2]);
  }
  void draw(const Recording& r, Outline& o) const {
    draw_spherical_pendulum(r, length, o);
    o.angle({0, 0, 0}, {0, 0, -Expression(length)}, {r.q[0], r.q[1], r.q[2]}, "α");
  }

  std::optional<Motion> independent_solution(const Real50& t, int /*digits*/) const {
    using T = Real50;
    const T L = length.as<T>(), alpha = inclination.as<T>(), w = sqrt(T(gravity.as<T>() / (L * cos(alpha))));
    return on_the_sphere(L, alpha, T(w * t), T(0), w);
  }
};

const ProblemEntry<SphericalPendulum> spherical_pendulum_entry;
const ProblemEntry<ConicalPendulum> conical_pendulum_entry;

}  // namespace
}  // namespace daelab
