// Sliding modes end soon, with the condition along which they slide; motions that cross a condition often do not.
#include <gmock/gmock.h>

#include "experiments/runs/run.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

Json run(const Json& problem, const std::string& method, const std::string& rtol) {
  return Run::bind({{"problem", problem}, {"method", method}, {"rtol", rtol}}, "")->execute().record;
}

// From 1 to 0 in a second, where the rate points back from both sides. Without a watch these take minutes.
TEST(Sliding, EndsWithTheConditionNamed) {
  const Json sliding = {{"name", "sliding"},
                        {"summary", "one"},
                        {"states", {{"x", "-sign(x)"}}},
                        {"start", {{"x", "1"}}},
                        {"end_time", "3"}};
  for (const char* method : {"radau-iia:s=3", "bdf", "adams-variable", "kvaerno-4"}) {
    const Json record = run(sliding, method, "1e-6");
    EXPECT_EQ(record["status"], "chattering") << method;
    EXPECT_THAT(record["cause"].get<std::string>(), HasSubstr("slides along x = 0")) << method;
    EXPECT_THAT(record["cause"].get<std::string>(), HasSubstr("A mode ends this")) << method;
    EXPECT_NEAR(record["t"].get<double>(), 1, 0.01) << method;
    EXPECT_LT(record["stats"]["steps"].get<long>(), 2000) << method;
  }
}

// With Coulomb friction a mass on a spring comes to rest where the spring is too weak: there the velocity slides.
TEST(Sliding, EndsWhereAMassSticks) {
  const Json sticking = {{"name", "sticking"},
                         {"summary", "one"},
                         {"coordinates", {"x"}},
                         {"mass", {"1"}},
                         {"forces", {{"x", "-4*x - 3*sign(x')"}}},
                         {"start", {{"x", "2"}}},
                         {"end_time", "10"}};
  for (const char* method : {"radau-iia:s=3", "bdf", "generalized-alpha"}) {
    const Json record = run(sticking, method, "1e-6");
    EXPECT_EQ(record["status"], "chattering") << method;
    EXPECT_THAT(record["cause"].get<std::string>(), HasSubstr("slides along x' = 0")) << method;
    EXPECT_LT(record["stats"]["steps"].get<long>(), 2000) << method;
  }
}

// x'' = -sign(x) goes to and fro for ever, 4 sqrt(2) for a period; so does a mass on two springs.
TEST(Sliding, LeavesMotionsThatCrossAlone) {
  const Json crossing = {{"name", "crossing"},
                         {"summary", "one"},
                         {"coordinates", {"x"}},
                         {"mass", {"1"}},
                         {"forces", {{"x", "-sign(x)"}}},
                         {"start", {{"x", "1"}}},
                         {"end_time", "100"}};
  const Json kinked = {{"name", "kinked"},
                       {"summary", "one"},
                       {"coordinates", {"x"}},
                       {"mass", {"1"}},
                       {"forces", {{"x", "select(x < 0, -10*x, -20*x - 1/10)"}}},
                       {"start", {{"x", "1"}}},
                       {"end_time", "100"}};
  for (const char* method : {"radau-iia:s=3", "bdf", "adams-variable"})
    for (const Json& problem : {crossing, kinked})
      EXPECT_EQ(run(problem, method, "1e-4")["status"], "ok") << method << ", " << problem["name"];
}

}  // namespace TEST_FILE
}  // namespace daelab
