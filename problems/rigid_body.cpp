// Free rigid body, whose rotation is a state: J Omega' + Omega x J Omega = 0, R' = R Omega~.
//
// Conserved: the energy and the angular momentum in space, R J Omega. Where J1 = J2 = A, C = J3, the motion is regular:
//
//   R(t) = exp(t L/A) R0 exp(t (1 - C/A) Omega3 e3),  L = R0 J Omega0,  R0 = I.
//
// The default is the body and start of a test of a wind turbine program, test_precession of kynema.
//
// [LL76] Landau, Lifshitz, Mechanics, 3rd ed., Butterworth-Heinemann, 1976, Sec. 33-37.
#include "core/mechanism/lie_group.hpp"
#include "core/mechanism/problem.hpp"
#include "core/mechanism/rotations.hpp"

namespace daelab {
namespace {

struct RigidBody {
  static constexpr const char* name = "rigid-body";
  static constexpr const char* summary = "Free rigid body whose rotation is a state: Euler's equations.";
  static constexpr const char* source = "Landau, Lifshitz 1976, Sec. 36; kynema, test_precession";
  static constexpr const char* independent_route = "regular precession of a symmetric body, in closed form";

  Exact inertia_x = 1, inertia_y = 1, inertia_z = "1/2";
  Exact omega_x = "1/2", omega_y = "1/2", omega_z = 1, end_time = 5;

  Options options() {
    return {option("inertia_x", inertia_x, "J1 [kg m^2]", positive()),
            option("inertia_y", inertia_y, "J2 [kg m^2]", positive()),
            option("inertia_z", inertia_z, "J3 [kg m^2]", positive()),
            option("omega_x", omega_x, "angular velocity at the start, body axes [rad/s]"),
            option("omega_y", omega_y, "the same [rad/s]"),
            option("omega_z", omega_z, "the same [rad/s]"),
            option("end_time", end_time, "end of the interval [s]", positive())};
  }

  void record(Recording& r) const {
    Rotation body(r, "R");
    body.start_with(r, {omega_x, omega_y, omega_z});
    const Vector3 omega = body.angular_velocity(), momentum = diagonal(inertia_x, inertia_y, inertia_z) * omega;
    const Vector3 in_space = body.matrix() * momentum;
    r.kinetic_energy = dot(omega, momentum) / 2;
    r.potential_energy = Expression();
    for (std::size_t i = 0; i < 3; ++i) r.observe(std::string("axis_") + "xyz"[i], body.matrix()[i][2]);
    for (std::size_t i = 0; i < 3; ++i) r.conserve(std::string("momentum_") + "xyz"[i], in_space[i]);
  }

  // A box with the longest edges along the axis of least inertia.
  void draw(const Recording& r, Outline& o) const {
    const Matrix3 R = Rotation(r, r.groups.front()).matrix();
    const Vector3 half{edge(inertia_y, inertia_z, inertia_x), edge(inertia_z, inertia_x, inertia_y),
                       edge(inertia_x, inertia_y, inertia_z)};
    o.is_spatial = true;
    const auto corner = [&](int x, int y, int z) {
      const Vector3 at = R * Vector3{half[0] * x, half[1] * y, half[2] * z};
      return OutlinePoint{at[0], at[1], at[2]};
    };
    for (const int z : {-1, 1}) o.polygon({corner(-1, -1, z), corner(1, -1, z), corner(1, 1, z), corner(-1, 1, z)});
    for (const int x : {-1, 1})
      for (const int y : {-1, 1}) o.line({corner(x, y, -1), corner(x, y, 1)});
    o.axis({0, 0, 0}, {0, 0, 2}, "z");
    o.mass({0, 0, 0}, "J");
  }

  std::optional<Motion> independent_solution(const Real50& t, int /*digits*/) const {
    if (inertia_x.value() != inertia_y.value()) return {};
    using T = Real50;
    const T A = inertia_x.as<T>(), C = inertia_z.as<T>();
    const lie::Vector3<T> omega{omega_x.as<T>(), omega_y.as<T>(), omega_z.as<T>()};
    const lie::Vector3<T> precession{omega[0], omega[1], T(omega[2] * C / A)};
    const T spin = (1 - C / A) * omega[2];
    const lie::Quaternion<T> turn = lie::product(lie::exponential(lie::Vector3<T>(t * precession)),
                                                 lie::exponential(lie::Vector3<T>(0, 0, T(t * spin))));
    const T s = sin(T(spin * t)), c = cos(T(spin * t));
    return Motion{lie::logarithm(turn),
                  Vector<T>{{T(c * omega[0] + s * omega[1]), T(c * omega[1] - s * omega[0]), omega[2]}}};
  }

 private:
  // Half an edge of the box of unit mass with these moments, as long as there is one: of a triple that no body has, 0.
  static Expression edge(const Exact& J, const Exact& K, const Exact& across) {
    return sqrt(max(Expression(J) + K - across, 0) * 3) / 2;
  }
};
const ProblemEntry<RigidBody> rigid_body_entry;

}  // namespace
}  // namespace daelab
