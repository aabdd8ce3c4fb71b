// Mass on a spring, on a belt that moves at the speed u: dry friction, the smallest problem that sticks and slips.
//
//   m x'' = -k x + F,  w = x' - u the relative velocity:
//   slipping   F = -R sign(w), R the sliding friction; until w = 0;
//   sticking   w = 0, x'' = 0: the friction F = k x holds the spring, until |k x| is the static limit S >= R.
//
// Phases of harmonic arcs about -+R/k and of straight lines. Announced, the phase is kept by the model and changes at
// events. Not announced, F is the sign of w as it stands: the same motion as with S = R, as long as nothing sticks.
//
// [LN04] Leine, Nijmeijer, Dynamics and Bifurcations of Non-Smooth Mechanical Systems, Springer 2004, Sec. 6.5.
#include <fmt/format.h>


#include "core/problem.hpp"

namespace daelab {
namespace {

constexpr int backward = -1, sticking = 0, forward = 1;  // phases: w < 0, w = 0, w > 0
enum FrictionEvent { slipping_ends, sticking_ends };

template <class T>
struct FrictionOscillatorModel {
  static constexpr int directions = 1;
  static constexpr bool constant_mass = true;
  T m, k, sliding, limit, u, x0, v0;
  bool announced;
  int phase;

  Index coordinates() const { return 1; }
  Index constraints() const { return 0; }
  Vector<T> initial_q() const { return Vector<T>::Constant(1, x0); }
  Vector<T> initial_v() const { return Vector<T>::Constant(1, v0); }

  template <class S>
  void mass(const S& /*t*/, const Vector<S>& /*q*/, Matrix<S>& M) const {
    M(0, 0) = S(m);
  }
  template <class S>
  void force(const S& /*t*/, const Vector<S>& q, const Vector<S>& v, Vector<S>& Q) const {
    const int now = announced ? phase : v[0] < S(u) ? backward : forward;
    if (now != sticking) Q[0] = -(k * q[0]) - S(T(now) * sliding);
  }
  template <class S>
  void constraint(const S& /*t*/, const Vector<S>& /*q*/, Vector<S>& /*C*/) const {}

  std::vector<Event> events() const {
    if (!announced) return {};
    return {{"slipping ends"}, {"sticking ends"}};
  }
  void event_functions(const T& /*t*/, const Vector<T>& q, const Vector<T>& v, Vector<T>& g) const {
    using std::abs;
    g.setOnes();
    if (phase == sticking)
      g[sticking_ends] = (limit - abs(k * q[0])) / limit;
    else
      g[slipping_ends] = T(phase) * (v[0] - u);
  }
  void carry_out(Index event, const T& /*t*/, Vector<T>& q, Vector<T>& v) {
    v[0] = u;
    phase = next_phase(event, q[0]);
  }
  /// After an event at x: what the spring pulls is more than what holds.
  int next_phase(Index event, const T& x) const {
    using std::abs;
    if (event == slipping_ends && abs(k * x) <= limit) return sticking;
    return x > T(0) ? backward : forward;
  }

  template <class S>
  Energy<S> energy(const S& /*t*/, const Vector<S>& q, const Vector<S>& v) const {
    return {m * v[0] * v[0] / T(2), k * q[0] * q[0] / T(2)};
  }
};

/// The motion phase by phase, each in closed form.
class FrictionMotion {
 public:
  using T = Real50;
  explicit FrictionMotion(const FrictionOscillatorModel<T>& model)
      : model_(model), rate_(sqrt(model.k / model.m)), x_(model.x0), v_(model.v0) {}

  /// To the phase at the time t; false where the motion sticks before, unless that is allowed.
  bool advance(const T& t, bool may_stick) {
    while (true) {
      if (model_.phase == sticking && !may_stick) return false;
      const auto [event, duration] = end_of_phase();
      if (!(t_ + duration < t)) return true;
      move(duration);
      events_.push_back({event, t_});
      v_ = model_.u;
      model_.phase = model_.next_phase(event, x_);
    }
  }
  /// Within the present phase.
  Motion at(const T& t) {
    move(t - t_);
    const T force = model_.phase == sticking ? T(0) : T(-model_.k * x_ - model_.phase * model_.sliding);
    const auto vector = [](const T& x) { return Vector<T>(Vector<T>::Constant(1, x)); };
    return {vector(x_), vector(v_), {}, vector(force / model_.m), Vector<T>(0)};
  }
  const std::vector<ExactEvent>& events() const { return events_; }

 private:
  T centre() const { return -model_.phase * model_.sliding / model_.k; }

  // v = rate R cos(angle), angle = alpha at the start of the phase: w falls, or rises, through zero next.
  std::pair<Index, T> end_of_phase() const {
    const T never = 1e30;
    if (model_.phase == sticking) {
      if (model_.u == 0) return {sticking_ends, never};
      const T edge = (model_.u > 0 ? model_.limit : T(-model_.limit)) / model_.k;
      return {sticking_ends, T((edge - x_) / model_.u)};
    }
    const T y = x_ - centre(), z = v_ / rate_, R = sqrt(y * y + z * z);
    if (!(abs(model_.u) < rate_ * R)) return {slipping_ends, never};
    const T turn = 2 * pi<T>();
    T angle = model_.phase * acos(model_.u / (rate_ * R)) - atan2(y, z);
    while (angle <= 0) angle += turn;
    while (angle > turn) angle -= turn;
    return {slipping_ends, T(angle / rate_)};
  }
  void move(const T& duration) {
    t_ += duration;
    if (model_.phase == sticking) {
      x_ += model_.u * duration;
      return;
    }
    const T y = x_ - centre(), z = v_ / rate_, c = cos(rate_ * duration), s = sin(rate_ * duration);
    x_ = centre() + y * c + z * s;
    v_ = rate_ * (z * c - y * s);
  }

  FrictionOscillatorModel<T> model_;
  T rate_, x_, v_, t_{0};
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
      throw InputError(where + "/limit", fmt::format("{} N is less than the sliding friction, {} N", limit.text(),
                                                     sliding.text()));
    FrictionMotion motion(model<Real50>());
    if (!motion.advance(end_time.as<Real50>(), announced))
      throw InputError(where + "/announced", "false needs a motion that never sticks, for which the sign of the "
                                             "relative velocity has no value; this one sticks before end_time");
  }

  template <class T>
  FrictionOscillatorModel<T> model() const {
    const Real100 w = velocity.value() - belt.value();
    const Exact& holds = announced ? limit : sliding;
    FrictionOscillatorModel<T> model{mass.as<T>(),  stiffness.as<T>(),    sliding.as<T>(),  holds.as<T>(),
                                     belt.as<T>(),  displacement.as<T>(), velocity.as<T>(), announced,
                                     w < 0 ? backward : forward};
    if (w == 0) model.phase = model.next_phase(slipping_ends, model.x0);
    return model;
  }

  std::optional<Motion> independent_solution(const Real50& t, int /*digits*/) const {
    FrictionMotion motion(model<Real50>());
    motion.advance(t, true);
    return motion.at(t);
  }
  std::optional<std::vector<ExactEvent>> exact_events(const Real50& t, int /*digits*/) const {
    if (!announced) return {};
    FrictionMotion motion(model<Real50>());
    motion.advance(t, true);
    return motion.events();
  }
};
const ProblemEntry<FrictionOscillator> friction_oscillator_entry;

}  // namespace
}  // namespace daelab
