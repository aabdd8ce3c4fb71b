// Stiff flyball governor (IFToMM A05) in its three degrees of freedom, without constraints.
//
//   q = (psi [rad] shaft, al [rad] rods below the horizontal, z [m] height of the slider),
//   2 T = J(al) psi'^2 + 2 I al'^2 + m_z z'^2,
//   J = Jf + 2 (Ia sin^2 al + It cos^2 al + m_r (d + L cos(al)/2)^2 + m_b (d + L cos al)^2),
//   V = g (m_z z - (m_r L/2 + m_b L) 2 sin al) + 2 K (l - l0)^2/2,
//   spring and damper: each force K (l - l0) + C l' along the line from the slider to the middle of a rod,
//   l^2 = (L cos(al)/2)^2 + (L - L sin(al)/2 - z)^2.
//
// Two rods of length L, hinged at the distance d of the axis to the top of a shaft of the same size, with a mass m_b
// at the end of each; a cube slides on the shaft. Jf: shaft and slider about the axis; Ia, It: a rod along and
// across, It about its centre; I = It + m_r L^2/4 + m_b L^2. psi is cyclic, so J psi' is conserved; energy is not,
// because of the dampers. Their rate, about 8e3/s against a motion of seconds, makes the problem stiff.
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

struct FlyballGovernor {
  static constexpr const char* name = "flyball-governor";
  static constexpr const char* summary = "Stiff flyball governor in three coordinates: fast dampers, slow swing.";
  static constexpr const char* source = "IFToMM multibody benchmark library, problem A05";
  static constexpr bool conserves_energy = false;  // dampers

  Exact length = 1, width = "0.01", slider_width = "0.1", offset = "0.05", density = 3000, ball_mass = 5;
  Exact stiffness = "8e5", damping = "4e4", rest_length = "0.5", gravity = "9.81";
  Exact angle = "pi/6", height = "0.5", speed = "2 pi", end_time = 10;

  Options options() {
    return {option("length", length, "L of the shaft and of the rods [m]", positive()),
            option("width", width, "of their square cross-section [m]", positive()),
            option("slider_width", slider_width, "edge of the cube on the shaft [m]", positive()),
            option("offset", offset, "d, hinges from the axis [m]", at_least(0)),
            option("density", density, "of shaft, rods and slider [kg/m^3]", positive()),
            option("ball_mass", ball_mass, "m_b at the end of each rod [kg]", at_least(0)),
            option("stiffness", stiffness, "K of each spring [N/m]", at_least(0)),
            option("damping", damping, "C of each damper [N s/m]; 0: energy is conserved", at_least(0)),
            option("rest_length", rest_length, "l0 of the springs [m]"),
            option("gravity", gravity, "g [m/s^2]"),
            option("angle", angle, "start of al [rad]"),
            option("height", height, "start of z [m]"),
            option("speed", speed, "start of psi' [rad/s]"),
            option("end_time", end_time, "[s]", positive())};
  }

  void record(Recording& r) const {
    r.coordinates({"psi", "al", "z"});
    r.start_q = {0, angle, height};
    r.start_v = {speed, 0, 0};
    const auto& q = r.q;
    const auto& v = r.v;
    const Expression L = length, d = offset, ball = ball_mass, K = stiffness, C = damping, g = gravity;
    const Expression w2 = square(width), edge = slider_width;
    const Expression rod = density * L * w2, slider = density * edge * edge * edge;  // masses
    const Expression Ia = rod * w2 / 6, It = rod * (square(L) + w2) / 12, Jf = Ia + slider * square(edge) / 6;
    const Expression swing = 2 * (It + (rod / 4 + ball) * square(L));  // 2 I
    Expression s, c;
    sincos(q[1], s, c);

    const Expression middle = c * (L / 2) + d, end = c * L + d;  // of a rod, from the axis
    const Expression J = 2 * (square(s) * Ia + square(c) * It + square(middle) * rod + square(end) * ball) + Jf;
    const Expression J_al = 2 * s * (c * (2 * (Ia - It)) - middle * (rod * L) - end * (2 * ball * L));
    r.mass(0, 0) = J;
    r.mass(1, 1) = swing;
    r.mass(2, 2) = slider;

    const Expression x = c * (L / 2), z = L - s * (L / 2) - q[2], l = sqrt(square(x) + square(z)),
                     stretch = l - rest_length;
    const Expression l_al = -(s * x + c * z) * (L / 2) / l, l_z = -z / l;
    const Expression pull = 2 * (stretch * K + (l_al * v[1] + l_z * v[2]) * C), lift = g * L * (rod + 2 * ball);
    r.force[0] = -J_al * v[1] * v[0];
    r.force[1] = J_al * square(v[0]) / 2 + c * lift - pull * l_al;
    r.force[2] = -pull * l_z - slider * g;

    r.kinetic_energy = (J * square(v[0]) + square(v[1]) * swing + square(v[2]) * slider) / 2;
    r.potential_energy = q[2] * (slider * g) - s * lift + square(stretch) * K;
    r.observe("angular_momentum", J * v[0]);
  }

  // In the plane that turns with the shaft.
  void draw(const Recording& r, Outline& o) const {
    const Expression L = length, d = offset, half = Expression(slider_width) / 2, &al = r.q[1], &z = r.q[2];
    o.line({{0, 0}, {0, L}, {-d, L}, {d, L}});
    o.support({0, 0});
    o.polygon({{-half, z - half}, {half, z - half}, {half, z + half}, {-half, z + half}});
    o.label({half, z - half}, "m_z");
    for (const int side : {-1, 1}) {
      const Expression across = cos(al) * L, down = sin(al) * L;
      const OutlinePoint hinge{side * d, L}, ball{side * (d + across), L - down};
      const OutlinePoint middle{side * (d + across / 2), L - down / 2};
      o.line({hinge, ball}, side > 0 ? "L" : "");
      o.spring({side * d, z}, middle, side > 0 ? "K, C" : "");
      o.joint(hinge), o.joint(middle), o.mass(ball, "m_b");
      if (side > 0) o.angle(hinge, {d + L, L}, ball, "α");
    }
    o.dimension({0, 0}, {0, z}, "z", 3);
  }
};
const ProblemEntry<FlyballGovernor> flyball_governor_entry;

}  // namespace
}  // namespace daelab
