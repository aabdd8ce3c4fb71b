// Observed orders beside theory, in the experiments convergence and order-reduction.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/experiment_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

// Two-stage Radau IIA on a pendulum; index 1 has the order 2 s - 1 of ordinary differential equations.
Json pendulum_orders(const Json& more = Json::object()) {
  Json config = Json::parse(R"({"experiment": "convergence", "runs": {"problem": "pendulum", "t_end": 1,
    "h": ["1/20", "1/40", "1/80", "1/160", "1/320"], "formulation": "index-1", "method": "radau-iia:s=2"}})");
  config.update(more);
  return config;
}

TEST(Convergence, KnowsTheTheoryOfItsRuns) {
  const SmallConfig config(pendulum_orders());
  const Json series = config.analysis()["series"][0];
  for (const char* kind : {"q", "v", "a", "lambda"}) {
    EXPECT_EQ(series["orders"][kind]["theory"], 3) << kind;
    EXPECT_EQ(series["orders"][kind]["agreement"], "agrees") << kind;
  }
  EXPECT_THAT(series["orders"]["q"]["statement"].get<std::string>(), EndsWith("; theory 3: agrees"));
  EXPECT_THAT(series["expected"].get<std::string>(), HasSubstr("HW96"));
  const Json result = config.result();
  const Json& orders = result["tables"][0];
  EXPECT_EQ(orders["id"], "small-orders");
  EXPECT_EQ(orders["rows"][0].size(), 10u);  // label, four classes with theory, source
  EXPECT_EQ(orders["rows"][0][2], "3");
  EXPECT_EQ(result["figures"][0]["panels"][0]["series"].back()["label"], "order 3 (theory)");
}

// One eigenvalue of -1E6: the order of the window is that of the stiff limit.
TEST(Convergence, NamesStiffWindows) {
  const SmallConfig config(Json::parse(R"({"experiment": "convergence", "runs": {"problem": "prothero-robinson",
    "t_end": 1, "h": ["1/10", "1/20", "1/40", "1/80", "1/160"], "method": "kvaerno-4"}})"));
  const Json y = config.analysis()["series"][0]["orders"]["y"];
  EXPECT_EQ(y["agreement"], "not settled (stiff window)");
  EXPECT_THAT(y["statement"].get<std::string>(), EndsWith("; theory 4: not settled (stiff window)"));
  const Json table = config.result()["tables"][0];
  EXPECT_EQ(table["rows"][0][2], "4, not settled (stiff window)");
  EXPECT_THAT(table["caption"].get<std::string>(), HasSubstr("Stiff window: the steps are too long"));
}

TEST(Convergence, TheoryOfTheConfigComesFirst) {
  const SmallConfig config(pendulum_orders({{"theory", {{"q", 2}}}}));
  const Json series = config.analysis()["series"][0];
  EXPECT_EQ(series["orders"]["q"]["agreement"], "above theory");  // slopes are 3
  EXPECT_THAT(series["orders"]["q"]["statement"].get<std::string>(), EndsWith("; theory 2: above theory"));
  EXPECT_EQ(series["orders"]["v"]["theory"], 3);
  EXPECT_THAT(series["expected"].get<std::string>(), HasSubstr("q as the config states; otherwise "));
  EXPECT_EQ(config.result()["tables"][0]["rows"][0][2], "2, above theory");
}

// Two windows of one method: h = 1/80 belongs to both.
TEST(Convergence, LabelsAloneTellSeriesApart) {
  Json config = pendulum_orders();
  const Json base = config["runs"];
  Json coarse = base, fine = base;
  coarse["label"] = "coarse", coarse["h"] = {"1/20", "1/40", "1/80"};
  fine["label"] = "fine", fine["h"] = {"1/80", "1/160", "1/320", "1/640"};
  config["runs"] = {coarse, fine};
  const SmallConfig small(config);
  const Json series = small.analysis()["series"];
  ASSERT_EQ(series.size(), 2u);
  EXPECT_EQ(series[0]["label"], "coarse");
  EXPECT_EQ(series[1]["label"], "fine");
  ASSERT_EQ(series[0]["points"].size(), 3u);
  ASSERT_EQ(series[1]["points"].size(), 4u);
  EXPECT_EQ(series[0]["points"][2], series[1]["points"][0]);
  EXPECT_THAT(series[1]["orders"]["q"]["statement"].get<std::string>(), HasSubstr("of 4 points"));
}

TEST(Convergence, AnUndecidedOrderNeitherAgreesNorDiffers) {
  Json config = pendulum_orders();
  config["runs"]["h"] = {"1/20", "1/40"};
  const Json q = SmallConfig(config).analysis()["series"][0]["orders"]["q"];
  EXPECT_TRUE(q["agreement"].is_null());
  EXPECT_THAT(q["statement"].get<std::string>(), HasSubstr("at least 3 are needed; theory 3"));
}

// A shortened last step has an error of its own: lambda of Radau IIA on index 3 loses an order in it. Such runs are
// shown, but they say nothing about the order.
TEST(Convergence, StepsThatDoNotDivideTheEndTimeAreMarked) {
  Json config = pendulum_orders();
  config["runs"]["h"] = {"1/20", "3/100", "1/40", "1/80", "0.0063", "1/160", "1/320"};
  config["runs"]["formulation"] = "index-3";
  const SmallConfig made(config);
  const Json series = made.analysis()["series"][0], result = made.result();
  EXPECT_EQ(series["points"][1]["shows_order"], false);
  EXPECT_EQ(series["points"][2]["shows_order"], true);
  for (const char* kind : {"q", "v", "a", "lambda"}) {
    EXPECT_EQ(series["orders"][kind]["shortened"], 2) << kind;
    EXPECT_EQ(series["orders"][kind]["agreement"], "agrees") << series["orders"][kind]["statement"];
  }
  const Json& rows = result["tables"][1]["rows"];
  EXPECT_EQ(rows[1].back(), "ok, last step shortened");
  EXPECT_TRUE(rows[1][8].is_null()) << "no EOC of lambda";
  // Measured: 0.1 off; orders between two steps are not those of the limit.
  EXPECT_NEAR(rows[2][8].get<double>(), 1, 0.2) << "between 1/20 and 1/40";
  EXPECT_THAT(result["notes"].dump(),
              HasSubstr("h = 3/100: left out of the orders, the last step is shortened: h does not "
                        "divide t_end = 1; 1/33 does"));
  EXPECT_EQ(result["figures"][0]["panels"][0]["series"][0]["x"].size(), 5u);
}

// The words in the table, and no others.
TEST(Convergence, WordsBesideTheoryAreExplained) {
  const auto caption = [](const Json& theory) {
    return SmallConfig(pendulum_orders({{"theory", theory}})).result()["tables"][0]["caption"].get<std::string>();
  };
  EXPECT_THAT(caption({{"q", 2}}), AllOf(HasSubstr("Above theory: "), Not(HasSubstr("Not settled: "))));
  EXPECT_THAT(caption(Json::object()), Not(HasSubstr("theory: ")));
}

#ifndef DAELAB_DOUBLE_ONLY
// Stage order 3, classical order 4, L-stable. [Li, Ding, Li 2019; Hairer, Wanner 1996, Sec. IV.15]
TEST(OrderReduction, OnTheEquationOfProtheroAndRobinson) {
  const SmallConfig config(Json::parse(R"({"experiment": "order-reduction", "runs": {
    "problem": {"name": "prothero-robinson", "rate": [-1, -1000000]}, "t_end": 1, "scalar": "real50",
    "h": ["1/10", "1/20", "1/40", "1/80", "1/160"], "method": "pade-block:r=3"}})"));
  const Json analysis = config.analysis();
  const Json &nonstiff = analysis["series"][0], &stiff = analysis["series"][1];
  EXPECT_NEAR(nonstiff["orders"]["y"]["order"].get<double>(), 4, 0.1);  // the next term
  EXPECT_EQ(nonstiff["orders"]["y"]["theory"], 4);
  EXPECT_EQ(nonstiff["orders"]["y"]["agreement"], "agrees");
  EXPECT_NEAR(stiff["orders"]["y"]["order"].get<double>(), 3, 0.1);  // as above
  EXPECT_EQ(stiff["orders"]["y"]["theory"], 3);
  EXPECT_EQ(stiff["orders"]["y"]["agreement"], "agrees");
  for (const Json& series : analysis["series"]) {
    EXPECT_EQ(series["limits"]["classical"], 4);
    EXPECT_EQ(series["limits"]["stiff"], 3);
    EXPECT_EQ(series["local_orders"]["y"]["order"].size(), 4u);
  }
  const Json result = config.result(), panels = result["figures"][0]["panels"];
  ASSERT_EQ(panels.size(), 2u);
  EXPECT_THAT(panels[1]["x_label"].get<std::string>(), HasSubstr("|L| h"));
  EXPECT_GT(panels[1]["series"][1]["x"][0], 1e4);  // 1e6 times some 1/14
  EXPECT_EQ(panels[1]["series"].size(), 4u);       // two curves, two levels of theory
}
#endif

TEST(OrderReduction, ByTheIndex) {
  const SmallConfig config(Json::parse(R"({"experiment": "order-reduction", "over": "/formulation", "runs": {
    "problem": "pendulum", "t_end": 1, "h": ["1/20", "1/40", "1/80", "1/160", "1/320"],
    "formulation": ["index-1", "index-2", "index-3"], "method": "radau-iia:s=2"}})"));
  const Json series = config.analysis()["series"];
  ASSERT_EQ(series.size(), 3u);
  // lambda: 2 s - 1, s, s - 1. [HW96, table VII.4.1; Jay 1993]
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(series[i]["orders"]["lambda"]["theory"], 3 - i);
    EXPECT_EQ(series[i]["orders"]["lambda"]["agreement"], "agrees") << series[i]["orders"]["lambda"]["statement"];
  }
  EXPECT_EQ(config.result()["figures"].size(), 4u);  // one per class
  EXPECT_EQ(config.result()["figures"][0]["panels"][0]["series"][2]["label"], "index-3");
}

TEST(OrderReduction, NeedsAKeyOfItsRuns) {
  Json config = pendulum_orders({{"experiment", "order-reduction"}, {"over", "/problem/rate"}});
  EXPECT_THAT(input_error_of([&] { SmallConfig{config}; }),
              HasSubstr("/over: the runs 'radau-iia:s=2' have no /problem/rate"));
}

// |C| grows with the time on index 2, where one local error a step stays.
TEST(Drift, GrowsByPowersOfTime) {
  const SmallConfig config(Json::parse(R"({"experiment": "drift", "runs": {"problem": "pendulum", "h": "1/50",
    "t_end": [5, 10, 20, 40], "formulation": ["index-2", "index-3"], "method": "radau-iia:s=2"}})"));
  const Json series = config.analysis()["series"];
  ASSERT_EQ(series.size(), 2u);
  EXPECT_NEAR(series[0]["growth"]["position_constraint"]["order"].get<double>(), 1, 0.1);  // measured 0.01 off
  EXPECT_FALSE(series[1]["growth"]["position_constraint"]["decided"].get<bool>());
  EXPECT_EQ(config.result()["tables"][1]["id"], "small-growth");
}

}  // namespace TEST_FILE
}  // namespace daelab
