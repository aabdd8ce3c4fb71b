// Conditions and events that depend on time: a step ends at them, however long error estimates would make it. Right
// values are closed forms.
#include "core/integration/condition_watch.hpp"

#include <numbers>

#include "core/integration/drive_watch.hpp"
#include "tests/event_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

struct TimedRun {
  Status status;
  State<double> end;
  long changes = 0, rejected = 0;
  std::vector<long> events;  // how often each took place
  std::vector<Warning> warnings;
};

// With error control, or with fixed steps where `h` is given: then conditions are not watched.
TimedRun timed_run(const Record& record, const std::string& method, double t_end, double rtol, double h = 0,
                   double max_step = 0) {
  const auto model = make_model<double>(record_problem(record));
  const MechanicalLayout layout = layout_of(*model);
  const auto multipliers =
      Registry<MultiplierSolver>::instance().make("schur-cholesky", "")->bind(As<double>{}, layout.n, layout.m);
  const auto system =
      Registry<Formulation>::instance().make(layout.n > 0 ? "index-1" : "ode", "")->system(*model, *multipliers);
  const auto stepper = Registry<Method>::instance().make(method, "")->stepper(*system, {});
  if (h == 0) stepper->control({rtol, rtol, rtol});
  TimedRun run;
  State<double>& state = run.end;
  state.t = model->initial_t();
  for (Vector<double>* x : {&state.y, &state.ydot, &state.compensation}) x->setZero(system->size());
  state.y.head(model->size()) = model->initial_y();
  run.status = system->consistent_start(state.t, state.y, state.ydot);
  EventWatch<double> events(*model, *system, *stepper, t_end - state.t);
  ConditionWatch<double> conditions(*model, *system, state.t, t_end);
  Interruptions<double> all;
  DriveWatch<double> drives(*model);
  all.watch = &events, all.max_steps = 1'000'000, all.max_step = max_step;
  if (h == 0) all.conditions = &conditions, all.guards = {&drives};
  run.status = h == 0 ? integrate_adaptive<double>(*stepper, state, t_end, 0.0, {}, &all)
                      : integrate<double>(*stepper, state, t_end, h, {}, &all);
  run.changes = static_cast<long>(conditions.changes().size()), run.rejected = stepper->statistics().rejected;
  for (const auto& kind : events.tallies()) run.events.push_back(kind.count);
  for (const auto& warning : {events.warning(), conditions.warning(), drives.warning()})
    if (warning) run.warnings.push_back(*warning);
  return run;
}

const std::vector<std::string>& controlled_methods() {
  static const std::vector<std::string> list{dormand_prince, verner_87,   "bdf",    "ndf",      "adams-variable",
                                             "radau-iia",    "gauss:s=3", "taylor", "kvaerno-4"};
  return list;
}

void expect_value(const Record& record, double t_end, double rtol, double exact, double bound, long changes) {
  for (const std::string& method : controlled_methods()) {
    const TimedRun run = timed_run(record, method, t_end, rtol);
    EXPECT_TRUE(run.status.ok()) << method << ": " << run.status.cause;
    EXPECT_NEAR(run.end.y[0], exact, bound) << method;
    EXPECT_EQ(run.changes, changes) << method;
    EXPECT_TRUE(run.warnings.empty()) << method;
    EXPECT_EQ(run.end.t, t_end) << method;
  }
}

Expression number(const char* text) { return Exact(text); }

// x' = 10000 from t = 20 to 20.1, - x/100 all the time: e^(-2/5) + 10^6 (1 - e^(-1/1000)) e^(-199/1000). Errors of bdf
// and ndf are 5 and 20 tolerances.
TEST(ConditionWatch, AShortPulseInTheRate) {
  const Record pulse = [](Recording& r) {
    r.states(1);
    r.start_s = {1};
    r.rates[0] = select(r.t > 20 && r.t < number("20.1"), 10000, 0) - r.s[0] / 100;
  };
  expect_value(pulse, 40, 1e-8, 819.8105749898026, 1e-4, 2);
}

// 100 N for 1/100 s on 1 kg: 1 m/s from t = 5.005 on, on average.
TEST(ConditionWatch, AKnockOnAMassAtRest) {
  const Record knock = [](Recording& r) {
    r.coordinates(1);
    r.mass(0, 0) = 1;
    r.force[0] = select(r.t > 5 && r.t < number("5.01"), 100, 0);
  };
  expect_value(knock, 10, 1e-8, 4.995, 1e-6, 2);
  const TimedRun newmark = timed_run(knock, "generalized-alpha", 10, 1e-8);
  EXPECT_NEAR(newmark.end.y[0], 4.995, 1e-6);
}

// floor(3 t) is 145 over 10 s, sign(sin t) 4 pi - 10. They change at the start (sign(0) = 0) and at the end, too. No
// step is rejected: each sees one form of the equations.
TEST(ConditionWatch, StepsOfStairs) {
  const Record stairs = [](Recording& r) {
    r.states(1);
    r.rates[0] = floor(3 * r.t) + sign(sin(r.t));
  };
  expect_value(stairs, 10, 1e-8, 135 + 4 * std::numbers::pi, 1e-9, 34);
  for (const std::string& method : controlled_methods())
    EXPECT_EQ(timed_run(stairs, method, 10, 1e-8).rejected, 0) << method;
}

// Kinks are changes as well: |sin 20 t| over 10 s, the integral from its 63 whole arcs and the rest.
TEST(ConditionWatch, KinksOfMinimaMaximaAndSizes) {
  const Record arcs = [](Recording& r) {
    r.states(1);
    const Expression s = sin(20 * r.t);
    r.rates[0] = abs(s) + max(s, 0) + min(s, 0) - s;
  };
  const double rest = (1 - std::cos(200 - 63 * std::numbers::pi)) / 20;
  expect_value(arcs, 10, 1e-9, 63 * 0.1 + rest, 1e-5, 64);
}

// A paddle p(t) = sin(t)^9 - 9/10 hits a mass at rest; RK4 with steps of 1.25E-6 s.
TEST(ConditionWatch, APaddleThatSwingsIntoAMassAtRest) {
  const Record paddle = [](Recording& r) {
    r.coordinates(1);
    r.mass(0, 0) = 1;
    r.force[0] = 1000 * max(0, pow(sin(r.t), 9) - number("9/10") - r.q[0]);
  };
  for (const std::string& method : controlled_methods())
    EXPECT_NEAR(timed_run(paddle, method, 10, 1e-9).end.y[0], 15.862427428, 2e-6) << method;
  EXPECT_NEAR(timed_run(paddle, "generalized-alpha", 10, 1e-9).end.y[0], 15.862427428, 2e-4);
}

// A condition of time and of a state that rests.
TEST(ConditionWatch, APulseThatDependsOnAStateToo) {
  const Record delayed = [](Recording& r) {
    r.states(2);
    r.start_s = {0, 3};
    const Expression since = r.t - r.s[1];
    r.rates[0] = select(since > 17 && since < number("17.01"), 100, 0);
  };
  for (const std::string& method : controlled_methods())
    EXPECT_NEAR(timed_run(delayed, method, 40, 1e-8).end.y[0], 1, 1e-8) << method;
}

// A block sticks until a force t/10 sin(2 t) reaches 2. First root of |t/10 sin 2t| = 2, then DOP853 at 1E-12.
TEST(ConditionWatch, AnEventOfTimeWhileTheStateRests) {
  const Record block = [](Recording& r) {
    r.states(3);
    const Expression F = r.t / 10 * sin(2 * r.t);
    r.rates[0] = r.s[1], r.rates[1] = select(r.s[2] > number("1/2"), F, 0);
    Jump& after = r.event({"slip", Crossing::falling, Consequence::jump}, 2 - abs(F) + 100 * r.s[2]);
    after.s[2] = 1;
  };
  for (const std::string& method : controlled_methods()) {
    const TimedRun run = timed_run(block, method, 40, 1e-9);
    EXPECT_EQ(run.events, std::vector<long>{1}) << method;
    EXPECT_NEAR(run.end.y[0], -5.27429481, 2e-6) << method;
  }
}

Record zeros(Consequence consequence) {
  return [=](Recording& r) {
    r.states(2);
    Jump& after = r.event({"zero", Crossing::either, consequence}, cos(2 * r.t));
    if (consequence == Consequence::jump) after.s[0] = r.s[0] + 1;
  };
}

// The zeros of cos(2 t) up to 40: 25, by fixed steps that go over several of them as well.
TEST(ConditionWatch, EventsWhileNothingMoves) {
  for (const auto consequence : {Consequence::observe, Consequence::jump}) {
    SCOPED_TRACE(static_cast<int>(consequence));
    for (const std::string& method : controlled_methods())
      EXPECT_EQ(timed_run(zeros(consequence), method, 40, 1e-9).events, std::vector<long>{25}) << method;
    for (const double h : {0.1, 5.0, 20.0, 2 * std::numbers::pi})
      EXPECT_EQ(timed_run(zeros(consequence), rk4_classical, 40, 0, h).events, std::vector<long>{25}) << h;
  }
}

// exp(-2/5) + 100 sqrt(pi) exp(-1/5 + 1/(4E8)): a pulse of 0.02 s without a condition. Nine methods step over it, and
// say that they may have; a largest step of its length is the cure, and then nothing is to be said.
TEST(ConditionWatch, ASmoothPulseIsWarnedOf) {
  const Record pulse = [](Recording& r) {
    r.states(1);
    r.start_s = {1};
    const Expression x = 100 * (r.t - 20);
    r.rates[0] = 10000 * exp(-(x * x)) - r.s[0] / 100;
  };
  for (const std::string& method : controlled_methods()) {
    const TimedRun over = timed_run(pulse, method, 40, 1e-8);
    EXPECT_NEAR(over.end.y[0], std::exp(-0.4), 1e-4) << method;
    ASSERT_EQ(over.warnings.size(), 1u) << method;
    EXPECT_EQ(over.warnings[0].kind, "unwatched") << method;
    EXPECT_THAT(over.warnings[0].text, HasSubstr("is 1e+04 at t = 20, ")) << method;
    const TimedRun into = timed_run(pulse, method, 40, 1e-8, 0, 0.02);
    EXPECT_NEAR(into.end.y[0], 145.78656802361044, 1e-5) << method;
    EXPECT_TRUE(into.warnings.empty()) << method << ": " << into.warnings[0].text;
  }
}

// Steps that follow a drive have seen its peaks: no warning, and the same bits as unwatched.
TEST(ConditionWatch, ADriveThatStepsFollowIsNotWarnedOf) {
  const Record driven =
      oscillator([](Recording& r) { r.force[0] = r.force[0] + exp(-r.t) * sin(7 * r.t) + cos(3 * r.t); });
  for (const std::string& method : controlled_methods())
    for (const double rtol : {1e-3, 1e-7}) {
      const TimedRun run = timed_run(driven, method, 30, rtol);
      EXPECT_TRUE(run.warnings.empty()) << method << ": " << run.warnings[0].text;
      EXPECT_EQ(run.end.y, watched_run<double>(driven, method, "index-1", 30, controlled(rtol), false).end.y) << method;
    }
}

// Conditions that change 1E30 times a second are not followed: a reader is told.
TEST(ConditionWatch, SaysWhatItCannotWatch) {
  const Record hopeless = [](Recording& r) {
    r.states(1);
    r.rates[0] = abs(sin(number("1e30") * r.t));
  };
  const TimedRun run = timed_run(hopeless, dormand_prince, 1, 1e-4);
  ASSERT_EQ(run.warnings.size(), 1u);
  EXPECT_EQ(run.warnings[0].kind, "unwatched");
  EXPECT_THAT(run.warnings[0].text, HasSubstr("conditions in the equations"));
}

// Without conditions in time a watch changes no bit.
TEST(ConditionWatch, LeavesOtherEquationsAlone) {
  const Record free = oscillator([](Recording& r) { r.force[0] = r.force[0] + max(0, r.q[0]) + sin(r.t); });
  for (const std::string& method : controlled_methods()) {
    const TimedRun run = timed_run(free, method, 9, 1e-7);
    EXPECT_EQ(run.end.y, watched_run<double>(free, method, "index-1", 9, controlled(1e-7), false).end.y) << method;
  }
}

}  // namespace TEST_FILE
}  // namespace daelab
