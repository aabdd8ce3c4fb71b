// Discrete-time blocks: sampled at fixed times, without harm to the method that integrates in between.
#include <gmock/gmock.h>

#include "analysis/order_estimate.hpp"
#include "core/integration/method.hpp"
#include "core/integration/observers.hpp"
#include "lab/runs/run.hpp"
#include "tests/experiment_support.hpp"
#include "tests/numeric_support.hpp"
#include "tests/run_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

constexpr double period = 0.015;  // of the problem, unless a test says otherwise

Json motor(const std::string& controller) { return {{"name", "motor-crank"}, {"controller", controller}}; }

// Over half a second, which is not a sampling time: 34 samplings, at 0, P, ..., 33 P.
constexpr long samplings = 34;

Json run_motor(Json run, const std::string& controller = "sampled") {
  if (!run.contains("problem")) run["problem"] = motor(controller);
  if (!run.contains("t_end")) run["t_end"] = "1/2";
  return record_of_run(run);
}

// Ends of steps.
class Ends final : public Observer<double> {
 public:
  void start(const State<double>&) override {}
  void step(const State<double>&, const State<double>& to) override { at.push_back(to.t); }
  std::vector<double> at;
};

std::vector<double> step_ends(const std::string& method, const std::string& formulation, double h, double rtol) {
  const BoundProblem<double> bound("motor-crank:controller=sampled", formulation);
  const auto stepper = Registry<Method>::instance().make(method, "")->stepper(*bound.system, {});
  State<double> state = bound.start;
  EventWatch<double> watch(*bound.model, *bound.system, *stepper, 0.5);
  Interruptions<double> interruptions{&watch};
  Ends ends;
  if (rtol > 0) stepper->control({rtol, rtol, rtol});
  const Status status = rtol > 0 ? integrate_adaptive<double>(*stepper, state, 0.5, h, {&ends}, &interruptions)
                                 : integrate<double>(*stepper, state, 0.5, h, {&ends}, &interruptions);
  EXPECT_TRUE(status.ok()) << status.cause;
  EXPECT_EQ(watch.samplings(), samplings) << method;
  return ends.at;
}

TEST(SampledController, StepsEndExactlyAtSamplingTimes) {
  for (const auto& ends :
       {step_ends("radau-iia", "index-3", 0.004, 0), step_ends("bdf:k=2", "ggl", 0.04, 0),
        step_ends("runge-kutta:tableau=dormand-prince", "projected", 0, 1e-6), step_ends("bdf", "index-3", 0, 1e-6)})
    for (long k = 1; k < samplings; ++k)
      EXPECT_EQ(std::count(ends.begin(), ends.end(), static_cast<double>(k) * period), 1) << k;
}

// Steps of a fixed size end where they would without the controller, and at sampling times.
TEST(SampledController, LeavesTheGridOfFixedStepsAlone) {
  const std::vector<double> ends = step_ends("radau-iia", "index-3", 0.004, 0);
  for (int k = 1; k <= 125; ++k) EXPECT_EQ(std::count(ends.begin(), ends.end(), k == 125 ? 0.5 : k * 0.004), 1) << k;
  // Every fourth sampling time is on the grid: 33 sampling times within the run, 8 of them on it.
  EXPECT_EQ(ends.size(), 125u + 33u - 8u);
}

// Held by hand: u_0 = k_p w_ref at t = 0, and nothing else when the period is longer than the run.
TEST(SampledController, IsSampledAtTheStart) {
  const Json problem = {{"name", "motor-crank"}, {"controller", "sampled"}, {"sampling_period", 1}};
  const RunOutcome outcome = Run::bind({{"problem", problem},
                                        {"formulation", "index-3"},
                                        {"method", "radau-iia"},
                                        {"h", "1/100"},
                                        {"t_end", "1/10"},
                                        {"trajectory", 1}},
                                       "")
                                 ->execute();
  EXPECT_EQ(outcome.record["events"]["samplings"], 1);
  EXPECT_EQ(outcome.record["stats"]["steps"], 10);
  std::istringstream rows(outcome.trajectory);
  std::string row, header;
  std::getline(rows, header);
  EXPECT_THAT(header, HasSubstr("current,voltage,"));
  int count = 0;
  for (; std::getline(rows, row); ++count) EXPECT_THAT(row, HasSubstr(",10,")) << "the voltage is k_p w_ref = 10 V";
  EXPECT_EQ(count, 11);
}

TEST(SampledController, RefusesPeriodsThatAreNotPositive) {
  for (const char* value : {"0", "-1"})
    EXPECT_THAT(
        input_error_of([&] {
          run_motor({{"problem", {{"name", "motor-crank"}, {"controller", "sampled"}, {"sampling_period", value}}},
                     {"method", "radau-iia"},
                     {"h", "1/100"}});
        }),
        HasSubstr("/problem/sampling_period"));
  EXPECT_THAT(input_error_of([&] {
                run_motor({{"problem", motor("smapled")}, {"method", "radau-iia"}, {"h", "1/100"}});
              }),
              HasSubstr("/problem/controller"));
}

// Where sampling is fast, the sampled controller is the continuous one: the difference is of the first order in the
// period.
TEST(SampledController, TendsToTheContinuousOne) {
  const Json exact = run_motor(
      {{"formulation", "index-1"}, {"method", "runge-kutta:tableau=verner-87"}, {"h", "1/2000"}}, "continuous");
  std::vector<OrderPoint> points;
  for (const char* p : {"1/500", "1/1000", "1/2000"}) {
    const Json record =
        run_motor({{"problem", {{"name", "motor-crank"}, {"controller", "sampled"}, {"sampling_period", p}}},
                   {"formulation", "index-1"},
                   {"method", "runge-kutta:tableau=verner-87"},
                   {"h", "1/2000"}});
    points.push_back(
        order_point(Exact(p).as<double>(), std::abs(record["v"][0].get<double>() - exact["v"][0].get<double>())));
  }
  EXPECT_NEAR(estimate_order(points).order, 1, 0.1);  // measured within 0.026
}

// The order of fixed steps stays, whether h divides the period (1/1000) or not: the jumps are at ends of steps.
struct FixedSteps {
  std::string formulation, method;
  double order;
};

class SampledControllerOrder : public testing::TestWithParam<FixedSteps> {};

// Between h and h/4, with some twelve steps a period at least: errors of fewer are not yet of the order.
TEST_P(SampledControllerOrder, IsThatOfTheMethod) {
  const FixedSteps& c = GetParam();
  const auto error = [&](int n) {
    const Json record =
        run_motor({{"formulation", c.formulation}, {"method", c.method}, {"h", fmt::format("1/{}", n)}});
    EXPECT_EQ(record["status"], "ok") << record["cause"];
    EXPECT_EQ(record["events"]["samplings"], samplings);
    return std::max(record["error"]["v"].get<double>(), record["error"]["y"].get<double>());
  };
  // Measured 0.16 below order 2.
  for (const int n : {1000, 830}) EXPECT_GT(std::log2(error(n) / error(4 * n)) / 2, c.order - 0.3) << "h = 1/" << n;
}

const FixedSteps fixed_steps[] = {{"index-1", "runge-kutta:tableau=rk4-classical", 4},
                                  {"projected", "runge-kutta:tableau=rk4-classical", 4},
                                  {"index-3", "radau-iia:s=2", 2},
                                  {"ggl", "radau-iia:s=2", 3},
                                  {"index-3", "bdf:k=2", 2},
                                  {"stabilized-index-1", "bdf:k=2", 2},
                                  {"index-3", "generalized-alpha:rho=4/5", 2},
                                  {"ggl", "hht:alpha=1/10", 2}};
INSTANTIATE_TEST_SUITE_P(FixedSteps, SampledControllerOrder, testing::ValuesIn(fixed_steps), [](const auto& info) {
  return test_name_of(info.param.formulation + "_" + info.param.method);
});

// A controller without gains, sampled or not, leaves the motor alone: what differs is what sampling costs the
// integrator.
long steps_without_gains(const std::string& controller, Json run) {
  run["problem"] = motor(controller);
  run["problem"].update({{"proportional_gain", 0}, {"integral_gain", 0}, {"speed", 20}});
  const Json record = run_motor(run);
  EXPECT_EQ(record["status"], "ok") << record["cause"];
  return record["stats"]["steps"].get<long>();
}

// One-step methods keep their step size over a sampling: each costs at most the step it ends early, and one more, since
// the last two steps before it share what remains.
TEST(SampledController, CostsOneStepMethodsTwoStepsASamplingAtMost) {
  for (const auto& [formulation, method] : {std::pair("projected", "runge-kutta:tableau=dormand-prince"),
                                            std::pair("index-3", "radau-iia"), std::pair("ggl", "generalized-alpha")})
    for (const char* rtol : {"1e-3", "1e-5", "1e-7"}) {
      const Json run = {{"formulation", formulation}, {"method", method}, {"rtol", rtol}};
      EXPECT_LE(steps_without_gains("sampled", run), steps_without_gains("continuous", run) + 2 * samplings)
          << method << ", " << rtol;
    }
}

// The held voltage jumps: accelerations of two methods that share neither form nor coefficients agree with the stored
// reference all the same.
TEST(SampledController, DoesNotDependOnTheMethod) {
  for (const auto& [formulation, method] :
       {std::pair("projected", "runge-kutta:tableau=dormand-prince"), std::pair("index-3", "radau-iia"),
        std::pair("index-3", "bdf"), std::pair("ggl", "bdf"), std::pair("stabilized-index-1", "bdf"),
        std::pair("index-1", "adams-pece:k=4")}) {
    Json run = {{"formulation", formulation}, {"method", method}};
    run[std::string(method).starts_with("adams") ? "h" : "rtol"] =
        std::string(method).starts_with("adams") ? "1/8000" : "1e-8";
    const Json record = run_motor(run);
    ASSERT_EQ(record["status"], "ok") << method << ": " << record["cause"];
    // A margin: measured 2.4e-7 in v and 5e-8 in y.
    EXPECT_LT(record["error"]["v"].get<double>(), 2e-5) << method << " on " << formulation;
    EXPECT_LT(record["error"]["y"].get<double>(), 2e-5) << method << " on " << formulation;
    EXPECT_EQ(record["events"]["samplings"], samplings);
  }
}

// A multistep method starts anew at each sampling: from order 1, or with its order and step size from a past made by
// explicit steps.
TEST(SampledController, CostsMultistepMethodsARestartEach) {
  const auto steps = [](const std::string& controller, const char* restart) {
    return steps_without_gains(
        controller,
        {{"formulation", "index-3"}, {"method", {{"name", "bdf"}, {"restart", restart}}}, {"rtol", "1e-6"}});
  };
  const long continuous = steps("continuous", "order-1");
  EXPECT_EQ(continuous, steps("continuous", "runge-kutta")) << "there is nothing to restart from";
  EXPECT_GT(steps("sampled", "order-1"), continuous + 10 * samplings);  // measured 19.7 a restart
  EXPECT_LT(steps("sampled", "runge-kutta"), steps("sampled", "order-1"));
}

}  // namespace TEST_FILE
}  // namespace daelab
