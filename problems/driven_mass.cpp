// Mass on a line whose place is prescribed: the smallest problem with a time-dependent (rheonomic) constraint.
//
//   time = parameter:   q = x [m],       M = m,             C = x - A sin(w t) [m],  lambda = -m x'' [N].
//   time = coordinate:  q = (x, t~),     M = diag(m, 1),    C = x - A sin(w t~), t~(0) = 0, t~'(0) = 1.
//
// The second is the reduction of [Wang], which makes time a coordinate with a mass. It is another problem: the
// constraint force acts on t~ too, t~'' = -C_t lambda, and t~ is not the time. The motion is the free one of a
// particle on the curve C = 0, whose arc length grows at a constant rate.
// [Wang] Wang, Zhao, Pan, local equivalent index-1 discretisation of Euler-Lagrange equations, (2.1a), (2.1b).

#include "core/base/elliptic.hpp"
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

struct DrivenMass {
  static constexpr const char* name = "driven-mass";
  static constexpr const char* summary = "Mass at a prescribed place x = A sin(w t): a time-dependent constraint.";
  static constexpr const char* source = "counterexample to Wang, Zhao, Pan, (2.1a), (2.1b)";
  static constexpr const char* independent_route =
      "closed form; with time as a coordinate, inversion of the arc length of the curve C = 0 (elliptic integral)";

  enum class Time { parameter, coordinate };
  friend std::vector<std::string> names_of(Time) { return {"parameter", "coordinate"}; }

  Exact mass = 1, amplitude = "1/2", frequency = 2;
  Time time = Time::parameter;
  Exact end_time = 1;

  Options options() {
    return {option("mass", mass, "m [kg]", positive()), option("amplitude", amplitude, "A [m]"),
            option("frequency", frequency, "w [rad/s]", positive()),
            option("time", time, "parameter: as it is; coordinate: the second coordinate, as the paper reduces it"),
            option("end_time", end_time, "[s]", positive())};
  }

  void record(Recording& r) const {
    const bool time_is_coordinate = time == Time::coordinate;
    r.coordinates({"x"});
    r.start_v[0] = amplitude * frequency;
    r.mass(0, 0) = mass;
    if (time_is_coordinate) {
      r.coordinates({"time"});
      r.start_v[1] = r.mass(1, 1) = 1;
    }
    r.constraints = {r.q[0] - amplitude * sin(frequency * (time_is_coordinate ? r.q[1] : r.t))};
  }

  void draw(const Recording& r, Outline& o) const {
    const Expression A = abs(Expression(amplitude)), &x = r.q[0];
    o.axis({-2 * A, 0}, {2 * A, 0}, "x");
    o.guide({x, 0}, {x + A, 0}, "m");
    o.dimension({0, 0}, {A, 0}, "A");
  }

  std::optional<Motion> independent_solution(const Real50& t, int /*digits*/) const {
    const Real50 m = mass.as<Real50>(), A = amplitude.as<Real50>(), w = frequency.as<Real50>();
    if (time != Time::coordinate) return Motion{Vector<Real50>{{A * sin(w * t)}}, Vector<Real50>{{A * w * cos(w * t)}}};
    // ds/dt~ = sqrt(m (A w)^2 cos^2(w t~) + 1) in the metric of M, and ds/dt = its value at t~ = 0, c:
    //   E(w t~ | k) = w t with k^2 = m (A w)^2 / c^2.
    const Real50 slope = m * A * A * w * w, k = sqrt(slope / (1 + slope));
    Real50 angle = w * t;
    const auto rate = [&](const Real50& phi) { return Real50(sqrt(1 - k * k * sin(phi) * sin(phi))); };
    for (int i = 0; i < 12; ++i) angle -= (elliptic_second(k, angle) - w * t) / rate(angle);  // Newton
    const Real50 pace = 1 / rate(angle);                                                      // dt~/dt
    return Motion{Vector<Real50>{{A * sin(angle), angle / w}}, Vector<Real50>{{A * w * cos(angle) * pace, pace}}};
  }
};
const ProblemEntry<DrivenMass> driven_mass_entry;

}  // namespace
}  // namespace daelab
