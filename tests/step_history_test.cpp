// The experiment step-history: what it makes of attempts that are known, and of a run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/experiment_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pointwise;
using testing::SizeIs;

// From t to t + h: accepted, accepted, rejected by its error, failed, accepted, accepted up to t = 1.
Json attempts() {
  return {{"t", {0.0, 0.1, 0.3, 0.3, 0.3, 0.6}},
          {"h", {0.1, 0.2, 0.4, 0.1, 0.3, 0.4}},
          {"error", {0.5, 0.25, 3.0, nullptr, 0.75, 0.5}},
          {"order", {1, 2, 2, 0, 2, 3}},
          {"outcome", {"accepted", "accepted", "error", "newton-diverged", "accepted", "accepted"}},
          {"newton_iterations", {2, 4, 6, 16, 18, 20}},
          {"residuals", {2, 4, 6, 16, 18, 20}},
          {"jacobians", {1, 1, 2, 3, 4, 4}},
          {"factorizations", {1, 1, 2, 3, 4, 4}}};
}

Json record(Json history = attempts()) {
  return {{"spec", {{"problem", "pendulum"}, {"method", "bdf"}, {"rtol", "1e-4"}, {"history", true}}},
          {"history", std::move(history)},
          {"stats",
           {{"steps", 4},
            {"rejected", 2},
            {"failed", 1},
            {"newton_iterations", 20},
            {"residuals", 20},
            {"jacobians", 4},
            {"factorizations", 4},
            {"back_solves", 20},
            {"cpu_seconds", 0.001}}}};
}

HandMadeRuns one_run() {
  HandMadeRuns runs;
  runs.add("bdf", "bdf", record());
  return runs;
}

Json figure(const Json& panels) { return {{"figures", {{{"id", "f"}, {"panels", panels}}}}}; }

Panel panel_of(const HandMadeRuns& runs, const Json& options) {
  return runs.evaluate("step-history", options).artifacts.figures.at(0).panels.at(0);
}

TEST(StepOutcomes, HaveOneTextEach) {
  using Kind = StepOutcome::Kind;
  std::vector<StepOutcome> all = {{Kind::accepted}, {Kind::error}, {Kind::cut}};
  for (int code = 1; code <= static_cast<int>(StatusCode::interrupted); ++code)
    all.push_back({Kind::failed, static_cast<StatusCode>(code)});
  std::set<std::string> texts;
  for (const StepOutcome& outcome : all) {
    EXPECT_EQ(step_outcome(to_string(outcome)), outcome);
    texts.insert(to_string(outcome));
  }
  EXPECT_THAT(texts, SizeIs(all.size()));
  EXPECT_THROW(step_outcome("dropped"), std::invalid_argument);
  EXPECT_THROW(step_outcome("ok"), std::invalid_argument);
  Json history = attempts();
  history["outcome"][0] = "dropped";
  EXPECT_THAT([&] { history.get<StepHistoryRecord>(); },
              testing::ThrowsMessage<Json::exception>(HasSubstr("no step ends as 'dropped'")));
  EXPECT_EQ(Json(attempts().get<StepHistoryRecord>())["outcome"], attempts()["outcome"]);
}

TEST(StepHistory, CountsAttemptsByWhatBecameOfThem) {
  const Json entry = one_run().evaluate("step-history").analysis["series"][0];
  EXPECT_EQ(entry["accepted"], 4);
  EXPECT_EQ(entry["rejected_by_error"], 1);
  EXPECT_EQ(entry["failed"], 1);
  EXPECT_EQ(entry["causes"]["newton-diverged"], 1);
  EXPECT_EQ(entry["jacobians_per_step"], 1);
  EXPECT_EQ(entry["residuals_per_step"], 5);
}

// Accepted steps of orders 1, 2, 2 and 3: smoothness 2, 1, 2, 4, of the failed attempt none.
TEST(StepHistory, TellsTheNumericalSmoothnessWhereItIsKnown) {
  EXPECT_FALSE(one_run().evaluate("step-history").analysis["series"][0].contains("mean_smoothness"));
  Json history = attempts();
  history["smoothness"] = {2, 1, 0, -1, 2, 4};
  EXPECT_EQ(Json(history.get<StepHistoryRecord>()), history);
  HandMadeRuns runs;
  runs.add("bdf", "bdf", record(history));
  const Json entry = runs.evaluate("step-history").analysis["series"][0];
  EXPECT_DOUBLE_EQ(entry["mean_smoothness"], 2.25);
  EXPECT_DOUBLE_EQ(entry["smoothness_below_order_share"], 0.25);
  const Panel panel = panel_of(runs, figure({"smoothness"}));
  EXPECT_THAT(panel.series.at(0).y, ElementsAre(2, 2, 1, 1, 2, 2, 4, 4));
  EXPECT_THAT(panel_of(one_run(), figure({"smoothness"})).series.at(0).y, IsEmpty());
}

// Six attempts, two of them dropped one after the other, with 2, 2, 2, 10, 2 and 2 iterations.
TEST(StepHistory, SharesOfDroppedAttemptsAndTheirIterations) {
  const Json entry = one_run().evaluate("step-history").analysis["series"][0];
  EXPECT_DOUBLE_EQ(entry["dropped_share"], 1.0 / 3);
  EXPECT_DOUBLE_EQ(entry["dropped_again_share"], 0.5);
  EXPECT_EQ(entry["median_newton_iterations"], 2);
}

// Orders 1, 2, 2, 3 over 0.1, 0.2, 0.3 and 0.4 of the interval.
TEST(StepHistory, SharesOutStepsAndTimeByOrder) {
  const Evaluation evaluation = one_run().evaluate("step-history");
  const Json& entry = evaluation.analysis["series"][0];
  const double steps[] = {0.25, 0.5, 0.25, 0, 0}, time[] = {0.1, 0.5, 0.4, 0, 0}, from[] = {1, 0.75, 0.25, 0, 0};
  for (int k = 1; k <= 5; ++k) {
    const std::string key = std::to_string(k);
    EXPECT_DOUBLE_EQ(entry["order_share"][key], steps[k - 1]) << k;
    EXPECT_DOUBLE_EQ(entry["order_time_share"][key], time[k - 1]) << k;
    EXPECT_DOUBLE_EQ(entry["order_share_from"][key], from[k - 1]) << k;
  }
  EXPECT_DOUBLE_EQ(entry["mean_order"], 2);
  const Table& table = evaluation.artifacts.tables.at(1);
  ASSERT_THAT(table.rows, SizeIs(2));
  EXPECT_EQ(table.columns.at(4).label, "Order 3 [%]");
  EXPECT_DOUBLE_EQ(*table.rows[0][3].real(), 50);
  EXPECT_DOUBLE_EQ(*table.rows[1][4].real(), 40);
}

// Two starts: at order 1 from t = 0, and again after two steps of order 3. The usual order is 3, half of the usual step
// 0.1: reached after 3 and 2 steps. The lower one is told.
TEST(StepHistory, CountsTheStepsFromAStartToTheUsualOrderAndStep) {
  EXPECT_EQ(one_run().evaluate("step-history").analysis["series"][0]["steps_to_recover"], 1);
  Json history = {{"t", Json::array()}, {"h", Json::array()}, {"error", Json::array()}, {"outcome", Json::array()}};
  const std::vector<double> sizes{0.01, 0.05, 0.05, 0.2, 0.2, 0.01, 0.09, 0.2, 0.2, 0.2, 0.2};
  const std::vector<int> orders{1, 2, 3, 3, 3, 1, 3, 3, 3, 3, 3};
  double t = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    history["t"].push_back(t), history["h"].push_back(sizes[i]), history["error"].push_back(0.5);
    history["outcome"].push_back("accepted");
    for (const char* count : {"newton_iterations", "residuals", "jacobians", "factorizations"})
      history[count].push_back(i);
    history["order"].push_back(orders[i]);
    t += sizes[i];
  }
  HandMadeRuns runs;
  runs.add("bdf", "bdf", record(history));
  EXPECT_EQ(runs.evaluate("step-history").analysis["series"][0]["steps_to_recover"], 2);
}

// The last step was cut to the end: it is neither the largest nor a growth.
TEST(StepHistory, MeasuresTheStepsThatWereChosen) {
  const Json entry = one_run().evaluate("step-history").analysis["series"][0];
  EXPECT_DOUBLE_EQ(entry["h_min"], 0.1);
  EXPECT_DOUBLE_EQ(entry["h_max"], 0.3);
  EXPECT_DOUBLE_EQ(entry["largest_growth"], 2);
}

TEST(StepHistory, DrawsStepSizeAndOrderAsStairs) {
  const Panel sizes = panel_of(one_run(), figure({"h"}));
  EXPECT_TRUE(sizes.log_y);
  EXPECT_THAT(sizes.series.at(0).x, Pointwise(testing::DoubleEq(), {0.0, 0.1, 0.1, 0.3, 0.3, 0.6, 0.6, 1.0}));
  EXPECT_THAT(sizes.series.at(0).y, ElementsAre(0.1, 0.1, 0.2, 0.2, 0.3, 0.3, 0.4, 0.4));
  const Panel orders = panel_of(one_run(), figure({"order"}));
  EXPECT_FALSE(orders.log_y);
  EXPECT_THAT(orders.series.at(0).y, ElementsAre(1, 1, 2, 2, 2, 3, 3));
  EXPECT_THAT(orders.series, SizeIs(1));
}

TEST(StepHistory, MarksDroppedAttemptsByCauseWhereTheyBegan) {
  const Panel sizes = panel_of(one_run(), figure({"h"}));
  ASSERT_THAT(sizes.series, SizeIs(3));
  EXPECT_EQ(sizes.series[0].label, "accepted");
  EXPECT_EQ(sizes.series[1].label, "rejected by error");
  EXPECT_THAT(sizes.series[1].x, ElementsAre(0.3));
  EXPECT_THAT(sizes.series[1].y, ElementsAre(0.4));
  EXPECT_EQ(sizes.series[2].label, "newton-diverged");
  const Panel errors = panel_of(one_run(), figure({"error"}));  // a failed attempt has no error
  ASSERT_THAT(errors.series, SizeIs(2));
  EXPECT_THAT(errors.series[0].y, ElementsAre(0.5, 0.25, 0.75, 0.5));
  EXPECT_THAT(errors.series[1].y, ElementsAre(3));
}

TEST(StepHistory, SumsUpWorkWithThatOfDroppedAttempts) {
  const Panel work = panel_of(one_run(), figure({"jacobians"}));
  EXPECT_THAT(work.series.at(0).y, ElementsAre(1, 1, 4, 4));
  EXPECT_DOUBLE_EQ(work.series.at(0).x.back(), 1);
}

TEST(StepHistory, ShowsTheRunsAndTheTimeAsked) {
  HandMadeRuns runs = one_run();
  runs.add("loose", "loose", record());
  runs.add("tight", "tight", record());
  Json options = figure({"h"});
  options["figures"][0]["runs"] = {"bdf", "tight"}, options["figures"][0]["t_max"] = "0.65";
  const Panel sizes = panel_of(runs, options);
  ASSERT_THAT(sizes.series, SizeIs(6));
  EXPECT_EQ(sizes.series[1].label, "tight");
  EXPECT_EQ(sizes.series[2].label, "bdf, rejected by error");
  EXPECT_DOUBLE_EQ(sizes.series[0].x.back(), 0.6);
}

TEST(StepHistory, RecordsRunsThatNeverStepped) {
  HandMadeRuns runs;
  Json failed = record(attempts());
  for (auto& [key, column] : failed["history"].members()) column = Json::array();
  failed["status"] = "not-applicable", failed["cause"] = "no error estimate";
  runs.add("gauss", "gauss", failed);
  const Evaluation evaluation = runs.evaluate("step-history");
  const Json& entry = evaluation.analysis["series"][0];
  EXPECT_EQ(entry["accepted"], 0);
  EXPECT_TRUE(entry["h_min"].is_null());
  EXPECT_TRUE(entry["mean_order"].is_null());
  EXPECT_THAT(evaluation.artifacts.notes, ElementsAre("gauss: not-applicable - no error estimate"));
  EXPECT_THAT(evaluation.artifacts.tables, SizeIs(1));
  EXPECT_THAT(evaluation.artifacts.figures.at(0).panels.at(0).series, IsEmpty());
}

TEST(StepHistory, RefusesWhatItCannotShow) {
  HandMadeRuns runs = one_run();
  const auto refusal = [&](const Json& options) {
    return input_error_of([&] { runs.evaluate("step-history", options); });
  };
  EXPECT_THAT(refusal(figure({"orders"})), AllOf(HasSubstr("/figures/0/panels"), HasSubstr("no panel 'orders'")));
  Json unknown = figure({"h"});
  unknown["figures"][0]["runs"] = {"hht"};
  EXPECT_THAT(refusal(unknown), AllOf(HasSubstr("/figures/0/runs"), HasSubstr("no run 'hht'")));
  runs.add("none", "none", {{"spec", {{"problem", "pendulum"}, {"method", "bdf"}, {"rtol", "1e-4"}}}});
  EXPECT_THAT(refusal(Json::object()), AllOf(HasSubstr("/runs: run 'none' stores no history"), HasSubstr("\"rtol\"")));
}

// One step after another, from 0 to 1, as the driver recorded them.
TEST(StepHistory, FollowsARun) {
  const SmallConfig small(
      {{"experiment", "step-history"},
       {"runs", {{"problem", "pendulum"}, {"method", "bdf"}, {"t_end", "1"}, {"rtol", "1e-5"}, {"history", true}}}});
  const Json entry = small.analysis()["series"][0];
  EXPECT_EQ(entry["status"], "ok");
  EXPECT_EQ(entry["accepted"], entry["stats"]["steps"]);
  const long dropped = entry["rejected_by_error"].get<long>() + entry["failed"].get<long>();
  EXPECT_EQ(dropped, entry["stats"]["rejected"].get<long>());
  EXPECT_GT(entry["order_share_from"]["2"], 0.5);  // measured 0.94
  const Json curves = small.result()["figures"][0]["panels"][0]["series"];
  EXPECT_EQ(curves[0]["x"][0], 0);
  EXPECT_NEAR(curves[0]["x"].back(), 1, 1e-12);  // round-off
}

}  // namespace TEST_FILE
}  // namespace daelab
