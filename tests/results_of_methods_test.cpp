// Results of experiments on methods are data: what analysis.json holds is read as the struct that it was written from.
#include "experiments/kinds/half_implicit.hpp"
#include "tests/build_paths.hpp"
#include "tests/results_support.hpp"

namespace daelab {
namespace TEST_FILE {

TEST(Results, StabilityRegionWithOrderStar) {
  const Made made({{"experiment", "stability-region"},
                   {"runs", Json::array({{{"method", {"gauss:s=2", "bdf:k=3", "explicit-euler"}}}})},
                   {"columns", 40},
                   {"rows", 40},
                   {"show", "both"}});
  const auto result = made.set().result<StabilityRegionResult>();
  EXPECT_EQ(made.again<StabilityRegionResult>(), made.set().analysis);
  ASSERT_EQ(result.methods.size(), 3U);
  EXPECT_TRUE(result.methods[0].a_stable.holds);
  EXPECT_TRUE(result.methods[0].order_star);
  EXPECT_FALSE(result.methods[1].order_star) << "three steps";
  EXPECT_NEAR(result.methods[2].intervals->real, 2, 1e-12) << "|1 + w| <= 1 on [-2, 0], to round-off";
}

TEST(Results, StabilityInterval) {
  const Made made({{"experiment", "stability-interval"},
                   {"runs", Json::array({{{"label", "rkc"}, {"method", {"rkc:stages=5", "rkc:stages=10"}}},
                                         {{"label", "none"}, {"method", "gauss"}}})},
                   {"laws", Json::array({{{"method", "rkc"}, {"factor", "2/3"}, {"shift", "-1"}}})}});
  const auto result = made.set().result<StabilityIntervalResult>();
  EXPECT_EQ(made.again<StabilityIntervalResult>(), made.set().analysis);
  ASSERT_EQ(result.series.size(), 3U);
  EXPECT_EQ(result.series[0].record.axis->stages, 5);
  EXPECT_EQ(result.series[0].law, 16) << "2/3 (25 - 1)";
  EXPECT_FALSE(result.series[2].record.ok());
}

TEST(Results, HalfImplicit) {
  const std::string file = "@" + source_path("/experiments/fang2023/mechanisms/double_pendulum.json");
  const Made made({{"experiment", "half-implicit"},
                   {"runs", Json::array({{{"problem", file},
                                          {"scheme", {"half-implicit", "fully-implicit"}},
                                          {"h", "1/20"},
                                          {"t_end", "1/2"},
                                          {"tolerance", "1e-7"}},
                                         {{"label", "none"}, {"problem", file}, {"h", "1"}, {"max_iterations", 1}}})}});
  const auto result = made.set().result<HalfImplicitResult>();
  EXPECT_EQ(made.again<HalfImplicitResult>(), made.set().analysis);
  ASSERT_EQ(result.series.size(), 3U);
  EXPECT_EQ(result.series[0].spec["problem"]["name"], "double-pendulum");
  EXPECT_EQ(result.series[0].record.intervals, 10);
  EXPECT_EQ(result.series[0].record.mean(), static_cast<double>(result.series[0].record.iterations) / 10);
  EXPECT_LT(result.series[0].record.largest_violation, 1e-6);
  EXPECT_EQ(result.series[2].record.status, StatusCode::newton_diverged);
}

TEST(Results, IterationCountsWithLevelCurve) {
  const Made made(
      {{"experiment", "iteration-counts"},
       {"vary", "/multiplier_solver/eps_abs"},
       {"level", "5/4"},
       {"runs",
        Json::array({{{"problem", "rowing-boat"},
                      {"formulation", "baumgarte:velocity_gain=10,position_gain=10000"},
                      {"method", "rk4-classical"},
                      {"t_end", "1/2"},
                      {"h", {"1/250", "1/500", "1/1000"}},
                      {"multiplier_solver",
                       {{"name", "sr1-paper"}, {"eps_abs", {"1e-3", "1e-4", "1e-5", "1e-6", "1e-7", "1e-8"}}}}}})}});
  const auto result = made.set().result<IterationCountsResult>();
  EXPECT_EQ(made.again<IterationCountsResult>(), made.set().analysis);
  ASSERT_EQ(result.runs.size(), 18U);
  const auto& counts = result.runs.front();
  EXPECT_EQ(counts.solves, counts.passes->solves);
  EXPECT_EQ(*counts.mean, counts.passes->mean_passes());
  ASSERT_EQ(result.families.size(), 1U);
  EXPECT_EQ(result.families.front().sweeps.size(), 3U);
  EXPECT_EQ(result.families.front().curve->points.size() + result.families.front().curve->missing.size(), 3U);
}

TEST(Results, NewtonIterationsHaveNoPasses) {
  const Made made({{"experiment", "iteration-counts"},
                   {"count", "newton-iterations"},
                   {"without", {"/families/*/sweeps/*/h", "/families/*/curve/points/*/h"}},
                   {"runs", Json::array({pendulum_config({{"h", "1/20"}})})}});
  const auto result = made.set().result<IterationCountsResult>();
  EXPECT_EQ(made.again<IterationCountsResult>(), made.set().analysis);
  EXPECT_EQ(result.runs.front().solves, 20);
  EXPECT_FALSE(result.runs.front().passes);
}

TEST(Results, LinearIterations) {
  const Made made({{"experiment", "linear-iterations"},
                   {"runs", Json::array({{{"problem",
                                           {{"name", "random-psd"},
                                            {"size", 6},
                                            {"rank", 4},
                                            {"perturbation_rank", {1, 2}},
                                            {"seed", {1, 2, 3}}}}}})}});
  const auto result = made.set().result<LinearIterationsResult>();
  EXPECT_EQ(made.again<LinearIterationsResult>(), made.set().analysis);
  ASSERT_EQ(result.series.size(), 2U);
  EXPECT_EQ(result.series[0].problems, 3U);
  EXPECT_EQ(result.series[0].status_text(), "ok");
  EXPECT_FALSE(result.series[0].first.residuals.empty());
}

TEST(Results, NullSpace) {
  const Made made({{"experiment", "null-space"},
                   {"runs", Json::array({pendulum_config({{"h", "1/20"}, {"sample_every", "1/4"}})})}});
  const auto result = made.set().result<NullSpaceResult>();
  EXPECT_EQ(made.again<NullSpaceResult>(), made.set().analysis);
  ASSERT_EQ(result.runs.size(), 1U);
  EXPECT_EQ(result.runs[0].samples, 5U);
  EXPECT_EQ(result.runs[0].constraints, 1);
  ASSERT_EQ(result.runs[0].of.size(), 2U);
  EXPECT_NEAR(result.runs[0].of[0].condition, 1, 1e-6);      // orthonormal, as the row of C_q: measured 8e-9
  EXPECT_NEAR(result.runs[0].of[1].condition, 1.278, 1e-3);  // by elimination, as measured
}

TEST(Results, MultiplierSystem) {
  const Made made({{"experiment", "multiplier-system"},
                   {"runs", Json::array({pendulum_config({{"h", "1/20"}, {"sample_every", "1/4"}})})}});
  const auto result = made.set().result<MultiplierSystemResult>();
  EXPECT_EQ(made.again<MultiplierSystemResult>(), made.set().analysis);
  ASSERT_EQ(result.systems.size(), 1U);
  const SampledSystem& system = result.systems.front();
  EXPECT_EQ(system.rank(), 1);
  EXPECT_EQ(system.samples().size(), 5U);
  EXPECT_EQ(system.changes().size(), 4U);
  EXPECT_EQ(system.samples().back().q.size(), 2);
}

TEST(Results, SpectralRadius) {
  const Made made({{"experiment", "spectral-radius"},
                   {"runs", Json::array({{{"method", {"generalized-alpha:rho=4/5", "newmark"}}, {"points", 20}}})}});
  const auto result = made.set().result<SpectralRadiusResult>();
  EXPECT_EQ(made.again<SpectralRadiusResult>(), made.set().analysis);
  ASSERT_EQ(result.series.size(), 2U);
  EXPECT_NEAR(result.series[0].record.measures->rho_infinity, 0.8, 1e-12) << "by design; roots to round-off";
  EXPECT_EQ(result.series[0].record.measures->curves.Omega.size(), 20U);
}

TEST(Results, BdfLimits) {
  const Made made({{"experiment", "bdf-limits"},
                   {"caps", {"2", "1.5"}},
                   {"thresholds", {"2"}},
                   {"runs", Json::array({{{"k", {1, 2, 3}}}})}});
  const auto result = made.set().result<BdfLimitsResult>();
  EXPECT_EQ(made.again<BdfLimitsResult>(), made.set().analysis);
  ASSERT_EQ(result.orders.size(), 3U);
  EXPECT_FALSE(result.orders[0].growth_bound) << "order 1 stays zero-stable";
  EXPECT_TRUE(result.orders[2].instability);
  EXPECT_EQ(result.tests.count(3), 1U);
}

TEST(Results, MethodReport) {
  const Made made({{"experiment", "method-report"},
                   {"runs", Json::array({{{"method", {"radau-iia:s=2", "bdf:k=2", "newmark"}}}})}});
  const auto result = made.set().result<MethodReportResult>();
  EXPECT_EQ(made.again<MethodReportResult>(), made.set().analysis);
  ASSERT_EQ(result.methods.size(), 3U);
  EXPECT_EQ(result.methods[0].record.report.order->value, 3) << "2 s - 1";
  EXPECT_TRUE(result.methods[0].order_star);
  EXPECT_TRUE(result.methods[1].region);
  EXPECT_EQ(result.methods[2].spectral_radius.size(), 2U);
}

TEST(Results, ProblemReport) {
  const Made made({{"experiment", "problem-report"}, {"runs", Json::array({{{"problem", "slider-crank"}}})}});
  const auto result = made.set().result<ProblemReportResult>();
  EXPECT_EQ(made.again<ProblemReportResult>(), made.set().analysis);
  ASSERT_EQ(result.cards.size(), 1U);
  EXPECT_FALSE(result.cards[0].shapes.empty());
  EXPECT_EQ(result.cards[0].data.front().title, "Options");
}

TEST(Results, MethodTable) {
  const Made made({{"experiment", "method-table"},
                   {"columns", {"order", "A", "error-constant"}},
                   {"runs", Json::array({{{"method", {"gauss:s=2", "bdf:k=5"}}}})}});
  const auto result = made.set().result<MethodTableResult>();
  EXPECT_EQ(made.again<MethodTableResult>(), made.set().analysis);
  ASSERT_EQ(result.methods.size(), 2U);
  EXPECT_EQ(result.methods[0].report.order->value, 4) << "2 s";
  EXPECT_EQ(result.columns.size(), 3U);
}

}  // namespace TEST_FILE
}  // namespace daelab
