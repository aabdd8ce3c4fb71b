// The driver loop and what watches it: samples, trajectories, drift; the end of a run and its failures.
#include "core/integration/observers.hpp"

#include <gmock/gmock.h>

#include <sstream>

#include "analysis/order_estimate.hpp"
#include "core/base/context.hpp"
#include "core/integration/method.hpp"
#include "tests/numeric_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

std::unique_ptr<Stepper<double>> make_stepper(const std::string& method, const BoundProblem<double>& bound) {
  return Registry<Method>::instance().make(method, "")->stepper(*bound.system, {});
}

// ---------------------------------------------------------------- samples

#ifndef DAELAB_DOUBLE_ONLY
struct SampleErrors {
  Real50 q, v;
};

// Dense output of a run of order 14, so that the errors at the samples are those of the interpolation.
SampleErrors sample_errors(int steps) {
  const BoundProblem<Real50> bound("pendulum", "index-1");
  NewtonOptions newton;
  newton.max_iterations = 100;  // one Jacobian a step gains a digit or two an iteration, and 50 are wanted
  const auto stepper = Registry<Method>::instance().make("gauss:s=7", "")->stepper(*bound.system, newton);
  const std::vector<Real50> times{Real50("0.125"), Real50("0.375"), Real50("0.575"), Real50("0.775")};
  Sampler<Real50> sampler(*bound.model, *bound.system, times);
  State<Real50> state = bound.start;
  const Status status = integrate<Real50>(*stepper, state, Real50(1), Real50(1) / steps, {&sampler});
  EXPECT_TRUE(status.ok()) << status.cause;
  EXPECT_EQ(sampler.samples().size(), times.size());
  SampleErrors errors{0, 0};
  for (std::size_t i = 0; i < sampler.samples().size(); ++i) {
    const State<Real50>& sample = sampler.samples()[i];
    EXPECT_EQ(sample.t, times[i]);
    const Motion exact = *bound.problem->independent_solution(times[i], 50);
    errors.q = std::max(errors.q, Real50((bound.layout.q(sample.y) - exact.q).cwiseAbs().maxCoeff()));
    errors.v = std::max(errors.v, Real50((bound.layout.v(sample.y) - exact.v).cwiseAbs().maxCoeff()));
  }
  return errors;
}

// The quintic through (q, v, a) at both ends errs by q^(6) h^6 x^3 (1 - x)^3/720, its derivative by one order
// less. Thirds of a step keep the samples a quarter of a step from its end, so the slopes do not scatter.
// Bound: orders estimated from three steps, each a third of the one before.
TEST(Sampler, HasOrderSixInPositionsAndFiveInVelocities) {
  std::vector<OrderPoint> q, v;
  for (int steps : {10, 30, 90}) {
    const SampleErrors e = sample_errors(steps);
    q.push_back(order_point(Real50(1) / steps, e.q));
    v.push_back(order_point(Real50(1) / steps, e.v));
  }
  const OrderEstimate of_q = estimate_order(q), of_v = estimate_order(v);
  EXPECT_NEAR(of_q.order, 6, 0.15) << of_q.statement;
  EXPECT_NEAR(of_v.order, 5, 0.15) << of_v.statement;
}
#endif

TEST(Sampler, SamplesAtStepEndsAreTheStates) {
  const BoundProblem<double> bound("two-link-manipulator", "index-2");
  const auto stepper = make_stepper("pade-block", bound);
  const double h = 1.0 / 64;
  Sampler<double> sampler(*bound.model, *bound.system, {0, h, 4 * h});
  State<double> state = bound.start;
  ASSERT_TRUE(integrate<double>(*stepper, state, 4 * h, h, {&sampler}).ok());
  ASSERT_EQ(sampler.samples().size(), 3u);
  EXPECT_EQ(sampler.samples()[0].y, bound.start.y);
  // The polynomial at x = 1 is q0 + v0 + a0/2 + p with p = q1 - ...: equal up to a few roundings; of
  // v divided by h. lambda and a are completed from (q, v), which on index 2 they only approximate.
  const State<double>& last = sampler.samples()[2];
  EXPECT_EQ(last.t, state.t);
  EXPECT_LT(largest(bound.layout.q(last.y) - bound.layout.q(state.y)), 1e-15);
  EXPECT_LT(largest(bound.layout.v(last.y) - bound.layout.v(state.y)), 1e-13);
  EXPECT_LT(largest(bound.layout.lambda(last.y) - bound.layout.lambda(state.y)), 1e-5);  // measured 3.3e-7
  State<double> completed = last;
  ASSERT_TRUE(bound.system->consistent_derivatives(last.t, completed.y, completed.ydot).ok());
  EXPECT_EQ(completed.y, last.y);
  EXPECT_EQ(completed.ydot, last.ydot);
}

TEST(Sampler, TimesBeyondTheEndAreNotReached) {
  const BoundProblem<double> bound("pendulum", "index-1");
  const auto stepper = make_stepper("radau-iia", bound);
  Sampler<double> sampler(*bound.model, *bound.system, {0.01, 0.02, 5});
  State<double> state = bound.start;
  ASSERT_TRUE(integrate<double>(*stepper, state, 0.1, 0.05, {&sampler}).ok());
  EXPECT_EQ(sampler.samples().size(), 2u) << "both within the first step";
}

// ---------------------------------------------------------------- drift and trajectory

// Puts constructed states through an observer: the maxima are known without a run.
TEST(DriftObserver, KeepsTheMaximaOverStepEnds) {
  const BoundProblem<double> bound("pendulum", "index-1");  // m = L = 1, g = 9.81, C = (x^2 + y^2 - 1)/2
  DriftObserver<double> drift(*bound.model);
  drift.start(bound.start);
  EXPECT_EQ(drift.energy_error, 0);
  EXPECT_EQ(drift.position, 0);
  State<double> state = bound.start;  // (x, y) = (-1, 0), at rest
  state.y[0] = -2;                    // C = 3/2; E unchanged
  drift.step(bound.start, state);
  EXPECT_EQ(drift.position, 1.5);
  EXPECT_EQ(drift.energy_error, 0);
  state = bound.start;
  state.y[2] = 3;  // x' = 3: C_q v = x x' = -3, T = 9/2, d2C/dt2 = v^2 + x x'' = 9
  drift.step(bound.start, state);
  EXPECT_EQ(drift.velocity, 3);
  EXPECT_EQ(drift.energy_error, 4.5);
  EXPECT_EQ(drift.acceleration, 9);
  drift.step(bound.start, bound.start);
  EXPECT_EQ(drift.velocity, 3) << "maxima stay";
  EXPECT_EQ(drift.position, 1.5);
}

TEST(DriftObserver, KeepsNotANumber) {
  const BoundProblem<double> bound("pendulum", "index-1");
  DriftObserver<double> drift(*bound.model);
  drift.start(bound.start);
  State<double> state = bound.start;
  state.y[0] = std::numeric_limits<double>::quiet_NaN();
  drift.step(bound.start, state);
  drift.step(state, bound.start);
  EXPECT_TRUE(std::isnan(drift.position));
}

std::vector<std::vector<std::string>> table(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

TEST(TrajectoryRecorder, WritesAColumnForEverythingAndARowForEveryStep) {
  const BoundProblem<double> bound("two-link-manipulator", "index-1");
  const auto stepper = make_stepper("pade-block", bound);
  TrajectoryRecorder<double> recorder(*bound.model, 1);
  State<double> state = bound.start;
  ASSERT_TRUE(integrate<double>(*stepper, state, 0.1, 0.01, {&recorder}).ok());
  const auto rows = table(recorder.csv());
  ASSERT_EQ(rows.size(), 1u + 11u) << "header, start, ten steps";
  const std::vector<std::string>& header = rows[0];
  // t, 3 x 6, 4 multipliers, 2 observables, 4 energies, 3 constraint levels
  ASSERT_EQ(header.size(), 1u + 18 + 4 + 2 + 4 + 3);
  for (const auto& row : rows) EXPECT_EQ(row.size(), header.size());
  const auto column = [&](const std::string& name) {
    return static_cast<std::size_t>(std::find(header.begin(), header.end(), name) - header.begin());
  };
  EXPECT_EQ(header[0], "t");
  for (const char* name :
       {"q1", "v6", "a3", "lambda4", "tip_x", "tip_y", "kinetic_energy", "potential_energy", "total_energy",
        "energy_error", "position_constraint", "velocity_constraint", "acceleration_constraint"})
    EXPECT_LT(column(name), header.size()) << name;
  EXPECT_EQ(rows[1][column("energy_error")], "0");
  // 17 digits give every double back.
  EXPECT_EQ(std::stod(rows.back()[0]), state.t);
  EXPECT_EQ(std::stod(rows.back()[column("q3")]), state.y[2]);
  EXPECT_EQ(std::stod(rows.back()[column("v1")]), state.y[6]);
  EXPECT_EQ(std::stod(rows.back()[column("a6")]), state.ydot[11]);
  EXPECT_EQ(std::stod(rows.back()[column("lambda4")]), state.y[15]);
  // The tip starts at (2, 0): L1 cos 60 + sqrt(3) cos(-30), and the sines cancel.
  EXPECT_NEAR(std::stod(rows[1][column("tip_x")]), 2, 1e-15);
  EXPECT_NEAR(std::stod(rows[1][column("tip_y")]), 0, 1e-15);
}

TEST(TrajectoryRecorder, TakesEveryNthStep) {
  const BoundProblem<double> bound("pendulum", "index-1");
  const auto stepper = make_stepper("pade-block", bound);
  TrajectoryRecorder<double> recorder(*bound.model, 5);
  State<double> state = bound.start;
  ASSERT_TRUE(integrate<double>(*stepper, state, 0.2, 0.01, {&recorder}).ok());
  const auto rows = table(recorder.csv());
  ASSERT_EQ(rows.size(), 1u + 5u) << "header, start, steps 5, 10, 15, 20";
  EXPECT_EQ(std::stod(rows[2][0]), 0.05);
  EXPECT_EQ(std::stod(rows[5][0]), 0.2);
}

// 12 steps, every fifth: 5 and 10, and the last state, which a plot or comparison needs.
TEST(TrajectoryRecorder, EndsWithTheLastState) {
  const BoundProblem<double> bound("pendulum", "index-1");
  const auto stepper = make_stepper("pade-block", bound);
  TrajectoryRecorder<double> recorder(*bound.model, 5);
  State<double> state = bound.start;
  ASSERT_TRUE(integrate<double>(*stepper, state, 0.12, 0.01, {&recorder}).ok());
  const auto rows = table(recorder.csv());
  ASSERT_EQ(rows.size(), 1u + 4u);
  EXPECT_EQ(std::stod(rows.back()[0]), 0.12);
}

// ---------------------------------------------------------------- the driver loop

struct Steps final : Observer<double> {
  void start(const State<double>& state) override { times.push_back(state.t); }
  void step(const State<double>& from, const State<double>& to) override {
    EXPECT_EQ(from.t, times.back());
    times.push_back(to.t);
    if (interrupt && times.size() == stop_after + 1) interrupt->request();
  }
  std::vector<double> times;
  Interrupt* interrupt = nullptr;  // requested after so many steps
  std::size_t stop_after = 0;
};

TEST(Integrate, StepKEndsAtExactlyKTimesHAndTheLastAtTheEnd) {
  const BoundProblem<double> bound("pendulum", "index-1");
  const auto stepper = make_stepper("runge-kutta", bound);
  Steps steps;
  State<double> state = bound.start;
  ASSERT_TRUE(integrate<double>(*stepper, state, 0.3, 0.1, {&steps}).ok());
  EXPECT_EQ(steps.times, (std::vector<double>{0, 0.1, 2 * 0.1, 0.3})) << "no accumulated rounding";
  EXPECT_NE(3 * 0.1, 0.3) << "so the end is not simply 3 h";
  EXPECT_EQ(stepper->statistics().steps, 3);
}

TEST(Integrate, ShortensTheLastStepWhenHDoesNotDivide) {
  const BoundProblem<double> bound("pendulum", "index-1");
  const auto stepper = make_stepper("runge-kutta", bound), whole = make_stepper("runge-kutta", bound);
  Steps steps;
  State<double> state = bound.start;
  ASSERT_TRUE(integrate<double>(*stepper, state, 0.25, 0.1, {&steps}).ok());
  EXPECT_EQ(steps.times, (std::vector<double>{0, 0.1, 0.2, 0.25}));
  EXPECT_EQ(state.t, 0.25);
  // The last step was one of what remained, not one of 0.1 with another time on it.
  State<double> by_hand = bound.start, next = by_hand;
  ASSERT_TRUE(integrate<double>(*whole, by_hand, 0.2, 0.1, {}).ok());
  ASSERT_TRUE(whole->step(by_hand, 0.25 - 0.2, next).ok());
  EXPECT_EQ(state.y, next.y);
}

TEST(Integrate, WithAStepLongerThanTheIntervalTakesOne) {
  const BoundProblem<double> bound("pendulum", "index-1");
  const auto stepper = make_stepper("runge-kutta", bound);
  State<double> state = bound.start;
  ASSERT_TRUE(integrate<double>(*stepper, state, 0.05, 0.1, {}).ok());
  EXPECT_EQ(state.t, 0.05);
  EXPECT_EQ(stepper->statistics().steps, 1);
}

// A run in two parts is the same as in one: the state carries all there is.
TEST(Integrate, ContinuesFromAState) {
  const BoundProblem<double> bound("two-link-manipulator", "index-1");
  NewtonOptions newton;
  newton.iteration = NewtonIteration::simplified;  // which remembers nothing: a run begins with an empty memory
  const auto stepper = Registry<Method>::instance().make("pade-block", "")->stepper(*bound.system, newton);
  State<double> once = bound.start, twice = bound.start;
  ASSERT_TRUE(integrate<double>(*stepper, once, 0.5, 1.0 / 64, {}).ok());
  ASSERT_TRUE(integrate<double>(*stepper, twice, 0.25, 1.0 / 64, {}).ok());
  ASSERT_TRUE(integrate<double>(*stepper, twice, 0.5, 1.0 / 64, {}).ok());
  EXPECT_EQ(once.t, twice.t);
  EXPECT_EQ(once.y, twice.y);
  EXPECT_EQ(once.compensation, twice.compensation);
}

TEST(Integrate, StopsWhenInterrupted) {
  const BoundProblem<double> bound("pendulum", "index-1");
  const auto stepper = make_stepper("runge-kutta", bound);
  Context context;
  const Context::Scope scope(context);
  Steps steps;
  steps.interrupt = &context.interrupt, steps.stop_after = 3;
  State<double> state = bound.start;
  const Status status = integrate<double>(*stepper, state, 1, 0.1, {&steps});
  context.interrupt.withdraw();
  EXPECT_EQ(status.code, StatusCode::interrupted);
  EXPECT_EQ(steps.times.size(), 4u);
  EXPECT_EQ(state.t, 3 * 0.1) << "the last finished step";
  EXPECT_TRUE(integrate<double>(*stepper, state, 1, 0.1, {}).ok()) << "it goes on from there";
}

// A stepper that gives up or blows up at a chosen step.
class Troubled final : public Stepper<double> {
 public:
  Troubled(int at, double value, Status status) : at_(at), value_(value), status_(std::move(status)) {}
  Status step(const State<double>& from, const double& h, State<double>& to) override {
    to = from;
    to.t += h;
    if (++statistics_.steps < at_) return {};
    to.ydot[0] = value_;
    return status_;
  }

 private:
  int at_;
  double value_;
  Status status_;
};

TEST(Integrate, DetectsStatesThatAreNotFinite) {
  const BoundProblem<double> bound("pendulum", "index-1");
  for (double value : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    Troubled stepper(3, value, {});
    State<double> state = bound.start;
    const Status status = integrate<double>(stepper, state, 1, 0.125, {});
    EXPECT_EQ(status.code, StatusCode::non_finite);
    EXPECT_THAT(status.cause, HasSubstr("step from t = 0.25"));
    EXPECT_EQ(state.t, 0.25) << "the last good state";
    EXPECT_EQ(state.ydot, bound.start.ydot);
  }
}

TEST(Integrate, PassesOnAFailureWithItsTime) {
  const BoundProblem<double> bound("pendulum", "index-1");
  Troubled stepper(2, 0, {StatusCode::newton_diverged, "it grew"});
  State<double> state = bound.start;
  const Status status = integrate<double>(stepper, state, 1, 0.125, {});
  EXPECT_EQ(status.code, StatusCode::newton_diverged);
  EXPECT_EQ(status.cause, "it grew (step from t = 0.125)");
  EXPECT_EQ(state.t, 0.125);
}

TEST(Integrate, RefusesEndlessRuns) {
  const BoundProblem<double> bound("pendulum", "index-1");
  const auto stepper = make_stepper("runge-kutta", bound);
  State<double> state = bound.start;
  EXPECT_EQ(integrate<double>(*stepper, state, 10, 1e-9, {}).code, StatusCode::step_limit);
  EXPECT_EQ(integrate<double>(*stepper, state, 1, 0.99e-8, {}).code, StatusCode::step_limit) << "1.01e8 steps";
  EXPECT_EQ(state.t, 0);
}

}  // namespace TEST_FILE
}  // namespace daelab
