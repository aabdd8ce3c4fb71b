// Sliding modes end soon, with the condition along which they slide; motions that cross a condition often do not.
#include <gmock/gmock.h>

#include <cmath>

#include "lab/project.hpp"
#include "lab/runs/run.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

Json run(const Json& problem, const std::string& method, const std::string& rtol) {
  load_project();
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

// A mass on a spring, with Coulomb friction.
const Json sticking = {{"name", "sticking"},
                       {"summary", "one"},
                       {"coordinates", {"x"}},
                       {"mass", {"1"}},
                       {"forces", {{"x", "-4*x - 3*sign(x')"}}},
                       {"start", {{"x", "2"}}},
                       {"end_time", "10"}};

// With Coulomb friction a mass on a spring comes to rest where the spring is too weak: there the velocity slides.
TEST(Sliding, EndsWhereAMassSticks) {
  for (const char* method : {"radau-iia:s=3", "bdf", "generalized-alpha"}) {
    const Json record = run(sticking, method, "1e-6");
    EXPECT_EQ(record["status"], "chattering") << method;
    EXPECT_THAT(record["cause"].get<std::string>(), HasSubstr("slides along x' = 0")) << method;
    EXPECT_LT(record["stats"]["steps"].get<long>(), 2000) << method;
  }
}

// Stages of explicit methods cross and come back: step ends stay on one side, and 1.8 million steps were taken in 7 s.
TEST(Sliding, EndsAlsoWhereStepEndsStayOnOneSide) {
  const Json on_a_belt = {{"name", "belt"},
                          {"summary", "one"},
                          {"coordinates", {"x"}},
                          {"mass", {"1"}},
                          {"forces", {{"x", "-4*x - 3*sign(x' - (1 + sin(t)/2))"}}},
                          {"end_time", "10"}};
  for (const char* method : {"dormand-prince", "adams-variable", "verner-87", "fehlberg-45"})
    for (const Json& problem : {sticking, on_a_belt}) {
      const Json record = run(problem, method, "1e-6");
      EXPECT_EQ(record["status"], "chattering") << method << ", " << problem["name"];
      EXPECT_LT(record["stats"]["steps"].get<long>(), 2000) << method;  // measured 799
    }
}

bool is_unwatched(const Json& record) {
  for (const Json& warning : record["warnings"])
    if (warning["kind"] == "unwatched") return true;
  return false;
}

// x = 1 at t = 1, then twice as fast: 5 at t = 3. Estimates whose weights add up to 0 on both parts gave 5.07 to 5.27
// at 1E-8 in five to eight steps.
TEST(Crossings, ThatAnEstimateDoesNotSeeAreSaid) {
  const Json bend = {
      {"name", "bend"}, {"summary", "one"}, {"states", {{"x", "select(x < 1, 1, 2)"}}}, {"end_time", "3"}};
  const Json wall = {{"name", "wall"},
                     {"summary", "one"},
                     {"coordinates", {"x"}},
                     {"mass", {"1"}},
                     {"forces", {{"x", "-400*max(0, x - 1)"}}},
                     {"start", {{"x'", "1"}}},
                     {"end_time", "3"}};
  const auto is_right = [](const Json& record) {
    const double x = record.contains("q") && !record["q"].empty() ? record["q"][0] : record["y"][0];
    const double right = record.contains("q") && !record["q"].empty() ? 1 - (2 - std::acos(-1) / 20) : 5;
    return std::abs(x - right) < 1e-4;
  };
  for (const char* method : {"kennedy-carpenter-5", "sdirk-4", "fehlberg-78", "extrapolation", "rock2", "rock4",
                             "radau-iia", "gauss", "dormand-prince", "bdf"})
    for (const Json& problem : {bend, wall}) {
      const Json record = run(problem, method, "1e-8");
      ASSERT_EQ(record["status"], "ok") << method;
      EXPECT_TRUE(is_right(record) || is_unwatched(record)) << method << ", " << problem["name"] << record["warnings"];
    }
  for (const char* method : {"radau-iia", "gauss", "bdf"})
    EXPECT_FALSE(is_unwatched(run(wall, method, "1e-8"))) << method;
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
