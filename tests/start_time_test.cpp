// Start times other than 0: a motion that is moved in time is the same motion.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/mechanism/problem.hpp"
#include "lab/runs/run.hpp"
#include "tests/build_paths.hpp"
#include "tests/experiment_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

std::shared_ptr<Problem> problem_of(const Json& spec) { return Registry<Problem>::instance().make(spec, "/problem"); }

Run::Outcome outcome_of(const Json& spec) { return Run::bind(spec, "")->integrate(); }

double difference(const StateRecord& a, const StateRecord& b) {
  Real50 largest = 0;
  for (const char* kind : {"q", "v", "a", "lambda", "y"})
    for (Index i = 0; i < a.of(kind).size(); ++i)
      largest = std::max(largest, Real50(abs(a.of(kind)[i] - b.of(kind)[i])));
  return static_cast<double>(largest);
}

// A pendulum of length 1 whose pivot moves as (sin(3 T), 0), T = t - t0, let go at rest beside the pivot, and damped by
// a force that changes with time.
Json driven_pendulum(const std::string& t0) {
  Json problem = Json::parse(R"json({"name": "driven-pendulum",
    "parameters": {"t0": "0"}, "definitions": {"T": "t - t0", "p": "sin(3*T)"},
    "coordinates": ["x", "y"], "kinetic_energy": "(x'^2 + y'^2)/2", "potential_energy": "9.81*y",
    "forces": {"x": "-x'*(1 + cos(T))/4"},
    "constraints": ["(x - p)^2 + y^2 = 1"], "start": {"x": "1", "x'": "3"},
    "observables": {"pivot": "p"},
    "events": {"low": {"function": "x - p", "direction": -1}},
    "start_time": "t0", "end_time": "t0 + 2"})json");
  problem["parameters"]["t0"] = t0;
  return problem;
}

class ShiftedMotion : public testing::TestWithParam<Json> {};

// Binary fractions: times are exact, and so are their differences.
TEST_P(ShiftedMotion, IsTheSameMotion) {
  Json spec = GetParam();
  spec["samples"] = {"1/4", "1"};
  spec["problem"] = driven_pendulum("0");
  const RunRecord before = outcome_of(spec).record;
  for (const char* shift : {"1", "-3"}) {
    spec["problem"] = driven_pendulum(shift);
    spec["samples"] = {fmt::format("{} + 1/4", shift), fmt::format("{} + 1", shift)};
    const RunRecord after = outcome_of(spec).record;
    ASSERT_EQ(after.status, StatusCode::ok) << after.cause;
    EXPECT_EQ(after.state.t, Real50(Exact(shift).as<Real50>() + 2));
    // t - t0 is exact at step ends, and off by a round-off of t in between.
    EXPECT_LT(difference(before.state, after.state), 1e-9);
    ASSERT_EQ(after.samples->size(), 2U);
    // Measured 2e-13.
    for (std::size_t i = 0; i < 2; ++i) EXPECT_LT(difference((*before.samples)[i], (*after.samples)[i]), 1e-11);
    ASSERT_EQ(after.events->list.size(), before.events->list.size());
    for (std::size_t i = 0; i < before.events->list.size(); ++i)
      // Measured 5e-15.
      EXPECT_LT(abs(Real50(after.events->list[i].t - before.events->list[i].t - Exact(shift).as<Real50>())), 1e-13);
    EXPECT_EQ(after.stats.steps, before.stats.steps);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, ShiftedMotion,
                         testing::Values(Json{{"method", "radau-iia:s=3"}, {"formulation", "index-3"}, {"h", "1/64"}},
                                         Json{{"method", "generalized-alpha"}, {"h", "1/64"}},
                                         Json{{"method", "runge-kutta"}, {"h", "1/64"}},
                                         Json{{"method", "bdf"}, {"formulation", "ggl"}, {"rtol", "1e-8"}},
                                         Json{{"method", "runge-kutta:tableau=dormand-prince"}, {"rtol", "1e-9"}}));

// Nothing depends on the time: with fixed steps of a binary fraction not a bit may differ.
TEST(StartTime, AutonomousProblemsKeepTheirBits) {
  Json problem = Json::parse(R"json({"name": "shifted", "coordinates": ["x", "y"],
    "kinetic_energy": "(x'^2 + y'^2)/2", "potential_energy": "9.81*y", "constraints": ["x^2 + y^2 = 1"],
    "start": {"x": "1"}, "start_time": "0", "end_time": "1"})json");
  Json spec = {{"problem", problem}, {"method", "radau-iia:s=3"}, {"h", "1/64"}};
  const RunRecord before = outcome_of(spec).record;
  spec["problem"]["start_time"] = 5, spec["problem"]["end_time"] = 6;
  const RunRecord after = outcome_of(spec).record;
  EXPECT_EQ(difference(before.state, after.state), 0);
  EXPECT_EQ(before.stats.newton_iterations, after.stats.newton_iterations);
}

// Start values may use the time, which is the start time there. Ascher and Petzold's problem with nu = 1, whose
// solution is e^t: from 1/2 on.
TEST(StartTime, StartValuesAreThoseOfTheStartTime) {
  const Json problem = Json::parse(R"json({"name": "midway",
    "states": {"y1": "(1 - 1/(2 - t))*y1 + (2 - t)*z + (3 - t)/(2 - t)*exp(t)", "y2": "-y2 + 2*exp(t)"},
    "algebraic": {"z": "(t + 2)*y1 + (t^2 - 4)*y2 = (t^2 + t - 2)*exp(t)"},
    "start": {"y1": "exp(t)", "y2": "exp(t)", "z": "-exp(t)/(2 - t)"}, "start_time": "1/2", "end_time": "1"})json");
  const RunRecord record = outcome_of({{"problem", problem}, {"method", "radau-iia:s=3"}, {"h", "1/32"}}).record;
  ASSERT_EQ(record.status, StatusCode::ok) << record.cause;
  const Real50 e = exp(Real50(1));
  EXPECT_LT(abs(Real50(record.state.y[0] - e)), 1e-9);  // h^5 = 3e-8, times small constants
  EXPECT_LT(abs(Real50(record.state.y[2] + e)), 1e-5);  // z has order 3
}

TEST(StartTime, TrajectoriesAndSamplesBeginThere) {
  Json spec = {{"problem", driven_pendulum("10")}, {"method", "radau-iia:s=3"}, {"h", "1/8"}};
  spec["trajectory"] = 1, spec["sample_every"] = "1/2";
  const Run::Outcome outcome = outcome_of(spec);
  EXPECT_THAT(outcome.trajectory, HasSubstr("\n10,"));
  EXPECT_THAT(outcome.trajectory, HasSubstr("\n12,"));
  std::vector<double> times;
  for (const StateRecord& sample : *outcome.record.samples) times.push_back(static_cast<double>(sample.t));
  EXPECT_THAT(times, testing::ElementsAre(10, 10.5, 11, 11.5, 12));
}

TEST(StartTime, SpecsOfProblemsMayGiveOne) {
  const std::string file = "@" + source_path("/tests/problems/pendulum.json");
  EXPECT_EQ(problem_of(file)->start_time(), 0);
  EXPECT_EQ(problem_of(file + ":start_time=7/2,end_time=4")->start_time(), Exact("7/2").value());
  EXPECT_EQ(problem_of(driven_pendulum("-1/3"))->start_time(), Exact("-1/3").value());
}

std::string refusal(const Json& spec) {
  return input_error_of([&] { Run::bind(spec, ""); });
}

TEST(StartTime, WhatIsBeforeItIsRefused) {
  Json spec = {{"problem", driven_pendulum("10")}, {"method", "radau-iia"}, {"h", "1/8"}};
  const auto with = [&](const char* key, const Json& value) {
    Json changed = spec;
    changed[key] = value;
    return refusal(changed);
  };
  EXPECT_THAT(with("t_end", "10"), HasSubstr("/t_end: 10 is out of range; allowed: above 10"));
  EXPECT_THAT(with("h", "3"), HasSubstr("the step 3 is larger than the interval 10 to 12"));
  EXPECT_THAT(with("t_end", "10 + 1e-13"), HasSubstr("below round-off of the time in double"));
  EXPECT_THAT(with("samples", {"9"}), HasSubstr("9 is outside the interval 10 to"));
  spec["problem"]["end_time"] = "5";
  EXPECT_THAT(refusal(spec), HasSubstr("/end_time: 5 is not allowed; allowed: above 10"));
  spec["problem"]["start_time"] = "t";
  EXPECT_THAT(refusal(spec), HasSubstr("/start_time"));
}

}  // namespace TEST_FILE
}  // namespace daelab
