// Heavy top about a fixed point whose rotation is a state, in three descriptions of the same motion:
//
//   so3:    R,     2 T = Omega.(J - m X~ X~) Omega,                                       no constraint,
//   so3xr3: R, x,  2 T = Omega.J Omega + m |x'|^2, x in space axes,                       R^T x - X = 0,
//   se3:    (R, x) one motion, velocities Omega and R^T x' in body axes, the same energy, R^T x - X = 0,
//
//   V = m g e3.x, X = (0, 1, 0) the centre of mass in body axes, J about it, y the axis of symmetry.
//
// The start moves the axis horizontally. Parameters: "fast" top; the "slow" one starts with a hundredth of its angular
// velocity, omega_y = 3/2, omega_z = -0.0461538. Omega_y is constant.
//
// [BCA12] Bruels, Cardona, Arnold, Lie group generalized-alpha time integration of constrained flexible multibody
// systems, Mech. Mach. Theory 48 (2012) 121-137.
// [HA21] Hante, Arnold, RATTLie: a variational Lie group integration scheme for constrained mechanical systems, J.
// Comput. Appl. Math. 387 (2021) 112492; parameters of its program.
#include <fmt/format.h>

#include "core/mechanism/problem.hpp"
#include "core/mechanism/rotations.hpp"

namespace daelab {
namespace {

struct HeavyTopSo3 {
  static constexpr const char* name = "heavy-top-so3";
  static constexpr const char* summary =
      "Heavy top whose rotation is a state, with a fixed point or a body and its constraint: for Lie group methods.";
  static constexpr const char* source = "Bruels, Cardona, Arnold 2012; Hante, Arnold 2021";

  enum class Description { so3, so3xr3, se3 };
  friend std::vector<std::string> names_of(Description) { return {"so3", "so3xr3", "se3"}; }

  Exact mass = 15, distance = 1, transverse_inertia = "0.234375", axial_inertia = "0.46875", gravity = "9.81";
  Exact elevation = 0, omega_x = 0, omega_y = 150, omega_z = "-4.61538", end_time = 1;
  Description description = Description::so3;

  Options options() {
    return {option("description", description,
                   "so3: fixed point; so3xr3: rotation and place, constraint; se3: motion of the body, constraint"),
            option("mass", mass, "m [kg]", positive()),
            option("distance", distance, "of the centre of mass from the fixed point [m]", positive()),
            option("transverse_inertia", transverse_inertia, "across the axis, about the centre of mass [kg m^2]",
                   positive()),
            option("axial_inertia", axial_inertia, "about the axis [kg m^2]", positive()),
            option("gravity", gravity, "g [m/s^2]"),
            option("elevation", elevation, "of the axis above the horizontal plane, at the start [rad]"),
            option("omega_x", omega_x, "angular velocity at the start, body axes [rad/s]"),
            option("omega_y", omega_y, "the same about the axis; 3/2 is the slow top [rad/s]"),
            option("omega_z", omega_z, "the same; -0.0461538 is the slow top [rad/s]"),
            option("end_time", end_time, "end of the interval [s]", positive())};
  }

  void record(Recording& r) const {
    const Expression m = mass, l = distance;
    const Quaternion start = quaternion_of_axis({1, 0, 0}, elevation);
    const Matrix3 R0 = matrix_of_quaternion(start);
    const Vector3 X{0, l, 0}, omega0{omega_x, omega_y, omega_z}, u0 = cross(omega0, X);
    const Matrix3 J = diagonal(transverse_inertia, axial_inertia, transverse_inertia);
    switch (description) {
      case Description::so3: {
        Rotation body(r, "R");
        body.start_at(r, start), body.start_with(r, omega0);
        const Vector3 omega = body.angular_velocity(), velocity = cross(omega, X);
        set_energy(r, (dot(omega, J * omega) + m * dot(velocity, velocity)) / 2, body.matrix() * X);
        observe(r, body, body.matrix() * X);
        return;
      }
      case Description::so3xr3: {
        Rotation body(r, "R");
        r.coordinates({"x", "y", "z"});
        body.start_at(r, start), body.start_with(r, omega0);
        const Vector3 x0 = R0 * X, v0 = R0 * u0;
        for (std::size_t i = 0; i < 3; ++i) r.start_q[3 + i] = x0[i], r.start_v[3 + i] = v0[i];
        const Vector3 x{r.q[3], r.q[4], r.q[5]}, velocity{r.v[3], r.v[4], r.v[5]};
        record_free_body(r, body, J, x, velocity, X);
        return;
      }
      case Description::se3: {
        RigidMotion body(r, "R");
        body.start_at_place(r, R0 * X);
        body.start_at(r, start), body.start_with(r, omega0, u0);
        record_free_body(r, body, J, body.place(), body.velocity_in_base_axes(), X);
        return;
      }
    }
  }

  // Draws a disc on its shaft.
  void draw(const Recording& r, Outline& o) const {
    const Expression l = distance;
    const Vector3 centre{r.observables[0], r.observables[1], r.observables[2]};
    Matrix3 R;
    for (std::size_t i = 0; i < 9; ++i) R[i / 3][i % 3] = r.observables[3 + i];
    o.is_spatial = true;
    std::vector<OutlinePoint> rim;
    constexpr int sides = 36;
    for (int i = 0; i < sides; ++i) {
      const Expression turn = Exact("2 pi") * Expression(i) / sides;
      rim.push_back(point(centre + R * Vector3{l / 2 * cos(turn), 0, l / 2 * sin(turn)}));
    }
    o.axis({0, 0, 0}, {0, 0, l * 2}, "z");
    o.polygon(rim);
    o.line({point(centre), rim[0]});
    o.line({{0, 0, 0}, point(Expression(Exact("6/5")) * centre)});
    o.support({0, 0, 0}, "O");
    o.mass(point(centre), "m");
    o.dimension({0, 0, 0}, point(centre), "X", -2);
    o.arrow(point(centre), point(centre - Vector3{0, 0, l}), "m g");
  }

 private:
  static OutlinePoint point(const Vector3& x) { return {x[0], x[1], x[2]}; }
  void set_energy(Recording& r, const Expression& kinetic, const Vector3& x) const {
    r.kinetic_energy = kinetic;
    r.potential_energy = Expression(mass) * gravity * x[2];
  }
  void record_free_body(Recording& r, const Rotation& body, const Matrix3& J, const Vector3& x, const Vector3& velocity,
                        const Vector3& X) const {
    const Vector3 omega = body.angular_velocity();
    set_energy(r, (dot(omega, J * omega) + Expression(mass) * dot(velocity, velocity)) / 2, x);
    const Vector3 apart = transposed(body.matrix()) * x - X;
    r.constraints = {apart[0], apart[1], apart[2]};
    observe(r, body, x);
  }
  void observe(Recording& r, const Rotation& body, const Vector3& x) const {
    const Vector3 omega = body.angular_velocity(), space = body.matrix() * omega;
    for (std::size_t i = 0; i < 3; ++i) r.observe(std::string("centre_") + "xyz"[i], x[i]);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) r.observe(fmt::format("R{}{}", i + 1, j + 1), body.matrix()[i][j]);
    for (std::size_t i = 0; i < 3; ++i) r.observe(std::string("omega_") + "xyz"[i], omega[i]);
    r.observe("space_omega_y", space[1]);
    const Quaternion p = body.quaternion();
    for (std::size_t i = 0; i < 4; ++i) r.observe(fmt::format("p{}", i + 1), p[i]);
    const Vector3 momentum = diagonal(transverse(), axial_inertia, transverse()) * omega;
    r.conserve("vertical_momentum", (body.matrix() * momentum)[2]);
    r.conserve("axial_momentum", momentum[1]);
  }
  // About the fixed point.
  Expression transverse() const { return Expression(transverse_inertia) + Expression(mass) * distance * distance; }
};
const ProblemEntry<HeavyTopSo3> heavy_top_so3_entry;

}  // namespace
}  // namespace daelab
