// Problems with impacts: their exact event times against themselves, and runs of every kind of method against them.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "lab/runs/run.hpp"
#include "results/record_values.hpp"
#include "tests/event_support.hpp"
#include "tests/experiment_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;
using testing::IsEmpty;

std::shared_ptr<Problem> problem(const std::string& spec) { return Registry<Problem>::instance().make(spec, ""); }

Json run_of(const std::string& spec, const std::string& method, const std::string& formulation, Json keys) {
  keys.update({{"problem", spec}, {"method", method}, {"formulation", formulation}});
  return Run::bind(keys, "")->execute().record;
}
Json tolerance(double rtol, const std::string& t_end = "5") {
  return {{"rtol", fmt::format("{}", rtol)}, {"t_end", t_end}};
}

// Largest |t_k - exact_k|; infinite when the events are not the exact ones.
Real50 largest_error(const Json& record, const std::string& spec) {
  const auto model = problem(spec)->mechanical_model(As<double>{});
  const std::vector<ExactEvent> exact = *problem(spec)->exact_events(record_number(record["t"]), 40);
  const Json& list = record["events"]["list"];
  if (list.size() != exact.size()) return std::numeric_limits<Real50>::infinity();
  Real50 largest = 0;
  for (std::size_t k = 0; k < exact.size(); ++k) {
    if (list[k]["event"] != model->events()[static_cast<std::size_t>(exact[k].event)].name)
      return std::numeric_limits<Real50>::infinity();
    largest = std::max(largest, Real50(abs(record_number(list[k]["t"]) - exact[k].t)));
  }
  return largest;
}

struct Case {
  std::string method, formulation;
  std::vector<double> tolerances;
  double factor = 10;  // of the tolerance
};
std::string name_of(const testing::TestParamInfo<Case>& info) {
  return test_name_of(info.param.method + "_" + info.param.formulation);
}

// ----- the exact times -----

// Small swings against a wall at the lowest point: half a period pi sqrt(L/g) each. K(k) = pi/2 (1 + k^2/4 + ...).
// The angle 1e-6 makes each of them longer by 6e-14 of it, and pi has 15 digits here.
TEST(BouncingPendulum, SmallSwingsTakeHalfAPeriod) {
  const auto pendulum = problem("bouncing-pendulum:angle=1e-6,gravity=1");
  const std::vector<ExactEvent> events = *pendulum->exact_events(Real50(12), 40);
  ASSERT_EQ(events.size(), 4u);
  for (std::size_t k = 0; k < events.size(); ++k)
    EXPECT_NEAR(static_cast<double>(events[k].t), (0.5 + static_cast<double>(k)) * 3.14159265358979, 1e-11);
}

// m1 = 1 at speed 1 hits 1/2 at rest, 1/4 away, at t = 1/4: v1 = 1/3, v2 = 4/3. That one hits 1/4 at rest at
// t = 1/4 + 3/16: v2 = 4/9, v3 = 16/9. And so on to the wall, 1/4 away, at t = 7/16 + 9/64.
TEST(ImpactChain, FirstImpactsByHand) {
  const std::vector<ExactEvent> events = *problem("impact-chain")->exact_events(Real50(1), 40);
  ASSERT_GE(events.size(), 3u);
  const Real50 exact[] = {Real50(1) / 4, Real50(7) / 16, Real50(37) / 64};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(events[k].event, static_cast<Index>(k) + 1);
    EXPECT_LT(abs(events[k].t - exact[k]), Real50("1e-45"));  // round-off
  }
}

// Dropped from 1 m with e = 1/2, at rest after (1 + e)/(1 - e) = 3 times the first fall: the sum of all flights.
TEST(BouncingBall, ImpactsAccumulateAfterThreeTimesTheFirstFall) {
  const Real50 fall = sqrt(Real50(2) / Real50("9.81"));
  const auto ball = problem("bouncing-ball:restitution=1/2,rest=0");
  EXPECT_GT(ball->exact_events(3 * fall * (1 - Real50("1e-20")), 40)->size(), 60u);  // 2^-67 of the first flight
  EXPECT_FALSE(ball->exact_events(3 * fall * (1 + Real50("1e-20")), 40));
  // 4 flights, of 1/2, 1/4, 1/8, 1/16 of 2 v1/g: the 5th impact after fall (1 + 2 (1 - 1/16)).
  EXPECT_LT(abs((*ball->exact_events(Real50("1.3"), 40))[4].t - fall * Real50("2.875")), Real50("1e-45"));  // round-off
}

// ----- runs against them -----

class EventTimes : public testing::TestWithParam<Case> {};

TEST_P(EventTimes, OfTheBouncingPendulumAreRightToTenTolerances) {
  const Case& c = GetParam();
  for (const double rtol : c.tolerances) {
    const Json record = run_of("bouncing-pendulum", c.method, c.formulation, tolerance(rtol));
    EXPECT_EQ(record["status"], "ok") << record["cause"];
    EXPECT_LT(largest_error(record, "bouncing-pendulum"), Real50(c.factor * rtol)) << "rtol = " << rtol;
  }
}

TEST_P(EventTimes, OfTheImpactChainAreRightToTenTolerances) {
  const Case& c = GetParam();
  for (const double rtol : c.tolerances) {
    const Json record = run_of("impact-chain", c.method, c.formulation, tolerance(rtol));
    EXPECT_EQ(record["status"], "ok") << record["cause"];
    EXPECT_LT(largest_error(record, "impact-chain"), Real50(c.factor * rtol)) << "rtol = " << rtol;
  }
}

const std::vector<double> all_tolerances{1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10};

// The global error of BDF is larger than its tolerance: 12 to 28 times after 5 s of a free swing on index 3.
constexpr double of_bdf = 20;

INSTANTIATE_TEST_SUITE_P(Methods, EventTimes,
                         testing::Values(Case{dormand_prince, "projected", all_tolerances},
                                         Case{dormand_prince, "index-1", all_tolerances},
                                         Case{verner_87, "projected", all_tolerances},
                                         Case{"radau-iia:s=3", "index-3", all_tolerances},
                                         Case{"radau-iia:s=3", "ggl", all_tolerances},
                                         Case{"bdf", "index-3", {1e-4, 1e-5, 1e-6, 1e-7}, of_bdf},
                                         Case{"bdf", "ggl", all_tolerances, of_bdf}),
                         name_of);

// Every one-step method of order 2 is exact in flight: what is left is round-off of 38 events.
TEST(BouncingBallRuns, LieOnTheFloorAfterTheLastImpact) {
  for (const auto& [method, formulation] : {std::pair(dormand_prince, "projected"), {"radau-iia:s=3", "index-3"}}) {
    const Json record = run_of("bouncing-ball", method, formulation, tolerance(1e-6));
    EXPECT_EQ(record["status"], "ok") << record["cause"];
    EXPECT_EQ(record["events"]["list"].size(), 38u) << method;  // 0.8^38 of 4.43 m/s is below 1/1000
    EXPECT_LT(largest_error(record, "bouncing-ball"), Real50("1e-12")) << method;
    EXPECT_EQ(record_number(record["v"][0]), 0);
    EXPECT_LT(abs(record_number(record["q"][0])), Real50("1e-12"));
  }
}

TEST(BouncingBallRuns, ImpactsThatAccumulateEndTheRunThere) {
  const Json record = run_of("bouncing-ball:rest=0", dormand_prince, "index-1", tolerance(1e-9));
  EXPECT_EQ(record["status"], "chattering");
  const std::string cause = record["cause"], told = "accumulate at t = ";
  ASSERT_THAT(cause, HasSubstr(told));
  EXPECT_NEAR(std::stod(cause.substr(cause.find(told) + told.size())), 9 * std::sqrt(2 / 9.81), 1e-9);
}

// Its estimate is of the local error, ~ h^3, the global one ~ h^2: the error goes with the power 2/3 of the tolerance.
TEST(BouncingPendulumRuns, GeneralizedAlphaFindsTheImpacts) {
  for (const double rtol : {1e-4, 1e-5, 1e-6}) {
    const Json record = run_of("bouncing-pendulum", "generalized-alpha:rho=1/2", "index-3", tolerance(rtol));
    EXPECT_EQ(record["status"], "ok") << record["cause"];
    EXPECT_LT(largest_error(record, "bouncing-pendulum"), Real50(10 * std::pow(rtol, 2.0 / 3))) << rtol;
  }
}

// ----- what is not as it should be -----

// With the wall beyond the lowest point gravity presses the mass against it.
TEST(BouncingPendulumRuns, ImpactsThatAccumulateEndTheRunThere) {
  const std::string spec = "bouncing-pendulum:wall=pi/6,restitution=1/2";
  const auto check = [&](const char* method, const char* formulation, double digits) {
    const Json record = run_of(spec, method, formulation, tolerance(1e-9));
    EXPECT_EQ(record["status"], "chattering") << method;
    const std::string cause = record["cause"];
    ASSERT_THAT(cause, HasSubstr("its times accumulate at t = ")) << method;
    const double found = std::stod(cause.substr(cause.find("accumulate at t = ") + 18));
    EXPECT_TRUE(problem(spec)->exact_events(Real50(found - digits), 40)) << method;
    EXPECT_FALSE(problem(spec)->exact_events(Real50(found + digits), 40)) << method;
  };
  check(dormand_prince, "projected", 1e-7);
  check("radau-iia:s=3", "index-3", 1e-7);
  check("bdf", "ggl", 1e-3);  // starts with order 1, and does not see flights lower than its tolerance
}

TEST(BouncingPendulumRuns, AnEventThatDoesNotHappenIsReportedWithItsCause) {
  const Json record = run_of("bouncing-pendulum", dormand_prince, "projected", tolerance(1e-6, "1/10"));
  EXPECT_THAT(record["events"]["list"], IsEmpty());
  EXPECT_EQ(record["events"]["kinds"][0]["count"], 0);
  EXPECT_EQ(record["events"]["kinds"][0]["cause"], "its function never changed sign");
}

TEST(ImpactProblems, OptionsThatMakeNoSenseAreRefused) {
  EXPECT_THAT(input_error_of([] { problem("bouncing-pendulum:angle=0"); }), HasSubstr("/angle"));
  EXPECT_THAT(input_error_of([] { problem("bouncing-pendulum:restitution=2"); }), HasSubstr("at most 1"));
  EXPECT_THAT(input_error_of([] { problem("bouncing-ball:restitution=2"); }), HasSubstr("0 to 1"));
  const auto refusal = [](const char* key, const Json& list) {
    return input_error_of([&] { Registry<Problem>::instance().make({{"name", "impact-chain"}, {key, list}}, ""); });
  };
  EXPECT_THAT(refusal("masses", {1, 2}), HasSubstr("/x: allowed: 2 numbers, one for each mass"));
  EXPECT_THAT(refusal("x", {"1/2", "1/4", "3/4"}), HasSubstr("ascending"));
}

TEST(ImpactProblems, RunsAreRepeatedBitByBit) {
  Json first = run_of("bouncing-pendulum", "bdf", "index-3", tolerance(1e-6)),
       second = run_of("bouncing-pendulum", "bdf", "index-3", tolerance(1e-6));
  for (const char* time : {"cpu_seconds", "wall_seconds"}) first["stats"].erase(time), second["stats"].erase(time);
  EXPECT_EQ(first, second);
}

// ----- the experiment -----

TEST(EventsExperiment, ComparesWithTheExactTimes) {
  const SmallConfig small(Json::parse(R"({
    "experiment": "events",
    "common": {"problem": "bouncing-pendulum", "t_end": "3", "formulation": "projected"},
    "runs": [{"method": "runge-kutta:tableau=dormand-prince", "rtol": ["1e-5", "1e-7"]},
             {"method": "runge-kutta:tableau=rk4-classical", "h": ["1/50", "1/100", "1/200", "1/400"]}]})"));
  const Json series = small.analysis()["series"];
  ASSERT_EQ(series.size(), 2u);
  EXPECT_LT(series[0]["largest"]["error_over_tolerance"], 10);  // measured 0.4
  EXPECT_EQ(series[0]["largest"]["missed"], 0);
  EXPECT_EQ(series[0]["points"][0]["events"], 3);
  EXPECT_NEAR(series[1]["order"]["order"].get<double>(), 4, 0.3);  // measured 0.03
  EXPECT_EQ(small.result()["figures"][0]["panels"].size(), 2u);
}

TEST(EventsExperiment, NeedsEventsAndExactTimes) {
  HandMadeRuns runs;
  runs.add("", "a pendulum", {{"spec", {{"problem", "pendulum"}, {"method", "gauss"}, {"h", "1/10"}, {"t_end", "1"}}}});
  EXPECT_THAT(input_error_of([&] { runs.evaluate("events"); }), HasSubstr("pendulum has no events"));
}

#ifndef DAELAB_DOUBLE_ONLY
// What only engines and models in 50 digits can show.

TEST(BouncingPendulum, HitsTheWallAtItsExactTimes) {
  for (const char* spec : {"bouncing-pendulum", "bouncing-pendulum:wall=pi/12,restitution=9/10"}) {
    const auto pendulum = problem(spec);
    const auto model = pendulum->mechanical_model(As<Real50>{});
    const std::vector<ExactEvent> events = *pendulum->exact_events(Real50(4), 40);
    ASSERT_GT(events.size(), 3u);
    for (const ExactEvent& event : events) {
      const Real50 little("1e-20");
      const Motion before = *pendulum->independent_solution(event.t - little, 40),
                   after = *pendulum->independent_solution(event.t + little, 40);
      Vector<Real50> g(1), C(1);
      model->event_functions(event.t, joined(before.q, before.v), g);
      EXPECT_LT(abs(g[0]), Real50("1e-19")) << "the distance is at most |v| 1e-20";
      EXPECT_GT(g[0], 0);
      const Real50 e(std::string(spec) == "bouncing-pendulum" ? "0.8" : "0.9");
      EXPECT_LT(largest(Vector<Real50>(after.v + e * before.v)), 1e-18);  // accelerations over 2e-20 s
      model->constraint_level(Level::position, event.t, before.q, before.v, before.v, C);
      EXPECT_LT(abs(C[0]), Real50("1e-45"));  // round-off
    }
  }
}

TEST(ImpactChain, ElasticImpactsKeepTheEnergy) {
  const auto chain = problem("impact-chain");
  const auto model = chain->mechanical_model(As<Real50>{});
  const auto energy = [&](const Motion& motion) { return model->energy(Real50(0), motion.q, motion.v).total(); };
  const Motion end = *chain->independent_solution(Real50(50), 40);
  EXPECT_LT(abs(energy(end) - Real50(1) / 2), Real50("1e-40"));  // 40 digits were asked for
  EXPECT_GT(chain->exact_events(Real50(50), 40)->size(), 50u);   // one a second and more
}

TEST(BouncingPendulumRuns, InFiftyDigitsToThirty) {
  const Json record =
      run_of("bouncing-pendulum", "gauss:s=10", "index-1", {{"h", "1/40"}, {"t_end", "2"}, {"scalar", "real50"}});
  EXPECT_EQ(record["status"], "ok") << record["cause"];
  EXPECT_EQ(record["events"]["list"].size(), 2u);
  EXPECT_LT(largest_error(record, "bouncing-pendulum"), Real50("1e-30"));  // order 20 at h = 1/40: 1e-32
}

#endif

}  // namespace TEST_FILE
}  // namespace daelab
