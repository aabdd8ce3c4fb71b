// Discontinuities and restarts: dry friction with its closed form; jumps nobody announces, found by bisection or left
// to error control; restarts of BDF at order 1 and by explicit steps.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098, Sec. 5.3.
//
// Bounds of 1e-12 and less are round-off, 1e-45 in 50 digits.
#include <gmock/gmock.h>

#include <numbers>

#include "core/base/write_file.hpp"
#include "core/integration/error_jumps.hpp"
#include "core/integration/integrate.hpp"
#include "core/integration/method.hpp"
#include "core/integration/observers.hpp"
#include "core/integration/quantity_jumps.hpp"
#include "lab/runs/run.hpp"
#include "results/record_values.hpp"
#include "tests/numeric_support.hpp"
#include "tests/ode_system.hpp"
#include "tests/test_folder.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

// Turns around at t = 1/4, 5/4, 9/4 and 13/4 without sticking: the force jumps by 2 R = pi^2 N there, only there.
constexpr const char* four_jumps =
    "friction-oscillator:stiffness=pi^2,sliding=pi^2/2,limit=pi^2/2,belt=0,displacement=3,velocity=7*pi/2,end_time=4";
std::string unannounced() { return std::string(four_jumps) + ",announced=false"; }
const std::vector<double> jumps{0.25, 1.25, 2.25, 3.25};

constexpr const char* dormand_prince = "runge-kutta:tableau=dormand-prince";

Json run(const std::string& problem, const std::string& method, const std::string& rtol,
         const std::string& discontinuities = "ignore", const std::string& t_end = "4") {
  const char* formulation = method.starts_with("bdf") ? "index-3" : "index-1";
  const Json record = Run::bind({{"problem", problem},
                                 {"method", method},
                                 {"formulation", formulation},
                                 {"rtol", rtol},
                                 {"t_end", t_end},
                                 {"discontinuities", discontinuities},
                                 {"history", true}},
                                "")
                          ->execute()
                          .record;
  EXPECT_EQ(record["status"], "ok") << method << ": " << record["cause"];
  return record;
}

// A bead that slides to the right on y = |x| from x = -1/5 at 1 m/s.
std::string bead_file() {
  static const TemporaryFolder folder;
  const std::string path = folder.path() + "/bead.json";
  write_file(path, R"json({"name": "bead", "summary": "A bead on y = |x|.", "coordinates": ["x", "y"],
                           "mass": ["1", "1"], "forces": {"y": "-1"}, "constraints": ["y = abs(x)"],
                           "start": {"x": "-1/5", "y": "1/5", "x'": "1", "y'": "-1"}, "end_time": "1"})json");
  return path;
}

long count(const Json& record, const char* what) { return record["stats"][what].get<long>(); }

double error_of_q(const Json& record, const std::string& problem) {
  const auto made = Registry<Problem>::instance().make(problem, "");
  const Motion exact = *made->independent_solution(made->end_time().as<Real50>(), 50);
  return largest(Vector<Real50>(record_vector(record["q"]) - exact.q));
}

std::vector<double> found_in(const Json& record) {
  std::vector<double> times;
  for (const Json& t : record["events"]["discontinuities"]) times.push_back(static_cast<double>(record_number(t)));
  return times;
}

// ---------------------------------------------------------------- the motion

// A stick-slip cycle from the limit, x = S/k = 3/4, u = 1/2: an arc of amplitude sqrt(2)/4 about R/k = 1/2 that begins
// and ends at v = u, three quarters of a turn, x = 1/4 at its end; then a straight line: 3 pi/4 + 1 seconds.
TEST(FrictionOscillator, SticksAndSlipsPeriodically) {
  const auto problem = Registry<Problem>::instance().make("friction-oscillator", "");
  const std::vector<ExactEvent> events = *problem->exact_events(Real50(20), 50);
  ASSERT_GT(events.size(), 8u);
  const Real50 slip = 3 * pi<Real50>() / 4;
  for (std::size_t i = 3; i < events.size(); ++i) {
    EXPECT_NE(events[i].event, events[i - 1].event);
    const Real50 expected = events[i].event == 0 ? slip : Real50(1);
    EXPECT_LT(static_cast<double>(abs(events[i].t - events[i - 1].t - expected)), 1e-45) << i;
  }
}

// Between events v' = a, and m a + k x is the friction: R against the relative velocity, or what holds the spring.
TEST(FrictionOscillator, MovesByItsForces) {
  const auto problem = Registry<Problem>::instance().make("friction-oscillator", "");
  for (const char* time : {"0.3", "1", "2", "3", "4", "5", "7", "9"}) {
    const Real50 t(time);
    const Motion motion = *problem->independent_solution(t, 50);
    const auto velocity = [&](const Real50& s) { return problem->independent_solution(s, 50)->v; };
    EXPECT_LT(largest(derivative(t, velocity) - motion.a), 1e-25) << time;  // difference_tolerance
    const double w = static_cast<double>(motion.v[0] - Real50(0.5)),
                 friction = static_cast<double>(motion.a[0] + 4 * motion.q[0]);
    if (std::abs(w) > 1e-40)
      EXPECT_NEAR(friction, w > 0 ? -2 : 2, 1e-14) << time;
    else
      EXPECT_LE(std::abs(friction), 3) << time;
  }
}

TEST(FrictionOscillator, RefusesSticksThatNobodyAnnounces) {
  EXPECT_NO_THROW(Registry<Problem>::instance().make(unannounced(), ""));
  try {
    Registry<Problem>::instance().make("friction-oscillator:announced=false", "/problem");
    ADD_FAILURE() << "the sign of w has no value for sticking";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("sticks"));
  }
}

// Announced, phases change where the closed form says, to ten tolerances.
TEST(FrictionOscillator, ChangesItsPhaseAtTheExactTimes) {
  const auto problem = Registry<Problem>::instance().make("friction-oscillator", "");
  const std::vector<ExactEvent> exact = *problem->exact_events(Real50(10), 50);
  for (const char* method : {dormand_prince, "radau-iia:s=3", "bdf"}) {
    const Json record = run("friction-oscillator", method, "1e-8", "ignore", "10");
    const Json& list = record["events"]["list"];
    ASSERT_EQ(list.size(), exact.size()) << method;
    const double tolerance = method == std::string("bdf") ? 1e-5 : 1e-7;  // errors of its many steps add up
    for (std::size_t i = 0; i < exact.size(); ++i)
      EXPECT_NEAR(static_cast<double>(record_number(list[i]["t"]) - exact[i].t), 0, tolerance) << method << " " << i;
  }
}

// ---------------------------------------------------------------- detection

// Each jump once, nothing else, and never later than it is by more than the error of the motion.
// Measured: at most 2.3e-5.
TEST(Detection, FindsEachJumpOnce) {
  for (const char* method : {"bdf", dormand_prince, "radau-iia:s=3"})
    for (const char* rtol : {"1e-5", "1e-7"}) {
      const std::vector<double> found = found_in(run(unannounced(), method, rtol, "detect"));
      ASSERT_EQ(found.size(), jumps.size()) << method << " " << rtol;
      for (std::size_t i = 0; i < jumps.size(); ++i) EXPECT_NEAR(found[i], jumps[i], 2e-3) << method << " " << rtol;
    }
}

// Forces that are watched say so at the first failure: the same jumps, with fewer evaluations of one-step methods. BDF
// needs more: with three failures its step is short by the time that the search begins. The constraint Jacobian of the
// same motion does not jump, so that it takes three failures as without it.
TEST(Detection, ComesSoonerWhereForcesAreWatched) {
  for (const char* method : {"bdf", dormand_prince}) {
    const Json detect = run(unannounced(), method, "1e-7", "detect"),
               force = run(unannounced(), method, "1e-7", "watch-force"),
               jacobian = run(unannounced(), method, "1e-7", "watch-jacobian");
    ASSERT_EQ(found_in(force).size(), jumps.size()) << method;
    for (std::size_t i = 0; i < jumps.size(); ++i) EXPECT_NEAR(found_in(force)[i], jumps[i], 2e-3) << method;
    if (method == dormand_prince) {
      EXPECT_LT(count(force, "residuals"), count(detect, "residuals"));
    }
    EXPECT_EQ(jacobian["q"], detect["q"]) << method;
    EXPECT_EQ(found_in(jacobian), found_in(detect)) << method;
  }
}

// A state on its way over the jump at t = 1/4, x + 1/2 = 7/2 (cos pi t + sin pi t) before, and a bead on y = |x| before
// the corner: one jumps in Q alone, the other in C_q alone; a pendulum in neither.
TEST(QuantityJumps, AreSoughtAlongTheStep) {
  const auto jumps_in = [](const std::string& problem, double t, double h, const std::vector<double>& state) {
    const BoundProblem<double> bound(problem, "index-1");
    State<double> from = bound.start;
    from.t = t;
    for (std::size_t i = 0; i < state.size(); ++i) from.y[static_cast<Index>(i)] = state[i];
    EXPECT_TRUE(bound.system->consistent_derivatives(from.t, from.y, from.ydot).ok());
    const auto sees = [&](WatchedQuantity quantity) {
      return QuantityJumps<double>(*bound.model, quantity, 0).jumps(from, Attempt<double>{h});
    };
    return std::pair(sees(WatchedQuantity::force), sees(WatchedQuantity::jacobian));
  };
  const std::string bead = "@" + bead_file();
  EXPECT_EQ(jumps_in(bead, 0, 0.5, {}), std::pair(false, true));
  EXPECT_EQ(jumps_in(bead, 0, 0.05, {}), std::pair(false, false)) << "the corner is not reached";
  EXPECT_EQ(jumps_in("pendulum", 0, 0.1, {}), std::pair(false, false));
  const double angle = std::numbers::pi / 5;  // 1/20 s before the jump
  const std::vector<double> before{3.5 * (std::cos(angle) + std::sin(angle)) - 0.5,
                                   3.5 * std::numbers::pi * (std::cos(angle) - std::sin(angle))};
  EXPECT_EQ(jumps_in(unannounced(), 0.2, 0.1, before), std::pair(true, false));
  EXPECT_EQ(jumps_in(unannounced(), 0.2, 0.04, before), std::pair(false, false)) << "the jump is not reached";
}

// Errors 100 h^power / h0^power of steps from one state, with p = 5 in the estimate.
TEST(ErrorJumps, AreErrorsThatFallWithTheStepAlone) {
  const auto attempt = [](double h, double power, int p = 5) {
    Attempt<double> failed{h};
    failed.decision.accepted = false, failed.decision.exponent = p;
    failed.decision.error = 100 * std::pow(h, power);
    return failed;
  };
  State<double> here, there;
  there.t = 1;
  for (const double power : {0.0, 1.0, 2.0, 2.9}) {
    ErrorJumps<double> indicator;
    EXPECT_FALSE(indicator.jumps(here, attempt(1, power))) << "there is nothing to compare with";
    EXPECT_TRUE(indicator.jumps(here, attempt(0.5, power))) << power;
    EXPECT_TRUE(indicator.jumps(here, attempt(0.1, power))) << power;
    EXPECT_FALSE(indicator.jumps(there, attempt(0.05, power))) << "the step from another state";
  }
  for (const double power : {3.1, 4.0, 5.0}) {
    ErrorJumps<double> indicator;
    EXPECT_FALSE(indicator.jumps(here, attempt(1, power)));
    EXPECT_FALSE(indicator.jumps(here, attempt(0.5, power))) << power;
    EXPECT_FALSE(indicator.jumps(here, attempt(0.5, 0))) << "the step is not smaller";
  }
  // A lower order, and with it a larger error: 0.5^2 of a method of order 1.
  ErrorJumps<double> lower;
  EXPECT_FALSE(lower.jumps(here, attempt(1, 5)));
  EXPECT_FALSE(lower.jumps(here, attempt(0.5, 2, 2)));
  // Steps that have no error.
  ErrorJumps<double> without;
  Attempt<double> diverged = attempt(1, 1);
  diverged.status = {StatusCode::newton_diverged, ""};
  EXPECT_FALSE(without.jumps(here, diverged));
  EXPECT_FALSE(without.jumps(here, attempt(0.5, 1)));
}

// The second failure from one state tells, the third one is saved. BDF passes with a shorter step in between.
TEST(Detection, ComesSoonerWhereErrorsAreCompared) {
  for (const char* method : {"bdf", dormand_prince}) {
    const Json detect = run(unannounced(), method, "1e-7", "detect"),
               watched = run(unannounced(), method, "1e-7", "watch-differences");
    ASSERT_EQ(found_in(watched).size(), jumps.size()) << method;
    for (std::size_t i = 0; i < jumps.size(); ++i) EXPECT_NEAR(found_in(watched)[i], jumps[i], 2e-3) << method;
    if (method == dormand_prince) {
      EXPECT_LT(count(watched, "rejected"), count(detect, "rejected"));
    }
  }
}

TEST(QuantityJumps, AreThoseOfMechanismsWithErrorControl) {
  const Json record = Run::bind({{"problem", "robertson"},
                                 {"method", "bdf"},
                                 {"rtol", "1e-4"},
                                 {"t_end", "1"},
                                 {"discontinuities", "watch-force"}},
                                "")
                          ->execute()
                          .record;
  EXPECT_EQ(record["status"], "not-applicable");
  EXPECT_THAT(record["cause"].get<std::string>(), HasSubstr("is for mechanisms"));
  EXPECT_THROW(
      Run::bind({{"problem", "pendulum"}, {"method", "bdf"}, {"h", "1/100"}, {"discontinuities", "watch-force"}}, ""),
      InputError);
}

// The record tells of each attempt once: what was accepted tiles the interval.
TEST(Detection, RecordsEveryAttemptOnce) {
  for (const char* method : {"bdf", dormand_prince}) {
    const Json record = run(unannounced(), method, "1e-6", "detect");
    const Json& history = record["history"];
    double t = 0;
    long accepted = 0, dropped = 0;
    for (std::size_t i = 0; i < history["t"].size(); ++i) {
      EXPECT_NEAR(static_cast<double>(record_number(history["t"][i])), t, 1e-12) << method << " " << i;
      if (history["outcome"][i] != "accepted") {
        ++dropped;
        continue;
      }
      t += static_cast<double>(record_number(history["h"][i]));
      ++accepted;
    }
    EXPECT_NEAR(t, 4, 1e-12);
    EXPECT_EQ(accepted, count(record, "steps"));
    EXPECT_EQ(dropped, count(record, "rejected"));
  }
}

TEST(Detection, IsReproducibleToTheBit) {
  for (const char* method : {"bdf", dormand_prince}) {
    const Json first = run(unannounced(), method, "1e-7", "detect");
    const Json second = run(unannounced(), method, "1e-7", "detect");
    for (const char* key : {"q", "v", "a", "events", "history"})
      EXPECT_EQ(first[key], second[key]) << method << " " << key;
  }
}

// Where nothing jumps it does nothing.
TEST(Detection, LeavesSmoothMotionsAsTheyAre) {
  for (const char* method : {"bdf", dormand_prince, "radau-iia:s=3"}) {
    const Json ignored = run("pendulum", method, "1e-7");
    for (const char* how : {"detect", "watch-force", "watch-jacobian", "watch-differences"}) {
      const Json detected = run("pendulum", method, "1e-7", how);
      EXPECT_EQ(ignored["q"], detected["q"]) << method << ", " << how;
      EXPECT_TRUE(found_in(detected).empty()) << method << ", " << how;
    }
  }
}

// The past is forgotten at a jump: the steps that follow have order 1.
TEST(Detection, RestartsBdfAtOrderOne) {
  const Json record = run(unannounced(), "bdf", "1e-6", "detect");
  const Json& history = record["history"];
  for (const double jump : found_in(record)) {
    int orders_seen = 0;
    for (std::size_t i = 0; i < history["t"].size() && orders_seen < 2; ++i) {
      if (history["outcome"][i] != "accepted" || static_cast<double>(record_number(history["t"][i])) < jump) continue;
      EXPECT_EQ(history["order"][i], 1) << jump;
      ++orders_seen;
    }
  }
}

// What detection is for: BDF that creeps up to a jump with a past of the other side is rejected again and again. Of the
// one-step methods, Dormand-Prince gains a little.
TEST(Detection, SavesTheWorkOfCreepingUp) {
  for (const char* method : {"bdf", dormand_prince}) {
    const Json ignored = run(unannounced(), method, "1e-8"), detected = run(unannounced(), method, "1e-8", "detect");
    EXPECT_LT(count(detected, "residuals"), count(ignored, "residuals")) << method;
    EXPECT_LT(count(detected, "steps"), count(ignored, "steps")) << method;
    EXPECT_LT(error_of_q(detected, unannounced()), 3 * error_of_q(ignored, unannounced())) << method;
  }
}

// ---------------------------------------------------------------- restarts

// "Restarting from order 1 costs 10-20 steps" [Ren20, Sec. 5.2]: more than a start at the order there was.
TEST(Restart, AtOrderOneCostsTenToTwentySteps) {
  for (const char* rtol : {"1e-4", "1e-6"}) {
    const Json slow = run(four_jumps, "bdf", rtol), fast = run(four_jumps, "bdf:restart=runge-kutta", rtol);
    ASSERT_EQ(slow["events"]["list"].size(), 4u);
    ASSERT_EQ(fast["events"]["list"].size(), 4u);
    const double per_event = static_cast<double>(count(slow, "steps") - count(fast, "steps")) / 4;
    EXPECT_GE(per_event, 10) << rtol;
    EXPECT_LE(per_event, 20) << rtol;
    EXPECT_LT(count(fast, "residuals"), count(slow, "residuals")) << rtol;
    EXPECT_LT(error_of_q(fast, four_jumps), 3 * error_of_q(slow, four_jumps)) << rtol;
  }
}

// As many explicit steps as the order, all of the size there was; the first implicit one has that order.
TEST(Restart, GoesOnWithTheOrderItHad) {
  const Json record = run(four_jumps, "bdf:restart=runge-kutta", "1e-6");
  const Json& history = record["history"];
  const double event = static_cast<double>(record_number(record["events"]["list"][1]["t"]));
  std::vector<double> h;
  std::vector<int> order;
  for (std::size_t i = 0; i < history["t"].size(); ++i)
    if (static_cast<double>(record_number(history["t"][i])) >= event - 1e-12) {
      EXPECT_TRUE(h.size() > 5 || history["outcome"][i] == "accepted");
      h.push_back(static_cast<double>(record_number(history["h"][i])));
      order.push_back(history["order"][i].get<int>());
    }
  ASSERT_GT(h.size(), 6u);
  for (int i = 1; i <= 5; ++i) EXPECT_DOUBLE_EQ(h[static_cast<std::size_t>(i)], h[0]) << i;
  EXPECT_EQ(order[5], 5);
}

TEST(Restart, IsOfEventsOnly) {
  EXPECT_EQ(run("pendulum", "bdf", "1e-6")["q"], run("pendulum", "bdf:restart=runge-kutta", "1e-6")["q"]);
}

// y' = -1e6 (y - cos t): explicit steps of the size there was are far beyond their limit of stability, 3.3e-6. The two
// that fail cost little, and order 1 takes over.
TEST(Restart, FallsBackToOrderOneWhereStiff) {
  OdeSystem<double> ode(
      1, [](const double& t, const Vector<double>& y, Vector<double>& f) { f[0] = -1e6 * (y[0] - std::cos(t)); },
      [](const double&, const Vector<double>&, Matrix<double>& J) { J(0, 0) = -1e6; }, 0);
  const auto stepper = Registry<Method>::instance().make("bdf:restart=runge-kutta", "")->stepper(ode, {});
  stepper->control({1e-6, 1e-6, 1e-6});
  State<double> state = start_state(ode, Vector<double>{{1}});
  ASSERT_TRUE(integrate_adaptive<double>(*stepper, state, 1, 0, {}).ok());
  StepHistory<double> history;
  Interruptions<double> in_the_middle;
  in_the_middle.resumes = true;
  state.forget();
  ASSERT_TRUE(integrate_adaptive<double>(*stepper, state, 2, 0, {&history}, &in_the_middle).ok());
  std::size_t first = 0;
  while (!history.rows()[first].outcome.accepted()) ++first;
  EXPECT_GE(first, 2u);
  EXPECT_EQ(history.rows()[first].order, 1);
  EXPECT_NEAR(state.y[0], std::cos(2.0), 1e-4);  // 100 tolerances
}

}  // namespace TEST_FILE
}  // namespace daelab
