// Ball that bounces on a floor, loses speed at each impact, and lies there at last: infinitely many impacts in a finite
// time, all in closed form.
//
//   y'' = -g, y >= 0 [m];  impact: v -> e v, the k-th with the speed e^(k-1) v1,  v1 = sqrt(v0^2 + 2 g h),
//   at t_k = t1 + (2 v1/g) (e + ... + e^(k-1)),  t1 = (v0 + v1)/g;   limit for e < 1:  t1 + (2 v1/g) e/(1 - e).
//
// A speed after an impact of at most `rest` is lost: the ball lies on the floor from then on, a mode without forces.
// With rest = 0 and 0 < e < 1 there is no such impact, and runs end where the times accumulate.
//
// [Bro16] Brogliato, Nonsmooth Mechanics, 3rd ed., Springer 2016, Chap. 2: the times and their limit.
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

constexpr int flying = 0, lying = 1;  // modes

struct BouncingBall {
  static constexpr const char* name = "bouncing-ball";
  static constexpr const char* summary =
      "Ball on a floor: impacts that accumulate, then rest; all times in closed form.";
  static constexpr const char* source = "Brogliato 2016, Chap. 2";
  static constexpr bool conserves_energy = false;  // impacts dissipate
  static constexpr const char* independent_route = "closed form: parabolas, impact times as a geometric series";

  Exact mass = 1, gravity = "9.81", height = 1, velocity = 0, restitution = "4/5", rest = "1/1000", end_time = 5;

  Options options() {
    return {
        option("mass", mass, "m [kg]", positive()),
        option("gravity", gravity, "g [m/s^2]", positive()),
        option("height", height, "h, start of y [m]", positive()),
        option("velocity", velocity, "v0, start of y' [m/s]"),
        option("restitution", restitution, "e, speed after an impact over that before it; at most 1", at_least(0)),
        option("rest", rest, "largest speed after an impact that is lost [m/s]; 0: impacts accumulate", at_least(0)),
        option("end_time", end_time, "[s]", positive())};
  }
  void validate(const std::string& where) const {
    if (restitution.value() > 1) throw InputError(where + "/restitution", "allowed: 0 to 1");
  }

  void record(Recording& r) const {
    r.coordinates({"y"});
    r.start_q = {height};
    r.start_v = {velocity};
    const Expression &y = r.q[0], &v = r.v[0], weight = Expression(mass) * gravity;
    r.mass(0, 0) = mass;
    const bool lies = r.mode == lying;
    if (!lies) r.force[0] = -weight;
    r.kinetic_energy = square(v) * mass / 2;
    r.potential_energy = weight * y;

    Jump& after = r.event({"impact", Crossing::falling, Consequence::impact}, lies ? Expression(1) : y);
    const Expression rebound = -restitution * v;
    after.v[0] = select(rebound <= rest, 0, rebound);
    after.mode = select(rebound <= rest, lying, flying);
  }

  void draw(const Recording& r, Outline& o) const {
    const Expression &y = r.q[0], radius = Expression(height) / 20, width = Expression(height) / 2;
    o.ground({-width, 0}, {width, 0});
    o.circle({0, y + radius}, radius);
    o.dimension({0, 0}, {0, y}, "y");
  }

  std::optional<Motion> independent_solution(const Real50& t, int /*digits*/) const {
    const std::optional<Flight> last = until(t);
    if (!last) return {};
    const Real50 g = last->is_over ? Real50(0) : gravity.as<Real50>(), s = t - last->start;
    return Motion{Vector<Real50>{{last->y + s * (last->v - g * s / 2)}},
                  Vector<Real50>{{last->v - g * s}},
                  {},
                  Vector<Real50>{{-g}},
                  Vector<Real50>(0)};
  }

  std::optional<std::vector<ExactEvent>> exact_events(const Real50& t, int /*digits*/) const {
    const std::optional<Flight> last = until(t);
    if (!last) return {};
    return last->impacts;
  }

 private:
  struct Flight {
    Real50 start, y, v;
    bool is_over;
    std::vector<ExactEvent> impacts;  // before it
  };

  // The flight, or the rest, at the time t; nothing from the limit of infinitely many impacts on.
  std::optional<Flight> until(const Real50& t) const {
    const Real50 g = gravity.as<Real50>(), e = restitution.as<Real50>(), lost = rest.as<Real50>();
    Flight flight{0, height.as<Real50>(), velocity.as<Real50>(), false, {}};
    Real50 speed = sqrt(flight.v * flight.v + 2 * g * flight.y);  // of the next impact
    if (lost == 0 && e > 0 && e < 1 && t >= (flight.v + speed) / g + 2 * speed * e / (g * (1 - e))) return {};
    while (!flight.is_over) {
      const Real50 impact = flight.start + (flight.v + speed) / g;
      if (impact > t) break;
      flight.impacts.push_back({0, impact});
      speed *= e;
      flight.is_over = speed <= lost;
      flight.start = impact, flight.y = 0, flight.v = flight.is_over ? Real50(0) : speed;
    }
    return flight;
  }
};
const ProblemEntry<BouncingBall> bouncing_ball_entry;

}  // namespace
}  // namespace daelab
