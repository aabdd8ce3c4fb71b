// The experiment iteration-counts: what it makes of counts that are known.
// Bounds of 1e-11 and less are round-off.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "results/claims.hpp"
#include "tests/experiment_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr long solves = 1L << 52;  // so many that any mean of 1 to 4 passes is exact

// Runs that counted what is said here.
struct CountedRuns : HandMadeRuns {
  CountedRuns() { config.name = "counts", config.title = "Counts"; }

  Json& add(const std::string& method, const std::string& h, const std::string& eps, double mean) {
    return HandMadeRuns::add("", method,
                             {{"spec",
                               {{"problem", "rowing-boat"},
                                {"formulation", "baumgarte"},
                                {"h", h},
                                {"method", method},
                                {"multiplier_solver", {{"name", "sr1-paper"}, {"eps_abs", eps}}}}},
                              {"multipliers",
                               {{"solves", solves},
                                {"passes", static_cast<long>(mean * static_cast<double>(solves))},
                                {"histogram", {1, 2, 3}},
                                {"flops", 629 * static_cast<double>(solves)}}},
                              {"stats", {{"steps", 1000}, {"cpu_seconds", 0.5}}}});
  }
  Evaluation evaluate(const Json& options = Json::object()) const {
    return HandMadeRuns::evaluate("iteration-counts", options);
  }
};

const Json level_options = {{"vary", "/multiplier_solver/eps_abs"}, {"level", "1.994"}};

// mean = 1.994 - s log10(eps / (c h^p)): the mean is 1.994 exactly on eps = c h^p.
CountedRuns runs_on_power_law(double c, double p, const std::string& method = "adams-bashforth") {
  CountedRuns runs;
  for (const char* h : {"2.5e-4", "1e-3", "5e-4", "2e-3"})  // in no order
    for (const char* eps : {"1e-8", "1e-6", "1e-9", "1e-7", "1e-5"})
      runs.add(method, h, eps, 1.994 - 0.05 * std::log10(std::stod(eps) / (c * std::pow(std::stod(h), p))));
  return runs;
}

TEST(LevelCurve, RecoversAPowerLaw) {
  const Evaluation evaluation = runs_on_power_law(0.4, 2).evaluate(level_options);
  const Json& curve = evaluation.analysis["level_curves"][0];
  ASSERT_EQ(curve["points"].size(), 4u);
  EXPECT_EQ(curve["points"][0]["h"], "2e-3");  // coarse to fine
  for (const Json& point : curve["points"]) EXPECT_NEAR(point["scaled"], 0.4, 1e-12);
  EXPECT_TRUE(curve["exponent"]["decided"]);
  EXPECT_NEAR(curve["exponent"]["order"], 2, 1e-12);
  EXPECT_NEAR(curve["coefficient"], 0.4, 1e-11);
  EXPECT_NEAR(curve["coefficient_at_slope"], 0.4, 1e-12);
}

// Entries of different labels are different series, also where they have runs in common.
TEST(LevelCurve, IsOfOneLabel) {
  CountedRuns runs = runs_on_power_law(0.4, 2);
  const std::vector<StoredRun> once = runs.list;
  for (const StoredRun& run : once) {
    runs.list.push_back(run), runs.config.runs.push_back(run.run);
    runs.config.labels.push_back("again"), runs.config.entry_labels.push_back("again");
  }
  const Json curves = runs.evaluate(level_options).analysis["level_curves"];
  ASSERT_EQ(curves.size(), 2u);
  for (const Json& curve : curves) EXPECT_EQ(curve["points"].size(), 4u);
}

TEST(LevelCurve, KeepsAnExponentOtherThanTheExpectedOne) {
  const Json curve = runs_on_power_law(0.02, 1.5).evaluate(level_options).analysis["level_curves"][0];
  EXPECT_NEAR(curve["exponent"]["order"], 1.5, 1e-12);
  EXPECT_NEAR(curve["coefficient"], 0.02, 1e-12);
  EXPECT_EQ(curve["exponent"]["statement"], "p = 1.50 ± 0.01 from 4 points");
}

// Four points off a straight line by s = log(1.1) in turn, evenly spaced over log h by log 2: the slope is off by
// 0.4 s / log 2, and its confidence is t(2 degrees, 97.5 %) sqrt(sum of squares / 2 / S_xx).
TEST(LevelCurve, ScatterShowsInTheConfidence) {
  CountedRuns runs;
  const double up = 1.1, down = 1 / up;
  for (const auto& [h, factor] : {std::pair{"2e-3", up}, {"1e-3", down}, {"5e-4", up}, {"2.5e-4", down}})
    for (const char* eps : {"1e-8", "1e-6", "1e-4"})
      runs.add("adams-bashforth", h, eps,
               1.994 - 0.05 * std::log10(std::stod(eps) / (factor * std::pow(std::stod(h), 2))));
  const Json exponent = runs.evaluate(level_options).analysis["level_curves"][0]["exponent"];
  const double s = std::log(up), S_xx = 5 * std::pow(std::log(2), 2), slope = 0.4 * s / std::log(2);
  const double t = 0.95 * std::sqrt(2 / (4 * 0.975 * 0.025));  // the quantile of 2 degrees in closed form
  EXPECT_NEAR(exponent["order"], 2 + slope, 1e-12);
  EXPECT_NEAR(exponent["half_width"], t * std::sqrt((4 * s * s - slope * slope * S_xx) / 2 / S_xx), 1e-12);
}

// A mean that bends into its plateau, 2 - eps/(67 h^2), passes 1.994 at eps = 0.402 h^2. Between runs a decade apart
// the monotone cubic stays within a quarter of it, between runs a factor 2 apart within 1 %.
TEST(LevelCurve, InterpolatesABentMeanWithinItsBracket) {
  const auto place = [](double factor) {
    CountedRuns runs;
    for (double eps = 0.9e-10; eps < 1e-5; eps *= factor)
      runs.add("adams-bashforth", "5e-4", fmt::format("{:.17e}", eps), 2 - eps / (67 * 25e-8));
    return runs.evaluate(level_options).analysis["level_curves"][0]["points"][0]["scaled"].get<double>();
  };
  EXPECT_NEAR(place(10) / 0.402, 1, 0.25);
  EXPECT_NEAR(place(2) / 0.402, 1, 0.01);
}

// Seen from large values of the key, the first passage counts.
// From 2 at 1e-7 to 1.988 at 1e-6.
TEST(LevelCurve, TakesTheFirstPassageFromTheLooseSide) {
  CountedRuns runs;
  const std::pair<const char*, double> means[] = {{"1e-9", 1.9}, {"1e-8", 2.1}, {"1e-7", 2}, {"1e-6", 1.988}};
  for (const auto& [eps, mean] : means) runs.add("adams-bashforth", "1e-3", eps, mean);
  const double key = runs.evaluate(level_options).analysis["level_curves"][0]["points"][0]["key"];
  EXPECT_GT(key, 1e-7);
  EXPECT_LT(key, 1e-6);
}

TEST(LevelCurve, WithoutBracketIsANote) {
  CountedRuns runs = runs_on_power_law(0.4, 2);
  for (const char* h : {"1e-3", "5e-4"})
    for (const char* eps : {"1e-8", "1e-7"}) runs.add("runge-kutta", h, eps, 1.5);
  const Evaluation evaluation = runs.evaluate(level_options);
  const Json& curves = evaluation.analysis["level_curves"];
  ASSERT_EQ(curves.size(), 2u);
  EXPECT_EQ(curves[1]["label"], "runge-kutta");
  EXPECT_TRUE(curves[1]["points"].empty());
  EXPECT_TRUE(curves[1]["coefficient"].is_null());
  EXPECT_FALSE(curves[1]["exponent"]["decided"]);
  EXPECT_THAT(evaluation.artifacts.notes,
              Contains("runge-kutta: no two neighbouring values of eps_abs bracket the mean 1.994 "
                       "at h = 1e-3, 5e-4"));
}

// A mean up to a failure is that of another interval.
TEST(LevelCurve, LeavesFailedRunsOut) {
  CountedRuns runs;
  runs.add("adams-bashforth", "1e-3", "1e-6", 1.9);
  runs.add("adams-bashforth", "1e-3", "1e-7", 2.0)["status"] = "not-converged";
  runs.add("adams-bashforth", "1e-3", "1e-8", 1.99);
  EXPECT_TRUE(runs.evaluate(level_options).analysis["level_curves"][0]["points"].empty());
}

TEST(LevelCurve, FiguresShowMeansAndCurveWithTheirReferences) {
  const Artifacts artifacts = runs_on_power_law(0.4, 2).evaluate(level_options).artifacts;
  ASSERT_EQ(artifacts.figures.size(), 2u);
  const Panel &means = artifacts.figures[0].panels[0], &curve = artifacts.figures[1].panels[0];
  EXPECT_EQ(means.series.size(), 5u);  // four step sizes and the level
  EXPECT_THAT(means.series.back().y, ElementsAre(1.994, 1.994));
  ASSERT_EQ(curve.series.size(), 2u);
  EXPECT_EQ(curve.series[1].label, "slope 2");
  EXPECT_NEAR(std::log(curve.series[1].y[0] / curve.series[1].y[1]) / std::log(8.0), 2, 1e-12);
  EXPECT_EQ(artifacts.tables[1].rows.size(), 4u);
}

TEST(IterationCounts, FailedRunStaysWithWhatItCounted) {
  CountedRuns runs;
  runs.add("adams-bashforth", "1e-3", "1e-7", 2);
  Json& failed = runs.add("semi-implicit-euler", "1e-3", "1e-7", 3.5);
  failed["status"] = "not-converged", failed["cause"] = "residual floor 4.1e-06 reached";
  failed["multipliers"]["histogram"] = {1, 2, 3, 4, 5, 0, 6};
  failed["multipliers"]["outcomes"] = {{"converged", 20}, {"not-converged", 1}};
  const Evaluation evaluation = runs.evaluate();
  const TableRow& row = evaluation.artifacts.tables[0].rows[1];
  //                       run      solves mean k=0..3     4+ floor not  flops  time  status
  EXPECT_EQ(row, (TableRow{"semi-implicit-euler", solves, 3.5, 1, 2, 3, 4, 11, 0, 1, 629.0, 0.5, "not-converged"}));
  EXPECT_EQ(row.size(), evaluation.artifacts.tables[0].columns.size());
  EXPECT_THAT(evaluation.artifacts.notes,
              ElementsAre("semi-implicit-euler: not-converged - residual floor 4.1e-06 reached"));
  EXPECT_EQ(evaluation.analysis["statuses"], (Json{{"not-converged", 1}, {"ok", 1}}));
  EXPECT_EQ(evaluation.analysis["series"][1]["histogram"].size(), 7u);
}

TEST(IterationCounts, RunThatFailsBeforeItsFirstSolveHasNoMean) {
  CountedRuns runs;
  Json& failed = runs.add("semi-implicit-euler", "1e-3", "1e-7", 0);
  failed["status"] = "singular", failed["multipliers"]["solves"] = 0;
  const TableRow row = runs.evaluate(level_options).artifacts.tables[0].rows[0];
  EXPECT_EQ(row[1], 0);
  EXPECT_TRUE(row[2].empty());
}

TEST(IterationCounts, ClaimsFindTheirRun) {
  const Evaluation evaluation = runs_on_power_law(0.4, 2).evaluate(level_options);
  const Json value = {
      {"set", "counts"},
      {"series", {{"/method/name", "adams-bashforth"}, {"/h", 0.0005}, {"/multiplier_solver/eps_abs", "1e-7"}}},
      {"pointer", "/mean"}};
  const Json mean = {{"id", "mean"},
                     {"location", "sec. 5"},
                     {"printed", "1.994"},
                     {"value", value},
                     {"expected", "all printed digits"}};
  const Json exponent = {
      {"id", "curve"},          {"location", "sec. 5"},
      {"printed", "h^2"},       {"kind", "order"},
      {"claimed", 2},           {"value", {{"set", "counts"}, {"result", "/level_curves/0/exponent"}}},
      {"expected", "confirmed"}};
  const Json entries = {{"claims", {mean, exponent}}};
  const auto judgements = judge_entries(entries, [&](const std::string&) {
    return ResultSet{{}, evaluation.analysis};
  });
  EXPECT_EQ(judgements[0].verdict, "all printed digits");  // eps = 0.4 h^2 = 1e-7 is on the curve
  EXPECT_EQ(judgements[1].verdict, "confirmed");
}

TEST(IterationCounts, HistogramFigureLeavesEmptyClassesOut) {
  CountedRuns runs;
  runs.add("adams-bashforth", "1e-3", "1e-7", 2)["multipliers"]["histogram"] = {2, 0, 23846, 14};
  runs.add("runge-kutta", "1e-3", "1e-7", 2);
  const Evaluation evaluation = runs.evaluate({{"histograms", {"adams-bashforth"}}});
  EXPECT_EQ(evaluation.analysis["series"][0]["most"], 3);
  const Artifacts& artifacts = evaluation.artifacts;
  ASSERT_EQ(artifacts.figures.size(), 1u);
  const Panel& panel = artifacts.figures[0].panels[0];
  ASSERT_EQ(panel.series.size(), 1u);
  EXPECT_THAT(panel.series[0].x, ElementsAre(0, 2, 3));
  EXPECT_THAT(panel.series[0].y, ElementsAre(2, 23846, 14));
}

// One Newton iteration a step more or less shows in the mean: counted against the record.
TEST(IterationCounts, NewtonIterationsOfARealRun) {
  CountedRuns runs;
  const Json record = runs.HandMadeRuns::add(
      "", "gauss",
      Run::bind({{"problem", "two-link-manipulator"}, {"method", "gauss"}, {"h", "1/50"}, {"t_end", "1/5"}}, "")
          ->execute()
          .record);
  ASSERT_EQ(record["status"], "ok");
  const Evaluation evaluation = runs.evaluate({{"count", "newton-iterations"}});
  const Json& series = evaluation.analysis["series"][0];
  EXPECT_EQ(series["solves"], 10);
  EXPECT_GE(series["mean"], 1);
  EXPECT_NEAR(series["mean"].get<double>() * 10, record["stats"]["newton_iterations"].get<double>(), 1e-12);
  EXPECT_TRUE(series["histogram"].is_null());
  const Table& table = evaluation.artifacts.tables[0];
  ASSERT_EQ(table.columns.size(), 5u);
  EXPECT_EQ(table.rows[0].size(), 5u);
}

TEST(IterationCounts, RefusesWhatItCannotHave) {
  const CountedRuns runs = runs_on_power_law(0.4, 2);
  const auto message = [&](const Json& options) { return input_error_of([&] { runs.evaluate(options); }); };
  EXPECT_THAT(message({{"level", "1.994"}}), HasSubstr("/vary: is missing"));
  EXPECT_THAT(message({{"vary", "eps_abs"}}), HasSubstr("must be a JSON pointer"));
  EXPECT_THAT(message({{"vary", "/h"}}), HasSubstr("another key than the step size"));
  EXPECT_THAT(message({{"vary", "/multiplier_solver/delta"}}), HasSubstr("no run has a /multiplier_solver/delta"));
  EXPECT_THAT(message({{"histograms", {"no-such"}}}), HasSubstr("no run 'no-such'"));
  EXPECT_THAT(message({{"count", "newton-iterations"}, {"histograms", {"adams-bashforth"}}}),
              HasSubstr("multiplier-passes only"));
  EXPECT_THAT(message({{"count", "newton-iterations"}}), HasSubstr("no InputError"));
  EXPECT_THAT(message({{"vary", "/trajectory"}}), HasSubstr("positive values"));  // 0
}

}  // namespace TEST_FILE
}  // namespace daelab
