// Fixed steps beyond the limit of stability: numbers of any size are no result.
#include <gmock/gmock.h>

#include "lab/runs/run.hpp"
#include "tests/run_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

// x' = rate x from x(0) = 1.
Json exponential(const char* rate, const char* method, const char* h, const char* t_end) {
  const Json problem = {
      {"name", "exponential"}, {"states", {{"x", rate + std::string("*x")}}}, {"start", {{"x", 1}}}, {"end_time", 1}};
  return record_of_run({{"problem", problem}, {"method", method}, {"h", h}, {"t_end", t_end}});
}

// RK4 multiplies by 1 + z + z^2/2 + z^3/6 + z^4/24 = 291 for z = -10: 1E246 at t = 1, and once said to be ok. From 1
// it exceeds 1E10 in the fifth step, 291^5 = 2.1E12.
TEST(Diverged, IsADecayThatGrows) {
  const Json record = exponential("-1000", "runge-kutta", "1/100", "1");
  EXPECT_EQ(record["status"], "diverged");
  EXPECT_THAT(record["cause"].get<std::string>(), HasSubstr("do not follow the equations"));
  EXPECT_THAT(record["cause"].get<std::string>(), HasSubstr("step from t = 0.04"));
  // Round-off of 7e9: measured 2e-6.
  EXPECT_NEAR(record["y"][0].get<double>(), std::pow(291, 4), 1e-4) << "the last state that was accepted";
}

// z = -2.8 is outside the interval of stability, 2.785, by little: a factor of 1.02 a step.
TEST(Diverged, IsAlsoASlowOne) {
  EXPECT_EQ(exponential("-2.8", "runge-kutta", "1", "3000")["status"], "diverged");
  EXPECT_EQ(exponential("-2.7", "runge-kutta", "1", "3000")["status"], "ok");
}

// It was ok with an energy error of 3E171.
TEST(Diverged, IsAMechanismWithStepsTooLong) {
  const Json record =
      record_of_run({{"problem", "leader-follower"}, {"method", "runge-kutta:tableau=heun"}, {"h", "1/4"}});
  EXPECT_EQ(record["status"], "diverged") << record["cause"];
}

// e^50 = 5.18E21.
TEST(Diverged, IsNotAGrowthThatTheEquationsHave) {
  for (const char* method : {"runge-kutta", "radau-iia", "adams-bashforth", "bdf"}) {
    const Json record = exponential("1", method, "1/20", "50");
    EXPECT_EQ(record["status"], "ok") << method << ": " << record["cause"];
    EXPECT_NEAR(std::log(record["y"][0].get<double>()), 50, 1e-3) << method;  // errors of fixed steps: measured 1e-4
  }
}

}  // namespace TEST_FILE
}  // namespace daelab
