// The experiment crossover: the cheapest runs within an accuracy and where two groups of methods cross, on runs of
// known cost; its costs; and the problem it is made for.
#include <gmock/gmock.h>

#include "core/equations/explicit_forms.hpp"
#include "core/mechanism/problem.hpp"
#include "core/start/consistent_start.hpp"
#include "experiments/measures/cost.hpp"
#include "experiments/measures/crossover_point.hpp"
#include "tests/build_paths.hpp"
#include "tests/experiment_support.hpp"
#include "tests/scalars.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;

// The parameter that is swept is one of the Newton iteration here, so that one reference serves all.
Json spec(const std::string& method, int stiffness, const std::string& rtol) {
  return {{"problem", "pendulum"},
          {"method", method},
          {"newton", {{"max_iterations", stiffness}}},
          {"rtol", rtol},
          {"t_end", "1"}};
}

Json record(const Json& spec, double error, long residuals, long jacobians = 0) {
  return {{"spec", spec},
          {"t", 1.0},
          {"q", {1 + error, 0}},
          {"v", {0, 1}},
          {"a", {0, 0}},
          {"lambda", {1}},
          {"stats",
           {{"steps", 10},
            {"residuals", residuals},
            {"jacobians", jacobians},
            {"factorizations", 5},
            {"back_solves", 6},
            {"cpu_seconds", 0.25}}}};
}

// Explicit: 20 S residuals. Implicit: 600 residuals and 100 Jacobians of four columns, 1000 evaluations.
struct TwoMethods : HandMadeRuns {
  TwoMethods() {
    compare_with(record(spec("gauss", 10, "1e-12"), 0, 1));
    for (const int S : {1, 10, 100, 1000}) {
      const std::string place = ", S = " + std::to_string(S);
      add("slow", "slow" + place, record(spec("extrapolation", S, "1e-6"), 1e-8, 20 * S));
      add("slow", "slow and rough" + place, record(spec("extrapolation", S, "1e-3"), 1e-3, 5 * S));
      add("stiff", "stiff" + place, record(spec("bdf", S, "1e-6"), 1e-7, 600, 100));
      add("stiff", "stiff, dearer" + place, record(spec("bdf", S, "1e-8"), 1e-9, 800, 200));
    }
  }
  Json options() const {
    return {{"over", "/newton/max_iterations"},
            {"cost", {"evaluations", "seconds"}},
            {"factors", {1, 10}},
            {"groups", {group("explicit", "slow"), group("implicit", "stiff")}}};
  }
  static Json group(const std::string& label, const std::string& series) {
    return {{"label", label}, {"series", Json::array({series})}};
  }
  Evaluation outcome() const { return evaluate("crossover", options()); }
};

TEST(Crossover, IsWhereTheLinesMeet) {
  const Json found = TwoMethods().outcome().analysis["evaluations"];
  for (const char* rival : {"implicit", "stiff"}) {
    const Json& crossover = found["crossover"][rival];
    EXPECT_NEAR(crossover["1"]["up_to"].get<double>(), 50, 1e-12);  // 20 S = 1000
    EXPECT_NEAR(crossover["10"]["up_to"].get<double>(), 500, 1e-11);
    EXPECT_EQ(crossover["1"]["beyond_the_sweep"], false);
  }
}

TEST(Crossover, TakesTheCheapestRunWithinTheAccuracy) {
  const Json series = TwoMethods().outcome().analysis["evaluations"]["series"];
  EXPECT_EQ(series[0]["points"][2]["cost"], 2000);
  EXPECT_EQ(series[0]["points"][2]["rtol"], "1e-6");
  EXPECT_EQ(series[1]["points"][2]["cost"], 1000);
  EXPECT_EQ(series[1]["points"][2]["rtol"], "1e-6");
  EXPECT_EQ(series[1]["points"][2]["tried"], 2);
}

TEST(Crossover, LiesBeyondTheSweepWhereTheFirstGroupStaysCheap) {
  const Json found = TwoMethods().outcome().analysis["seconds"]["crossover"]["implicit"]["1"];  // all equal
  EXPECT_EQ(found["up_to"], 1000);
  EXPECT_EQ(found["beyond_the_sweep"], true);
}

TEST(Crossover, EndsWhereNoRunReachesTheAccuracy) {
  TwoMethods runs;
  for (StoredRun& run : runs.list) {
    const Json& spec = run.record["spec"];
    if (spec["method"]["name"] != "extrapolation") continue;
    if (spec["newton"]["max_iterations"] == 100) run.record["status"] = "newton-diverged";
    if (spec["newton"]["max_iterations"] == 1000) run.record["q"][0] = 2;
  }
  const Json found = runs.outcome().analysis["evaluations"];
  EXPECT_EQ(found["series"][0]["points"][2]["cost"], nullptr);
  EXPECT_EQ(found["crossover"]["implicit"]["10"]["up_to"], 10) << "the last value with a run";
}

TEST(Crossover, IsNothingWhereTheFirstGroupIsAlwaysDearer) {
  TwoMethods runs;
  for (StoredRun& run : runs.list)
    if (run.record["spec"]["method"]["name"] == "extrapolation") run.record["stats"]["residuals"] = 1000000;
  const Evaluation outcome = runs.outcome();
  EXPECT_EQ(outcome.analysis["evaluations"]["crossover"]["implicit"]["1"]["up_to"], nullptr);
  const Table& crossings = outcome.artifacts.tables.back();
  EXPECT_EQ(crossings.rows.front(), Json::parse(R"(["evaluations", "implicit", 1.0, "never"])"));
}

TEST(Crossover, DrawsACurveForEachMethodAndTheCrossing) {
  const Evaluation outcome = TwoMethods().outcome();
  ASSERT_EQ(outcome.artifacts.figures.size(), 1u);
  const auto& panels = outcome.artifacts.figures.front().panels;
  ASSERT_EQ(panels.size(), 2u);
  ASSERT_EQ(panels[0].series.size(), 3u);
  EXPECT_EQ(panels[0].series[0].y, (std::vector<double>{20, 200, 2000, 20000}));
  EXPECT_EQ(panels[0].series[2].label, "crossover, 50");
  EXPECT_EQ(panels[1].series.size(), 2u) << "no crossing within the sweep";
  EXPECT_EQ(outcome.artifacts.tables[0].rows[1], (TableRow{10.0, 200.0, 1000.0, 0.2}));
}

TEST(Crossover, RefusesBadOptionsWithTheirPlace) {
  const auto refusal = [](const Json& change) {
    TwoMethods runs;
    Json options = runs.options();
    options.update(change);
    return input_error_of([&] { runs.evaluate("crossover", options); });
  };
  EXPECT_THAT(refusal({{"over", "/problem/stiffness"}}),
              HasSubstr("/over: run 'slow, S = 1' has no /problem/stiffness"));
  EXPECT_THAT(refusal({{"over", "/method/name"}}), HasSubstr("/over"));
  EXPECT_THAT(refusal({{"cost", Json::array({"flops"})}}), HasSubstr("no cost 'flops'; there are: steps, rejected"));
  EXPECT_THAT(refusal({{"groups", Json::array({TwoMethods::group("explicit", "slow")})}}),
              AllOf(HasSubstr("/groups"), HasSubstr("two are compared")));
  EXPECT_THAT(refusal({{"accuracy", "q7"}}), HasSubstr("/accuracy"));
  Json groups = TwoMethods().options()["groups"];
  groups[1]["series"] = Json::array({"fast"});
  EXPECT_THAT(refusal({{"groups", groups}}), HasSubstr("/groups/1/series: no series 'fast'; there are: slow; stiff"));
}

// A chain in two statements, whose numbers of bodies have two names: 10 N residuals in ten steps against N^3.
struct TwoChains : HandMadeRuns {
  TwoChains() {
    for (const int N : {1, 2, 4, 8, 16}) {
      const std::string bodies = std::to_string(N), place = ", N = " + bodies;
      add("links", "links" + place, chain("link-chain:links=" + bodies, 10 * N));
      add("joints", "joints" + place,
          chain("@" + source_path("/problems/joint_chain.json") + ":N=" + bodies, N * N * N));
    }
  }
  static Json chain(const std::string& problem, long residuals) {
    return {
        {"spec",
         {{"problem", problem}, {"method", "runge-kutta"}, {"formulation", "index-1"}, {"h", "1/10"}, {"t_end", 1}}},
        {"stats", {{"steps", 10}, {"residuals", residuals}}}};
  }
  static Json options() {
    return {{"over", {"links", "N"}}, {"within", nullptr}, {"cost", Json::array({"residuals"})}};
  }
};

TEST(Crossover, WithoutGroupsComparesAllSeriesOverAParameterOfTheProblem) {
  const Json found = TwoChains().evaluate("crossover", TwoChains::options()).analysis["residuals"];
  ASSERT_EQ(found["series"].size(), 2u);
  EXPECT_EQ(found["series"][1]["points"][4]["value"], 16);
  EXPECT_EQ(found["series"][1]["points"][4]["error"], nullptr);
  ASSERT_EQ(found["pairs"].size(), 1u);
  EXPECT_EQ(found["pairs"][0]["first"], "joints") << "cheaper at small N, whatever their order";
  EXPECT_EQ(found["pairs"][0]["second"], "links");
  EXPECT_NEAR(found["pairs"][0]["at"].get<double>(), std::sqrt(10), 1e-12);
}

TEST(Crossover, FitsTheGrowthToTheLargerHalf) {
  TwoChains runs;
  runs.list[0].record["stats"]["residuals"] = 1000;  // of N = 1: a cost that does not grow
  const Json series = runs.evaluate("crossover", TwoChains::options()).analysis["residuals"]["series"];
  EXPECT_NEAR(series[0]["growth"]["exponent"].get<double>(), 1, 1e-12);
  EXPECT_NEAR(series[1]["growth"]["exponent"].get<double>(), 3, 1e-12);
  EXPECT_NEAR(series[1]["growth"]["half_width"].get<double>(), 0, 1e-12);
  EXPECT_EQ(series[1]["growth"]["from"], 4);
  EXPECT_EQ(series[1]["growth"]["points"], 3);
}

// written-out falls back to sparse-lu for many links, to schur-cholesky for few.
TEST(Crossover, ASolverThatFollowsFromTheSizeSplitsNoSeries) {
  TwoChains runs;
  runs.add("links", "links, N = 128", TwoChains::chain("link-chain:links=128", 1280));
  const Json series = runs.evaluate("crossover", TwoChains::options()).analysis["residuals"]["series"];
  ASSERT_EQ(series.size(), 2u);
  EXPECT_EQ(series[0]["points"].size(), 6u);
}

TEST(Crossover, HasAStepInPlaceOfARun) {
  Json options = TwoChains::options();
  options["per"] = "step";
  const Evaluation outcome = TwoChains().evaluate("crossover", options);
  EXPECT_EQ(outcome.analysis["residuals"]["series"][1]["points"][3]["cost"], 51.2);
  const Panel& panel = outcome.artifacts.figures.front().panels.front();
  EXPECT_EQ(panel.x_label, "links, N");
  EXPECT_EQ(panel.y_label, "residuals per step");
  ASSERT_TRUE(panel.series[1].fit);
  EXPECT_EQ(panel.series[1].fit->points, (std::vector<std::size_t>{2, 3, 4}));
  const auto& tables = outcome.artifacts.tables;
  EXPECT_EQ(tables[0].columns[0].format, CellFormat::integer);
  EXPECT_EQ(tables[0].rows[3], (TableRow{8.0, 8.0, 51.2}));
  EXPECT_EQ(*tables[2].rows[1][1].text(), "joints");
  EXPECT_THAT(*tables[2].rows[1][2].text(), testing::StartsWith("3.00 ± "));
  EXPECT_EQ(*tables[2].rows[1][3].text(), "4");
  EXPECT_EQ(tables[3].rows[0], Json::parse(R"(["residuals per step", "joints", "links", "3.16"])"));
}

TEST(Crossover, OfPairsThatDoNotCrossOrMeet) {
  const std::vector<Least> low{{1, 1, "low"}, {10, 10, "low"}}, high{{1, 2, "high"}, {10, 30, "high"}};
  const auto apart = pair_crossing("high", high, "low", low);
  ASSERT_TRUE(apart);
  EXPECT_EQ(apart->first, "low");
  EXPECT_EQ(apart->second, "high");
  EXPECT_FALSE(apart->at);
  EXPECT_FALSE(pair_crossing("low", low, "other", {{2, 1, "other"}})) << "no value in common";
}

TEST(Crossover, RefusesParametersThatProblemsDoNotHave) {
  const auto refusal = [](const Json& over) {
    TwoChains runs;
    Json options = TwoChains::options();
    options["over"] = over;
    return input_error_of([&] { runs.evaluate("crossover", options); });
  };
  EXPECT_THAT(refusal("lniks"), HasSubstr("/over: run 'links, N = 1': the problem link-chain has no parameter 'lniks'; "
                                          "did you mean 'links'? (known: links, length, mass, gravity"));
  EXPECT_THAT(refusal("links"), HasSubstr("the problem joint-chain has no parameter 'links' (known: N, length"));
  EXPECT_THAT(refusal(Json::array({"links", "n"})), HasSubstr("no parameter 'links' or 'n'; did you mean 'N'?"));
  EXPECT_THAT(refusal(Json::array({"angle", "N"})), HasSubstr("it is 0, but costs are drawn over values above 0"));
  EXPECT_THAT(refusal(Json::array({"/h", "N"})), HasSubstr("expected a JSON pointer such as"));
  EXPECT_THAT(refusal(5), HasSubstr("got 5"));
  EXPECT_THAT(refusal(Json::array()), HasSubstr("names no parameter"));
}

TEST(Costs, CountAJacobianAsItsColumns) {
  const auto run = stored_run("", record(spec("bdf", 1, "1e-6"), 0, 600, 100)).record.get<RunRecord>();
  EXPECT_EQ(cost_by_name("evaluations", "").of(run), 600 + 4 * 100);
  EXPECT_EQ(cost_by_name("seconds", "").of(run), 0.25);
}

// At rest: with the arms turning, frozen directions add A^2/S.
TEST(LeaderFollower, HasTheEigenvaluesOfItsOptions) {
  for (const char* damping : {"0", "1/2", "5/4", "10"}) {
    const auto problem = Registry<Problem>::instance().make(
        std::string("leader-follower:stiffness=1000,amplitude=0,damping=") + damping, "");
    // Round-off of the eigenvalues in double: measured 2e-8.
    EXPECT_NEAR(start_spectral_radius(*problem->mechanical_model(As<Widest>{})), 1000, 1e-6) << damping;
  }
}

#ifndef DAELAB_DOUBLE_ONLY
TEST(LeaderFollower, FollowsTheGuideAtAnyStiffness) {
  for (const char* stiffness : {"1", "1e4", "1e8"}) {
    const auto problem = Registry<Problem>::instance().make(std::string("leader-follower:stiffness=") + stiffness, "");
    const Motion motion = *problem->independent_solution(Real50("0.7"), 50);
    const auto model = problem->mechanical_model(As<Real50>{});
    Vector<Real50> a(4), lambda(2);
    solve_accelerations(*model, Real50("0.7"), motion.q, motion.v, a, lambda);
    const Real50 rate = cos(Real50("0.7")), angle = sin(Real50("0.7"));  // phi', and -phi''
    for (const int i : {0, 1}) {
      EXPECT_LT(abs(lambda[i] - rate * rate), 1e-30) << stiffness;
      // As lambda: round-off in 50 digits times the stiffness.
      EXPECT_LT(abs(a[2 * i] - (-angle * cos(angle) - rate * rate * sin(angle))), 1e-30) << stiffness;
    }
  }
}
#endif

}  // namespace TEST_FILE
}  // namespace daelab
