// Events: when they are found, what follows, and what is refused, on motions that are known: cos(t), and free fall.
#include "tests/event_support.hpp"

#include <numbers>

namespace daelab {
namespace {

using std::numbers::pi;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pointwise;

// Zeros of cos(t), each way: pi/2 falling, 3 pi/2 rising, 5 pi/2 falling.
template <Crossing crossing, Consequence consequence>
struct Zero {
  static std::vector<Event> events() { return {{"zero", crossing, consequence}}; }
  static void functions(const auto& x, const auto& /*v*/, auto& g) { g[0] = x; }
};
template <Crossing crossing>
using ObservedZero = Zero<crossing, Consequence::observe>;

TEST(EventWatch, FindsCrossingsOfTheDirectionAskedFor) {
  const auto times = [](auto model) {
    return watched_run<double>(model, dormand_prince, "index-1", 9, controlled(1e-9)).times();
  };
  const auto near = [](std::vector<double> exact) { return Pointwise(testing::DoubleNear(1e-8), std::move(exact)); };
  EXPECT_THAT(times(oscillator<ObservedZero<Crossing::falling>>()), near({pi / 2, 5 * pi / 2}));
  EXPECT_THAT(times(oscillator<ObservedZero<Crossing::rising>>()), near({3 * pi / 2}));
  EXPECT_THAT(times(oscillator<ObservedZero<Crossing::either>>()), near({pi / 2, 3 * pi / 2, 5 * pi / 2}));
}

// What is only observed leaves no trace: the same bits as without a watch, by methods that remember past steps too.
TEST(EventWatch, ObservingChangesNothing) {
  const auto model = oscillator<ObservedZero<Crossing::either>>();
  const auto expect_same = [&](const std::string& method, StepChoiceOf steps) {
    const auto watched = watched_run<double>(model, method, "index-1", 9, steps),
               alone = watched_run<double>(model, method, "index-1", 9, steps, false);
    EXPECT_EQ(watched.events.size(), 3u) << method;
    EXPECT_EQ(watched.end.y, alone.end.y) << method;
    EXPECT_EQ(watched.statistics.steps, alone.statistics.steps) << method;
  };
  for (const char* method : {rk4_classical, "adams-pece:k=4"}) expect_same(method, fixed(0.125));
  for (const char* method : {dormand_prince, verner_87}) expect_same(method, controlled(1e-7));
}

// Dense output of order 5 would find the times of a method of order 8 to 1e-5 only: steps of about 1.
TEST(EventWatch, ObservedTimesAreThoseOfTheMethodNotOfDenseOutput) {
  const auto model = oscillator<ObservedZero<Crossing::either>>();
  const auto run = watched_run<double>(model, verner_87, "index-1", 9, fixed(0.75));
  EXPECT_THAT(run.times(), Pointwise(DoubleNear(2e-7), std::vector<double>{pi / 2, 3 * pi / 2, 5 * pi / 2}));
}

// The global error of BDF is larger than its tolerance, with or without events: 87 times in cos(9) for 1e-8.
double error_in_tolerances(const std::string& method) { return method == "bdf" ? 100 : 10; }

TEST(EventWatch, AStopEndsTheRunThere) {
  for (const char* method : {dormand_prince, "bdf", "radau-iia:s=3"}) {
    const auto run = watched_run<double>(oscillator<Zero<Crossing::falling, Consequence::stop>>(), method, "index-1", 9,
                                         controlled(1e-8));
    EXPECT_TRUE(run.status.ok()) << run.status.cause;
    const double allowed = 1e-8 * error_in_tolerances(method);
    EXPECT_NEAR(run.end.t, pi / 2, allowed) << method;
    EXPECT_NEAR(run.end.y[1], -1, allowed) << method;
    EXPECT_EQ(run.events.size(), 1u);
  }
}

// Between a mirror at 0 and its turning points: |cos(t)| with a velocity that is reversed at each zero.
struct Mirror {
  static std::vector<Event> events() { return {{"mirror", Crossing::falling, Consequence::impact}}; }
  static void functions(const auto& x, const auto& /*v*/, auto& g) { g[0] = x; }
  static void carry_out(Index /*event*/, auto& /*x*/, auto& v) { v = -v; }
};

TEST(EventWatch, JumpsStartTheMethodAnew) {
  for (const char* method : {dormand_prince, "bdf", "radau-iia:s=3"}) {
    const double allowed = 1e-8 * error_in_tolerances(method);
    const auto run = watched_run<double>(oscillator<Mirror>(), method, "index-1", 9, controlled(1e-8));
    EXPECT_TRUE(run.status.ok()) << method << ": " << run.status.cause;
    EXPECT_THAT(run.times(), Pointwise(DoubleNear(allowed), std::vector<double>{pi / 2, 3 * pi / 2, 5 * pi / 2}))
        << method;
    EXPECT_NEAR(run.end.y[0], std::abs(std::cos(9.0)), allowed) << method;
  }
}

// A mirror at 1/2: at pi/3, where the amplitude counts too, and every 2 pi/3 from then on.
struct HighMirror : Mirror {
  static void functions(const auto& x, const auto& /*v*/, auto& g) { g[0] = x - 0.5; }
};

// With fixed steps the times converge with the order of the method, multistep methods too: they are started anew.
TEST(EventWatch, TimesOfFixedStepsHaveTheOrderOfTheMethod) {
  const auto error = [](const char* method, double h) {
    const auto times = watched_run<double>(oscillator<HighMirror>(), method, "index-1", 7, fixed(h)).times();
    EXPECT_EQ(times.size(), 3u) << method;
    return std::abs(times.back() - 5 * pi / 3);
  };
  const std::pair<const char*, double> methods[] = {
      {heun, 2}, {rk4_classical, 4}, {"radau-iia:s=2", 3}, {"adams-pece:k=3", 3}, {"generalized-alpha:rho=1/2", 2},
      {"bdf:k=2", 2}};
  for (const auto& [method, order] : methods)
    EXPECT_NEAR(std::log2(error(method, 1.0 / 16) / error(method, 1.0 / 64)) / 2, order, 0.35) << method;
}

// A grid goes on where it was: the end of the run is met exactly, steps that an event cut short are completed.
TEST(EventWatch, FixedStepsReturnToTheGrid) {
  const auto run = watched_run<double>(oscillator<Mirror>(), rk4_classical, "index-1", 4, fixed(0.125));
  EXPECT_EQ(run.end.t, 4);
  EXPECT_EQ(run.statistics.steps, 32 + 1) << "one event, one step in two parts";
}

template <Consequence first, Consequence second>
struct TwoLevels {
  static std::vector<Event> events() {
    return {{"low", Crossing::falling, second}, {"high", Crossing::falling, first}};
  }
  static void functions(const auto& x, const auto& /*v*/, auto& g) { g[0] = x + 0.125, g[1] = x - 0.125; }
};

TEST(EventWatch, TwoEventsInOneStep) {
  const double high = std::acos(0.125), low = std::acos(-0.125);  // 0.25 apart, within the step from 1 to 2
  const auto expect_both = [&](const auto& run) {
    ASSERT_EQ(run.events.size(), 2u);
    EXPECT_EQ(run.events[0].event, 1);
    EXPECT_NEAR(run.events[0].t, high, 1e-3);
    EXPECT_NEAR(run.events[1].t, low, 1e-3);
  };
  using enum Consequence;
  const auto run = [](auto model) { return watched_run<double>(model, dormand_prince, "index-1", 2, fixed(1)); };
  expect_both(run(oscillator<TwoLevels<observe, observe>>()));
  expect_both(run(oscillator<TwoLevels<jump, jump>>()));
  expect_both(run(oscillator<TwoLevels<observe, jump>>()));
  EXPECT_EQ(run(oscillator<TwoLevels<stop, observe>>()).events.size(), 1u) << "the second one is not reached";
}

// Two functions with one zero: both events take place, though the first one turns the motion around.
struct Together {
  static std::vector<Event> events() {
    return {{"mirror", Crossing::falling, Consequence::impact}, {"counter", Crossing::either, Consequence::observe},
            {"other", Crossing::either, Consequence::jump}};
  }
  static void functions(const auto& x, const auto& /*v*/, auto& g) { g[0] = x, g[1] = 3 * x, g[2] = x / 7; }
  static void carry_out(Index event, auto& /*x*/, auto& v) {
    if (event == 0) v = -v;
  }
};

TEST(EventWatch, SimultaneousEventsAllTakePlace) {
  for (const char* method : {dormand_prince, "bdf"}) {
    const auto run = watched_run<double>(oscillator<Together>(), method, "index-1", 9, controlled(1e-8));
    EXPECT_TRUE(run.status.ok()) << run.status.cause;
    const std::vector<double> exact{pi / 2, 3 * pi / 2, 5 * pi / 2};
    for (Index event = 0; event < 3; ++event)
      EXPECT_THAT(run.times(event), Pointwise(DoubleNear(1e-8 * error_in_tolerances(method)), exact)) << event;
  }
}

// A function that is zero at the start has not come from anywhere.
struct StartLevel {
  static std::vector<Event> events() { return {{"start", Crossing::either, Consequence::jump}}; }
  static void functions(const auto& x, const auto& /*v*/, auto& g) { g[0] = x - 1; }
};
TEST(EventWatch, AnEventAtTheStartIsNone) {
  for (const StepChoiceOf& steps : {controlled(1e-6), fixed(0.5)})
    EXPECT_THAT(watched_run<double>(oscillator<StartLevel>(), dormand_prince, "index-1", 5, steps).events, IsEmpty());
}

// The limit: x > 0.9999 lasts 0.028 s about t = 2 pi. Quarters of steps of 1 s look past it, those of 1/16 s do not.
struct Peak {
  static std::vector<Event> events() { return {{"peak", Crossing::rising, Consequence::observe}}; }
  static void functions(const auto& x, const auto& /*v*/, auto& g) { g[0] = x - 0.9999; }
};
TEST(EventWatch, WhatComesAndGoesWithinAQuarterOfAStepIsMissed) {
  EXPECT_THAT(watched_run<double>(oscillator<Peak>(), verner_87, "index-1", 8, fixed(1)).events, IsEmpty());
  EXPECT_EQ(watched_run<double>(oscillator<Peak>(), verner_87, "index-1", 8, fixed(0.0625)).events.size(), 1u);
}

TEST(EventWatch, RunsAreRepeatedBitByBit) {
  const auto run = [] { return watched_run<double>(oscillator<Mirror>(), "bdf", "index-1", 9, controlled(1e-6)); };
  const auto first = run(), second = run();
  EXPECT_EQ(first.end.y, second.end.y);
  EXPECT_EQ(first.times(), second.times());
}

// ----- events that accumulate -----

// A ball that loses speed: g = x, v -> -v/2. From the height 1 under g = 2 it falls for 1 s, then flies for 1, 1/2,
// ... s: it rests after 1 + (1 + 1/2 + 1/4 + ...) = 3 s.
struct HalfSpeed {
  static std::vector<Event> events() { return {{"floor", Crossing::falling, Consequence::impact}}; }
  static void functions(const auto& x, const auto& /*v*/, auto& g) { g[0] = x; }
  static void carry_out(Index /*event*/, auto& /*x*/, auto& v) { v = -v / 2; }
};

template <class Spec, class T>
OneMass<Spec, T> ball() {
  return {T(0), T(2), T(1), T(0)};
}

double time_in(const std::string& cause) { return std::stod(cause.substr(cause.find("accumulate at t = ") + 18)); }

TEST(Zeno, ABallThatComesToRestIsChattering) {
  for (const char* method : {dormand_prince, "radau-iia:s=3"}) {
    const auto run = watched_run<double>(ball<HalfSpeed, double>(), method, "index-1", 10, controlled(1e-8));
    EXPECT_EQ(run.status.code, StatusCode::chattering) << method << ": " << run.status.cause;
    EXPECT_THAT(run.status.cause, HasSubstr("event 'floor'"));
    EXPECT_NEAR(time_in(run.status.cause), 3, 1e-7) << method;
    // Intervals of 2^(1 - k) s fall below 1e-9 of the run, 1e-8 s, with the 28th.
    EXPECT_NEAR(static_cast<double>(run.kinds[0].count), 28 + 10, 2) << method;
  }
}

// BDF starts with order 1: it does not see flights lower than its tolerance, t^2/4 < 1e-8, t < 2e-4 s.
TEST(Zeno, BdfGetsAsFarAsItsTolerance) {
  const auto run = watched_run<double>(ball<HalfSpeed, double>(), "bdf", "index-1", 10, controlled(1e-8));
  EXPECT_EQ(run.status.code, StatusCode::chattering) << run.status.cause;
  EXPECT_NEAR(time_in(run.status.cause), 3, 1e-3);
}

// A method of order 2 or more is exact here, up to round-off.
TEST(Zeno, TheTimeItAccumulatesAtHasTwelveDigits) {
  const auto run = watched_run<double>(ball<HalfSpeed, double>(), rk4_classical, "index-1", 10, fixed(0.1));
  EXPECT_EQ(run.status.code, StatusCode::chattering);
  EXPECT_NEAR(time_in(run.status.cause), 3, 1e-11);
  EXPECT_NEAR(run.end.t, 3, 1e-8);
}

// A dead impact leaves the mass on the floor, pressed against it: the next event is at once.
struct Dead : HalfSpeed {
  static void carry_out(Index /*event*/, auto& /*x*/, auto& v) { v = v - v; }
};
TEST(Zeno, AMassAtRestOnAWallIsChattering) {
  for (const char* method : {dormand_prince, "bdf"}) {
    const auto run = watched_run<double>(ball<Dead, double>(), method, "index-1", 10, controlled(1e-8));
    EXPECT_EQ(run.status.code, StatusCode::chattering) << method << ": " << run.status.cause;
    EXPECT_NEAR(run.end.t, 1, 1e-6) << method;
  }
}

#ifndef DAELAB_DOUBLE_ONLY
TEST(Zeno, InFiftyDigitsTheBallRestsAtThreeSeconds) {
  const auto run = watched_run<Real50>(ball<HalfSpeed, Real50>(), rk4_classical, "index-1", Real50(10), fixed(0.5));
  EXPECT_EQ(run.status.code, StatusCode::chattering);
  ASSERT_GT(run.events.size(), 20u);
  Real50 exact = 1, flight = 1;
  for (const Occurrence<Real50>& event : run.events) {
    EXPECT_LT(abs(event.t - exact), Real50("1e-30"));
    exact += flight, flight /= 2;
  }
}
#endif

// ----- refused jumps -----

// A pendulum that a blow from above meets at its lowest point: the rod cannot follow.
struct StruckPendulum {
  static constexpr int directions = 2;
  static constexpr bool constant_mass = true;
  Index coordinates() const { return 2; }
  Index constraints() const { return 1; }
  Vector<double> initial_q() const { return Vector<double>{{1, 0}}; }
  Vector<double> initial_v() const { return Vector<double>{{0, 0}}; }
  template <class S>
  void mass(const S& /*t*/, const Vector<S>& /*q*/, Matrix<S>& M) const {
    M(0, 0) = M(1, 1) = S(1.0);
  }
  template <class S>
  void force(const S& /*t*/, const Vector<S>& /*q*/, const Vector<S>& /*v*/, Vector<S>& Q) const {
    Q[1] = S(-1.0);
  }
  template <class S>
  void constraint(const S& /*t*/, const Vector<S>& q, Vector<S>& C) const {
    C[0] = (q[0] * q[0] + q[1] * q[1] - S(1.0)) / 2.0;
  }
  static std::vector<Event> events() { return {{"blow", Crossing::falling, Consequence::jump}}; }
  void event_functions(const double&, const Vector<double>& q, const Vector<double>&, Vector<double>& g) const {
    g[0] = q[0];
  }
  void carry_out(Index, const double&, Vector<double>&, Vector<double>& v) const { v[1] = v[1] - 1; }
};

TEST(Jumps, ThoseThatViolateTheConstraintsAreRefusedWithTheRowsNamed) {
  for (const char* formulation : {"index-1", "index-3", "ggl"}) {
    const char* method = std::string(formulation) == "index-1" ? dormand_prince : "bdf";
    const auto run = watched_run<double>(StruckPendulum{}, method, formulation, 5, controlled(1e-6));
    EXPECT_EQ(run.status.code, StatusCode::inconsistent) << formulation << ": " << run.status.cause;
    EXPECT_THAT(run.status.cause, HasSubstr("the jump at event 'blow'"));
    EXPECT_THAT(run.status.cause, HasSubstr("dC/dt of row 1 is 1.00e+00")) << "C_q (0, -1) = -y = 1";
  }
}

}  // namespace
}  // namespace daelab
