// Heavy top in directors: the place x of the centre of mass and the body's axes d1, d2, d3 in space, 12 coordinates.
//
//   2 T = m |x'|^2 + E1 |d1'|^2 + E2 |d2'|^2 + E3 |d3'|^2,  E1 = E2 = J3/2,  E3 = J1 - J3/2,  V = m g x_z,
//   (|di|^2 - 1)/2 = 0,  d1.d2/2 = d1.d3/2 = d2.d3/2 = 0,  x/l - d3 = 0: constant mass, quadratic constraints.
//
// It starts inclined about the x axis, with a precession about the vertical and a spin about d3. By default it is a
// cone in steady precession, w_s = m g l/(J3 w_p) + (J1 + m l^2 - J3)/J3 w_p cos(inclination):
//
//   di(t) = Rz(w_p t) R0 Rz(w_s t) ei,  x = l d3.
//
// [KBS23] Kinon, Betsch, Schneider, The GGL variational principle for constrained mechanical systems, Multibody Syst.
// Dyn. 57 (2023) 211-236, and its programs.
#include "core/mechanism/problem.hpp"
#include "core/mechanism/spatial.hpp"

namespace daelab {
namespace {

struct HeavyTopDirectors {
  static constexpr const char* name = "heavy-top-directors";
  static constexpr const char* summary = "Heavy top in directors: 12 coordinates, 9 constraints, constant mass.";
  static constexpr const char* source = "Kinon, Betsch, Schneider 2023";
  static constexpr const char* independent_route = "steady precession in closed form";

  Exact mass = "9*pi/40", distance = "3/40", transverse_inertia = "27*pi/160000", axial_inertia = "27*pi/160000";
  Exact gravity = "9.81", inclination = "pi/3", precession = 10, spin = "135.6", end_time = 1;

  Options options() {
    return {option("mass", mass, "m [kg]", positive()),
            option("distance", distance, "l of the centre of mass from the fixed point [m]", positive()),
            option("transverse_inertia", transverse_inertia, "J1, across the axis, about the centre of mass [kg m^2]",
                   positive()),
            option("axial_inertia", axial_inertia, "J3, about the axis, less than 2 J1 [kg m^2]", positive()),
            option("gravity", gravity, "g [m/s^2]"),
            option("inclination", inclination, "of the axis, about x at the start [rad]"),
            option("precession", precession, "w_p, about the vertical at the start [rad/s]"),
            option("spin", spin, "w_s, about the axis at the start [rad/s]"),
            option("end_time", end_time, "end of the interval [s]", positive())};
  }
  void validate(const std::string& where) const {
    if (axial_inertia.value() >= 2 * transverse_inertia.value())
      throw InputError(where + "/axial_inertia", "must be less than twice the transverse one: E3 = J1 - J3/2");
  }

  void record(Recording& r) const {
    r.coordinates({"x", "y", "z"});
    for (const char* d : {"d1", "d2", "d3"})
      for (const char* axis : {"x", "y", "z"}) r.coordinates({std::string(d) + axis});
    start(r);
    const Expression m = mass, J3 = axial_inertia;
    const std::array<Expression, 4> masses{m, J3 / 2, J3 / 2, Expression(transverse_inertia) - J3 / 2};
    Expression twice;
    for (std::size_t k = 0; k < 4; ++k) {
      for (std::size_t i = 0; i < 3; ++i) r.mass(static_cast<int>(3 * k + i), static_cast<int>(3 * k + i)) = masses[k];
      twice += masses[k] * dot(vector(r.v, k), vector(r.v, k));
    }
    r.force[2] = -(m * gravity);
    r.kinetic_energy = twice / 2;
    r.potential_energy = m * gravity * r.q[2];
    const Vector3 x = vector(r.q, 0), d1 = vector(r.q, 1), d2 = vector(r.q, 2), d3 = vector(r.q, 3);
    for (const Vector3& d : {d1, d2, d3}) r.constraints.push_back((dot(d, d) - 1) / 2);
    for (const auto& [a, b] : {std::pair(d1, d2), std::pair(d1, d3), std::pair(d2, d3)})
      r.constraints.push_back(dot(a, b) / 2);
    for (std::size_t i = 0; i < 3; ++i) r.constraints.push_back(x[i] / distance - d3[i]);
    for (std::size_t i = 0; i < 3; ++i) r.observe(std::string("centre_") + "xyz"[i], x[i]);
    Expression vertical;
    for (std::size_t k = 0; k < 4; ++k) vertical += masses[k] * cross(vector(r.q, k), vector(r.v, k))[2];
    r.conserve("vertical_momentum", vertical);
    r.conserve("axial_momentum", J3 / 2 * (dot(d2, vector(r.v, 1)) - dot(d1, vector(r.v, 2))));
  }

  // Draws a cone on its tip.
  void draw(const Recording& r, Outline& o) const {
    const Expression l = distance;
    const Vector3 centre = vector(r.q, 0), d1 = vector(r.q, 1), d2 = vector(r.q, 2), d3 = vector(r.q, 3);
    const auto point = [](const Vector3& x) { return OutlinePoint{x[0], x[1], x[2]}; };
    o.is_spatial = true;
    std::vector<OutlinePoint> rim;
    constexpr int sides = 36;
    for (int i = 0; i < sides; ++i) {
      const Expression turn = Exact("2 pi") * Expression(i) / sides, radius = l * Exact("2/3");
      rim.push_back(point(l * Exact("4/3") * d3 + (radius * cos(turn)) * d1 + (radius * sin(turn)) * d2));
    }
    o.axis({0, 0, 0}, {0, 0, l * 2}, "z");
    o.polygon(rim);
    for (const std::size_t i : {0, 9, 18, 27}) o.line({{0, 0, 0}, rim[i]});
    o.support({0, 0, 0}, "O");
    o.mass(point(centre), "m");
    o.arrow(point(centre), {centre[0], centre[1], centre[2] - l}, "m g");
  }

  std::optional<Motion> independent_solution(const Real50& time, int /*digits*/) const {
    const Real100 w = precession.value(), l = distance.value(), J3 = axial_inertia.value(), m = mass.value();
    const Real100 across = transverse_inertia.value() + m * l * l - J3;
    const Real100 steady = m * gravity.value() * l + across * w * w * cos(inclination.value());
    if (abs(steady - J3 * w * spin.value()) > abs(steady) * Real100("1e-60")) return {};
    const Real100 turned = spin.value() * time, a = w * time, tilt = inclination.value();
    const auto in_space = [&](const Real100& x, const Real100& y, const Real100& z) {
      const Real100 y1 = cos(tilt) * y - sin(tilt) * z, z1 = sin(tilt) * y + cos(tilt) * z;
      return std::array<Real100, 3>{cos(a) * x - sin(a) * y1, sin(a) * x + cos(a) * y1, z1};
    };
    const std::array axes{in_space(cos(turned), sin(turned), 0), in_space(-sin(turned), cos(turned), 0),
                          in_space(0, 0, 1)};
    const std::array<Real100, 3> omega{spin.value() * axes[2][0], spin.value() * axes[2][1],
                                       w + spin.value() * axes[2][2]};
    Motion motion{Vector<Real50>(12), Vector<Real50>(12)};
    for (Index k = 0; k < 4; ++k)
      for (Index i = 0; i < 3; ++i) {
        const auto& d = axes[static_cast<std::size_t>(k == 0 ? 2 : k - 1)];
        const auto j = static_cast<std::size_t>(i), j1 = (j + 1) % 3, j2 = (j + 2) % 3;
        const Real100 scale = k == 0 ? l : Real100(1);
        motion.q[3 * k + i] = static_cast<Real50>(Real100(scale * d[j]));
        motion.v[3 * k + i] = static_cast<Real50>(Real100(scale * (omega[j1] * d[j2] - omega[j2] * d[j1])));
      }
    return motion;
  }

 private:
  static Vector3 vector(const Expressions& list, std::size_t k) {
    return {list[3 * k], list[3 * k + 1], list[3 * k + 2]};
  }
  void start(Recording& r) const {
    const Matrix3 R0 = turn_about(0, inclination);
    const Vector3 d3 = column(R0, 2), omega = Vector3{0, 0, precession} + Expression(spin) * d3;
    const std::array<Vector3, 4> places{Expression(distance) * d3, column(R0, 0), column(R0, 1), d3};
    for (std::size_t k = 0; k < 4; ++k) {
      const Vector3 velocity = cross(omega, places[k]);
      for (std::size_t i = 0; i < 3; ++i) r.start_q[3 * k + i] = places[k][i], r.start_v[3 * k + i] = velocity[i];
    }
  }
};
const ProblemEntry<HeavyTopDirectors> heavy_top_directors_entry;

}  // namespace
}  // namespace daelab
