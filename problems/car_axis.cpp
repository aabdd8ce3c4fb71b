// Car axis on a bumpy road: a stiff problem whose constraints depend on time.
//
//   q = (xl, yl, xr, yr) [m], ends of the axis, each with the mass (M eps^2/2). Springs of stiffness 1 and length L0
//   join them to the wheels at (0, 0) and (xb, yb), yb = r sin(omega t), xb = sqrt(L^2 - yb^2).
//   C_1 = xl xb + yl yb: the left spring is perpendicular to the line of the wheels;
//   C_2 = (xl-xr)^2 + (yl-yr)^2 - L^2: the axis is rigid.
//
// The test set writes M q'' = f + C_q^T lambda. Here it is M q'' + C_q^T lambda = f: multipliers have the opposite
// sign. All numbers are those of the test set, without units. Energy is that of the springs, the weight and the
// motion; the road drives it.
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

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
      throw InputError(where + "/road_height", "an axis of length " + length.text() + " cannot span a bump of " +
                                                   road_height.text() + "; allowed: below " + length.text());
  }

  void record(Recording& r) const {
    r.coordinates({"xl", "yl", "xr", "yr"});
    const Expression m = mass * eps * eps / 2, L = length, L0 = spring_length, g = gravity;
    const auto &q = r.q, &v = r.v;
    // The axis turns with the wheels: xl' L + L0 r omega = 0.
    const Expression speed = -L0 * road_height * frequency / L;
    r.start_q = {0, L0, L, L0}, r.start_v = {speed, 0, speed, 0};

    const auto [xb, yb] = right_wheel(r.t);
    const Expression dx = q[2] - xb, dy = q[3] - yb;
    const Expression left = sqrt(square(q[0]) + square(q[1])), right = sqrt(square(dx) + square(dy));
    const Expression pull_left = L0 / left - 1, pull_right = L0 / right - 1;
    for (int i = 0; i < 4; ++i) r.mass(i, i) = m;
    r.force = {pull_left * q[0], pull_left * q[1] - m * g, pull_right * dx, pull_right * dy - m * g};
    r.constraints = {q[0] * xb + q[1] * yb, square(q[0] - q[2]) + square(q[1] - q[3]) - square(L)};
    r.kinetic_energy = (square(v[0]) + square(v[1]) + square(v[2]) + square(v[3])) * (m / 2);
    r.potential_energy = (square(left - L0) + square(right - L0)) / 2 + (q[1] + q[3]) * (m * g);
  }

  void draw(const Recording& r, Outline& o) const {
    const auto [xb, yb] = right_wheel(r.t);
    const OutlinePoint left{r.q[0], r.q[1]}, right{r.q[2], r.q[3]}, left_wheel{}, wheel{xb, yb};
    o.axis(left_wheel, wheel);
    o.spring(left_wheel, left);
    o.spring(wheel, right);
    o.line({left, right});
    o.joint(left_wheel), o.joint(wheel, "(x_b, y_b)");
    o.mass(left, "m"), o.mass(right, "m");
    o.dimension(left, right, "L");
    o.dimension(left_wheel, left, "L_0");
  }

 private:
  struct Place {
    Expression x, y;
  };
  Place right_wheel(const Expression& t) const {
    const Expression yb = sin(t * frequency) * road_height;
    return {sqrt(square(length) - square(yb)), yb};
  }
};
const ProblemEntry<CarAxis> car_axis_entry;

}  // namespace
}  // namespace daelab
