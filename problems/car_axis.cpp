// Car axis on a bumpy road: a stiff problem whose constraints depend on time.
//
//   q = (xl, yl, xr, yr) [m], ends of the axis, each with the mass (M eps^2/2). Springs of stiffness 1 and length L0
//   join them to the wheels at (0, 0) and (xb, yb), yb = r sin(omega t), xb = sqrt(L^2 - yb^2).
//   C_1 = xl xb + yl yb: the left spring stands perpendicular on the line of the wheels;
//   C_2 = (xl-xr)^2 + (yl-yr)^2 - L^2: the axis is rigid.
//
// The test set writes M q'' = f + C_q^T lambda. Here it is M q'' + C_q^T lambda = f: multipliers have the opposite
// sign. All numbers are those of the test set, without units. Energy is that of the springs, the weight and the
// motion; the road drives it.
#include "core/problem.hpp"

namespace daelab {
namespace {

template <class T>
struct CarAxisModel {
  static constexpr int directions = 4;
  static constexpr bool constant_mass = true;
  T m, L, L0, r, omega, g;  // m = M eps^2/2

  Index coordinates() const { return 4; }
  Index constraints() const { return 2; }
  Vector<T> initial_q() const { return Vector<T>{{T(0), L0, L, L0}}; }
  // The axis turns with the wheels: xl' L + L0 r omega = 0.
  Vector<T> initial_v() const {
    const T speed = -L0 * r * omega / L;
    return Vector<T>{{speed, T(0), speed, T(0)}};
  }

  template <class S>
  void mass(const S& /*t*/, const Vector<S>& /*q*/, Matrix<S>& M) const {
    for (Index i = 0; i < 4; ++i) M(i, i) = S(m);
  }
  template <class S>
  void force(const S& t, const Vector<S>& q, const Vector<S>& /*v*/, Vector<S>& Q) const {
    S xb, yb;
    right_wheel(t, xb, yb);
    const S dx = q[2] - xb, dy = q[3] - yb;
    const S left = L0 / spring_length(q[0], q[1]) - S(T(1)), right = L0 / spring_length(dx, dy) - S(T(1));
    Q[0] = left * q[0];
    Q[1] = left * q[1] - S(T(m * g));
    Q[2] = right * dx;
    Q[3] = right * dy - S(T(m * g));
  }
  template <class S>
  void constraint(const S& t, const Vector<S>& q, Vector<S>& C) const {
    S xb, yb;
    right_wheel(t, xb, yb);
    const S dx = q[0] - q[2], dy = q[1] - q[3];
    C[0] = q[0] * xb + q[1] * yb;
    C[1] = dx * dx + dy * dy - S(T(L * L));
  }
  template <class S>
  Energy<S> energy(const S& t, const Vector<S>& q, const Vector<S>& v) const {
    S xb, yb;
    right_wheel(t, xb, yb);
    const S left = spring_length(q[0], q[1]) - S(L0), right = spring_length(S(q[2] - xb), S(q[3] - yb)) - S(L0);
    return {(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]) * T(m / 2),
            (left * left + right * right) / T(2) + (q[1] + q[3]) * T(m * g)};
  }

 private:
  template <class S>
  void right_wheel(const S& t, S& xb, S& yb) const {
    using std::sin;
    using std::sqrt;
    yb = sin(t * omega) * r;
    xb = sqrt(S(T(L * L)) - yb * yb);
  }
  template <class S>
  static S spring_length(const S& x, const S& y) {
    using std::sqrt;
    return sqrt(x * x + y * y);
  }
};

struct CarAxis {
  static constexpr const char* name = "car-axis";
  static constexpr const char* summary = "Stiffly sprung axis on a wavy road, constraints depending on time.";
  static constexpr const char* source = "Test Set for IVP Solvers 2.4, II-17";
  static constexpr bool conserves_energy = false;  // the road drives it

  Exact mass = 10, eps = "1/100", length = 1, spring_length = "1/2", road_height = "1/10", frequency = 10;
  Exact gravity = 1, end_time = 3;

  Options options() {
    return {option("mass", mass, "M", positive()),
            option("eps", eps, "the masses are M eps^2/2: the smaller, the stiffer", positive()),
            option("length", length, "L of the axis; above road_height", positive()),
            option("spring_length", spring_length, "L0", positive()),
            option("road_height", road_height, "r, amplitude of the road"),
            option("frequency", frequency, "omega of the road"),
            option("gravity", gravity, "g"),
            option("end_time", end_time, "T", positive())};
  }
  void validate(const std::string& where) const {
    if (abs(road_height.value()) >= length.value())
      throw InputError(where + "/road_height",
                       fmt::format("an axis of length {} cannot span a bump of {}; allowed: below {}", length.text(),
                                   road_height.text(), length.text()));
  }

  template <class T>
  CarAxisModel<T> model() const {
    return {static_cast<T>(Real100(mass.value() * eps.value() * eps.value() / 2)), length.as<T>(),
            spring_length.as<T>(), road_height.as<T>(), frequency.as<T>(), gravity.as<T>()};
  }
};
const ProblemEntry<CarAxis> car_axis_entry;

}  // namespace
}  // namespace daelab
