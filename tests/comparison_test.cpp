// The experiment comparison: the order by which two ways differ.
#include <gtest/gtest.h>

#include "tests/experiment_support.hpp"

namespace daelab {
namespace TEST_FILE {

// Each step errs by h^3 q'''/12, which B of the start and of the end project differently by O(h): O(h^4) a step, O(h^3)
// in all, although both err by O(h^2).
TEST(Comparison, FindsTheOrderOfTheDifferenceOfTwoWays) {
  const SmallConfig small(Json::parse(R"json({
    "experiment": "comparison", "over": ["/method"], "differences": true, "cost": "steps",
    "common": {"problem": "two-link-arm", "t_end": "1/2", "h": ["1/100", "1/200", "1/400", "1/800"],
               "newton": "full:norm=two,tolerance=1e-13"},
    "runs": [{"label": "frozen", "method": "local-trapezoidal:iteration=newton"},
             {"label": "refreshed", "method": "local-trapezoidal:iteration=newton,projection=refreshed"}]})json"));
  const Json series = small.analysis()["series"];
  ASSERT_EQ(series.size(), 1u);
  EXPECT_EQ(series[0]["label"], "refreshed");
  EXPECT_FALSE(series[0]["spec"].contains("h"));
  EXPECT_NEAR(series[0]["difference"]["order"], 3, 0.05);  // measured within 0.001
  EXPECT_TRUE(series[0]["difference"]["decided"]);
}

TEST(Comparison, GivesNoDifferencesUnlessAsked) {
  const SmallConfig small(Json::parse(R"json({
    "experiment": "comparison", "over": ["/method"],
    "common": {"problem": "two-link-arm", "t_end": "1/2", "h": ["1/50", "1/100"]},
    "runs": [{"label": "frozen", "method": "local-trapezoidal"},
             {"label": "refreshed", "method": "local-trapezoidal:projection=refreshed"}]})json"));
  EXPECT_FALSE(small.analysis().contains("series"));
}

// Start values of its own have no stored reference: errors are those against the config's reference run.
TEST(Comparison, MeasuresErrorsAgainstTheReferenceRun) {
  const SmallConfig small(Json::parse(R"json({
    "experiment": "comparison", "over": ["/method"],
    "reference": {"problem": "pendulum", "start": {"q": "3/5,-4/5", "v": "0,0"}, "t_end": "1/2",
                  "method": "radau-iia:s=3", "formulation": "index-1", "h": "1/1000", "scalar": "double"},
    "common": {"problem": "pendulum", "start": {"q": "3/5,-4/5", "v": "0,0"}, "t_end": "1/2", "formulation": "index-1",
               "h": "1/20"},
    "runs": [{"label": "order 1", "method": "adams-bashforth:k=1"}, {"label": "order 4", "method": "runge-kutta"}]})json"));
  const Json ways = small.analysis()["rows"][0]["ways"];
  EXPECT_GT(ways["order 1"]["error"], 1e-3);
  EXPECT_LT(ways["order 4"]["error"], 1e-4);
  EXPECT_GT(ways["order 4"]["error"], 0);
}

}  // namespace TEST_FILE
}  // namespace daelab
