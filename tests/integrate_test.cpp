// The driver with error control: what it does with verdicts, failures and the end of the interval.
#include <gmock/gmock.h>

#include "core/integration/observers.hpp"
#include "core/integration/step_plan.hpp"
#include "tests/numeric_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::ElementsAre;
using testing::HasSubstr;

// Does as its script says: per attempt a status and a decision.
class Scripted final : public Stepper<double> {
 public:
  struct Line {
    Status status;
    bool accepted = true;
    double h = 0, error = 0.5;
    bool finite = true;  // the state it ends in
  };
  explicit Scripted(std::vector<Line> lines) : lines_(std::move(lines)) {}
  Status step(const State<double>& from, const double& h, State<double>& to) override {
    attempts.push_back(h);
    to = from;
    if (!line().finite) to.y[0] = std::numeric_limits<double>::quiet_NaN();
    const Status status = line().status;
    if (status.ok()) ++statistics_.steps;
    return status;
  }
  StepDecision<double> judge(const State<double>&, const double&, State<double>&, int failures) override {
    failures_seen.push_back(failures);
    return {line().accepted, line().h, line().error, 3};
  }
  Retry<double> retry(const State<double>&, const double& h, int) const override { return {h / 8}; }
  double first_step(const State<double>&, const double& length) const override { return length / 2; }

  std::vector<double> attempts;
  std::vector<int> failures_seen;

 private:
  // The last line goes on for ever.
  const Line& line() const { return lines_[std::min(attempts.size(), lines_.size()) - 1]; }
  std::vector<Line> lines_;
};

State<double> rest() { return BoundProblem<double>("pendulum", "index-1").start; }

TEST(IntegrateAdaptive, TakesTheStepsTheVerdictsAskFor) {
  Scripted stepper({{{}, true, 0.75}, {{}, false, 0.125}, {{}, true, 0.25}, {{}, true, 10}});
  // Steps of 1 (half the interval), what the verdicts say, and at last what remains: tiny last steps are avoided by
  // sharing it.
  State<double> state = rest();
  StepHistory<double> history;
  ASSERT_TRUE(integrate_adaptive<double>(stepper, state, 2, 0, {&history}).ok());
  EXPECT_THAT(stepper.attempts, ElementsAre(1, 0.5, 0.125, 0.25, 0.625)) << "0.75 would leave a rest of 0.25";
  EXPECT_THAT(stepper.failures_seen, ElementsAre(0, 0, 1, 0, 0));
  EXPECT_EQ(state.t, 2);
  EXPECT_EQ(stepper.statistics().steps, 4);
  EXPECT_EQ(stepper.statistics().rejected, 1);
  EXPECT_EQ(stepper.statistics().failed, 0);
  ASSERT_EQ(history.rows().size(), 5u);
  EXPECT_EQ(history.rows()[1].outcome.kind, StepOutcome::Kind::error);
  EXPECT_EQ(history.rows()[1].t, 1);
  EXPECT_TRUE(history.rows()[4].outcome.accepted());
  EXPECT_EQ(history.rows()[4].order, 3);
}

TEST(IntegrateAdaptive, RetriesFailedStepsWithTheSizeTheMethodSays) {
  const Status grew{StatusCode::newton_diverged, "it grew"};
  Scripted stepper({{grew}, {{}, true, 1}});
  State<double> state = rest();
  StepHistory<double> history;
  ASSERT_TRUE(integrate_adaptive<double>(stepper, state, 1, 0.5, {&history}).ok());
  EXPECT_EQ(stepper.attempts[0], 0.5);
  EXPECT_EQ(stepper.attempts[1], 0.0625);
  EXPECT_EQ(stepper.statistics().failed, 1);
  EXPECT_EQ(stepper.statistics().rejected, 1);
  EXPECT_EQ(history.rows()[0].outcome.failure, StatusCode::newton_diverged);
  EXPECT_TRUE(std::isnan(history.rows()[0].error));
}

TEST(IntegrateAdaptive, UnderflowEndsWithTimeCauseAndTheLastGoodState) {
  const Status grew{StatusCode::newton_diverged, "it grew"};
  Scripted stepper({{{}, true, 0.5}, {grew}});
  State<double> state = rest();
  const Status status = integrate_adaptive<double>(stepper, state, 1, 0.5, {});
  EXPECT_EQ(status.code, StatusCode::step_too_small);
  EXPECT_THAT(status.cause, HasSubstr("it grew"));
  EXPECT_THAT(status.cause, HasSubstr("t = 0.5"));
  EXPECT_EQ(state.t, 0.5);
  Scripted never(std::vector<Scripted::Line>{{{}, false, 0}});
  EXPECT_THAT(integrate_adaptive<double>(never, state, 1, 0.25, {}).cause, HasSubstr("the error test failed"));
}

// At t = 0 steps may be far shorter than round-off of the end time: stiff transients of problems over many decades.
TEST(IntegrateAdaptive, StartsWithStepsThatTheEndTimeWouldNotShow) {
  Scripted stepper({{{}, false, 1e-20}, {{}, true, 1}});
  State<double> state = rest();
  ASSERT_TRUE(integrate_adaptive<double>(stepper, state, 1, 1e-18, {}).ok());
  EXPECT_EQ(stepper.attempts[1], 1e-20);
  EXPECT_EQ(state.t, 1);
}

// As long as t + h is told from t with two digits of h to spare.
TEST(IntegrateAdaptive, TheSmallestStepIsFourUnitsOfRoundOff) {
  const double unit = 0.5 * std::numeric_limits<double>::epsilon();  // at t = 0.5
  Scripted enough({{{}, true, 5 * unit}, {{}, true, 0.5}});
  State<double> state = rest();
  EXPECT_TRUE(integrate_adaptive<double>(enough, state, 1, 0.5, {}).ok());
  EXPECT_EQ(enough.attempts[1], 5 * unit);
  EXPECT_EQ(state.t, 1);

  Scripted too_small({{{}, true, 3 * unit}, {{}, true, 0.5}});
  state = rest();
  EXPECT_EQ(integrate_adaptive<double>(too_small, state, 1, 0.5, {}).code, StatusCode::step_too_small);
  EXPECT_THAT(too_small.attempts, ElementsAre(0.5));
  EXPECT_EQ(state.t, 0.5);
}

TEST(IntegrateAdaptive, EndsAfterTheMostAttempts) {
  Interruptions<double> limited;
  for (const long most : {3, 4}) {
    limited.max_steps = most;
    Scripted stepper(std::vector<Scripted::Line>{{{}, true, 0.25}});
    State<double> state = rest();
    const Status status = integrate_adaptive<double>(stepper, state, 1, 0.25, {}, &limited);
    EXPECT_EQ(status.code, most == 4 ? StatusCode::ok : StatusCode::step_limit);
    EXPECT_EQ(stepper.attempts.size(), static_cast<std::size_t>(most));
    EXPECT_EQ(state.t, 0.25 * static_cast<double>(most)) << "the last good one";
  }
}

TEST(Integrate, FixedStepsBeyondTheMostAreNotBegun) {
  Interruptions<double> limited;
  limited.max_steps = 4;
  for (const double h : {0.25, 0.24}) {
    Scripted stepper(std::vector<Scripted::Line>(1));
    State<double> state = rest();
    EXPECT_EQ(integrate<double>(stepper, state, 1, h, {}, &limited).code,
              h == 0.25 ? StatusCode::ok : StatusCode::step_limit);
    EXPECT_EQ(state.t, h == 0.25 ? 1 : 0);
  }
}

TEST(IntegrateAdaptive, EstimatesThatAreNotFiniteAreFailures) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Scripted stepper({{{}, true, 1, nan}, {{}, true, 1}});
  State<double> state = rest();
  ASSERT_TRUE(integrate_adaptive<double>(stepper, state, 1, 0.5, {}).ok());
  EXPECT_EQ(stepper.attempts[1], 0.0625) << "retry(), not the decision";
  EXPECT_EQ(stepper.statistics().rejected, 1);
}

// Whatever the estimate says of them.
TEST(IntegrateAdaptive, StatesThatAreNotFiniteAreFailures) {
  Scripted stepper({{{}, true, 1, 0.5, false}, {{}, true, 1}});
  State<double> state = rest();
  ASSERT_TRUE(integrate_adaptive<double>(stepper, state, 1, 0.5, {}).ok());
  EXPECT_EQ(stepper.attempts[1], 0.0625) << "retry(), not the decision";
  EXPECT_EQ(stepper.statistics().rejected, 1);
  EXPECT_TRUE(std::isfinite(state.y[0]));
}

TEST(IntegrateAdaptive, ContradictionsAreNotCuredBySmallerSteps) {
  Scripted stepper(std::vector<Scripted::Line>{{{StatusCode::inconsistent, "they contradict"}}});
  State<double> state = rest();
  const Status status = integrate_adaptive<double>(stepper, state, 1, 0.5, {});
  EXPECT_EQ(status.code, StatusCode::inconsistent);
  EXPECT_EQ(stepper.attempts.size(), 1u);
}

TEST(StepPlan, CountsStepsAndSaysWhetherTheLastIsShorter) {
  const auto plan = [](double length, double h) {
    const StepPlan plan = plan_steps(length, h);
    return std::pair(plan.steps, plan.shortened);
  };
  EXPECT_EQ(plan(1, 0.1), std::pair(10L, false)) << "but for round-off";
  EXPECT_EQ(plan(1, 0.10001), std::pair(10L, true));
  EXPECT_EQ(plan(1, 0.09999), std::pair(11L, true));
  EXPECT_EQ(plan(1, 2), std::pair(1L, true));
  EXPECT_EQ(plan(0, 1), std::pair(0L, false));
}

TEST(FixedSteps, RepeatTheirPattern) {
  const FixedSteps<double> steps(0.25, {1, 2, 0.5});  // ends at 0.25, 0.75, 0.875; 1.125, ...
  EXPECT_EQ(steps.size(2), 0.5);
  EXPECT_EQ(steps.end(3), 0.875);
  EXPECT_EQ(steps.size(4), 0.25);
  EXPECT_EQ(steps.end(5), 1.625);
  const auto plan = [&](double length) { return std::pair(steps.plan(length).steps, steps.plan(length).shortened); };
  EXPECT_EQ(plan(0.875), std::pair(3L, false));
  EXPECT_EQ(plan(1.75), std::pair(6L, false));
  EXPECT_EQ(plan(1.125), std::pair(4L, false));
  EXPECT_EQ(plan(1.25), std::pair(5L, true));
  EXPECT_EQ(plan(0.1), std::pair(1L, true));
  EXPECT_EQ(FixedSteps<double>(0.1).end(3), 3 * 0.1);
  EXPECT_EQ(FixedSteps<double>(0.1).plan(1).steps, 10);
}

TEST(Integrate, TakesTheStepsOfThePattern) {
  Scripted stepper(std::vector<Scripted::Line>(1));
  State<double> state = rest();
  ASSERT_TRUE(integrate<double>(stepper, state, 2, FixedSteps<double>(0.25, {1, 2, 0.5}), {}).ok());
  EXPECT_EQ(stepper.attempts, (std::vector<double>{0.25, 0.5, 0.125, 0.25, 0.5, 0.125, 0.25})) << "2 = 1.75 + 0.25";
  EXPECT_EQ(state.t, 2);
}

// W = rtol |y| + atol, with its own atol for velocities. [Ren20, eq. (35)]
TEST(ErrorNorm, WeighsPositionsAndVelocitiesApart) {
  const BoundProblem<double> bound("pendulum", "index-3");
  ErrorNorm<double> norm({0.5, 1, 10}, *bound.system);
  norm.weigh(Vector<double>{{2, 0, -20, 0, 7}});
  EXPECT_DOUBLE_EQ(norm(Vector<double>{{-3, 0, 0, 0, 99}}), 3 / 2.0) << "lambda does not count";
  EXPECT_DOUBLE_EQ(norm(Vector<double>{{0, 0.5, 4, 0, 0}}), 0.5);
  EXPECT_DOUBLE_EQ(norm(Vector<double>{{0, 0, 40, 10, 0}}), 2);
  EXPECT_DOUBLE_EQ(norm.positions(Vector<double>{{0, 0.5, 1e6, 0, 0}}), 0.5);
  EXPECT_TRUE(std::isnan(norm(Vector<double>{{std::nan(""), 1, 1, 1, 1}})));
}

// ATOL_k of (35) for the second coordinate and the first velocity alone.
TEST(ErrorNorm, WeighsSingleComponents) {
  const BoundProblem<double> bound("pendulum", "index-3");
  ErrorNorm<double> norm({0.5, 1, 10, {{1, 4}, {2, 6}}}, *bound.system);
  norm.weigh(Vector<double>{{2, 2, 8, 8, 7}});
  EXPECT_DOUBLE_EQ(norm(Vector<double>{{1, 0, 0, 0, 0}}), 1 / 2.0);
  EXPECT_DOUBLE_EQ(norm(Vector<double>{{0, 1, 0, 0, 0}}), 1 / 5.0);
  EXPECT_DOUBLE_EQ(norm(Vector<double>{{0, 0, 1, 0, 0}}), 1 / 10.0);
  EXPECT_DOUBLE_EQ(norm(Vector<double>{{0, 0, 0, 1, 0}}), 1 / 14.0);
}

}  // namespace TEST_FILE
}  // namespace daelab
