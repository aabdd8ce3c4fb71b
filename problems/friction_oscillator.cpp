// Mass on a spring, on a belt that moves at the speed u: dry friction, the smallest problem that sticks and slips.
//
//   m x'' = -k x + F,  w = x' - u the relative velocity:
//   slipping   F = -R sign(w), R the sliding friction; until w = 0;
//   sticking   w = 0, x'' = 0: the friction F = k x holds the spring, until |k x| is the static limit S >= R.
//
// Phases of harmonic arcs about -+R/k and of straight lines. Announced, the phase is kept by the model and changes at
// events. Not announced, F is the sign of w as it is: the same motion as with S = R, as long as nothing sticks.
//
// [LN04] Leine, Nijmeijer, Dynamics and Bifurcations of Non-Smooth Mechanical Systems, Springer 2004, Sec. 6.5.
#include <fmt/format.h>

#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

constexpr int backward = 0, sticking = 1, forward = 2;  // phases: w < 0, w = 0, w > 0
constexpr int direction(int phase) { return phase - sticking; }
enum FrictionEvent { slipping_ends, sticking_ends };

struct DryFriction {
  Real50 m, k, sliding, limit, u;
};

/// The motion phase by phase, each in closed form.
class FrictionMotion {
 public:
  using T = Real50;
  FrictionMotion(const DryFriction& model, const T& x, const T& v)
      : model_(model), rate_(sqrt(model.k / model.m)), x_(x), v_(v) {
    if (v != model.u)
      phase_ = v < model.u ? backward : forward;
    else
      phase_ = next_phase(slipping_ends);
  }

  int phase() const { return phase_; }
  /// To the phase at the time t; false where the motion sticks before, unless that is allowed.
  bool advance(const T& t, bool may_stick) {
    while (true) {
      if (phase_ == sticking && !may_stick) return false;
      const auto [event, duration] = end_of_phase();
      if (!(t_ + duration < t)) return true;
      if (events_.size() >= most_phases)
        throw InputError(
            fmt::format("friction-oscillator: there are more than {} phases before t = {:.6g}, each of them "
                        "a step of its closed form at least; a smaller end_time or stiffness has fewer",
                        most_phases, static_cast<double>(t)));
      move(duration);
      events_.push_back({event, t_});
      v_ = model_.u;
      phase_ = next_phase(event);
    }
  }
  /// Within the present phase.
  Motion at(const T& t) {
    move(t - t_);
    const T force = phase_ == sticking ? T(0) : T(-model_.k * x_ - direction(phase_) * model_.sliding);
    const auto vector = [](const T& x) { return Vector<T>(Vector<T>::Constant(1, x)); };
    return {vector(x_), vector(v_), {}, vector(force / model_.m), Vector<T>(0)};
  }
  const std::vector<ExactEvent>& events() const { return events_; }

 private:
  /// After an event: what the spring pulls is more than what holds.
  int next_phase(Index event) const {
    if (event == slipping_ends && abs(T(model_.k * x_)) <= model_.limit) return sticking;
    return x_ > 0 ? backward : forward;
  }
  static constexpr std::size_t most_phases = 10'000;
  T centre() const { return -direction(phase_) * model_.sliding / model_.k; }

  // v = rate R cos(angle), angle = alpha at the start of the phase: w falls, or rises, through zero next.
  std::pair<Index, T> end_of_phase() const {
    const T never = 1e30;
    if (phase_ == sticking) {
      if (model_.u == 0) return {sticking_ends, never};
      const T edge = (model_.u > 0 ? model_.limit : T(-model_.limit)) / model_.k;
      return {sticking_ends, T((edge - x_) / model_.u)};
    }
    const T y = x_ - centre(), z = v_ / rate_, R = sqrt(y * y + z * z);
    if (!(abs(model_.u) < rate_ * R)) return {slipping_ends, never};
    const T turn = 2 * pi<T>();
    T angle = direction(phase_) * acos(model_.u / (rate_ * R)) - atan2(y, z);
    while (angle <= 0) angle += turn;
    while (angle > turn) angle -= turn;
    return {slipping_ends, T(angle / rate_)};
  }
  void move(const T& duration) {
    t_ += duration;
    if (phase_ == sticking) {
      x_ += model_.u * duration;
      return;
    }
    const T y = x_ - centre(), z = v_ / rate_, c = cos(rate_ * duration), s = sin(rate_ * duration);
    x_ = centre() + y * c + z * s;
    v_ = rate_ * (z * c - y * s);
  }

  DryFriction model_;
  T rate_, x_, v_, t_{0};
  int phase_;
  std::vector<ExactEvent> events_;
};

struct FrictionOscillator {
  static constexpr const char* name = "friction-oscillator";
  static constexpr const char* summary = "Mass on a spring and a moving belt: sticks and slips by dry friction.";
  static constexpr const char* source = "Leine, Nijmeijer 2004, Sec. 6.5, with constant sliding friction";
  static constexpr const char* independent_route = "closed form, phase by phase";
  static constexpr bool conserves_energy = false;

  Exact mass = 1, stiffness = 4, sliding = 2, limit = 3, belt = "1/2", displacement = 0, velocity = 3;
  bool announced = true;
  Exact end_time = 10;

  Options options() {
    return {option("mass", mass, "m [kg]", positive()),
            option("stiffness", stiffness, "k [N/m]", positive()),
            option("sliding", sliding, "R, friction force while slipping [N]", at_least(0)),
            option("limit", limit, "S, the largest friction force while sticking [N]; at least R", positive()),
            option("belt", belt, "u, velocity of the belt [m/s]"),
            option("displacement", displacement, "x at the start [m]"),
            option("velocity", velocity, "x' at the start [m/s]"),
            option("announced", announced,
                   "true: the phases change at events; false: the friction is the sign of the relative velocity, which "
                   "nobody is told of"),
            option("end_time", end_time, "end of the interval [s]", positive())};
  }

  void validate(const std::string& where) const {
    if (limit.value() < sliding.value())
      throw InputError(where + "/limit",
                       fmt::format("{} N is less than the sliding friction, {} N", limit.text(), sliding.text()));
    FrictionMotion motion = start();
    if (!motion.advance(end_time.as<Real50>(), announced))
      throw InputError(where + "/announced",
                       "false needs a motion that never sticks, for which the sign of the "
                       "relative velocity has no value; this one sticks before end_time");
  }

  // One mode for each phase; a single one where none is announced.
  int start_mode() const { return announced ? start().phase() : 0; }
  void record(Recording& r) const {
    r.coordinates({"x"});
    r.start_q = {displacement};
    r.start_v = {velocity};
    const Expression &x = r.q[0], &v = r.v[0];
    r.mass(0, 0) = mass;
    r.kinetic_energy = mass * square(v) / 2;
    r.potential_energy = stiffness * square(x) / 2;
    if (announced)
      record_phase(r);
    else
      r.force[0] = -(stiffness * x) - select(v < belt, -1, 1) * sliding;
  }

  void draw(const Recording& r, Outline& o) const {
    const Expression &x = r.q[0], wall = -3, half = Exact("1/2"), belt_end = 2;
    o.ground({wall, 0}, {wall, 1});
    o.spring({wall, half}, {x - half, half}, "k");
    o.polygon({{x - half, 0}, {x + half, 0}, {x + half, 1}, {x - half, 1}}, "m");
    o.line({{wall + 1, 0}, {belt_end, 0}});
    o.arrow({belt_end - 1, -half}, {belt_end, -half}, "u");
    o.axis({x, half}, {x + 1, half}, "x");
  }

  std::optional<Motion> independent_solution(const Real50& t, int /*digits*/) const {
    FrictionMotion motion = start();
    motion.advance(t, true);
    return motion.at(t);
  }
  std::optional<std::vector<ExactEvent>> exact_events(const Real50& t, int /*digits*/) const {
    if (!announced) return {};
    FrictionMotion motion = start();
    motion.advance(t, true);
    return motion.events();
  }

 private:
  FrictionMotion start() const {
    const auto as = [](const Exact& x) { return x.as<Real50>(); };
    const Exact& holds = announced ? limit : sliding;
    return {{as(mass), as(stiffness), as(sliding), as(holds), as(belt)}, as(displacement), as(velocity)};
  }
  void record_phase(Recording& r) const {
    const Expression &x = r.q[0], &v = r.v[0], spring = abs(stiffness * x);
    const bool sticks = r.mode == sticking;
    if (!sticks) r.force[0] = -(stiffness * x) - direction(r.mode) * Expression(sliding);

    const Expression slipping = select(x > 0, backward, forward);
    Jump& stopped = r.event({"slipping ends"}, sticks ? 1 : direction(r.mode) * (v - belt));
    stopped.v[0] = belt;
    stopped.mode = select(spring <= limit, sticking, slipping);
    Jump& torn = r.event({"sticking ends"}, sticks ? (limit - spring) / limit : 1);
    torn.v[0] = belt;
    torn.mode = slipping;
  }
};
const ProblemEntry<FrictionOscillator> friction_oscillator_entry;

}  // namespace
}  // namespace daelab
