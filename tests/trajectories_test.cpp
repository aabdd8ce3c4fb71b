// The experiment trajectories: what it makes of samples that are known, and what it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/base/write_file.hpp"
#include "lab/runs/component.hpp"
#include "lab/runs/run.hpp"
#include "tests/experiment_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

// Pendulum runs as a config and a record each, without integrating: q1 = f(t) at t = 0, 0.1, ...
struct Runs : HandMadeRuns {
  template <class F>
  static Json record(F f, int samples = 11) {
    Json list = Json::array();
    for (int k = 0; k < samples; ++k) {
      const double t = k / 10.0;
      list.push_back({{"t", t}, {"q", {f(t), 0}}, {"v", {1, -f(t)}}, {"a", {0, 0}}, {"lambda", {2 * t}}});
    }
    Json record = list.back();  // the state at the end, too
    record.update({{"spec", spec()},
                   {"status", samples == 11 ? "ok" : "singular"},
                   {"cause", samples == 11 ? "" : "why"},
                   {"samples", list}});
    return record;
  }
  static Json spec() {
    return {
        {"problem", "pendulum"}, {"method", "runge-kutta"}, {"h", "1/100"}, {"t_end", "1"}, {"sample_every", "1/10"}};
  }
  void add(const std::string& label, const Json& record) { HandMadeRuns::add(label, label, record); }
  Evaluation evaluate(const Json& options) const { return HandMadeRuns::evaluate("trajectories", options); }
};

const Json table = {{"tables",
                     {{{"id", "errors"},
                       {"relative_to", "exact"},
                       {"components", {"q1"}},
                       {"labels", {"x"}},
                       {"until", {"0.5", "1"}}}}}};
const Json panel_of_q1 = {{"components", {"q1"}}, {"y_label", "x [m]"}};
Json figure_of(Json panel) { return {{"figures", {{{"id", "f"}, {"panels", {std::move(panel)}}}}}}; }

Runs two_runs() {
  Runs runs;
  runs.add("exact", Runs::record([](double t) { return t; }));
  runs.add("rough", Runs::record([](double t) { return t + 0.01 * t * (t - 0.8); }));  // turns at 0.4, zero at 0.8
  return runs;
}

TEST(TrajectoryDifferences, AreTheLargestUpToEachTime) {
  const Evaluation evaluation = two_runs().evaluate(table);
  const Json& series = evaluation.analysis["series"];
  ASSERT_EQ(series.size(), 2u);
  EXPECT_TRUE(series[0]["differences"].empty());  // the run compared with
  EXPECT_NEAR(series[1]["differences"]["errors"]["q1"]["0.5"], 0.0016, 1e-15);
  EXPECT_NEAR(series[1]["differences"]["errors"]["q1"]["1"], 0.002, 1e-15);
  const Table& shown = evaluation.artifacts.tables.at(0);
  ASSERT_THAT(shown.rows, SizeIs(1));
  EXPECT_EQ(shown.rows[0][0], "rough");
  EXPECT_EQ(shown.rows[0][1], "x");
  EXPECT_NEAR(*shown.rows[0][3].real(), 0.002, 1e-15);  // round-off
  EXPECT_THAT(shown.columns.at(2).label, HasSubstr("0.5 s"));
}

// 50 digits are subtracted in 50 digits.
TEST(TrajectoryDifferences, KeepTheDigitsOfTheRuns) {
  Runs runs;
  Json a = Runs::record([](double) { return 0; }), b = a;
  for (Json& state : a["samples"]) state["q"][0] = "1.00000000000000000000000000000001";
  for (Json& state : b["samples"]) state["q"][0] = "1";
  runs.add("exact", b), runs.add("rough", a);
  const Json difference = runs.evaluate(table).analysis["series"][1]["differences"]["errors"]["q1"]["1"];
  EXPECT_NEAR(difference.get<double>(), 1e-32, 1e-45);  // 13 digits of it, as a double
}

TEST(TrajectoryDifferences, EndWhereARunEnded) {
  Runs runs = two_runs();
  runs.add("failed", Runs::record([](double t) { return 2 * t; }, 7));  // to t = 0.6
  const Evaluation evaluation = runs.evaluate(table);
  const Json& limits = evaluation.analysis["series"][2]["differences"]["errors"]["q1"];
  EXPECT_NEAR(limits["0.5"], 0.5, 1e-15);  // round-off
  EXPECT_TRUE(limits["1"].is_null());
  EXPECT_EQ(evaluation.analysis["series"][2]["status"], "singular");
  EXPECT_THAT(evaluation.artifacts.notes, ElementsAre("failed: singular - why"));
}

TEST(TrajectoryDifferences, ToTheReferenceOfTheConfig) {
  Runs runs = two_runs();
  runs.compare_with(Runs::record([](double) { return 0; }));
  Json options = table;
  options["tables"][0]["relative_to"] = "reference";
  const Evaluation evaluation = runs.evaluate(options);
  EXPECT_NEAR(evaluation.analysis["series"][0]["differences"]["errors"]["q1"]["1"], 1, 1e-15);  // round-off
  EXPECT_THAT(evaluation.artifacts.tables[0].caption, HasSubstr("reference run runge-kutta"));
}

TEST(TrajectoryCurves, ShowComponentsOfTheRunsAsked) {
  Json panel = panel_of_q1;
  panel["components"] = {"q1", "v2", "lambda1"}, panel["labels"] = {"x", "vy", "force"}, panel["runs"] = {"rough"};
  const Evaluation evaluation = two_runs().evaluate(figure_of(panel));
  const Panel& shown = evaluation.artifacts.figures.at(0).panels.at(0);
  ASSERT_THAT(shown.series, SizeIs(3));
  EXPECT_EQ(shown.series[1].label, "vy");
  EXPECT_THAT(shown.series[2].y, SizeIs(11));
  EXPECT_DOUBLE_EQ(shown.series[2].y[10], 2);
  EXPECT_DOUBLE_EQ(shown.series[2].x[10], 1);
}

TEST(TrajectoryCurves, OfDifferencesKeepTheirSignUnlessLogarithmic) {
  Json panel = panel_of_q1;
  panel["relative_to"] = "exact";
  const Series signed_curve = two_runs().evaluate(figure_of(panel)).artifacts.figures.at(0).panels.at(0).series.at(0);
  EXPECT_NEAR(signed_curve.y.at(4), -0.0016, 1e-15);  // round-off
  EXPECT_EQ(signed_curve.y.at(0), 0);
  panel["log_y"] = true;
  const Series log_curve = two_runs().evaluate(figure_of(panel)).artifacts.figures.at(0).panels.at(0).series.at(0);
  EXPECT_NEAR(log_curve.x.at(0), 0.1, 1e-15);  // the zero at the start has no place there
  EXPECT_NEAR(log_curve.y.at(3), 0.0016, 1e-15);
}

TEST(TrajectoryConfigs, AreRefusedBeforeAnyRun) {
  const auto refusal = [](const Runs& runs, const Json& options) {
    return input_error_of([&] { runs.evaluate(options); });
  };
  const Runs runs = two_runs();
  Json panel = panel_of_q1;
  panel["components"] = {"q3"};
  EXPECT_THAT(refusal(runs, figure_of(panel)), AllOf(HasSubstr("/figures/0/panels/0"), HasSubstr("2 components")));
  panel["components"] = {"speed"};
  EXPECT_THAT(refusal(runs, figure_of(panel)), HasSubstr("'speed' is not a component"));
  panel["components"] = Json::array();
  EXPECT_THAT(refusal(runs, figure_of(panel)), HasSubstr("names no component"));
  panel = panel_of_q1, panel["labels"] = {"x", "y"};
  EXPECT_THAT(refusal(runs, figure_of(panel)), HasSubstr("2 names for 1 components"));
  panel = panel_of_q1, panel["runs"] = {"smooth"};
  EXPECT_THAT(refusal(runs, figure_of(panel)), AllOf(HasSubstr("no run 'smooth'"), HasSubstr("exact; rough")));
  Json missing = table;
  missing["tables"][0]["relative_to"] = "reference";
  EXPECT_THAT(refusal(runs, missing), HasSubstr("no run 'reference'"));
  missing["tables"][0].erase("relative_to");
  EXPECT_THAT(refusal(runs, missing), HasSubstr("/tables/0/relative_to"));
}

TEST(TrajectoryConfigs, NeedTheSameSampleTimes) {
  const auto refusal = [](const Json& sample_every) {
    Runs runs = two_runs();
    Json other = Runs::record([](double) { return 0; });
    other["spec"]["sample_every"] = sample_every;
    runs.add("other", other);
    return input_error_of([&] { runs.evaluate(table); });
  };
  EXPECT_THAT(refusal("1/20"), HasSubstr("run 'other' is sampled at other times"));
  EXPECT_THAT(refusal(nullptr), HasSubstr("run 'other' stores no samples"));
}

// Runs that store every step: CSV files in a folder of their own.
struct StepRuns : Runs {
  TemporaryFolder folder;

  void add_steps(const std::string& label, const std::string& rows, int every = 1) {
    Json run = record([](double) { return 0; });
    run["spec"]["trajectory"] = every;
    add(label, run);
    list.back().trajectory = label + ".csv", list.back().folder = folder.path();
    write_file(folder.path() + "/" + label + ".csv", "t,q1,q2,v1,v2,a1,a2,lambda1\n" + rows);
  }
};

// Steps of different lengths; a1 and a2 jump by 1, 2, 1 and 0, 3, -4, lambda stays within 10 and -10.
struct SpikyRuns : StepRuns {
  SpikyRuns() {
    add_steps("spiky", "0,0,0,0,0,0,0,10\n0.25,0,0,0,0,1,0,10\n0.375,0,0,0,0,3,3,9\n1,0,0,0,0,2,-1,-10\n");
    add_steps("smooth", "0,0,0,0,0,0,0,10\n1,0,0,0,0,0.5,0,10.25\n");
  }
};

TEST(TrajectoryJumps, AreTheLargestFromStepToStep) {
  const Evaluation evaluation = SpikyRuns().evaluate({{"jumps", {"a", "a1", "lambda1"}}});
  const Json& series = evaluation.analysis["series"];
  EXPECT_EQ(series[0]["jumps"]["a"], 4);
  EXPECT_EQ(series[0]["magnitudes"]["a"], 3);
  EXPECT_EQ(series[0]["jumps"]["a1"], 2);
  EXPECT_EQ(series[0]["jumps"]["lambda1"], 19);
  EXPECT_EQ(series[0]["magnitudes"]["lambda1"], 10);
  EXPECT_DOUBLE_EQ(series[0]["relative_jumps"]["lambda1"], 1.9);
  EXPECT_EQ(series[1]["jumps"]["lambda1"], 0.25);
  const Table& table = evaluation.artifacts.tables.at(0);
  ASSERT_THAT(table.rows, SizeIs(6));
  EXPECT_EQ(table.rows[1], (TableRow{"spiky", "a1", 2.0, 0.375, 3.0, 2.0 / 3}));
}

TEST(TrajectoryJumps, AreUnknownWithoutSteps) {
  StepRuns runs;
  runs.add_steps("failed", "");
  EXPECT_TRUE(runs.evaluate({{"jumps", {"lambda"}}}).analysis["series"][0]["jumps"]["lambda"].is_null());
}

TEST(TrajectoryJumps, NeedEveryStep) {
  const auto refusal = [](const StepRuns& runs, const Json& jumps) {
    return input_error_of([&] { runs.evaluate({{"jumps", jumps}}); });
  };
  SpikyRuns runs;
  EXPECT_THAT(refusal(runs, {"lambda2"}), AllOf(HasSubstr("/jumps"), HasSubstr("1 components")));
  runs.add_steps("sparse", "", 5);
  EXPECT_THAT(refusal(runs, {"lambda"}), AllOf(HasSubstr("/jumps: run 'sparse'"), HasSubstr("\"trajectory\": 1")));
}

TEST(TrajectoryCurves, OfStepsReferToTheStoredTrajectories) {
  Json panel = {{"components", {"lambda1"}}, {"steps", true}};
  const Panel shown = SpikyRuns().evaluate(figure_of(panel)).artifacts.figures.at(0).panels.at(0);
  ASSERT_THAT(shown.series, SizeIs(2));
  EXPECT_EQ(shown.series[1].label, "smooth");
  EXPECT_EQ(shown.series[1].file, "smooth.csv");
  EXPECT_EQ(shown.series[1].y_column, "lambda1");
  panel["relative_to"] = "spiky";
  EXPECT_THAT(input_error_of([&] { SpikyRuns().evaluate(figure_of(panel)); }), HasSubstr("different times"));
  panel.erase("relative_to");
  EXPECT_THAT(input_error_of([&] { two_runs().evaluate(figure_of(panel)); }), HasSubstr("stores no steps"));
}

TEST(ComponentNames, AreLettersAndANumberFromOne) {
  EXPECT_EQ(component_name("lambda12", "").kind, "lambda");
  EXPECT_EQ(component_name("lambda12", "").place, 11);
  for (const char* text : {"q0", "q", "x1", "q1 ", "1q", "lambda-1", "q99999999999"})
    EXPECT_THAT(input_error_of([&] { component_name(text, "/c"); }), HasSubstr("not a component")) << text;
}

}  // namespace TEST_FILE
}  // namespace daelab
