// The largest step of runs with error control: of a specification, of a problem, and what is refused.
#include <gmock/gmock.h>

#include <cmath>

#include "lab/runs/run.hpp"
#include "tests/numeric_support.hpp"
#include "tests/run_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

// exp(-2/5) + 100 sqrt(pi) exp(-1/5 + 1/(4E8)) at t = 40.
constexpr double with_pulse = 145.78656802361044;
constexpr double near = 1e-6;  // less than the tolerance of a value of 146, a hundred tolerances of values near 1

Json pulse(const Json& more = Json::object()) {
  Json document = {{"name", "pulse"},
                   {"summary", "A pulse of 0.02 s in the rate"},
                   {"states", {{"x", "10000*exp(-(100*(t - 20))^2) - x/100"}}},
                   {"start", {{"x", "1"}}},
                   {"end_time", "40"}};
  document.update(more);
  return document;
}

Json spec_of(const Json& problem, const Json& more = Json::object()) {
  Json spec = {{"problem", problem}, {"method", "radau-iia:s=3"}, {"rtol", "1e-8"}};
  spec.update(more);
  return spec;
}

std::vector<std::string> warnings_of(const Json& record) {
  std::vector<std::string> kinds;
  for (const Json& warning : record["warnings"]) kinds.push_back(warning["kind"].get<std::string>());
  return kinds;
}

TEST(MaxStep, LetsNoStepBeLonger) {
  const Json record = record_of_run(spec_of(pulse(), {{"max_step", "1/50"}}));
  EXPECT_EQ(record["status"], "ok");
  EXPECT_NEAR(record["y"][0].get<double>(), with_pulse, near);
  EXPECT_GE(record["stats"]["steps"].get<long>(), 2000);
  EXPECT_TRUE(warnings_of(record).empty());
}

TEST(MaxStep, IsThatOfTheProblemUnlessTheRunHasAnother) {
  const Json own = pulse({{"max_step", "1/50"}});
  EXPECT_NEAR(record_of_run(spec_of(own))["y"][0].get<double>(), with_pulse, near);
  const Json other = record_of_run(spec_of(own, {{"max_step", 40}}));
  EXPECT_NEAR(other["y"][0].get<double>(), std::exp(-0.4), near);
  EXPECT_EQ(warnings_of(other), std::vector<std::string>{"unwatched"});
  EXPECT_EQ(record_of_run(spec_of(own, {{"rtol", nullptr}, {"h", "1"}}))["status"], "ok")
      << "fixed steps have no use for it";
}

// Runs of a config share what they have in common; this they do not.
TEST(MaxStep, IsThatOfTheProblemBesideFixedStepsInOneConfig) {
  const Json own = pulse({{"max_step", "1/50"}});
  const Json adaptive = spec_of(own), fixed = spec_of(own, {{"rtol", nullptr}, {"h", "1"}});
  for (const auto& [first, second] : {std::pair(fixed, adaptive), std::pair(adaptive, fixed)}) {
    const auto binder = Run::binder();
    binder->bind(first, "");
    EXPECT_EQ(binder->bind(second, "")->specification()->dump(), Run::bind(second, "")->json().dump());
  }
}

// Stored runs that know of none keep their keys.
TEST(MaxStep, StandsInTheSpecificationWhereThereIsOne) {
  EXPECT_FALSE(Run::bind(spec_of(pulse()), "")->json().contains("max_step"));
  EXPECT_EQ(Run::bind(spec_of(pulse(), {{"max_step", "1/50"}}), "")->json()["max_step"], "1/50");
  EXPECT_TRUE(Run::bind(spec_of(pulse({{"max_step", "1/50"}})), "")->json().contains("max_step"));
}

void expect_refused(const Json& spec, const std::string& place, const std::string& part) {
  try {
    Run::bind(spec, "");
    ADD_FAILURE() << spec.dump();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(place));
    EXPECT_THAT(error.what(), HasSubstr(part));
  }
}

TEST(MaxStep, IsChecked) {
  expect_refused(spec_of(pulse(), {{"max_step", 0}}), "/max_step", "above 0");
  expect_refused(spec_of(pulse(), {{"max_step", "1e-20"}}), "/max_step", "below round-off");
  expect_refused(spec_of(pulse(), {{"max_step", "1/50"}, {"rtol", nullptr}, {"h", "1"}}), "/max_step",
                 "requires error control");
  expect_refused(spec_of(pulse({{"max_step", "-1"}})), "/problem/max_step", "");
  expect_refused(spec_of(pulse({{"max_stp", "1"}})), "/problem", "max_step");
}

// The edges of a condition as problem files have it.
TEST(MaxStep, IsNotNeededWhereTimesAreKnownAhead) {
  const Json edges = pulse({{"states", {{"x", "select(t > 20 and t < 20.1, 10000, 0) - x/100"}}}});
  const Json record = record_of_run(spec_of(edges));
  EXPECT_NEAR(record["y"][0].get<double>(), 819.8105749898026, 1e-6);
  EXPECT_TRUE(warnings_of(record).empty());
}

}  // namespace TEST_FILE
}  // namespace daelab
