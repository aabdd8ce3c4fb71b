// Pendulum that swings against a wall through its pivot: a unilateral constraint beside a bilateral one.
//
//   wall at the angle a from the downward vertical:  x cos(a) + y sin(a) >= 0 [m];  impact: v -> -e v.
//
// With th from the downward vertical and w = sqrt(g/L), each flight has th'^2 = 4 w^2 (k^2 - sin^2(th/2)) and
//
//   sin(th/2) = k cd(w (t - peak) | k^2),
//
// from the wall to the wall in 2 (K(k) - F(arcsin(s/k), k))/w, s = sin(a/2); an impact multiplies k^2 - s^2 by e^2.
// With a = 0 the flights become ever shorter only as small swings do, pi/w; with a > 0 gravity presses the mass against
// the wall: infinitely many impacts in a finite time, the flights in proportion to e at last.

#include "core/base/elliptic.hpp"
#include "problems/pendulum.hpp"

namespace daelab {
namespace {

struct BouncingPendulum {
  static constexpr const char* name = "bouncing-pendulum";
  static constexpr const char* summary = "Pendulum that swings against a wall and bounces: event times in closed form.";
  static constexpr const char* source = "own; closed form by elliptic functions, Abramowitz, Stegun 1964, Chap. 16, 17";
  static constexpr bool conserves_energy = false;  // impacts dissipate
  static constexpr const char* independent_route =
      "flight by flight in Jacobi elliptic functions, impacts at complete and incomplete elliptic integrals";

  Exact mass = 1, gravity = "9.81", length = 1, angle = "pi/3", wall = 0, restitution = "4/5", end_time = 5;

  Options options() {
    return {option("mass", mass, "m [kg]", positive()),
            option("gravity", gravity, "g [m/s^2], along -y", positive()),
            option("length", length, "rod length L [m]", positive()),
            option("angle", angle, "release, from the downward vertical [rad]; between the wall and pi"),
            option("wall", wall, "angle a of the wall [rad], 0 to below pi", at_least(0)),
            option("restitution", restitution, "e, speed after an impact over that before it; at most 1", positive()),
            option("end_time", end_time, "[s]", positive())};
  }
  void validate(const std::string& where) const {
    if (!(angle.value() > wall.value() && angle.value() < Exact("pi").value()))
      throw InputError(where + "/angle", "allowed: between the angle of the wall, " + wall.text() + ", and pi");
    if (restitution.value() > 1) throw InputError(where + "/restitution", "allowed: above 0, at most 1");
  }

  void record(Recording& r) const {
    record_pendulum(r, mass, gravity, length);
    const Expression L = length, th = angle, a = wall;
    r.start_q = {L * sin(th), -L * cos(th)};
    const Expression distance = r.q[0] * cos(a) + r.q[1] * sin(a);
    // The rod meets the wall head-on, so that the velocity is normal to it.
    Jump& after = r.event({"impact", Crossing::falling, Consequence::impact}, distance);
    for (Expression& v : after.v) v *= -restitution;
    r.observe("distance", distance);
  }

  void draw(const Recording& r, Outline& o) const {
    const Expression L = length, a = wall, reach = L * Exact("6/5");
    draw_pendulum(r, L, -L / 3, o);
    o.ground({0, 0}, {reach * sin(a), -(reach * cos(a))});  // on the side where the distance is negative
    o.angle({0, 0}, {0, -L}, {r.q[0], r.q[1]}, "θ");
    o.dimension({0, 0}, {r.q[0], r.q[1]}, "L");
  }

  std::optional<Motion> independent_solution(const Real50& t, int /*digits*/) const {
    const std::optional<Flights> flights = until(t);
    if (!flights) return {};
    const Real50 L = length.as<Real50>(), k = flights->k, w = rate(), complementary = sqrt(1 - k * k);
    const auto [sn, cn, dn] = jacobi_elliptic(k, Real50(w * (t - flights->peak)));
    const Real50 s = k * cn / dn, c = complementary / dn;  // sin(th/2), cos(th/2)
    const Real50 sin_th = 2 * s * c, cos_th = 1 - 2 * s * s, th_dot = -2 * k * w * complementary * sn / dn;
    return Motion{Vector<Real50>{{L * sin_th, -L * cos_th}},
                  Vector<Real50>{{L * cos_th * th_dot, L * sin_th * th_dot}}};
  }

  std::optional<std::vector<ExactEvent>> exact_events(const Real50& t, int /*digits*/) const {
    const std::optional<Flights> flights = until(t);
    if (!flights) return {};
    return flights->impacts;
  }

 private:
  struct Flights {
    std::vector<ExactEvent> impacts;
    Real50 k, peak;  // of the last flight
  };
  Real50 rate() const { return sqrt(gravity.as<Real50>() / length.as<Real50>()); }

  // The flights up to a time; nothing beyond the time at which the impacts accumulate.
  std::optional<Flights> until(const Real50& t) const {
    constexpr std::size_t most_impacts = 10'000;
    const Real50 w = rate(), s = sin(Real50(wall.as<Real50>() / 2)), e = restitution.as<Real50>();
    Flights flights{{}, sin(Real50(angle.as<Real50>() / 2)), 0};
    while (flights.impacts.size() < most_impacts) {
      const Real50& k = flights.k;
      const Real50 half = (elliptic_first(k) - elliptic_first(k, Real50(asin(s / k)))) / w;
      const Real50 impact = flights.peak + half;
      if (impact > t) return flights;
      flights.impacts.push_back({0, impact});
      flights.k = sqrt(s * s + e * e * (k * k - s * s));
      flights.peak = impact + (elliptic_first(flights.k) - elliptic_first(flights.k, Real50(asin(s / flights.k)))) / w;
      if (flights.peak - impact < Real50("1e-30")) return {};
    }
    return {};
  }
};
const ProblemEntry<BouncingPendulum> bouncing_pendulum_entry;

}  // namespace
}  // namespace daelab
