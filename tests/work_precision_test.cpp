// The experiment work-precision: accuracy of results that are known, and the cost it reads off.
// Bounds of 1e-12 and less are round-off: of 1.001 - 1, which is off by 1e-13 of it, at the most.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "experiments/measures/accuracy.hpp"
#include "lab/runs/steps.hpp"
#include "tests/experiment_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Json spec(const Json& steps, const std::string& method = "bdf") {
  Json spec = {{"problem", "pendulum"}, {"formulation", "index-3"}, {"method", method}, {"t_end", "1"}};
  spec.update(steps);
  return spec;
}
Json tolerances(const std::string& rtol, const std::string& atol = "1e-5", const std::string& atol_velocity = "1e-3") {
  return {{"rtol", rtol}, {"atol", atol}, {"atol_velocity", atol_velocity}};
}

// q = (1, -2), v = (0, 4), a = (1, 1), lambda = 10.
Json exact_state() { return {{"q", {1, -2}}, {"v", {0, 4}}, {"a", {1, 1}}, {"lambda", {10}}}; }

Json record(const Json& steps, const Json& state, long count = 100, const std::string& method = "bdf") {
  Json record = {{"spec", spec(steps, method)}, {"t", 1.0}};
  record.update(state);
  record["stats"] = {{"steps", count},
                     {"rejected", 7},
                     {"failed", 2},
                     {"newton_iterations", 2 * count},
                     {"residuals", 3 * count},
                     {"jacobians", 0},
                     {"factorizations", 5},
                     {"back_solves", 2 * count},
                     {"cpu_seconds", 1e-5 * static_cast<double>(count)}};
  return record;
}

// Off by (0.001, -0.004) in q, (0.03, 0) in v and 0.5 in lambda.
Json rough(const Json& steps) {
  return record(steps, {{"q", {1.001, -2.004}}, {"v", {0.03, 4}}, {"a", {1, 1}}, {"lambda", {10.5}}});
}

// Off by this much in q1 only, after so many steps.
Json off_by(double error, long count, const Json& steps) {
  Json state = exact_state();
  state["q"][0] = 1 + error;
  return record(steps, state, count);
}

HandMadeRuns empty_runs() {
  HandMadeRuns runs;
  runs.compare_with(record(tolerances("1e-12"), exact_state()));
  return runs;
}

// A run of "bdf" for each of these errors of q1, with 10, 100, 1000, ... steps.
HandMadeRuns runs_with_errors(const std::vector<double>& errors) {
  HandMadeRuns runs = empty_runs();
  for (std::size_t i = errors.size(); i-- > 0;)  // in no order
    runs.add("bdf", "run " + std::to_string(i),
             off_by(errors[i], std::lround(std::pow(10, i + 1)), tolerances("1e-" + std::to_string(i + 2))));
  return runs;
}

FinishedRun integrated(const Json& record) { return finished<Integrations>(stored_run("", record)); }

ReferenceSolution reference() {
  const FinishedRun run = integrated(record(tolerances("1e-12"), exact_state()));
  return reference_solution(*run.run, &run);
}

TEST(Accuracy, ScdIsTheLargestRelativeErrorOfTheComponentsNamed) {
  const RunRecord run = integrated(rough(tolerances("1e-4"))).record;
  EXPECT_NEAR(scd(run, reference(), {"q"}), -std::log10(0.004 / 2), 1e-12);
  EXPECT_NEAR(scd(run, reference(), {"q1"}), 3, 1e-12);
  EXPECT_NEAR(scd(run, reference(), {"q1", "lambda"}), -std::log10(0.05), 1e-12);
}

TEST(Accuracy, ScdLeavesOutComponentsThatAreZero) {
  const RunRecord run = integrated(rough(tolerances("1e-4"))).record;
  EXPECT_NEAR(scd(run, reference(), {"q1", "v"}), 3, 1e-12);
  EXPECT_EQ(scd(run, reference(), {"v"}), HUGE_VAL);
  ReferenceSolution blurred = reference();  // zero to the digits trusted
  blurred.classes["v"][0] = Real50("1e-12"), blurred.log10_floor = -10;
  EXPECT_NEAR(scd(run, blurred, {"q1", "v"}), 3, 1e-12);
}

// atol/rtol is 0.1 for positions and 10 for velocities.
TEST(Accuracy, MescdWeighsErrorsWithTheTolerances) {
  const FinishedRun run = integrated(rough(tolerances("1e-4")));
  EXPECT_NEAR(mescd(run, reference(), {"q"}), -std::log10(0.004 / 2.1), 1e-12);
  EXPECT_NEAR(mescd(run, reference(), {"q", "v"}), -std::log10(0.03 / 10), 1e-12);
  EXPECT_NEAR(mescd(run, reference(), {"q", "v", "a", "lambda"}), -std::log10(0.5 / 10.1), 1e-12);
  EXPECT_NEAR(mescd(integrated(rough({{"h", "1/100"}})), reference(), {"q", "v"}), -std::log10(0.03), 1e-12);
}

TEST(WorkPrecision, PointsCarryErrorsPerClassAndDigits) {
  HandMadeRuns runs = empty_runs();
  runs.add("bdf", "bdf", rough(tolerances("1e-4")));
  const Evaluation evaluation = runs.evaluate("work-precision");
  const Json point = evaluation.analysis["series"][0]["points"][0];
  EXPECT_NEAR(point["errors"]["q"], 0.004, 1e-15);
  EXPECT_NEAR(point["errors"]["v"], 0.03, 1e-15);
  EXPECT_EQ(point["errors"]["a"], 0);
  EXPECT_NEAR(point["errors"]["lambda"], 0.5, 1e-15);
  EXPECT_NEAR(point["scd"], -std::log10(0.002), 1e-12);
  EXPECT_NEAR(point["mescd"], -std::log10(0.5 / 10.1), 1e-12);
  const Json row = evaluation.artifacts.tables.at(0).rows.at(0);  // solver rtol atol h0 | mescd scd | steps accept ...
  EXPECT_EQ(row[1], "1E-4");
  EXPECT_EQ(row[2], "1E-5");
  EXPECT_EQ(row[6], 107);
  EXPECT_EQ(row[7], 100);
}

// A factor 100 in the error for a factor 10 in the steps. 1 + 1e-6 in double is off by 1e-10 of the 1e-6,
// and 1 + 1e-4 by 1e-12; the bounds are ten times and more what this makes of the costs.
TEST(WorkPrecision, InterpolatesLogarithmsOfCostOverDigits) {
  Json options = {{"at_accuracy",
                   {{{"accuracy", "q1"}, {"at", {"1e-1", "1e-2", "1e-3", "1e-5", "1e-7"}}},
                    {{"accuracy", "scd"}, {"at", {4, 5}}}}}};
  const Json at =
      runs_with_errors({1e-2, 1e-4, 1e-6}).evaluate("work-precision", options).analysis["series"][0]["at_accuracy"];
  EXPECT_TRUE(at["q1"]["1E-1"]["steps"].is_null());
  EXPECT_TRUE(at["q1"]["1E-7"]["steps"].is_null());
  EXPECT_NEAR(at["q1"]["1E-3"]["steps"], std::pow(10, 1.5), 1e-9);
  EXPECT_NEAR(at["q1"]["1E-5"]["residuals"], 3 * std::pow(10, 2.5), 1e-6);
  EXPECT_EQ(at["q1"]["1E-3"]["jacobians"], 0);
  EXPECT_NEAR(at["q1"]["1E-3"]["factorizations"], 5, 1e-12);
  EXPECT_NEAR(at["scd"]["5"]["steps"], std::pow(10, 2.5), 1e-6);
  EXPECT_NEAR(at["scd"]["4"]["steps"], 100, 1e-9);
  EXPECT_NEAR(at["q1"]["1E-3"]["tolerance"], std::pow(10, -2.5), 1e-12);  // between rtol = 1e-2 and 1e-3
}

// From 1e-3 to 1e-5, not the lucky 1e-4 before.
TEST(WorkPrecision, ReadsTheCostWhereTheAccuracyIsReachedForGood) {
  Json at = {{"at_accuracy", {{{"accuracy", "q1"}}}}};
  at["at_accuracy"][0]["at"] = {"1e-3/sqrt(10)"};
  const Json series = runs_with_errors({1e-2, 1e-4, 1e-3, 1e-5}).evaluate("work-precision", at).analysis["series"][0];
  // As above: 1 + 1e-5 is off by 1e-11
  EXPECT_NEAR(series["at_accuracy"]["q1"]["3.162E-4"]["steps"], std::pow(10, 3.25), 1e-6);
}

TEST(WorkPrecision, GroupsWhatDiffersInTolerancesOrStepSizeOnly) {
  HandMadeRuns runs = empty_runs();
  runs.add("", "a", rough(tolerances("1e-4")));
  runs.add("", "b", rough({{"h", "1/100"}}));
  runs.add("", "c", rough(tolerances("1e-6", "1e-8", "1e-7")));
  runs.add("", "d", rough({{"h", "1/10"}}));
  runs.add("", "e", record(tolerances("1e-4"), exact_state(), 100, "hht"));
  const Json series = runs.evaluate("work-precision").analysis["series"];
  ASSERT_EQ(series.size(), 3u);
  EXPECT_EQ(series[0]["label"], "bdf, error control");
  EXPECT_EQ(series[0]["points"][0]["rtol"], "1e-4");
  EXPECT_EQ(series[0]["points"][1]["rtol"], "1e-6");
  EXPECT_EQ(series[1]["label"], "bdf, fixed steps");
  EXPECT_EQ(series[1]["points"][0]["h"], "1/10");
  EXPECT_EQ(series[2]["label"], "hht, error control");
}

TEST(WorkPrecision, DrawsEitherOverTheOther) {
  Json options = {{"figures", {{{"id", "f"}, {"accuracy", {"q1", "scd"}}, {"cost", {"steps", "seconds"}}}}}};
  const HandMadeRuns runs = runs_with_errors({1e-2, 1e-4});
  const Figure figure = runs.evaluate("work-precision", options).artifacts.figures.at(0);
  ASSERT_THAT(figure.panels, SizeIs(4));
  EXPECT_THAT(figure.panels[0].series.at(0).y, ElementsAre(10, 100));
  EXPECT_TRUE(figure.panels[0].log_x && figure.panels[0].log_y);
  EXPECT_FALSE(figure.panels[2].log_x);  // digits are logarithms
  EXPECT_NEAR(figure.panels[2].series.at(0).x.at(1), 4, 1e-12);
  EXPECT_THAT(figure.caption, HasSubstr("CPU time, measured once"));
  options["figures"][0]["orientation"] = "accuracy-over-cost";
  const Panel turned = runs.evaluate("work-precision", options).artifacts.figures.at(0).panels.at(0);
  EXPECT_THAT(turned.series.at(0).x, ElementsAre(10, 100));
  EXPECT_EQ(turned.x_label, "steps");
}

TEST(WorkPrecision, ListsFailedRunsByThemselves) {
  HandMadeRuns runs = runs_with_errors({1e-2, 1e-4});
  Json failed = off_by(1, 3, tolerances("1e-9"));
  failed["status"] = "step-too-small", failed["cause"] = "the step fell to 1e-17 s", failed["t"] = 0.25;
  runs.add("bdf", "failed", failed);
  const Evaluation evaluation = runs.evaluate("work-precision");
  EXPECT_THAT(evaluation.artifacts.tables.at(0).rows, SizeIs(2));
  EXPECT_THAT(evaluation.artifacts.figures.at(0).panels.at(0).series.at(0).x, SizeIs(2));
  const Table& table = evaluation.artifacts.tables.at(2);
  EXPECT_THAT(table.caption, HasSubstr("failed"));
  EXPECT_EQ(table.rows.at(0), Json({"bdf", "1E-9", "1E-5", nullptr, 0.25, 3, "step-too-small", failed["cause"]}));
  EXPECT_EQ(evaluation.analysis["series"][0]["points"][2]["status"], "step-too-small");
}

TEST(WorkPrecision, RefusesWhatItCannotMeasure) {
  const HandMadeRuns runs = runs_with_errors({1e-2});
  const auto refusal = [&](const Json& options) {
    return input_error_of([&] { runs.evaluate("work-precision", options); });
  };
  const auto figure = [](const Json& keys) {
    Json figure = {{"id", "f"}};
    figure.update(keys);
    return Json{{"figures", {figure}}};
  };
  EXPECT_THAT(refusal(figure({{"cost", {"flops"}}})),
              AllOf(HasSubstr("/figures/0/cost"), HasSubstr("no cost 'flops'")));
  EXPECT_THAT(refusal(figure({{"accuracy", {"q3"}}})),
              AllOf(HasSubstr("/figures/0/accuracy"), HasSubstr("2 components")));
  EXPECT_THAT(refusal(figure({{"series", {"hht"}}})), HasSubstr("no series 'hht'"));
  EXPECT_THAT(refusal({{"scd", {"w"}}}), AllOf(HasSubstr("/scd"), HasSubstr("'w' is not a component")));
  EXPECT_THAT(refusal({{"at_accuracy", {{{"accuracy", "q"}}}}}), HasSubstr("/at_accuracy/0/at"));
}

TEST(Tolerances, AreWrittenShort) {
  EXPECT_EQ(tolerance_text("1e-6"), "1E-6");
  EXPECT_EQ(tolerance_text("1/4000"), "2.5E-4");
  EXPECT_EQ(steps_text(read_run_spec(spec(tolerances("1e-4")), "")), "rtol = 1E-4, atol = 1E-5");
  EXPECT_EQ(steps_text(read_run_spec(spec({{"h", "1/10"}}), "")), "h = 1/10");
  EXPECT_THAT(distinguishing_labels({spec(tolerances("1e-4")), spec(tolerances("1e-6", "1e-7"))}),
              ElementsAre("rtol = 1E-4", "rtol = 1E-6"));
  EXPECT_THAT(distinguishing_labels({Json{{"k", 3}}}), ElementsAre("k = 3"));  // neither method nor problem
}

TEST(Tolerances, VaryTogether) {
  const Json pairs = {{{"rtol", "1e-4"}, {"atol", "1e-5"}}, {{"rtol", "1e-6"}, {"atol", "1e-7"}}};
  const std::vector<Json> runs = expand_grid({{"method", {"bdf", "hht"}}, {"together", pairs}}, "");
  ASSERT_THAT(runs, SizeIs(4));
  EXPECT_EQ(runs[1], Json({{"method", "bdf"}, {"rtol", "1e-6"}, {"atol", "1e-7"}}));
  EXPECT_EQ(runs[2]["rtol"], "1e-4");
  EXPECT_THAT(input_error_of([&] {
                expand_grid({{"rtol", "1e-2"}, {"together", pairs}}, "/runs");
              }),
              AllOf(HasSubstr("/runs/together"), HasSubstr("\"rtol\" is also given")));
  EXPECT_THAT(input_error_of([] { expand_grid({{"together", {1, 2}}}, "/runs"); }), HasSubstr("list of objects"));
}

TEST(FixedSteps, AreAskedForWhereOrdersAreMeasured) {
  const HandMadeRuns runs = runs_with_errors({1e-2});
  EXPECT_THAT(
      input_error_of([&] { runs.evaluate("convergence"); }),
      AllOf(HasSubstr("/runs: run 'run 0' has error control (rtol = 1E-2, atol = 1E-5)"), HasSubstr("work-precision")));
  EXPECT_THAT(input_error_of([&] {
                runs.evaluate("iteration-counts", {{"count", "newton-iterations"}, {"vary", "/rtol"}});
              }),
              HasSubstr("/vary: run 'run 0' has error control"));
}

// Tighter tolerances buy digits with steps, against the stored reference.
TEST(WorkPrecision, MeasuresRuns) {
  const SmallConfig small(
      {{"experiment", "work-precision"},
       {"common", {{"problem", "pendulum"}, {"t_end", "1"}}},
       {"runs",
        {{{"method", "bdf"},
          {"together", {{{"rtol", "1e-3"}, {"atol", "1e-4"}}, {{"rtol", "1e-6"}, {"atol", "1e-7"}}}}},
         {{"method", "gauss"}, {"h", {"1/10", "1/20"}}}}},
       {"at_accuracy", {{{"accuracy", "q"}, {"at", {"1e-3"}}}}}});
  const Json series = small.analysis()["series"];
  ASSERT_EQ(series.size(), 2u);
  for (const Json& s : series) {
    ASSERT_EQ(s["points"].size(), 2u);
    EXPECT_LT(s["points"][0]["scd"], s["points"][1]["scd"].get<double>()) << s["label"];
    EXPECT_LT(s["points"][0]["stats"]["steps"], s["points"][1]["stats"]["steps"].get<int>()) << s["label"];
  }
  EXPECT_EQ(small.result()["tables"].size(), 3u);  // nothing failed
}

}  // namespace TEST_FILE
}  // namespace daelab
