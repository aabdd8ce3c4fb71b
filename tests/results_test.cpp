// Results of experiments are data: what analysis.json holds is read as the struct that it was written from. Experiments
// on runs.
#include <gmock/gmock.h>

#include "core/base/write_file.hpp"
#include "tests/results_support.hpp"
#include "tests/test_folder.hpp"

namespace daelab {
namespace TEST_FILE {

TEST(Results, Drift) {
  const Made made(
      {{"experiment", "drift"},
       {"runs",
        Json::array({pendulum_config({{"formulation", "index-1"}, {"h", "1/50"}, {"t_end", {"1", "2", "4"}}})})}});
  const auto result = made.set().result<DriftResult>();
  EXPECT_EQ(made.again<DriftResult>(), made.set().analysis);
  ASSERT_EQ(result.runs.size(), 3U);
  ASSERT_EQ(result.growth.size(), 1U);
  EXPECT_EQ(result.growth.front().of.size(), 3U);
  std::vector<Real50> of_result, of_records;
  for (const DriftResult::Row& row : result.runs) of_result.push_back(row.max.position_constraint.value());
  for (const LoadedRun& run : made.set().runs) of_records.push_back(run.as<>().max.position_constraint.value());
  EXPECT_THAT(of_result, testing::UnorderedElementsAreArray(of_records)) << "no digit is lost";
}

TEST(Results, SayTheirUnits) {
  EXPECT_EQ(units_json({{"/runs/*/h", "s"}, {"/runs/*/energy", "J"}}),
            Json({{"/runs/*/h", "s"}, {"/runs/*/energy", "J"}}));
  const Json json = {{"runs", {{{"h", 1}}, {{"h", 2}}}}, {"other", 3}};
  EXPECT_THAT(values_at(json, "/runs/*/h"), testing::ElementsAre(1, 2));
  EXPECT_THAT(values_at(json, "/*/h"), testing::IsEmpty());
}

TEST(Results, ConvergenceWithAShortenedStep) {
  const Made made({{"experiment", "convergence"},
                   {"runs", Json::array({pendulum_config({{"h", {"1/10", "3/40", "1/20", "1/40", "1/80"}}})})},
                   {"reference", pendulum_config({{"method", "gauss:s=5"}, {"h", "1/80"}, {"scalar", "double"}})}});
  const auto result = made.set().result<ConvergenceResult>();
  EXPECT_EQ(made.again<ConvergenceResult>(), made.set().analysis);
  ASSERT_EQ(result.series.size(), 1U);
  const OrderSeries& series = result.series.front();
  EXPECT_EQ(series.method, "gauss");
  EXPECT_THAT(series.classes, testing::ElementsAre("q", "v", "a", "lambda"));
  ASSERT_EQ(series.points.size(), 5U);
  EXPECT_FALSE(series.points[1].shows_order()) << "3/40 does not divide 1";
  EXPECT_EQ(series.orders.at("q").used_points.size(), static_cast<std::size_t>(series.orders.at("q").used));
}

TEST(Results, ConvergenceWithoutReference) {
  const Made made(
      {{"experiment", "convergence"},
       {"without", {"/series/*/t_end", "/series/*/points/*/h", "/series/*/points/*/dividing_step"}},
       {"runs", Json::array({pendulum_config({{"h", {"1/10", "1/20"}}})})},
       {"reference",
        pendulum_config({{"method", "explicit-euler"}, {"h", "1/2"}, {"max_steps", "1"}, {"scalar", "double"}})}});
  EXPECT_EQ(made.again<ConvergenceResult>(), made.set().analysis);
  EXPECT_THAT(made.set().result<ConvergenceResult>().failure, testing::HasSubstr("no errors"));
}

TEST(Results, OrderReduction) {
  const Made made({{"experiment", "order-reduction"},
                   {"runs", Json::array({{{"problem", {{"name", "prothero-robinson"}, {"rate", {-1, -1000}}}},
                                          {"method", "radau-iia:s=2"},
                                          {"h", {"1/10", "1/20", "1/40"}}}})}});
  const auto result = made.set().result<OrderReductionResult>();
  EXPECT_EQ(made.again<OrderReductionResult>(), made.set().analysis);
  ASSERT_EQ(result.limits.size(), 2U);
  EXPECT_EQ(result.limits.front()->classical, 3) << "2 s - 1";
}

TEST(Results, WorkPrecision) {
  const Made made({{"experiment", "work-precision"},
                   {"runs", Json::array({pendulum_config({{"method", "bdf"}, {"rtol", {"1e-4", "1e-5", "1e-6"}}})})},
                   {"reference", pendulum_config({{"method", "gauss:s=5"}, {"h", "1/80"}, {"scalar", "double"}})},
                   {"at_accuracy", Json::array({{{"accuracy", "q"}, {"at", {"1e-4"}}}})}});
  const auto result = made.set().result<WorkPrecisionResult>();
  EXPECT_EQ(made.again<WorkPrecisionResult>(), made.set().analysis);
  ASSERT_EQ(result.series.size(), 1U);
  ASSERT_EQ(result.series.front().points.size(), 3U);
  const WorkPrecision::Point& loosest = result.series.front().points.front();
  EXPECT_EQ(loosest.spec.rtol->text(), "1e-4");
  EXPECT_EQ(loosest.spec.method.name(), "bdf");
  EXPECT_EQ(loosest.cost.at("steps"), loosest.stats.steps);
  EXPECT_EQ(result.series.front().costs.size(), 1U);
}

TEST(Results, TrajectoriesWithDifferencesAndJumps) {
  const Json step = {{"h", "1/50"}, {"sample_every", "1/4"}, {"trajectory", 1}};
  Json other = step;
  other["method"] = "lobatto-iiic:s=3";
  const Made made(
      {{"experiment", "trajectories"},
       {"runs", Json::array({pendulum_config(step), pendulum_config(other)})},
       {"tables",
        Json::array(
            {{{"id", "gap"}, {"components", {"q1", "lambda1"}}, {"relative_to", "gauss"}, {"until", {"1/2", "1"}}}})},
       {"figures", Json::array({{{"id", "path"},
                                 {"panels", Json::array({{{"components", {"q1"}}},
                                                         {{"components", {"a1"}}, {"steps", true}}})}}})},
       {"jumps", {"lambda", "a2"}}});
  const auto result = made.set().result<TrajectoriesResult>();
  EXPECT_EQ(made.again<TrajectoriesResult>(), made.set().analysis);
  ASSERT_EQ(result.runs.size(), 2U);
  ASSERT_EQ(result.runs[0].jumps.size(), 2U);
  EXPECT_EQ(result.runs[0].jumps[1].first, "a2") << "in the order of the config";
  EXPECT_GT(result.runs[0].jumps[0].second.magnitude, 0);
  ASSERT_EQ(result.tables.front().list.size(), 2U);
  EXPECT_EQ(result.tables.front().list[0].largest.size(), 2U);
  ASSERT_EQ(result.figures.front().size(), 2U);
  EXPECT_EQ(result.figures.front()[0].front().t, (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
  EXPECT_FALSE(result.figures.front()[1].front().file.empty());
}

TEST(Results, Events) {
  const Json problem = {{"name", "bouncing-pendulum"}};
  const Json run = {{"problem", problem}, {"t_end", "2"}, {"formulation", "projected"}};
  Json controlled = run, fixed = run;
  controlled.update({{"method", "dormand-prince"}, {"rtol", {"1e-6", "1e-8"}}});
  fixed.update({{"method", "rk4-classical"}, {"h", {"1/50", "1/100", "1/200", "1/400"}}});
  const Made made({{"experiment", "events"}, {"runs", Json::array({controlled, fixed})}});
  const auto result = made.set().result<EventsResult>();
  EXPECT_EQ(made.again<EventsResult>(), made.set().analysis);
  ASSERT_EQ(result.series.size(), 2U);
  EXPECT_TRUE(result.series[0].controlled);
  EXPECT_FALSE(result.series[0].order);
  EXPECT_EQ(result.series[0].points[0].rtol->text(), "1e-6");
  EXPECT_EQ(result.series[0].points[0].missed, 0);
  ASSERT_TRUE(result.series[1].order);
  EXPECT_EQ(result.series[1].points[0].steps_text, "h = 1/50");
}

TEST(Results, Crossover) {
  const auto entry = [](const char* label, const char* method, const char* formulation) {
    return Json{{"label", label},
                {"method", method},
                {"formulation", formulation},
                {"t_end", "5"},
                {"problem", {{"name", "leader-follower"}, {"stiffness", {"10", "1000"}}}},
                {"rtol", {"1e-5", "1e-7"}}};
  };
  const Made made(
      {{"experiment", "crossover"},
       {"cost", Json::array({"evaluations"})},
       {"groups", Json::array({{{"label", "explicit"}, {"series", Json::array({"DP"})}},
                               {{"label", "implicit"}, {"series", Json::array({"Radau"})}}})},
       {"runs", Json::array({entry("DP", "dormand-prince", "projected"), entry("Radau", "radau-iia:s=3", "ggl")})}});
  const auto result = made.set().result<CrossoverResult>();
  EXPECT_EQ(made.again<CrossoverResult>(), made.set().analysis);
  ASSERT_EQ(result.swept.size(), 1U);
  const CrossoverResult::Swept& swept = result.swept.front();
  EXPECT_EQ(swept.cost, "evaluations");
  EXPECT_EQ(swept.comparisons.size(), 2U) << "the second group, and its one series";
  ASSERT_EQ(swept.series.front().points.size(), 2U);
  EXPECT_EQ(swept.series.front().points[0].value, 10);
  EXPECT_EQ(swept.first.front().cost, swept.series.front().points[0].cheapest->cost);
}

TEST(Results, CrossoverOutOfReach) {
  const Json run = {{"problem", {{"name", "leader-follower"}, {"stiffness", {"10", "1000"}}}}, {"t_end", "5"}};
  Json ours = run, theirs = run;
  ours.update({{"label", "DP"}, {"method", "dormand-prince"}, {"formulation", "projected"}, {"rtol", "1e-2"}});
  theirs.update({{"label", "Radau"}, {"method", "radau-iia:s=3"}, {"formulation", "ggl"}, {"rtol", "1e-8"}});
  const Made made({{"experiment", "crossover"},
                   {"cost", Json::array({"steps"})},
                   {"within", "1e-7"},
                   {"groups", Json::array({{{"label", "explicit"}, {"series", Json::array({"DP"})}},
                                           {{"label", "implicit"}, {"series", Json::array({"Radau"})}}})},
                   {"runs", Json::array({ours, theirs})}});
  const auto result = made.set().result<CrossoverResult>();
  EXPECT_EQ(made.again<CrossoverResult>(), made.set().analysis);
  EXPECT_FALSE(result.swept.front().series[0].points[0].cheapest);
  EXPECT_EQ(result.swept.front().first[0].cost, HUGE_VAL);
}

TEST(Results, ComparisonWithDifferences) {
  const Made made({{"experiment", "comparison"},
                   {"differences", true},
                   {"over", Json::array({"/newton"})},
                   {"runs", Json::array({pendulum_config({{"label", "default"}, {"h", {"1/10", "1/20", "1/40"}}}),
                                         pendulum_config({{"label", "loose"},
                                                          {"h", {"1/10", "1/20", "1/40"}},
                                                          {"newton", {{"tolerance", "1e-3"}}}})})}});
  const auto result = made.set().result<ComparisonResult>();
  EXPECT_EQ(made.again<ComparisonResult>(), made.set().analysis);
  EXPECT_THAT(result.ways, testing::ElementsAre("default", "loose"));
  ASSERT_EQ(result.rows.size(), 3U);
  EXPECT_EQ(result.rows.front().ways.at("loose").status, StatusCode::ok);
  ASSERT_EQ(result.differences.size(), 1U);
  EXPECT_EQ(result.differences.front().way, "loose");
}

TEST(Results, StepHistory) {
  const Made made({{"experiment", "step-history"},
                   {"runs", Json::array({pendulum_config({{"method", "bdf"}, {"rtol", "1e-6"}, {"history", true}})})}});
  const auto result = made.set().result<StepHistoryResult>();
  EXPECT_EQ(made.again<StepHistoryResult>(), made.set().analysis);
  ASSERT_EQ(result.runs.size(), 1U);
  const auto& run = result.runs.front();
  EXPECT_EQ(static_cast<long>(run.history.accepted().size()), run.stats.steps);
  EXPECT_EQ(static_cast<long>(run.history.dropped().size()), run.rejected_by_error + run.cut + run.failed);
}

TEST(Results, ReferenceValues) {
  const Made made({{"experiment", "reference-values"},
                   {"runs", Json::array({{{"problem", "pendulum"}, {"t_end", {"10", "0.123"}}}})}});
  const auto result = made.set().result<ReferenceValuesResult>();
  EXPECT_EQ(made.again<ReferenceValuesResult>(), made.set().analysis);
  ASSERT_EQ(result.rows.size(), 2U);
  EXPECT_EQ(result.rows[0].status, StatusCode::ok);
  EXPECT_TRUE(result.rows[0].digits_trusted);
  EXPECT_EQ(result.rows[1].status, StatusCode::not_applicable) << "nothing is stored for this time";
  EXPECT_FALSE(result.rows[1].digits_trusted);
}

TEST(Results, Trust) {
  const Made made({{"experiment", "trust"},
                   {"limit", "1/1000"},
                   {"runs", Json::array({{{"label", "pairs"},
                                          {"problem", "pendulum"},
                                          {"formulation", "index-1"},
                                          {"method", {"dormand-prince", "radau-iia:s=3"}},
                                          {"rtol", {"1e-4", "1e-6"}}}})},
                   {"explained", Json::array({{{"runs", {{"/method/name", "radau-iia"}}}, {"reason", "of a test"}}})}});
  const auto result = made.set().result<TrustResult>();
  EXPECT_EQ(made.again<TrustResult>(), made.set().analysis);
  ASSERT_EQ(result.rows.size(), 4U);
  EXPECT_EQ(result.worst().size(), 4U);
  EXPECT_EQ(result.rows.back().method, "radau-iia:s=3");
  EXPECT_EQ(result.rows.front().problem, "pendulum");
}

TEST(Results, Judge) {
  TemporaryFolder folder;
  const std::string table = folder.path() + "/theirs.csv";
  write_file(table, "h,y1\n0.1,-0.514\n0.05,-0.5365\n0.025,-0.5421\n");
  const Made made({{"experiment", "judge"},
                   {"without", {"/runs/*/drift/energy_error", "/runs/*/digits/drift/energy_error"}},
                   {"files", Json::array({{{"path", table}, {"label", "theirs"}}})},
                   {"runs", Json::array({{{"problem", "prothero-robinson"},
                                          {"method", "radau-iia:s=2"},
                                          {"h", {"1/10", "1/20", "1/40"}}}})}});
  const auto result = made.set().result<JudgeResult>();
  EXPECT_EQ(made.again<JudgeResult>(), made.set().analysis);
  EXPECT_THAT(result.classes, testing::ElementsAre("y"));
  ASSERT_EQ(result.runs.size(), 6U);
  EXPECT_EQ(result.runs[0].h->text(), "0.1");
  EXPECT_EQ(result.runs[0].states, 1);
  ASSERT_EQ(result.series.size(), 2U);
  EXPECT_EQ(result.series[0].label, "theirs");
}

TEST(Results, AreOfTheirKindAlone) {
  const Made made({{"experiment", "drift"}, {"runs", Json::array({pendulum_config({{"h", "1/50"}})})}});
  EXPECT_THROW(made.set().result<ConvergenceResult>(), Json::exception);
}

}  // namespace TEST_FILE
}  // namespace daelab
